"""Compare an answer with an expected value, in digits.

Entries are compared as exact decimals, so the comparison adds no error of its own: an error of 1e-40 is seen.
A list is measured against its largest entry, max |x - x*| / max |x*|; a natural logarithm of a density by
|x - x*| / max(1, |x*|), since an absolute error there is a relative one of the density.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from typing import Final

from rkde.adapter.strict_json import Json

# Twice the digits of any stored value and any answer: a difference of two of them is exact.
EXACT: Final = Context(prec=2200, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
LOGARITHMS: Final = frozenset({"log_kernel", "log_density"})
NON_FINITE: Final = ("inf", "-inf", "nan")
_LOG_PRECISION: Final = Context(prec=10, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison found.

    Attributes
    ----------
    error : Decimal
        The error by the field's measure; infinite where `problem` says that no measure applies.
    problem : str
        Why the answer cannot be right whatever the tolerance; empty where it can.
    """

    error: Decimal
    problem: str = ""

    @property
    def digits(self) -> float:
        """-log10 of the error; infinite for an exact answer, -infinite for an incomparable one."""
        if self.error == 0:
            return float("inf")
        return float("-inf") if self.error.is_infinite() else -float(self.error.log10(_LOG_PRECISION))


def compare(field: str, answer: Json, expected: Json) -> Comparison:
    """Measure the error of one field of an answer.

    Parameters
    ----------
    field : str
        Its name, which decides between the two measures.
    answer : Json
        A number, a decimal string, the name of a non-finite value, None, or a list of these.
    expected : Json
        Likewise; its shape, its non-finite entries and its None entries must be met exactly.

    Returns
    -------
    Comparison
        The largest error over the entries; where every expected entry is 0, only 0 is right.
    """
    if isinstance(expected, list) != isinstance(answer, list):
        return _incomparable(f"{field}: a {'list' if isinstance(expected, list) else 'number'} was expected")
    answers = answer if isinstance(answer, list) else [answer]
    values = expected if isinstance(expected, list) else [expected]
    if len(answers) != len(values):
        return _incomparable(f"{field}: {len(values)} entries were expected, got {len(answers)}")
    pairs: list[tuple[Decimal, Decimal]] = []
    for i, (given, right) in enumerate(zip(answers, values, strict=True)):
        if right is None or right in NON_FINITE:
            if given != right:
                return _incomparable(f"{field}[{i}]: {right} was expected, got {given}")
            continue
        number = as_decimal(given)
        if number is None:
            return _incomparable(f"{field}[{i}]: a finite number was expected, got {given!r}")
        pairs.append((number, _required(right)))
    return _largest_error(field, pairs)


def as_decimal(value: Json) -> Decimal | None:
    """Read a number or a decimal string exactly; None for anything else, non-finite values included."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = EXACT.create_decimal(value) if isinstance(value, int | str) else Decimal.from_float(value)
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


def _required(value: Json) -> Decimal:
    number = as_decimal(value)
    if number is None:
        raise ValueError(f"an expected value is not a number: {value!r}")
    return number


def _largest_error(field: str, pairs: list[tuple[Decimal, Decimal]]) -> Comparison:
    largest = max((right.copy_abs() for _, right in pairs), default=Decimal(0))
    worst = Decimal(0)
    for given, right in pairs:
        difference = EXACT.subtract(given, right).copy_abs()
        if difference == 0:
            continue
        scale = max(Decimal(1), right.copy_abs()) if field in LOGARITHMS else largest
        if scale == 0:
            return _incomparable(f"{field}: exactly 0 was expected, got {given:.3e}")
        worst = max(worst, _LOG_PRECISION.divide(difference, scale))
    return Comparison(worst)


def _incomparable(problem: str) -> Comparison:
    return Comparison(Decimal("Infinity"), problem)
