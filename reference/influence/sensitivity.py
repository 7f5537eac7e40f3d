"""The values of the influence function (Theorem 5), and alpha(x') and beta(x') of section 6.2.1."""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext, mpf

from rkde.reference.influence.results import Influence
from rkde.reference.influence.stationary_point import InfluenceInputs
from rkde.reference.influence.theorem5 import Coefficients
from rkde.reference.kernels import squared_distance
from rkde.reference.numbers import Row


def influence_at(
    ctx: MPContext, inputs: InfluenceInputs, x_new: Row, coefficients: Coefficients, x: Row
) -> mpf:
    """Return IF(x, x') = sum_i alpha_i k(x, X_i) + alpha' k(x, x'), in tau^2."""
    dim = len(x)
    values = [inputs.kernel.profile(ctx, squared_distance(ctx, x, y), dim) for y in (*inputs.rows, x_new)]
    return ctx.fdot((*coefficients.alpha, coefficients.alpha_new), values)


def alpha_at(ctx: MPContext, inputs: InfluenceInputs, x_new: Row, coefficients: Coefficients) -> mpf:
    """Return alpha(x') = IF(x', x') of section 6.2.1, in tau^2."""
    return influence_at(ctx, inputs, x_new, coefficients, x_new)


def beta_at(ctx: MPContext, inputs: InfluenceInputs, x_new: Row, coefficients: Coefficients) -> mpf:
    """Return beta(x') = (integral of IF(x, x')^2 over x)^(1/2) of section 6.2.1.

    Its unit is the L2 norm of one kernel.

    With z = (alpha, alpha') at the points Z = (X_1, ..., X_n, x') it is (z^T B z)^(1/2), where
    B_ij = (k*k)(Z_i - Z_j)/(k*k)(0). The entries of z sum to 0, so z^T B z = -z^T (1 1^T - B) z, which is
    exactly 0 where all Z_i coincide.
    """
    dim = len(x_new)
    z = [
        (y, entry)
        for y, entry in zip((*inputs.rows, x_new), (*coefficients.alpha, coefficients.alpha_new), strict=True)
        if entry
    ]
    terms = [
        2 * left * right * (inputs.kernel.self_convolution(ctx, squared_distance(ctx, x, y), dim) - 1)
        for i, (x, left) in enumerate(z)
        for y, right in z[:i]
    ]
    return ctx.sqrt(max(ctx.fsum(terms), ctx.mpf(0)))


def influence_of(
    ctx: MPContext,
    inputs: InfluenceInputs,
    coefficients: Sequence[Coefficients],
    from_below: Influence | None,
    *,
    one_sided: bool,
) -> Influence:
    """Return the influence function that coefficients stand for, one `Coefficients` for each x'."""
    pairs = list(zip(inputs.x_new, coefficients, strict=True))
    return Influence(
        if_coef=tuple(each.alpha for each in coefficients),
        if_coef_new=tuple(each.alpha_new for each in coefficients),
        influence=tuple(
            tuple(influence_at(ctx, inputs, x_new, each, x) for x in inputs.queries) for x_new, each in pairs
        ),
        if_at_new=tuple(alpha_at(ctx, inputs, x_new, each) for x_new, each in pairs),
        if_l2_norm=tuple(beta_at(ctx, inputs, x_new, each) for x_new, each in pairs),
        one_sided=one_sided,
        from_below=from_below,
        condition=max((each.condition for each in coefficients), default=ctx.mpf(1)),
    )
