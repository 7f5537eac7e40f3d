"""Proved bounds on residual norms, and from them on the curvature of J in a ball around an estimate.

Where f lies in a cluster of diameter e, a row far off has a weight of about e, and its share of the two terms
of r_i^2 = (D w)_i - w'D w / 2 is of the order of e while r_i^2 itself is of the order of e^2: about 1/e
roundings are lost. Measured from a row b of the cluster nothing of the kind happens. With u_i = Phi_i - Phi_b
and c = f - Phi_b = sum_j w_j u_j, r_i^2 = |u_i|^2 - 2 <u_i, c> + |c|^2 has terms of the order of e^2 alone,
provided that each <u_i, u_j> has an error in proportion to |u_i| |u_j| (`feature_products`).

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

from rkde.fast._float64 import (
    ENTRY_ROUNDINGS,
    TINY,
    UNIT_ROUNDOFF,
    Floats,
    Matrix,
    Vector,
    accurate_sum,
    sum_factor,
)
from rkde.fast.kernels import Gaussian, Laplacian, Student
from rkde.fast.losses import Loss
from rkde.fast.operators import Indices, KernelOperator
from rkde.fast.solvers.cancellation_free import enclosed_feature_products

# Rows within this squared distance of b, in tau^2, belong to its cluster: beyond, D loses ten bits at most.
_NEAR: Final = 2.0**-10
# Where r^2 is a smaller share of the terms whose difference it is, one rounding of these, 2^-53 of them,
# moves it by more than 2^-40, about 1e-12, of itself.
CANCELLED: Final = 2.0**-13
# In r^2 beside those of the product with D: two of the weights, which enter the second term twice, two
# of its own, one of the difference, and what products of these with the error of D w take.
_RESIDUAL_ROUNDINGS: Final = 8
# sup over unit vectors of the derivative of u -> (I - u u'/|u|^2) / |u| at |u| = 1.
PROJECTION_LIPSCHITZ: Final = 2 / math.sqrt(3)
# Above this many active rows a Cholesky factorization (m^3 / 3 flops) costs more than the fit itself.
MAX_ACTIVE: Final = 1500
# The Frobenius norm is accepted as a bound on the largest eigenvalue up to this share of the curvature that
# the rows have without the projections: what is proved is then at least half of the best that can be.
FROBENIUS_SHARE: Final = 1 / 2
# Nothing is proved about rows with smaller norms, of which the Frobenius norm takes the fourth power.
LEAST_NORM: Final = 2.0**-200
# Below this order a full symmetric eigenvalue solver is cheaper than starting Lanczos.
SMALL_ORDER: Final = 64
# The trial eigenvalue is raised by this share of what is left to the ceiling, so that the factorization
# succeeds in spite of rounding; the proved curvature falls short of the true one by about this share.
TRIAL_SHARE: Final = 2.0**-7
LANCZOS_SEED: Final = 20120909
# Stands for the underflow term of Rump's criterion, far above it.
TINY_SHIFT: Final = 2.0**-1000


@dataclass(frozen=True, slots=True, eq=False)
class LocalFrame:
    """The rows near a row b, with the inner products that place f among them.

    Attributes
    ----------
    base : int
        The row b.
    rows : ndarray of int, shape (m,)
        The rows near b, itself among them.
    products : ndarray, shape (m, n)
        <u_i, u_j> for near rows i and all rows j, in tau^2.
    errors : ndarray, shape (m, n)
        Bounds on the errors of `products`.
    squares : ndarray, shape (n,)
        |u_j|^2, in tau^2.
    """

    base: int
    rows: Indices
    products: Floats
    errors: Floats
    squares: Floats

    def recompute_residuals(
        self, operator: KernelOperator, weights: Floats, norms: Floats, terms: Floats
    ) -> tuple[Floats, Floats]:
        """Return residual norms, those of the near rows computed from b, and the size of their terms.

        Shapes: weights (n,), at least 0, of sum 1; norms, terms (n,), what `operator.residuals` returns for
        these weights; results norms, terms (n,).
        """
        inner = (self.products * weights).sum(axis=1)
        far = self._far(weights)
        spread, among = self._far_terms(operator.product(far), far)
        among_near = (weights[self.rows] * (inner + (self.products * far).sum(axis=1))).sum()
        squares = self.squares[self.rows] - 2 * inner + (among_near + spread - among)
        # The reach of f from b, in which every term is a product of two lengths.
        reach = float((weights * np.sqrt(self.squares)).sum()) + np.sqrt(self.squares[self.rows])
        norms, terms = norms.copy(), terms.copy()
        norms[self.rows] = np.sqrt(np.maximum(squares, 0.0))
        terms[self.rows] = reach * reach + spread + among
        return norms, terms

    def enclose(self, operator: KernelOperator, weights: Floats) -> tuple[Floats, Floats]:
        """Return the squared residual norms of the near rows, and proved bounds on their errors.

        Shapes: weights (n,), at least 0, of sum 1 up to one rounding; results squares, errors (m,).

        Notes
        -----
        Every sum here has at most 2 n + 8 terms, so its rounding is below that many units of the sum of the
        sizes of its terms.
        """
        far = self._far(weights)
        mine, inner = weights[self.rows], (self.products * weights).sum(axis=1)
        spread, among = self._far_terms(operator.proved_product(far), far)
        among_near = float((mine * (inner + (self.products * far).sum(axis=1))).sum())
        squares = self.squares[self.rows] - 2 * inner + (among_near + spread - among)
        wrong, size = (self.errors * weights).sum(axis=1), (np.abs(self.products) * weights).sum(axis=1)
        sums = sum_factor(2 * operator.size + 8)
        entry = sum_factor(operator.distance_roundings + ENTRY_ROUNDINGS)
        near_error = 2 * float((mine * (wrong + sums * size)).sum())
        far_error = (operator.relative_error + entry + sums) * (spread + among)
        far_error += operator.absolute_error * float(far.sum()) ** 2
        errors = 2 * (wrong + sums * size) + (entry + sums) * self.squares[self.rows] + near_error + far_error
        return squares, errors * (1 + sums)

    def resultant(self, operator: KernelOperator, inverse_norms: Floats) -> tuple[float, float]:
        """Return |sum_j v_j u_j|^2 for coefficients v >= 0, and a proved bound on its error.

        Shapes: inverse_norms (n,).
        """
        far = self._far(inverse_norms)
        mine = inverse_norms[self.rows]
        with_far = inverse_norms + far
        spread, among = self._far_terms(operator.proved_product(far), far)
        among_near = float((mine * (self.products * with_far).sum(axis=1)).sum())
        size = float((mine * (np.abs(self.products) * with_far).sum(axis=1)).sum()) + spread + among
        wrong = float((mine * (self.errors * with_far).sum(axis=1)).sum())
        roundings = 2 * operator.size + 2 * operator.distance_roundings + 4 * ENTRY_ROUNDINGS
        unit = operator.relative_error + sum_factor(roundings)
        error = wrong + unit * size + operator.absolute_error * float(far.sum()) ** 2
        return among_near + spread - among, error

    def _far(self, coefficients: Floats) -> Floats:
        far = coefficients.copy()
        far[self.rows] = 0.0
        return far

    def _far_terms(self, product: Floats, far: Floats) -> tuple[float, float]:
        """Return the two terms of |sum_j v_j u_j|^2 = (sum v) (sum v |u|^2) - v'D v / 2 over the far rows."""
        return float(far.sum() * (far * self.squares).sum()), float((far * product).sum()) / 2


