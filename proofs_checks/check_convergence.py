"""Claims about convexity and about the limit of KIRWLS (Theorem 3's corollary, Lemmas 2 and 4)."""

from collections.abc import Iterator, Sequence
from typing import Final

import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st
from mpmath import MPContext, mpf

from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks import property_measures as measures
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.draws import PAIRS, at_every_draw
from rkde.proofs_checks.measures import absolute_errors
from rkde.proofs_checks.property_cases import Case, limit_cases, path_cases
from rkde.proofs_checks.property_runs import PACKAGES
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.numbers import Number, make_context
from rkde.reference.solvers import kirwls_step
from rkde.vocabulary import Stationarity

CONVEX_LIMIT = Claim(
    id="convergence.convex",
    label="thm:convergence_bm (corollary), thm:sufficient",
    section="4",
    statement=(
        "For a convex, strictly increasing rho with a phi that never rises, and at least three distinct "
        "rows, the limit of KIRWLS is the minimiser of J: no other weights have a lower J."
    ),
    hypotheses=("convex", "strictly_increasing", "phi_nonincreasing", "three distinct rows"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "The theorem behind it is theorems.corollary. At the end of a run J exceeds any other value by no "
        "more than the gradient there, which the tolerance of the run bounds, allows. Without a monotone phi "
        "the iterates may cycle (limit_points.rising_phi). The absolute loss, for which phi(0) is infinite, "
        "is tested with the others, on data whose minimiser is not a row."
    ),
    source=Source.PRINTED,
)
THREE_POINTS = Claim(
    id="convergence.three_distinct_rows",
    label="lemma:strict_convex, lem:lindep, lem:lindep1",
    section="3",
    statement=(
        "J is strictly convex for a convex, strictly increasing rho as soon as three of the rows have "
        "distinct features; K need not be positive definite, rows may repeat."
    ),
    hypotheses=("convex", "strictly_increasing", "all features have one norm tau", "three distinct rows"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "Equality for g and h in every triangle inequality makes Phi_i - g and Phi_i - h dependent, hence"
        " every Phi_i lies on the line through g and h; that line meets the sphere |Phi| = tau at most "
        "twice."
    ),
    necessity=(("three distinct rows", "check_two_rows_have_a_flat_objective"),),
    source=Source.PRINTED,
)
TWO_POINTS = Claim(
    id="convergence.two_rows",
    label="lemma:strict_convex",
    section="3",
    statement=(
        "Three is sharp: for two rows J of the absolute loss, and of Huber beyond a, is constant between "
        "them, so that it is not strictly convex, though rho is convex and strictly increasing."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "With weight w on the first of two rows at distance D the norms are (1 - w) D and w D; their sum "
        "is constant. Huber's rho is of this kind where 2 a < D, on the middle part. Two rows with a regular "
        "kernel matrix and D > 1 exist on the sphere of radius 1."
    ),
    source=Source.PRINTED,
)

_CONVEX: Final = ("absolute", "huber")
_CONVEX_PAIRS: Final = tuple(pair for pair in PAIRS if pair.loss in _CONVEX)
_STOPS: Final = {"reference": Stationarity("1e-12"), "fast": Stationarity(1e-9)}
_FINE_DIGITS: Final = 80
_ROUNDINGS: Final = 16
# Shares of the weight that are moved to a row: a near and a far neighbour of the limit.
_SHARES: Final = ("1e-2", "1e-4")


@evidence(CONVEX_LIMIT, level=Level.TESTED)
@at_every_draw(limit_cases, 0.25, pairs=_CONVEX_PAIRS)
def check_no_weights_are_lower(case: Case) -> None:
    """Evaluate J where both packages end, at the starts, and with a share of the weight moved to each row."""
    ctx = make_context(_FINE_DIGITS)
    for package in PACKAGES:
        stop = _STOPS[package.name]
        end = measures.Point.at(ctx, case, package.kirwls(case, case.starts[1], stop).weights)
        lowest = measures.objective(ctx, case, end.weights)
        loss = bridge.reference_loss(case.loss)
        phi_sum = float(ctx.fsum(loss.phi(ctx, norm) for norm in end.norms))
        # Not the step itself: of a run that ended too early it would excuse the end.
        length = tolerances.longest_step(float(stop.tol) * float(max(end.weights)), len(case.rows))
        slack = tolerances.convex_gap(phi_sum, length, len(case.rows))
        others: list[Sequence[Number]] = [*case.starts, *_neighbours(ctx, end.weights)]
        for weights in others:
            assert float(lowest - measures.objective(ctx, case, weights)) <= slack


