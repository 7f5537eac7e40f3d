"""Where the robust ranking contradicts the plain one, and where too many rows, or too few, decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats, distinct_rows
from rkde.fast.signs.columns import has_narrow_column
from rkde.fast.signs.evidence import NO_WEIGHTS, Choices, Densities, Evidence, Indices
from rkde.signs import Sign

# The most isolated rows: one in twenty.
_ISOLATED: Final = 0.05
# They should rank behind the others; a share of these that ranks behind one of them shows that it fails.
_BEHIND: Final = 0.4
# More rows of weight 0 than outliers explain.
_MOST_ZEROS: Final = 0.2
_FEWEST_ROWS: Final = 10


def all_alone(evidence: Evidence, densities: Densities, choices: Choices) -> Sign | None:
    """Return the sign for a bandwidth within which most rows have no other, so that their densities tie."""
    if len(evidence.rows) > 1 and (evidence.rows == evidence.rows[0]).all():
        seen = "all rows are equal, so that none can stand out at any bandwidth"
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
        f"the bandwidth is so small that {max(alone, 2 * tied):.0%} of the rows have no other within reach, "
        "except equal ones, and the estimate cannot rank them",
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


def zero_weight(evidence: Evidence, choices: Choices) -> Sign | None:
    """Return the sign for more than a fifth of the rows at weight 0."""
    without = np.flatnonzero(evidence.weights == 0)
    share = float(evidence.shares[without].sum())
    if share <= _MOST_ZEROS:
        return None
    return Sign(
        "zero-weight",
        f"{share:.0%} of the rows have weight 0",
        f"look at {{rows}}, and if they are good {more_even(evidence, choices)}",
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
        return "use the loss Huber, under which each has some weight"
    return "use the loss Quadratic, under which all weigh the same"


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
