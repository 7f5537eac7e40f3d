"""Every public name says what it takes, of which shape, what it returns and raises, and has an example."""

import dataclasses
import enum
import importlib
import inspect
import re
from collections.abc import Callable, Iterator

import pytest

MODULES = ("rkde.fast", "rkde.reference", "rkde.conformance", "rkde.plotting")
# Where a formula of the paper or a cost is computed, the docstring says which.
COMPUTING = ("rkde.fast", "rkde.reference")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
TABLE = re.compile(r"\b(array_like|ndarray|table)\b")
SOURCE = re.compile(
    r"[Ss]ection|[Ee]quation|[Tt]heorem|[Ll]emma|not in the paper|^(Notes|References)$", re.MULTILINE
)
# What a class inherits from its kind needs no description of its own.
NO_FIELDS = (enum.Enum, Exception)


def public_names() -> Iterator[tuple[str, object]]:
    """Yield each public class and function once, with its full name."""
    for module in MODULES:
        found = importlib.import_module(module)
        for name in found.__all__:
            item = getattr(found, name)
            if inspect.isclass(item) or inspect.isfunction(item):
                yield f"{module}.{name}", item


def sections(docstring: str) -> dict[str, str]:
    """Return the text of each section of a docstring by its title; what stands before the first under ""."""
    parts = SECTION.split(docstring)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def described(section: str) -> dict[str, str]:
    """Return the type of each name that a section lists."""
    found: dict[str, str] = {}
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            found |= {name.strip().lstrip("*"): kind for name in names.split(",")}
    return found


def expected_names(item: Callable[..., object] | type) -> list[str]:
    """Return the parameters of a function or the fields of a record."""
    if inspect.isclass(item):
        if issubclass(item, NO_FIELDS) or getattr(item, "_is_protocol", False):
            return []
        if dataclasses.is_dataclass(item):
            return [field.name for field in dataclasses.fields(item) if not field.name.startswith("_")]
    parameters = inspect.signature(item).parameters.values()
    return [one.name for one in parameters if not one.name.startswith("_")]


def missing_parts(name: str, item: Callable[..., object] | type) -> list[str]:
    """Return what the docstring of a public name lacks."""
    text = inspect.getdoc(item) or ""
    parts = sections(text)
    listed = described(parts.get("Parameters", "") + "\n" + parts.get("Attributes", ""))
    lacks = [f"parameter {one}" for one in expected_names(item) if one not in listed]
    lacks += [f"shape of {one}" for one, kind in listed.items() if TABLE.search(kind) and "shape" not in kind]
    if not parts[""].strip():
        lacks.append("summary")
    is_error = inspect.isclass(item) and issubclass(item, Exception)
    if ">>> " not in parts.get("Examples", "") and not is_error:
        lacks.append("example")
    if inspect.isfunction(item):
        lacks += _missing_of_a_function(name, item, parts)
    return lacks


def _missing_of_a_function(name: str, item: Callable[..., object], parts: dict[str, str]) -> list[str]:
    lacks: list[str] = []
    text = " ".join((inspect.getdoc(item) or "").split())
    if inspect.signature(item).return_annotation not in {None, "None"} and not (
        {"Returns", "Yields"} & parts.keys()
    ):
        lacks.append("returns")
    if inspect.signature(item).parameters and "Raises" not in parts and "is raised" not in text:
        lacks.append("raises")
    if name.startswith(COMPUTING) and not SOURCE.search(inspect.getdoc(item) or ""):
        lacks.append("cost or source")
    return lacks


@pytest.mark.parametrize(("name", "item"), [pytest.param(*pair, id=pair[0]) for pair in public_names()])
def test_a_public_name_is_described(name: str, item: Callable[..., object]) -> None:
    assert missing_parts(name, item) == []


def test_missing_parts_are_seen() -> None:
    def bad(X: object, rule: str) -> int:
        """Return one.

        Parameters
        ----------
        X : array_like
            Rows.
        """
        return 1

    lacks = ["parameter rule", "shape of X", "example", "returns", "raises", "cost or source"]
    assert missing_parts("rkde.fast.bad", bad) == lacks
