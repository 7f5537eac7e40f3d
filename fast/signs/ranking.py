"""Where the robust ranking contradicts the plain one, and where too many rows, or too few, have influence.

Also: a few rows far from all others that keep weight because they lie near each other, and the modes of the
plain estimate, with how much of each the weights have left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from rkde.fast._float64 import Floats, distinct_rows
from rkde.fast.signs.columns import has_narrow_column
from rkde.fast.signs.evidence import (
    NO_WEIGHTS,
    Choices,
    Densities,
    Evidence,
    Indices,
    kernel_values,
    some,
    weight_held,
)
from rkde.signs import Sign

# The most isolated rows: one in twenty.
_ISOLATED: Final = 0.05
# They should rank behind the others; a share of these that ranks behind one of them shows that it fails.
_BEHIND: Final = 0.4
# More rows of weight 0 than outliers explain.
_MOST_ZEROS: Final = 0.2
_FEWEST_ROWS: Final = 10
# The largest effective number that three digits show as less.
_NEARLY_ENOUGH: Final = 9.99
# In one of 1200 clean tables a row has no neighbour within so many bandwidths, but for a few next to it.
_APART: Final = 20.0
# How many rows such a group has at most: three of a hundred, three at least, and sixteen at most.
_SHARE_GROUP: Final = 0.03
_LEAST_GROUP, _MOST_GROUP = 3, 16
# Of larger tables so many rows stand for the others, and so many neighbours among these for all.
_ROWS: Final = 2**12
_SAMPLE_NEIGHBOURS: Final = 4
# Rows that stand alone rank behind all others.
_BEHIND_ALL: Final = 0.01
_FEW_BEHIND: Final = 2
_BY_ITSELF: Final = "which have hardly any weight themselves"
# What makes more of a density than this is its cause.
_MAINLY: Final = 0.5
# More groups than these are not the exception: the bandwidth is.
_MOST_ROWS: Final = 0.05
# Rows are neighbours if they are as near as the sixteenth nearest row of most; of few rows, the last one of
# the nearest quarter.
_NEIGHBOURS: Final = 16
_SHARE_NEIGHBOURS: Final = 4
_MOST: Final = 0.75
_HALF: Final = 0.5
# A mode stands out by this factor over the saddle to a higher one, and by a deviation of their ratio.
_PROMINENCE: Final = 1.05
_DEVIATIONS: Final = 1.0
# Smaller modes are a few outliers.
_SMALLEST_SHARE: Final = 0.05
_FEWEST: Final = 5
_LARGEST_LOG: Final = 700.0
_SHOWN_COLUMNS: Final = 4


def all_alone(evidence: Evidence, densities: Densities, choices: Choices) -> Sign | None:
    """Return the sign for a bandwidth within which most rows have no other, so that their densities tie."""
    if len(evidence.rows) > 1 and (evidence.rows == evidence.rows[0]).all():
        seen = "all rows are equal, so none can stand out at any bandwidth"
        return Sign("ranking", seen, "check the columns, and where the table comes from")
    plain, shares = densities.plain, evidence.shares[densities.chosen]
    alone = float(shares[plain <= shares].sum() / shares.sum())
    isolated, others = _most_isolated(plain, shares)
    tied = float(share_behind(plain[isolated], plain[others], shares[others]).max(initial=0.0))
    if max(alone, 2 * tied) <= 2 * _BEHIND:
        return None
    if choices.rule == "scott":
        remedy = "use a larger bandwidth"
    elif choices.is_scaled or not has_narrow_column(evidence):
        remedy = "use the rule scott"
    else:
        remedy = 'use scale="robust" with the rule scott'
    return Sign(
        "ranking",
        f"the bandwidth is so small that {max(alone, 2 * tied):.0%} of the rows have no other row within "
        "reach, except equal ones, so the estimate cannot rank them",
        remedy,
    )


def _most_isolated(plain: Floats, shares: Floats) -> tuple[Indices, Indices]:
    """Return the rows of the lowest plain densities, and the others."""
    order = np.argsort(plain, kind="stable")
    number = max(1, int(np.searchsorted(np.cumsum(shares[order]), _ISOLATED * shares.sum())))
    return order[:number], order[number:]


def ranking(evidence: Evidence, densities: Densities, lost: Iterable[Indices]) -> Sign | None:
    """Return the sign for isolated rows that are denser, in the robust estimate, than many ordinary ones.

    The rows of modes that lost their weight are left out, since they are a sign of their own.
    """
    left = np.ones(len(densities.chosen), bool)
    for rows in lost:
        left[rows] = False
    chosen, plain = densities.chosen[left], densities.plain[left]
    robust, shares = densities.robust[left], evidence.shares[densities.chosen[left]]
    isolated, others = _most_isolated(plain, shares)
    if not len(others):
        return None
    behind = share_behind(robust[isolated], robust[others], shares[others])
    worst = isolated[behind > _BEHIND]
    if not len(worst):
        return None
    return Sign(
        "ranking",
        f"{{rows}}, among the most isolated of all, would rank as more normal than {behind.max():.0%} of the "
        "others, as happens along a curve, where no place is much denser than another",
        "rank by the plain estimate, with the loss Quadratic",
        evidence.names(chosen[worst]),
    )


def share_behind(values: np.ndarray, others: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return for each value the share of the others below it; ties count by half."""
    order = np.argsort(others)
    held = np.concatenate(([0.0], np.cumsum(shares[order]))) / shares.sum()
    ordered = others[order]
    low, high = np.searchsorted(ordered, values, side="left"), np.searchsorted(ordered, values, side="right")
    return np.asarray((held[low] + held[high]) / 2)


