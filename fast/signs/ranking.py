"""Where the robust ranking contradicts the plain one, and where too many rows, or too few, decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from rkde.fast.signs.evidence import Densities, Evidence, Indices
from rkde.signs import Sign

# The most isolated rows: one in twenty.
_ISOLATED: Final = 0.05
# They should rank behind the others; a share of these that ranks behind one of them shows that it fails.
_BEHIND: Final = 0.4
# More rows of weight 0 than outliers explain.
_MOST_ZEROS: Final = 0.2
_FEWEST_ROWS: Final = 10


def ranking(evidence: Evidence, densities: Densities, lost: Iterable[Indices]) -> Sign | None:
    """Return the sign for isolated rows that are denser, in the robust estimate, than many ordinary ones.

    The rows of modes that lost their weight are left out, since they are a sign of their own.
    """
    left = np.ones(len(densities.chosen), bool)
    for rows in lost:
        left[rows] = False
    chosen, plain = densities.chosen[left], densities.plain[left]
    robust, shares = densities.robust[left], evidence.shares[densities.chosen[left]]
    order = np.argsort(plain, kind="stable")
    number = max(1, int(np.searchsorted(np.cumsum(shares[order]), _ISOLATED * shares.sum())))
    isolated, others = order[:number], order[number:]
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
        "rank by the plain estimate, the loss Quadratic",
        evidence.names(chosen[worst]),
    )


def share_behind(values: np.ndarray, others: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return for each value the share of the others below it; ties count by half."""
    order = np.argsort(others)
    held = np.concatenate(([0.0], np.cumsum(shares[order]))) / shares.sum()
    ordered = others[order]
    low, high = (held[np.searchsorted(ordered, values, side=side)] for side in ("left", "right"))
    return np.asarray((low + high) / 2)


def zero_weight(evidence: Evidence, *, is_redescending: bool) -> Sign | None:
    """Return the sign for more than a fifth of the rows at weight 0."""
    without = np.flatnonzero(evidence.weights == 0)
    share = float(evidence.shares[without].sum())
    if share <= _MOST_ZEROS:
        return None
    remedy = "use the loss Huber, under which each has some weight, or the loss Quadratic if half are equal"
    return Sign(
        "zero-weight",
        f"{share:.0%} of the rows have weight 0",
        remedy if is_redescending else "use the loss Quadratic, under which all weigh the same",
        evidence.names(without),
    )


def few_rows(evidence: Evidence) -> Sign | None:
    """Return the sign for fewer than ten rows."""
    if round(evidence.total, 9) >= _FEWEST_ROWS:
        return None
    number = "1 row is" if evidence.total == 1 else f"{evidence.total:.3g} rows are"
    return Sign(
        "few-rows",
        f"{number} too few to tell an outlier from a good row",
        "use ten rows or more",
    )
