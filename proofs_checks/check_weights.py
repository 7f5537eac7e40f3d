"""Claims about the weights: the simplex, the representer form at a stationary point, and what it needs."""

from __future__ import annotations

from typing import Final

import pytest
import sympy
import z3
from hypothesis import given, reject

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import bridge, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.measures import vector_error
from rkde.proofs_checks.strategies import LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.fixed_point import fixed_point
from rkde.reference.kirwls import kirwls_step
from rkde.reference.results import FixedPoint

SIMPLEX = Claim(
    id="weights.simplex",
    label="sec:kirwls (weights update)",
    section="4",
    statement=(
        "Each KIRWLS step gives weights that are nonnegative and sum to 1, provided that some phi(r_i) is"
        " positive."
    ),
    hypotheses=("a1", "sum phi > 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "phi = psi/t >= 0 because rho never falls, and the weights are phi over its sum; if all phi "
        "vanish it is 0/0."
    ),
    necessity=(("sum phi > 0", "check_all_phi_zero_is_refused"),),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
REPRESENTER = Claim(
    id="weights.representer",
    label="thm:representer, eqn:representer, eqn:w_i_proto",
    section="3",
    statement=(
        "At a stationary point with some phi(r_i) > 0, f = sum w_i Phi(X_i) with w_i proportional to "
        "phi(r_i)."
    ),
    hypotheses=("phi_nonincreasing", "rho not 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "V(f) = 0 reads (sum phi_i) f = sum phi_i Phi(X_i). The printed theorem lacks phi non-increasing:"
        " with it some phi is positive at a minimiser, since otherwise J = sup rho, which J(Phi(X_1)) "
        "undercuts."
    ),
    necessity=(("phi_nonincreasing", "check_minimisers_off_the_span"),),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
NEEDS_MONOTONE = Claim(
    id="weights.representer_as_printed",
    label="thm:representer",
    section="3",
    statement="Under (A1) and (A2) alone every minimiser of J is a weighted combination of the Phi(X_i).",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "psi = t(1 - t)^2 up to 1, 0 up to 3/2, 10^4 (t - 3/2)^2 beyond; two points with |Phi_1 - Phi_2| "
        "= 2.6. Every g at distances 1 to 3/2 from both is a minimiser (J = 1/12), for instance the "
        "midpoint plus any orthogonal vector of length up to 0.74; and all phi(r_i) are 0 there."
    ),
    counterexample=("check_minimisers_off_the_span",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
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
    first, second, third = sympy.symbols("phi_0 phi_1 phi_2", positive=True)
    total = first + second + third
    assert is_zero(first / total + second / total + third / total - 1)


@evidence(SIMPLEX, level=Level.TESTED, corroborates=True)
@given(strategies.problems(), strategies.losses())
def check_step_stays_in_the_simplex(problem: Problem, spec: LossSpec) -> None:
    """Take one step from any weights, in both implementations."""
    ctx, loss = bridge.context(), bridge.reference_loss(spec)
    try:
        exact = kirwls_step(ctx, problem.X, bridge.reference_kernel(problem.kernel), loss, problem.weights)
        fast = moves.step(problem.X, problem.kernel, spec, problem.weights)
    except AllWeightsZero:
        reject()
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
def check_stationarity_is_the_weighted_mean() -> None:
    """Solve sum phi_i (Phi_i - f) = 0 for f, coordinate by coordinate: the mean with weights phi_i."""
    phi = sympy.symbols("phi_0 phi_1 phi_2", positive=True)
    features = sympy.symbols("f_0 f_1 f_2", real=True)
    (element,) = sympy.symbols("f,", real=True)
    total = phi[0] + phi[1] + phi[2]
    gradient = sum(
        (factor * (feature - element) for factor, feature in zip(phi, features, strict=True)),
        sympy.Integer(0),
    )
    # Linear in f with the slope -sum phi, so the zero below is the only one.
    assert is_zero(gradient.diff(element) + total)
    mean = (phi[0] * features[0] + phi[1] * features[1] + phi[2] * features[2]) / total
    assert is_zero(gradient.subs(element, mean))


@evidence(REPRESENTER, level=Level.PROVED)
def check_a_data_point_undercuts_the_supremum() -> None:
    """At Phi_1 one of n terms is 0 and no other exceeds sup rho > 0: refute a mean that reaches sup rho."""
    count, top, others = z3.Reals("n top others")
    known = [count >= 1, top > 0, others <= (count - 1) * top]
    assert not has_model(*known, others >= count * top)


@evidence(REPRESENTER, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.mild_problems(), strategies.losses(_CONVEX_OR_ROBUST))
def check_weights_at_the_limit(problem: Problem, spec: LossSpec) -> None:
    """Run the reference to its limit: the weights are phi over its sum to every digit."""
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    try:
        limit = fixed_point(ctx, problem.X, kernel, loss)
    except AllWeightsZero:
        reject()
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


@evidence(NEEDS_MONOTONE, level=Level.PROVED)
def check_minimisers_off_the_span() -> None:
    """Refute a value below 1/12 for the witness, over all pairs of distances that two points allow."""
    left, right = z3.Reals("left right")
    flat = z3.RealVal("1/12")
    # rho of the witness: the integral of t (1 - t)^2, the constant 1/12, then a cubic.
    near = left * left / 2 - 2 * left * left * left / 3 + left * left * left * left / 4
    excess = right - z3.RealVal("3/2")
    far = flat + 10_000 * excess * excess * excess / 3
    # By the triangle inequality left + right >= 26/10, so left < 1 forces right > 16/10: J > 1/12.
    known = [left >= 0, left <= 1, right >= 0, left + right >= z3.RealVal("26/10")]
    assert not has_model(*known, right >= z3.RealVal("3/2"), near + far < 2 * flat)
    assert not has_model(*known, right < z3.RealVal("3/2"))
    # On 1 <= t <= 3/2 the loss is 1/12 exactly; beyond it is more; so J = 1/12 is the minimum.
    assert not has_model(excess > 0, far < flat)
    midpoint, height = z3.RealVal("13/10"), z3.RealVal("74/100")
    assert not has_model(midpoint * midpoint + height * height > z3.RealVal("9/4"))


@evidence(NEEDS_MONOTONE, level=Level.PROVED)
def check_the_witness_is_a_loss() -> None:
    """Check (A1) and (A2) of the witness on its first piece: rho' = psi, rho/t -> 0, phi(0) = 1."""
    (t,) = sympy.symbols("t,", positive=True)
    psi = t * (1 - t) ** 2
    rho = sympy.integrate(psi, (t, 0, t))
    assert is_zero(rho.diff(t) - psi)
    assert is_zero(rho.subs(t, 1) - sympy.Rational(1, 12))
    assert is_zero(sympy.limit(rho / t, t, 0, "+"))
    assert is_zero(sympy.limit(psi / t, t, 0, "+") - 1)