def local_frame(operator: KernelOperator, base: int) -> LocalFrame | None:
    """Return the frame at a row for its cluster; None where the row is alone or nothing is gained.

    Result: none also for a kernel whose roundings are not known, for distances that underflow, and where the
    products do not fit into the memory limit.

    Notes
    -----
    2 m n numbers, and as many evaluations of the kernel, once.
    """
    kernel = operator.kernel
    squares = operator.row(base)
    order = np.argsort(squares, kind="stable")
    rows = order[: int(np.count_nonzero(squares <= _NEAR))]
    is_alone = bool((operator.locations[rows] == operator.locations[base]).all())
    fits = 2 * len(rows) * operator.size <= operator.block_limit**2
    if is_alone or not fits or not operator.is_resolved:
        return None
    if not isinstance(kernel, Gaussian | Student | Laplacian):
        return None
    products, errors = np.empty((len(rows), operator.size)), np.empty((len(rows), operator.size))
    for i, row in enumerate(rows):
        products[i], errors[i] = enclosed_feature_products(
            kernel, operator.X[base], operator.X[row], operator.X
        )
        # The error is in proportion to both lengths where the nearer row comes first.
        products[i, rows[:i]], errors[i, rows[:i]] = products[:i, row], errors[:i, row]
    return LocalFrame(base, rows, products, errors, squares)


