"""Claims about Theorem 4's equation (12) for a general distribution F (sections 5 and 8.5)."""

import pytest
import sympy
import z3

from rkde.proofs_checks import symbolic
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero

GENERAL = Claim(
    id="influence_equation.any_distribution",
    label="thm:influence_true, eqn:icderiv1, eqn:icderiv3, eqn:icfinal",
    section="5",
    statement=(
        "Equation (12) holds for every F that puts no mass on residuals at a kink, where the derivative of "
        "f exists: along h, V_F changes by minus the integral of q(r)/r^3 <h, u> u + phi(r) h, with u = "
        "Phi(x) - f and r = |u|, and the equation says that this change along the derivative of f and "
        "V_x'(f) cancel."
    ),
    hypotheses=(
        "phi is Lipschitz continuous",
        "psi' exists at F-almost every residual",
        "the derivative of f exists",
    ),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "Differentiate phi(|u - s h|)(u - s h) at s = 0; the limit passes under the integral "
        "(influence_proofs.dominated) and along the curve f_s (influence_proofs.chain_rule_lipschitz). "
        "Divide 0 = V_F_s(f_s) = (1 - s) V_F(f_s) + s V_x'(f_s) by s: V_F(f_s)/s tends to the differential "
        "along the derivative of f, V_F(f_s) to 0 and V_x'(f_s) to V_x'(f). Theorem 4 lacks the premise "
        "that psi' exists at the residuals."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
    cites=("Lebesgue's theorem on dominated convergence, for Bochner integrals",),
    follows_from=("influence_proofs.dominated", "influence_proofs.chain_rule_lipschitz"),
)
INNER = Claim(
    id="influence_equation.inner_product",
    label="thm:influence_true, ssec:proof_thm_influence_true",
    section="5",
    statement="IF(x, x') is the inner product of Phi(x) and the derivative of f, for every x at once.",
    hypotheses=("the derivative of f exists in H",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "By the reproducing property and Cauchy's inequality the quotient (f_s(x) - f(x))/s differs from "
        "<Phi(x), df> by at most tau times the distance of (f_s - f)/s from df, uniformly in x."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
CLOSED = Claim(
    id="influence_equation.closed_form",
    label="thm:influence_true, eqn:icfinal",
    section="5",
    statement="For Huber's or Hampel's loss equation (12) has no closed form solution.",
    hypotheses=("F is not discrete",),
    verdict=Verdict.OPEN,
    level=None,
    argument=(
        "What a closed form is remains unsaid, and nothing is proved about it. If no residual exceeds a, "
        "then q = 0 and the solution is explicit: phi(r') (Phi(x') - f). So the sentence needs at least the "
        "proviso that some residuals exceed a."
    ),
    source=Source.PRINTED,
)


@evidence(GENERAL, level=Level.PROVED)
def check_differential_of_a_pull() -> None:
    """Differentiate phi(|u - s h|)(u - s h) at s = 0 in coordinates with u = (r, 0), for an arbitrary psi."""
    s, h_0, h_1 = sympy.symbols("s h_0 h_1", real=True)
    t, r = sympy.symbols("t r", positive=True)
    psi = sympy.Function("psi")
    phi, q = psi(t) / t, t * psi(t).diff(t) - psi(t)
    start, direction = (r, sympy.Integer(0)), (h_0, h_1)
    rest = [at - s * along for at, along in zip(start, direction, strict=True)]
    norm = sympy.sqrt(rest[0] ** 2 + rest[1] ** 2)
    for i in range(2):
        moved = (phi.subs(t, norm) * rest[i]).diff(s).subs(s, 0).doit()
        bend = (q / t**3).subs(t, r).doit() * (h_0 * r) * start[i]
        assert is_zero(moved + bend + phi.subs(t, r) * direction[i])


@evidence(INNER, level=Level.PROVED)
def check_values_follow_the_norm() -> None:
    """Refute |<Phi(x), g>| > tau |g| from Cauchy's inequality; g is what the quotient is off by."""
    inner, tau, length = z3.Reals("inner tau length")
    known = [tau > 0, length >= 0, inner * inner <= tau * tau * length * length]
    assert not has_model(*known, z3.Or(inner > tau * length, -inner > tau * length))
    assert has_model(*known, inner == tau * length, length > 0)


@evidence(CLOSED, level=Level.PROVED)
@pytest.mark.parametrize("name", ["huber", "hampel"])
def check_solution_below_a(name: str) -> None:
    """Insert phi(r') (Phi(x') - f) where every residual lies on the first piece: q is 0 and phi is 1."""
    t, (first, *_) = symbolic.robust_loss(name)
    mass, pull, away = sympy.symbols("mass phi_new away", positive=True)
    q, phi = t * first.psi_prime - first.psi, first.psi / t
    assert is_zero(q)
    solution = pull * away
    assert is_zero(mass * phi * solution - mass * pull * away)
