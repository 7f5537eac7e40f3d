"""Data sets on which the recipe ends above another local minimum, and where another start leads."""

from dataclasses import dataclass
from typing import Final

from flint import arb

from rkde.proofs_checks import witnesses
from rkde.reference.certify import Enclosure, RecipeEnclosure
from rkde.reference.certify.balls import working_bits
from rkde.reference.certify.groups import location_groups
from rkde.reference.certify.kernels import ball_kernel_family
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.path import follow
from rkde.reference.certify.results import Solution
from rkde.reference.certify.results_from_weights import assemble
from rkde.reference.certify.sample import read_sample
from rkde.reference.kernels import Gaussian


@dataclass(frozen=True, slots=True)
class Case:
    """One data set.

    Attributes
    ----------
    rows : list of list of str
    start : list of int
        The other start, before it is divided by its sum.
    thresholds : tuple of str
        The recipe's, to four decimals.
    values : tuple of str
        J at the end of the other start lies below both, J at the end of the recipe above both.
    """

    rows: list[list[str]]
    start: list[int]
    thresholds: tuple[str, str, str]
    values: tuple[str, str]


CASES: Final = {
    "six": Case(
        witnesses.SIX, witnesses.ON_THE_SECOND, ("0.8152", "0.8554", "0.8953"), ("0.26061", "0.32238")
    ),
    "twenty": Case(
        witnesses.TWENTY, witnesses.ON_THE_CLOSE, ("1.0357", "1.0498", "1.0614"), ("0.38747", "0.41656")
    ),
}


def end_from(case: Case, recipe: RecipeEnclosure) -> Enclosure:
    """Enclose where KIRWLS with bandwidth and thresholds of the recipe goes from the other start."""
    bits = recipe.final.bits
    with working_bits(bits):
        locations = location_groups(read_sample(case.rows), ball_kernel_family(Gaussian, recipe.bandwidth))
        loss, total = BallLoss("hampel", recipe.thresholds), sum(case.start)
        reached = follow(locations, loss, [arb(share) / total for share in case.start])
        solution = Solution(reached.weights)
        return assemble(locations, locations, loss, solution, branch_proved=reached.proved, bits=bits)
