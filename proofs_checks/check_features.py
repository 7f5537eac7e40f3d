"""Claims about linear independence of features: Lemmas 3 and 4 with the steps of their proofs (section 8)."""

import sympy
import z3

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.symbolic import is_zero

INDEPENDENT = Claim(
    id="features.independent",
    label="lem:lindep1",
    section="8",
    statement=(
        "If the matrix K of the k(z_i, z_j), i and j from 1 to m (printed: n), is positive definite, the "
        "Phi(z_i) are linearly independent."
    ),
    hypotheses=("K is positive definite",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "|sum a_i Phi_i|^2 = a'Ka for any number of vectors, with coordinates in an orthonormal basis of "
        "their span; it is positive unless a = 0."
    ),
    necessity=(("K is positive definite", "check_equal_points_are_dependent"),),
    source=Source.PRINTED,
)
THREE_POINTS = Claim(
    id="features.three_points",
    label="lem:lindep, eqn:ld1, eqn:ld2, eqn:ld3",
    section="8",
    statement=(
        "For g != h and three linearly independent Phi_i some pair Phi_i - g, Phi_i - h is independent. In "
        "the printed proof lambda_1 to lambda_4 are right, lambda_1 = 0 forces alpha_2 = 0, and the case "
        "alpha_2 = 0 contradicts independence."
    ),
    hypotheses=("the three Phi_i are linearly independent", "g differs from h"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "In short: alpha_i + beta_i != 0, so each Phi_i would lie on the line through g and h, and three "
        "points of a line are linearly dependent. The printed proof eliminates g from two equations at a "
        "time instead."
    ),
    necessity=(("the three Phi_i are linearly independent", "check_two_features_do_not_suffice"),),
    source=Source.PRINTED,
)
OTHERWISE = Claim(
    id="features.denominator",
    label="lem:lindep",
    section="8",
    statement=(
        "The denominator alpha_1 beta_2 - alpha_2 beta_1 is not 0 because otherwise alpha_2 would be 0; "
        "printed is 'because this implies'."
    ),
    hypotheses=("the three Phi_i are linearly independent", "g differs from h"),
    verdict=Verdict.MISPRINT,
    level=Level.PROVED,
    argument=(
        "With denominator 0 the independent Phi_1 and Phi_2 have the coefficients 0, which gives "
        "alpha_2 = 0. alpha = (1, 1), beta_1 = 0, beta_2 = 1: the denominator is 1, and it implies "
        "nothing of the kind, as alpha_2 (alpha_1 + beta_1) = 1."
    ),
    counterexample=("check_a_denominator_that_is_not_zero",),
    proof_class=ProofClass.A,
    source=Source.PRINTED,
)
FIRST_CASE = Claim(
    id="features.first_case",
    label="lem:lindep, eqn:ld1, eqn:ld2, eqn:ld3",
    section="8",
    statement=(
        "In the first case of the proof of Lemma 4, where alpha_2 = 0, both displayed expressions of g come "
        "from the first and the third equation; printed are the first and the second."
    ),
    hypotheses=("alpha_2 = 0, so that h = Phi_2", "alpha_1, alpha_3 and beta_2 are not 0"),
    verdict=Verdict.MISPRINT,
    level=Level.FORMAL,
    argument="With alpha_2 = 0 the second equation is beta_2 (Phi_2 - h) = 0: g does not occur in it.",
    counterexample=("check_second_equation_has_no_g",),
    source=Source.PRINTED,
)


