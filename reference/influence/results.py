"""What the influence function (section 5) returns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpmath import MPContext, mpf

from rkde.reference.numbers import Matrix, Row, rounded
from rkde.reference.solvers import rounded_row


@dataclass(frozen=True, slots=True)
class Influence:
    """The influence function of an estimate at m contaminating points (section 5), in units of tau^2.

    Attributes
    ----------
    if_coef : tuple of tuple of mpf, shape (m, n)
        alpha_i of Theorem 5, without unit; each row sums to -alpha'.
    if_coef_new : tuple of mpf, shape (m,)
        alpha', without unit.
    influence : tuple of tuple of mpf, shape (m, q)
        IF(x, x') at each query x, in tau^2; q = 0 without queries.
    if_at_new : tuple of mpf, shape (m,)
        alpha(x') = IF(x', x') of section 6.2.1, in tau^2.
    if_l2_norm : tuple of mpf, shape (m,)
        beta(x') of section 6.2.1 in units of the L2 norm of one kernel.
    one_sided : bool
        Whether a residual lies on a kink of the loss; the fields then hold the derivative for s going to 0
        from above.
    from_below : Influence or None
        The same for s going to 0 from below, where `one_sided`; its own `from_below` is None.
    condition : mpf
        Condition number of n times the Hessian of J, the largest of those that were solved with; 1 where
        nothing was solved.

    Examples
    --------
    >>> from rkde.reference import Gaussian, Quadratic, influence, make_context
    >>> ctx = make_context(20)
    >>> result = influence(ctx, [[0], [1]], Gaussian(1), Quadratic(), [0.5, 0.5], [[3]], [[3]])
    >>> print(*result.if_coef[0], result.if_coef_new[0])
    -0.5 -0.5 1.0
    """

    if_coef: Matrix
    if_coef_new: Row
    influence: Matrix
    if_at_new: Row
    if_l2_norm: Row
    one_sided: bool
    from_below: Influence | None
    condition: mpf


@rounded.register(Influence)
def _rounded_influence(result: Influence, ctx: MPContext) -> Influence:
    below = result.from_below
    return replace(
        result,
        if_coef=tuple(rounded_row(ctx, row) for row in result.if_coef),
        if_coef_new=rounded_row(ctx, result.if_coef_new),
        influence=tuple(rounded_row(ctx, row) for row in result.influence),
        if_at_new=rounded_row(ctx, result.if_at_new),
        if_l2_norm=rounded_row(ctx, result.if_l2_norm),
        from_below=None if below is None else _rounded_influence(below, ctx),
        condition=ctx.mpf(result.condition),
    )
