"""Claims that a minimiser of J exists, and what characterises it (section 3; Lemma 5)."""

from fractions import Fraction

import sympy
import z3

from rkde.proofs_checks import elements, pieces
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero

PROJECTION = (
    "Projection theorem: a nonempty closed convex set of a Hilbert space has a point nearest to any other "
    "(Riesz 1934)"
)

MINIMISER = Claim(
    id="existence.minimiser",
    label="eqn:rkde, eqn:optimization",
    section="2",
    statement=(
        "For every non-decreasing, continuous rho and any masses of the rows J has a global minimiser, and "
        "one in the hull D_n of the features."
    ),
    hypotheses=("rho is non-decreasing", "rho is continuous, as (A1) and the existence of psi make it"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "The paper takes it for granted. Projecting g onto the compact convex hull moves it no farther from "
        "any Phi_i, so J does not rise; on the hull the continuous J attains its minimum."
    ),
    necessity=(("rho is non-decreasing", "check_a_falling_loss_has_no_minimiser"),),
    source=Source.IMPLIED,
)
ANY_DISTRIBUTION = Claim(
    id="existence.any_distribution",
    label="sec:ic (f_mu for a general distribution), thm:influence_true",
    section="5",
    statement=(
        "f_mu = argmin J_mu exists for every probability measure mu on R^d and every non-decreasing, "
        "continuous rho, convex or not; it need not be unique."
    ),
    hypotheses=(
        "rho is non-decreasing, continuous and at least 0",
        "the kernel is radial and continuous, so that |Phi| = tau and the integrand is measurable",
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Projection onto the closed convex hull of all Phi(x) raises no distance, and the hull is bounded by "
        "tau. Take a minimising sequence in it; a subsequence converges weakly to a point g of the hull. "
        "Norms do not rise in a weak limit, so rho(|Phi(x) - g|) is at most the lower limit of the values "
        "along the subsequence, for every x, and by Fatou J_mu(g) is at most the infimum."
    ),
    source=Source.IMPLIED,
    proof_class=ProofClass.D,
    cites=(
        PROJECTION,
        "Banach-Alaoglu theorem for Hilbert spaces: bounded sequences have weakly convergent subsequences",
        "Mazur's lemma: closed convex sets are weakly closed",
        "Fatou's lemma",
    ),
)
IN_HULL = Claim(
    id="existence.in_hull",
    label="thm:representer, eqn:representer, ssec:proof_thm_influnece_emp (Theorem 1 for F_n,s)",
    section="3",
    statement=(
        "For a strictly increasing rho every minimiser of J lies in the hull of the Phi(X_i), whatever "
        "positive masses the rows have."
    ),
    hypotheses=("strictly_increasing",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Projecting a point outside the hull onto it shortens every distance, so J falls.",
    source=Source.PRINTED,
)
COMPACT = Claim(
    id="existence.compact_hull",
    label="lemma:lemma_compact1",
    section="8",
    statement="D_n, the set of weighted means of the Phi(X_i), is compact.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "It is the image of the simplex, which is closed and bounded, under a map that is Lipschitz: "
        "|f_w - f_v| <= tau sum |w_i - v_i|."
    ),
    source=Source.PRINTED,
)
POSITIVE_PHI = Claim(
    id="existence.positive_phi",
    label="thm:representer, eqn:w_i_proto, ssec:proof_thm_representer",
    section="3",
    statement=(
        "At a global minimiser of J some phi(r_i) is positive, whatever positive masses the rows have, so "
        "that the division in the proof of Theorem 1 is allowed."
    ),
    hypotheses=("phi_nonincreasing", "a1", "a2", "rho is not 0 everywhere"),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "J at a data point is at most (1 - its mass) sup rho, because rho(0) = 0; so the minimum is below "
        "sup rho, and below it the mean of phi is positive (descent.no_zero_sum, whose mean may be one with "
        "masses). Without a monotone phi it is false (weights.representer_as_printed)."
    ),
    source=Source.IMPLIED,
    follows_from=("descent.no_zero_sum",),
)
SUFFICIENT = Claim(
    id="existence.sufficient",
    label="thm:sufficient (its proof), thm:convergence_bm (corollary)",
    section="3",
    statement=(
        "Where J is convex, every g with V(g) = 0 is a global minimiser; where J is strictly convex there is "
        "at most one such g."
    ),
    hypotheses=("a1", "a2", "J is convex"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "By Lemma 1 the differential vanishes where V does, and a convex function lies above its tangents. "
        "Two minimisers of a strictly convex J would have a lower midpoint. That a minimiser exists follows "
        "and need not be assumed."
    ),
    necessity=(("J is convex", "check_a_stationary_point_that_is_no_minimum"),),
    source=Source.IMPLIED,
)


