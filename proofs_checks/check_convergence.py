"""Claims about convexity and about the limit of KIRWLS (Theorems 2 and 3, the corollary, Lemmas 2 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import sympy
import z3
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st
from mpmath import MPContext, mpf

from rkde.errors import AllWeightsZero
from rkde.fast.kirwls import kirwls as fast_kirwls
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.measures import absolute_errors
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem, Rows
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.kirwls import kirwls, kirwls_step
from rkde.reference.objective import objective
from rkde.reference.results import KirwlsResult
from rkde.vocabulary import Stationarity, Status

CONVEX_LIMIT = Claim(
    id="convergence.convex",
    label="thm:convergence_bm (corollary), thm:sufficient",
    section="4",
    statement=(
        "For a convex, strictly increasing rho with a phi that never rises, and at least three distinct "
        "rows, KIRWLS from any positive weights converges to the one minimiser of J."
    ),
    hypotheses=("convex", "strictly_increasing", "phi_nonincreasing", "three distinct rows"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "J is strictly convex, so the stationary set has one element, and Theorem 3 sends the iterates "
        "there. From two starts the limits agree, and J exceeds its minimum by no more than the gradient "
        "allows. Without a monotone phi the iterates may cycle (limit_points.corollary); the absolute loss, "
        "which Theorem 3 does not cover, is tested with the others."
    ),
    source=Source.PRINTED,
)
STATIONARY_LIMIT = Claim(
    id="convergence.stationary",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "The iterates approach the set of stationary points: the steps tend to 0, for Hampel too, if some"
        " phi stays positive."
    ),
    hypotheses=("phi_nonincreasing", "sum phi > 0"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "The squared steps are summable by the amount of descent. The printed theorem lacks the proviso "
        "on phi, without which an iterate may not exist."
    ),
    source=Source.PRINTED,
)
THREE_POINTS = Claim(
    id="convergence.three_distinct_rows",
    label="lemma:strict_convex, lem:lindep, lem:lindep1",
    section="3",
    statement=(
        "J is strictly convex for a convex, strictly increasing rho as soon as three of the rows are "
        "distinct; K need not be positive definite, rows may repeat."
    ),
    hypotheses=("convex", "strictly_increasing", "three distinct rows"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "Equality for g and h in every triangle inequality makes Phi_i - g and Phi_i - h dependent, hence"
        " every Phi_i lies on the line through g and h; that line meets the sphere |Phi| = tau at most "
        "twice."
    ),
    necessity=(("three distinct rows", "check_two_rows_have_a_flat_objective"),),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
TWO_POINTS = Claim(
    id="convergence.two_rows",
    label="lemma:strict_convex",
    section="3",
    statement=(
        "Three is sharp: for two rows J of the absolute loss, and of Huber beyond a, is constant between "
        "them."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "With weight w on the first of two rows at distance D the norms are (1 - w) D and w D; their sum "
        "is constant."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

_CONVEX: Final = ("absolute", "huber")
_FINE: Final = Stationarity("1e-25")
_COARSE: Final = Stationarity(1e-10)
_CAP: Final = 4000
_SHARE: Final = "1e-4"
_FAST_CAP: Final = 20_000
_ROUNDINGS: Final = 16


def _positive(weights: Sequence[float]) -> list[float]:
    """Mix weights evenly with the uniform ones."""
    return [(weight + 1 / len(weights)) / 2 for weight in weights]


def _run(
    ctx: MPContext, rows: Rows, kernel: KernelSpec, spec: LossSpec, start: Sequence[float]
) -> KirwlsResult:
    return kirwls(
        ctx,
        rows,
        bridge.reference_kernel(kernel),
        bridge.reference_loss(spec),
        weights_init=start,
        stop=_FINE,
        max_iter=_CAP,
    )


def _distance_to_limit(
    ctx: MPContext, rows: Rows, kernel: KernelSpec, spec: LossSpec, weights: Sequence[mpf]
) -> float:
    """Bound max|w - w*| from two more steps."""
    built = bridge.reference_kernel(kernel), bridge.reference_loss(spec)
    once = kirwls_step(ctx, rows, *built, weights)
    twice = kirwls_step(ctx, rows, *built, once)
    first, second = max(absolute_errors(once, weights)), max(absolute_errors(twice, once))
    floor = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    return tolerances.geometric_bound(max(first, floor), second / first if first > floor else 0.0)


@evidence(CONVEX_LIMIT, level=Level.TESTED)
@strategies.examples(0.25)
@given(strategies.scattered(3, 6, 2), strategies.losses(_CONVEX), st.integers(-1, 3), st.data())
def check_two_starts_one_limit(rows: Rows, spec: LossSpec, exponent: int, data: st.DataObject) -> None:
    """Run the reference from two starts to steps below 1e-25: the weights agree."""
    assume(strategies.distinct_locations(rows) >= 3)
    ctx, kernel = bridge.context(), KernelSpec("gaussian", 2.0**exponent)
    starts = [_positive(data.draw(strategies.weight_vectors(len(rows)))), [1 / len(rows)] * len(rows)]
    ends = [_run(ctx, rows, kernel, spec, start) for start in starts]
    if any(end.status != Status.CONVERGED for end in ends):
        reject()  # where |R_j| is nearly m, the absolute loss converges slower than geometrically
    allowed = sum(_distance_to_limit(ctx, rows, kernel, spec, end.weights) for end in ends)
    assert max(absolute_errors(ends[0].weights, ends[1].weights)) <= allowed


@evidence(CONVEX_LIMIT, level=Level.TESTED)
@strategies.examples(0.25)
@given(strategies.scattered(3, 6, 2), strategies.losses(_CONVEX), st.integers(-1, 3))
@example([[0.0], [1.0], [4.0]], LossSpec("huber", (0.25,)), 0)
def check_limit_has_no_lower_neighbour(rows: Rows, spec: LossSpec, exponent: int) -> None:
    """Move a share of the limit's weight to each row in turn: J does not fall."""
    assume(strategies.distinct_locations(rows) >= 3)
    ctx, kernel = bridge.context(), KernelSpec("gaussian", 2.0**exponent)
    end = _run(ctx, rows, kernel, spec, [1 / len(rows)] * len(rows))
    if end.status != Status.CONVERGED:
        reject()  # as above
    built = bridge.reference_kernel(kernel), bridge.reference_loss(spec)
    phi_sum = ctx.fsum(built[1].phi(ctx, norm) for norm in end.residual_norms)
    if ctx.isinf(phi_sum):
        return  # f is a data location; median.location_rule says when it is the minimiser
    length = bridge.feature_distance(
        ctx, rows, kernel, end.weights, kirwls_step(ctx, rows, *built, end.weights)
    )
    slack = tolerances.convex_gap(float(phi_sum), float(length), len(rows))
    slack += tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * float(end.objective)
    share = ctx.mpf(_SHARE)
    for target in range(len(rows)):
        moved = [(1 - share) * weight + share * int(i == target) for i, weight in enumerate(end.weights)]
        assert float(end.objective - objective(ctx, rows, *built, moved)) <= slack


