"""Robust kernel density estimation in float64: what users run.

The surface is that of `rkde.reference` without its leading context, and every number is in the same unit:
thresholds, residual norms and distances in tau = k(0, 0)^(1/2), so that nothing but a density depends on the
kernel's normaliser. Inside, only kappa = k / k(0, 0) is formed, distances come from differences, residuals
from D = 2 (1 - kappa), and densities stay logarithms.

A star import brings every name but `rkde`, which is also the name of the package: import that one by name.
"""

from rkde.fast._resources import Compute
from rkde.fast.bandwidth import (
    BANDWIDTH_RULES,
    bandwidth,
    lkcv,
    lscv,
    median_nn,
    median_nn_distinct,
    scott,
    silverman,
)
from rkde.fast.estimates import Kde, NearestVkde, Rkde, Vkde, kde, median_rkde, nearest_vkde, thresholds, vkde
from rkde.fast.estimates import rkde as rkde
from rkde.fast.influence import Influence, contaminate, influence, influence_total
from rkde.fast.io import load_columns, load_model, save_model
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, Student
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import DenseOperator
from rkde.fast.rkhs import (
    RkhsElement,
    distance_matrix,
    gram,
    log_density,
    neg_gradient,
    objective,
    objective_differential,
    residual_norms,
    surrogate_loss,
    surrogate_objective,
)
from rkde.fast.scoring import (
    Explanation,
    HighestDensityRegion,
    KlDivergence,
    RocCurve,
    SignedRank,
    SurprisalTail,
    auc,
    depth,
    explain,
    false_discoveries,
    highest_density_region,
    kl_divergence,
    roc_curve,
    signed_rank,
    surprisal_tail,
    tail_probabilities,
)
from rkde.fast.solvers import FixedPoint, KirwlsResult, fixed_point, kirwls, kirwls_step
from rkde.vocabulary import (
    Certificate,
    FixedSteps,
    RelativeObjective,
    Stationarity,
    Status,
    StopRule,
)

# Without `rkde`: a star import would put the function in the place of the package's own name.
__all__ = [
    "BANDWIDTH_RULES",
    "Absolute",
    "Certificate",
    "Compute",
    "DenseOperator",
    "Explanation",
    "FixedPoint",
    "FixedSteps",
    "Gaussian",
    "Hampel",
    "HighestDensityRegion",
    "Huber",
    "Influence",
    "Kde",
    "Kernel",
    "KirwlsResult",
    "KlDivergence",
    "Laplacian",
    "Loss",
    "NearestVkde",
    "Quadratic",
    "RelativeObjective",
    "Rkde",
    "RkhsElement",
    "RocCurve",
    "SignedRank",
    "Stationarity",
    "Status",
    "StopRule",
    "Student",
    "SurprisalTail",
    "Vkde",
    "auc",
    "bandwidth",
    "contaminate",
    "depth",
    "distance_matrix",
    "explain",
    "false_discoveries",
    "fixed_point",
    "gram",
    "highest_density_region",
    "influence",
    "influence_total",
    "kde",
    "kirwls",
    "kirwls_step",
    "kl_divergence",
    "lkcv",
    "load_columns",
    "load_model",
    "log_density",
    "lscv",
    "median_nn",
    "median_nn_distinct",
    "median_rkde",
    "nearest_vkde",
    "neg_gradient",
    "objective",
    "objective_differential",
    "residual_norms",
    "roc_curve",
    "save_model",
    "scott",
    "signed_rank",
    "silverman",
    "surprisal_tail",
    "surrogate_loss",
    "surrogate_objective",
    "tail_probabilities",
    "thresholds",
    "vkde",
]
