"""The paper as a readable program: robust kernel density estimation at any precision.

Every function takes an isolated mpmath context first (`make_context(digits)`) and returns numbers that are
right to its precision; inputs are ints, floats (their exact binary value), decimal strings or mpfs. Residual
norms and thresholds are in units of tau = |Phi(x)|, J is in tau^2.

Its rooms follow the paper: `kernels` and `losses` (section 2), `rkhs` (norms, J and its differential,
sections 2 and 3), `solvers` (KIRWLS and its limit, section 4), `influence` (section 5), `bandwidth`,
`estimates` and `scoring` (section 6). The first line of each file says where in the paper it belongs, or that
it is not in the paper; the rooms `numbers` and `certify` are not. Lemmas, theorems and assumptions stand as
printed where their subject is, each with the ledger's verdict and the claim that holds the evidence
(*repaired*: true with what is said beside it); proofs and their steps are the ledger's alone
(proofs_checks/LEDGER.md).

A star import brings every name but `rkde`, which is also the name of the package: import that one by name.

Examples
--------
>>> from rkde.reference import Gaussian, log_density, make_context
>>> ctx = make_context(30)
>>> print(*log_density(ctx, [[0], [1]], Gaussian("0.1"), ["0.5", "0.5"], [[10]]))
-4049.3095006207705723671795704
"""

from rkde.reference.bandwidth import (
    BANDWIDTH_RULES,
    bandwidth,
    median_nn,
    median_nn_distinct,
    scott,
    silverman,
)
from rkde.reference.estimates import (
    Kde,
    NearestVkde,
    Rkde,
    Vkde,
    kde,
    median_rkde,
    nearest_vkde,
    thresholds,
    vkde,
)
from rkde.reference.estimates import rkde as rkde
from rkde.reference.influence import Influence, contaminate, influence, influence_total
from rkde.reference.kernels import Gaussian, Kernel, Laplacian, Student
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.reference.numbers import Number, make_context, to_mpf
from rkde.reference.rkhs import (
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
from rkde.reference.scoring import (
    Explanation,
    KlDivergence,
    RocCurve,
    SignedRank,
    SurprisalTail,
    auc,
    depth,
    explain,
    false_discoveries,
    kl_divergence,
    roc_curve,
    signed_rank,
    surprisal_tail,
)
from rkde.reference.solvers import FixedPoint, KirwlsResult, fixed_point, kirwls, kirwls_step
from rkde.vocabulary import Certificate, FixedSteps, RelativeObjective, Stationarity, Status, StopRule

# Without `rkde`: a star import would put the function in the place of the package's own name.
__all__ = [
    "BANDWIDTH_RULES",
    "Absolute",
    "Certificate",
    "Explanation",
    "FixedPoint",
    "FixedSteps",
    "Gaussian",
    "Hampel",
    "Huber",
    "Influence",
    "Kde",
    "Kernel",
    "KirwlsResult",
    "KlDivergence",
    "Laplacian",
    "Loss",
    "NearestVkde",
    "Number",
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
    "influence",
    "influence_total",
    "kde",
    "kirwls",
    "kirwls_step",
    "kl_divergence",
    "log_density",
    "make_context",
    "median_nn",
    "median_nn_distinct",
    "median_rkde",
    "nearest_vkde",
    "neg_gradient",
    "objective",
    "objective_differential",
    "residual_norms",
    "roc_curve",
    "scott",
    "signed_rank",
    "silverman",
    "surprisal_tail",
    "surrogate_loss",
    "surrogate_objective",
    "thresholds",
    "to_mpf",
    "vkde",
]
