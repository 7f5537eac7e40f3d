"""Compare an answer with an expected value, in digits.

Entries are compared as exact decimals, so the comparison adds no error of its own: an error of 1e-40 is seen.
A list is measured against its largest entry, max |x - x*| / max |x*|; a natural logarithm of a density by
|x - x*| / max(1, |x*|), since an absolute error there is a relative one of the density.
"""

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from typing import Final

from rkde.adapter import MAX_NUMBER_TEXT, Json

# Twice the digits of any stored value and any answer: a difference of two of them is exact. A number beyond
# the largest exponent becomes infinite: an adapter may write one, and it is a wrong value like any other.
EXACT: Final = Context(
    prec=2200, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation]
)
LOGARITHMS: Final = frozenset({"log_kernel", "log_density"})
NON_FINITE: Final = ("inf", "-inf", "nan")
_DECIMAL: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_ZERO: Final = Decimal(0)
# What an adapter says is repeated in messages, in part.
_MAX_SHOWN: Final = 80
_LOG_PRECISION: Final = Context(prec=10, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[InvalidOperation])


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison found.

    Attributes
    ----------
    error : Decimal
        The error by the field's measure; infinite where `problem` says that no measure applies.
    problem : str
        Why the answer cannot be right whatever the tolerance; empty where it can.

    Examples
    --------
    >>> from decimal import Decimal
    >>> Comparison(Decimal("1e-12"))
    Comparison(error=Decimal('1E-12'), problem='')
    """

    error: Decimal
    problem: str = ""

    @property
    def digits(self) -> float:
        """-log10 of the error; infinite for an exact answer, -infinite for an incomparable one."""
        if self.error == 0:
            return float("inf")
        return float("-inf") if self.error.is_infinite() else -float(self.error.log10(_LOG_PRECISION))


def compare(field: str, answer: Json, expected: Json, radius: Decimal = _ZERO) -> Comparison:
    """Measure the error of one field of an answer.

    Parameters
    ----------
    field : str
        Its name, which decides between the two measures.
    answer : Json
        A number, a decimal string, a name, a boolean, None, a list of numbers, or an object of such fields.
    expected : Json
        Likewise; its shape, its names and its entries that are no finite number must be met exactly.
    radius : Decimal
        How far the exact value may be from `expected`; no error up to that is held against the answer.

    Returns
    -------
    Comparison
        The largest error over the entries; where every expected entry is 0, only 0 is right. Nothing is
        raised for an answer of the wrong kind.

    Examples
    --------
    >>> from decimal import Decimal
    >>> compare("density", [0.5, 0.25], ["0.5", "0.25000001"]).error < Decimal("1e-7")
    True
    >>> compare("density", "nan", "1").problem
    'density: a finite number was expected, got nan'
    """
    if isinstance(expected, dict):
        return _compare_objects(field, answer, expected, radius)
    if isinstance(expected, list) != isinstance(answer, list):
        return _incomparable(f"{field}: a {'list' if isinstance(expected, list) else 'number'} was expected")
    answers = answer if isinstance(answer, list) else [answer]
    values = expected if isinstance(expected, list) else [expected]
    if len(answers) != len(values):
        return _incomparable(f"{field}: {len(values)} entries were expected, got {len(answers)}")
    pairs: list[tuple[Decimal, Decimal]] = []
    for i, (given, right) in enumerate(zip(answers, values, strict=True)):
        place = f"{field}[{i}]" if isinstance(expected, list) else field
        goal = as_decimal(right)
        if goal is None:
            if given != right or isinstance(given, bool) != isinstance(right, bool):
                return _incomparable(f"{place}: {shown(right)} was expected, got {_quoted(given)}")
            continue
        number = as_decimal(given)
        if number is None:
            return _incomparable(f"{place}: a finite number was expected, got {_quoted(given)}")
        pairs.append((number, goal))
    return _largest_error(field, pairs, radius)


def shown(value: Json) -> str:
    """Spell a value of an answer for a message: shortened, control characters escaped."""
    text = repr(value) if isinstance(value, list | dict) else str(value)
    short = text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "..."
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in short)


def _quoted(value: Json) -> str:
    """Spell a value; an empty text, or one with blanks, in quotation marks, since that is what is wrong."""
    visible = not isinstance(value, str) or (value and not any(letter.isspace() for letter in value))
    return shown(value) if visible else repr(shown(value))


def as_decimal(value: Json) -> Decimal | None:
    """Read a number or a decimal string exactly; None for anything else, non-finite values included."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and not (len(value) <= MAX_NUMBER_TEXT and _DECIMAL.fullmatch(value)):
        return None
    try:
        number = EXACT.create_decimal(value) if isinstance(value, int | str) else Decimal.from_float(value)
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


def _compare_objects(field: str, answer: Json, expected: dict[str, Json], radius: Decimal) -> Comparison:
    if not isinstance(answer, dict):
        return _incomparable(f"{field}: an object was expected")
    missing = sorted(expected.keys() - answer.keys())
    if missing:
        return _incomparable(f"{field}: lacks {', '.join(missing)}")
    found = [compare(f"{field}.{name}", answer[name], value, radius) for name, value in expected.items()]
    return max(found, key=lambda comparison: comparison.error)


def _largest_error(field: str, pairs: list[tuple[Decimal, Decimal]], radius: Decimal) -> Comparison:
    largest = max((right.copy_abs() for _, right in pairs), default=_ZERO)
    worst = _ZERO
    for given, right in pairs:
        difference = EXACT.subtract(given, right).copy_abs()
        if difference <= radius:
            continue
        excess = EXACT.subtract(difference, radius)
        scale = max(Decimal(1), right.copy_abs()) if field in LOGARITHMS else largest
        if scale == 0:
            return _incomparable(f"{field}: exactly 0 was expected, got {given:.3e}")
        worst = max(worst, _LOG_PRECISION.divide(excess, scale))
    return Comparison(worst)


def _incomparable(problem: str) -> Comparison:
    return Comparison(Decimal("Infinity"), problem)
