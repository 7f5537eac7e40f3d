"""Mistakes of arithmetic: right formulas that lose their digits, or end in something that is not a number.

They show in the kind of the failed cases more than in a value: so some count only where ordinary cases mostly
have more digits.
"""

import math
from decimal import Decimal
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import EXACT, NON_FINITE, as_decimal, compare
from rkde.conformance.diagnosis.model import Answer, Kind, Pattern
from rkde.conformance.diagnosis.values import member, numbers, parameter, table
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.vectors import Case

_GEOMETRY: Final = frozenset(
    {"kernel", "bandwidth", "residual_norms", "objective", "step", "log_density", "vkde"}
)
_NORMS: Final = frozenset({"residual_norms", "objective", "median", "thresholds"})
_UNIT: Final = 2.0**-53
# Roundings of the terms of 1 - 2 (Kw)_i + w'Kw for each row: product and sum in each of the two products, the
# kernel value itself, and as much again for its argument.
_ROUNDINGS_OF_A_SQUARE: Final = 16
# Beyond these numbers a square is infinite, or 0, in float64.
_LARGEST_ROOT: Final = 1.3e154
_SMALLEST_ROOT: Final = 1.5e-162
# The range of single precision.
_LARGEST_SINGLE: Final = 3.4e38
_SMALLEST_SINGLE: Final = 1.2e-38
_LARGEST_LOG: Final = 700.0
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


def _up_to_a_shift(case: Case) -> str:
    """Spell a request with every row relative to the first one, exactly."""
    rows = case.request.get("X") or [case.request.get("x")]
    first = [as_decimal(entry) or Decimal(0) for entry in cast(list[list[Json]], rows)[0]]

    def moved(value: Json) -> Json:
        if isinstance(value, list) and (not value or isinstance(value[0], list)):
            return [moved(row) for row in value]
        entries = [as_decimal(entry) or Decimal(0) for entry in cast(list[Json], value)]
        return [str(EXACT.subtract(x, y).normalize()) for x, y in zip(entries, first, strict=True)]

    located = ("X", "Y", "x", "queries", "x_new")
    whole = {name: moved(value) if name in located else value for name, value in case.request.items()}
    return repr(sorted(whole.items()))


def _expansion(case: Case, answer: Answer) -> bool:
    """Tell whether small residuals are off by no more than the rounding of terms as large as k(x, x).

    A residual norm r is compared by r^2. J is off by no more than half of that where |psi(t)| <= t, as for
    all losses but the absolute one.
    """
    if "CANCELLATION" not in case.flags or _is_offset(case):
        return False
    lost = _ROUNDINGS_OF_A_SQUARE * len(table(case, "X")) * _UNIT
    if case.op == "objective":
        error = numbers(answer["objective"])[0] - numbers(case.expected["objective"])[0]
        return member(case, "loss") != "absolute" and abs(error) <= lost / 2
    fields = {"residual_norms", "a", "b", "c"} & case.expected.keys() & answer.keys()
    wrong = [
        name for name in fields if compare(name, answer[name], case.expected[name]).error > case.tolerance
    ]
    return bool(wrong) and all(
        abs(given**2 - right**2) <= lost if math.isfinite(given) else right**2 <= lost
        for name in wrong
        for given, right in zip(_floats(answer[name]), _floats(case.expected[name]), strict=False)
    )


def _floats(value: Json) -> list[float]:
    """Read the entries of a field; what is no number, such as a name, is nan."""
    entries = value if isinstance(value, list) else [value]
    numeric = [as_decimal(entry) is not None or entry in NON_FINITE for entry in entries]
    return [float(str(entry)) if is_one else math.nan for entry, is_one in zip(entries, numeric, strict=True)]


def _few_digits(case: Case, answer: Answer) -> bool:
    if case.error or _SENSITIVE.intersection(case.flags):
        return False
    if _is_beyond_single(case, answer):
        return True
    errors = [
        compare(name, answer[name], right).error for name, right in case.expected.items() if name in answer
    ]
    # Too few digits show in every field, unless its numbers happen to have no more.
    return any(errors) and all(error == 0 or _SINGLE < error < _SIX_DIGITS for error in errors)


