"""The implementations under test, behind one record that hides the context of the reference."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import mpmath
import numpy as np

import rkde.fast
import rkde.reference
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, build_kernel, build_loss
from rkde.reference.numbers import make_context

REFERENCE_DIGITS: Final = 40  # what the reference is run at where it judges another implementation
CASE_DIGITS: Final = 60  # what a worked example is recomputed at
EXACT: Final = mpmath.MPContext()
EXACT.prec = 20_000  # holds any float64, and sums of them, without rounding


@dataclass(frozen=True)
class Implementation:
    """One implementation: its module, and the context that its functions take first, if any."""

    name: str
    module: ModuleType
    context: Any

    def call(self, function: str, *arguments: object, **named: object) -> Any:
        """Call a public function by name; a specified kernel or loss becomes the implementation's own."""
        return getattr(self.module, function)(*self._leading, *map(self._own, arguments), **named)

    def method(self, owner: object, name: str, *arguments: object, **named: object) -> Any:
        """Call a method of a kernel, a loss or a fitted density."""
        return getattr(self._own(owner), name)(*self._leading, *arguments, **named)

    def get(self, name: str) -> Any:
        """Return a public name of the module: a class, mostly."""
        return getattr(self.module, name)

    def kernel(self, spec: KernelSpec) -> Any:
        return build_kernel(self.module, spec)

    def loss(self, spec: LossSpec) -> Any:
        return build_loss(self.module, spec)

    def at_each(self, owner: object, name: str, points: Iterable[Any], *arguments: object) -> list[Any]:
        """One elementwise method at many points: an array at once in fast, one by one in the reference."""
        if self.context is None:
            return list(np.asarray(self.method(owner, name, np.array(list(points), dtype=float), *arguments)))
        return [self.method(owner, name, self.number(point), *arguments) for point in points]

    def number(self, value: Any) -> Any:
        """The value as this implementation's own scalar, without rounding where it can hold it."""
        return float(value) if self.context is None else self.context.convert(value)

    def _own(self, value: object) -> Any:
        if isinstance(value, KernelSpec):
            return self.kernel(value)
        return self.loss(value) if isinstance(value, LossSpec) else value

    @property
    def _leading(self) -> tuple[object, ...]:
        return () if self.context is None else (self.context,)

    def __repr__(self) -> str:
        return self.name


def _reference(digits: int) -> Implementation:
    return Implementation("reference", rkde.reference, make_context(digits))


FAST: Final = Implementation("fast", rkde.fast, None)
REFERENCE: Final = _reference(REFERENCE_DIGITS)
FINE_REFERENCE: Final = _reference(CASE_DIGITS)

# Judged against the reference; a third implementation is added here.
CANDIDATES: Final[tuple[Implementation, ...]] = (FAST,)
# Judged against worked examples and documented rules.
EVERY: Final[tuple[Implementation, ...]] = (*CANDIDATES, FINE_REFERENCE)


class Disguised:
    """A kernel or loss of somebody else: by its methods alone what an original is."""

    def __init__(self, original: object) -> None:
        self._original = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def numbers(value: object) -> list[mpmath.mpf]:
    """Every number of a vector, exactly, as one flat list."""
    return [exact(entry) for entry in np.asarray(value, dtype=object).ravel()]


def exact(value: Any) -> mpmath.mpf:
    """A number as an exact mpf: a float64 by its binary value, a string by its decimal digits."""
    if isinstance(value, np.generic):
        return EXACT.convert(value.item())
    return EXACT.convert(value)


def rows(X: object) -> list[list[float]]:
    """A table as lists of Python floats, which both implementations read exactly."""
    return [[float(cell) for cell in row] for row in np.asarray(X, dtype=float)]
