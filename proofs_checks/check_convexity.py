"""Claims about strict convexity of J: Lemmas 2, 3 and 4 with the steps of their proofs (sections 3 and 8)."""

from __future__ import annotations

from typing import Final

import sympy
import z3
from flint import arb

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.certify import enclose_objective
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Huber

STRICT_RHO = Claim(
    id="convexity.strict_rho",
    label="lemma:strict_convex (i), ssec:strict_convex",
    section="8.3",
    statement="A strictly convex, non-decreasing rho makes J strictly convex, for any data.",
    hypotheses=("rho strictly convex", "rho non-decreasing"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "If |Phi_1 - g| and |Phi_1 - h| differ, rho is strict between them. If they agree, g != h makes the "
        "norm of the mean strictly smaller, and a strictly convex non-decreasing rho is strictly increasing."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
SECOND = Claim(
    id="convexity.second_inequality",
    label="ssec:strict_convex",
    section="8.3",
    statement="Under (i) the second inequality of the proof is strict.",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "n = 1, g = Phi + u, h = Phi - u with |u| = 1: both norms are 1, so it reads rho(1) <= rho(1). The "
        "lemma is saved by the first inequality, rho(0) < rho(1) there."
    ),
    counterexample=("check_equal_norms_make_it_an_equality",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
EQUALITY = Claim(
    id="convexity.triangle_equality",
    label="eqn:equal",
    section="8.3",
    statement=(
        "Equality in the triangle inequality for Phi_i - g and Phi_i - h holds only if the two are linearly "
        "dependent; the paper's text writes j for the second i."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Squared, it says <p, q> = |p||q|, equality in Cauchy-Schwarz. The stray j does no harm: once every "
        "Phi_i is on the line through g and h, Phi_i - g and Phi_j - h are dependent for all i and j."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
INDEPENDENT = Claim(
    id="convexity.independent_features",
    label="lem:lindep1",
    section="8",
    statement=(
        "If K = (k(z_i, z_j)), i, j = 1..m (printed: n), is positive definite, the Phi(z_i) are independent."
    ),
    hypotheses=("K positive definite",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="|sum a_i Phi_i|^2 = a'Ka is positive unless a = 0.",
    necessity=(("K positive definite", "check_equal_points_are_dependent"),),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
THREE_POINTS = Claim(
    id="convexity.three_point_algebra",
    label="lem:lindep, eqn:ld1, eqn:ld2, eqn:ld3",
    section="8",
    statement=(
        "The printed lambda_1 to lambda_4 express h by Phi_1, Phi_2 and by Phi_2, Phi_3, and lambda_1 = 0 "
        "forces alpha_2 = 0; so no g != h is dependent with three independent features at once."
    ),
    hypotheses=("three independent features",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Eliminate g from two equations at a time, symbolically.",
    necessity=(("three independent features", "check_two_features_do_not_suffice"),),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
FIRST_CASE = Claim(
    id="convexity.first_case",
    label="lem:lindep, eqn:ld1, eqn:ld2, eqn:ld3",
    section="8",
    statement=(
        "For alpha_2 = 0 it is (ld1) and (ld3) that simplify to the two displayed expressions of g, not "
        "(ld1) and (ld2)."
    ),
    hypotheses=("h = Phi_2",),
    verdict=Verdict.MISPRINT,
    level=Level.PROVED,
    argument="With alpha_2 = 0 equation (ld2) is beta_2 (Phi_2 - h) = 0: g does not occur in it.",
    counterexample=("check_second_equation_has_no_g",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
HUBER = Claim(
    id="convexity.huber_example",
    label="lemma:strict_convex (ii)",
    section="3",
    statement=(
        "J can be strictly convex between two points for Huber's loss although rho is linear on both sides."
    ),
    hypotheses=("three distinct rows",),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument=(
        "X = {0, 1, 3}, sigma = 1, a = 1/10, weights (1, 0, 0) and (0, 1, 0): J at the midpoint is below the "
        "mean of both values by a proved amount. With two rows the amount is 0."
    ),
    necessity=(("three distinct rows", "check_two_rows_have_no_gap"),),
    source=Source.PRINTED,
)

_HUBER: Final = Huber("0.1")
_KERNEL: Final = Gaussian(1)


@evidence(STRICT_RHO, level=Level.PROVED)
def check_both_cases_are_strict() -> None:
    """Refute equality in each of the two cases from what the case gives."""
    middle, at_mean, at_p, at_q, share = z3.Reals("rho_norm rho_mean rho_p rho_q s")
    known = [share > 0, share < 1, middle <= at_mean]
    chord = share * at_p + (1 - share) * at_q
    assert not has_model(*known, at_mean < chord, middle >= chord)
    assert not has_model(share > 0, share < 1, middle < at_mean, at_mean <= chord, middle >= chord)


@evidence(STRICT_RHO, level=Level.PROVED)
def check_equal_norms_shorten_the_mean() -> None:
    """|s p + (1 - s) q|^2 = r^2 - s (1 - s)|p - q|^2 for |p| = |q| = r."""
    share, radius, inner = sympy.symbols("s r inner", real=True)
    mean = share**2 * radius**2 + 2 * share * (1 - share) * inner + (1 - share) ** 2 * radius**2
    apart = 2 * radius**2 - 2 * inner
    assert is_zero(mean - (radius**2 - share * (1 - share) * apart))


@evidence(STRICT_RHO, level=Level.PROVED)
def check_strict_convexity_forbids_a_flat_piece() -> None:
    """Put rho(s) = rho(t) for s < t: a non-decreasing rho is the same at the midpoint, so not strict."""
    low, middle, high = z3.Reals("rho_s rho_m rho_t")
    assert not has_model(low <= middle, middle <= high, low == high, 2 * middle < low + high)


@evidence(SECOND, level=Level.PROVED)
def check_equal_norms_make_it_an_equality() -> None:
    """Evaluate both sides for rho = t^2, u = 1 and any share: equality; the first inequality is strict."""
    share = sympy.Symbol("s", real=True)
    norm_g, norm_h = sympy.Abs(sympy.Integer(-1)), sympy.Abs(sympy.Integer(1))
    assert is_zero((share * norm_g + (1 - share) * norm_h) ** 2 - share * norm_g**2 - (1 - share) * norm_h**2)
    half = sympy.Rational(1, 2)
    assert sympy.Abs(half * -1 + (1 - half) * 1) < half * norm_g + half * norm_h


@evidence(EQUALITY, level=Level.PROVED)
def check_equality_means_parallel() -> None:
    """Squaring the equality leaves 2 s (1 - s)(|p||q| - <p, q>) = 0."""
    share, p, q, inner = sympy.symbols("s p q inner", positive=True)
    norm_of_sum = share**2 * p**2 + 2 * share * (1 - share) * inner + (1 - share) ** 2 * q**2
    sum_of_norms = (share * p + (1 - share) * q) ** 2
    assert is_zero(sum_of_norms - norm_of_sum - 2 * share * (1 - share) * (p * q - inner))


@evidence(EQUALITY, level=Level.PROVED)
def check_any_two_indices_are_dependent_then() -> None:
    """Put Phi_i = g + s (h - g), Phi_j = g + t (h - g): both differences are multiples of h - g."""
    s, t, g_0, g_1, h_0, h_1 = sympy.symbols("s t g_0 g_1 h_0 h_1")
    g, h = sympy.Matrix([g_0, g_1]), sympy.Matrix([h_0, h_1])
    left, right = s * (h - g), g + t * (h - g) - h
    assert is_zero(sympy.Matrix.hstack(left, right).det())


@evidence(INDEPENDENT, level=Level.PROVED)
def check_norm_is_the_quadratic_form() -> None:
    """Refute a zero off 0 of a 2 x 2 form with positive entry and determinant."""
    a_0, a_1, k_00, k_01, k_11 = z3.Reals("a_0 a_1 k_00 k_01 k_11")
    form = k_00 * a_0 * a_0 + 2 * k_01 * a_0 * a_1 + k_11 * a_1 * a_1
    definite = [k_00 > 0, k_00 * k_11 > k_01 * k_01]
    assert not has_model(*definite, a_0 * a_0 + a_1 * a_1 > 0, form <= 0)


@evidence(INDEPENDENT, level=Level.PROVED)
def check_equal_points_are_dependent() -> None:
    """Drop definiteness: for equal points K is all ones and a = (1, -1) has form 0."""
    gram, vector = sympy.ones(2, 2), sympy.Matrix([1, -1])
    assert is_zero((vector.T * gram * vector)[0])


@evidence(THREE_POINTS, level=Level.PROVED)
def check_printed_coefficients() -> None:
    """Solve the equations for h, and compare with the printed lambdas."""
    a, b = sympy.symbols("alpha_1 alpha_2 alpha_3"), sympy.symbols("beta_1 beta_2 beta_3")
    f, g, h = sympy.symbols("f_1 f_2 f_3"), sympy.Symbol("g"), sympy.Symbol("h")
    equations = [a[i] * (f[i] - g) + b[i] * (f[i] - h) for i in range(3)]
    lambda_1 = -a[1] * (a[0] + b[0]) / (a[0] * b[1] - a[1] * b[0])
    lambda_2 = a[0] * (a[1] + b[1]) / (a[0] * b[1] - a[1] * b[0])
    lambda_3 = -a[2] * (a[1] + b[1]) / (a[1] * b[2] - a[2] * b[1])
    lambda_4 = a[1] * (a[2] + b[2]) / (a[1] * b[2] - a[2] * b[1])
    left = sympy.solve(equations[:2], [g, h], dict=True)[0][h]
    right = sympy.solve(equations[1:], [g, h], dict=True)[0][h]
    assert is_zero(left - lambda_1 * f[0] - lambda_2 * f[1])
    assert is_zero(right - lambda_3 * f[1] - lambda_4 * f[2])


@evidence(THREE_POINTS, level=Level.PROVED)
def check_contradiction() -> None:
    """alpha_1 + beta_1 != 0: a zero denominator, and with another one lambda_1 = 0, need alpha_2 = 0."""
    alpha_2, total, denominator, value = z3.Reals("alpha_2 total denominator lambda_1")
    known = [value * denominator == -alpha_2 * total, denominator != 0, total != 0]
    assert not has_model(*known, value == 0, alpha_2 != 0)
    # With denominator 0 the independent features have the coefficients 0: alpha_2 (alpha_1 + beta_1) = 0.
    assert not has_model(alpha_2 * total == 0, total != 0, alpha_2 != 0)


@evidence(THREE_POINTS, level=Level.PROVED)
def check_two_features_do_not_suffice() -> None:
    """Drop the third: g = (Phi_1 + 2 Phi_2)/3, h = (2 Phi_1 + Phi_2)/3 are dependent with both features."""
    first, second = sympy.Matrix([1, 0]), sympy.Matrix([0, 1])
    g, h = (first + 2 * second) / 3, (2 * first + second) / 3
    for feature in (first, second):
        assert sympy.Matrix.hstack(feature - g, feature - h).rank() == 1


@evidence(FIRST_CASE, level=Level.PROVED)
def check_second_equation_has_no_g() -> None:
    """Put alpha_2 = 0: (ld2) is free of g; (ld1) and (ld3) with h = Phi_2 give the displayed expressions."""
    a, b, f, f_2, g, h = sympy.symbols("alpha beta f f_2 g h")
    second = (a * (f_2 - g) + b * (f_2 - h)).subs(a, 0)
    assert g not in second.free_symbols
    solved = sympy.solve((a * (f - g) + b * (f - h)).subs(h, f_2), [g], dict=True)[0][g]
    assert is_zero(solved - ((a + b) / a * f - b / a * f_2))


def _gap(rows: list[list[int]]) -> arb:
    """Return the mean of J at the first two features minus J at their midpoint."""
    rest = [0] * (len(rows) - 2)
    first, second, middle = (
        enclose_objective(rows, _KERNEL, _HUBER, [*weights, *rest])
        for weights in ([1, 0], [0, 1], ["0.5", "0.5"])
    )
    return (first + second) / 2 - middle


@evidence(HUBER, level=Level.CERTIFIED)
def check_three_rows_have_a_gap() -> None:
    """Enclose the gap: it is positive."""
    assert _gap([[0], [1], [3]]) > arb("0.001")


@evidence(HUBER, level=Level.TESTED, corroborates=True)
def check_two_rows_have_no_gap() -> None:
    """Compare J of two rows at (3/4, 1/4) and in the middle: equal, as both residuals exceed a."""
    values = [enclose_objective([[0], [1]], _KERNEL, _HUBER, w) for w in (["0.75", "0.25"], ["0.5", "0.5"])]
    assert values[0].overlaps(values[1])
    assert (values[0] - values[1]).rad() < arb("1e-60")
