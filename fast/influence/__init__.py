"""The influence function of section 5, and the contaminated estimates of which it is the derivative."""

from rkde.fast.influence.function import contaminate, estimate_influence, influence
from rkde.fast.influence.one_sided import systems_by_pattern
from rkde.fast.influence.results import Influence
from rkde.fast.influence.stationary_point import InfluenceInputs, linearisation_point
from rkde.fast.influence.theorem5 import theorem_5_coefficients
from rkde.fast.influence.total import influence_total

__all__ = [
    "Influence",
    "InfluenceInputs",
    "contaminate",
    "estimate_influence",
    "influence",
    "influence_total",
    "linearisation_point",
    "systems_by_pattern",
    "theorem_5_coefficients",
]
