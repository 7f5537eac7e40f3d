"""Claims about the stationary set S and the limit points of KIRWLS (Theorem 3, its proof, the corollary)."""

from __future__ import annotations

import sympy
import z3

from rkde.proofs_checks import witnesses
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import Enclosure, certify_limit
from rkde.vocabulary import Certificate

NONEMPTY = Claim(
    id="limit_points.nonempty",
    label="thm:convergence_bm (S not empty)",
    section="4",
    statement="S, the set of g with V(g) = 0, is not empty: it holds every global minimiser of J.",
    hypotheses=("a1", "a2", "rho continuous"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "A minimiser exists (existence.minimiser). Along V the differential is -|V|^2, and it must not be "
        "negative there, so V = 0."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
FAR = Claim(
    id="limit_points.hampel_far",
    label="thm:convergence_bm (S)",
    section="4",
    statement="For Hampel's loss S is unbounded: it holds every g with |g| >= c + tau, where J is largest.",
    hypotheses=("|Phi| = tau",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "|Phi_i - g| >= |g| - tau >= c, so every phi is 0. Closeness to S alone says little for this loss."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
CHAIN = Claim(
    id="limit_points.chain",
    label="thm:convergence_bm, ssec:proof_thm_convergence_bm, eqn:Q1, eqn:Q2",
    section="8.4",
    statement=(
        "A limit point f* of the iterates minimises Q(.; f*), so V(f*) = 0, provided that sum phi > 0 at f*; "
        "for J(f_1) < sup rho that is so."
    ),
    hypotheses=("phi_nonincreasing", "sum phi > 0 at the limit", "psi and phi continuous"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "J(f_k') <= J(f_k+1) <= Q(f_k+1; f_k) <= Q(g; f_k) for k' > k; pass to the limit. A quadratic with a "
        "positive leading coefficient has one minimiser, the weighted mean."
    ),
    necessity=(("sum phi > 0 at the limit", "check_without_phi_every_point_minimises"),),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
CONTRADICTION = Claim(
    id="limit_points.distance_to_zero",
    label="thm:convergence_bm, ssec:proof_thm_convergence_bm (contradiction)",
    section="8.4",
    statement="If every limit point of a sequence in a compact set lies in S, its distance to S tends to 0.",
    hypotheses=("D_n compact",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Else a subsequence stays e away and has a limit point in S nearer than e/2: e <= e/2. The first "
        "iterate need not lie in D_n's interior; all lie in D_n."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
UNIQUE = Claim(
    id="limit_points.corollary",
    label="thm:convergence_bm (corollary)",
    section="4",
    statement=(
        "If J is strictly convex and phi non-increasing, S has one element, the RKDE, and the iterates "
        "converge to it."
    ),
    hypotheses=("a1", "a2", "a3", "phi_nonincreasing", "J strictly convex"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "V(f) = 0 makes f a minimiser (existence.sufficient), and two minimisers would have a lower "
        "midpoint. A sequence whose distance to a single point tends to 0 converges to it. Strict convexity "
        "alone does not do it: two rows and rho = t^4/4 turn the odds q of the weights into 1/q^2."
    ),
    necessity=(
        ("J strictly convex", "check_two_stationary_points_without_it"),
        ("phi_nonincreasing", "check_a_rising_phi_runs_away"),
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
WHOLE = Claim(
    id="limit_points.whole_sequence",
    label="thm:convergence_bm",
    section="4",
    statement=(
        "More is true for Huber and Hampel: the iterates converge to one point of S, for Hampel too, once "
        "J(f_1) < sup rho. Proved here step by step up to a cited theorem, and outright on stated data."
    ),
    hypotheses=("phi_nonincreasing", "sum phi > 0", "J semi-algebraic in w"),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument=(
        "J falls by at least (sum phi/2n)|step|^2, and |V| after a step is at most (sum phi/n + Lip "
        "V)|step|; J is semi-algebraic in the weights. With both, the theorem of Attouch, Bolte and Svaiter "
        "gives finite length. Certified: on the four rows of local_minima the path is enclosed and caught by "
        "one point."
    ),
    source=Source.PRINTED,
)


@evidence(NONEMPTY, level=Level.PROVED)
def check_a_minimiser_is_stationary() -> None:
    """Slope -|V|^2 along V, not negative at a minimum: |V| = 0."""
    slope, norm = z3.Reals("slope norm")
    assert not has_model(norm >= 0, slope == -norm * norm, slope >= 0, norm > 0)


@evidence(FAR, level=Level.PROVED)
def check_psi_vanishes_far_away() -> None:
    """No thresholds, |g| >= c + tau and residual >= |g| - tau with psi > 0."""
    loss, t = RealLoss("hampel"), z3.Real("t")
    size, tau = z3.Reals("size tau")
    far = [tau > 0, size >= loss.c + tau, t >= size - tau]
    for part in loss.at(t):
        assert not has_model(*loss.admissible, *far, inside(part, t), part.psi > 0)


@evidence(CHAIN, level=Level.PROVED)
def check_chain_of_inequalities() -> None:
    """Refute the end from the four links."""
    later, next_value, next_surrogate, surrogate = z3.Reals("J_later J_next Q_next Q_g")
    links = [later <= next_value, next_value <= next_surrogate, next_surrogate <= surrogate]
    assert not has_model(*links, later > surrogate)


@evidence(CHAIN, level=Level.PROVED)
def check_the_minimiser_is_the_weighted_mean() -> None:
    """Set the derivative of the weighted sum of squares to 0; it is (sum phi) (g - mean)."""
    g, first, second = sympy.symbols("g f_0 f_1", real=True)
    phi_0, phi_1 = sympy.symbols("phi_0 phi_1", positive=True)
    spread = (phi_0 * (first - g) ** 2 + phi_1 * (second - g) ** 2) / 2
    mean = (phi_0 * first + phi_1 * second) / (phi_0 + phi_1)
    assert is_zero(spread.diff(g) - (phi_0 + phi_1) * (g - mean))


@evidence(CHAIN, level=Level.PROVED)
def check_without_phi_every_point_minimises() -> None:
    """Drop the proviso: with phi = 0 the surrogate is constant, and its minimiser says nothing."""
    g, first = sympy.symbols("g f_0", real=True)
    assert is_zero((sympy.Integer(0) * (first - g) ** 2).diff(g))


@evidence(CONTRADICTION, level=Level.PROVED)
def check_no_distance_is_below_its_half() -> None:
    """Refute e <= dist(f, S) <= |f - f'| < e/2 for e > 0."""
    bound, distance, step = z3.Reals("e distance step")
    assert not has_model(bound > 0, bound <= distance, distance <= step, step < bound / 2)


@evidence(UNIQUE, level=Level.PROVED)
def check_one_stationary_point() -> None:
    """Two stationary points have the same, least J; strictness puts a lower value between them."""
    at_f, at_g, middle = z3.Reals("J_f J_g J_mid")
    known = [at_f <= at_g, at_g <= at_f, middle >= at_f]
    assert not has_model(*known, 2 * middle < at_f + at_g)


@evidence(UNIQUE, level=Level.CERTIFIED, corroborates=True)
def check_two_stationary_points_without_it() -> None:
    """Drop strict convexity: Hampel's J has two limits from two starts on the four rows."""
    ends = [_limit(start) for start in (witnesses.NEARLY_EVEN, witnesses.NEARLY_EVEN[::-1])]
    assert not ends[0].weights[0].overlaps(ends[1].weights[0])


@evidence(UNIQUE, level=Level.PROVED)
def check_a_rising_phi_runs_away() -> None:
    """Drop the monotone phi: for rho = t^4/4, strictly convex, two rows have the odds q, then 1/q^2."""
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


@evidence(WHOLE, level=Level.PROVED)
def check_gradient_after_a_step() -> None:
    """|V(f_k)| = (sum phi/n)|step| and |V(f_k+1) - V(f_k)| <= L |step| bound |V(f_k+1)|."""
    before, after, step, factor, lipschitz = z3.Reals("V_k V_next step factor L")
    known = [
        step >= 0,
        factor > 0,
        lipschitz >= 0,
        before == factor * step,
        after - before <= lipschitz * step,
    ]
    assert not has_model(*known, after > (factor + lipschitz) * step)


@evidence(WHOLE, level=Level.CERTIFIED)
def check_whole_path_converges() -> None:
    """Require a proof that the whole path from three starts converges to one enclosed point."""
    for start in (witnesses.NEARLY_EVEN, witnesses.LEFT_PAIR, ["0.25"] * 4):
        end = _limit(start)
        assert end.branch_proved
        assert end.certificate in (Certificate.LOCAL_MINIMUM, Certificate.SADDLE)
