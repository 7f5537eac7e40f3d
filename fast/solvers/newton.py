"""Newton's method on the pieces of the loss: the proposal, when it is worth trying, and the trust region."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_solve, cholesky

from rkde.fast._float64 import UNIT_ROUNDOFF, Floats
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers.results import Iterate

# Products of two scales stay within range up to this; beyond, a residual is next to 0.
_LARGEST_SCALE: Final = 2.0**500
# Newton's method is tried only where the rows have kept to their pieces of the loss for this many steps.
_SETTLED: Final = 2
# Most KIRWLS steps between two trials, so that trials which fail cost less than the steps they may save.
_LONGEST_PAUSE: Final = 16
# A factorization of order m costs about m^3 / (18 n^2) products: m^3 / 3 operations at the speed of the
# processor against 2 n^2 at the speed of memory, about 3 times less.
_FACTOR_COST: Final = 1 / 18
# Products that a trial takes beside the factorization.
_TRIAL_PRODUCTS: Final = 4
# Above this many rows the matrix of Newton's method would take as much memory as D for little gain.
_MAX_ACTIVE: Final = 4000
# |V| may use this share of what the curvature can resist over the ball.
_GRADIENT_SHARE: Final = 8
# The diameter of the set of residuals: without a kink and without active rows the curvature is constant.
_UNBOUNDED: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """What Theorem 5's matrix holds at a state.

    Attributes
    ----------
    phi_sum : float
        gamma, the sum of m_i phi(r_i).
    active : ndarray of int, shape (m,)
        A, the rows with q_i != 0.
    q : ndarray, shape (m,)
        m_i q(r_i) on A, m_i the masses of the rows over their mean.
    scales : ndarray, shape (m,)
        (m_i |q_i| / r_i^3)^(1/2) on A.
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

    Shapes: norms (n,), residual norms in tau.

    Examples
    --------
    >>> from rkde.fast.losses import Hampel
    >>> active_rows(Hampel(1.0, 2.0, 4.0), np.array([0.5, 1.5, 3.0, 5.0]))
    array([1, 2])
    """
    return np.flatnonzero(loss.q(norms))


def curvature(operator: KernelOperator, loss: Loss, state: Iterate) -> Curvature | None:
    """Return what Theorem 5's matrix holds; None where a residual of 0 leaves it undefined, or a mass <= 0.

    Notes
    -----
    |A|^2 operations. The inner products are (r_i^2 + r_j^2 - D_ij) / 2, so no ones are subtracted.
    """
    if operator.masses is not None and float(operator.masses.min()) <= 0:
        return None
    active = active_rows(loss, state.norms)
    norms = state.norms[active]
    phi_sum = float(operator.weigh(loss.phi(state.norms)).sum())
    with np.errstate(divide="ignore", over="ignore"):
        q = loss.q(norms) if operator.masses is None else operator.masses[active] * loss.q(norms)
        scales = np.sqrt(-q / norms) / norms
    if not (math.isfinite(phi_sum) and scales.max(initial=0.0) <= _LARGEST_SCALE):
        return None
    squares = norms * norms
    gram = operator.block(active, active)
    np.subtract(squares[:, np.newaxis] + squares, gram, out=gram)
    gram *= scales[:, np.newaxis] * (scales / 2)
    return Curvature(phi_sum, active, q, scales, gram)


def newton_weights(
    operator: KernelOperator, loss: Loss, state: Iterate, at: Curvature, factor: Floats
) -> Floats:
    """Return w + delta, where Theorem 5's matrix times delta is phi(r) - gamma w.

    Shapes: factor (m, m), the Cholesky factor of gamma I - G; result (n,). Result: of sum 1 up to rounding;
    entries may be negative.

    Notes
    -----
    The right-hand side g has sum 0, so K g = -D g / 2: one product with D, and |A|^2 operations.
    """
    weights = state.weights
    rest = operator.weigh(loss.phi(state.norms)) - at.phi_sum * weights
    half_product = operator.product(rest) / -2
    projected = at.scales * (half_product[at.active] - (weights * half_product).sum())
    solution: Floats = cho_solve((factor, True), projected, check_finite=False)
    push = at.scales * solution
    step: Floats = rest - weights * push.sum()
    step[at.active] += push
    step /= at.phi_sum
    step += weights
    return step


class NewtonSchedule:
    """When a Newton step is to be tried: it counts trials that failed and steps that keep their pieces.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    is_unique : bool
        Whether J is strictly convex.

    Attributes
    ----------
    largest_order : int
        The most active rows for which Newton's matrix is formed.
    """

    def __init__(self, operator: KernelOperator, loss: Loss, *, is_unique: bool) -> None:
        self._operator = operator
        self._loss = loss
        self._is_unique = is_unique
        self.largest_order = min(_MAX_ACTIVE, operator.block_limit)
        self._unchanged = 0
        self._pause = 1
        self._next = 0

    def record(self, *, keeps_pieces: bool) -> None:
        """Take note of a step that is not Newton's."""
        self._unchanged = self._unchanged + 1 if keeps_pieces else 0
        if not keeps_pieces:
            self._pause = 1

    def failed(self, steps: int) -> None:
        """Take note of a trial that gave no step, after so many steps; the next one waits twice as long."""
        self._next = steps + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def should_try(self, residuals: list[float], norms: Floats) -> bool:
        """Tell whether a trial is due and costs less than the KIRWLS steps that are to be expected.

        Shapes: norms (n,), residual norms at the last one.
        """
        if self._unchanged < _SETTLED or len(residuals) - 1 < self._next:
            return False
        rate = residuals[-1] / residuals[-2]
        size = len(active_rows(self._loss, norms))
        if rate <= 0 or size > self.largest_order:
            return False
        if rate >= 1:
            # In a flat valley the residual of KIRWLS may grow for a long time.
            return self._is_unique
        remaining = math.log(UNIT_ROUNDOFF / residuals[-1]) / math.log(rate)
        factorization = _FACTOR_COST * size**3 / (2 * self._operator.product_cost)
        return remaining > 2 * (_TRIAL_PRODUCTS + factorization)


@dataclass(frozen=True, slots=True, eq=False)
class TrustRegion:
    """A ball around f_w, its radius in tau, in which KIRWLS has one limit."""

    weights: Floats
    radius: float


def trust_region(
    operator: KernelOperator, loss: Loss, state: Iterate, after: Floats, at: Curvature, margin: float
) -> TrustRegion | None:
    """Return a ball around a state in which KIRWLS has exactly one limit; None where none is shown.

    Shapes: after (n,), the next weights of KIRWLS.

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
    step = distance_between(operator, after, state.weights)
    if 2 * _GRADIENT_SHARE * at.phi_sum * step >= radius * margin:
        return None
    return TrustRegion(state.weights, radius)


def distance_between(operator: KernelOperator, weights: Floats, others: Floats) -> float:
    """Return |f_w - f_v| in tau: the coefficients w - v have sum 0, so its square is -(w - v)'D (w - v) / 2.

    Shapes: weights, others (n,), of sum 1 each.

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
