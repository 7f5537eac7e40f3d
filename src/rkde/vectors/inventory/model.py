"""What a case of the inventory is before its value is computed: a request, and why it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Entry:
    """One case to be computed.

    Attributes
    ----------
    id : str
        Name within the operation: lower-case letters, digits and hyphens.
    comment : str
        What the case is about, in one sentence.
    flags : tuple of str
        Keys of `FLAGS`.
    request : mapping
        Fields that this case adds to its group's.
    error : str
        The kind of the expected error; empty where a value is expected.
    ends : tuple of tuple of float
        Weights near other ends that are admissible too, where the exact path runs through a saddle.
    """

    id: str
    comment: str
    flags: tuple[str, ...]
    request: Mapping[str, object]
    error: str = ""
    ends: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Cases of one operation that share some fields."""

    op: str
    comment: str
    entries: tuple[Entry, ...]
    request: Mapping[str, object] = field(default_factory=dict)


# Flag -> (what it marks, which bug such a case catches).
FLAGS: Final[dict[str, tuple[str, str]]] = {
    "BASIC": (
        "An ordinary case.",
        "A wrong formula: whoever fails these fails everything.",
    ),
    "EDGE": (
        "An argument at an end of its range: 0, a kink, one point, no query, a huge or a tiny scale.",
        "A strict inequality for a weak one, a division by zero, an overflow in an intermediate square.",
    ),
    "TIE": (
        "Equal rows or equal residuals.",
        "A squared norm that cancellation turns negative, multiplicities lost, ties broken by position.",
    ),
    "ILL_CONDITIONED": (
        "The answer depends strongly on the request, so the tolerance is wide.",
        "An unstable formula, where the error exceeds even the wide tolerance.",
    ),
    "UNDERFLOW": (
        "A kernel value, a density or a product leaves the range of float64.",
        "The logarithm of an underflowed density, 0/0 in a ratio of kernel values.",
    ),
    "DEGENERATE": (
        "The data leave the asked quantity undefined, or a limiting definition applies.",
        "NaN, an endless loop or a silent number where an error or the limit is due.",
    ),
    "MISPRINT": (
        "A formula of the paper, read literally, gives another value.",
        "The printed Student constant: without the power -d/2 of nu it is right for nu = 1 only.",
    ),
    "CANCELLATION": (
        "Coordinates are large against their differences, or residuals small against tau.",
        "Distances by x^2 + y^2 - 2xy without centring, residuals as 1 - 2Kw + w'Kw.",
    ),
    "SADDLE": (
        "The exact path of the iteration ends on a saddle, which rounding may leave: several ends are right.",
        "A saddle called a minimum, or an end that is no stationary point.",
    ),
    "KINK": (
        "A residual lies on a kink of the loss, where only one-sided derivatives exist.",
        "One piece of psi' taken for both sides.",
    ),
    "RECIPE": (
        "The whole recipe, from the rows to the final weights.",
        "Uniform start for f_med, another quantile or its rule, thresholds or a limit by a stopping rule.",
    ),
    "LARGE": (
        "Many rows: slow at many digits.",
        "A cost of n^3 or more.",
    ),
    "MUST_FAIL": (
        "The request breaks a documented rule.",
        "Input accepted that should be refused, or refused with the wrong kind of error.",
    ),
}
