"""Claims about the weights: the simplex, the representer form at a stationary point, and what it needs."""

from typing import Final

import pytest
import sympy
import z3
from hypothesis import given

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import bridge, defined, elements, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.measures import vector_error
from rkde.proofs_checks.strategies import LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.solvers import FixedPoint, fixed_point, kirwls_step

SIMPLEX = Claim(
    id="weights.simplex",
    label="sec:kirwls (weights update)",
    section="4",
    statement=(
        "Each KIRWLS step gives weights that are nonnegative and sum to 1, provided that some phi(r_i) is"
        " positive."
    ),
    hypotheses=("rho is non-decreasing", "a2", "some phi(r_i) is positive"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "phi = psi/t >= 0 because rho never falls, and the weights are phi over its sum; if all phi "
        "vanish the quotient is 0/0."
    ),
    necessity=(("some phi(r_i) is positive", "check_all_phi_zero_is_refused"),),
    source=Source.PRINTED,
)
REPRESENTER = Claim(
    id="weights.representer",
    label=(
        "thm:representer, eqn:representer, eqn:w_i_proto, sec:kirwls (seeking a fixed point), "
        "ssec:proof_thm_influnece_emp (Theorem 1 for F_n,s)"
    ),
    section="3",
    statement=(
        "Where the phi(r_i) have a positive sum, V(f) = 0 exactly if f = sum w_i Phi(X_i) with "
        "w_i = phi(r_i) / sum phi(r_j): the stationary points are the fixed points of KIRWLS. With masses "
        "m_i of the rows, as for F_n,s, w_i is proportional to m_i phi(r_i), if these have a positive sum."
    ),
    hypotheses=("rho is non-decreasing", "a2", "the phi(r_i) have a positive sum"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "n V(f) = sum phi_i Phi_i - (sum phi_i) f = (sum phi_i)(Tf - f), for any number of rows. That some "
        "phi_i is positive at a minimiser is existence.positive_phi."
    ),
    source=Source.PRINTED,
)
NEEDS_MONOTONE = Claim(
    id="weights.representer_as_printed",
    label="thm:representer",
    section="3",
    statement=(
        "Under (A1) and (A2), and even under (A1) to (A5) for a convex rho, every minimiser of J is a "
        "weighted combination of the Phi(X_i)."
    ),
    verdict=Verdict.FAILS,
    level=Level.FORMAL,
    argument=(
        "n = 1 and psi(t) = 0 up to 1, t - 1 up to 2, 1 beyond: every g with |g - Phi_1| <= 1 has J(g) = 0, "
        "also where g - Phi_1 is orthogonal to Phi_1, and phi(r_1) = 0 there. What is missing is that phi "
        "does not increase."
    ),
    counterexample=("check_minimisers_off_the_span",),
    source=Source.PRINTED,
)

_ROBUST: Final = ("huber", "hampel")
_CONVEX_OR_ROBUST: Final = ("quadratic", "huber", "hampel")


@evidence(SIMPLEX, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_phi_is_never_negative(name: str) -> None:
    """Refute psi(t) < 0 for all thresholds: phi >= 0, hence phi over its positive sum is a weight."""
    loss, t = RealLoss(name), z3.Real("t")
    for part in loss.at(t):
        assert not has_model(*loss.admissible, inside(part, t), part.psi < 0)


@evidence(SIMPLEX, level=Level.TESTED, corroborates=True)
@given(strategies.problems(), strategies.losses())
def check_step_stays_in_the_simplex(drawn: Problem, spec: LossSpec) -> None:
    """Take one step from any weights, in both implementations."""
    problem = defined.with_a_next_step(drawn, spec)
    ctx, loss = bridge.context(), bridge.reference_loss(spec)
    exact = kirwls_step(ctx, problem.X, bridge.reference_kernel(problem.kernel), loss, problem.weights)
    fast = moves.step(problem.X, problem.kernel, spec, problem.weights)
    assert min(exact) >= 0
    assert min(fast) >= 0
    n_samples = len(problem.X)
    assert float(abs(ctx.fsum(exact) - 1)) <= tolerances.reference_bound(bridge.DIGITS, n_samples)
    assert abs(sum(fast) - 1) <= tolerances.sum_bound(3 * n_samples)


@evidence(SIMPLEX, level=Level.TESTED, corroborates=True)
def check_all_phi_zero_is_refused() -> None:
    """Show the witness for the proviso: two far points, Hampel with c = 0.6 below both residuals."""
    rows, kernel = [[0.0], [100.0]], strategies.KernelSpec("gaussian", 1.0)
    spec, weights = LossSpec("hampel", (0.25, 0.5, 0.625)), [0.5, 0.5]
    with pytest.raises(AllWeightsZero):
        kirwls_step(
            bridge.context(), rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec), weights
        )
    with pytest.raises(AllWeightsZero):
        moves.step(rows, kernel, spec, weights)


