"""Elements of the Hilbert space, their norms and values, and the objective J of equation (6)."""

from rkde.fast.rkhs.elements import (
    RkhsElement,
    distance_matrix,
    exp_log_density,
    gram,
    leave_one_out,
    log_density,
    mixture_log_density,
    residual_norms,
)
from rkde.fast.rkhs.objective import (
    mean_loss,
    neg_gradient,
    objective,
    objective_differential,
    surrogate_loss,
    surrogate_objective,
)

__all__ = [
    "RkhsElement",
    "distance_matrix",
    "exp_log_density",
    "gram",
    "leave_one_out",
    "log_density",
    "mean_loss",
    "mixture_log_density",
    "neg_gradient",
    "objective",
    "objective_differential",
    "residual_norms",
    "surrogate_loss",
    "surrogate_objective",
]
