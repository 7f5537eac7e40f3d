"""Claims about one step of KIRWLS (Theorem 3 and its proof): descent, its amount, no 0/0."""

from __future__ import annotations

from typing import Final

import pytest
import sympy
import z3
from hypothesis import given

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import bridge, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.kirwls import kirwls_step
from rkde.reference.objective import objective, surrogate_objective
from rkde.reference.rkhs import residual_norms

MINIMISER = Claim(
    id="descent.step_minimises_surrogate",
    label="eqn:Q3",
    section="8.4",
    statement=(
        "Q(g; f) = Q(Tf; f) + (sum phi_i / 2n) |g - Tf|^2 for every g, so the next iterate Tf is its "
        "minimiser."
    ),
    hypotheses=("sum phi > 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Q(.; f) is sum phi_i |Phi_i - g|^2 / 2n plus a constant, and Tf the mean of the Phi_i with "
        "weights phi_i: the mixed term 2 <sum phi_i (Phi_i - Tf), Tf - g> vanishes. Coordinate by "
        "coordinate and linear in the points, so two points in one coordinate show it."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
SUFFICIENT = Claim(
    id="descent.amount",
    label="thm:convergence_bm, eqn:Q1, eqn:Q2",
    section="4",
    statement=(
        "J(f) - J(Tf) >= (sum phi_i / 2n) |Tf - f|^2: J falls at every step, strictly unless Tf = f. "
        "Theorem 3 as printed lacks the proviso that some phi_i is positive."
    ),
    hypotheses=("phi_nonincreasing", "sum phi > 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument="J(f) = Q(f; f) = Q(Tf; f) + (sum phi_i / 2n)|Tf - f|^2 and Q(Tf; f) >= J(Tf) (surrogate).",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
FLOATS = Claim(
    id="descent.in_floats",
    label="thm:convergence_bm",
    section="4",
    statement="In float64 J never rises by more than the derived rounding of its two values.",
    hypotheses=("phi_nonincreasing",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "The error of J is that of the residual norms times psi, and moving the new weights by e costs at"
        " most (sum phi_i / 2n) e^2, because Tf minimises Q."
    ),
    source=Source.PRINTED,
)
NO_ZERO_SUM = Claim(
    id="descent.no_zero_sum",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "For a bounded rho, if J(f) < sup rho then some phi(r_i) is positive, and it stays so at every "
        "later iterate; J(f) = sup rho means 0/0."
    ),
    hypotheses=("rho_bounded", "phi_nonincreasing"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "A mean below sup rho has a term rho(r_i) below it, so rho rises somewhere beyond r_i: psi(s) > 0 at "
        "an s > r_i, and phi(r_i) >= phi(s) > 0. J never rises, so the premise is kept. Where rho is sup rho "
        "it is constant, and psi = 0. Hampel: psi > 0 exactly on (0, c), where rho < rho(c)."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

_STEPS: Final = 4
_ROUNDINGS: Final = 16
_WITH_FINITE_PHI: Final = ("quadratic", "huber", "hampel")


@evidence(MINIMISER, level=Level.PROVED)
def check_square_is_completed() -> None:
    """Complete the square symbolically for two points in one coordinate."""
    first, second, phi_0, phi_1, other = sympy.symbols("x_0 x_1 phi_0 phi_1 g", positive=True)
    total = phi_0 + phi_1
    mean = (phi_0 * first + phi_1 * second) / total
    spread = [phi_0 * (first - point) ** 2 + phi_1 * (second - point) ** 2 for point in (other, mean)]
    assert is_zero(spread[0] - spread[1] - total * (other - mean) ** 2)


@evidence(MINIMISER, level=Level.TESTED, corroborates=True)
@evidence(SUFFICIENT, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False), strategies.losses())
def check_amount_of_descent(problem: Problem, spec: LossSpec) -> None:
    """Take steps of the reference: Q and J relate as claimed at each, to its precision."""
    ctx, rows = bridge.fine_context(), problem.X
    kernel, loss = bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    total = ctx.fsum(map(ctx.convert, problem.weights))
    weights = tuple(ctx.convert(weight) / total for weight in problem.weights)
    for _ in range(_STEPS):
        phi_sum = ctx.fsum(loss.phi(ctx, norm) for norm in residual_norms(ctx, rows, kernel, weights))
        if phi_sum == 0 or ctx.isinf(phi_sum):
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


@evidence(SUFFICIENT, level=Level.PROVED)
def check_chain_of_inequalities() -> None:
    """Refute the conclusion from its three premises: equality at f, minimisation, surrogate above J."""
    at_f, at_next, above, amount = z3.Reals("J_f J_next Q_next amount")
    known = [at_f == above + amount, above >= at_next, amount >= 0]
    assert not has_model(*known, at_f - at_next < amount)
    assert not has_model(*known, amount > 0, at_next >= at_f)


@evidence(FLOATS, level=Level.TESTED)
@given(strategies.problems(), strategies.losses())
def check_descent_in_floats(problem: Problem, spec: LossSpec) -> None:
    """Take steps of the fast implementation and compare neighbouring values of J, the first one exactly."""
    ctx, rows, kernel, weights = bridge.context(), problem.X, problem.kernel, problem.weights
    before = moves.state(rows, kernel, spec, weights)
    exact = objective(ctx, rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec), weights)
    assert float(abs(exact - ctx.convert(before.objective))) <= before.objective_error
    for _ in range(_STEPS):
        try:
            after = moves.state(rows, kernel, spec, moves.step(rows, kernel, spec, before.weights))
        except AllWeightsZero:
            break
        moved = tolerances.element_step_bound(before.phi, before.phi_error, after.norms)
        allowed = before.objective_error + after.objective_error + _second_order(before.phi, moved)
        assert after.objective <= before.objective + allowed
        before = after


def _second_order(phi: list[float], moved: float) -> float:
    """Return (sum phi / 2n) e^2; with an infinite phi the iterate is a data point and does not move."""
    return 0.0 if moved == 0 else sum(phi) / (2 * len(phi)) * moved * moved


@evidence(NO_ZERO_SUM, level=Level.PROVED)
def check_below_the_supremum_phi_is_positive() -> None:
    """Refute rho(t) < rho(c) with psi(t) = 0 and t > 0, and rho(t) > rho(c), for all thresholds."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    parts = loss.at(t)
    top = parts[-1].rho
    for part in parts:
        assert not has_model(*loss.admissible, inside(part, t), t > 0, part.rho < top, part.psi <= 0)
        assert not has_model(*loss.admissible, inside(part, t), part.rho > top)


@evidence(NO_ZERO_SUM, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False), strategies.losses(("hampel",)))
def check_steps_exist_below_the_supremum(problem: Problem, spec: LossSpec) -> None:
    """Take steps of the reference from J < rho(c): none fails; from J = rho(c) the first one does."""
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    top = loss.rho(ctx, spec.thresholds[-1])
    weights = tuple(map(ctx.convert, problem.weights))
    if objective(ctx, problem.X, kernel, loss, weights) == top:
        with pytest.raises(AllWeightsZero):
            kirwls_step(ctx, problem.X, kernel, loss, weights)
        return
    for _ in range(_STEPS):
        weights = kirwls_step(ctx, problem.X, kernel, loss, weights)
    assert objective(ctx, problem.X, kernel, loss, weights) < top
