"""What the tests of the influence share: the implementations under test, and small helpers."""

from collections.abc import Sequence
from typing import Any, Final

from rkde.reference import RkhsElement, make_context
from tests.support.implementations import numbers

DIGITS: Final = 60
CTX: Final = make_context(DIGITS)


def coefficients(found: Any, row: int = 0) -> list[Any]:
    """Return (alpha, alpha') of one contaminating point as exact numbers."""
    return [*numbers(found.if_coef[row]), *numbers([found.if_coef_new[row]])]


def norm(ctx: Any, points: Sequence[Any], entries: Sequence[Any], kernel: Any) -> Any:
    """Return the norm in the feature space of sum entries_i Phi(points_i), in tau."""
    return RkhsElement(points, entries, kernel).norm(ctx)
