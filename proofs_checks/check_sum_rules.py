"""Claims about norms and inner products in the feature space (sections 3, 4 and 8): identities and bounds."""

import math
from collections.abc import Sequence
from typing import Final

import sympy
import z3
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import MPContext, mpf

from rkde.fast.rkhs import residual_norms as fast_norms
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.free_algebra import letters, vanishes
from rkde.proofs_checks.measures import absolute_errors
from rkde.proofs_checks.strategies import ONE_FAR_ROW, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.rkhs import RkhsElement, neg_gradient, objective, objective_differential, residual_norms

RESIDUAL = Claim(
    id="sum_rules.residual_norm",
    label="sec:representer (norm of a residual)",
    section="3",
    statement=(
        "|Phi(X_i) - f|^2 = tau^2 - 2 f(X_i) + |f|^2; for weights of sum 1 that is (Dw)_i - w'Dw/2 with "
        "D_ij = |Phi(X_i) - Phi(X_j)|^2."
    ),
    hypotheses=("the kernel is radial", "sum of weights = 1"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Both are the quadratic form of K at e_i - w, expanded; K = 1 - D/2 in units of tau^2, and the ones "
        "cancel because the entries of e_i - w sum to 0, so that no large equal numbers are subtracted. The "
        "expansion is one of words in K, D, e_i and w, so it holds for every number of rows."
    ),
    source=Source.PRINTED,
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
    level=Level.FORMAL,
    argument=(
        "r_i^2 = (Dw)_i - w'Dw/2 (sum_rules.residual_norm) <= (Dw)_i <= 2 tau^2, term by term: a "
        "nonnegative kernel has 0 <= D_ij = 2 (1 - kappa_ij) <= 2. Two far rows come as near to the bound "
        "as one likes."
    ),
    source=Source.IMPLIED,
)
COEFFICIENTS = Claim(
    id="sum_rules.gradient_coefficients",
    label="thm:representer (proof)",
    section="8.2",
    statement=(
        "V(f) of a weighted density estimate has coefficients (phi(r_i) - w_i sum_j phi(r_j))/n, which sum "
        "to 0."
    ),
    hypotheses=("sum of weights = 1",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "With F the map that sends a column to the sum of its entries times the Phi_i, n V = F (phi - w "
        "1'phi), and 1'w = 1; an identity of words, for every number of rows."
    ),
    source=Source.IMPLIED,
)
GATEAUX = Claim(
    id="sum_rules.gateaux",
    label="lemma:v_mu",
    section="3",
    statement=(
        "J(f + s h) = J(f) - s <V(f), h> + R with |R| <= L s^2 |h|^2 / 2 for each L that is at least sup "
        "|phi| and a Lipschitz constant of psi: the Gateaux differential of Lemma 1, with its remainder."
    ),
    hypotheses=("a1", "phi is bounded", "psi is Lipschitz continuous"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "The derivative of J along f + t h is -<V(f + t h), h> (gateaux.off_the_point, "
        "gateaux.at_the_point), and V is Lipschitz with constant L (influence_proofs.chain_rule_lipschitz). "
        "So it differs from the one at t = 0 by at most L t |h|^2; integrate from 0 to s."
    ),
    source=Source.IMPLIED,
    follows_from=("gateaux.off_the_point", "gateaux.at_the_point", "influence_proofs.chain_rule_lipschitz"),
)

_ROUNDINGS: Final = 8
_STEPS: Final = ("1e-3", "1e-9", "1e-15")
_SMOOTH: Final = ("quadratic", "huber", "hampel")


def _normalised(ctx: MPContext, weights: Sequence[float]) -> list[mpf]:
    total = ctx.fsum(map(ctx.convert, weights))
    return [ctx.convert(weight) / total for weight in weights]


@evidence(RESIDUAL, level=Level.PROVED)
def check_both_forms_are_one() -> None:
    """Expand both forms for any number of rows: K = 1 1' - D/2, D symmetric with a diagonal of zeros."""
    one, one_t, unit, unit_t, w, w_t, sqdist = letters("1 1t e et w wt D")
    gram = one * one_t - sqdist / 2
    none, number = sympy.Integer(0), sympy.Integer(1)
    sums = [(one_t * unit, number), (unit_t * one, number), (one_t * w, number), (w_t * one, number)]
    rules = [*sums, (unit_t * sqdist * unit, none), (w_t * sqdist * unit, unit_t * sqdist * w)]
    norm = (unit_t - w_t) * gram * (unit - w)
    expanded = unit_t * gram * unit - 2 * unit_t * gram * w + w_t * gram * w
    assert vanishes(norm - expanded, [*rules, (w_t * gram * unit, unit_t * gram * w)])
    assert vanishes(norm - (unit_t * sqdist * w - w_t * sqdist * w / 2), rules)


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
def check_each_term_is_bounded() -> None:
    """Refute w D > 2 w for one term of (Dw)_i, a negative term of w'Dw, and D > 2 for kappa >= 0."""
    weight, other, sqdist, kappa = z3.Reals("w v D kappa")
    known = [weight >= 0, other >= 0, kappa >= 0, kappa <= 1, sqdist == 2 * (1 - kappa)]
    assert not has_model(*known, weight * sqdist > 2 * weight)
    assert not has_model(*known, weight * other * sqdist < 0)


@evidence(DIAMETER, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@example(Problem([[0.0], [10.0]], strategies.KernelSpec("gaussian", 1.0), [1.0, 0.0]))
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
    """Collect the sum of phi_i (Phi_i - f) into F times a column, and add up its entries."""
    features, phi, one_t, w = letters("F phi 1t w")
    # The sum of phi_i Phi_i is F phi; f = F w is counted as often as the number 1'phi says.
    gradient = features * phi - features * w * (one_t * phi)
    column = phi - w * (one_t * phi)
    assert vanishes(gradient - features * column)
    assert vanishes(one_t * column, [(one_t * w, sympy.Integer(1))])


@evidence(COEFFICIENTS, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@example(ONE_FAR_ROW, LossSpec("huber", (0.5,)))
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


@evidence(GATEAUX, level=Level.PROVED)
def check_remainder_of_a_lipschitz_slope() -> None:
    """Integrate the change of the slope, at most L t |h|^2; <V(f + t h) - V(f), h> is no larger."""
    lipschitz, length, step, t = sympy.symbols("L h s t", positive=True)
    bound = sympy.integrate(lipschitz * t * length**2, (t, 0, step))
    assert is_zero(bound - lipschitz * step**2 * length**2 / 2)
    inner, change, share, norm, constant = z3.Reals("inner change t h L")
    known = [norm >= 0, share > 0, constant > 0, change <= constant * share * norm, inner <= change * norm]
    assert not has_model(*known, inner > constant * share * norm * norm)


@evidence(GATEAUX, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False), strategies.losses(_SMOOTH), st.sampled_from(_STEPS), st.data())
def check_remainder_is_quadratic(problem: Problem, spec: LossSpec, step: str, data: st.DataObject) -> None:
    """Move from f towards another weighted density by a share `step`, and bound the remainder exactly."""
    ctx, loss = bridge.fine_context(), bridge.reference_loss(spec)
    kernel = bridge.reference_kernel(problem.kernel)
    other = data.draw(strategies.weight_vectors(len(problem.X)))
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
