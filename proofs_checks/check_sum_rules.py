"""Claims about norms and inner products in the feature space (sections 3, 4 and 8): identities and bounds."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Final

import sympy
import z3
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import MPContext, mpf

from rkde.fast.rkhs import residual_norms as fast_norms
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.measures import absolute_errors
from rkde.proofs_checks.strategies import LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.objective import neg_gradient, objective, objective_differential
from rkde.reference.rkhs import RkhsElement, residual_norms

RESIDUAL = Claim(
    id="sum_rules.residual_norm",
    label="sec:representer (norm of a residual)",
    section="3",
    statement=(
        "|Phi(X_i) - f|^2 = tau^2 - 2 f(X_i) + |f|^2; for weights of sum 1 that is (Dw)_i - w'Dw/2 with "
        "D_ij = |Phi(X_i) - Phi(X_j)|^2, which subtracts no large equal numbers."
    ),
    hypotheses=("radial", "sum of weights = 1"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Both are the quadratic form of K at e_i - w, expanded; K = 1 - D/2 and the ones cancel because "
        "the entries of e_i - w sum to 0. Bilinear in pairs of rows, so three rows show the general case."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
DIAMETER = Claim(
    id="sum_rules.hull_diameter",
    label="thm:influence_emp (proof: bound 2 tau)",
    section="8.6",
    statement=(
        "|Phi(X_i) - f| <= sqrt(2) tau for every weighted density estimate f; the printed bound 2 tau is "
        "not sharp."
    ),
    hypotheses=("nonnegative", "weights >= 0 of sum 1"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "r_i^2 <= (Dw)_i <= max D_ij <= 2, because a nonnegative kernel has D_ij = 2 (1 - kappa_ij) <= 2."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
COEFFICIENTS = Claim(
    id="sum_rules.gradient_coefficients",
    label="thm:representer (proof)",
    section="8.2",
    statement=(
        "V(f) of a weighted density estimate has coefficients (phi(r_i) - w_i sum_j phi(r_j))/n, which "
        "sum to 0."
    ),
    hypotheses=("sum of weights = 1",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Collect the coefficients of Phi(X_i) in V; sum_i w_i = 1.",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
GATEAUX = Claim(
    id="sum_rules.gateaux",
    label="lemma:v_mu",
    section="3",
    statement=(
        "J(f + s h) = J(f) - s <V(f), h> + R with |R| <= L s^2 |h|^2 / 2 and L = max(sup phi, sup "
        "|psi'|): the Gateaux differential of Lemma 1, with its remainder."
    ),
    hypotheses=("a1", "a2", "phi bounded"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "V is Lipschitz with constant L, so the differential along a segment changes by at most L s |h|^2."
    ),
    source=Source.PRINTED,
)

_SIZE: Final = 3
_ROUNDINGS: Final = 8
_STEPS: Final = ("1e-3", "1e-9", "1e-15")
_SMOOTH: Final = ("quadratic", "huber", "hampel")


def _dot(left: Sequence[sympy.Expr], right: Sequence[sympy.Expr]) -> sympy.Expr:
    return sum(map(operator.mul, left, right), sympy.Integer(0))


def _normalised(ctx: MPContext, weights: Sequence[float]) -> list[mpf]:
    total = ctx.fsum(map(ctx.convert, weights))
    return [ctx.convert(weight) / total for weight in weights]


@evidence(RESIDUAL, level=Level.PROVED)
def check_both_forms_are_one() -> None:
    """Expand both forms for three rows with symbolic K and weights of sum 1."""
    first, second, k_01, k_02, k_12 = sympy.symbols("w_0 w_1 k_01 k_02 k_12", positive=True)
    weights = [first, second, 1 - first - second]
    one = sympy.Integer(1)
    gram = [[one, k_01, k_02], [k_01, one, k_12], [k_02, k_12, one]]
    at_rows = [_dot(row, weights) for row in gram]
    square = _dot(weights, at_rows)
    product = [_dot([2 * (1 - entry) for entry in row], weights) for row in gram]
    half = _dot(weights, product) / 2
    for i in range(_SIZE):
        assert is_zero(1 - 2 * at_rows[i] + square - (product[i] - half))


@evidence(RESIDUAL, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.problems())
def check_residual_norms(problem: Problem) -> None:
    """Compare the reference with inner products, and the fast implementation with the reference."""
    ctx, rows, kernel = bridge.context(), problem.X, bridge.reference_kernel(problem.kernel)
    exact = residual_norms(ctx, rows, kernel, problem.weights)
    element = RkhsElement(rows, _normalised(ctx, problem.weights), kernel)
    square = element.inner(ctx, element)
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    for row, norm in zip(rows, exact, strict=True):
        assert float(abs(norm * norm - (1 - 2 * element.evaluate(ctx, row) + square))) <= bound
    sizes = [float(norm) for norm in exact]
    limits = tolerances.residual_bound(sizes, problem.weights, len(rows[0]))
    computed = fast_norms(rows, bridge.fast_kernel(problem.kernel), problem.weights).tolist()
    assert all(map(float.__le__, absolute_errors(computed, exact), limits))


@evidence(DIAMETER, level=Level.PROVED)
def check_a_mean_of_distances_is_bounded() -> None:
    """Refute (Dw)_i > 2 for three weights >= 0 of sum 1 and distances 0 <= D <= 2."""
    names = ("w_0", "w_1", "w_2"), ("D_0", "D_1", "D_2")
    weights, distances = ([z3.Real(name) for name in row] for row in names)
    known = [weight >= 0 for weight in weights] + [z3.And(entry >= 0, entry <= 2) for entry in distances]
    mean = weights[0] * distances[0] + weights[1] * distances[1] + weights[2] * distances[2]
    assert not has_model(*known, weights[0] + weights[1] + weights[2] == 1, mean > 2)


@evidence(DIAMETER, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.problems())
def check_norms_stay_below_root_two(problem: Problem) -> None:
    """Compute the norms in both implementations."""
    ctx = bridge.context()
    exact = residual_norms(ctx, problem.X, bridge.reference_kernel(problem.kernel), problem.weights)
    assert max(exact) <= ctx.sqrt(2)
    sizes = [float(norm) for norm in exact]
    slack = max(tolerances.residual_bound(sizes, problem.weights, len(problem.X[0])))
    computed = fast_norms(problem.X, bridge.fast_kernel(problem.kernel), problem.weights)
    assert computed.max() <= math.sqrt(2) + slack


@evidence(DIAMETER, level=Level.TESTED, corroborates=True)
def check_root_two_is_sharp() -> None:
    """Put all weight on one of two rows 10 bandwidths apart: the other's norm is sqrt(2 - 2 exp(-50))."""
    ctx = bridge.context()
    kernel = bridge.reference_kernel(strategies.KernelSpec("gaussian", 1.0))
    far = residual_norms(ctx, [[0], [10]], kernel, [1, 0])[1]
    assert ctx.sqrt(2) * (1 - ctx.exp(ctx.mpf(-50))) < far < ctx.sqrt(2)


