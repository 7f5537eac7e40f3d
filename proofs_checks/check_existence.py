"""Claims that a minimiser of J exists and what characterises it (section 3; Lemma 5)."""

from __future__ import annotations

import sympy
import z3

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero

MINIMISER = Claim(
    id="existence.minimiser",
    label="eqn:rkde, eqn:optimization",
    section="2",
    statement="For every non-decreasing, continuous rho J has a global minimiser, and one in the hull D_n.",
    hypotheses=("rho non-decreasing", "rho continuous"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The paper does not show it. Projecting g onto the closed convex hull moves it no farther from any "
        "Phi_i, so J does not rise; on the compact hull the continuous J attains its minimum."
    ),
    necessity=(("rho non-decreasing", "check_a_falling_loss_has_no_minimiser"),),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
IN_HULL = Claim(
    id="existence.in_hull",
    label="thm:representer, eqn:representer",
    section="3",
    statement="For a strictly increasing rho every minimiser of J lies in the hull of the Phi(X_i).",
    hypotheses=("strictly_increasing",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Projecting a point outside the hull shortens every distance, so J falls.",
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
COMPACT = Claim(
    id="existence.compact_hull",
    label="lemma:lemma_compact1",
    section="8",
    statement="D_n, the set of weighted sums of the Phi(X_i), is compact.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "It is the image of the simplex, which is closed and lies in the cube [0, 1]^n, under a map that is "
        "Lipschitz: |f_w - f_v| <= tau sum |w_i - v_i|."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
POSITIVE_PHI = Claim(
    id="existence.positive_phi",
    label="thm:representer, eqn:w_i_proto, ssec:proof_thm_representer",
    section="3",
    statement="At a global minimiser some phi(r_i) is positive, so that the proof's division is allowed.",
    hypotheses=("phi_nonincreasing", "rho not 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "If all vanish, psi is 0 from min r_i on and J = sup rho; but J(Phi_1) <= (n - 1)/n sup rho is less. "
        "Without monotone phi it is false (weights.representer_as_printed)."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)
SUFFICIENT = Claim(
    id="existence.sufficient",
    label="thm:sufficient, sec:representer (necessary and sufficient conditions for an RKDE)",
    section="3",
    statement=(
        "If J is convex, f = sum w_i Phi(X_i) with w_i = phi(r_i)/sum phi is a global minimiser; strict "
        "convexity adds that it is the only one. Theorem 2 is printed without a proof and without sum phi > "
        "0."
    ),
    hypotheses=("a1", "a2", "J convex", "sum phi > 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "The coefficients phi_i - w_i sum phi of V(f) vanish, so the differential does, and a convex "
        "function lies above its tangents. The minimiser's existence follows and need not be assumed. With "
        "Theorem 1 the conditions are necessary and sufficient for an RKDE where J is convex."
    ),
    necessity=(("J convex", "check_a_stationary_point_that_is_no_minimum"),),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
)


@evidence(MINIMISER, level=Level.PROVED)
@evidence(IN_HULL, level=Level.PROVED)
def check_projection_shortens_distances() -> None:
    """|y - g|^2 = |y - p|^2 + |p - g|^2 + 2 <y - p, p - g>, and the last term is >= 0 for a projection p."""
    y_0, y_1, p_0, p_1, g_0, g_1 = sympy.symbols("y_0 y_1 p_0 p_1 g_0 g_1", real=True)
    mixed = (y_0 - p_0) * (p_0 - g_0) + (y_1 - p_1) * (p_1 - g_1)
    near = (y_0 - p_0) ** 2 + (y_1 - p_1) ** 2
    moved = (p_0 - g_0) ** 2 + (p_1 - g_1) ** 2
    assert is_zero((y_0 - g_0) ** 2 + (y_1 - g_1) ** 2 - near - moved - 2 * mixed)
    before, after, length, product = z3.Reals("before after moved mixed")
    known = [before == after + length + 2 * product, length >= 0, product >= 0]
    assert not has_model(*known, after > before)
    assert not has_model(*known, length > 0, after >= before)


@evidence(MINIMISER, level=Level.PROVED)
def check_projection_makes_an_obtuse_angle() -> None:
    """If <y - p, p - g> < 0, every small step from p to y comes nearer to g, so p is no projection."""
    mixed, square, step, moved = z3.Reals("mixed square step moved")
    closer = moved + 2 * step * mixed + step * step * square
    assert not has_model(mixed < 0, square > 0, step > 0, step * square <= -mixed, closer >= moved)


@evidence(MINIMISER, level=Level.PROVED)
def check_a_falling_loss_has_no_minimiser() -> None:
    """Drop monotonicity: rho = 1/(1 + t) falls for ever and attains no minimum."""
    (t,) = sympy.symbols("t,", positive=True)
    assert (1 / (1 + t)).diff(t).is_negative


@evidence(COMPACT, level=Level.PROVED)
def check_weights_to_elements_is_lipschitz() -> None:
    """|sum c_i Phi_i| <= tau sum |c_i|: two terms by the triangle inequality, c_i of any sign."""
    first, second, inner = z3.Reals("c_0 c_1 inner")
    # Norms 1; the inner product lies between -1 and 1.
    square = first * first + 2 * first * second * inner + second * second
    size_0, size_1 = (z3.If(value >= 0, value, -value) for value in (first, second))
    known = [inner <= 1, inner >= -1]
    assert not has_model(*known, square > (size_0 + size_1) * (size_0 + size_1))


@evidence(COMPACT, level=Level.PROVED)
def check_simplex_is_bounded() -> None:
    """Nonnegative weights of sum 1 lie in [0, 1]."""
    weights = z3.Reals("w_0 w_1 w_2")
    known = [weight >= 0 for weight in weights] + [weights[0] + weights[1] + weights[2] == 1]
    assert not has_model(*known, weights[0] > 1)


@evidence(POSITIVE_PHI, level=Level.PROVED)
def check_a_data_point_undercuts_the_supremum() -> None:
    """Write n J(Phi_1) as n - 1 terms up to sup rho and one rho(0) = 0: below n sup rho."""
    values, top = z3.Reals("rho_1 rho_2"), z3.Real("top")
    known = [top > 0] + [z3.And(value >= 0, value <= top) for value in values]
    assert not has_model(*known, 0 + values[0] + values[1] >= 3 * top)


@evidence(POSITIVE_PHI, level=Level.PROVED)
def check_a_zero_of_phi_stays_zero() -> None:
    """Refute a positive phi beyond a zero of a nonnegative phi that does not rise: rho is constant there."""
    at_zero, beyond = z3.Reals("phi_r phi_t")
    assert not has_model(at_zero == 0, beyond >= 0, beyond <= at_zero, beyond > 0)
    assert has_model(at_zero == 0, beyond >= 0, beyond > 0)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_representation_makes_the_gradient_vanish() -> None:
    """phi_i - w_i sum phi = 0 for w_i = phi_i / sum phi."""
    phi = sympy.symbols("phi_0 phi_1 phi_2", positive=True)
    total = phi[0] + phi[1] + phi[2]
    weights = [value / total for value in phi]
    for value, weight in zip(phi, weights, strict=True):
        assert is_zero(value - weight * total)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_convexity_turns_it_into_a_minimum() -> None:
    """J(f + s d) <= (1 - s) J(f) + s J(g) and |J(f + s d) - J(f)| <= e s give J(g) >= J(f) - e."""
    at_f, at_g, between, share, error = z3.Reals("J_f J_g J_s s e")
    known = [share > 0, share <= 1, error >= 0, between <= (1 - share) * at_f + share * at_g]
    assert not has_model(*known, at_f - between <= error * share, at_g < at_f - error)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_strictness_gives_uniqueness() -> None:
    """Two minimisers would have a midpoint below both."""
    lowest, middle = z3.Reals("J_min J_mid")
    assert not has_model(middle < (lowest + lowest) / 2, middle >= lowest)


@evidence(SUFFICIENT, level=Level.PROVED)
def check_a_stationary_point_that_is_no_minimum() -> None:
    """Drop convexity: (t^2 - 1)^2 is stationary at 0, where it is 1, and 0 at 1."""
    (t,) = sympy.symbols("t,", real=True)
    value = (t**2 - 1) ** 2
    assert is_zero(value.diff(t).subs(t, 0))
    assert value.subs(t, 1) < value.subs(t, 0)