def zero_weight(evidence: Evidence, choices: Choices) -> Sign | None:
    """Return the sign for more than a fifth of the rows at weight 0."""
    without = np.flatnonzero(evidence.weights == 0)
    share = float(evidence.shares[without].sum())
    if share <= _MOST_ZEROS:
        return None
    return Sign(
        "zero-weight",
        f"{share:.0%} of the rows have weight 0",
        f"look at {{rows}}, and if they are good, {more_even(evidence, choices)}",
        evidence.names(without),
    )


def more_even(evidence: Evidence, choices: Choices) -> str:
    """Return what gives good rows without weight some, as an imperative.

    With sample weights of very different sizes, or of thousands of copies, Huber's loss ranks by them.
    """
    if evidence.is_weighted:
        return NO_WEIGHTS
    places = distinct_rows(evidence.places).inverse
    half_is_equal = 2 * np.bincount(places, evidence.counts).max() >= evidence.total
    if choices.loss == "hampel" and not half_is_equal:
        return "use the loss Huber, which gives each row some weight"
    return "use the loss Quadratic, which gives all rows the same weight"


def few_rows(evidence: Evidence) -> Sign | None:
    """Return the sign for fewer than ten rows."""
    if round(evidence.total, 9) >= _FEWEST_ROWS:
        return None
    number = f"{min(evidence.total, _NEARLY_ENOUGH):.3g}"
    return Sign(
        "few-rows",
        f"{number} {'row is' if number == '1' else 'rows are'} too few to tell an outlier from a good row",
        "use ten rows or more",
    )


def isolated_rows(evidence: Evidence, densities: Densities, choices: Choices) -> Sign | None:
    """Return the sign for rows far from all but a few that rank as more normal than some of the others."""
    size = len(evidence.weights)
    bound = min(max(_LEAST_GROUP, math.ceil(_SHARE_GROUP * size)), _MOST_GROUP)
    alone = _far_rows(evidence, bound)
    if not 0 < len(alone) <= max(bound, _MOST_ROWS * size):
        return None
    points = np.union1d(evidence.some(_ROWS), alone)
    values = kernel_values(evidence.kernel, evidence.places[alone], evidence.places[points])
    others = np.setdiff1d(np.arange(len(densities.chosen)), np.flatnonzero(np.isin(densities.chosen, alone)))
    if not len(others):  # pragma: no cover (all rows that are looked at would have to be alone)
        return None
    held = evidence.weights[points].sum()
    shares = evidence.shares[densities.chosen[others]]
    behind = share_behind(values @ evidence.weights[points] / held, densities.robust[others], shares)
    is_worst = behind > max(_BEHIND_ALL, _FEW_BEHIND / size)
    worst = alone[is_worst]
    if not len(worst):
        return None
    several = len(worst) > 1
    cause, remedy = _cause(evidence, worst, points, values[is_worst])
    if choices.loss == "quadratic" and cause == _BY_ITSELF:
        # Under equal weights a row alone only ties with others that are alone.
        return None
    lie, rank = ("lie", "rank") if several else ("lies", "ranks")
    return Sign(
        "isolated-rows",
        f"{{rows}} {lie} {_APART:.0f} bandwidths or more from all but a few others, and yet {rank} as more "
        f"normal than {behind.max():.0%} of the others, {cause}",
        remedy,
        evidence.names(worst),
    )


def _cause(evidence: Evidence, rows: Indices, points: Indices, values: Floats) -> tuple[str, str]:
    """Return what holds up the densities of isolated rows, and the remedy.

    Shapes: values (number of rows, number of points), the kernel between them.
    """
    held = values * evidence.weights[points]
    is_own = points == rows[:, np.newaxis]
    total = held.sum(axis=1)
    # The middle row speaks for all.
    own = float(np.median((held * is_own).sum(axis=1) / total))
    equal = float(np.median((held * (values == 1) * ~is_own).sum(axis=1) / total))
    several = len(rows) > 1
    look = "look at these rows, and remove them if they are wrong"
    if not several:
        look = "look at this row, and remove it if it is wrong"
    if own > _MAINLY and evidence.is_weighted:
        large = "because their sample weights are large" if several else "because its sample weight is large"
        return large, f"{NO_WEIGHTS}, or {look}"
    if own > _MAINLY:
        return _BY_ITSELF, look
    if equal > _MAINLY:
        return "because some are equal", look
    return "since they lie near each other" if several else "since a few lie near it", look


