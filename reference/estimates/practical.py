"""The recipe `practical` (not in the paper): where KIRWLS starts, and thresholds that follow the density.

For weights that are equal on m rows and 0 elsewhere, the residual norms are

    r_i^2 = 1 + |f|^2 - 2/m - 2 g_i    (in tau^2),

where g_i is what the other rows contribute to the density at row i, over k(0, 0). A threshold on r is one on
g. The recipe makes one step of KIRWLS for Hampel's loss.
"""

from __future__ import annotations

from mpmath import MPContext, mpf

from rkde.reference.bandwidth import chi_squared_quantile, varying_columns
from rkde.reference.kernels import Kernel
from rkde.reference.numbers import Row, Rows, guarded, points, to_mpf
from rkde.reference.rkhs import gram
from rkde.vocabulary import MOST_COPIES, PRACTICAL_TAILS


def density_share(ctx: MPContext, dim: int, tail: mpf) -> mpf:
    """Return the density of a normal law outside of which a share `tail` lies, over that at the median row.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(density_share(ctx, 2, ctx.mpf("0.05")), 5))
    0.1
    """
    median = chi_squared_quantile(ctx, dim, ctx.mpf(1) / 2)
    return ctx.exp((median - chi_squared_quantile(ctx, dim, 1 - tail)) / 2)


@guarded
def practical_thresholds(ctx: MPContext, norms: Row, weights: Row, dim: int) -> Row:
    """Return a, b, c from the residual norms at weights that are equal on some rows and 0 elsewhere.

    a is the median of the norms of these rows. A row without any neighbour has the squared norm
    e^2 = 1 + |f|^2 - 2/m, and a threshold for the share t of the median density is
    (t a^2 + (1 - t) e^2)^(1/2).

    Shapes: norms (n,), residual norms in tau; weights (n,), 1/m on m rows, else 0. Result: in tau; degenerate
    ones are returned as they are.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> half, third = ctx.mpf("0.5"), ctx.mpf(1) / 3
    >>> print(ctx.nstr(practical_thresholds(ctx, [half] * 3, [third] * 3, 2)[0], 5))
    0.5
    """
    a = _median(sorted(norm for norm, weight in zip(norms, weights, strict=True) if weight))
    # |f|^2 = 1 - sum w_i r_i^2 in tau^2.
    mean = ctx.fsum(weight * norm * norm for norm, weight in zip(norms, weights, strict=True))
    alone = 2 - mean - 2 * max(weights)
    shares = [density_share(ctx, dim, ctx.mpf(tail)) for tail in PRACTICAL_TAILS]
    b, c = (ctx.sqrt(max(ctx.mpf(0), share * a * a + (1 - share) * alone)) for share in shares)
    return a, b, c


@guarded
def practical_start(ctx: MPContext, X: Rows, kernel: Kernel) -> Row:
    """Return weights that are equal on the rows with neighbours and 0 on those that stand alone.

    Rows within one bandwidth of a row, itself among them, count as its copies where they are at most a tenth
    of all. A row stands alone where the density that the other rows give it is below the share of c
    (`practical_thresholds`) of its median over the rows.

    Shapes: X (n, d); result (n,).

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> print(*(ctx.nstr(w, 5) for w in practical_start(ctx, [[0], [1], [2], [3], [50]], Gaussian(1))))
    0.25 0.25 0.25 0.25 0.0
    """
    rows = points(ctx, X)
    dim = varying_columns(rows)
    near = kernel.profile(ctx, to_mpf(ctx, kernel.bandwidth) ** 2, len(rows[0]))
    densities = []
    for i, values in enumerate(gram(ctx, rows, kernel)):
        others = [value for j, value in enumerate(values) if j != i]
        copies = sum(1 for value in values if value >= near)
        is_heaped = copies > ctx.mpf(MOST_COPIES) * len(rows)
        densities.append(ctx.fsum(value for value in others if is_heaped or value < near))
    least = density_share(ctx, dim, ctx.mpf(PRACTICAL_TAILS[-1])) * _median(sorted(densities))
    kept = sum(1 for density in densities if density >= least)
    return tuple(ctx.mpf(1) / kept if density >= least else ctx.mpf(0) for density in densities)


def _median(ordered: list[mpf]) -> mpf:
    """Return the median of an ascending list."""
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