@evidence(INDEPENDENT, level=Level.PROVED)
def check_norm_is_the_quadratic_form() -> None:
    """Expand the square of a combination of m vectors of d coordinates, m and d symbolic: it is a'Ka."""
    count, dim = (sympy.Symbol(name, integer=True, positive=True) for name in ("m", "d"))
    vectors = sympy.MatrixSymbol("F", count, dim)
    factors = sympy.MatrixSymbol("a", count, 1)
    gram, combination = vectors * vectors.T, vectors.T * factors
    assert (combination.T * combination).doit() == (factors.T * gram * factors).doit()


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
def check_points_of_a_line_are_dependent() -> None:
    """Each Phi_i is g + t_i (h - g), and (t_2 - t_3) Phi_1 + (t_3 - t_1) Phi_2 + (t_1 - t_2) Phi_3 = 0."""
    a, b, g, h = sympy.symbols("alpha beta g h")
    solved = (a * g + b * h) / (a + b)
    assert is_zero(a * (solved - g) + b * (solved - h))
    assert is_zero(solved - g - b / (a + b) * (h - g))
    t = sympy.symbols("t_1 t_2 t_3")
    combination = [(t[(i + 1) % 3] - t[(i + 2) % 3]) * (g + t[i] * (h - g)) for i in range(3)]
    # The coefficients all vanish only where the three points are one.
    assert is_zero(combination[0] + combination[1] + combination[2])


@evidence(THREE_POINTS, level=Level.PROVED)
@evidence(OTHERWISE, level=Level.PROVED)
def check_contradiction() -> None:
    """alpha_1 + beta_1 != 0: a zero denominator, and with another one lambda_1 = 0, need alpha_2 = 0."""
    alpha_2, total, denominator, value = z3.Reals("alpha_2 total denominator lambda_1")
    known = [value * denominator == -alpha_2 * total, denominator != 0, total != 0]
    assert not has_model(*known, value == 0, alpha_2 != 0)
    # With denominator 0 the independent features have the coefficients 0: alpha_2 (alpha_1 + beta_1) = 0.
    assert not has_model(alpha_2 * total == 0, total != 0, alpha_2 != 0)


@evidence(OTHERWISE, level=Level.PROVED)
def check_a_denominator_that_is_not_zero() -> None:
    """Take alpha = (1, 1), beta = (0, 1): the denominator is 1, and alpha_2 (alpha_1 + beta_1) is 1."""
    (alpha_1, alpha_2), (beta_1, beta_2) = (1, 1), (0, 1)
    assert alpha_1 * beta_2 - alpha_2 * beta_1 != 0
    assert alpha_2 * (alpha_1 + beta_1) != 0


@evidence(THREE_POINTS, level=Level.PROVED)
def check_two_features_do_not_suffice() -> None:
    """Drop the third: g = (Phi_1 + 2 Phi_2)/3, h = (2 Phi_1 + Phi_2)/3 are dependent with both features."""
    first, second = sympy.Matrix([1, 0]), sympy.Matrix([0, 1])
    g, h = (first + 2 * second) / 3, (2 * first + second) / 3
    for feature in (first, second):
        assert sympy.Matrix.hstack(feature - g, feature - h).rank() == 1


@evidence(THREE_POINTS, level=Level.PROVED)
@evidence(FIRST_CASE, level=Level.PROVED)
def check_second_equation_has_no_g() -> None:
    """Put alpha_2 = 0, h = Phi_2: (14) is free of g, and (13), (15) give it twice, so Phi_1 is dependent."""
    a, b = sympy.symbols("alpha_1 alpha_3"), sympy.symbols("beta_1 beta_3")
    alpha_2, beta_2, g, h = sympy.symbols("alpha_2 beta_2 g h")
    f = sympy.symbols("f_1 f_2 f_3")
    second = (alpha_2 * (f[1] - g) + beta_2 * (f[1] - h)).subs(alpha_2, 0)
    assert g not in second.free_symbols
    ends = [
        sympy.solve((a[i] * (f[2 * i] - g) + b[i] * (f[2 * i] - h)).subs(h, f[1]), [g], dict=True)[0][g]
        for i in range(2)
    ]
    for i in range(2):
        assert is_zero(ends[i] - ((a[i] + b[i]) / a[i] * f[2 * i] - b[i] / a[i] * f[1]))
    # Their difference is 0 and has the coefficient (alpha_1 + beta_1)/alpha_1 != 0 at Phi_1.
    assert is_zero((ends[0] - ends[1]).diff(f[0]) - (a[0] + b[0]) / a[0])
