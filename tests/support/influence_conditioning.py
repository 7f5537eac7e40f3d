"""How much rounding the influence function may show: a first-order error analysis of Theorem 5's system.

Written in a few lines of numpy of its own, from D, the loss and the formulas of the paper; it shares nothing
with the implementations that it judges. With u_i = Phi_i - f, s_i^2 = |q_i| / r_i^3 and the active rows A,

    (gamma I - G) y = b,   G_ij = s_i s_j <u_i, u_j>,   b_i = s_i <u_i, u'>,   p = s y,
    alpha' = n phi(r') / gamma,   alpha = alpha' (p - w (1 + sum p)).

Errors of distances and residual norms are bounded elementwise and carried through |(gamma I - G)^(-1)|, so
the condition of the system is in the bounds, entry by entry.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import KINK_SLACK
from tests.support.conditioning import Matrix, Vector, feature_sqdist, phi, residuals, slope

# Roundings of the last operations of a coefficient and of a scale.
_LAST: Final = 8
# Roundings of the self-convolution's complement: mixtures of some hundred terms, or a table.
_SELF_ROUNDINGS: Final = 256


@dataclass(frozen=True)
class Bounds:
    """Bounds on absolute errors of the fields for one contaminating point."""

    if_coef: list[float]
    if_coef_new: float
    influence: float
    if_at_new: float
    if_l2_norm: float


class InfluenceAnalysis:
    """The system at given weights, and bounds for each contaminating point."""

    def __init__(self, X: Any, kernel: KernelSpec, loss: LossSpec, weights: Any, x_new: Any) -> None:
        points = np.vstack([np.asarray(X, dtype=float), np.asarray(x_new, dtype=float)])
        self.size, self.dim = np.shape(X)
        self.loss = loss
        self.weights: Vector = np.asarray(weights, dtype=float) / np.sum(weights)
        distances = feature_sqdist(points, kernel)
        extended = np.append(self.weights, np.zeros(len(points) - self.size))
        every = residuals(distances, extended)
        errors = np.array(tolerances.residual_bound(every.tolist(), extended.tolist(), self.dim))
        self.D, self.D_new = distances[: self.size, : self.size], distances[self.size :, : self.size]
        self.norms, self.new_norms = every[: self.size], every[self.size :]
        self.norm_errors, self.new_errors = errors[: self.size], errors[self.size :]
        smallest = min(self.norms.min(), self.new_norms.min())
        at_most = 2 * max(self.norm_errors.max(), self.new_errors.max())
        self.at_corner = loss.name == "absolute" and bool(smallest <= at_most)
        if self.at_corner:
            return
        self.gamma = float(phi(loss, self.norms).sum())
        safe = np.where(self.norms > 0, self.norms, 1)
        self.curvature: Vector = np.where(self.norms > 0, -slope(loss, self.norms) / safe, 0)
        self.active = np.flatnonzero(self.curvature)

    def is_regular(self) -> bool:
        """Whether errors can be bounded: no kink or zero within rounding, no nearly singular system."""
        if self.at_corner:
            return False
        reach = 2 * self.norm_errors
        kinks = np.array(self.loss.thresholds)[:, np.newaxis]
        # One-sided derivatives are compared where they have tests of their own.
        near = np.abs(self.norms - kinks) <= np.maximum(reach, 2 * float(KINK_SLACK) * kinks)
        near_new = np.abs(self.new_norms - kinks) <= 2 * self.new_errors
        jumps = bool(near.any() or near_new.any())
        if jumps or not self.gamma:
            return False
        first_order = np.abs(self._inverse()) @ self._matrix_error()
        return bool(np.abs(first_order).sum(axis=1).max(initial=0.0) < 1 / 2)

    def bounds(self, index: int) -> Bounds:
        """Return the bounds for one contaminating point: twice the first order."""
        pull, pull_error = self._pulls(index)
        share = float(phi(self.loss, self.new_norms)[index])
        phi_change = abs(float(slope(self.loss, self.new_norms)[index])) * self.new_errors[index]
        new = self.size * share / self.gamma
        relative = self._gamma_error() / self.gamma + tolerances.sum_bound(_LAST)
        relative += phi_change / share if share else 0.0
        total, total_size = 1 + pull.sum(), 1 + np.abs(pull).sum()
        spread = pull_error.sum() + tolerances.sum_bound(self.size + _LAST) * total_size
        rows = -self.weights * total
        errors = self.weights * spread
        rows[self.active] += pull
        errors[self.active] += pull_error + tolerances.sum_bound(_LAST) * np.abs(pull)
        rows, errors = new * rows, new * (errors + relative * np.abs(rows))
        magnitude, error = float(np.abs(rows).sum() + new), float(errors.sum() + relative * new)
        rounding = tolerances.complement_bound(self.dim) + tolerances.sum_bound(2 * self.size + _LAST)
        value = 2 * (error + rounding * magnitude)
        square = 2 * error * magnitude + tolerances.sum_bound(_SELF_ROUNDINGS + 2 * self.size) * magnitude**2
        return Bounds((2 * errors).tolist(), 2 * relative * new, value, value, float(2 * np.sqrt(square)))

    def squared_l2_bound(self, index: int) -> float:
        """Return a bound on the error of beta^2."""
        return self.bounds(index).if_l2_norm ** 2 / 2

    def _inverse(self) -> Matrix:
        return np.linalg.inv(self._hessian()) if len(self.active) else np.zeros((0, 0))

    def _scales(self) -> tuple[Vector, Vector]:
        scale = np.sqrt(self.curvature[self.active])
        relative = 3 / 2 * self.norm_errors[self.active] / self.norms[self.active]
        return scale, relative + tolerances.sum_bound(_LAST)

    def _products(
        self, norms: Vector, errors: Vector, other: Any, other_error: Any, D: Matrix
    ) -> tuple[Matrix, Matrix]:
        """<u_i, u_j> = (r_i^2 + r_j^2 - D_ij) / 2 and a bound on its error."""
        values = (norms**2 + other**2 - D) / 2
        moved = norms * errors + other * other_error + tolerances.complement_bound(self.dim) * D / 2
        return values, moved + tolerances.sum_bound(_LAST) * (norms**2 + other**2 + D)

    def _gram(self) -> tuple[Matrix, Matrix]:
        norms, errors = self.norms[self.active], self.norm_errors[self.active]
        block = self.D[np.ix_(self.active, self.active)]
        values, moved = self._products(norms, errors, norms[:, None], errors[:, None], block)
        scale, relative = self._scales()
        both = scale[:, None] * scale
        return both * values, both * moved + both * np.abs(values) * (relative[:, None] + relative)

    def _hessian(self) -> Matrix:
        return np.asarray(self.gamma * np.eye(len(self.active)) - self._gram()[0])

    def _gamma_error(self) -> float:
        moved = np.abs(slope(self.loss, self.norms)) * self.norm_errors
        return float(moved.sum() + tolerances.sum_bound(self.size + _LAST) * self.gamma)

    def _matrix_error(self) -> Matrix:
        """What the entries are off by, and the backward error of a factorization: |L||L'| <= the diagonal's
        geometric mean for Cholesky, a few times the largest entry for LU with pivots."""
        order = len(self.active)
        hessian = self._hessian()
        largest = float(np.abs(hessian).max(initial=0.0))
        factored = tolerances.sum_bound(_LAST * (order + 1)) * max(largest, self.gamma)
        return np.asarray(self._gram()[1] + factored + self._gamma_error() * np.eye(order))

    def _pulls(self, index: int) -> tuple[Vector, Vector]:
        if not len(self.active):
            return np.zeros(0), np.zeros(0)
        norms, errors = self.norms[self.active], self.norm_errors[self.active]
        near = self.D_new[index][self.active]
        values, moved = self._products(norms, errors, self.new_norms[index], self.new_errors[index], near)
        scale, relative = self._scales()
        right, right_error = scale * values, scale * (moved + np.abs(values) * relative)
        inverse = self._inverse()
        solution = inverse @ right
        error = np.abs(inverse) @ (self._matrix_error() @ np.abs(solution) + right_error)
        return scale * solution, scale * error + np.abs(scale * solution) * relative
