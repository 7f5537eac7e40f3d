"""Claims about the matrix of Theorem 5: its determinant, and when it is regular (section 5)."""

from typing import Final

import sympy

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.free_algebra import letters, vanishes

SPECTRUM = Claim(
    id="influence_matrix.spectrum",
    label="thm:influence_emp (matrix)",
    section="5",
    statement=(
        "Theorem 5's matrix has the determinant gamma^(n - |A|) det(gamma I - G_A), where G_A is the Gram "
        "matrix of the (|q_i|/r_i^3)^(1/2) u_i over the set A of rows with q_i != 0. It is regular exactly "
        "if n times the Hessian of J is."
    ),
    hypotheses=("q <= 0", "gamma > 0", "psi is differentiable at the residuals", "no residual is 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Write Q = -S S' with one column of S for each row of A. The matrix is gamma I - XY with X = P'S and "
        "Y = S'PK, the Hessian is gamma I - XY with X = F P'S and Y = X', and in both cases YX = S'PKP'S = "
        "G_A. Two factorizations of one block matrix give det(gamma I - XY) = gamma^(n - |A|) det(gamma I - "
        "YX), and an inverse of gamma I - YX gives one of gamma I - XY, in a space of any dimension. "
        "Two theorems say this and that the operator h -> gamma h + sum q_i <h, u_i> u_i is n times the "
        "Hessian, the first over any real closed field, the second over Coq's real numbers; not formal is "
        "only that the operator of the one is that of the other."
    ),
    proof_class=ProofClass.B,
    source=Source.IMPLIED,
)

_SIZE: Final = 4
# Two of the four rows are active: one column of S for each.
_ACTIVE: Final = (0, 2)


@evidence(SPECTRUM, level=Level.PROVED)
def check_determinants_for_every_size() -> None:
    """Multiply the blocks of both factorizations, and gamma I - XY by its inverse; insert X and Y."""
    gamma = sympy.Symbol("gamma", positive=True)
    x, y, inner = letters("X Y R")
    one, none = sympy.Integer(1), sympy.Integer(0)
    block: list[list[sympy.Expr]] = [[gamma, x], [y, one]]
    upper = _product([[one, x], [none, one]], [[gamma - x * y, none], [y, one]])
    lower = _product([[one, none], [y / gamma, one]], [[gamma, x], [none, one - y * x / gamma]])
    for found in (upper, lower):
        assert all(vanishes(found[i][j] - block[i][j]) for i in range(2) for j in range(2))
    # R is the inverse of gamma I - YX: YXR = gamma R - 1.
    assert vanishes((gamma - x * y) * (1 + x * inner * y) - gamma, [(y * x * inner, gamma * inner - 1)])
    away, away_t, gram, roots, roots_t, features, features_t = letters("P Pt K S St F Ft")
    bends = -roots * roots_t
    matrix, hessian = (
        gamma + away_t * bends * away * gram,
        gamma + features * away_t * bends * away * features_t,
    )
    for target, left, right in (
        (matrix, away_t * roots, roots_t * away * gram),
        (hessian, features * away_t * roots, roots_t * away * features_t),
    ):
        assert vanishes(target - (gamma - left * right))
        gram_of_rows = roots_t * away * gram * away_t * roots
        assert vanishes(right * left - gram_of_rows, [(features_t * features, gram)])


def _product(left: list[list[sympy.Expr]], right: list[list[sympy.Expr]]) -> list[list[sympy.Expr]]:
    return [[row[0] * right[0][j] + row[1] * right[1][j] for j in range(2)] for row in left]


@evidence(SPECTRUM, level=Level.CERTIFIED, corroborates=True)
def check_determinants_of_one_matrix() -> None:
    """Compute both determinants for four rows, two of them active, in exact numbers."""
    gamma = sympy.Rational(7, 3)
    weights = [sympy.Rational(k + 1, 10) for k in range(_SIZE)]
    gram = sympy.Matrix(
        [[sympy.Rational(1, 1 + abs(i * i - j * j)) for j in range(_SIZE)] for i in range(_SIZE)]
    )
    away = sympy.Matrix([[int(i == j) - weights[j] for j in range(_SIZE)] for i in range(_SIZE)])
    roots = sympy.Matrix([[(k + 2) * int(i == row) for k, row in enumerate(_ACTIVE)] for i in range(_SIZE)])
    matrix = gamma * _identity(_SIZE) - away.T * roots * roots.T * away * gram
    active = gamma * _identity(len(_ACTIVE)) - roots.T * away * gram * away.T * roots
    assert matrix.det() == gamma ** (_SIZE - len(_ACTIVE)) * active.det()


def _identity(size: int) -> sympy.Matrix:
    return sympy.Matrix([[int(i == j) for j in range(size)] for i in range(size)])