@evidence(COEFFICIENTS, level=Level.PROVED)
def check_coefficients_of_the_gradient() -> None:
    """Collect the coefficients of Phi_0, Phi_1, Phi_2 in the sum of phi_i (Phi_i - f)."""
    first, second = sympy.symbols("w_0 w_1", positive=True)
    weights = [first, second, 1 - first - second]
    phi = list(sympy.symbols("phi_0 phi_1 phi_2", positive=True))
    features = list(sympy.symbols("f_0 f_1 f_2", positive=True))
    element = _dot(weights, features)
    gradient = _dot(phi, [feature - element for feature in features])
    total = phi[0] + phi[1] + phi[2]
    for i in range(_SIZE):
        assert is_zero(gradient.expand().diff(features[i]) - (phi[i] - weights[i] * total))
    assert is_zero(total - _dot(weights, [total] * _SIZE))


@evidence(COEFFICIENTS, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.problems(), strategies.losses(_SMOOTH))
def check_gradient_coefficients_sum_to_zero(problem: Problem, spec: LossSpec) -> None:
    """Sum the reference's coefficients of V."""
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    coefficients = neg_gradient(ctx, problem.X, kernel, bridge.reference_loss(spec), problem.weights)
    # Each is a difference of numbers below phi / n <= 1 / n.
    assert float(abs(ctx.fsum(coefficients))) <= tolerances.reference_bound(bridge.DIGITS, 2)


def _curvature(ctx: MPContext, spec: LossSpec) -> mpf:
    """Bound phi and |psi'|: 1, and Hampel's ramp a/(c - b). The bound is attained, so it must be exact."""
    if spec.name != "hampel":
        return ctx.mpf(1)
    a, b, c = map(ctx.mpf, spec.thresholds)
    return max(ctx.mpf(1), a / (c - b))


@evidence(GATEAUX, level=Level.TESTED)
@given(strategies.problems(6, 2, wide=False), strategies.losses(_SMOOTH), st.sampled_from(_STEPS), st.data())
def check_remainder_is_quadratic(problem: Problem, spec: LossSpec, step: str, data: st.DataObject) -> None:
    """Move from f towards another weighted density by a share `step`, and bound the remainder exactly."""
    ctx, loss = bridge.fine_context(), bridge.reference_loss(spec)
    kernel = bridge.reference_kernel(problem.kernel)
    other = data.draw(strategies.weight_vectors(len(problem.X)))
    assume(other != problem.weights)
    start, goal = (_normalised(ctx, weights) for weights in (problem.weights, other))
    direction = [there - here for there, here in zip(goal, start, strict=True)]
    share = ctx.mpf(step)
    moved = [here + share * change for here, change in zip(start, direction, strict=True)]
    slope = objective_differential(ctx, problem.X, kernel, loss, start, direction)
    before = objective(ctx, problem.X, kernel, loss, start)
    after = objective(ctx, problem.X, kernel, loss, moved)
    length = bridge.feature_distance(ctx, problem.X, problem.kernel, start, goal)
    remainder = abs(after - before - share * slope)
    allowed = share * share * length * length * _curvature(ctx, spec) / 2
    assert float(remainder - allowed) <= bridge.fine_bound(float(before + after), _ROUNDINGS)
