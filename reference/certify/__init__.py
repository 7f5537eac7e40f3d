"""Not in the paper: enclosures of fixed points, of the recipe and of single values, by ball arithmetic.

Everything here computes with Arb (python-flint, extra `verify`) and shares nothing with the rest of the
package but the reading of numbers, so an enclosure checks both implementations. Numbers are read exactly; a
result either holds the exact answer or says what could not be proved.
"""

from rkde.reference.certify.balls import DEFAULT_BITS, DecimalBall, decimal_ball, working_bits
from rkde.reference.certify.bandwidths import enclose_bandwidth
from rkde.reference.certify.depth_and_vkde import VariableBandwidths, enclose_depth, enclose_vkde
from rkde.reference.certify.fixed_point import certify_fixed_point
from rkde.reference.certify.influence import InfluenceEnclosure, enclose_influence
from rkde.reference.certify.iterates import (
    Steps,
    enclose_distance,
    enclose_objective,
    enclose_residual_norms,
    enclose_steps,
)
from rkde.reference.certify.limit import certify_limit
from rkde.reference.certify.losses import BallLoss, Piece
from rkde.reference.certify.median import certify_median, enclose_thresholds
from rkde.reference.certify.recipe import certify_recipe
from rkde.reference.certify.results import Enclosure, ProofStatus, RecipeEnclosure, UnprovedError
from rkde.reference.certify.values import LossValues, enclose_log_density, enclose_log_kernel, enclose_loss

__all__ = [
    "DEFAULT_BITS",
    "BallLoss",
    "DecimalBall",
    "Enclosure",
    "InfluenceEnclosure",
    "LossValues",
    "Piece",
    "ProofStatus",
    "RecipeEnclosure",
    "Steps",
    "UnprovedError",
    "VariableBandwidths",
    "certify_fixed_point",
    "certify_limit",
    "certify_median",
    "certify_recipe",
    "decimal_ball",
    "enclose_bandwidth",
    "enclose_depth",
    "enclose_distance",
    "enclose_influence",
    "enclose_log_density",
    "enclose_log_kernel",
    "enclose_loss",
    "enclose_objective",
    "enclose_residual_norms",
    "enclose_steps",
    "enclose_thresholds",
    "enclose_vkde",
    "working_bits",
]
