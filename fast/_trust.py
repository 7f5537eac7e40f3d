"""When a Newton step may replace KIRWLS steps without leaving the branch that KIRWLS follows.

Let n J have curvature at least mu at f, and let eps be so small that within eps of f no residual crosses a
kink and the curvature stays above mu / 2. On that ball J is convex with modulus mu / (2 n), so that if
|V(f)| < (mu / 2 n) eps / 8 it holds exactly one stationary point, at most eps / 8 away. KIRWLS contracts
towards it there, since its local map is I - n Hess / gamma with 0 < n Hess <= gamma, and gamma moves little.
So does Newton's method as long as it stays inside. The curvature of a row off the quadratic piece is a
constant times (I - projection on u) / |u| plus a constant, and that has the Lipschitz constant
(2 / sqrt 3) / |u|^2, which gives the third bound on eps below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._iteration import State, next_weights
from rkde.fast._newton import Curvature
from rkde.fast.inputs import Floats
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator

# |V| may use this share of what the curvature can resist over the ball.
_GRADIENT_SHARE: Final = 8
# The diameter of the set of residuals: without a kink and without active rows the curvature is constant.
_UNBOUNDED: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """A ball around f_w, its radius in tau, in which KIRWLS has one limit."""

    weights: Floats
    radius: float


def trusted_ball(
    operator: KernelOperator, loss: Loss, state: State, at: Curvature, margin: float
) -> Ball | None:
    """Return a ball around a state in which KIRWLS has exactly one limit; None where none is shown.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    state : State
        Weights and residual norms.
    at : Curvature
        The curvature at the state.
    margin : float
        A number mu such that gamma I - G exceeds mu I: n J has at least this curvature.

    Returns
    -------
    Ball or None

    Notes
    -----
    One product with D. Rounding is not enclosed here: the ball only decides which steps are taken.
    """
    active = state.norms[at.active]
    to_kink = [float(np.abs(state.norms - kink).min()) / 2 for kink in loss.kinks]
    to_origin = [float(active.min()) / 2] if len(active) else []
    bend = float((-at.q / (active * active)).sum())
    to_bend = [margin * math.sqrt(3) / (_GRADIENT_SHARE * bend)] if bend > 0 else []
    radius = min([_UNBOUNDED, *to_kink, *to_origin, *to_bend])
    step = distance_between(operator, next_weights(loss, state.norms), state.weights)
    if 2 * _GRADIENT_SHARE * at.phi_sum * step >= radius * margin:
        return None
    return Ball(state.weights, radius)


def distance_between(operator: KernelOperator, weights: Floats, others: Floats) -> float:
    """Return |f_w - f_v| in tau: the coefficients w - v have sum 0, so its square is -(w - v)'D (w - v) / 2.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    weights, others : ndarray, shape (n,)
        Of sum 1 each.

    Returns
    -------
    float

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.operators import DenseOperator
    >>> operator = DenseOperator([[0.0], [1.0]], Student(1.0, 1.0))
    >>> distance_between(operator, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    change = weights - others
    return math.sqrt(max(float((change * operator.product(change)).sum()) / -2, 0.0))
