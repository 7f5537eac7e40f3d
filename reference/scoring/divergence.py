"""The Kullback-Leibler divergence of section 6.2.2, estimated from draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.numbers import PLUS_INFINITY, Number, extended_numbers, guarded, number_list, rounded


@dataclass(frozen=True, slots=True)
class KlDivergence:
    """An estimate of D_KL(f || g) = integral of f log(f / g) from draws of f (section 6.2.2).

    Attributes
    ----------
    kl_divergence : mpf
        Mean of log f - log g over the draws; infinite where g is 0 at one of them.
    standard_error : mpf
        Root of the sample variance over n_draws; infinite for a single draw or an infinite divergence.
    finite_mean : mpf or None
        Mean over the draws where g is not 0; None if there is none.
    n_draws : int
        n'.
    n_infinite : int
        Number of draws where g is 0.

    Examples
    --------
    >>> KlDivergence(0.25, standard_error=0.01, finite_mean=0.25, n_draws=1000, n_infinite=0).n_draws
    1000
    """

    kl_divergence: mpf
    standard_error: mpf
    finite_mean: mpf | None
    n_draws: int
    n_infinite: int


@guarded
def kl_divergence(
    ctx: MPContext, log_density_1: Sequence[Number], log_density_2: Sequence[Number]
) -> KlDivergence:
    """Estimate D_KL(f_1 || f_2) by (1/n') sum_i log(f_1(x_i)/f_2(x_i)), the x_i being draws from f_1.

    Parameters
    ----------
    ctx : mpmath.MPContext
    log_density_1 : sequence of numbers, shape (n',)
        Natural logarithm of f_1 at draws from f_1, finite.
    log_density_2 : sequence of numbers, shape (n',)
        Natural logarithm of f_2 at the same draws; -inf where f_2 is 0.

    Returns
    -------
    KlDivergence

    Raises
    ------
    InvalidType
        If an argument is not a sequence of numbers.
    InvalidInput
        If there are no draws, the lengths differ, a logarithm is NaN or inf, or one of f_1 is -inf: a density
        does not vanish where a draw from it fell.

    Notes
    -----
    The sum that the paper prints lacks the factor 1/n'. In logarithms a density that underflows is not zero:
    infinite ratios arise only where f_2 has no support.

    References
    ----------
    Section 6.2.2.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> print(kl_divergence(make_context(20), [0, -1], [-1, -3]).kl_divergence)
    1.5
    """
    first = number_list(ctx, log_density_1, "log_density_1")
    second = extended_numbers(log_density_2, "log_density_2")
    if len(first) != len(second):
        raise InvalidInput(
            f"must have as many entries as there are draws ({len(first)})",
            where="log_density_2",
            value=len(second),
            remedy="pass one log density for each draw",
        )
    if not first:
        raise InvalidInput(
            "must have at least one entry, got none", where="log_density_1", remedy="draw at least one point"
        )
    if PLUS_INFINITY in second:
        raise InvalidInput(
            "must be below inf, got an infinite density",
            where="log_density_2",
            remedy="pass log densities below inf",
        )
    ratios = [
        value - ctx.mpf(other.numerator) / other.denominator
        for value, (sign, other) in zip(first, second, strict=True)
        if not sign
    ]
    n_infinite = len(first) - len(ratios)
    finite_mean = ctx.fsum(ratios) / len(ratios) if ratios else None
    return KlDivergence(
        kl_divergence=ctx.inf if n_infinite or finite_mean is None else finite_mean,
        standard_error=ctx.inf if n_infinite else _standard_error(ctx, ratios),
        finite_mean=finite_mean,
        n_draws=len(first),
        n_infinite=n_infinite,
    )


def _standard_error(ctx: MPContext, ratios: Sequence[mpf]) -> mpf:
    count = len(ratios)
    if count == 1:
        return ctx.inf
    mean = ctx.fsum(ratios) / count
    return ctx.sqrt(ctx.fsum((ratio - mean for ratio in ratios), squared=True) / (count - 1) / count)


@rounded.register(KlDivergence)
def _rounded_estimate(estimate: KlDivergence, ctx: MPContext) -> KlDivergence:
    return replace(
        estimate,
        kl_divergence=ctx.mpf(estimate.kl_divergence),
        standard_error=ctx.mpf(estimate.standard_error),
        finite_mean=None if estimate.finite_mean is None else ctx.mpf(estimate.finite_mean),
    )
