"""When a Newton step may replace KIRWLS steps without leaving the branch that KIRWLS follows.

Let mu bound the eigenvalues of n times the Hessian of J at f from below, and let eps be so small that within
eps of f no residual crosses a kink, none of the rows A halves its residual, and n times the Hessian keeps
mu/2. (A row of A contributes (|q|/r)(I - u u') and a multiple of I, u being its residual's direction, and (I
- u u')/r has the Lipschitz constant (2/sqrt 3)/r^2: with b = sum of |q|/r^2 over A, eps <= mu sqrt(3)/(8 b)
is enough.) There J is convex with modulus mu/(2n), so if |V(f)| < mu/(2n) eps/8, it has one stationary point
f*, at most eps/8 away.

Take g within eps/4 of f, so within 3 eps/8 of f*. Then T(g) - f* = (I - (n/gamma(g)) H)(g - f*) with H a mean
of Hessians between f* and g, and 0 < n H < 2 gamma(g): n times a Hessian is at most gamma there, and gamma,
whose Lipschitz constant is at most 4 b, is between 0.56 and 1.44 times its value at f on the way and grows by
less than a factor 1.6 from g to f*. So KIRWLS contracts towards f* from every such g, and Newton's method may
take its place as long as it stays within eps/4 of f.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.reference._iteration import State, next_weights
from rkde.reference._loss import Loss
from rkde.reference._newton import Curvature, curvature, newton_weights, smallest_eigenvalue_bound
from rkde.reference.context import to_mpf
from rkde.reference.inputs import Matrix, Row


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball around f_w from every point of which KIRWLS has the same limit."""

    weights: Row
    radius: mpf


def trusted_ball(ctx: MPContext, distances: Matrix, loss: Loss, state: State, at: Curvature) -> Ball | None:
    """Return a ball around a state from which KIRWLS has one limit; None where none is proved.

    Parameters
    ----------
    ctx : mpmath.MPContext
    distances : tuple of tuple of mpf, shape (n, n)
    loss : Loss
    state : State
    at : Curvature
        The curvature at the state.

    Returns
    -------
    Ball or None
    """
    least = smallest_eigenvalue_bound(ctx, at)
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    to_kink = [abs(norm - kink) / 2 for norm in state.norms for kink in kinks]
    to_origin = [state.norms[i] / 2 for i in at.active]
    bends = ctx.fsum(-q / state.norms[i] ** 2 for i, q in zip(at.active, at.q, strict=True))
    # (2/sqrt 3) eps |q| / (r (r - eps)) <= (4/sqrt 3) eps |q| / r^2 where eps <= r/2; their sum stays below
    # mu/2.
    to_bend = [least * ctx.sqrt(3) / (8 * bends)] if bends else []
    radius = min([*to_kink, *to_origin, *to_bend], default=ctx.mpf(2))
    if 8 * gradient_norm(ctx, distances, loss, state) >= radius * least / (2 * len(distances)):
        return None
    return Ball(state.weights, radius / 4)


def gradient_norm(ctx: MPContext, distances: Matrix, loss: Loss, state: State) -> mpf:
    """Return |V(f_w)| = (gamma/n) |T(w) - w|, the difference taken in the Hilbert space, in tau."""
    phi_sum = ctx.fsum(loss.phi(ctx, norm) for norm in state.norms)
    after = next_weights(ctx, loss, state.norms)
    return phi_sum / len(distances) * distance_between(ctx, distances, after, state.weights)


def distance_between(ctx: MPContext, distances: Matrix, weights: Row, others: Row) -> mpf:
    """Return |f_w - f_v| in tau: the coefficients w - v have sum 0, so the square is -(w - v)'D (w - v)/2."""
    change = [weight - other for weight, other in zip(weights, others, strict=True)]
    square = -ctx.fdot(change, [ctx.fdot(row, change) for row in distances]) / 2
    return ctx.sqrt(max(square, ctx.mpf(0)))


def newton_proposal(
    ctx: MPContext, distances: Matrix, loss: Loss, state: State, ball: Ball | None, *, unique: bool
) -> tuple[Row, Ball | None] | None:
    """Return Newton's next weights and the ball that vouches for them; None where KIRWLS has to go on.

    Parameters
    ----------
    ctx : mpmath.MPContext
    distances : tuple of tuple of mpf, shape (n, n)
    loss : Loss
    state : State
    ball : Ball or None
        The ball that vouched for the previous Newton step, if the last step was one.
    unique : bool
        Whether J has a single stationary point, so that no ball is needed. Weights may then be negative: the
        caller shortens the step.
    """
    at = curvature(ctx, distances, loss, state.norms)
    if at is None:
        return None
    if not unique:
        ball = ball or trusted_ball(ctx, distances, loss, state, at)
        if ball is None:
            return None
    weights = newton_weights(ctx, distances, loss, state.weights, state.norms, at)
    if min(weights) < 0 and not unique:
        return None
    if ball is not None and distance_between(ctx, distances, weights, ball.weights) > ball.radius:
        return None
    return weights, ball
