"""The six properties of KIRWLS and of the influence function, in both packages, at every draw.

`rkde.proofs_checks.property_cases` makes problems with at least three distinct rows, some q that is not 0 and
alpha' > 0 by construction; `rkde.proofs_checks.draws` counts the draws, none of which may be thrown away.
"""

import math
from collections.abc import Sequence
from typing import Final

from mpmath import MPContext

from rkde.proofs_checks import bridge, moves, quotients, tolerances
from rkde.proofs_checks import property_cases as cases
from rkde.proofs_checks import property_measures as measures
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.draws import at_every_draw
from rkde.proofs_checks.property_cases import Case
from rkde.proofs_checks.property_integrals import integrals
from rkde.proofs_checks.property_runs import PACKAGES, REFERENCE, Derivative, Package, Run
from rkde.reference.numbers import Number, make_context
from rkde.vocabulary import FixedSteps, RelativeObjective, Stationarity

_SCOPE: Final = (
    "It is tested in both packages for every kernel and loss, from three starts, on three or more distinct "
    "rows in up to eight columns, with ties, near ties, outliers and offsets."
)
_STARTS: Final = "some phi(r_i) is positive at the start"

WEIGHTS = Claim(
    id="properties.weights",
    label="eqn:w_i_proto, thm:convergence_bm",
    section="4",
    statement="After any number of steps of KIRWLS the weights are nonnegative and sum to 1.",
    hypotheses=("psi is nonnegative", _STARTS),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"The weights are the phi(r_i), none of which is negative, over their sum. {_SCOPE}",
    source=Source.PRINTED,
)
DESCENT = Claim(
    id="properties.descent",
    label="thm:convergence_bm",
    section="4",
    statement="J does not rise at any step of KIRWLS.",
    hypotheses=("phi_nonincreasing", _STARTS),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "The proof is descent.amount. In float64 the exact J of the computed weights rises by no more than "
        f"the square of their rounding allows. {_SCOPE}"
    ),
    source=Source.PRINTED,
)
FIXED_POINT = Claim(
    id="properties.fixed_point",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "KIRWLS converges to a fixed point: where a run ends, another step moves the weights by no more than "
        "the tolerance, and for a convex loss the runs from all starts end in one point."
    ),
    hypotheses=("phi_nonincreasing", _STARTS, "three distinct rows"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "The proofs are theorems.theorem_3 and theorems.corollary. The last step is computed anew from the "
        "kernel matrix, and the distance to the limit is that step over 1 - rate, with the rate of the "
        f"derivative of T. {_SCOPE} Every run must converge, so the data keep the rate away from 1: for the "
        "absolute loss |R_j| > m holds at each location, or one location has a majority; for Hampel's, c is "
        "raised where a limit would be badly conditioned."
    ),
    source=Source.PRINTED,
)
SUM_RULE = Claim(
    id="properties.sum_rule",
    label="thm:influence_emp",
    section="5",
    statement="alpha' = - sum alpha_i for every loss, Hampel's included.",
    hypotheses=("no residual on a kink", "system regular"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"The proof is influence_theorem.sum_rule. {_SCOPE}",
    source=Source.PRINTED,
)
INFLUENCE = Claim(
    id="properties.influence",
    label="thm:influence_true, thm:influence_emp",
    section="5",
    statement=(
        "Theorem 5's element is the derivative of the estimate from (1 - s) F_n + s delta_x' at s = 0: the "
        "error of the difference quotient halves with s."
    ),
    hypotheses=("no residual on a kink", "system regular", "f a local minimum"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=f"The proof is theorems.theorem_5. {_SCOPE} The shares s are too small to reach a kink.",
    source=Source.PRINTED,
)
INTEGRAL = Claim(
    id="properties.integral",
    label="sec:ic (integral of IF)",
    section="5",
    statement="The influence function of the RKDE integrates to 0 over x, and its part at x' to alpha'.",
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "Each kernel integrates to 1, and sum alpha_i + alpha' = 0. It is tested by quadrature on the line, "
        "in both packages, and in the plane, in the fast one, for every kernel and loss; in the plane the "
        "reference's kernels are integrated along a ray, and its IF term by term."
    ),
    source=Source.PRINTED,
)

_STOPS: Final = (FixedSteps(1), FixedSteps(4), RelativeObjective())
_STEPS: Final = 3
_ROUNDINGS: Final = 32
# Digits at which a step is computed anew, with none to lose.
_FINE_DIGITS: Final = 80
# In float64 1e-9 is far above rounding, in the reference 1e-12 is, too.
_TOLERANCES: Final = {"reference": Stationarity("1e-12"), "fast": Stationarity(1e-9)}


@evidence(WEIGHTS, level=Level.TESTED)
@at_every_draw(cases.path_cases, 0.2)
def check_weights_are_a_distribution(case: Case) -> None:
    """Stop both packages after one step, after four, and where the paper's rule stops them."""
    size = len(case.rows)
    bounds = {
        "reference": tolerances.reference_bound(bridge.DIGITS, size + 1),
        "fast": tolerances.sum_bound(size + 1),
    }
    ctx = bridge.fine_context()
    for package in PACKAGES:
        for start in case.starts:
            for stop in _STOPS:
                weights = [ctx.convert(weight) for weight in package.kirwls(case, start, stop).weights]
                assert min(weights) >= 0
                assert float(abs(ctx.fsum(weights) - 1)) <= bounds[package.name]


@evidence(DESCENT, level=Level.TESTED)
@at_every_draw(cases.path_cases, 0.2)
def check_the_objective_never_rises(case: Case) -> None:
    """Evaluate J anew, exactly, at the weights after each of three steps; from the heavy start it falls."""
    ctx = bridge.fine_context()
    for package in PACKAGES:
        for start in case.starts:
            before: list[Number] = [*start]
            values = [measures.objective(ctx, case, before)]
            for _ in range(_STEPS):
                after = package.kirwls(case, before, FixedSteps(1)).weights
                values.append(measures.objective(ctx, case, after))
                allowed = _rise(case, before, after) if package.is_fast else 0.0
                assert float(values[-1] - values[-2]) <= allowed + _evaluation(float(values[-2]))
                before = after
        assert values[1] < values[0]


def _rise(case: Case, before: Sequence[Number], after: Sequence[Number]) -> float:
    """Bound the rise of J by float64's rounding of the new weights: (sum phi / 2n) e^2 above Q's minimum."""
    here, there = (
        moves.state(case.rows, case.kernel, case.loss, [float(weight) for weight in weights])
        for weights in (before, after)
    )
    moved = tolerances.element_step_bound(here.phi, here.phi_error, there.norms)
    assert math.isfinite(moved)
    return math.fsum(here.phi) / (2 * len(here.phi)) * moved * moved


def _evaluation(value: float) -> float:
    """Bound the reference's rounding of J and of the weights at its digits."""
    return tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * value


@evidence(FIXED_POINT, level=Level.TESTED)
@at_every_draw(cases.converging_cases, 0.2)
def check_runs_end_at_a_fixed_point(case: Case) -> None:
    """Run both packages from three starts, take a step of our own from each end, and compare the ends."""
    ctx = make_context(_FINE_DIGITS)
    for package in PACKAGES:
        capped = package.kirwls(case, case.starts[0], _TOLERANCES[package.name], 1)
        # A run that the cap has ended has converged only if it is at a fixed point.
        assert not capped.has_converged or _end(ctx, case, package, capped)
    ends = [
        _end(ctx, case, package, run)
        for package in PACKAGES
        for start in case.starts
        for run in (package.kirwls(case, start, _TOLERANCES[package.name]), package.fixed_point(case, start))
    ]
    if not case.is_convex:
        return
    for end in ends:
        apart = [one - other for one, other in zip(end.weights, ends[0].weights, strict=True)]
        allowed = _to_limit(ctx, case, end) + _to_limit(ctx, case, ends[0])
        assert float(measures.length(ctx, end.products, apart)) <= allowed


def _end(ctx: MPContext, case: Case, package: Package, run: Run) -> measures.Point:
    """Return the end of a run that has converged, after a look at the next step."""
    assert run.has_converged
    end = measures.Point.at(ctx, case, run.weights)
    largest = max(end.weights)
    rounding = tolerances.reference_step_error(bridge.DIGITS)
    if package.is_fast:
        state = moves.state(case.rows, case.kernel, case.loss, [float(weight) for weight in run.weights])
        # On a row, where phi is infinite, the weights of the next step are exact.
        rounding = max(state.weights_error) / float(largest) if min(state.norms) else 0.0
    # A run that widens its tolerance, and says so, has not done what was asked; a limit is nearer than that.
    assert run.tol <= float(_TOLERANCES[package.name].tol) + 2 * rounding
    assert float(max(map(abs, end.step)) / largest) <= run.tol + rounding < 1
    return end


def _to_limit(ctx: MPContext, case: Case, end: measures.Point) -> float:
    """Bound the distance to the limit; a majority of m rows must be the limit."""
    step = float(measures.length(ctx, end.products, end.step))
    if case.majority < 0:
        return tolerances.geometric_bound(step, measures.local_rate(ctx, case, end.products))
    m = case.rows.count(case.rows[case.majority])
    # Near Phi_j a step multiplies the distance by |R_j|/m, and |R_j| is at most the number of other rows.
    bound = tolerances.geometric_bound(step, (len(case.rows) - m) / m)
    assert float(end.norms[case.majority]) <= bound
    return bound


@evidence(SUM_RULE, level=Level.TESTED)
@at_every_draw(cases.limit_cases, 0.2)
def check_the_coefficients_sum_to_zero(case: Case) -> None:
    """Add up the coefficients of both packages at the limit."""
    ctx = bridge.context()
    for package in PACKAGES:
        weights = package.fixed_point(case, case.starts[0]).weights
        found = package.influence(case, weights, None)
        _assert_it_means_something(ctx, case, weights, found)
        condition = REFERENCE.influence(case, weights, None).condition
        error = _influence_error(ctx, case, package, weights, found, condition)
        assert float(abs(ctx.fsum(map(ctx.convert, found.coefficients)))) <= error


def _influence_error(
    ctx: MPContext,
    case: Case,
    package: Package,
    weights: Sequence[Number],
    found: Derivative,
    condition: float,
) -> float:
    """Bound the sum of the errors of a package's coefficients, at the condition that the reference finds."""
    norms = [float(norm) for norm in measures.Point.at(ctx, case, weights).norms]
    factor = tolerances.cancellation(norms, [float(weight) for weight in weights])
    digits = None if package.is_fast else bridge.DIGITS
    sizes = [float(entry) for entry in found.coefficients]
    return tolerances.influence_error(sizes, case.dim, condition, factor, digits)


def _assert_it_means_something(
    ctx: MPContext, case: Case, weights: Sequence[Number], found: Derivative
) -> None:
    """Say that x' has a pull, that no norm is on a kink, and that some row has curvature."""
    assert ctx.convert(found.coefficients[-1]) > 0
    assert not found.one_sided
    loss, point = bridge.reference_loss(case.loss), measures.Point.at(ctx, case, weights)
    assert case.loss.name == "quadratic" or any(loss.q(ctx, norm) for norm in point.norms)


@evidence(INFLUENCE, level=Level.TESTED)
@at_every_draw(cases.limit_cases, 0.2, kept=cases.KEPT)
def check_the_error_of_quotients_halves(case: Case) -> None:
    """Compare the coefficients of both packages with the reference's quotients at s and at s/2."""
    ctx = make_context(quotients.DIGITS)
    built = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
    of = quotients.trial(ctx, case.rows, *built, case.x_new, case.starts[0])
    kinks = [0.0] if case.loss.name == "absolute" else case.loss.thresholds
    share = quotients.small_share(ctx, of, kinks)
    pair = [quotients.quotient(ctx, of, part) for part in (share, share / 2)]
    condition = REFERENCE.influence(case, of.weights, None).condition
    for package in PACKAGES:
        found = package.influence(case, of.weights, None)
        _assert_it_means_something(ctx, case, of.weights, found)
        noise = _influence_error(ctx, case, package, of.weights, found, condition)
        noise += condition * tolerances.quotient_rounding(quotients.DIGITS, float(share) / 2, len(case.rows))
        errors = [float(quotients.distance(ctx, of, quotient, found.coefficients)) for quotient in pair]
        assert errors[1] <= tolerances.shrunk(errors[0], noise)
        # A quotient of a linear function is exact; of any other the error at s is seen.
        assert package.is_fast or (errors[0] > 2 * noise) == (case.loss.name != "quadratic")


@evidence(INTEGRAL, level=Level.TESTED)
@at_every_draw(cases.tame_cases, 0.2, kept=cases.IN_THE_PLANE)
def check_the_influence_integrates_to_zero(case: Case) -> None:
    """Integrate IF and each kernel by one rule of Gauss, whose error for IF is that for the kernels."""
    for package in PACKAGES:
        found = integrals(case, package, package.fixed_point(case, case.starts[0]).weights)
        errors = [abs(kernel - 1) for kernel in found.kernels]
        assert max(errors) <= tolerances.kernel_quadrature(case.kernel.dof, case.dim)
        # The rule is linear, and the coefficients sum to 0.
        assert abs(found.influence) <= max(errors) + tolerances.integral_rounding(found.n_nodes)
        assert found.apart <= tolerances.integral_rounding(len(case.rows) + 1)