@dataclass(frozen=True, slots=True)
class ResidualEnclosure:
    """Residual norms with a proved bound on their rounding error.

    Attributes
    ----------
    norms : ndarray of shape (n,)
        Computed residual norms, in tau.
    radii : ndarray of shape (n,)
        The exact norms lie within these distances of the computed ones.
    squared_radii : ndarray of shape (n,)
        The same for the squared norms.
    product : ndarray of shape (n,)
        D w, from which the norms were formed.
    """

    norms: Vector
    radii: Vector
    squared_radii: Vector
    product: Vector


def enclose_residuals(
    operator: KernelOperator, weights: Vector, frame: LocalFrame | None = None
) -> ResidualEnclosure:
    """Compute r_i = |Phi(X_i) - f| with a proved error, from r_i^2 = (D w)_i - w'D w / 2.

    Shapes: weights (n,), nonnegative, of sum 1 up to two roundings.

    Notes
    -----
    All terms are nonnegative, so D w and w'D w carry a relative error; their difference carries the sum of
    the two absolute ones. An engine whose products have an absolute error e moves (D w)_i by at most e and
    w'D w / 2 by at most e / 2, together less than 2 e. A norm r >= 0 with a computed value s satisfies
    |s - r| <= |s^2 - r^2| / s and |s - r| <= |s^2 - r^2|^(1/2). One product with D.
    """
    factor = operator.relative_error + sum_factor(_RESIDUAL_ROUNDINGS)
    product = operator.proved_product(weights)
    half_square = accurate_sum(weights * product) / 2
    squared = np.maximum(product - half_square, 0)
    # With an absolute error the computed terms themselves, in front of the relative one, may be too small.
    lost = 2 * operator.absolute_error
    squared_radii = factor * (product + half_square + lost) + lost + TINY
    if frame is not None:
        squares, errors = frame.enclose(operator, weights)
        squared[frame.rows], squared_radii[frame.rows] = np.maximum(squares, 0), errors
    norms = np.sqrt(squared)
    roots = np.sqrt(squared_radii)
    # One rounding of the root, one of the ends norm - radius and norm + radius that callers form.
    radii = np.minimum(roots, squared_radii / np.maximum(norms, roots)) + sum_factor(4) * norms
    return ResidualEnclosure(norms, radii, squared_radii, product)


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

    Shapes: gram (m, m), symmetric, m >= 1. Result: the bound; ``inf`` where none below the ceiling can be
    proved.

    Notes
    -----
    An approximate eigenvalue is only a trial theta. What proves the bound is that a Cholesky factorization of
    theta I - G runs to its end: then theta I - G + c I is positive semidefinite, with c its trace times
    gamma_(m+1) / (1 - gamma_(m+1)) (Rump 2006, Verification of positive definiteness), which is below
    gamma_(m+2) for m < 2^26. m^3 / 3 flops.
    """
    order = gram.shape[0]
    largest = _largest_eigenpair(gram)[0]
    if largest >= ceiling:
        return math.inf
    trial = largest + TRIAL_SHARE * (ceiling - largest)
    shifted = trial * np.eye(order) - gram
    # The diagonal and the bound are rounded; so is the slack, which is far below a rounding of the trial.
    slack = sum_factor(order + 2) * float(np.trace(shifted)) + sum_factor(3) * trial + TINY_SHIFT * order
    try:
        cholesky(shifted, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:  # pragma: no cover (the trial is above the eigenvalue unless LAPACK errs)
        return math.inf
    return float(trial + slack)


def eigenvalue_lower_bound(gram: Matrix) -> float:
    """Return a proved lower bound on the largest eigenvalue of a symmetric matrix: a Rayleigh quotient.

    Shapes: gram (m, m), symmetric, m >= 1.

    Notes
    -----
    v'Gv takes two sums of m terms and v'v one, so that the quotient is off by 3 m roundings of the Frobenius
    norm, and by a few of its own.
    """
    vector = _largest_eigenpair(gram)[1]
    quotient = float(vector @ (gram @ vector)) / float(vector @ vector)
    return quotient - sum_factor(3 * gram.shape[0] + 8) * float(np.linalg.norm(gram))


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
        except ArpackError:  # pragma: no cover (no matrix is known on which ARPACK comes to its cap)
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
            if self.residuals.norms[active].min(initial=math.inf) < LEAST_NORM:
                return math.inf
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