def _far_rows(evidence: Evidence, bound: int) -> Indices:
    """Return the rows of positive weight with at most `bound` others of positive weight within reach."""
    held = np.flatnonzero(evidence.weights > 0)
    if len(held) <= 2 * bound:
        return held[:0]
    places = evidence.places[held]
    if len(held) > _ROWS:
        sample = cKDTree(places[some(places, _ROWS)])
        apart = np.asarray(sample.query(places, k=_SAMPLE_NEIGHBOURS)[0])[:, -1]
        candidates = np.flatnonzero(apart >= _APART)
        if len(candidates) > _MOST_ROWS * len(held):
            return held[:0]
    else:
        candidates = np.arange(len(held))
    apart = np.asarray(cKDTree(places).query(places[candidates], k=bound + 1)[0])[:, -1]
    return held[candidates[apart >= _APART]]


def modes(densities: Densities, total: float) -> Indices:
    """Return for each chosen row its mode, which is a row: ascent over neighbours, from the densest row down.

    Two hills are one where the lower does not stand out over the saddle between them. n f, the plain density
    over k(0, 0) times the number of rows, is a sum of about as many terms, so that the deviation of its
    logarithm is about (n f)^(-1/2).

    Shapes: result (m,), places among the chosen rows.
    """
    near = _near(densities.kernel_values)
    plain = densities.plain
    deviation = 1 / np.sqrt(np.maximum(total * plain, np.finfo(np.float64).tiny))
    labels = np.full(len(plain), -1)
    for row in np.argsort(-plain, kind="stable").tolist():
        higher = np.flatnonzero(near[row] & (labels >= 0))
        if not len(higher):
            # A gap that the kernel spans is none.
            to_higher = np.where(labels >= 0, densities.kernel_values[row], 0.0)
            nearest = int(np.argmax(to_higher))
            labels[row] = labels[nearest] if to_higher[nearest] >= _HALF else row
            continue
        labels[row] = labels[higher[np.argmax(plain[higher])]]
        met = np.unique(labels[higher])
        highest = met[np.argmax(plain[met])]
        for peak in met[met != highest].tolist():
            slack = _DEVIATIONS * math.hypot(deviation[peak], deviation[row])
            if plain[peak] < plain[row] * math.exp(min(slack, _LARGEST_LOG)) * _PROMINENCE:
                labels[labels == peak] = highest
    return labels


def _near(values: Floats) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Tell which of the chosen rows are neighbours; copies of a row do not count among its nearest."""
    elsewhere = np.where(values < 1, values, 0.0)
    place = len(values) - max(1, min(_NEIGHBOURS, len(values) // _SHARE_NEIGHBOURS))
    # With many equal values a sort is quicker than a partition.
    farthest = np.sort(elsewhere, axis=1)[:, place]
    return np.asarray((values >= float(np.quantile(farthest, 1 - _MOST))) & (values > 0))


def drained(evidence: Evidence, densities: Densities) -> dict[int, Indices]:
    """Return the modes that lost more than half of their share, each with its rows.

    Shapes: the rows, places among the chosen ones.
    """
    labels = modes(densities, evidence.total)
    shares, weights = evidence.shares[densities.chosen], evidence.weights[densities.chosen]
    before = np.bincount(labels, shares, minlength=len(labels)) / shares.sum()
    held = float(weights.sum())
    after = np.bincount(labels, weights, minlength=len(labels)) / (held if held > 0 else 1.0)
    number = np.bincount(labels, minlength=len(labels))
    lost = (number >= _FEWEST) & (before >= _SMALLEST_SHARE) & (2 * after < before)
    return {mode: np.flatnonzero(labels == mode) for mode in np.flatnonzero(lost).tolist()}


def mode_collapse(
    evidence: Evidence, densities: Densities, lost: dict[int, Indices], choices: Choices
) -> Sign | None:
    """Return the sign for the largest mode among those that lost more than half of their share."""
    if not lost:
        return None
    chosen = densities.chosen
    shares, weights = evidence.shares[chosen], evidence.weights[chosen]
    mode = max(lost, key=lambda one: float(shares[lost[one]].sum()))
    before = float(shares[lost[mode]].sum() / shares.sum())
    after = float(weights[lost[mode]].sum() / max(weights.sum(), np.finfo(np.float64).tiny))
    values = evidence.rows[chosen[mode]]
    shown = ", ".join(f"{value:.4g}" for value in values[:_SHOWN_COLUMNS])
    dots = ", ..." if len(values) > _SHOWN_COLUMNS else ""
    held = weight_held(after, 0, several=False)
    return Sign(
        "mode-collapse",
        f"a cluster around ({shown}{dots}), with {before:.0%} of the rows, {held}",
        f"look at {{rows}}, and if they are good, {more_even(evidence, choices)}",
        evidence.names(chosen[lost[mode]]),
    )
