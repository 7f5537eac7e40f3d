"""Claims about the stationary set S and the limit points of KIRWLS (Theorem 3, its proof, the corollary)."""

import sympy
import z3

from rkde.proofs_checks import elements, witnesses
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import Enclosure, certify_limit
from rkde.vocabulary import Certificate

NONEMPTY = Claim(
    id="limit_points.nonempty",
    label="thm:convergence_bm (S not empty)",
    section="4",
    statement="S, the set of all g with V(g) = 0, is not empty: it holds every global minimiser of J.",
    hypotheses=("a1", "a2"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "A global minimiser exists, by Lemma 1 J has the differential -<V(g), h> there, and at a minimum the "
        "differential vanishes in every direction, V(g) included."
    ),
    source=Source.PRINTED,
    follows_from=(
        "existence.minimiser",
        "gateaux.off_the_point",
        "gateaux.at_the_point",
        "gateaux.necessary",
    ),
)
FAR = Claim(
    id="limit_points.hampel_far",
    label="thm:convergence_bm (S)",
    section="4",
    statement=(
        "For Hampel's loss S holds every g with |g| >= c + tau, where J is largest, however "
        "far from the rows. Closeness to S alone says little for this loss."
    ),
    hypotheses=("all features have the norm tau, as for a radial kernel",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="|Phi_i - g| >= |g| - tau >= c by the triangle inequality, so every phi is 0.",
    source=Source.IMPLIED,
)
CHAIN = Claim(
    id="limit_points.chain",
    label="thm:convergence_bm, ssec:proof_thm_convergence_bm, eqn:Q1, eqn:Q2",
    section="8.4",
    statement=(
        "A limit point f* of the iterates minimises Q(.; f*), so V(f*) = 0. The weighted mean that the proof "
        "writes for f* needs some phi(r_i) > 0 at f*, which J(f_1) < sup rho ensures."
    ),
    hypotheses=("phi_nonincreasing", "a1", "a2", "a3", "J(f_1) < sup rho, so that every iterate exists"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "J(f_k') <= J(f_k+1) <= Q(f_k+1; f_k) <= Q(g; f_k) for k' > k, by descent.amount and its parts; Q is "
        "continuous, so Q(f*; f*) <= Q(g; f*) in the limit. The slope of Q(.; f*) at f* along h is "
        "-<V(f*), h>. The bound of descent.no_zero_sum holds at f* as well, since J(f*) <= J(f_1)."
    ),
    source=Source.PRINTED,
    follows_from=("descent.amount", "descent.no_zero_sum"),
)
UNBOUNDED = Claim(
    id="limit_points.strict_convexity",
    label="thm:convergence_bm (corollary)",
    section="4",
    statement=(
        "A strictly convex J has an unbounded rho. So the corollary of Theorem 3, unlike the theorem, needs "
        "no proviso on the start: J(f_1) < sup rho always holds, and every iterate exists."
    ),
    hypotheses=("J is strictly convex",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Two points f and g with J(g) > J(f) exist, if need be a midpoint and an end; on the line through "
        "them a convex J grows at least linearly beyond g, and with a bounded rho it would be bounded."
    ),
    source=Source.IMPLIED,
    proof_class=ProofClass.B,
)
RISING = Claim(
    id="limit_points.rising_phi",
    label="thm:convergence_bm (corollary)",
    section="4",
    statement=(
        "Strict convexity of J alone does not make KIRWLS converge: the corollary needs a phi that never "
        "rises."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Two rows and the strictly convex rho = t^4/4, which satisfies (A1) to (A3): a step turns the odds q "
        "of the two weights into 1/q^2, so from any q other than 1 the weights swing ever farther."
    ),
    source=Source.IMPLIED,
)
WHOLE = Claim(
    id="limit_points.whole_sequence",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "More is true for Huber's and Hampel's losses than Theorem 3 says: the iterates converge to one "
        "point of S, and the lengths of the steps have a finite sum."
    ),
    hypotheses=("the loss is Huber's or Hampel's", "J(f_1) < sup rho"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "J falls by at least (sum phi/2n)|step|^2, the mean of phi stays above a positive number, V is "
        "Lipschitz, and V(f_k) is (sum phi/n) times the step, so |V| after a step is at most "
        "(sum phi/n + Lip V) times its length. The iterates stay in the compact hull, in a space of finite "
        "dimension, where J is made of polynomials and roots on finitely many pieces: semi-algebraic. These "
        "are the premises of the cited theorem."
    ),
    source=Source.IMPLIED,
    proof_class=ProofClass.D,
    follows_from=(
        "descent.amount",
        "descent.no_zero_sum",
        "weights.representer",
        "influence_proofs.chain_rule_lipschitz",
        "existence.compact_hull",
    ),
    cites=(
        "Attouch, Bolte and Svaiter 2013, Mathematical Programming 137, Theorem 2.9",
        "Bolte, Daniilidis and Lewis 2007, SIAM Journal on Optimization 17: continuous semi-algebraic "
        "functions have the Kurdyka-Lojasiewicz property",
    ),
)
FOUR_ROWS = Claim(
    id="limit_points.whole_path",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "On four rows the whole path of KIRWLS with Hampel's loss is enclosed: from each of three starts it "
        "converges to one point, a local minimum twice and a saddle once."
    ),
    hypotheses=("the four rows, bandwidth and thresholds of local_minima.two_disjoint",),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument="Ball arithmetic follows the path until a ball around the stationary point provably keeps it.",
    source=Source.IMPLIED,
)


