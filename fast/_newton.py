"""Newton's method for fixed points of KIRWLS, with the matrix of Theorem 5, on the rows that it involves.

A fixed point solves gamma(w) w = phi(r(w)), gamma the sum of phi. The Jacobian of gamma w - phi is
gamma I + P'Q P K with P = I - 1 w' and Q = diag(q(r_i) / r_i^3), the matrix of Theorem 5. Since q <= 0, with
s_i the root of |Q_ii| and A the rows where q_i is not 0, its inverse is

    (1 / gamma) [I + B'(gamma I - G)^-1 B K],   B = diag(s) P on the rows of A,   G = B K B',

where G_ij = s_i s_j <Phi_i - f, Phi_j - f>. gamma I - G is symmetric, of size |A|, and positive definite
exactly where n times the Hessian of J is; so one Cholesky factorization solves, and tells a minimum from a
saddle. K is neither factored nor inverted, and duplicates do no harm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve, cholesky

from rkde.fast._iteration import State
from rkde.fast.inputs import Floats
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator

# Products of two scales stay within range up to this; beyond, a residual is next to 0.
_LARGEST_SCALE: Final = 2.0**500


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """What Theorem 5's matrix holds at a state.

    Attributes
    ----------
    phi_sum : float
        gamma.
    active : ndarray of int, shape (m,)
        A, the rows with q_i != 0.
    q : ndarray, shape (m,)
        q(r_i) on A.
    scales : ndarray, shape (m,)
        (|q_i| / r_i^3)^(1/2) on A.
    gram : ndarray, shape (m, m)
        G.
    """

    phi_sum: float
    active: NDArray[np.intp]
    q: Floats
    scales: Floats
    gram: Floats

    def factor(self, margin: float = 0.0) -> Floats | None:
        """Return the Cholesky factor of (gamma - margin) I - G, None where that is not positive definite."""
        matrix = -self.gram
        matrix[np.diag_indices_from(matrix)] += self.phi_sum - margin
        try:
            lower: Floats = cholesky(matrix, lower=True, overwrite_a=True, check_finite=False)
        except LinAlgError:
            return None
        return lower


def active_rows(loss: Loss, norms: Floats) -> NDArray[np.intp]:
    """Return the rows that Newton's matrix involves: those beyond the quadratic piece of the loss, below c.

    Parameters
    ----------
    loss : Loss
        The loss.
    norms : ndarray, shape (n,)
        Residual norms in tau.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> from rkde.fast.losses import Hampel
    >>> active_rows(Hampel(1.0, 2.0, 4.0), np.array([0.5, 1.5, 3.0, 5.0]))
    array([1, 2])
    """
    return np.flatnonzero(loss.q(norms))


def curvature(operator: KernelOperator, loss: Loss, state: State) -> Curvature | None:
    """Return what Theorem 5's matrix holds; None where a residual of 0 leaves it undefined.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    state : State
        Weights and residual norms.

    Returns
    -------
    Curvature or None

    Notes
    -----
    |A|^2 operations. The inner products are (r_i^2 + r_j^2 - D_ij) / 2, so no ones are subtracted.
    """
    active = active_rows(loss, state.norms)
    norms = state.norms[active]
    phi_sum = float(loss.phi(state.norms).sum())
    with np.errstate(divide="ignore", over="ignore"):
        q = loss.q(norms)
        scales = np.sqrt(-q / norms) / norms
    if not (math.isfinite(phi_sum) and scales.max(initial=0.0) <= _LARGEST_SCALE):
        return None
    squares = norms * norms
    gram = operator.block(active, active)
    np.subtract(squares[:, np.newaxis] + squares, gram, out=gram)
    gram *= scales[:, np.newaxis] * (scales / 2)
    return Curvature(phi_sum, active, q, scales, gram)


def newton_weights(
    operator: KernelOperator, loss: Loss, state: State, at: Curvature, factor: Floats
) -> Floats:
    """Return w + delta, where Theorem 5's matrix times delta is phi(r) - gamma w.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    state : State
        Weights and residual norms.
    at : Curvature
        The curvature there.
    factor : ndarray, shape (m, m)
        The Cholesky factor of gamma I - G.

    Returns
    -------
    ndarray, shape (n,)
        Of sum 1 up to rounding; entries may be negative.

    Notes
    -----
    The right-hand side g has sum 0, so K g = -D g / 2: one product with D, and |A|^2 operations.
    """
    weights = state.weights
    rest = loss.phi(state.norms) - at.phi_sum * weights
    half_product = operator.product(rest) / -2
    projected = at.scales * (half_product[at.active] - (weights * half_product).sum())
    solution: Floats = cho_solve((factor, True), projected, check_finite=False)
    push = at.scales * solution
    step: Floats = rest - weights * push.sum()
    step[at.active] += push
    step /= at.phi_sum
    step += weights
    return step