def _is_beyond_single(case: Case, answer: Answer) -> bool:
    """Tell whether a right number that single precision has not came out as infinite or 0."""
    return any(
        abs(right) > _LARGEST_SINGLE
        if math.isinf(given)
        else 0 < abs(right) < _SMALLEST_SINGLE and given == 0
        for name in case.expected.keys() & answer.keys()
        for given, right in zip(_floats(answer[name]), _floats(case.expected[name]), strict=False)
    )


def _only_nan(case: Case, answer: Answer) -> bool:
    """Tell whether most entries of an answer are nan, and the others, such as infinite ones, exact."""
    pairs = [
        pair
        for name in case.expected.keys() & answer.keys()
        for pair in zip(_entries({"": answer[name]}), _entries({"": case.expected[name]}), strict=False)
    ]
    lost = sum(given == "nan" for given, _ in pairs)
    others = [as_decimal(given) == as_decimal(right) for given, right in pairs if given != "nan"]
    return not case.error and lost > len(others) and all(others)


def _entries(answer: Answer) -> list[Json]:
    values = [value for name, value in answer.items() if name != "error"]
    return [entry for value in values for entry in (value if isinstance(value, list) else [value])]


def _overflow_of_squares(case: Case, answer: Answer) -> bool:
    """Tell whether an entry is not finite, or a bandwidth 0, where squares of the request are.

    A logarithm may be infinite for another reason where the density itself is out of range.
    """
    logs = [abs(x) for name in ("log_kernel", "log_density") for x in numbers(case.expected.get(name))]
    if max(logs, default=0.0) > _LARGEST_LOG:
        return False
    sizes = [abs(x) for name in ("X", "Y", "queries") for row in table(case, name) for x in row]
    h = parameter(case, "kernel", "bandwidth")
    sizes += [] if h is None else [h]
    extreme = any(size > _LARGEST_ROOT or 0 < size < _SMALLEST_ROOT for size in sizes)
    lost = any(entry in NON_FINITE for entry in _entries(answer)) or as_decimal(answer.get("bandwidth")) == 0
    return extreme and not case.error and lost and "UNDERFLOW" not in case.flags


def _by_rule(case: Case) -> str:
    return str(case.request.get("rule"))


PATTERNS: Final = (
    Pattern(
        "overflow-of-squares",
        "squares leave the range of float64 where scaled distances do not: divide by the bandwidth before "
        "you square",
        "docs/degenerate.md",
        _GEOMETRY,
        _overflow_of_squares,
        Kind.SYMPTOM,
        # Where ordinary answers, by the same rule, are not numbers either, squares are not to blame.
        beside=True,
        twin=_by_rule,
    ),
    Pattern(
        "few-digits",
        "right to six or seven digits everywhere: single precision, or numbers printed with too few digits?",
        "docs/protocol.md",
        frozenset(ANSWER_FIELDS),
        _few_digits,
        Kind.SYMPTOM,
        most=True,
        everywhere=True,
    ),
    Pattern(
        "nothing-but-nan",
        "nothing but nan: is every answer nan?",
        "docs/protocol.md",
        frozenset(ANSWER_FIELDS),
        _only_nan,
        Kind.SYMPTOM,
        most=True,
        everywhere=True,
    ),
    Pattern(
        "distances-by-dot-products",
        "wrong far from the origin, and right for the same rows near it: distances by x^2 + y^2 - 2xy? "
        "take differences first",
        "section 2; docs/errata.md",
        _GEOMETRY,
        lambda case, _: "CANCELLATION" in case.flags and _is_offset(case),
        Kind.SYMPTOM,
        twin=_up_to_a_shift,
    ),
    Pattern(
        "residuals-by-expansion",
        "small residuals lose their digits: 1 - 2Kw + w'Kw? sums of 1 - k lose nothing",
        "section 4; docs/errata.md",
        _NORMS,
        _expansion,
        Kind.SYMPTOM,
        beside=True,
    ),
    Pattern(
        "not-a-number",
        "not a number: the root of a difference that rounding made negative, or 0/0 where a limit is meant",
        "docs/degenerate.md",
        _NORMS | {"step", "loss", "vkde", "log_density", "fixed_point", "rkde"},
        lambda case, answer: not case.error and "nan" in _entries(answer),
        Kind.SYMPTOM,
    ),
)
