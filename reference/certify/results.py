"""What a proof returns: enclosures with all that was decided, or the reason why nothing is proved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from flint import arb

from rkde.errors import RkdeError
from rkde.reference.certify.balls import exact_ball, magnitude
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.losses import Piece
from rkde.vocabulary import BandwidthRule, Certificate, QuantileRule, RecipeName, Start


class ProofStatus(StrEnum):
    """How far a proof got."""

    EXACT = "exact"
    ENCLOSED = "enclosed"
    UNDECIDED = "undecided"


class UnprovedError(RkdeError):
    """A step of a proof failed; functions that return an `Enclosure` put the reason there instead."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Weights of the groups: balls, and the rational numbers themselves where they are known.

    Attributes
    ----------
    weights : list of flint.arb, shape (m,)
    exact : list of fractions.Fraction or None, shape (m,)
    """

    weights: list[arb]
    exact: list[Fraction] | None = None


@dataclass(frozen=True, slots=True)
class Enclosure:
    """One stationary point of KIRWLS, enclosed; or the reason why it is not.

    Attributes
    ----------
    status : ProofStatus
        ``exact``: the weights are known rational numbers. ``enclosed``: the balls hold exactly one stationary
        point (of those with the symmetry of data and start, where a start was stated). ``undecided``: nothing
        is proved, and every field below `reason` is empty or None.
    reason : str
        What could not be proved; empty where everything was.
    certificate : rkde.vocabulary.Certificate or None
        ``global`` for a convex loss; else by the Hessian's form on the whole ball: positive definite
        (``local_minimum``), negative along a stated direction (``saddle``), neither shown (``stationary``).
    branch_proved : bool
        Whether KIRWLS from the stated start is proved to converge to this point; always False where no start
        was stated and the loss is not convex.
    weights : tuple of flint.arb, shape (n,)
        One ball for each row.
    exact_weights : tuple of fractions.Fraction or None, shape (n,)
        The weights themselves where the status is ``exact``.
    residual_norms : tuple of flint.arb, shape (n,)
        In tau.
    pieces : tuple of tuple of Piece, shape (n,)
        The piece of the loss that each residual norm lies in; two or more where a kink could not be decided.
    objective : flint.arb or None
        J at the point, in tau^2 (absolute loss: tau).
    phi_sum : flint.arb or None
        gamma, the sum of phi over the rows; None where it is infinite.
    curvature_margin : flint.arb or None
        A proved positive lower bound of the smallest eigenvalue of n / gamma times the Hessian of J, or, for
        a saddle, a proved negative upper bound of it; None where neither is proved.
    bits : int
        The precision that was needed.
    """

    status: ProofStatus
    reason: str
    certificate: Certificate | None
    branch_proved: bool
    weights: tuple[arb, ...]
    exact_weights: tuple[Fraction, ...] | None
    residual_norms: tuple[arb, ...]
    pieces: tuple[tuple[Piece, ...], ...]
    objective: arb | None
    phi_sum: arb | None
    curvature_margin: arb | None
    bits: int

    @property
    def radius(self) -> arb:
        """The largest radius of a weight; infinite where nothing is proved."""
        return magnitude(weight.rad() for weight in self.weights) if self.weights else arb.pos_inf()


@dataclass(frozen=True, slots=True)
class RecipeEnclosure:
    """The paper's recipe, enclosed from the rows to the final weights.

    Attributes
    ----------
    bandwidth : flint.arb
        In the unit of the data.
    bandwidth_rule : str or None
        The rule that gave it, None for a number.
    thresholds : tuple of flint.arb
        (a, b, c), (a,), or () as the loss has them, in tau; () also where they are undecided.
    recipe : {"paper", "authors-program", "custom"}
        "custom" where an argument overrides the named recipe.
    quantiles : tuple of str or None
        Levels of the thresholds; None where order statistics are named instead.
    quantile_rule : str or None
        The rule, by numpy's name.
    start : str
        Where KIRWLS starts in the second stage.
    median : Enclosure
        f_med.
    final : Enclosure
        The stationary point that KIRWLS reaches from `start`.
    """

    bandwidth: arb
    bandwidth_rule: BandwidthRule | None
    thresholds: tuple[arb, ...]
    recipe: RecipeName | Literal["custom"]
    quantiles: tuple[str, ...] | None
    quantile_rule: QuantileRule | None
    start: Start
    median: Enclosure
    final: Enclosure


def exact_solution(weights: list[Fraction]) -> Solution:
    """Wrap weights that are known exactly."""
    return Solution([exact_ball(weight) for weight in weights], weights)


def equal_shares(groups: Groups) -> Solution:
    """Give every row the weight 1/n."""
    return exact_solution([Fraction(size, groups.n_rows) for size in groups.size])


def undecided(reason: str, bits: int) -> Enclosure:
    """Say that nothing is proved, and why."""
    return Enclosure(
        status=ProofStatus.UNDECIDED,
        reason=reason,
        certificate=None,
        branch_proved=False,
        weights=(),
        exact_weights=None,
        residual_norms=(),
        pieces=(),
        objective=None,
        phi_sum=None,
        curvature_margin=None,
        bits=bits,
    )
