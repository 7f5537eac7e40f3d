"""How one implementation is reached: its package, its leading arguments, its numbers.

Both packages have the same modules, functions and arguments, so the operations are written once and ask an
`Implementation` for everything in which the two differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from rkde.adapter.numbers import NON_FINITE
from rkde.adapter.strict_json import Json

DEFAULT_DIGITS: Final = 40
# Digits beyond the working precision that are written, so that writing adds nothing to an error bound.
_MORE_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Implementation:
    """One implementation of the operations, as the adapter sees it.

    Attributes
    ----------
    name : str
        What `hello` answers.
    package : str
        The import path of the package.
    leading : tuple
        The arguments that every function and method takes first.
    number : callable
        From the exact text of a number to the implementation's number.
    plain : callable
        From a result (number, array, sequence, None, text) to JSON.
    elementwise : callable
        From a loss, the name of one of its methods and a list of arguments to the JSON list of values.
    """

    name: str
    package: str
    leading: tuple[object, ...]
    number: Callable[[int | str], object]
    plain: Callable[[object], Json]
    elementwise: Callable[[object, str, list[object]], Json]

    def call(self, function: str, *arguments: object, **options: object) -> object:
        """Call a function of the package with the leading arguments in front."""
        target: Callable[..., object] = getattr(import_module(self.package), function)
        return target(*self.leading, *arguments, **options)

    def method(self, owner: object, name: str, *arguments: object) -> object:
        """Call a method of a kernel, a loss or a result with the leading arguments in front."""
        bound: Callable[..., object] = getattr(owner, name)
        return bound(*self.leading, *arguments)

    def class_of(self, kind: str) -> Callable[..., object]:
        """Find the class of a kernel or a loss; these take no leading argument."""
        target: Callable[..., object] = getattr(import_module(self.package), kind)
        return target

    def report(self, result: object, *names: str) -> dict[str, Json]:
        """Read the named attributes of a result as answer fields."""
        return {name: self.plain(getattr(result, name)) for name in names}


def fast_implementation() -> Implementation:
    """Reach `rkde.fast`: the nearest float64 of every number in, shortest round-trip decimals out."""
    import_module("rkde.fast")
    return Implementation("rkde.fast", "rkde.fast", (), _nearest_float, _plain_float64, _elementwise_float64)


def reference_implementation(digits: int = DEFAULT_DIGITS) -> Implementation:
    """Reach `rkde.reference`: exact decimals in, decimal strings of `digits` and some more digits out.

    Result: with a context of its own.
    """
    ctx = import_module("rkde.reference").make_context(digits)

    def plain(value: object) -> Json:
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, list | tuple):
            return [plain(entry) for entry in value]
        if ctx.isfinite(value):
            return str(ctx.nstr(value, digits + _MORE_DIGITS))
        return "nan" if ctx.isnan(value) else "inf" if value == ctx.inf else "-inf"

    def elementwise(loss: object, name: str, arguments: list[object]) -> Json:
        return plain([getattr(loss, name)(ctx, argument) for argument in arguments])

    return Implementation("rkde.reference", "rkde.reference", (ctx,), _exact, plain, elementwise)


def _nearest_float(number: int | str) -> float:
    try:
        return float(number)
    except OverflowError:
        # float() rounds a large decimal text to infinity but refuses a large int.
        return math.inf if int(number) > 0 else -math.inf


def _exact(number: int | str) -> int | float | str:
    return float(number) if number in NON_FINITE else number


def _plain_float64(value: object) -> Json:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, list | tuple):
        return [_plain_float64(entry) for entry in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    to_list: Callable[[], object] = getattr(value, "tolist")  # noqa: B009 -- whatever numpy returns
    return _plain_float64(to_list())


def _elementwise_float64(loss: object, name: str, arguments: list[object]) -> Json:
    values = _plain_float64(getattr(loss, name)(arguments))
    if name == "q_left" and isinstance(values, list):
        # NaN says there that no limit from the left exists, which the protocol spells null.
        return [None if value == "nan" else value for value in values]
    return values
