"""How much rounding KIRWLS may show: a forward error analysis along the path, to first order.

A step is w' = phi(r(w)) / gamma. Its Jacobian carries earlier errors on; its own rounding adds a local error.
After k steps the error is at most sum_j |J_k ... J_(j+1)| local_j to first order: absolute values of the
*products*, so that a path that contracts is not charged for single steps that do not.

The analysis is written here in a few lines of numpy of its own and shares nothing with the implementations
that it judges. With r_i^2 = (Dw)_i - w'Dw/2 and sum(dw) = 0,

    dr_i = (e_i - w)'D dw / (2 r_i),      J = (I - w'1') diag(phi'(r_i)) (dr/dw) / gamma.
"""

from types import SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.support.implementations import REFERENCE

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


def feature_sqdist(X: object, kernel: KernelSpec) -> Matrix:
    """D_ij = 2 (1 - kappa(X_i, X_j)) by direct differences, in extended range where the platform has one."""
    scaled = np.asarray(X, dtype=np.longdouble) / np.longdouble(kernel.bandwidth)
    dim = scaled.shape[1]
    sqdist = np.array([((scaled - row) ** 2).sum(axis=1) for row in scaled])
    match kernel.name:
        case "gaussian":
            exponent = sqdist / 2
        case "laplacian":
            exponent = np.sqrt(sqdist)
        case _:
            dof = float(kernel.dof or "nan")
            exponent = (dof + dim) / 2 * np.log1p(sqdist / dof)
    return np.asarray(-2 * np.expm1(-exponent), dtype=np.float64)


def normaliser_terms(spec: KernelSpec, dim: int) -> float:
    """Sum of the magnitudes of the terms of log k(0,0), from the reference's own context."""
    context = REFERENCE.context
    half, log_gamma, log_pi = context.mpf(dim) / 2, context.loggamma, context.log(context.pi)
    terms = [dim * context.log(context.mpf(spec.bandwidth))]
    if spec.name == "gaussian":
        terms += [half * context.log(2 * context.pi)]
    elif spec.name == "student":
        dof = context.mpf(spec.dof)
        terms += [log_gamma(dof / 2 + half), log_gamma(dof / 2), half * context.log(dof * context.pi)]
    else:
        terms += [log_gamma(half), half * log_pi, log_gamma(context.mpf(dim))]
    return float(sum(abs(term) for term in terms)) + 1


def residuals(D: Matrix, weights: Vector) -> Vector:
    """Residual norms in tau."""
    product = D @ weights
    return np.sqrt(np.maximum(product - weights @ product / 2, 0))


def phi(loss: LossSpec, t: Vector) -> Any:
    """psi(t) / t."""
    if loss.name == "quadratic":
        return np.ones_like(t)
    if loss.name == "absolute":
        return 1 / t
    a, b, c = _thresholds(loss)
    falling = a / np.where(t > a, t, 1)
    ramp = np.clip((c - t) / (c - b), 0, 1) if loss.name == "hampel" else np.ones_like(t)
    share: Vector = np.where(t > a, falling * ramp, 1)
    return share


def slope(loss: LossSpec, t: Vector) -> Vector:
    """phi'(t); at a kink, the piece on its right."""
    if loss.name == "quadratic":
        return np.zeros_like(t)
    if loss.name == "absolute":
        return -1 / t**2
    a, b, c = _thresholds(loss)
    on_ramp = -a * c / (c - b) if loss.name == "hampel" else 0
    pieces: Vector = np.select([t < a, t < b, t < c], [0, -a, on_ramp], default=0)
    safe: Vector = np.where(t > 0, t, 1) ** 2
    return pieces / safe


def threshold_slopes(loss: LossSpec, t: Vector) -> Matrix:
    """|d phi / d (a, b, c)|, one column a threshold of the loss."""
    a, b, c = _thresholds(loss)
    share = phi(loss, t)
    columns = [np.where(t > a, share / a, 0)]
    if loss.name == "hampel":
        on_ramp = (t > b) & (t < c)
        columns += [np.where(on_ramp, share / (c - b), 0)]
        columns += [np.where(on_ramp, a * (t - b) / (np.where(t > 0, t, 1) * (c - b) ** 2), 0)]
    return np.column_stack(columns)


def _thresholds(loss: LossSpec) -> tuple[float, float, float]:
    a, *rest = (float(threshold) for threshold in loss.thresholds)
    return (a, rest[0], rest[1]) if rest else (a, np.inf, np.inf)


