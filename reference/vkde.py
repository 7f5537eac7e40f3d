"""The variable kernel density estimate of section 6.1.2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference._geometry import log_sum_exp
from rkde.reference._kernel import Kernel, checked_kernel
from rkde.reference._variable_estimate import VariableEstimate
from rkde.reference.context import guarded, rounded, to_mpf
from rkde.reference.inputs import Rows, points, uniform_weights
from rkde.reference.rkhs import log_density
from rkde.vocabulary import VkdeRule

VKDE_RULES: Final[tuple[VkdeRule, ...]] = ("abramson", "geometric")


@dataclass(frozen=True, slots=True)
class Vkde(VariableEstimate):
    """A variable kernel density estimate (section 6.1.2): equal weights, one bandwidth a row.

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        The pilot's kernel; the estimate uses it with each of `bandwidths`.
    rule : {"abramson", "geometric"}
    bandwidths : tuple of mpf, shape (n,)
        sigma_i, in the unit of the data.
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
    """Return the estimate of section 6.1.2 with bandwidths sigma_i = sigma (eta / f_KDE(X_i))^(1/2).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
        Its bandwidth sigma is the pilot's; the pilot is the KDE at the rows, each row itself included.
    rule : {"abramson", "geometric"}
        eta is the arithmetic mean of the pilot densities (the paper's), or their geometric mean.

    Returns
    -------
    Vkde

    Raises
    ------
    InvalidInput, InvalidType
        If X is no table of finite numbers, `kernel` no kernel, or the rule unknown.

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
            "unknown rule", where="rule", value=rule, remedy=f"use one of {', '.join(VKDE_RULES)}"
        )
    rows = points(ctx, X)
    log_pilot = log_density(ctx, rows, kernel, uniform_weights(ctx, len(rows)), rows)
    log_eta = (
        ctx.fsum(log_pilot) / len(rows)
        if rule == "geometric"
        else log_sum_exp(ctx, log_pilot) - ctx.log(ctx.mpf(len(rows)))
    )
    sigma = to_mpf(ctx, kernel.bandwidth)
    bandwidths = tuple(sigma * ctx.exp((log_eta - log_height) / 2) for log_height in log_pilot)
    return Vkde(rows, kernel, bandwidths, rule, log_eta)


@rounded.register(Vkde)
def _rounded_vkde(estimate: Vkde, ctx: MPContext) -> Vkde:
    return replace(
        estimate,
        bandwidths=tuple(ctx.mpf(bandwidth) for bandwidth in estimate.bandwidths),
        log_eta=ctx.mpf(estimate.log_eta),
    )
