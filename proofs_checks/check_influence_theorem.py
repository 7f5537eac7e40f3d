"""Claims about Theorem 5's system: identities, proved for symbols (section 5, section 8.6)."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final

import pytest
import sympy
import z3

from rkde.proofs_checks import symbolic
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.symbolic import is_zero

JACOBIAN = Claim(
    id="influence_theorem.jacobian",
    label="thm:influence_emp",
    section="5",
    statement=(
        "The matrix gamma I + (I - 1 w')' Q (I - 1 w') K of Theorem 5 is the derivative of G(w) = "
        "gamma(w) w - "
        "phi(r(w)), whose zeros are the fixed points of KIRWLS."
    ),
    hypotheses=("phi differentiable at the residuals",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "r_i^2 = (e_i - w)'K(e_i - w) has the gradient -2 (I - 1 w')K, row i, and phi' = q/r^2; a "
        "derivative "
        "sees phi_i as an affine function of r_i^2. Indices enter alike, so three rows show the general "
        "case."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
COEFFICIENTS = Claim(
    id="influence_theorem.coefficients",
    label="thm:influence_emp, eqn:alpha_j, eqn:alpha_prime, eqn:m_sigma_dot",
    section="8.6",
    statement=(
        "sum alpha_i Phi_i + alpha' Phi(x') solves the equation of the derivative if alpha' = n "
        "phi(r')/gamma and alpha solves Theorem 5's system, and for independent features only then; with the "
        "coefficients compared one by one it is the same system."
    ),
    hypotheses=("phi differentiable at the residuals",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Write d_i = Q_ii <df, u_i> with u_i = Phi_i - f and collect the coefficients of Phi_1, ..., "
        "Phi_n, "
        "Phi(x') on both sides. Coefficients that agree suffice, whether or not the Phi_i are independent."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
SUM = Claim(
    id="influence_theorem.sum_rule",
    label="thm:influence_emp (sum of alpha)",
    section="5",
    statement="The coefficients of Theorem 5 satisfy sum alpha_i = -alpha', so IF integrates to 0 over x.",
    hypotheses=("sum of weights = 1", "gamma > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The columns of (I - 1 w')' = I - w 1' sum to 0, so the sum of the system's rows is gamma sum "
        "alpha_i = "
        "-n phi(r'). Each kernel integrates to 1, so the integral of IF is sum alpha_i + alpha'."
    ),
    necessity=(("sum of weights = 1", "check_sum_needs_weights_of_sum_one"),),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
SLOPE = Claim(
    id="influence_theorem.q_is_slope",
    label="sec:ic (q), thm:influence_true (proof: derivative of phi)",
    section="5",
    statement="q(t) = t psi'(t) - psi(t) = t^2 phi'(t); it is <= 0 where phi is non-increasing.",
    hypotheses=("psi differentiable at t",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Differentiate phi = psi/t. On the pieces of Huber 0, -a; of Hampel 0, -a, -a c/(c - b), 0.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
PROPORTIONAL = Claim(
    id="influence_theorem.proportional",
    label="thm:influence_emp (alpha')",
    section="5",
    statement=(
        "alpha' = phi(r')/mean phi(r_i), and alpha = -alpha' M^-1 (gamma w + P'QP k'): alpha is alpha' times "
        "numbers that depend on x' through k' alone, and the influence is 0 where phi(r') = 0."
    ),
    hypotheses=("gamma > 0", "system regular"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="n phi(r') = gamma alpha': divide the right side of the system by alpha'.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
ZERO_RESIDUAL = Claim(
    id="influence_theorem.zero_residual",
    label="thm:influence_emp (Q)",
    section="5",
    statement="Where r_i = 0, the term of row i vanishes: Q_ii has to be read as 0 there, not as 0/0.",
    hypotheses=("phi Lipschitz",),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "|Q_ii <h, u_i> u_i| <= |phi'(r)| r |h| <= L r |h|, because |q|/r^3 r^2 = |phi'| r; it tends to "
        "0 with r."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

_SIZE: Final = 3
Matrix = list[list[sympy.Expr]]


def _symbols(names: str) -> list[sympy.Expr]:
    return list(sympy.symbols(names, real=True))


def _dot(left: Sequence[sympy.Expr], right: Sequence[sympy.Expr]) -> sympy.Expr:
    return sum(map(operator.mul, left, right), sympy.Integer(0))


def _gram() -> Matrix:
    k_00, k_11, k_22, k_01, k_02, k_12 = _symbols("k_00 k_11 k_22 k_01 k_02 k_12")
    return [[k_00, k_01, k_02], [k_01, k_11, k_12], [k_02, k_12, k_22]]


def _theorem_matrix(
    gram: Matrix, weights: list[sympy.Expr], bends: list[sympy.Expr], gamma: sympy.Expr
) -> Matrix:
    """Return gamma I + (I - 1 w')' Q (I - 1 w') K."""
    columns = [_swept(weights, bends, [row[j] for row in gram]) for j in range(_SIZE)]
    return [
        [columns[j][i] + (gamma if i == j else sympy.Integer(0)) for j in range(_SIZE)] for i in range(_SIZE)
    ]


def _swept(weights: list[sympy.Expr], bends: list[sympy.Expr], vector: list[sympy.Expr]) -> list[sympy.Expr]:
    """Return (I - 1 w')' Q (I - 1 w') v."""
    mean = _dot(weights, vector)
    bent = [bend * (entry - mean) for bend, entry in zip(bends, vector, strict=True)]
    total = sum(bent, sympy.Integer(0))
    return [entry - weight * total for entry, weight in zip(bent, weights, strict=True)]


@evidence(JACOBIAN, level=Level.PROVED)
def check_derivative_of_the_fixed_point_equation() -> None:
    """Differentiate G for three rows, phi_i being an affine function of r_i^2 with slope Q_ii/2."""
    gram, weights = _gram(), _symbols("w_0 w_1 w_2")
    bends, bases = _symbols("q_0 q_1 q_2"), _symbols("p_0 p_1 p_2")
    units = [[sympy.Integer(int(i == j)) for j in range(_SIZE)] for i in range(_SIZE)]
    away = [[one - weight for one, weight in zip(unit, weights, strict=True)] for unit in units]
    squares = [_dot(row, [_dot(line, row) for line in gram]) for row in away]
    # d phi / d(r^2) = phi'(r)/(2 r) = q/(2 r^3) = Q_ii/2.
    phis = [base + bend / 2 * square for base, bend, square in zip(bases, bends, squares, strict=True)]
    gamma = sum(phis, sympy.Integer(0))
    matrix = _theorem_matrix(gram, weights, bends, gamma)
    for j in range(_SIZE):
        for k in range(_SIZE):
            slope = (gamma * weights[j] - phis[j]).diff(weights[k])
            assert is_zero((slope - matrix[j][k]).expand())


@evidence(COEFFICIENTS, level=Level.PROVED)
def check_coefficients_are_compared() -> None:
    """Insert the ansatz into the equation of the derivative and collect the coefficients."""
    gram, weights, bends = _gram(), _symbols("w_0 w_1 w_2"), _symbols("q_0 q_1 q_2")
    alpha, cross, features = _symbols("a_0 a_1 a_2"), _symbols("c_0 c_1 c_2"), _symbols("f_0 f_1 f_2")
    gamma, phi_new, n, feature_new = _symbols("gamma phi n f_new")
    alpha_new = n * phi_new / gamma
    # <df, Phi_i> = (K alpha + alpha' k')_i, and f has the inner product w'(...) with df.
    inner = [_dot(row, alpha) + alpha_new * entry for row, entry in zip(gram, cross, strict=True)]
    mean = _dot(weights, inner)
    drops = [bend * (entry - mean) for bend, entry in zip(bends, inner, strict=True)]
    estimate = _dot(weights, features)
    moved = _dot(alpha, features) + alpha_new * feature_new
    pushed = _dot(drops, [feature - estimate for feature in features])
    left = (gamma * moved + pushed - n * phi_new * (feature_new - estimate)).expand()
    assert is_zero(left.diff(feature_new))
    matrix = _theorem_matrix(gram, weights, bends, gamma)
    swept = _swept(weights, bends, cross)
    for i in range(_SIZE):
        printed = _dot(matrix[i], alpha) + n * phi_new * weights[i] + alpha_new * swept[i]
        assert is_zero((left.diff(features[i]) - printed).expand())
        one_by_one = gamma * alpha[i] + drops[i] - weights[i] * sum(drops, sympy.Integer(0))
        assert is_zero((one_by_one + weights[i] * n * phi_new - printed).expand())


def _sum_of_rows(weights: list[sympy.Expr]) -> tuple[sympy.Expr, sympy.Expr]:
    """Return the sum of the system's rows, and what the sum rule says that it is."""
    gram, bends = _gram(), _symbols("q_0 q_1 q_2")
    alpha, cross = _symbols("a_0 a_1 a_2"), _symbols("c_0 c_1 c_2")
    gamma, phi_new, n = _symbols("gamma phi n")
    matrix = _theorem_matrix(gram, weights, bends, gamma)
    swept = _swept(weights, bends, cross)
    rows = [
        _dot(matrix[i], alpha) + n * phi_new * weights[i] + n * phi_new / gamma * swept[i]
        for i in range(_SIZE)
    ]
    rule = gamma * (sum(alpha, sympy.Integer(0)) + n * phi_new / gamma)
    return sum(rows, sympy.Integer(0)), rule


@evidence(SUM, level=Level.PROVED)
def check_rows_add_up() -> None:
    """Add the rows of the system for weights of sum 1."""
    first, second = _symbols("w_0 w_1")
    total, rule = _sum_of_rows([first, second, 1 - first - second])
    assert is_zero((total - rule).expand())


@evidence(SUM, level=Level.PROVED)
def check_sum_needs_weights_of_sum_one() -> None:
    """Show that the rows add up to something else for weights of another sum."""
    first, second = _symbols("w_0 w_1")
    total, rule = _sum_of_rows([first, second, 2 - first - second])
    assert not is_zero((total - rule).expand())


@evidence(SLOPE, level=Level.PROVED)
@pytest.mark.parametrize("name", ["huber", "hampel"])
def check_q_is_the_slope_of_phi(name: str) -> None:
    """Differentiate psi/t on each piece, and refute a positive q for all thresholds."""
    t, parts = symbolic.robust_loss(name)
    for part in parts:
        q = t * part.psi_prime - part.psi
        assert is_zero(t**2 * (part.psi / t).diff(t) - q)
    loss, s = RealLoss(name), z3.Real("s")
    for piece in loss.at(s):
        assert not has_model(*loss.admissible, inside(piece, s), s * piece.psi_prime - piece.psi > 0)


@evidence(PROPORTIONAL, level=Level.PROVED)
def check_right_side_over_alpha_new() -> None:
    """Divide the right side of the system by alpha'; compare alpha' with phi(r') over the mean of phi."""
    weight, swept, gamma, phi_new, n = _symbols("w s gamma phi n")
    alpha_new = n * phi_new / gamma
    right = -n * phi_new * weight - alpha_new * swept
    assert is_zero(right + alpha_new * (gamma * weight + swept))
    assert is_zero(alpha_new - phi_new / (gamma / n))
    assert is_zero(right.subs(phi_new, 0))


@evidence(ZERO_RESIDUAL, level=Level.PROVED)
def check_term_of_a_small_residual() -> None:
    """Refute |Q <h, u> u| > L r |h| from |q| = |phi'| r^2, |phi'| <= L and Cauchy's inequality."""
    r, slope, lipschitz, length, inner, bend = z3.Reals("r slope L h inner Q")
    known = [r > 0, slope >= 0, slope <= lipschitz, length >= 0, inner >= 0, inner <= length * r]
    assert not has_model(*known, bend * r == slope, bend * inner * r > lipschitz * r * length)
