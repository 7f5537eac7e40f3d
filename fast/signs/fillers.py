"""One number in a column that stands for something else: a filler such as -999, a code such as 9."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence, Indices, weight_held
from rkde.fast.signs.repeated import shown_value
from rkde.signs import Sign

# Fewer equal values than this are an accident.
_FEWEST: Final = 3
# Nine tenths of the other values have no more copies than this quantile; a code has so many times as many.
_USUAL: Final = 0.9
_TIMES: Final = 3.0
# Numbers that are equal to nine digits are left out together.
_ALIKE: Final = 1e-9
# What undoing the scale of a column leaves of rounding.
_NOISE: Final = 1e-12
# So many values at equal steps, to this share of one, are answers on a scale.
_RUNGS: Final = 4
_SLACK: Final = 1e-6
# Answers on a scale are eleven at most, from 0 to 10; more values are ages, years or counts.
_MOST_RUNGS: Final = 11
# Codes of missing values in one column, such as -8 for "refused" beside -9.
_MOST_CODES: Final = 3
# The bulk of a column, and how many times as far as that is wide a filler stands.
_MIDDLE: Final = (0.05, 0.95)
_FAR: Final = 3.0
# A 0 stands apart if the least of so many other values is so large a share of their median, and so many times
# as far from 0 as neighbours in the lower half are from each other.
_FEWEST_OTHERS: Final = 10
_NOT_SMALL: Final = 0.2
_STEPS: Final = 2.0
# Whole numbers of a smaller median may be counts, of which some are 0.
_LARGEST_COUNT: Final = 25.0
# What may mark no answer above a scale that begins at 0 or 1 and ends two below.
_MARKS: Final = (8.0, 9.0)
# How seldom nobody gives the answer between, though the one below and the mark are given so often.
_CHANCE: Final = 1e-3


def fillers(evidence: Evidence) -> tuple[Sign, ...]:
    """Return a sign for each number that several rows share in a column and that no value is near to.

    Such rows differ in other columns, and may have neighbours there. A filler is three times as far from the
    rest as nine tenths of the rest are wide, or it is a code in a column of other numbers: a negative one
    where they are not, or one above answers on a scale.
    """
    found: dict[tuple[str, str], dict[int, Indices]] = {}
    for column, values in enumerate(evidence.rows.T):
        for value, seen in _codes(values):
            rows = np.flatnonzero(values == value)
            found.setdefault((shown_value(value, values), seen), {})[column] = rows
    return tuple(_code_sign(evidence, value, seen, rows) for (value, seen), rows in found.items())


def _code_sign(evidence: Evidence, value: str, seen: str, found: dict[int, Indices]) -> Sign:
    """Return the sign for a number that stands in some rows of some columns for something else."""
    first, *others = found
    rows = np.unique(np.concatenate(list(found.values())))
    is_or_are, whose = ("are", "their") if others else ("is", "its")
    # What is a code in one column may be an ordinary number in another.
    alike = np.flatnonzero(np.isclose(evidence.rows, float(value), rtol=_ALIKE, atol=0.0).any(axis=1))
    is_ordinary = np.setdiff1d(alike, rows).size > 0
    which = (
        f"the rows where {'they are' if others else 'it is'} {value}"
        if is_ordinary
        else f"the rows with {value}"
    )
    weight = float(evidence.weights[rows].sum())
    held = f"together they {weight_held(weight, 1, several=True)}"
    if weight <= 0:
        held = "they have no weight, so they do not change the density"
    return Sign(
        "repeated-rows",
        f"{{column}} {is_or_are} {value} in {len(rows)} rows, {seen.format(whose=whose)}: {{rows}}; {held}",
        f"remove {which} if it marks a missing value",
        evidence.names(rows),
        first,
        tuple(others),
    )


def _codes(values: Floats) -> Iterator[tuple[float, str]]:
    """Yield the fillers of a column, one after another, each with what tells it from the values left."""
    left = values
    for _ in range(_MOST_CODES):
        found, inverse, number = np.unique(left, return_inverse=True, return_counts=True)
        if not 1 < len(found) < len(left):
            return
        place, seen = _far_value(left, found, number, inverse), "far from all {whose} other values"
        if place is None:
            place, seen = _negative_code(found, number), "and otherwise not negative"
        if place is None:
            place, seen = _mark_above(found, number), "and otherwise an answer on a scale that ends two below"
        if place is None:
            place, seen = _zero_below(found, number), "and otherwise far above 0"
        if place is None or 2 * number[place] >= len(left):
            return
        yield float(found[place]), seen
        left = left[inverse != place]


def _far_value(values: Floats, found: Floats, number: Indices, inverse: Indices) -> int | None:
    """Return the place, among the ascending values, of one that several rows share far from all others."""
    with np.errstate(over="ignore"):
        steps = np.diff(found, prepend=-np.inf, append=np.inf)
    gaps = np.where(number >= _FEWEST, np.minimum(steps[:-1], steps[1:]), 0.0)
    place = int(np.argmax(gaps))
    others = np.delete(found, place)
    if len(others) < 2:
        return None
    common = np.delete(number, place)
    with np.errstate(over="ignore"):
        low, high = np.quantile(values[inverse != place], _MIDDLE)
        if 2 * common.max() >= common.sum():
            # Where most are 0, nearly all of the others are too few to say how wide the values are.
            low, high = others[0], others[-1]
        apart = np.diff(others)
        # Codes such as 0, 1 and 2 are as far from each other.
        wide = max(float(high - low), float(apart.min()))
    gap = float(gaps[place])
    if not math.isfinite(gap):
        return None
    # Answers from 1 to 5, and 8 or 9 for none.
    is_scale = len(others) <= _MOST_RUNGS and _is_ladder(others)
    if is_scale and place == len(found) - 1 and gap >= (1 - _SLACK) * _FAR * float(apart.min()):
        return place
    return place if gap > _FAR * wide else None


def _is_ladder(ascending: Floats) -> bool:
    """Tell whether values are evenly spaced, as answers on a scale are."""
    if len(ascending) < _RUNGS:
        return False
    with np.errstate(over="ignore"):
        steps = np.diff(ascending)
    return float(steps.max()) <= float(steps.min()) * (1 + _SLACK)


def _negative_code(found: Floats, number: Indices) -> int | None:
    """Return the place of a negative whole number that many rows share, where the others are not negative.

    Many are three times as many as share nine tenths of the other values, or three. Three are also many below
    answers on a scale, such as from 1 to 5, if no negative number is a step of the scale; and where the gap
    between is too wide for the tail of the other values.
    """
    noise = _NOISE * float(np.abs(found).max())
    negative = np.flatnonzero(found < -noise)
    if not 0 < len(negative) <= _MOST_CODES:
        return None
    if np.abs(found[negative] - np.round(found[negative])).max() > noise:
        return None
    place = int(negative[np.argmax(number[negative])])
    others = np.delete(found, negative)
    if _is_ladder(others) and others[0] - found[negative[-1]] >= (2 - _SLACK) * float(np.diff(others).min()):
        return place if number[place] >= _FEWEST else None
    if number[place] >= _FEWEST and _is_gap_below(found, number, len(negative)):
        return place
    usual = float(np.quantile(np.delete(number, negative), _USUAL))
    return place if number[place] >= max(_FEWEST, _TIMES * (1 + usual)) else None


def _is_gap_below(found: Floats, number: Indices, first: int) -> bool:
    """Tell whether the gap before a value is wider than any in the lower half above it, and no accident.

    On a grid, log-concave frequencies leave each of the places between empty with a chance of exp(-mean).
    """
    others, copies = found[first:], number[first:]
    if len(others) < _RUNGS:
        return False
    half = int(np.searchsorted(np.cumsum(copies), copies.sum() / 2))
    with np.errstate(over="ignore"):
        steps, gap = np.diff(others), float(found[first] - found[first - 1])
    places = gap / float(steps.min()) - 1
    expected = places * math.sqrt(float(copies[0]) * float(number[first - 1]))
    return gap > float(steps[: half + 1].max()) * (1 + _SLACK) and math.exp(-expected) < _CHANCE


def _zero_below(found: Floats, number: Indices) -> int | None:
    """Return the place of a 0 that several rows share, where the other values are positive and none is small.

    Where 0 is natural (rain, counts), small values are as common, or the others are small whole numbers; and
    where others are as often equal, it is one value of many.
    """
    noise = _NOISE * float(found[-1])
    others, copies = found[1:], number[1:]
    if not abs(found[0]) <= noise or number[0] < _FEWEST or len(others) < _FEWEST_OTHERS:
        return None
    half = int(np.searchsorted(np.cumsum(copies), copies.sum() / 2))
    is_count = others[half] < _LARGEST_COUNT and bool(np.abs(others - np.round(others)).max() <= noise)
    if half < _FEWEST or is_count:
        return None
    steps = float(np.diff(others[: half + 1]).max())
    is_apart = others[0] >= _NOT_SMALL * others[half] and others[0] > _STEPS * steps
    usual = float(np.quantile(copies, _USUAL))
    is_common = number[0] >= _TIMES * (1 + usual) or _is_gap_below(found, number, 1)
    return 0 if is_apart and is_common else None


def _mark_above(found: Floats, number: Indices) -> int | None:
    """Return the place of 8 or 9, two above the answers on a scale, where the answer between is never given.

    Of counts, rounded numbers and answers with one peak, the frequencies are log-concave: between two values
    stand at least as many, on average, as their geometric mean, and none with a chance of exp(-mean).
    """
    *answers, mark = np.round(found).tolist()
    is_whole = bool(np.abs(found - np.round(found)).max() <= _NOISE * abs(mark))
    if not is_whole or mark not in _MARKS or answers[0] not in (0, 1) or len(answers) < _RUNGS:
        return None
    if answers != [answers[0] + step for step in range(len(answers))] or mark != answers[-1] + 2:
        return None
    between = math.sqrt(float(number[-2]) * float(number[-1]))
    return len(found) - 1 if number[-1] >= _FEWEST and math.exp(-between) < _CHANCE else None