class PathAnalysis:
    """Bounds on the error of weights, residual norms and J while KIRWLS runs in float64.

    The start (uniform by default) and each threshold of the judged run may be off by what is stated.
    """

    def __init__(
        self,
        X: object,
        kernel: KernelSpec,
        loss: LossSpec,
        *,
        weights_init: ArrayLike | None = None,
        init_error: ArrayLike = 0.0,
        threshold_error: tuple[float, ...] = (),
    ) -> None:
        self.D = feature_sqdist(X, kernel)
        self.n, self.dim = np.shape(X)
        self.loss = loss
        self.threshold_error = np.array(threshold_error)
        start = 1 / self.n if weights_init is None else weights_init
        self.weights: Vector = np.broadcast_to(np.asarray(start, dtype=float), self.n)
        error = np.broadcast_to(np.asarray(init_error, dtype=float), self.n)
        self._carried: list[tuple[Matrix, Vector]] = [(np.eye(self.n), error)]

    @property
    def residual_norms(self) -> Vector:
        return residuals(self.D, self.weights)

    @property
    def weights_bound(self) -> Vector:
        """Bound on |error of w_i|."""
        first_order = sum((np.abs(product) @ local for product, local in self._carried), np.zeros(self.n))
        return np.array([tolerances.path_bound(entry) for entry in first_order])

    @property
    def amplification(self) -> float:
        """The largest factor by which the error of an earlier step has grown, in the maximum norm."""
        sizes = (float(np.abs(product).sum(axis=1).max()) for product, _ in self._carried[:-1])
        return max(sizes, default=0.0)

    def residual_bound(self) -> Vector:
        """Bound on |error of r_i|: carried over from the weights, plus the rounding of the norm itself."""
        return np.abs(self._residual_jacobian()) @ self.weights_bound + self._residual_rounding()

    def objective_bound(self) -> float:
        """Bound on |error of J| at the present weights."""
        norms = self.residual_norms
        moved = self.residual_bound().tolist()
        return tolerances.objective_bound(self._loss_view(), norms.tolist(), self._rho(norms).tolist(), moved)

    def advance(self, count: int) -> Self:
        """Take `count` steps."""
        for _ in range(count):
            self._step()
        return self

    def is_regular(self, count: int) -> bool:
        """Take `count` steps and tell whether the analysis can bound all of them."""
        for _ in range(count):
            norms = self.residual_norms
            error = self._residual_rounding()
            if self.loss.name == "absolute" and (norms <= 2 * error).any():
                return False
            if phi(self.loss, norms).sum() == 0:
                return False
            self._step()
        return bool(np.isfinite(self.weights_bound).all())

    def stationary_bound(self, reported_residual: float) -> Vector:
        """Bound on |w - w*| at a fixed point w*, where |T(w) - w| <= `reported_residual` plus rounding.

        To first order w - w* = (I - J)^(-1) (w - T(w)). `weights` must be w*, as nearly as float64 holds it.
        """
        jacobian, local = self._linearised()
        inverse = np.linalg.inv(np.eye(self.n) - jacobian)
        first_order = np.abs(inverse) @ (local + reported_residual)
        return np.array([tolerances.path_bound(entry) for entry in first_order])

    def _step(self) -> None:
        jacobian, local = self._linearised()
        share = phi(self.loss, self.residual_norms)
        self._carried = [(jacobian @ product, earlier) for product, earlier in self._carried]
        self._carried.append((np.eye(self.n), local))
        self.weights = share / share.sum()

    def _linearised(self) -> tuple[Matrix, Vector]:
        """The Jacobian of one step, and the error that the step itself adds."""
        norms, error, to_residuals = self.residual_norms, self._residual_rounding(), self._residual_jacobian()
        share = phi(self.loss, norms)
        view = self._loss_view()
        phi_error = np.array(tolerances.phi_error(view, norms.tolist(), share.tolist(), error.tolist()))
        phi_error += self._kink_error(norms, error, to_residuals)
        if self.threshold_error.size:
            phi_error += threshold_slopes(self.loss, norms) @ self.threshold_error
        local = np.array(tolerances.weight_step_bound(share.tolist(), phi_error.tolist()))
        scaled = (slope(self.loss, norms) / share.sum())[:, None] * to_residuals
        return scaled - np.outer(share / share.sum(), scaled.sum(axis=0)), local

    def _residual_jacobian(self) -> Matrix:
        norms = self.residual_norms[:, None]
        differences = self.D - (self.weights @ self.D)[None, :]
        return np.divide(differences, 2 * norms, where=norms > 0, out=np.zeros_like(differences))

    def _residual_rounding(self) -> Vector:
        return np.array(
            tolerances.residual_bound(self.residual_norms.tolist(), self.weights.tolist(), self.dim)
        )

    def _kink_error(self, norms: Vector, error: Vector, to_residuals: Matrix) -> Vector:
        """Where a kink lies within the whole error of a residual, the Jacobian may be another piece's."""
        if not self.loss.thresholds:
            return np.zeros(self.n)
        whole = np.abs(to_residuals) @ self.weights_bound + error
        nearby = [slope(self.loss, t) for t in (np.maximum(norms - whole, 0), norms, norms + whole)]
        jump: Vector = np.max(nearby, axis=0) - np.min(nearby, axis=0)
        return jump * whole

    def _rho(self, t: Vector) -> Any:
        if self.loss.name == "quadratic":
            return t**2 / 2
        if self.loss.name == "absolute":
            return t
        a, b, c = _thresholds(self.loss)
        rising = np.where(t <= a, t**2 / 2, a * t - a**2 / 2)
        if self.loss.name == "huber":
            return rising
        return np.where(t <= b, rising, a * (b + c - a) / 2 - a * np.maximum(c - t, 0) ** 2 / (2 * (c - b)))

    def _loss_view(self) -> SimpleNamespace:
        """The loss as the tolerances read it: its name and its own thresholds."""
        letters = dict(zip("abc", map(float, self.loss.thresholds), strict=False))
        return SimpleNamespace(name=self.loss.name, **letters)
