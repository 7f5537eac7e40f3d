"""A few rows far from all others that keep weight because they lie near each other."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import NO_WEIGHTS, Choices, Densities, Evidence, Indices, kernel_values, some
from rkde.fast.signs.ranking import share_behind
from rkde.signs import Sign

# In one of 1200 clean tables a row has no neighbour within so many bandwidths, but for a few next to it.
_APART: Final = 20.0
# How many rows such a group has at most: three of a hundred, three at least, and sixteen at most.
_SHARE: Final = 0.03
_LEAST, _MOST = 3, 16
# Of larger tables so many rows stand for the others, and so many neighbours among these for all.
_ROWS: Final = 2**12
_NEIGHBOURS: Final = 4
# Rows that stand alone rank behind all others.
_BEHIND: Final = 0.01
_FEW_BEHIND: Final = 2
_BY_ITSELF: Final = "which have hardly any weight themselves"
# What makes more of a density than this is its cause.
_MAINLY: Final = 0.5
# More groups than these are not the exception: the bandwidth is.
_MOST_ROWS: Final = 0.05


def isolated_rows(evidence: Evidence, densities: Densities, choices: Choices) -> Sign | None:
    """Return the sign for rows far from all but a few that rank as more normal than some of the others."""
    size = len(evidence.weights)
    bound = min(max(_LEAST, math.ceil(_SHARE * size)), _MOST)
    alone = _far_rows(evidence, bound)
    if not 0 < len(alone) <= max(bound, _MOST_ROWS * size):
        return None
    points = np.union1d(evidence.some(_ROWS), alone)
    values = kernel_values(evidence.kernel, evidence.places[alone], evidence.places[points])
    others = np.setdiff1d(np.arange(len(densities.chosen)), np.flatnonzero(np.isin(densities.chosen, alone)))
    held = evidence.weights[points].sum()
    if not (len(others) and held > 0):
        return None
    shares = evidence.shares[densities.chosen[others]]
    behind = share_behind(values @ evidence.weights[points] / held, densities.robust[others], shares)
    is_worst = behind > max(_BEHIND, _FEW_BEHIND / size)
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
    look = "look at them, and remove them if they are wrong"
    if not several:
        look = "look at it, and remove it if it is wrong"
    if own > _MAINLY and evidence.is_weighted:
        large = "as their sample weights are large" if several else "as its sample weight is large"
        return large, f"{NO_WEIGHTS}, or {look}"
    if own > _MAINLY:
        return _BY_ITSELF, look
    if equal > _MAINLY:
        return "as some are equal", look
    return "since they lie near each other" if several else "since a few lie near it", look


def _far_rows(evidence: Evidence, bound: int) -> Indices:
    """Return the rows of positive weight with at most `bound` others of positive weight within reach."""
    held = np.flatnonzero(evidence.weights > 0)
    if len(held) <= 2 * bound:
        return held[:0]
    places = evidence.places[held]
    if len(held) > _ROWS:
        sample = cKDTree(places[some(places, _ROWS)])
        apart = np.asarray(sample.query(places, k=_NEIGHBOURS)[0])[:, -1]
        candidates = np.flatnonzero(apart >= _APART)
        if not 0 < len(candidates) <= _MOST_ROWS * len(held):
            return held[:0]
    else:
        candidates = np.arange(len(held))
    apart = np.asarray(cKDTree(places).query(places[candidates], k=bound + 1)[0])[:, -1]
    return held[candidates[apart >= _APART]]