@evidence(REPRESENTER, level=Level.PROVED)
def check_gradient_is_the_step() -> None:
    """Write sum phi_i (Phi_i - f) as (sum phi_i)(Tf - f), for any rows and any f."""
    rows, f, h = elements.any_rows(), elements.element("f"), elements.element("h")
    # Two elements are equal if their inner products with an element of which nothing is known are.
    assert is_zero((rows.gradient(f) - (rows.mean - f).times(rows.total)).inner(h))
    point, phi = elements.element("Phi"), sympy.Symbol("phi", positive=True)
    grown = rows.with_row(phi, point).gradient(f) - rows.gradient(f)
    assert is_zero((grown - (point - f).times(phi)).inner(h))


@evidence(REPRESENTER, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.mild_problems(), strategies.losses(_CONVEX_OR_ROBUST))
def check_weights_at_the_limit(drawn: Problem, spec: LossSpec) -> None:
    """Run the reference to its limit: the weights are phi over its sum to every digit."""
    even = Problem(drawn.X, drawn.kernel, [1 / len(drawn.X)] * len(drawn.X))
    problem = defined.with_a_next_step(even, spec)
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    limit = fixed_point(ctx, problem.X, kernel, loss, weights_init=problem.weights)
    phi = [float(loss.phi(ctx, norm)) for norm in limit.residual_norms]
    again = kirwls_step(ctx, problem.X, kernel, loss, limit.weights)
    assert vector_error(again, limit.weights) <= _rounding_of_a_step(spec, limit, sum(phi))


def _rounding_of_a_step(spec: LossSpec, limit: FixedPoint, phi_sum: float) -> float:
    """Bound the effect of rounding the weights of a limit: e moves f by n e, phi by its slope times that.

    A weight phi_i / sum phi moves by at most (slope n e)(1 + n w_i) / sum phi.
    """
    count, largest = len(limit.weights), float(max(limit.weights))
    slope = max(tolerances.phi_slope(spec, float(norm), 0.0) for norm in limit.residual_norms)
    factor = 1 + slope * count * (1 + count * largest) / (phi_sum * largest)
    return tolerances.amplified(tolerances.reference_bound(bridge.DIGITS, 2), factor)


def _flat_then_rising(t: z3.ArithRef) -> list[tuple[z3.BoolRef, z3.ArithRef, z3.ArithRef]]:
    """Return the pieces of the witness: where they hold, rho and psi."""
    zero, half, three_halves = (z3.RealVal(text) for text in ("0", "1/2", "3/2"))
    return [
        (z3.And(t >= 0, t <= 1), zero, zero),
        (z3.And(t >= 1, t <= 2), (t - 1) * (t - 1) * half, t - 1),
        (t >= 2, t - three_halves, z3.RealVal(1)),
    ]


@evidence(NEEDS_MONOTONE, level=Level.PROVED)
def check_minimisers_off_the_span() -> None:
    """Refute rho < 0, and rho or psi other than 0 up to 1: all of the ball, off the span too, minimises J."""
    t = z3.Real("t")
    for where, rho, psi in _flat_then_rising(t):
        assert not has_model(where, rho < 0)
        assert not has_model(where, t <= 1, z3.Or(rho != 0, psi != 0))
    # g = Phi_1 + h with h orthogonal to Phi_1 and 0 < |h| <= 1: its distance is |h|, its part off the span h.
    feature, h = elements.element("Phi"), elements.element("h")
    g = feature + h
    assert is_zero((g - feature).square - h.square)
    along = (g.inner(feature) / feature.square).subs(feature.inner(h), 0)
    off_the_span = (g - feature.times(along)).square.subs(feature.inner(h), 0)
    assert is_zero(off_the_span - h.square)


@evidence(NEEDS_MONOTONE, level=Level.PROVED)
def check_the_witness_is_a_loss() -> None:
    """Check that rho' = psi, (A1) to (A5) with the constants 1, 1/2 and 1, and that psi never falls."""
    t, s = z3.Reals("t s")
    for where, rho, psi in _flat_then_rising(t):
        # phi = psi/t: phi t is psi, bounded like psi.
        assert not has_model(where, t > 0, z3.Or(psi < 0, psi > 1, 2 * psi > t, 2 * rho > t * t))
        for elsewhere, other_rho, other in _flat_then_rising(s):
            pair = [where, elsewhere, t < s, t > 0]
            assert not has_model(*pair, other < psi)
            # |phi(s) - phi(t)| <= s - t, with the denominators s t multiplied out.
            assert not has_model(*pair, other * t - psi * s > (s - t) * s * t)
            assert not has_model(*pair, psi * s - other * t > (s - t) * s * t)
            # rho(s) - rho(t) lies between psi(t)(s - t) and psi(s)(s - t): psi is the derivative of rho.
            assert not has_model(*pair, other_rho - rho < psi * (s - t))
            assert not has_model(*pair, other_rho - rho > other * (s - t))
