"""Equal or nearly equal rows that weigh more than their neighbourhood explains."""

from __future__ import annotations

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
# Fewer equal rows than this are an accident.
_FEWEST: Final = 3
# The rows at other places, but for one in ten, have no more copies than this quantile.
_USUAL: Final = 0.9
# How many times as many rows as are explained, and how seldom in a clean table, are a sign.
_TIMES: Final = 3.0
_CHANCE: Final = 1e-3
# Locations looked at, those with most rows first.
_CANDIDATES: Final = 16
_SHOWN_COLUMNS: Final = 4
# Fewer digits than a float64 has: the last ones are rounding.
_SHOWN_DIGITS: Final = 10
_NOISE: Final = 1e-12


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
    """Group rows that fall into one cell of a grid, or are equal where the grid would be too fine."""
    inverse = equal
    if side > 0:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            cells = np.floor(places / side + _OFFSET)
        if np.isfinite(cells).all():
            inverse = distinct_rows(cells).inverse
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
        f"{what}, at ({shown}{dots}): {{rows}}; {whose} {held}, which the rows around do not explain",
        remedy,
        evidence.names(rows),
    )


def shown_value(value: float, column: Floats) -> str:
    """Spell a value of a column, without what scaling the column and undoing that leaves of rounding."""
    with np.errstate(over="ignore"):
        is_noise = abs(value) < _NOISE * float(np.abs(column).max())
    return "0" if is_noise else f"{value:.{_SHOWN_DIGITS}g}"