def _neighbours(ctx: MPContext, weights: list[mpf]) -> Iterator[list[mpf]]:
    """Yield weights of which a share has been moved to one row."""
    for share in map(ctx.mpf, _SHARES):
        for target in range(len(weights)):
            yield [(1 - share) * weight + share * int(i == target) for i, weight in enumerate(weights)]


@evidence(THREE_POINTS, level=Level.PROVED)
def check_dependence_puts_a_point_on_the_line() -> None:
    """Solve alpha (Phi - g) + beta (Phi - h) = 0 for Phi; alpha + beta = 0 would give g = h."""
    alpha, beta, g, h = sympy.symbols("alpha beta g h", positive=True)
    feature = (alpha * g + beta * h) / (alpha + beta)
    assert is_zero(alpha * (feature - g) + beta * (feature - h))
    factor, at_g, at_h, at_feature = z3.Reals("factor g h feature")
    dependent = factor * (at_feature - at_g) - factor * (at_feature - at_h) == 0
    assert not has_model(dependent, factor * factor > 0, at_g < at_h)


@evidence(THREE_POINTS, level=Level.PROVED)
def check_a_line_meets_a_sphere_at_most_twice() -> None:
    """Refute three roots of |g + s (h - g)|^2 = tau^2, a quadratic in s with positive leading coefficient."""
    leading, linear, constant = z3.Reals("leading linear constant")
    roots = z3.Reals("s_0 s_1 s_2")
    on_sphere = [leading * root * root + linear * root + constant == 0 for root in roots]
    assert not has_model(leading > 0, roots[0] < roots[1], roots[1] < roots[2], *on_sphere)
    assert has_model(leading > 0, roots[0] < roots[1], *on_sphere[:2])


@evidence(THREE_POINTS, level=Level.TESTED, corroborates=True)
@at_every_draw(path_cases, 0.25, pairs=_CONVEX_PAIRS)
def check_the_midpoint_is_lower(case: Case) -> None:
    """Compare J between two starts with the mean of J at both: it is smaller, not only as small."""
    ctx = make_context(_FINE_DIGITS)
    ends = [measures.normalised(ctx, start) for start in case.starts[:2]]
    middle = [(left + right) / 2 for left, right in zip(*ends, strict=True)]
    left, right, between = (measures.objective(ctx, case, weights) for weights in (*ends, middle))
    assert between < (left + right) / 2


@evidence(TWO_POINTS, level=Level.PROVED)
def check_two_rows_have_a_flat_objective() -> None:
    """Write J between two rows symbolically; the derivative with respect to the weight is 0."""
    weight, distance, a = sympy.symbols("w D a", positive=True)
    square = distance * distance
    products = [(1 - weight) * square, weight * square]
    half = (weight * products[0] + (1 - weight) * products[1]) / 2
    assert is_zero(products[0] - half - ((1 - weight) * distance) ** 2)
    assert is_zero(products[1] - half - (weight * distance) ** 2)
    norms = [(1 - weight) * distance, weight * distance]
    assert is_zero((norms[0] + norms[1]).diff(weight))
    assert is_zero((a * norms[0] - a * a / 2 + a * norms[1] - a * a / 2).diff(weight))


@evidence(TWO_POINTS, level=Level.TESTED, corroborates=True)
@given(st.integers(1, 19))
def check_every_weighting_of_two_rows_is_fixed(share: int) -> None:
    """Take a step with the absolute loss from weights (k/20, 1 - k/20) on two rows: nothing moves."""
    ctx, kernel, spec = bridge.context(), KernelSpec("gaussian", 1.0), LossSpec("absolute")
    first = ctx.mpf(share) / 20
    weights = [first, 1 - first]
    after = kirwls_step(
        ctx, [[0], [1]], bridge.reference_kernel(kernel), bridge.reference_loss(spec), weights
    )
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    assert max(absolute_errors(after, weights)) <= bound
