"""Estimates with equal weights and one bandwidth a row (section 6.1.2), whatever the bandwidths come from."""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import MPContext

from rkde.reference._geometry import log_sum_exp
from rkde.reference._kernel import Kernel, squared_distance
from rkde.reference.context import guarded
from rkde.reference.inputs import Matrix, Row, Rows, points
from rkde.reference.inputs import queries as query_points


@dataclass(frozen=True, slots=True)
class VariableEstimate:
    """The mean of kernels of different bandwidths.

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        With the bandwidth that the others are multiples of.
    bandwidths : tuple of mpf, shape (n,)
        sigma_i, in the unit of the data.
    """

    X: Matrix
    kernel: Kernel
    bandwidths: Row

    @guarded
    def log_density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return log of (1/n) sum_i k_{sigma_i}(x, X_i) at each query; shape (m, d) in, (m,) out."""
        rows = points(ctx, self.X)
        dim = len(rows[0])
        kernels = [self.kernel.with_bandwidth(ctx, bandwidth) for bandwidth in self.bandwidths]
        log_heights = [kernel.log_normaliser(ctx, dim) - ctx.log(ctx.mpf(len(rows))) for kernel in kernels]
        return tuple(
            log_sum_exp(
                ctx,
                [
                    height + kernel.log_profile(ctx, squared_distance(ctx, query, row), dim)
                    for height, kernel, row in zip(log_heights, kernels, rows, strict=True)
                ],
            )
            for query in query_points(ctx, queries, dim)
        )

    @guarded
    def density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the estimate itself at each query."""
        return tuple(ctx.exp(value) for value in self.log_density(ctx, queries))
