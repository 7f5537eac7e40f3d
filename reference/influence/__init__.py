"""The influence function of section 5: Theorem 5, and the contaminated estimates that it describes."""

from rkde.reference.influence.function import contaminate, influence
from rkde.reference.influence.results import Influence
from rkde.reference.influence.total import influence_total

__all__ = [
    "Influence",
    "contaminate",
    "influence",
    "influence_total",
]
