"""The limit of KIRWLS for (1 - s) F_n + s delta_x', whose derivative at s = 0 is the influence function."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from rkde.errors import NotConverged
from rkde.fast._float64 import Floats, read_only
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers import (
    FixedPoint,
    Iterate,
    fixed_point_residual,
    iterate_at,
    mass_median,
    next_weights,
    with_masses,
)
from rkde.vocabulary import Certificate, Stationarity, Status

# A step that moves no weight by more than this share of the largest may be rounding alone ...
_STATIONARY: Final = 1e-12
# ... and is, after so many steps without a smaller one; at once where it is this small.
_PATIENCE: Final = 8
_LAST_DIGITS: Final = 2.0**-52


def contaminated_limit(
    operator: KernelOperator, loss: Loss, masses: Floats, start: Floats, cap: int
) -> FixedPoint:
    """Return the limit of KIRWLS with w_i proportional to m_i phi(r_i), for masses m_i of sum 1.

    Nothing is proved about it except its residual.
    """
    if math.isinf(float(loss.phi([0.0])[0])) and (masses > 0).all():
        # It may lie on a row, where steps never arrive; the limit does not depend on the start.
        return mass_median(operator, masses)
    heavy = with_masses(loss, masses)
    state = iterate_at(operator, heavy, start)
    path, residuals = [state.objective], [fixed_point_residual(heavy, state)]
    while not _is_settled(residuals):
        if len(path) > cap:
            raise NotConverged(
                f"KIRWLS did not settle within {cap} steps",
                where="s",
                value=f"max|T(w) - w| / max w = {residuals[-1]:.3g}",
                remedy="take another s; the contaminated objective is nearly flat here",
            )
        state = iterate_at(operator, heavy, next_weights(heavy, state.norms))
        path.append(state.objective)
        residuals.append(fixed_point_residual(heavy, state))
    return _result(state, path, start, residuals[-1])


def _is_settled(residuals: list[float]) -> bool:
    if residuals[-1] <= _LAST_DIGITS:
        return True
    best = min(residuals[:-_PATIENCE], default=math.inf)
    return best <= _STATIONARY and min(residuals[-_PATIENCE:]) >= best


def _result(state: Iterate, path: list[float], start: Floats, residual: float) -> FixedPoint:
    return FixedPoint(
        weights=read_only(state.weights),
        residual_norms=read_only(state.norms),
        objective=float(state.objective),
        objective_path=read_only(np.array(path)),
        status=Status.CONVERGED,
        n_iter=len(path) - 1,
        stop=Stationarity(_STATIONARY),
        weights_init=read_only(start),
        fixed_point_residual=residual,
        certificate=Certificate.STATIONARY,
        error_bound=math.inf,
        weights_error_bound=math.inf,
        gap=None,
        curvature_margin=None,
    )
