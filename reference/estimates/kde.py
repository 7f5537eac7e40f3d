"""The kernel density estimate of section 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpmath import MPContext

from rkde.reference.kernels import Kernel, checked_kernel
from rkde.reference.numbers import Matrix, Number, Row, Rows, guarded, points, rounded, row_masses
from rkde.reference.rkhs import log_density


@dataclass(frozen=True, slots=True)
class Kde:
    """A kernel density estimate (section 2): equal weights, or those of the sample.

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
    weights : tuple of mpf, shape (n,)
        1/n each, or the sample weights over their sum.

    Examples
    --------
    >>> from rkde.reference import Gaussian, kde, make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(kde(ctx, [[0], [2]], Gaussian(1)).log_density(ctx, [[1]])[0], 12))
    -1.4189385332
    """

    X: Matrix
    kernel: Kernel
    weights: Row

    @guarded
    def log_density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the natural logarithm of the estimate at each query, as `log_density` does."""
        return log_density(ctx, self.X, self.kernel, self.weights, queries)

    @guarded
    def density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the estimate itself at each query."""
        return tuple(ctx.exp(value) for value in self.log_density(ctx, queries))


@guarded
def kde(ctx: MPContext, X: Rows, kernel: Kernel, *, sample_weight: Sequence[Number] | None = None) -> Kde:
    """Return the kernel density estimate (1/n) sum_i k(x, X_i) of section 2.

    With sample weights s_i it is sum_i s_i k(x, X_i) / sum_i s_i.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    Kde

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers, `kernel` is not a kernel, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> print(*kde(ctx, [[0], [1], [2]], Gaussian("1e-5")).log_density(ctx, [[0]]))
    9.4953746430974459869
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    masses = row_masses(ctx, sample_weight, len(rows))
    return Kde(rows, kernel, masses.spread(ctx, masses.shares))


@rounded.register(Kde)
def _rounded_kde(estimate: Kde, ctx: MPContext) -> Kde:
    return replace(estimate, weights=tuple(ctx.mpf(weight) for weight in estimate.weights))
