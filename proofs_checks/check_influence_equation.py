"""Claims about Theorem 4's equation (12) for a general distribution F (sections 5 and 8.5)."""

from __future__ import annotations

import sympy

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.symbolic import is_zero

GENERAL = Claim(
    id="influence_equation.any_distribution",
    label="thm:influence_true, eqn:icderiv1, eqn:icderiv3, eqn:icfinal",
    section="5",
    statement=(
        "Equation (12) holds for every F that puts no mass on residuals at a kink: along h, V_F changes by "
        "minus the integral of q(r)/r^3 <h, u> u + phi(r) h, with u = Phi(x) - f and r = |u|."
    ),
    hypotheses=("phi Lipschitz", "psi' exists at F-almost every residual", "the derivative of f exists"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "Differentiate phi(|u - s h|)(u - s h) at s = 0; the limit passes under the integral "
        "(influence_proofs.dominated) and along the curve f_s (influence_proofs.chain_rule_lipschitz). (1 - "
        "s) V_F(f_s) + s V_x'(f_s) = 0, over s, tends to the differential along the derivative of f plus "
        "V_x'(f), as V_F(f_s) tends to 0. Theorem 4 lacks the premise that psi' exists at the residuals."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
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


@evidence(GENERAL, level=Level.PROVED)
def check_quotient_of_stationarity() -> None:
    """(1 - s) a + s b over s is a/s - a + b: where a/s tends to d and a to 0, the limit is d + b."""
    s, at_f, new = sympy.symbols("s V_F V_new", positive=True)
    assert is_zero(((1 - s) * at_f + s * new) / s - (at_f / s - at_f + new))
