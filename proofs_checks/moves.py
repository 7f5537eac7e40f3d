"""States of KIRWLS in the fast implementation, each number with its derived error bound."""

from collections.abc import Sequence
from dataclasses import dataclass

from rkde.fast.rkhs import objective, residual_norms
from rkde.fast.solvers import kirwls_step
from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Rows


@dataclass(frozen=True, slots=True)
class FastState:
    """Weights of the fast implementation, what it computes from them, and how far that may be off.

    Attributes
    ----------
    weights, norms, phi : list of float, length n
    objective : float
        J at `weights`.
    phi_error : list of float, length n
        Bounds on the error of each phi.
    objective_error : float
        Bound on the error of `objective`.
    """

    weights: list[float]
    norms: list[float]
    phi: list[float]
    objective: float
    phi_error: list[float]
    objective_error: float

    @property
    def weights_error(self) -> list[float]:
        """Bounds on the error of the weights after one step from here."""
        return tolerances.weight_step_bound(self.phi, self.phi_error)


def state(rows: Rows, kernel: KernelSpec, spec: LossSpec, weights: Sequence[float]) -> FastState:
    """Evaluate the fast implementation at given weights."""
    loss = bridge.fast_loss(spec)
    norms = residual_norms(rows, bridge.fast_kernel(kernel), weights).tolist()
    errors = tolerances.residual_bound(norms, weights, len(rows[0]))
    phi, rho = loss.phi(norms).tolist(), loss.rho(norms).tolist()
    return FastState(
        weights=list(weights),
        norms=norms,
        phi=phi,
        objective=objective(rows, bridge.fast_kernel(kernel), loss, weights),
        phi_error=tolerances.phi_error(spec, norms, phi, errors),
        objective_error=tolerances.objective_bound(spec, norms, rho, errors),
    )


def step(rows: Rows, kernel: KernelSpec, spec: LossSpec, weights: Sequence[float]) -> list[float]:
    """Take one step of the fast implementation."""
    after = kirwls_step(rows, bridge.fast_kernel(kernel), bridge.fast_loss(spec), weights)
    return [float(weight) for weight in after]
