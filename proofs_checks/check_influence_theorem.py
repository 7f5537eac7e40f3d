"""Claims about Theorem 5's system: identities, proved for every number of rows (section 5, section 8.6)."""

import operator
from collections.abc import Sequence
from typing import Final

import sympy
import z3

from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.free_algebra import letters, vanishes
from rkde.proofs_checks.symbolic import is_zero

JACOBIAN = Claim(
    id="influence_theorem.jacobian",
    label="thm:influence_emp",
    section="5",
    statement=(
        "The matrix gamma I + (I - 1 w')' Q (I - 1 w') K of Theorem 5 is the derivative of G(w) = gamma(w) w "
        "- phi(r(w)), whose zeros with gamma > 0 are the fixed points of KIRWLS."
    ),
    hypotheses=("psi is differentiable at the residuals", "no residual is 0"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "By the chain rule phi(r_i) changes by Q_ii/2 times the change of r_i^2 = (e_i - w)'K(e_i - w). Put "
        "w + t h into G, with phi replaced by that affine function of r^2, and compare the terms linear in t "
        "with the matrix applied to h. The comparison is made between words in letters that do not commute, "
        "so it holds for every number of rows."
    ),
    source=Source.IMPLIED,
)
COEFFICIENTS = Claim(
    id="influence_theorem.coefficients",
    label="thm:influence_emp, eqn:alpha_j, eqn:alpha_prime, eqn:m_sigma_dot",
    section="8.6",
    statement=(
        "sum alpha_i Phi_i + alpha' Phi(x') solves the equation of the derivative if alpha' = n "
        "phi(r')/gamma and alpha solves Theorem 5's system, and for linearly independent features only then; "
        "with the coefficients compared one by one it is the same system."
    ),
    hypotheses=("psi is differentiable at the residuals", "no residual is 0", "gamma > 0"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Let F be the map that sends a column to the sum of its entries times the Phi_i: K = F'F, f = F w, "
        "and k' = F' Phi(x'). The equation's left side minus its right side is then F times the left minus "
        "the right side of the system, plus Phi(x') times gamma alpha' - n phi(r'). This is an identity of "
        "words, so it holds for every number of rows; where the features are independent both factors must "
        "vanish. Of gamma, n phi(r') and the entries of Q no more enters than that gamma is not 0: the first "
        "two hypotheses only make them numbers."
    ),
    source=Source.PRINTED,
)
SUM = Claim(
    id="influence_theorem.sum_rule",
    label="thm:influence_emp (sum of alpha)",
    section="5",
    statement="The coefficients of Theorem 5 satisfy sum alpha_i = -alpha', so IF integrates to 0 over x.",
    hypotheses=("sum of weights = 1", "gamma > 0", "alpha solves the system"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "The rows of (I - 1 w')' = I - w 1' sum to (1 - 1'w) 1' = 0, so the system's rows sum to gamma sum "
        "alpha_i = -n phi(r'), for every number of rows. Each kernel integrates to 1, so the integral of IF "
        "is sum alpha_i + alpha'."
    ),
    necessity=(("sum of weights = 1", "check_sum_needs_weights_of_sum_one"),),
    source=Source.PRINTED,
)
SLOPE = Claim(
    id="influence_theorem.q_is_slope",
    label="sec:ic (q), thm:influence_true (proof: derivative of phi)",
    section="5",
    statement="q(t) = t psi'(t) - psi(t) = t^2 phi'(t) for every t > 0 at which psi is differentiable.",
    hypotheses=("psi is differentiable at t",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Differentiate phi = psi/t for an arbitrary function psi.",
    source=Source.PRINTED,
)
PROPORTIONAL = Claim(
    id="influence_theorem.proportional",
    label="thm:influence_emp (alpha')",
    section="5",
    statement=(
        "alpha' = phi(r')/mean phi(r_i), and alpha = -alpha' M^-1 (gamma w + P'QP k') with M the matrix of "
        "Theorem 5 and P = I - 1 w': alpha is alpha' times numbers that depend on x' through k' alone, and "
        "the influence is 0 where phi(r') = 0."
    ),
    hypotheses=("gamma > 0", "the system is regular"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Because n phi(r') = gamma alpha', this alpha solves the system: multiply M by it and let M M^-1 "
        "cancel. Nothing but k' and alpha' depends on x'."
    ),
    source=Source.PRINTED,
)
ZERO_RESIDUAL = Claim(
    id="influence_theorem.zero_residual",
    label="thm:influence_emp (Q)",
    section="5",
    statement="Where r_i = 0, the term of row i vanishes: Q_ii has to be read as 0 there, not as 0/0.",
    hypotheses=("phi is Lipschitz continuous",),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "With L the Lipschitz constant of phi, |Q_ii <h, u_i> u_i| <= |phi'(r)| |h| r <= L |h| r, because "
        "|Q_ii| r = |q|/r^2 = |phi'| and |<h, u_i>| |u_i| <= |h| r^2. The bound tends to 0 with r."
    ),
    source=Source.PRINTED,
)

_SIZE: Final = 4
Matrix = list[list[sympy.Expr]]

# The free algebra: a prime in a name is written as t, for "transposed".
_K, _Q, _ONE, _ONE_T, _W, _W_T = letters("K Q 1 1t w wt")
_P, _P_T = 1 - _ONE * _W_T, 1 - _W * _ONE_T


@evidence(JACOBIAN, level=Level.PROVED)
def check_derivative_for_every_number_of_rows() -> None:
    """Put w + t h into G and compare what is linear in t with the matrix applied to h."""
    t = sympy.Symbol("t")
    h, h_t, diagonal, base = letters("h ht k p")

    def phi(v: sympy.Expr, v_t: sympy.Expr) -> sympy.Expr:
        # r_i^2 = k_ii - 2 (K v)_i + v'K v, and phi is affine in it with the slope Q_ii/2.
        return base + _Q * (diagonal - 2 * _K * v + _ONE * v_t * _K * v) / 2

    moved, moved_t = _W + t * h, _W_T + t * h_t
    stationarity = moved * _ONE_T * phi(moved, moved_t) - phi(moved, moved_t)
    slope = sympy.expand(stationarity).coeff(t, 1)
    # gamma = 1'phi is a number: gamma h = h 1'phi. K is symmetric: h'Kw = w'Kh.
    matrix = h * _ONE_T * phi(_W, _W_T) + _P_T * _Q * _P * _K * h
    assert vanishes(slope - matrix, [(h_t * _K * _W, _W_T * _K * h)])


@evidence(JACOBIAN, level=Level.PROVED)
def check_slope_of_phi_in_the_squared_norm() -> None:
    """Differentiate phi(sqrt(s)) in s for an arbitrary psi: q/(2 r^3) at r = sqrt(s)."""
    s, r = sympy.symbols("s r", positive=True)
    psi = sympy.Function("psi")
    slope = (psi(sympy.sqrt(s)) / sympy.sqrt(s)).diff(s).subs(s, r**2).doit()
    q = r * psi(r).diff(r) - psi(r)
    assert is_zero(slope - q / (2 * r**3))


def _symbols(names: str) -> list[sympy.Expr]:
    return list(sympy.symbols(names, real=True))


def _dot(left: Sequence[sympy.Expr], right: Sequence[sympy.Expr]) -> sympy.Expr:
    return sum(map(operator.mul, left, right), sympy.Integer(0))


def _entry(gram: Matrix, weights: list[sympy.Expr], bends: list[sympy.Expr], i: int, j: int) -> sympy.Expr:
    """Return the entry (i, j) of (I - 1 w')' Q (I - 1 w') K."""
    column = [row[j] for row in gram]
    mean = _dot(weights, column)
    bent = [bend * (entry - mean) for bend, entry in zip(bends, column, strict=True)]
    return bent[i] - weights[i] * sum(bent, sympy.Integer(0))


@evidence(JACOBIAN, level=Level.PROVED, corroborates=True)
def check_derivative_by_entries() -> None:
    """Differentiate G entry by entry for four rows, as many as there are indices in w_j Q_ii w_l k_lk."""
    names = {(i, j): f"k_{min(i, j)}{max(i, j)}" for i in range(_SIZE) for j in range(_SIZE)}
    gram: Matrix = [[sympy.Symbol(names[i, j], real=True) for j in range(_SIZE)] for i in range(_SIZE)]
    weights, bends = _symbols(f"w_:{_SIZE}"), _symbols(f"q_:{_SIZE}")
    products = [_dot(row, weights) for row in gram]
    square = _dot(weights, products)
    squares = [gram[i][i] - 2 * products[i] + square for i in range(_SIZE)]
    phis = [base + q * r / 2 for base, q, r in zip(_symbols(f"p_:{_SIZE}"), bends, squares, strict=True)]
    gamma = sum(phis, sympy.Integer(0))
    for i in range(_SIZE):
        for j in range(_SIZE):
            slope = (gamma * weights[i] - phis[i]).diff(weights[j])
            entry = _entry(gram, weights, bends, i, j) + gamma * int(i == j)
            assert (slope - entry).expand() == sympy.Integer(0)


@evidence(COEFFICIENTS, level=Level.PROVED)
def check_coefficients_are_compared() -> None:
    """Insert the ansatz into the equation of the derivative: F times the system, Phi(x') times the rest."""
    gamma, pull = sympy.symbols("gamma pull")  # pull is n phi(r')
    features, features_t, new, cross, alpha, alpha_new = letters("F Ft Phi_x kx alpha alpha_x")
    rules = [(features_t * features, _K), (features_t * new, cross)]
    moved, estimate = features * alpha + new * alpha_new, features * _W
    # The sum of Q_ii <., u_i> u_i with the columns u_i = Phi_i - f of U = F P'.
    bent = features * _P_T * _Q * _P * features_t * moved
    equation = gamma * moved + bent - pull * (new - estimate)
    system = (gamma + _P_T * _Q * _P * _K) * alpha + pull * _W + _P_T * _Q * _P * cross * alpha_new
    assert vanishes(equation - features * system - new * (gamma * alpha_new - pull), rules)
    # One by one: gamma alpha_j + d_j - w_j sum d_i = -w_j n phi(r') with d = QP(K alpha + alpha' k').
    drops = _Q * _P * (_K * alpha + cross * alpha_new)
    assert vanishes(gamma * alpha + drops - _W * _ONE_T * drops + pull * _W - system)


@evidence(SUM, level=Level.PROVED)
def check_rows_add_up() -> None:
    """Multiply the system by 1' from the left, with 1'w = 1."""
    assert vanishes(_sum_of_rows(), [(_ONE_T * _W, sympy.Integer(1))])


@evidence(SUM, level=Level.PROVED)
def check_sum_needs_weights_of_sum_one() -> None:
    """Show that the rows add up to something else for weights of sum 2."""
    assert not vanishes(_sum_of_rows(), [(_ONE_T * _W, sympy.Integer(2))])


def _sum_of_rows() -> sympy.Expr:
    """Return the sum of the system's rows, less gamma sum alpha_i + n phi(r')."""
    gamma, pull = sympy.symbols("gamma pull")
    alpha, cross, alpha_new = letters("alpha kx alpha_x")
    matrix = gamma + _P_T * _Q * _P * _K
    system = matrix * alpha + pull * _W + _P_T * _Q * _P * cross * alpha_new
    return _ONE_T * system - gamma * _ONE_T * alpha - pull


@evidence(SLOPE, level=Level.PROVED)
def check_q_is_the_slope_of_phi() -> None:
    """Differentiate psi/t for an arbitrary psi."""
    t = sympy.Symbol("t", positive=True)
    psi = sympy.Function("psi")
    q = t * psi(t).diff(t) - psi(t)
    assert is_zero(t**2 * (psi(t) / t).diff(t) - q)


@evidence(PROPORTIONAL, level=Level.PROVED)
def check_solution_over_alpha_new() -> None:
    """Insert alpha into the system, M M^-1 = I; compare alpha' with phi(r') over the mean of phi."""
    gamma, phi_new, n = sympy.symbols("gamma phi_x n", positive=True)
    matrix, inverse, cross = letters("M Minv kx")
    alpha_new = n * phi_new / gamma
    swept = _P_T * _Q * _P * cross
    alpha = -alpha_new * inverse * (gamma * _W + swept)
    left = matrix * alpha + n * phi_new * _W + alpha_new * swept
    assert vanishes(left, [(matrix * inverse, sympy.Integer(1))])
    assert is_zero(alpha_new - phi_new / (gamma / n))
    assert vanishes(alpha.subs(phi_new, 0))


@evidence(ZERO_RESIDUAL, level=Level.PROVED)
def check_term_of_a_small_residual() -> None:
    """Refute |Q <h, u> u| > L r |h| from |q| = |phi'| r^2, |phi'| <= L and Cauchy's inequality."""
    r, slope, lipschitz, length, inner, bend = z3.Reals("r slope L h inner Q")
    known = [r > 0, slope >= 0, slope <= lipschitz, length >= 0, inner >= 0, inner <= length * r]
    assert not has_model(*known, bend * r == slope, bend * inner * r > lipschitz * r * length)
