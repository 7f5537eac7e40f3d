"""Claims that outlying rows get small weights (sections 3 and 6.2.2)."""

from itertools import pairwise
from typing import Final

import sympy
import z3
from hypothesis import example, given

from rkde.proofs_checks import bridge, defined, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import ONE_FAR_ROW, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.rkhs import residual_norms
from rkde.reference.solvers import kirwls_step

ORDER = Claim(
    id="downweighting.order",
    label="sec:representer (down-weights outlying points)",
    section="3",
    statement=(
        "If f(X_i) <= f(X_j), the weights after f satisfy w_i <= w_j: a row in a region of lower density "
        "never gets more weight. It need not get less, since phi of Huber and Hampel is constant on [0, a]."
    ),
    hypotheses=(
        "rho is non-decreasing",
        "phi_nonincreasing",
        "all features have the norm tau, as for a radial kernel",
        "the phi(r_i) have a positive sum",
    ),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "r_i^2 = tau^2 - 2 f(X_i) + |f|^2 falls as f(X_i) rises, and phi(r_i) does not fall as r_i falls. "
        "The paper says that w_i is small where f(X_i) is."
    ),
    necessity=(
        ("all features have the norm tau, as for a radial kernel", "check_norms_that_differ_break_the_order"),
    ),
    source=Source.PRINTED,
)
BELOW = Claim(
    id="downweighting.below_average",
    label="ssec:exp_results (mass at outlying points)",
    section="6.2.2",
    statement=(
        "The RKDE puts less than 1/n on a row exactly if phi(r_i) is below the mean of the phi(r_j), which "
        "is what 'outlying' can mean; the VKDE puts 1/n on every row."
    ),
    hypotheses=("some phi(r_i) is positive",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="w_i = phi_i / sum phi < 1/n is n phi_i < sum phi; each summand of the VKDE has integral 1/n.",
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)


# Roundings of two weights at the reference's precision: phi has at most nine, the quotient one.
_ROUNDINGS: Final = 20


@evidence(ORDER, level=Level.PROVED)
def check_order_of_weights() -> None:
    """Refute w_i > w_j from the two monotone relations, with a common tau and |f|."""
    tau, size, f_i, f_j, r_i, r_j = z3.Reals("tau size f_i f_j r_i r_j")
    phi_i, phi_j, total = z3.Reals("phi_i phi_j total")
    norms = [r_i >= 0, r_j >= 0, r_i * r_i == tau - 2 * f_i + size, r_j * r_j == tau - 2 * f_j + size]
    falling = z3.Implies(r_i >= r_j, phi_i <= phi_j)
    assert not has_model(*norms, falling, f_i <= f_j, total > 0, phi_i / total > phi_j / total)
    assert has_model(*norms, falling, f_i < f_j, total > 0, phi_i / total == phi_j / total)


@evidence(ORDER, level=Level.PROVED)
def check_norms_that_differ_break_the_order() -> None:
    """Drop the constant norm: with tau_i > tau_j a row of higher density can lie farther away."""
    tau_i, tau_j, size, f_i, f_j, r_i, r_j = z3.Reals("tau_i tau_j size f_i f_j r_i r_j")
    norms = [r_i >= 0, r_j >= 0, r_i * r_i == tau_i - 2 * f_i + size, r_j * r_j == tau_j - 2 * f_j + size]
    assert has_model(*norms, f_i > f_j, r_i > r_j)


@evidence(ORDER, level=Level.TESTED, corroborates=True)
@example(ONE_FAR_ROW, LossSpec("huber", (0.5,)))
@given(strategies.problems(6, 2, wide=False), strategies.losses(("huber", "hampel")))
def check_order_in_both_implementations(drawn: Problem, spec: LossSpec) -> None:
    """Sort the rows by residual: the next weights never rise along it by more than their rounding."""
    problem = defined.with_a_next_step(drawn, spec)
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    norms = residual_norms(ctx, problem.X, kernel, problem.weights)
    order = sorted(range(len(norms)), key=lambda i: norms[i])
    after = kirwls_step(ctx, problem.X, kernel, loss, problem.weights)
    # phi never rises with the norm; its own roundings and that of the quotient are all that can.
    rounding = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * float(max(after))
    assert all(float(after[right] - after[left]) <= rounding for left, right in pairwise(order))
    fast = moves.step(problem.X, problem.kernel, spec, problem.weights)
    errors = moves.state(problem.X, problem.kernel, spec, problem.weights).weights_error
    assert all(fast[right] - fast[left] <= errors[left] + errors[right] for left, right in pairwise(order))


@evidence(BELOW, level=Level.PROVED)
def check_below_the_mean() -> None:
    """Refute both directions of the equivalence for any number of rows, and add up n masses 1/n."""
    phi, others, size = z3.Reals("phi others n")
    total = phi + others
    known = [size >= 1, phi >= 0, others >= 0, total > 0]
    below, weight = size * phi < total, phi / total
    assert not has_model(*known, below, size * weight >= 1)
    assert not has_model(*known, size * weight < 1, z3.Not(below))
    rank, count = (sympy.Symbol(name, integer=True, positive=True) for name in ("i", "n"))
    assert is_zero(sympy.summation(1 / count, (rank, 1, count)) - 1)


@evidence(BELOW, level=Level.TESTED, corroborates=True)
def check_an_outlier_in_both_implementations() -> None:
    """One far row among four: after one Huber step from even weights it has less than 1/4."""
    ctx, rows, spec = bridge.context(), ONE_FAR_ROW.X, LossSpec("huber", (0.5,))
    kernel, start = bridge.reference_kernel(ONE_FAR_ROW.kernel), ONE_FAR_ROW.weights
    after = kirwls_step(ctx, rows, kernel, bridge.reference_loss(spec), start)
    assert after[3] < ctx.mpf(1) / 4 < after[1]
    fast = moves.step(rows, ONE_FAR_ROW.kernel, spec, start)
    assert fast[3] < 1 / 4 < fast[1]
