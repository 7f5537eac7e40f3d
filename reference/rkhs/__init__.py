"""Elements of the Hilbert space, their norms and values, and the objective J of equation (6)."""

from rkde.reference.rkhs.elements import (
    RkhsElement,
    distance_matrix,
    gram,
    log_density,
    log_sum_exp,
    norms_from_distances,
    printed_residual_norm,
    residual_inner_product,
    residual_norms,
)
from rkde.reference.rkhs.objective import (
    mass_phi,
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
    "gram",
    "log_density",
    "log_sum_exp",
    "mass_phi",
    "mean_loss",
    "neg_gradient",
    "norms_from_distances",
    "objective",
    "objective_differential",
    "printed_residual_norm",
    "residual_inner_product",
    "residual_norms",
    "surrogate_loss",
    "surrogate_objective",
]