@evidence(MINIMISER, level=Level.PROVED)
@evidence(IN_HULL, level=Level.PROVED)
@evidence(ANY_DISTRIBUTION, level=Level.PROVED)
def check_projection_shortens_distances() -> None:
    """|y - g|^2 = |y - p|^2 + |p - g|^2 + 2 <y - p, p - g>, and the last term is >= 0 for a projection p."""
    y, p, g = (elements.element(name) for name in "ypg")
    mixed = (y - p).inner(p - g)
    assert is_zero((y - g).square - (y - p).square - (p - g).square - 2 * mixed)
    before, after, length, product = z3.Reals("before after moved mixed")
    known = [before == after + length + 2 * product, length >= 0, product >= 0]
    assert not has_model(*known, after > before)
    assert not has_model(*known, length > 0, after >= before)


@evidence(MINIMISER, level=Level.PROVED)
@evidence(IN_HULL, level=Level.PROVED)
@evidence(ANY_DISTRIBUTION, level=Level.PROVED)
def check_projection_makes_an_obtuse_angle() -> None:
    """If <y - p, p - g> < 0, every small step from p to y comes nearer to g, so p is not a projection."""
    mixed, square, step, moved = z3.Reals("mixed square step moved")
    closer = moved + 2 * step * mixed + step * step * square
    assert not has_model(mixed < 0, square > 0, step > 0, step * square <= -mixed, closer >= moved)


@evidence(MINIMISER, level=Level.PROVED)
def check_a_falling_loss_has_no_minimiser() -> None:
    """Drop monotonicity: one row and rho = 1/(1 + t), positive everywhere with the infimum 0 far away."""
    (t,) = sympy.symbols("t,", positive=True)
    rho = 1 / (1 + t)
    assert rho.is_positive
    assert is_zero(sympy.limit(rho, t, sympy.oo))


@evidence(ANY_DISTRIBUTION, level=Level.PROVED)
def check_norm_in_a_weak_limit() -> None:
    """|g_k|^2 >= 2 <g_k, g> - |g|^2, and the right side tends to |g|^2 where <g_k, g> does."""
    g_k, g = elements.element("g_k"), elements.element("g")
    bound = 2 * g_k.inner(g) - g.square
    assert is_zero(g_k.square - bound - (g_k - g).square)
    assert is_zero(bound.subs(g_k.inner(g), g.square) - g.square)


@evidence(COMPACT, level=Level.PROVED)
def check_weights_to_elements_is_lipschitz() -> None:
    """From |v| <= tau s refute |v + c Phi| > tau (s + |c|), tau = 1: an induction, for c of any sign."""
    length, total, factor, inner = z3.Reals("v s c inner")
    size = z3.If(factor >= 0, factor, -factor)
    known = [length >= 0, length <= total, inner <= length, inner >= -length]
    square = length * length + 2 * factor * inner + factor * factor
    assert not has_model(*known, square > (total + size) * (total + size))


@evidence(POSITIVE_PHI, level=Level.PROVED)
def check_a_data_point_undercuts_the_supremum() -> None:
    """Refute a J at Phi_1, of mass m, that reaches sup rho: the others have the mass 1 - m between them."""
    mass, top, at_zero, others = z3.Reals("m top rho_0 others")
    known = [mass > 0, mass <= 1, top > 0, at_zero == 0, others <= (1 - mass) * top]
    assert not has_model(*known, mass * at_zero + others >= top)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_convexity_turns_it_into_a_minimum() -> None:
    """J(f + s d) <= (1 - s) J(f) + s J(g) and |J(f + s d) - J(f)| <= e s give J(g) >= J(f) - e."""
    at_f, at_g, between, share, error = z3.Reals("J_f J_g J_s s e")
    known = [share > 0, share <= 1, error >= 0, between <= (1 - share) * at_f + share * at_g]
    assert not has_model(*known, at_f - between <= error * share, at_g < at_f - error)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_a_stationary_point_that_is_no_minimum() -> None:
    """Drop convexity: Hampel (1, 1, 2) and two rows 3 apart; their midpoint has V = 0 and a higher J."""
    one, thresholds = Fraction(1), (Fraction(1), Fraction(1), Fraction(2))
    ramp = thresholds[0] / (thresholds[2] - thresholds[1])
    at_midpoint = pieces.hampel(Fraction(3, 2), thresholds, ramp, one)[2]
    at_the_other_row = pieces.hampel(Fraction(3), thresholds, ramp, one)[3]
    # Both residuals are 3/2, so both phi are equal and positive, and V is their sum times 0.
    assert at_midpoint.psi > 0
    assert at_midpoint.rho > (0 + at_the_other_row.rho) / 2
