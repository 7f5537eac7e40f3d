"""The influence function (section 5), equations (9) to (12), and Theorem 4; Theorem 5 is in `theorem5.py`.

For an estimator T of a scalar, and for a function estimate T(x; F) (the definition of section 5), it is

    IF(x'; T, F) = lim_{s -> 0} (T((1 - s) F + s delta_x') - T(F))/s,
    IF(x, x'; T, F) = lim_{s -> 0} (T(x; F_s) - T(x; F))/s,    F_s = (1 - s) F + s delta_x'.

For the mean T(F) = E_F[X], equation (9), it is x' - E_F[X]. For the KDE it is, at F and at F_n,

    IF(x, x'; f_KDE, F) = -E_F[k(x, X)] + k(x, x'),                                          (10)
    IF(x, x'; f_KDE, F_n) = -(1/n) sum_i k(x, X_i) + k(x, x').                               (11)

For a distribution mu, f_mu is the g in H at which the integral of rho(|Phi(x) - g|) dmu(x) is least; one
always exists (holds: `existence.any_distribution`). The RKDE at x is <Phi(x), f_F>. Let
q(x) = x psi'(x) - psi(x).

Theorem 4 (repaired: `theorems.theorem_4`).
    Under (A1) to (A5), if f_{F_s} -> f_F as s -> 0 and f' = lim_{s -> 0} (f_{F_s} - f_F)/s exists, then
    IF(x, x'; f_RKDE, F) = <Phi(x), f'>, where f' satisfies, with u = Phi(x) - f_F and u' = Phi(x') - f_F,

        (int phi(|u|) dF) f' + int (<f', u>/|u|^3) q(|u|) u dF(x) = phi(|u'|) u'.            (12)

    The derivative psi' has to exist at the residual |u| of F-almost every x, and s falls to 0 from above.
    Nothing computes f' for a general F: at F_n equation (12) is equation (29), and Theorem 5, which
    `theorem5.py` states, gives its solution.

For any density estimator, section 5 says, int IF(x, x'; f, F) dx = 0. That holds for the RKDE (holds:
`properties.integral`), not for every estimator (fails: `influence_kde.integral_of_any_estimator`).
"""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext

from rkde.errors import InvalidInput
from rkde.reference.influence.contaminated import contaminated_limit
from rkde.reference.influence.results import Influence
from rkde.reference.influence.sensitivity import influence_of
from rkde.reference.influence.stationary_point import (
    InfluenceInputs,
    check_differentiable,
    derivatives,
    linearisation_point,
)
from rkde.reference.kernels import Kernel, checked_kernel
from rkde.reference.losses import Loss, checked_loss
from rkde.reference.numbers import Number, Rows, guarded, normalised_weights, points, to_mpf
from rkde.reference.numbers import queries as query_points
from rkde.reference.rkhs import distance_matrix
from rkde.reference.solvers import FixedPoint


