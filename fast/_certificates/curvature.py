"""A proved lower bound on the curvature of J in a ball around a weighted density estimate.

With u_i = Phi(X_i) - f and P_i the projection on u_i, the second derivative of n J at f is
sum_i [phi(r_i) I + (q(r_i) / r_i) P_i]: the matrix of Theorem 5 as an operator on H. Within one piece of a
loss -q is a constant A_i >= 0, and u -> (I - P_u) / |u| has the Lipschitz constant (2 / sqrt 3) / |u|^2, so
over a ball of radius eps the curvature of n J is at least

    sum_i phi(r_i) - lambda_max(G) - (2 / sqrt 3) sum_i A_i eps / (r_i (r_i - eps)),

with G the Gram matrix of the vectors (A_i / r_i)^(1/2) u_i / r_i. All quantities are taken on the
unfavourable side of their rounding error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh
from scipy.sparse.linalg import ArpackError, eigsh

from rkde.fast._certificates.residuals import ResidualEnclosure
from rkde.fast._float64 import ENTRY_ROUNDINGS, UNIT_ROUNDOFF, Matrix, Vector, accurate_sum, sum_factor
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator

# sup over unit vectors of the derivative of u -> (I - u u'/|u|^2) / |u| at |u| = 1.
PROJECTION_LIPSCHITZ: Final = 2 / math.sqrt(3)
# Above this many active rows a Cholesky factorization (m^3 / 3 flops) costs more than the fit itself.
MAX_ACTIVE: Final = 1500
# The Frobenius norm is accepted as a bound on the largest eigenvalue up to this share of the curvature that
# the rows have without the projections: what is proved is then at least half of the best that can be.
FROBENIUS_SHARE: Final = 1 / 2
# Below this order a full symmetric eigenvalue solver is cheaper than starting Lanczos.
SMALL_ORDER: Final = 64
# The trial eigenvalue is raised by this share of what is left to the ceiling, so that the factorization
# succeeds in spite of rounding; the proved curvature falls short of the true one by about this share.
TRIAL_SHARE: Final = 2.0**-7
LANCZOS_SEED: Final = 20120909
# Stands for the underflow term of Rump's criterion, far above it.
TINY_SHIFT: Final = 2.0**-1000


@dataclass(frozen=True, slots=True)
class Pieces:
    """How each row contributes to the curvature over a ball.

    Attributes
    ----------
    identity : ndarray of shape (n,)
        Coefficients of the identity, rounded down.
    projection : ndarray of shape (n,)
        Coefficients A_i / r_i of the projections on u_i, rounded up; 0 where the row is inactive.
    amplitude : ndarray of shape (n,)
        A_i = -q(r_i).
    """

    identity: Vector
    projection: Vector
    amplitude: Vector


def pieces_on_ball(
    loss: Loss, residuals: ResidualEnclosure, radius: float, masses: Vector | None = None
) -> Pieces | None:
    """Describe the second derivative of each rho(|Phi_i - g|) for all g in a ball around f.

    Shapes: masses (n,). Result: none where a residual can reach a kink at which the loss is not convex:
    nothing is claimed there.
    """
    low = residuals.norms - residuals.radii
    high = residuals.norms + residuals.radii
    reach = radius + residuals.radii
    amplitude = -loss.q(residuals.norms)
    identity = loss.phi(high) * (1 - sum_factor(8))
    near_kink = np.zeros(low.size, dtype=bool)
    for kink in loss.kinks:
        near = np.abs(residuals.norms - kink) <= reach
        # At a kink of a convex loss phi I - phi P is a lower bound on either side; take the larger amplitude.
        amplitude = np.where(near, np.maximum(amplitude, -loss.q(np.full(1, kink))), amplitude)
        near_kink |= near
    if not loss.facts.convex and bool(near_kink.any()):
        return None
    active = amplitude > 0
    if np.any(low[active] <= radius):
        return None
    projection = np.zeros_like(identity)
    # A / r; for a convex loss that is phi(r) off the kinks, and phi(r) is the right coefficient at them too.
    coefficient = loss.phi(low[active]) if loss.facts.convex else amplitude[active] / low[active]
    projection[active] = coefficient * (1 + sum_factor(8))
    if masses is not None:
        return Pieces(masses * identity, masses * projection, masses * amplitude)
    return Pieces(identity, projection, amplitude)


def weighted_gram(operator: KernelOperator, residuals: ResidualEnclosure, projection: Vector) -> Matrix:
    """Return G = [(p_i p_j)^(1/2) <u_i, u_j> / (r_i r_j)] on the rows with p > 0.

    Shapes: projection (n,); result (m, m).

    Notes
    -----
    <u_i, u_j> = (r_i^2 + r_j^2 - D_ij) / 2, from the law of cosines.
    """
    active = np.flatnonzero(projection > 0)
    squares = residuals.norms[active] ** 2
    scales = np.sqrt(projection[active]) / residuals.norms[active]
    gram = operator.block(active, active)
    np.subtract(squares[:, None] + squares, gram, out=gram)
    gram *= scales[:, None] * (scales / 2)
    return gram


def gram_error(residuals: ResidualEnclosure, projection: Vector, distance_roundings: int) -> float:
    """Return a bound on the Frobenius norm of the error of `weighted_gram`.

    Shapes: projection (n,).

    Notes
    -----
    The error of <u_i, u_j> is at most s_i + s_j over 2, with s_i that of r_i^2 and what D_ij <= 2 (r_i^2 +
    r_j^2) adds; scaled by rank-one factors its norm is a product of two vector norms. What the error of r
    does to the scales is relative.
    """
    active = projection > 0
    low = residuals.norms[active] - residuals.radii[active]
    roots = np.sqrt(projection[active]) / low
    spread = (
        residuals.squared_radii[active]
        + 2 * sum_factor(distance_roundings + ENTRY_ROUNDINGS + 4) * residuals.norms[active] ** 2
    )
    numerators = math.sqrt(accurate_sum((roots * spread) ** 2) * accurate_sum(roots**2))
    relative = 2 * float((residuals.radii[active] / low).max(initial=0.0)) + sum_factor(8)
    return (numerators + relative * accurate_sum(projection[active])) * (1 + sum_factor(8))


def eigenvalue_upper_bound(gram: Matrix, ceiling: float) -> float:
    """Return a proved upper bound on the largest eigenvalue of a symmetric matrix.

    Shapes: gram (m, m), symmetric. Result: the bound; ``inf`` where none below the ceiling can be proved.

    Notes
    -----
    An approximate eigenvalue is only a trial theta. What proves the bound is that a Cholesky factorization of
    theta I - G runs to its end: then theta I - G + c I is positive semidefinite, with c its trace times
    gamma_(m+1) / (1 - gamma_(m+1)) (Rump 2006, Verification of positive definiteness). m^3 / 3 flops.
    """
    order = gram.shape[0]
    if order == 0:
        return 0.0
    largest = _largest_eigenpair(gram)[0]
    if largest >= ceiling:
        return math.inf
    trial = largest + TRIAL_SHARE * (ceiling - largest)
    shifted = trial * np.eye(order) - gram
    factor = sum_factor(order + 1)
    slack = factor / (1 - factor) * float(np.trace(shifted)) + sum_factor(2) * trial + TINY_SHIFT * order
    try:
        cholesky(shifted, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return math.inf
    return float(trial + slack)


def eigenvalue_lower_bound(gram: Matrix) -> float:
    """Return a proved lower bound on the largest eigenvalue of a symmetric matrix: a Rayleigh quotient.

    Shapes: gram (m, m), symmetric, m >= 1.
    """
    vector = _largest_eigenpair(gram)[1]
    quotient = float(vector @ (gram @ vector)) / float(vector @ vector)
    return quotient - sum_factor(2 * gram.shape[0] + 8) * float(np.linalg.norm(gram))


def _largest_eigenpair(gram: Matrix) -> tuple[float, Vector]:
    order = gram.shape[0]
    if order == 1:
        # Scipy before 1.14 asks LAPACK's divide and conquer for too little memory here.
        return float(gram[0, 0]), np.ones(1)
    if order > SMALL_ORDER:
        start = np.random.default_rng(LANCZOS_SEED).standard_normal((order,))
        try:
            values, vectors = eigsh(gram, k=1, which="LA", v0=start)
            return float(values[0]), np.asarray(vectors[:, 0], dtype=np.float64)
        except ArpackError:
            pass  # no convergence within ARPACK's cap: the direct solver below is slower and always ends
    # LAPACK's solver for a part of the spectrum may find nothing where an eigenvalue is multiple, as it is
    # for isolated rows; divide and conquer finds all of them.
    values, vectors = eigh(gram, driver="evd", check_finite=False)
    return float(values[-1]), np.asarray(vectors[:, -1], dtype=np.float64)


@dataclass(slots=True)
class BallCurvature:
    """Lower bounds on the curvature of n J over balls of several radii around one f.

    Attributes
    ----------
    operator : KernelOperator
    loss : Loss
    residuals : ResidualEnclosure
    """

    operator: KernelOperator
    loss: Loss
    residuals: ResidualEnclosure
    _bounds: dict[bytes, float] = field(default_factory=dict)

    def lower_bound(self, radius: float) -> float:
        """Return a proved lower bound on the curvature of n J over the ball; ``-inf`` where there is none.

        Result: the better of the curvature bound and, for a convex loss, of the mass of the rows that stay
        quadratic (which costs no linear algebra).
        """
        pieces = pieces_on_ball(self.loss, self.residuals, radius, self.operator.masses)
        if pieces is None:
            return self._quadratic_rows(radius)
        active = pieces.projection > 0
        total = accurate_sum(pieces.identity)
        largest = self._largest_eigenvalue(pieces.projection, total)
        low = self.residuals.norms[active] - self.residuals.radii[active]
        variation = PROJECTION_LIPSCHITZ * accurate_sum(
            pieces.amplitude[active] * radius / (low * (low - radius) * (1 - sum_factor(4)))
        )
        bound = total - largest - variation * (1 + sum_factor(8)) - sum_factor(8) * total
        return max(bound, self._quadratic_rows(radius))

    def _largest_eigenvalue(self, projection: Vector, ceiling: float) -> float:
        """Return a proved upper bound on the largest eigenvalue of `weighted_gram`."""
        key = projection.tobytes()
        if key not in self._bounds:
            error = gram_error(self.residuals, projection, self.operator.distance_roundings)
            active = np.flatnonzero(projection > 0)
            squares = self.residuals.norms[active] ** 2
            # The Frobenius norm bounds every eigenvalue, and takes some passes over D or its near pairs.
            bound = self.operator.gram_norm(active, squares, projection[active] / squares / 2)
            largest_order = min(MAX_ACTIVE, self.operator.block_limit)
            if bound > FROBENIUS_SHARE * ceiling and len(active) <= largest_order:
                gram = weighted_gram(self.operator, self.residuals, projection)
                bound = min(bound, eigenvalue_upper_bound(gram, ceiling))
            self._bounds[key] = bound + error
        return self._bounds[key]

    def _quadratic_rows(self, radius: float) -> float:
        if not self.loss.facts.convex:
            return -math.inf
        reach = self.residuals.norms + self.residuals.radii + radius * (1 + UNIT_ROUNDOFF)
        kinks = np.array(self.loss.kinks)
        first_kink = kinks.min(where=kinks > 0, initial=math.inf)
        quadratic = (self.loss.q(self.residuals.norms) == 0) & (reach <= first_kink)
        masses = self.operator.masses
        count = float(quadratic.sum())
        if masses is not None:
            count = accurate_sum(masses[quadratic]) * (1 - sum_factor(8))
        return count if count > 0 else -math.inf
