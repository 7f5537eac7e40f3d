"""Right values that stand in another order than what was asked for."""

from itertools import pairwise
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Kind, Pattern
from rkde.conformance.diagnosis.values import in_order, numbers
from rkde.conformance.vectors import Case

# Fields with one entry a row, an argument or a query.
_FIELDS: Final = frozenset({
    "log_kernel", "log_density", "rho", "psi", "phi", "residual_norms", "weights", "bandwidths", "depth",
    "influence", "if_coef",
})  # fmt: skip
_OPERATIONS: Final = frozenset({
    "kernel", "loss", "residual_norms", "step", "median", "fixed_point", "log_density", "influence", "vkde",
    "depth", "rkde",
})  # fmt: skip
# Two values that are exchanged may be a mistake in two values; and many zeros are one value.
_FEW: Final = 3


def _distinct(value: Json) -> int:
    """Count the values that differ visibly."""
    entries = sorted(numbers(value))
    scale = max(map(abs, entries), default=0.0)
    steps = pairwise(entries)
    return bool(entries) + sum(right - left > float(AGREEMENT) * scale for left, right in steps)


def _is_wrong(case: Case, name: str, given: Json) -> bool:
    return all(compare(name, given, right.values.get(name)).error > AGREEMENT for right in case.right_answers)


def _concerned(case: Case, answer: Answer) -> bool:
    """Tell whether a field with values enough is wrong."""
    return any(
        _distinct(case.expected[name]) >= _FEW and _is_wrong(case, name, answer[name])
        for name in _FIELDS & answer.keys() & case.expected.keys()
    )


def _reordered(case: Case, answer: Answer) -> bool:
    """Tell whether every field that is wrong has the right values in another order."""
    wrong = [
        name
        for name in _FIELDS & answer.keys() & case.expected.keys()
        if _is_wrong(case, name, answer[name]) and _distinct(case.expected[name]) >= _FEW
    ]
    return bool(wrong) and all(
        any(
            compare(name, in_order(answer[name]), in_order(right.values.get(name))).error <= AGREEMENT
            for right in case.right_answers
        )
        for name in wrong
    )


PATTERNS: Final = (
    Pattern(
        "another-order",
        "the values are right, but in a different order from the one asked for: are rows, arguments or "
        "queries sorted or reversed?",
        "docs/protocol.md",
        _OPERATIONS,
        _reordered,
        Kind.SYMPTOM,
        most=True,
        concerns=_concerned,
    ),
)
