"""Kernel estimates whose bandwidth varies from row to row: the VKDE of section 6.1.2.

    f_VKDE(x) = (1/n) sum_i k_{h_i}(x, X_i),    h_i = h (eta/f_KDE(X_i))^(1/2),

where eta is the mean of the f_KDE(X_i). The bandwidths h and h_i are the paper's sigma and sigma_i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.kernels import Kernel, checked_kernel, squared_distance
from rkde.reference.numbers import Matrix, Row, Rows, guarded, points, rounded, to_mpf, uniform_weights
from rkde.reference.numbers import queries as query_points
from rkde.reference.rkhs import log_density, log_sum_exp
from rkde.vocabulary import VkdeRule


@dataclass(frozen=True, slots=True)
class VariableEstimate:
    """The mean of kernels of different bandwidths.

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        With the bandwidth that the others are multiples of.
    bandwidths : tuple of mpf, shape (n,)
        h_i, in the unit of the data.
    """

    X: Matrix
    kernel: Kernel
    bandwidths: Row

    @guarded
    def log_density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return log of (1/n) sum_i k_{h_i}(x, X_i) at each query; shape (m, d) in, (m,) out."""
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


VKDE_RULES: Final[tuple[VkdeRule, ...]] = ("abramson", "geometric")


@dataclass(frozen=True, slots=True)
class Vkde(VariableEstimate):
    """A variable kernel density estimate (section 6.1.2): equal weights, one bandwidth for each row.

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        The pilot's kernel; the estimate uses it with each of `bandwidths`.
    rule : {"abramson", "geometric"}
    bandwidths : tuple of mpf, shape (n,)
        h_i, in the unit of the data.
    log_eta : mpf
        Natural logarithm of the mean pilot density eta, in the rule's sense of a mean.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context, vkde
    >>> ctx = make_context(20)
    >>> estimate = vkde(ctx, [[0], ["0.5"], [4]], Gaussian(1))
    >>> estimate.bandwidths[2] > estimate.bandwidths[0]
    True
    """

    rule: VkdeRule
    log_eta: mpf


@guarded
def vkde(ctx: MPContext, X: Rows, kernel: Kernel, *, rule: VkdeRule = "abramson") -> Vkde:
    """Return the estimate of section 6.1.2 with bandwidths h_i = h (eta / f_KDE(X_i))^(1/2).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
        Its bandwidth h is the pilot's; the pilot is the KDE at the rows, each row itself included.
    rule : {"abramson", "geometric"}
        eta is the arithmetic mean of the pilot densities (the paper's), or their geometric mean.

    Returns
    -------
    Vkde

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers, `kernel` is not a kernel, or the rule unknown.

    Notes
    -----
    n^2 evaluations of the kernel. Everything stays on the logarithm's scale.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> estimate = vkde(ctx, [[0], [1], [5]], Gaussian(1))
    >>> print(*(ctx.nstr(bandwidth, 6) for bandwidth in estimate.bandwidths))
    0.935036 0.934939 1.18495
    """
    checked_kernel(kernel)
    if rule not in VKDE_RULES:
        raise InvalidInput(
            "must be the name of a rule",
            where="rule",
            value=rule,
            remedy=f"use one of {', '.join(VKDE_RULES)}",
        )
    rows = points(ctx, X)
    log_pilot = log_density(ctx, rows, kernel, uniform_weights(ctx, len(rows)), rows)
    log_eta = (
        ctx.fsum(log_pilot) / len(rows)
        if rule == "geometric"
        else log_sum_exp(ctx, log_pilot) - ctx.log(ctx.mpf(len(rows)))
    )
    h = to_mpf(ctx, kernel.bandwidth)
    bandwidths = tuple(h * ctx.exp((log_eta - log_height) / 2) for log_height in log_pilot)
    return Vkde(rows, kernel, bandwidths, rule, log_eta)


@rounded.register(Vkde)
def _rounded_vkde(estimate: Vkde, ctx: MPContext) -> Vkde:
    return replace(
        estimate,
        bandwidths=tuple(ctx.mpf(bandwidth) for bandwidth in estimate.bandwidths),
        log_eta=ctx.mpf(estimate.log_eta),
    )


@dataclass(frozen=True, slots=True)
class NearestVkde(VariableEstimate):
    """Equal weights, bandwidths in proportion to distances to the k-th neighbour (section 6.1.2).

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        Its bandwidth is the median of `bandwidths`.
    neighbours : int
        k.
    bandwidths : tuple of mpf, shape (n,)
        h_i, in the unit of the data.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context, nearest_vkde
    >>> ctx = make_context(20)
    >>> estimate = nearest_vkde(ctx, [[0], [1], [5]], Gaussian(2), 1)
    >>> print(estimate.neighbours, ctx.nstr(estimate.log_density(ctx, [["0.5"]])[0], 12))
    1 -1.94435354032
    """

    neighbours: int


@guarded
def nearest_vkde(ctx: MPContext, X: Rows, kernel: Kernel, neighbours: int) -> NearestVkde:
    """Return the estimate with bandwidths h_i = h d_i / median(d), d_i the k-th nearest distance.

    Section 6.1.2 mentions such a variant and gives no formula. With this one k = 1 and the paper's bandwidth
    rule give each row the distance to its own nearest neighbour.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
        Its bandwidth h becomes the median of the bandwidths.
    neighbours : int
        k: d_i is the k-th smallest of the positive distances from row i to the others.

    Returns
    -------
    NearestVkde

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers, `kernel` is not a kernel, or some row has fewer than k others
        at a positive distance.

    Notes
    -----
    n^2 distances, each sorted with the others of its row.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> estimate = nearest_vkde(ctx, [[0], [1], [5]], Gaussian(2), 1)
    >>> print(*(ctx.nstr(bandwidth, 6) for bandwidth in estimate.bandwidths))
    2.0 2.0 8.0
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    distances = []
    for index, row in enumerate(rows):
        squares = sorted(square for other in rows if (square := squared_distance(ctx, row, other)) > 0)
        if not 0 < neighbours <= len(squares):
            raise InvalidInput(
                f"must be between 1 and {len(squares)}, the number of rows that differ from row {index}",
                where="neighbours",
                value=neighbours,
                remedy="pass a smaller number",
            )
        distances.append(ctx.sqrt(squares[neighbours - 1]))
    ordered = sorted(distances)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    h = to_mpf(ctx, kernel.bandwidth)
    bandwidths = tuple(h * distance / middle for distance in distances)
    return NearestVkde(rows, kernel, bandwidths, neighbours)


@rounded.register(NearestVkde)
def _rounded_nearest_vkde(estimate: NearestVkde, ctx: MPContext) -> NearestVkde:
    return replace(estimate, bandwidths=tuple(ctx.mpf(bandwidth) for bandwidth in estimate.bandwidths))