@guarded
def influence(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    x_new: Rows,
    queries: Rows | None = None,
) -> Influence:
    """Return the influence function of the estimate at contaminating points: Theorem 5.

    IF(x, x') is the derivative at s = 0 of the estimate at x from (1 - s) F_n + s delta_x', thresholds and
    bandwidth held fixed. For the quadratic loss it is that of the KDE: equation (10) at F, and at F_n
    equation (11), IF(x, x') = -(1/n) sum_i k(x, X_i) + k(x, x').

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Of a fixed point of KIRWLS: finite, >= 0, of sum 1. They are divided by their sum and not polished.
    x_new : sequence of rows, shape (m, d)
        Contaminating points x'; rows of X are allowed.
    queries : sequence of rows, shape (q, d), optional
        Where IF(x, x') is wanted.

    Returns
    -------
    Influence

    Raises
    ------
    InvalidInput, InvalidType
        If an argument breaks a rule, or a step moves a weight by more than 1e-6 of the largest.
    AllWeightsZero
        If phi vanishes at every residual.
    NotDifferentiable
        For the absolute loss where a residual or r' is 0; where more than 8 locations lie on kinks.
    SingularSystem
        If the system's condition number reaches 1e12; if residuals lie on kinks and not exactly one choice
        of sides agrees with the direction in which they move.

    Notes
    -----
    Where phi(r') = 0 the estimate does not change with s at all: the influence is exactly 0, and nothing is
    solved. n (n - 1)/2 + m (n + q) evaluations of the kernel, one factorization of size n for each choice of
    sides, n^2 multiplications for each x'; the L2 norm takes another n^2/2 evaluations for each x'.

    References
    ----------
    Theorem 5; equations (10) and (11); section 6.2.1 for alpha(x') and beta(x').

    Examples
    --------
    >>> from rkde.reference import Gaussian, Quadratic, make_context
    >>> ctx = make_context(20)
    >>> result = influence(ctx, [[0], [1]], Gaussian(1), Quadratic(), [0.5, 0.5], [[3]])
    >>> print(*result.if_coef[0], result.if_coef_new[0], ctx.nstr(result.if_at_new[0], 10))
    -0.5 -0.5 1.0 0.9267778601
    """
    checked_kernel(kernel)
    checked_loss(loss)
    rows = points(ctx, X)
    dim = len(rows[0])
    new_rows = query_points(ctx, x_new, dim, "x_new")
    query_rows = query_points(ctx, () if queries is None else queries, dim)
    inputs = InfluenceInputs(kernel, rows, new_rows, query_rows)
    point = linearisation_point(
        ctx, loss, distance_matrix(ctx, rows, kernel), normalised_weights(ctx, weights, len(rows))
    )
    new = inputs.contaminating_points(ctx, loss, point)
    check_differentiable(ctx, point, new)
    one_sided, above, below = derivatives(ctx, loss, point, new)
    from_below = influence_of(ctx, inputs, below, None, one_sided=True) if one_sided else None
    return influence_of(ctx, inputs, above, from_below, one_sided=one_sided)


@guarded
def contaminate(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    s: Number,
    x_new: Sequence[Number],
) -> FixedPoint:
    """Return the estimate from (1 - s) F_n + s delta_x' itself, whose derivative at s = 0 is the influence.

    The limit of KIRWLS over the n + 1 rows (X, x') with masses ((1 - s)/n, ..., s), started from
    ((1 - s) weights, s), thresholds and bandwidth held fixed (section 5).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.
    s : int, float, str or mpf
        The share of x', -1 < s < 1. A small negative share takes mass away: for derivatives from below.
    x_new : sequence of numbers, shape (d,)
        The point x'.

    Returns
    -------
    FixedPoint
        Over the n + 1 rows, to the working precision, with what `fixed_point` proves for rows with masses.
        For s < 0 nothing but its residual is proved: the certificate is `stationary`, with infinite bounds.

    Raises
    ------
    NotConverged
        If the limit is not reached.
    AllWeightsZero
        If phi vanishes at every residual before a step.
    InvalidInput, InvalidType
        If an argument breaks a rule.

    Notes
    -----
    n (n + 1)/2 evaluations of the kernel, and steps as those of `fixed_point`. A Newton step is taken where
    no residual passes a kink on the way and the step at least halves the residual of the fixed point.

    References
    ----------
    The definition of f_mu in section 5; equation (24) for its objective.

    Examples
    --------
    >>> from rkde.reference import Gaussian, Quadratic, make_context
    >>> ctx = make_context(20)
    >>> print(*contaminate(ctx, [[0], [1]], Gaussian(1), Quadratic(), [0.5, 0.5], "0.5", [3]).weights)
    0.25 0.25 0.5
    """
    checked_kernel(kernel)
    checked_loss(loss)
    rows = points(ctx, X)
    (contaminating,) = query_points(ctx, [x_new], len(rows[0]), "x_new")
    shares = normalised_weights(ctx, weights, len(rows))
    share = to_mpf(ctx, s, "s")
    if not -1 < share < 1:
        raise InvalidInput("must be between -1 and 1", where="s", value=s, remedy="pass a share of the mass")
    distances = distance_matrix(ctx, (*rows, contaminating), kernel)
    return contaminated_limit(ctx, distances, loss, shares, share)
