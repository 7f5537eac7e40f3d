"""Claims about one step of KIRWLS (Theorem 3 and its proof): descent, its amount, no 0/0."""

from typing import Final

import pytest
import sympy
import z3
from hypothesis import example, given

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import bridge, defined, elements, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import ONE_FAR_ROW, KernelSpec, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.rkhs import objective, residual_norms, surrogate_objective
from rkde.reference.solvers import kirwls_step

MINIMISER = Claim(
    id="descent.step_minimises_surrogate",
    label="eqn:Q3",
    section="8.4",
    statement=(
        "Q(g; f) = Q(Tf; f) + (sum phi_i / 2n) |g - Tf|^2 for every g, so the next iterate Tf is the one "
        "minimiser of Q(.; f)."
    ),
    hypotheses=("the phi(r_i) at f have a positive sum",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Q(.; f) is sum phi_i |Phi_i - g|^2 / 2n plus a constant, and Tf is the mean of the Phi_i with "
        "weights phi_i. The square is completed in the sums of phi_i, phi_i Phi_i and phi_i |Phi_i|^2, for "
        "any number of rows in any Hilbert space."
    ),
    source=Source.PRINTED,
)
SUFFICIENT = Claim(
    id="descent.amount",
    label="thm:convergence_bm, eqn:Q1, eqn:Q2",
    section="4",
    statement=(
        "J(f) - J(Tf) >= (sum phi_i / 2n) |Tf - f|^2: J falls at every step, strictly unless Tf = f. "
        "Theorem 3 as printed lacks the proviso that some phi_i is positive."
    ),
    hypotheses=(
        "rho is non-decreasing",
        "phi_nonincreasing",
        "rho is continuous at 0",
        "a2",
        "the phi(r_i) at f have a positive sum",
    ),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "J(f) = Q(f; f) because u touches rho; Q(f; f) = Q(Tf; f) + (sum phi_i / 2n)|Tf - f|^2 by completing "
        "the square; and Q(Tf; f) >= J(Tf) because u lies above rho."
    ),
    source=Source.PRINTED,
    follows_from=("surrogate.touches", "surrogate.monotone_phi", "descent.step_minimises_surrogate"),
)
FLOATS = Claim(
    id="descent.in_floats",
    label="thm:convergence_bm",
    section="4",
    statement="In float64 J never rises by more than the derived rounding of its two values.",
    hypotheses=("phi_nonincreasing", "some phi(r_i) is positive at the start"),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "The error of J is that of the residual norms times psi, and moving the new weights by e costs at"
        " most (sum phi_i / 2n) e^2, because Tf minimises Q."
    ),
    source=Source.IMPLIED,
)
NO_ZERO_SUM = Claim(
    id="descent.no_zero_sum",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "The mean of the phi(r_i) is at least 2 (rho(x) - J(f)) / x^2 for every x > 0. So if J is below "
        "sup rho at the first iterate, the mean of phi stays above one positive number at all later ones, "
        "and every iterate exists; where J(f) = sup rho the next weights are 0/0."
    ),
    hypotheses=("phi_nonincreasing", "a1", "a2"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "rho(x) <= rho(r_i) + phi(r_i)(x^2 - r_i^2)/2 for each row (surrogate.monotone_phi); take the mean. "
        "J never rises, so one x with rho(x) > J(f_1) serves all iterates. Where J = sup rho, rho is "
        "constant from every r_i on, so psi(r_i) = 0. For an unbounded rho nothing has to be assumed."
    ),
    source=Source.IMPLIED,
    follows_from=("descent.amount", "surrogate.monotone_phi"),
)

_STEPS: Final = 4
_ROUNDINGS: Final = 16
# Two rows far apart at even weights: both residuals, 0.707, lie on the ramp between b and c.
_ON_THE_RAMP: Final = Problem([[0.0], [4.0]], KernelSpec("gaussian", 1.0), [0.5, 0.5])
_RAMP: Final = LossSpec("hampel", (0.25, 0.5, 0.75))
_BEYOND: Final = LossSpec("hampel", (0.25, 0.5, 0.625))


@evidence(MINIMISER, level=Level.PROVED)
def check_square_is_completed() -> None:
    """Complete the square for any number of rows and any g."""
    rows, g = elements.any_rows(), elements.element("g")
    distance = (g - rows.mean).square
    assert is_zero(rows.spread(g) - rows.spread(rows.mean) - rows.total * distance)


@evidence(MINIMISER, level=Level.PROVED)
def check_sums_grow_row_by_row() -> None:
    """Without rows the spread about g is 0, and one more row adds phi |Phi - g|^2: an induction."""
    g, point, phi = elements.element("g"), elements.element("Phi"), sympy.Symbol("phi", positive=True)
    assert is_zero(elements.no_rows().spread(g))
    before = elements.any_rows()
    assert is_zero(before.with_row(phi, point).spread(g) - before.spread(g) - phi * (point - g).square)


