"""Claims about the thresholds a, b, c of section 6.1.2: percentile rule, order, where f_med sits."""

from fractions import Fraction
from typing import Final

import pytest
import z3
from flint import arb

from rkde.errors import AllWeightsZero, DegenerateThresholds
from rkde.fast.estimates import rkde as fast_rkde
from rkde.proofs_checks import bridge, moves, witnesses
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.reference.certify import certify_median, certify_recipe, enclose_thresholds
from rkde.reference.kernels import Gaussian
from rkde.reference.solvers import kirwls_step
from rkde.vocabulary import QuantileRule

RULE = Claim(
    id="thresholds.percentile_rule",
    label="ssec:exp_setup (percentiles)",
    section="6.1.2",
    statement="'The 75th percentile' determines b: which of the usual rules computes it does not matter.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {1.2, -1.4, -1, 1.3}, sigma = 2: numpy's rule gives b = 0.792 and the estimate drops row 2; "
        "Matlab's (Hazen) gives b = 0.820 and row 2 keeps weight 0.2166."
    ),
    counterexample=("check_two_rules_give_two_estimates",),
    source=Source.UNSPECIFIED,
)
COINCIDE = Claim(
    id="thresholds.coincide",
    label="ssec:exp_setup (a, b, c), eqn:hampel",
    section="6.1.2",
    statement="The three percentiles satisfy a < b < c, so that Hampel's psi is defined.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "Two rows, an equilateral triangle, a square: symmetry makes the residuals of f_med equal, so "
        "a = b = c, and psi divides by c - b = 0. Both implementations refuse."
    ),
    counterexample=("check_symmetric_rows_have_one_threshold",),
    source=Source.IMPLIED,
)
ZERO = Claim(
    id="thresholds.zero",
    label="ssec:exp_setup (a, b, c)",
    section="6.1.2",
    statement="The median a of the residuals is positive.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument="X = {0, 0, 0, 1, 5}: f_med is the triple row, three of five residuals are 0, so a = 0.",
    counterexample=("check_a_majority_makes_a_zero",),
    source=Source.IMPLIED,
)
ORDER = Claim(
    id="thresholds.order",
    label="ssec:exp_setup (a, b, c)",
    section="6.1.2",
    statement=(
        "a <= b <= c always, and with 0 < a < c the first step of KIRWLS from f_med is defined: some phi is "
        "positive."
    ),
    hypotheses=("a > 0", "a < c"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "Quantiles grow with their level. The least residual is at most a, so below c, and phi is positive "
        "at it: psi(t) > 0 for 0 < t < c, and phi(0) = 1. For a = 0 Hampel's psi is 0 everywhere."
    ),
    necessity=(
        ("a > 0", "check_a_median_of_zero_leaves_no_psi"),
        ("a < c", "check_equal_thresholds_leave_no_weight"),
    ),
    source=Source.IMPLIED,
    proof_class=ProofClass.B,
)
_ORBITS: Final = ([[0], [3]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0], [0, 1], [1, 0], [1, 1]])
_MAJORITY: Final = [[0], [0], [0], [1], [5]]


def _recipe_weight(rule: QuantileRule) -> tuple[arb, arb]:
    """Return b and the weight of row 2 of the recipe's answer."""
    answer = certify_recipe(witnesses.FOUR, bandwidth=witnesses.FOUR_BANDWIDTH, quantile_rule=rule)
    assert answer.final.branch_proved
    return answer.thresholds[1], answer.final.weights[1]


@evidence(RULE, level=Level.CERTIFIED)
def check_two_rules_give_two_estimates() -> None:
    """Enclose the recipe with both rules: row 2 has weight 0, or more than 0.2."""
    numpy_b, numpy_weight = _recipe_weight("linear")
    matlab_b, matlab_weight = _recipe_weight("hazen")
    assert numpy_b < arb("0.80") < arb("0.82") < matlab_b
    assert numpy_weight == 0
    assert matlab_weight > arb("0.2")


