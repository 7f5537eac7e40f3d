"""The recipe `practical`: one step of KIRWLS for Hampel's loss, from the rows that have neighbours.

The paper's thresholds are quantiles of residual norms, so that a fixed share of the rows has weight 0 however
clean the table is. Here they follow the density instead: for weights that are equal on m rows,

    r_i^2 = 1 + |f|^2 - 2/m - 2 g_i    (in tau^2),

where g_i is what the other rows contribute to the density at row i, over k(0, 0). A threshold on r is one on
g, and `practical_thresholds` puts it where g is a given share of its median.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, SampleWeight, weighted_quantile
from rkde.fast.bandwidth import chi_squared_quantile
from rkde.fast.operators import KernelOperator
from rkde.vocabulary import MOST_COPIES, PRACTICAL_TAILS

_MOST_COPIES: Final = float(MOST_COPIES)
# Sums of n terms each, of which the density of the others is made: all, the near ones, their difference.
_SUMS: Final = 4
_TAILS: Final = tuple(float(tail) for tail in PRACTICAL_TAILS)


def density_share(dim: int, tail: float) -> float:
    """Return the density of a normal law outside of which a share `tail` lies, over that at the median row.

    Examples
    --------
    >>> round(density_share(2, 0.05), 3)
    0.1
    """
    beyond = chi_squared_quantile(dim, 1 - tail) - chi_squared_quantile(dim, 1 / 2)
    return math.exp(-beyond / 2)


def practical_thresholds(
    norms: Floats, weights: Floats, dim: int, sample_weight: SampleWeight | None = None
) -> tuple[float, float, float]:
    """Return a, b, c from the residual norms at weights that are equal on some rows and 0 elsewhere.

    a is the median of the norms of these rows. A row without any neighbour has the squared norm
    e^2 = 1 + |f|^2 - 2/m, and a threshold for the share t of the median density is
    (t a^2 + (1 - t) e^2)^(1/2).

    Shapes: norms (n,), residual norms in tau; weights (n,). Result: in tau; degenerate ones are returned as
    they are.

    Examples
    --------
    >>> practical_thresholds(np.array([0.5, 0.5, 0.5]), np.full(3, 1 / 3), 2)[0]
    0.5
    """
    kept = weights > 0
    if sample_weight is None:
        median, share = float(np.median(norms[kept])), float(weights.max())
    else:
        share = float((weights / sample_weight.counts).max())
        median = weighted_quantile(norms[kept], sample_weight.among(kept), 1 / 2, "linear")
    # |f|^2 = 1 - sum w_i r_i^2 in tau^2.
    alone = 2 - float((weights * norms * norms).sum()) - 2 * share
    b, c = (_threshold(median * median, alone, density_share(dim, tail)) for tail in _TAILS)
    # Where no row has a neighbour all three are equal but for rounding.
    return median, max(median, b), max(median, b, c)


def _threshold(middle: float, alone: float, share: float) -> float:
    return math.sqrt(max(0.0, share * middle + (1 - share) * alone))


def practical_start(
    operator: KernelOperator, sample_weight: SampleWeight | None = None, dim: int | None = None
) -> Floats:
    """Return weights that are equal on the rows with neighbours and 0 on those that stand alone.

    Rows within one bandwidth of a row, itself among them, count as its copies where they are at most a tenth
    of all. A row stands alone where the density that the other rows give it is below the share of c
    (`practical_thresholds`) of its median over the rows.

    Shapes: result (k,); dim is the number of columns that are not constant, by default of all columns.

    Notes
    -----
    One product with the kernel matrix, and one pass over its entries or its near pairs.
    """
    size = operator.size
    counts = np.ones(size) if sample_weight is None else sample_weight.counts
    total = float(size) if sample_weight is None else sample_weight.total
    # D = 2 (1 - kappa) at a distance of one bandwidth.
    near = 2 * float(operator.kernel.unit_complement(np.ones(1), operator.dim)[0])
    close, number = operator.close_sums(near, counts)
    whole = operator.gram_product(counts)
    # Without one copy of the row itself.
    others = np.where(number > _MOST_COPIES * total, whole - np.minimum(counts, 1.0), whole - close)
    if sample_weight is None:
        typical = float(np.median(others))
    else:
        typical = weighted_quantile(others, sample_weight, 1 / 2, "linear")
    # What rounding leaves of a difference says nothing: such a row is kept.
    slack = _SUMS * size * UNIT_ROUNDOFF * whole
    alone = others + slack < density_share(dim or operator.dim, _TAILS[-1]) * typical
    return np.where(alone, 0.0, counts / float(counts[~alone].sum()))
