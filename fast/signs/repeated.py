"""Values that repeat: rows that are equal, or nearly so, and a filler such as -999 in a column.

Rows are a sign where they weigh more than their neighbourhood explains; a number of a column where it stands
for something else: a filler far off, or a code such as 9.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import pdtrc

from rkde.fast._float64 import Floats, distinct_rows
from rkde.fast.signs.evidence import NO_WEIGHTS, Evidence, Indices, kernel_values, some, weight_held
from rkde.signs import Sign

# Rows whose distance is a thousandth of that to an ordinary neighbour are nearly equal; and where so many are
# nearer to each other than a hundredth or a tenth of it that nothing explains them.
_NEARLY: Final = (1e-3, 1e-2, 1e-1)
# How many sides of a cell from its middle the rows of a group may lie.
_EDGE: Final = 2.0
# A cell begins at no round number, so that noise about one seldom falls into two.
_OFFSET: Final = 0.3819660112501051
# Rows of which the distance to the nearest other location is taken, and locations among which it is sought.
_PROBES: Final = 32
_MOST_LOCATIONS: Final = 2**15
# Fewer equal rows, or equal values in a column, than this are an accident.
_FEWEST: Final = 3
# Nine tenths of the rows at other places, or of the other values, have no more copies than this quantile.
_USUAL: Final = 0.9
# How many times as many as are explained, and how seldom by chance, are a sign: in a clean table, or where
# nobody gives the answer between though the one below and the mark above a scale are given so often.
_TIMES: Final = 3.0
_CHANCE: Final = 1e-3
# Locations looked at, those with most rows first.
_CANDIDATES: Final = 16
_SHOWN_COLUMNS: Final = 4
# Fewer digits than a float64 has: the last ones are rounding.
_SHOWN_DIGITS: Final = 10
# What undoing the scale of a column leaves of rounding.
_NOISE: Final = 1e-12
# Numbers that are equal to nine digits are left out together.
_ALIKE: Final = 1e-9
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


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Rows grouped by place: the group of each row, and how many rows each has, copies counted."""

    inverse: Indices
    sizes: Floats

    def others(self, group: int) -> Floats:
        """Return for the rows outside of a group how many others stand where they do."""
        return np.asarray(np.maximum(self.sizes[self.inverse[self.inverse != group]] - 1, 0.0))


def repeated_rows(evidence: Evidence) -> Sign | None:
    """Return the sign for the heaviest group of rows that are equal, or nearly so, and too many.

    Whether other rows have copies, too (rounded data), whether neighbours have, and how many rows would meet
    at the place if the columns were independent explains copies; a sign are three times as many, where even a
    Poisson number of that mean is so large in one table of a thousand only.
    """
    distinct = distinct_rows(evidence.places)
    apart = _neighbour_distance(distinct.rows) if len(distinct.rows) > 1 else 0.0
    for nearly in _NEARLY:
        groups = _grouped(evidence.places, evidence.counts, distinct.inverse, nearly * apart)
        found = _heaviest(evidence, groups, nearly * apart)
        if found is not None:
            return found
    return None


def _heaviest(evidence: Evidence, groups: _Groups, side: float) -> Sign | None:
    """Return the sign for the group that holds most of the weight among those that nothing explains.

    Rows just beyond the edge of its cell belong to it.
    """
    weights = np.bincount(groups.inverse, evidence.weights)
    largest = np.argsort(-groups.sizes, kind="stable")[:_CANDIDATES].tolist()
    found = [group for group in largest if _is_unexplained(evidence, groups, group, float(weights[group]))]
    if not found:
        return None
    heaviest = max(found, key=lambda group: weights[group])
    middle = np.median(evidence.places[groups.inverse == heaviest], axis=0)
    near = (np.abs(evidence.places - middle) <= _EDGE * side).all(axis=1)
    rows = np.flatnonzero(near | (groups.inverse == heaviest))
    return _sign(evidence, rows, float(evidence.weights[rows].sum()))


def _grouped(places: Floats, counts: Floats, equal: Indices, side: float) -> _Groups:
    """Group rows that fall into one cell of a grid, or are equal where its side is 0."""
    inverse = distinct_rows(np.floor(places / side + _OFFSET)).inverse if side > 0 else equal
    return _Groups(inverse, np.asarray(np.bincount(inverse, counts), np.float64))