@evidence(FAR, level=Level.PROVED)
def check_psi_vanishes_far_away() -> None:
    """No thresholds, |g| >= c + tau and residual >= |g| - tau with psi > 0 or rho below its largest value."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    size, tau = z3.Reals("size tau")
    far = [tau > 0, size >= loss.c + tau, t >= size - tau]
    parts = loss.at(t)
    for part in parts:
        assert not has_model(*loss.admissible, *far, inside(part, t), part.psi > 0)
        assert not has_model(*loss.admissible, *far, inside(part, t), part.rho < parts[-1].rho)


@evidence(CHAIN, level=Level.PROVED)
def check_slope_of_the_surrogate() -> None:
    """Differentiate Q(f + s h; f) at s = 0: -<V(f), h>, the slope of J at f, for any number of rows."""
    rows, f, h = elements.any_rows(), elements.element("f"), elements.element("h")
    s, n = sympy.symbols("s n", real=True)
    quadratic = rows.spread(f + h.times(s)) / (2 * n)
    assert is_zero(quadratic.diff(s).subs(s, 0) + rows.gradient(f).inner(h) / n)


@evidence(UNBOUNDED, level=Level.PROVED)
def check_convex_growth_along_a_line() -> None:
    """From convexity between f, g and f + t (g - f) refute J there below J(f) + t (J(g) - J(f)), t >= 1."""
    at_f, at_g, beyond, share, t = z3.Reals("J_f J_g J_beyond share t")
    # g = share (f + t (g - f)) + (1 - share) f with share = 1/t.
    known = [t >= 1, share * t == 1, at_g <= share * beyond + (1 - share) * at_f]
    assert not has_model(*known, beyond < at_f + t * (at_g - at_f))


@evidence(RISING, level=Level.PROVED)
def check_a_rising_phi_runs_away() -> None:
    """Take rho = t^4/4, two rows at distance D and weights of odds q: the next odds are 1/q^2."""
    t, distance, odds = sympy.symbols("t D q", positive=True)
    rho = t**4 / 4
    assert rho.diff(t, 2).is_positive
    phi = rho.diff(t) / t
    first = odds / (1 + odds)
    # The residuals are (1 - w) D and w D.
    after = [phi.subs(t, (1 - first) * distance), phi.subs(t, first * distance)]
    assert is_zero(after[0] / after[1] - odds**-2)


def _limit(start: list[str]) -> Enclosure:
    return certify_limit(witnesses.PAIRS, witnesses.PAIRS_KERNEL, witnesses.PAIRS_LOSS, start)


@evidence(FOUR_ROWS, level=Level.CERTIFIED)
def check_whole_path_converges() -> None:
    """Require a proof that the whole path from three starts converges to one enclosed point."""
    ends = [_limit(start) for start in (witnesses.NEARLY_EVEN, witnesses.LEFT_PAIR, ["0.25"] * 4)]
    assert all(end.branch_proved for end in ends)
    kinds = [end.certificate for end in ends]
    assert kinds == [Certificate.LOCAL_MINIMUM, Certificate.LOCAL_MINIMUM, Certificate.SADDLE]