@evidence(CONVEX_LIMIT, level=Level.TESTED)
@given(strategies.problems(6, 2, wide=False), strategies.losses(_CONVEX), st.data())
def check_gap_of_convex_losses(problem: Problem, spec: LossSpec, data: st.DataObject) -> None:
    """Bound J(f) - J(g) by the next step at f, for any two weighted density estimates f and g."""
    ctx, rows, loss = bridge.context(), problem.X, bridge.reference_loss(spec)
    kernel, other = (
        bridge.reference_kernel(problem.kernel),
        data.draw(strategies.weight_vectors(len(problem.X))),
    )
    result = kirwls(ctx, rows, kernel, loss, weights_init=problem.weights, max_iter=0)
    phi_sum = ctx.fsum(loss.phi(ctx, norm) for norm in result.residual_norms)
    if ctx.isinf(phi_sum):
        reject()
    after = kirwls_step(ctx, rows, kernel, loss, result.weights)
    length = bridge.feature_distance(ctx, rows, problem.kernel, result.weights, after)
    gap = tolerances.convex_gap(float(phi_sum), float(length), len(rows))
    there = objective(ctx, rows, kernel, loss, other)
    rounding = tolerances.sum_bound(_ROUNDINGS) * (float(result.objective + there) + gap)
    assert float(result.objective - there) <= gap + rounding


@evidence(STATIONARY_LIMIT, level=Level.TESTED)
@given(strategies.mild_problems(), strategies.losses())
def check_steps_tend_to_zero(problem: Problem, spec: LossSpec) -> None:
    """Run the fast implementation until its steps are below 1e-10 of the largest weight: always reached."""
    kernel, loss = bridge.fast_kernel(problem.kernel), bridge.fast_loss(spec)
    try:
        end = fast_kirwls(
            problem.X, kernel, loss, weights_init=_positive(problem.weights), stop=_COARSE, max_iter=_FAST_CAP
        )
    except AllWeightsZero:
        reject()
    assert end.status in (Status.CONVERGED, Status.SINGLE_LOCATION)


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
@given(strategies.problems(6, 2, wide=False), strategies.losses(_CONVEX), st.data())
def check_convexity_between_two_estimates(problem: Problem, spec: LossSpec, data: st.DataObject) -> None:
    """Compare J at the midpoint with the mean of J at the ends, in the reference."""
    ctx, rows = bridge.context(), problem.X
    kernel, loss = bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    ends = [problem.weights, data.draw(strategies.weight_vectors(len(rows)))]
    exact = [[ctx.convert(weight) / ctx.fsum(map(ctx.convert, end)) for weight in end] for end in ends]
    middle = [(left + right) / 2 for left, right in zip(*exact, strict=True)]
    values = [objective(ctx, rows, kernel, loss, weights) for weights in (*exact, middle)]
    rounding = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * float(values[0] + values[1])
    assert float(values[2] - (values[0] + values[1]) / 2) <= rounding


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