def _neighbour_distance(locations: Floats) -> float:
    """Return the median over some locations of the distance to the nearest other one."""
    among = locations[some(locations, _MOST_LOCATIONS)]
    distances = cdist(among[some(among, _PROBES)], among)
    distances[distances == 0] = np.inf
    # Fewer locations lie farther apart.
    shrink = (len(among) / len(locations)) ** (1 / locations.shape[1])
    nearest = np.sort(distances.min(axis=1))
    typical = float(nearest[(len(nearest) - 1) // 2])
    # Distances that underflow tell nothing.
    return typical * shrink if np.isfinite(typical) else 0.0


def _is_unexplained(evidence: Evidence, groups: _Groups, group: int, weight: float) -> bool:
    """Tell whether a group has more rows, and more weight, than anything explains."""
    size, total = float(groups.sizes[group]), evidence.total
    if size < _FEWEST or 2 * size > total:
        return False
    usual = float(np.quantile(groups.others(group), _USUAL))
    expected = max(usual, _nearby(evidence, groups, group), _by_columns(evidence, groups, group) - 1)
    if min(size, weight * total) <= _TIMES * (1 + expected):
        return False
    return bool(pdtrc(np.ceil(size) - 2, max(expected, 1 / total)) * total < _CHANCE)


def _nearby(evidence: Evidence, groups: _Groups, group: int) -> float:
    """Return how many others stand, on average, where a neighbour of the group does; 0 without neighbours."""
    one = evidence.places[np.flatnonzero(groups.inverse == group)[:1]]
    near = kernel_values(evidence.kernel, one, evidence.places)[0] * evidence.counts
    near[groups.inverse == group] = 0.0
    held = float(near.sum())
    if held < 1:
        return 0.0
    return float(near @ np.maximum(groups.sizes[groups.inverse] - 1, 0.0)) / held


def _by_columns(evidence: Evidence, groups: _Groups, group: int) -> float:
    """Return how many rows would meet at the place if the columns were independent; 0 for one column."""
    if evidence.places.shape[1] == 1:
        return 0.0
    one = evidence.rows[np.flatnonzero(groups.inverse == group)[0]]
    shares = evidence.counts @ (evidence.rows == one) / evidence.total
    return evidence.total * float(np.prod(shares))


def _sign(evidence: Evidence, rows: Indices, weight: float) -> Sign:
    values = evidence.rows[rows]
    equal = "equal" if (values == values[0]).all() else "nearly equal"
    columns = evidence.rows.T[:_SHOWN_COLUMNS]
    shown = ", ".join(shown_value(value, column) for value, column in zip(values[0], columns, strict=False))
    dots = ", ..." if values.shape[1] > _SHOWN_COLUMNS else ""
    if len(rows) > 1:
        what, whose = f"{len(rows)} rows are {equal}", "together they"
        remedy = "remove all but the first if they are copies, or all if they are fillers"
    else:
        what, whose = f"a row counts {float(evidence.counts[rows[0]]):.6g} times", "it"
        remedy = "remove it if it is a filler"
        remedy = f"{NO_WEIGHTS}, or {remedy}" if evidence.is_weighted else remedy
    held = weight_held(weight, 1, several=len(rows) > 1)
    return Sign(
        "repeated-rows",
        f"{what}, at ({shown}{dots}): {{rows}}; {whose} {held}, which neighbouring rows do not explain",
        remedy,
        evidence.names(rows),
    )


def shown_value(value: float, column: Floats) -> str:
    """Spell a value of a column, without what scaling the column and undoing that leaves of rounding."""
    with np.errstate(over="ignore"):
        is_noise = abs(value) < _NOISE * float(np.abs(column).max())
    return "0" if is_noise else f"{value:.{_SHOWN_DIGITS}g}"


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
    with np.errstate(over="ignore"):
        alike = np.flatnonzero(np.isclose(evidence.rows, float(value), rtol=_ALIKE, atol=0.0).any(axis=1))
    is_ordinary = np.setdiff1d(alike, rows).size > 0
    which = (
        f"the rows where {'they are' if others else 'it is'} {value}"
        if is_ordinary
        else f"the rows with {value}"
    )
    weight = float(evidence.weights[rows].sum())
    held = f"together they {weight_held(weight, 1, several=True)}"
    if not weight:
        held = "they have no weight, so they do not change the density"
    return Sign(
        "repeated-rows",
        f"{{column}} {is_or_are} {value} in {len(rows)} rows, {seen.format(whose=whose)}: {{rows}}; {held}",
        f"remove {which} if that number marks a missing value",
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
            place = _mark_above(found, number)
            seen = f"and otherwise an answer on a scale that ends at {found[-1] - 2:.0f}"
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
    with np.errstate(over="ignore"):
        gap, steps = others[0] - found[negative[-1]], np.diff(others)
    if _is_ladder(others) and gap >= (2 - _SLACK) * float(steps.min()):
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