@evidence(MINIMISER, level=Level.TESTED, corroborates=True)
@evidence(SUFFICIENT, level=Level.TESTED, corroborates=True)
@example(ONE_FAR_ROW, LossSpec("huber", (0.5,)))
@given(strategies.problems(6, 2, wide=False), strategies.losses())
def check_amount_of_descent(drawn: Problem, spec: LossSpec) -> None:
    """Take steps of the reference: Q and J relate as claimed at each, to its precision."""
    problem = defined.with_a_next_step(drawn, spec)
    ctx, rows = bridge.fine_context(), problem.X
    kernel, loss = bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    total = ctx.fsum(map(ctx.convert, problem.weights))
    weights = tuple(ctx.convert(weight) / total for weight in problem.weights)
    for _ in range(_STEPS):
        phi_sum = ctx.fsum(loss.phi(ctx, norm) for norm in residual_norms(ctx, rows, kernel, weights))
        if ctx.isinf(phi_sum):  # the absolute loss on a row: the iterate stays there
            break
        after = kirwls_step(ctx, rows, kernel, loss, weights)
        before_J, after_J = (objective(ctx, rows, kernel, loss, entry) for entry in (weights, after))
        length = bridge.feature_distance(ctx, rows, problem.kernel, weights, after)
        quadratic = phi_sum / (2 * len(rows)) * length * length
        surrogate = surrogate_objective(ctx, rows, kernel, loss, after, weights)
        rounding = bridge.fine_bound(float(before_J + surrogate), _ROUNDINGS)
        assert float(abs(before_J - surrogate - quadratic)) <= rounding
        assert float(quadratic - (before_J - after_J)) <= rounding
        weights = after


@evidence(FLOATS, level=Level.TESTED)
@example(ONE_FAR_ROW, LossSpec("huber", (0.5,)))
@given(strategies.problems(), strategies.losses())
def check_descent_in_floats(drawn: Problem, spec: LossSpec) -> None:
    """Take steps of the fast implementation and compare neighbouring values of J, the first one exactly."""
    problem = defined.with_a_next_step(drawn, spec)
    ctx, rows, kernel, weights = bridge.context(), problem.X, problem.kernel, problem.weights
    before = moves.state(rows, kernel, spec, weights)
    exact = objective(ctx, rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec), weights)
    assert float(abs(exact - ctx.convert(before.objective))) <= before.objective_error
    for _ in range(_STEPS):
        after = moves.state(rows, kernel, spec, moves.step(rows, kernel, spec, before.weights))
        moved = tolerances.element_step_bound(before.phi, before.phi_error, after.norms)
        allowed = before.objective_error + after.objective_error + _second_order(before.phi, moved)
        assert after.objective <= before.objective + allowed
        before = after


def _second_order(phi: list[float], moved: float) -> float:
    """Return (sum phi / 2n) e^2; with an infinite phi the iterate is a data point and does not move."""
    return 0.0 if moved == 0 else sum(phi) / (2 * len(phi)) * moved * moved


@evidence(NO_ZERO_SUM, level=Level.PROVED)
def check_phi_bounds_the_rise() -> None:
    """Refute phi(r) x^2 < 2 (rho(x) - rho(r)) where u lies above rho at x; a factor 3 is too much."""
    x, r, phi, at_x, at_r = z3.Reals("x r phi rho_x rho_r")
    known = [x > 0, r >= 0, phi >= 0, 2 * (at_x - at_r) <= phi * (x * x - r * r)]
    assert not has_model(*known, phi * x * x < 2 * (at_x - at_r))
    assert has_model(*known, r == 0, phi * x * x < 3 * (at_x - at_r))


@evidence(NO_ZERO_SUM, level=Level.PROVED)
def check_below_the_supremum_phi_is_positive() -> None:
    """Hampel, all thresholds: psi(t) > 0 where rho(t) < rho(c) and t > 0, psi(t) = 0 where it is rho(c)."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    parts = loss.at(t)
    top = parts[-1].rho
    for part in parts:
        assert not has_model(*loss.admissible, inside(part, t), t > 0, part.rho < top, part.psi <= 0)
        assert not has_model(*loss.admissible, inside(part, t), part.rho > top)
        assert not has_model(*loss.admissible, inside(part, t), part.rho == top, part.psi != 0)


@evidence(NO_ZERO_SUM, level=Level.TESTED, corroborates=True)
@example(_ON_THE_RAMP, _RAMP)
@given(strategies.problems(6, 2, wide=False), strategies.losses(("hampel",)))
def check_steps_exist_below_the_supremum(drawn: Problem, spec: LossSpec) -> None:
    """Take steps from J < rho(c): none fails in either implementation, and the mean of phi is as large."""
    problem = defined.with_a_next_step(drawn, spec)
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    last, weights = ctx.convert(spec.thresholds[-1]), tuple(map(ctx.convert, problem.weights))
    top, floats = loss.rho(ctx, last), problem.weights
    rounding = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * float(top)
    for _ in range(_STEPS):
        phi = [loss.phi(ctx, norm) for norm in residual_norms(ctx, problem.X, kernel, weights)]
        rise = 2 * (top - objective(ctx, problem.X, kernel, loss, weights))
        assert float(rise - ctx.fsum(phi) / len(phi) * last * last) <= rounding
        weights = kirwls_step(ctx, problem.X, kernel, loss, weights)
        floats = moves.step(problem.X, problem.kernel, spec, floats)
    assert objective(ctx, problem.X, kernel, loss, weights) < top


@evidence(NO_ZERO_SUM, level=Level.TESTED, corroborates=True)
def check_no_step_at_the_supremum() -> None:
    """Put both residuals of two rows beyond c: J is rho(c), and both implementations refuse the step."""
    ctx, kernel = bridge.context(), bridge.reference_kernel(_ON_THE_RAMP.kernel)
    loss, start = bridge.reference_loss(_BEYOND), _ON_THE_RAMP.weights
    assert objective(ctx, _ON_THE_RAMP.X, kernel, loss, start) == loss.rho(ctx, _BEYOND.thresholds[-1])
    with pytest.raises(AllWeightsZero):
        kirwls_step(ctx, _ON_THE_RAMP.X, kernel, loss, start)
    with pytest.raises(AllWeightsZero):
        moves.step(_ON_THE_RAMP.X, _ON_THE_RAMP.kernel, _BEYOND, start)
