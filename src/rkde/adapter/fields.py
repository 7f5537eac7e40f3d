"""Readers of request fields: from JSON to the arguments of an implementation.

A reader checks the JSON type and the spelling; what a value must satisfy beyond that (finite, positive, of
one length) is checked where it is used, by the implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias, get_args

from rkde.adapter.implementation import Implementation
from rkde.adapter.numbers import read_number
from rkde.adapter.strict_json import Json, NumberToken, kind_of
from rkde.errors import InvalidInput, InvalidType
from rkde.vocabulary import BandwidthRule, QuantileRule, Start, VkdeRule

Reader: TypeAlias = Callable[[Implementation, Json, str], object]

# Name in a request -> class and its parameters, in the order of the constructor.
KERNELS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "gaussian": ("Gaussian", ("bandwidth",)),
    "student": ("Student", ("bandwidth", "dof")),
    "laplacian": ("Laplacian", ("bandwidth",)),
}
LOSSES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "quadratic": ("Quadratic", ()),
    "absolute": ("Absolute", ()),
    "huber": ("Huber", ("a",)),
    "hampel": ("Hampel", ("a", "b", "c")),
}


def check_fields(given: Mapping[str, Json], required: set[str], optional: set[str], where: str) -> None:
    """Refuse a missing or an unknown field."""
    for name in sorted(required - given.keys()):
        raise InvalidInput(f"must have the field {name!r}, got none", where=where, remedy="add the field")
    for name in sorted(given.keys() - required - optional):
        known = ", ".join(sorted(required | optional))
        raise InvalidInput(
            f"must have only known fields, got the field {name!r}",
            where=where,
            remedy=f"use only these fields: {known}",
        )


def number(lib: Implementation, value: Json, where: str) -> object:
    """Read one number."""
    return lib.number(read_number(value, where))


def integer(lib: Implementation, value: Json, where: str) -> int:  # noqa: ARG001
    """Read a JSON integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidType(
            f"must be an integer, got {kind_of(value)}",
            where=where,
            remedy="write a whole number without quotation marks",
        )
    return value


def vector(lib: Implementation, value: Json, where: str) -> list[object]:
    """Read a list of numbers."""
    return [number(lib, entry, f"{where}[{i}]") for i, entry in enumerate(_entries(value, where))]


def matrix(lib: Implementation, value: Json, where: str) -> list[list[object]]:
    """Read a list of rows; each row is a list of numbers."""
    return [vector(lib, row, f"{where}[{i}]") for i, row in enumerate(_entries(value, where))]


def choice(*names: str) -> Reader:
    """Make a reader of one name out of a closed set."""

    def read(lib: Implementation, value: Json, where: str) -> str:  # noqa: ARG001
        text = _text(value, where)
        if text not in names:
            raise InvalidInput(
                "must be a known name", where=where, value=text, remedy="use one of " + ", ".join(names)
            )
        return text

    return read


def kernel(lib: Implementation, value: Json, where: str) -> object:
    """Read a kernel object."""
    return _member(lib, value, where, KERNELS)


def loss(lib: Implementation, value: Json, where: str) -> object:
    """Read a loss object."""
    return _member(lib, value, where, LOSSES)


def start(lib: Implementation, value: Json, where: str) -> object:
    """Read "uniform", "median" or a list of weights."""
    return (
        vector(lib, value, where) if isinstance(value, list) else choice(*get_args(Start))(lib, value, where)
    )


def kernel_family(lib: Implementation, value: Json, where: str) -> tuple[str, tuple[object, ...]]:
    """Read a kernel without its bandwidth: the class's name and the parameters after the bandwidth."""
    fields = _object(value, where)
    kind, parameters = _known(fields, where, KERNELS)
    others = parameters[1:]
    check_fields(fields, {"name", *others}, set(), where)
    return kind, tuple(number(lib, fields[name], f"{where}.{name}") for name in others)


def bandwidth(lib: Implementation, value: Json, where: str) -> object:
    """Read the name of a rule, or a number."""
    return value if value in get_args(BandwidthRule) else number(lib, value, where)


bandwidth_rule: Final = choice(*get_args(BandwidthRule))
quantile_rule: Final = choice(*get_args(QuantileRule))
vkde_rule: Final = choice(*get_args(VkdeRule))
loss_name: Final = choice(*LOSSES)


def _entries(value: Json, where: str) -> list[Json]:
    if not isinstance(value, list):
        raise InvalidType(
            f"must be a list, got {kind_of(value)}", where=where, remedy="write it in square brackets"
        )
    return value


def _object(value: Json, where: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise InvalidType(
            f"must be an object, got {kind_of(value)}", where=where, remedy="write it in braces"
        )
    return value


def _text(value: Json, where: str) -> str:
    if not isinstance(value, str) or isinstance(value, NumberToken):
        raise InvalidType(
            f"must be a string, got {kind_of(value)}", where=where, remedy="write it in quotation marks"
        )
    return value


def _known(
    fields: dict[str, Json], where: str, table: dict[str, tuple[str, tuple[str, ...]]]
) -> tuple[str, tuple[str, ...]]:
    if "name" not in fields:
        raise InvalidInput("must have the field 'name', got none", where=where, remedy="add the field")
    name = _text(fields["name"], f"{where}.name")
    if name not in table:
        raise InvalidInput(
            "must be a known name", where=f"{where}.name", value=name, remedy="use one of " + ", ".join(table)
        )
    return table[name]


def _member(
    lib: Implementation, value: Json, where: str, table: dict[str, tuple[str, tuple[str, ...]]]
) -> object:
    fields = _object(value, where)
    kind, parameters = _known(fields, where, table)
    check_fields(fields, {"name", *parameters}, set(), where)
    return lib.class_of(kind)(*(number(lib, fields[name], f"{where}.{name}") for name in parameters))
