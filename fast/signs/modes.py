"""Modes of the plain estimate, and how much of each the weights have left."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Choices, Densities, Evidence, Indices, weight_held
from rkde.fast.signs.ranking import more_even
from rkde.signs import Sign

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
        f"a cluster about ({shown}{dots}), with {before:.0%} of the rows, {held}",
        f"look at {{rows}}, and if they are good {more_even(evidence, choices)}",
        evidence.names(chosen[lost[mode]]),
    )