@evidence(COINCIDE, level=Level.CERTIFIED)
@pytest.mark.parametrize("rows", _ORBITS)
def check_symmetric_rows_have_one_threshold(rows: list[list[int]]) -> None:
    """f_med has exactly equal weights, its residuals one enclosure of radius below 1e-60; both refuse."""
    median = certify_median(rows, Gaussian(1))
    assert median.exact_weights == (Fraction(1, len(rows)),) * len(rows)
    a, b, c = enclose_thresholds(rows, Gaussian(1))
    assert a.overlaps(b)
    assert b.overlaps(c)
    assert max(abs(a - b).abs_upper(), abs(c - b).abs_upper()) < arb("1e-60")
    with pytest.raises(DegenerateThresholds):
        certify_recipe(rows, bandwidth=1)
    with pytest.raises(DegenerateThresholds):
        fast_rkde([[float(cell) for cell in row] for row in rows], bandwidth=1.0)


@evidence(ZERO, level=Level.CERTIFIED)
def check_a_majority_makes_a_zero() -> None:
    """Solve exactly: the weights are rational, and the median residual is exactly 0."""
    median = certify_median(_MAJORITY, Gaussian(1))
    assert median.exact_weights == (Fraction(1, 3),) * 3 + (Fraction(0),) * 2
    assert enclose_thresholds(_MAJORITY, Gaussian(1))[0] == 0
    with pytest.raises(DegenerateThresholds):
        certify_recipe(_MAJORITY, bandwidth=1)
    with pytest.raises(DegenerateThresholds):
        fast_rkde([[float(cell) for cell in row] for row in _MAJORITY], bandwidth=1.0)


@evidence(ORDER, level=Level.PROVED)
def check_quantiles_are_ordered() -> None:
    """Refute that interpolation of ordered values falls as its position grows, within and across gaps."""
    low, middle, high, left, right = z3.Reals("d_0 d_1 d_2 s t")
    ordered = [low <= middle, middle <= high, left >= 0, left <= 1, right >= 0, right <= 1]
    first = low + left * (middle - low)
    assert not has_model(*ordered, left <= right, low + right * (middle - low) < first)
    assert not has_model(*ordered, middle + right * (high - middle) < first)


@evidence(ORDER, level=Level.PROVED)
def check_phi_is_positive_below_c() -> None:
    """Refute psi(t) <= 0 for 0 < t <= a < c, and psi(t) other than t near 0, for all thresholds."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    for part in loss.at(t):
        assert not has_model(*loss.admissible, inside(part, t), t > 0, t < loss.c, part.psi <= 0)
    first = loss.at(t)[0]
    assert not has_model(*loss.admissible, inside(first, t), first.psi != t)


@evidence(ORDER, level=Level.TESTED, corroborates=True)
def check_equal_thresholds_leave_no_weight() -> None:
    """Two rows, thresholds just below their common residual: phi is 0 at f_med, and both steps are 0/0."""
    ctx, rows, kernel = bridge.context(), [[0.0], [3.0]], KernelSpec("gaussian", 1.0)
    residual = enclose_thresholds(rows, Gaussian(1))[0]
    spec = LossSpec("hampel", (0.5, 0.625, 0.6875))
    assert residual > arb(spec.thresholds[-1])
    with pytest.raises(AllWeightsZero):
        kirwls_step(ctx, rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec), [0.5, 0.5])
    with pytest.raises(AllWeightsZero):
        moves.step(rows, kernel, spec, [0.5, 0.5])


@evidence(ORDER, level=Level.PROVED)
def check_a_median_of_zero_leaves_no_psi() -> None:
    """Put a = 0 (thresholds.zero) into Hampel's pieces: no b < c and no t with psi(t) other than 0."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    known = [loss.b >= 0, loss.b < loss.c, loss.ramp * (loss.c - loss.b) == loss.a]
    for part in loss.at(t):
        assert not has_model(*known, loss.a == 0, inside(part, t), part.psi != 0)
