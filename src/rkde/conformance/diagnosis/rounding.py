"""Mistakes of arithmetic: right formulas that lose their digits, or end in something that is no number.

They show in the kind of the failed cases, not in a value: so they count only where no ordinary case is far
from right.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.model import Answer, Pattern
from rkde.conformance.diagnosis.values import table
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.vectors import Case

_GEOMETRY: Final = frozenset(
    {"kernel", "bandwidth", "residual_norms", "objective", "step", "log_density", "vkde"}
)
_NORMS: Final = frozenset({"residual_norms", "objective", "step", "median", "thresholds"})
# Coordinates this much larger than their differences leave half the digits to a difference of squares.
_OFFSET: Final = 1e3
_SENSITIVE: Final = frozenset({"CANCELLATION", "ILL_CONDITIONED"})
# Half the spacing of float32 is 6e-8; one decimal beyond that on one side, and on the other what six printed
# digits leave, with some operations' worth of error.
_SINGLE: Final = Decimal("6e-9")
_SIX_DIGITS: Final = Decimal("1e-5")


def _is_offset(case: Case) -> bool:
    rows = table(case, "X") or table(case, "Y")
    columns = list(zip(*rows, strict=False))
    spread = max((max(column) - min(column) for column in columns), default=0.0)
    return bool(columns) and max(max(map(abs, column)) for column in columns) > _OFFSET * spread > 0


def _dot_products(case: Case, answer: Answer) -> bool:  # noqa: ARG001
    return "CANCELLATION" in case.flags and _is_offset(case)


def _expansion(case: Case, answer: Answer) -> bool:  # noqa: ARG001
    return "CANCELLATION" in case.flags and not _is_offset(case)


def _few_digits(case: Case, answer: Answer) -> bool:
    if case.error or _SENSITIVE.intersection(case.flags):
        return False
    errors = [
        compare(name, answer[name], right).error for name, right in case.expected.items() if name in answer
    ]
    # Too few digits show in every field, unless its numbers happen to have no more.
    return any(errors) and all(error == 0 or _SINGLE < error < _SIX_DIGITS for error in errors)


def _not_a_number(case: Case, answer: Answer) -> bool:
    return not case.error and any(
        value == "nan" or (isinstance(value, list) and "nan" in value)
        for name, value in answer.items()
        if name != "error"
    )


PATTERNS: Final = (
    Pattern(
        "few-digits",
        "right to six or seven digits everywhere: single precision, or numbers printed with too few digits?",
        frozenset(ANSWER_FIELDS),
        _few_digits,
        common=True,
    ),
    Pattern(
        "not-a-number",
        "not a number: the root of a difference that rounding made negative, or 0/0 where a limit is meant",
        _NORMS | frozenset({"loss", "vkde", "log_density"}),
        _not_a_number,
    ),
    Pattern(
        "distances-by-dot-products",
        "only data far from the origin fail: distances by x^2 + y^2 - 2xy? take differences first",
        _GEOMETRY,
        _dot_products,
        alone=True,
    ),
    Pattern(
        "residuals-by-expansion",
        "only small residuals fail: 1 - 2Kw + w'Kw? sums of 1 - k lose nothing",
        _NORMS,
        _expansion,
        alone=True,
    ),
)
