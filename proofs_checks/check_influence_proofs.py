"""Claims about the steps of the proofs of Theorems 4 and 5 (sections 8.5 and 8.6)."""

from fractions import Fraction
from typing import Final

import pytest
import sympy
import z3

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.symbolic import is_zero

EXCHANGE = Claim(
    id="influence_proofs.exchange",
    label="thm:influence_true (proof: exchange), eqn:extended_J, eqn:delta_J",
    section="8.5",
    statement=(
        "|d/dalpha rho(|Phi(x) - g - alpha h|)| <= B'' (tau + |g| + |h|) |h| for |alpha| < 1, if phi <= B''."
    ),
    hypotheses=("phi is bounded",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The derivative is phi times an inner product (gateaux.off_the_point): Cauchy's inequality, then "
        "the triangle inequality with |alpha| < 1."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
BOCHNER = Claim(
    id="influence_proofs.bochner",
    label="thm:influence_true (proof: V_mu), eqn:icderiv1",
    section="8.5",
    statement=(
        "For every probability measure mu the integral V_mu(g) of phi(|Phi(x) - g|) (Phi(x) - g) exists as "
        "a Bochner integral, its norm is at most B' = sup psi, and s V_delta(f_s) tends to 0 with s."
    ),
    hypotheses=("psi is bounded", "phi is continuous", "k is continuous"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "phi(r) u has the norm phi(r) r = psi(r) <= B' where |u| = r; for Huber and Hampel B' = a. Since "
        "|Phi(x) - Phi(y)|^2 = 2 (k(0, 0) - k(x, y)), Phi is continuous, so the integrand is, and H is "
        "separable, being the closed span of the Phi(x) with rational x: the integrand is strongly "
        "measurable, which the paper does not say, and a bounded norm makes it integrable. |s V_delta| <= s "
        "B'."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
    cites=(
        "Pettis 1938, On integration in vector spaces, Theorem 1.1: weakly measurable and separably valued "
        "functions are strongly measurable",
        "Bochner 1933: a strongly measurable function is integrable exactly if its norm is",
    ),
)
CHAIN_RULE = Claim(
    id="influence_proofs.chain_rule",
    label="thm:influence_true (proof: chain rule), eqn:icderiv2",
    section="8.5",
    statement=(
        "The chain rule of Gateaux differentials: the differential of G o H is that of G along that of H."
    ),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "G(x, y) = 1 where y = x^2 and x != 0, else 0, has the differential 0 at the origin in every "
        "direction, and H(s) = (s, s^2) the derivative (1, 0); but G(H(s)) = 1 for s != 0. For a Lipschitz "
        "map such as V the rule holds (influence_proofs.chain_rule_lipschitz)."
    ),
    counterexample=("check_differential_without_chain_rule",),
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)
LIPSCHITZ_RULE = Claim(
    id="influence_proofs.chain_rule_lipschitz",
    label="thm:influence_true (proof: chain rule), eqn:icderiv4, eqn:icderiv2",
    section="8.5",
    statement=(
        "For a Lipschitz map V and a curve with one-sided derivative the chain rule holds one-sidedly, and "
        "Huber's and Hampel's V are Lipschitz."
    ),
    hypotheses=("V is Lipschitz continuous", "V has one-sided derivatives along lines"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "V(f_s) and V(f + s df) differ by at most L |f_s - f - s df| = o(s). For Huber's and Hampel's V the "
        "constant is max(sup phi, sup |psi'|): with rows r and s away, the square of the difference of two "
        "pulls is (psi(r) - psi(s))^2 + 2 phi(r) phi(s) (r s - <u, v>), for u and v of these lengths."
    ),
    necessity=(("V is Lipschitz continuous", "check_differential_without_chain_rule"),),
    source=Source.PRINTED,
)
SIGN = Claim(
    id="influence_proofs.sign_of_slope",
    label="thm:influence_true (proof: derivative of phi along h), eqn:icderiv3",
    section="8.5",
    statement=(
        "d/ds phi(|u - s h|) = -phi'(|u - s h|) <u - s h, h>/|u - s h|; printed without the minus sign."
    ),
    hypotheses=("phi is differentiable",),
    verdict=Verdict.MISPRINT,
    level=Level.FORMAL,
    argument=(
        "d/ds |u - s h|^2 = -2 <u - s h, h>. In one dimension with phi = 1/t, u = 1, h = 1: 1/(1 - s) "
        "grows, phi' = -1 is negative, <u, h> positive. The line before has the minus sign, so the equation "
        "of Theorem 4 is right."
    ),
    counterexample=("check_sign_of_the_slope",),
    source=Source.PRINTED,
)
DOMINATED = Claim(
    id="influence_proofs.dominated",
    label="thm:influence_true (proof: dominated convergence)",
    section="8.5",
    statement=(
        "|phi(|u - s h|) - phi(|u|)| |u| / |s| <= L |h| (tau + |g|), and phi <= B'' for all x at once."
    ),
    hypotheses=("phi is Lipschitz continuous", "phi is bounded"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "|phi(x) - phi(y)| <= L |x - y|, then the reverse triangle inequality, and |u| <= tau + |g|. The "
        "paper prints only that the values of phi are finite for all x; dominated convergence needs one "
        "bound for all of them."
    ),
    source=Source.PRINTED,
)
UNIFORM = Claim(
    id="influence_proofs.uniform",
    label="thm:influence_emp (proof: J_s)",
    section="8.6",
    statement=(
        "|J_s(g) - J(g)| = s |rho(r') - (1/n) sum rho(r_i)|, which is at most (s/n) sum rho(r_i) + s "
        "rho(r'); printed with = in the place of 'at most'."
    ),
    hypotheses=("rho is not negative", "0 <= s <= 1"),
    verdict=Verdict.MISPRINT,
    level=Level.FORMAL,
    argument=(
        "J_s = (1 - s) J + s rho(r'), and two numbers that are not negative differ by no more than their "
        "sum. With rho(r') = mean rho = 1 and s = 1/2 the change is 0 and the sum of the two terms is 1. "
        "The bound 2 s rho(2 tau) that the paper draws from it is true (influence_proofs.uniform_bound)."
    ),
    counterexample=("check_two_terms_cancel",),
    source=Source.PRINTED,
)
SHARP = Claim(
    id="influence_proofs.uniform_bound",
    label="thm:influence_emp (proof: uniform convergence)",
    section="8.6",
    statement=(
        "|J_s(g) - J(g)| <= s rho(sqrt(2) tau) on the hull, for a nonnegative kernel; the printed 2 s rho(2 "
        "tau) holds."
    ),
    hypotheses=("nonnegative", "a1"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Both rho(r') and the mean of the rho(r_i) lie between 0 and rho(sqrt(2) tau), because no distance "
        "in the hull exceeds sqrt(2) tau (sum_rules.hull_diameter), and J_s - J is s times their "
        "difference."
    ),
    source=Source.PRINTED,
    follows_from=("sum_rules.hull_diameter",),
)
COMPACT = Claim(
    id="influence_proofs.compactness",
    label="thm:influence_emp (proof: M_eps)",
    section="8.6",
    statement=(
        "If J has one minimiser f on the hull of the Phi(X_i) and Phi(x'), and the minimisers of J_s lie in "
        "that hull, then these tend to f as s falls to 0."
    ),
    hypotheses=("J has one minimiser on the hull", "nonnegative", "a1", "strictly_increasing"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Outside a ball around f the compact rest of the hull has a J of at least J(f) + M with M > 0. Once "
        "s is so small that |J_s - J| < M/2, it has J_s > J - M/2 >= J(f) + M/2 > J_s(f) there, so J_s has "
        "its minimisers inside the ball."
    ),
    source=Source.PRINTED,
    follows_from=("influence_proofs.uniform_bound", "existence.compact_hull", "existence.in_hull"),
)

_ROBUST: Final = ("huber", "hampel")


@evidence(EXCHANGE, level=Level.PROVED)
def check_exchange_bound() -> None:
    """Refute a derivative above the bound, from phi <= B'', Cauchy and the triangle inequality."""
    phi, bound, inner, norm, tau, g, h, share = z3.Reals("phi B inner norm tau g h share")
    known = [phi >= 0, phi <= bound, h >= 0, g >= 0, tau > 0, norm >= 0, inner >= 0, share >= 0, share < 1]
    triangle = norm <= tau + g + share * h
    assert not has_model(*known, triangle, inner <= norm * h, phi * inner > bound * (tau + g + h) * h)


@evidence(BOCHNER, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_psi_is_bounded(name: str) -> None:
    """Refute psi > a on every piece."""
    loss, s = RealLoss(name), z3.Real("s")
    for piece in loss.at(s):
        assert not has_model(*loss.admissible, inside(piece, s), piece.psi > loss.a)


def _spike(x: Fraction, y: Fraction) -> Fraction:
    return Fraction(int(y == x**2 and x != 0))


@evidence(CHAIN_RULE, level=Level.PROVED)
@evidence(LIPSCHITZ_RULE, level=Level.PROVED)
def check_differential_without_chain_rule() -> None:
    """Refute a direction (u, v) that meets the parabola for two s != 0; follow the curve."""
    s, other, u, v = z3.Reals("s t u v")
    # s v = (s u)^2 with s u != 0 has the one solution s = v/u^2: near 0 the spike is 0 along any line.
    on_line = [s * v == s * s * u * u, s * u != 0, other * v == other * other * u * u, other * u != 0]
    assert not has_model(*on_line, s != other)
    for step in (Fraction(1, 10), Fraction(1, 10**6)):
        assert _spike(step, step**2) == 1
        assert _spike(step, Fraction(0)) == 0


@evidence(LIPSCHITZ_RULE, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_slopes_are_bounded(name: str) -> None:
    """Refute |psi'| or phi above max(1, a/(c - b)): the eigenvalues of the derivative of -V."""
    loss, t = RealLoss(name), z3.Real("t")
    for piece in loss.at(t):
        question = [*loss.admissible, inside(piece, t), t > 0]
        steep = loss.ramp if name == "hampel" else z3.RealVal(1)
        assert not has_model(*question, piece.psi > t)
        assert not has_model(*question, piece.psi_prime > 1)
        assert not has_model(*question, -piece.psi_prime > steep)


@evidence(SIGN, level=Level.PROVED)
def check_sign_of_the_slope() -> None:
    """Differentiate phi(|u - s h|) in one dimension, for phi = 1/t and u > s h: the printed sign is wrong."""
    s, u, h, t = sympy.symbols("s u h t", positive=True)
    phi = 1 / t
    slope = phi.subs(t, u - s * h).diff(s)
    printed = phi.diff(t).subs(t, u - s * h) * h
    assert is_zero(slope + printed)
    assert not is_zero(slope - printed)


@evidence(SIGN, level=Level.PROVED)
def check_slope_of_any_phi() -> None:
    """Differentiate an arbitrary function of |u - s h| in coordinates in which u is (r, 0), for every s."""
    s, r, h_0, h_1 = sympy.symbols("s r h_0 h_1", real=True)
    phi, t = sympy.Function("phi"), sympy.Symbol("t", positive=True)
    norm = sympy.sqrt((r - s * h_0) ** 2 + (s * h_1) ** 2)
    inner = (r - s * h_0) * h_0 - s * h_1 * h_1
    slope = phi(t).diff(t).subs(t, norm).doit()
    assert is_zero(phi(norm).diff(s).doit() + slope * inner / norm)


@evidence(DOMINATED, level=Level.PROVED)
def check_dominating_function() -> None:
    """Refute a larger quotient, from |phi(x) - phi(y)| <= L |x - y| and ||u - s h| - |u|| <= |s| |h|."""
    change, lipschitz, gap, share, h, norm, tau, g = z3.Reals("change L gap s h norm tau g")
    known = [change >= 0, lipschitz >= 0, gap >= 0, share > 0, h >= 0, norm >= 0, g >= 0, tau > 0]
    triangles = [gap <= share * h, norm <= tau + g, change <= lipschitz * gap]
    assert not has_model(*known, *triangles, change * norm > share * lipschitz * h * (tau + g))


@evidence(UNIFORM, level=Level.PROVED)
def check_two_terms_cancel() -> None:
    """Show that the change is the difference of the two terms, at most their sum, and that = fails."""
    share, mean, new = z3.Reals("s mean new")
    change = (1 - share) * mean + share * new - mean
    known = [share > 0, share < 1, mean >= 0, new >= 0]
    total = share * mean + share * new
    assert has_model(*known, mean == 1, new == 1, share == z3.RealVal("1/2"), change == 0, total == 1)
    assert not has_model(*known, change != share * (new - mean))
    assert not has_model(*known, z3.Or(change > total, -change > total))


@evidence(SHARP, level=Level.PROVED)
def check_bound_on_the_hull() -> None:
    """Refute a change above s rho(sqrt 2 tau), for 0 <= mean, rho(r') <= rho(sqrt 2 tau) <= rho(2 tau)."""
    share, mean, new, top, wide = z3.Reals("s mean new top wide")
    change = (1 - share) * mean + share * new - mean
    known = [share > 0, share < 1, mean >= 0, new >= 0, mean <= top, new <= top, top <= wide]
    assert not has_model(*known, z3.Or(change > share * top, -change > share * top))
    assert not has_model(*known, z3.Or(change > 2 * share * wide, -change > 2 * share * wide))
