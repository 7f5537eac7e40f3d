"""What the checks of the six properties ask of a package, in one form for both."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast.influence import influence as fast_influence
from rkde.fast.rkhs import log_density as fast_log_density
from rkde.fast.solvers import FixedPoint as FastFixedPoint
from rkde.fast.solvers import KirwlsResult as FastResult
from rkde.fast.solvers import fixed_point as fast_fixed_point
from rkde.fast.solvers import kirwls as fast_kirwls
from rkde.proofs_checks import bridge
from rkde.proofs_checks.property_cases import Case
from rkde.reference.influence import influence
from rkde.reference.numbers import Number, make_context
from rkde.reference.rkhs import log_density
from rkde.reference.solvers import FixedPoint, KirwlsResult, fixed_point, kirwls
from rkde.vocabulary import Stationarity, Status, StopRule

MAX_ITER: Final = 4000
"""Six times the most steps that any of 2000 draws needed."""

# Digits of the reference at the nodes of a quadrature, whose own error is larger.
_NODE_DIGITS: Final = 20

_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Run:
    """Where a run ended: its weights, whether it says that it converged, and to what tolerance."""

    weights: list[Number]
    has_converged: bool
    tol: float


@dataclass(frozen=True, slots=True)
class Derivative:
    """Theorem 5's coefficients on the rows and x', the condition number, and IF at nodes, as a density."""

    coefficients: list[Number]
    condition: float
    one_sided: bool
    at_nodes: _Floats


@dataclass(frozen=True, slots=True)
class Package:
    """One of the two packages; every function takes a case first."""

    name: str
    kirwls: Callable[..., Run]
    fixed_point: Callable[[Case, Sequence[Number]], Run]
    influence: Callable[[Case, Sequence[Number], _Floats | None], Derivative]
    kernel_at: Callable[[Case, Sequence[float], _Floats], _Floats]

    @property
    def is_fast(self) -> bool:
        """Whether this is the float64 package."""
        return self.name == "fast"


def _run(found: FastResult | FastFixedPoint | KirwlsResult | FixedPoint) -> Run:
    tol = float(found.stop.tol) if isinstance(found.stop, Stationarity) else math.nan
    return Run(list(found.weights), found.status == Status.CONVERGED, tol)


def _reference_kirwls(case: Case, start: Sequence[Number], stop: StopRule, cap: int = MAX_ITER) -> Run:
    kernel, loss = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
    ctx = bridge.context()
    return _run(kirwls(ctx, case.rows, kernel, loss, weights_init=start, stop=stop, max_iter=cap))


def _reference_fixed_point(case: Case, start: Sequence[Number]) -> Run:
    kernel, loss = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
    return _run(fixed_point(bridge.context(), case.rows, kernel, loss, weights_init=start))


def _reference_influence(case: Case, weights: Sequence[Number], nodes: _Floats | None = None) -> Derivative:
    kernel, loss = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
    ctx = bridge.context() if nodes is None else make_context(_NODE_DIGITS)
    queries = None if nodes is None else nodes.tolist()
    found = influence(ctx, case.rows, kernel, loss, weights, [case.x_new], queries)
    unit = ctx.exp(kernel.log_normaliser(ctx, case.dim))
    return Derivative(
        [*found.if_coef[0], found.if_coef_new[0]],
        float(found.condition),
        found.one_sided,
        np.array([float(unit * value) for value in found.influence[0]]),
    )


def _reference_kernel(case: Case, centre: Sequence[float], nodes: _Floats) -> _Floats:
    ctx, kernel = make_context(_NODE_DIGITS), bridge.reference_kernel(case.kernel)
    logs = log_density(ctx, [centre], kernel, [1], nodes.tolist())
    return np.array([float(ctx.exp(value)) for value in logs])


def _fast_kirwls(case: Case, start: Sequence[Number], stop: StopRule, cap: int = MAX_ITER) -> Run:
    kernel, loss = bridge.fast_kernel(case.kernel), bridge.fast_loss(case.loss)
    first = [float(weight) for weight in start]
    return _run(fast_kirwls(case.rows, kernel, loss, weights_init=first, stop=stop, max_iter=cap))


def _fast_fixed_point(case: Case, start: Sequence[Number]) -> Run:
    kernel, loss = bridge.fast_kernel(case.kernel), bridge.fast_loss(case.loss)
    first = [float(weight) for weight in start]
    return _run(fast_fixed_point(case.rows, kernel, loss, weights_init=first))


def _fast_influence(case: Case, weights: Sequence[Number], nodes: _Floats | None = None) -> Derivative:
    kernel, loss = bridge.fast_kernel(case.kernel), bridge.fast_loss(case.loss)
    found = fast_influence(
        case.rows, kernel, loss, [float(weight) for weight in weights], [case.x_new], nodes
    )
    return Derivative(
        [*found.if_coef[0].tolist(), *found.if_coef_new.tolist()],
        found.condition,
        found.one_sided,
        np.exp(kernel.log_normaliser(case.dim)) * found.influence[0],
    )


def _fast_kernel(case: Case, centre: Sequence[float], nodes: _Floats) -> _Floats:
    kernel = bridge.fast_kernel(case.kernel)
    return np.exp(fast_log_density([list(centre)], kernel, [1.0], nodes))


REFERENCE: Final = Package(
    "reference", _reference_kirwls, _reference_fixed_point, _reference_influence, _reference_kernel
)
FAST: Final = Package("fast", _fast_kirwls, _fast_fixed_point, _fast_influence, _fast_kernel)
PACKAGES: Final = (REFERENCE, FAST)
