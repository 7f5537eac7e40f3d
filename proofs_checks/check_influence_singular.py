"""Claims about whether Theorem 5's system has a solution (section 5, section 8.6)."""

from __future__ import annotations

from typing import Final

import pytest
import sympy
from flint import arb
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from rkde.errors import AllWeightsZero, NotConverged, SingularSystem
from rkde.fast.kirwls import kirwls as fast_kirwls
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.proofs_checks.weight_grid import lowest_value
from rkde.reference.certify.balls import working_bits
from rkde.reference.certify.groups import location_groups, symmetric_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.sample import read_sample
from rkde.reference.certify.state import evaluate, jacobian
from rkde.reference.fixed_point import fixed_point
from rkde.reference.influence import influence
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Hampel, Huber
from rkde.vocabulary import Stationarity

SOLVABLE = Claim(
    id="influence_singular.always_solvable",
    label="thm:influence_emp",
    section="5",
    statement="Under the assumptions of Theorem 5 its linear system has a solution.",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "Two rows with |Phi_1 - Phi_2| = tau, psi(t) = (1 + (2t - 1)^3)/2 up to 3/4 and 13/16 - 3/(16t) "
        "beyond: (A1) to (A5) hold, rho and J are strictly convex, f is half way, and psi' = 0 at both "
        "residuals. The first row of the system minus the second reads 0 = 4 alpha' (k'_1 - k'_2): no "
        "solution unless x' is as far from one row as from the other."
    ),
    counterexample=("check_strictly_convex_without_a_solution",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
HAMPEL = Claim(
    id="influence_singular.hampel",
    label="thm:influence_emp, eqn:hampel",
    section="5",
    statement=(
        "For Hampel's loss the matrix of Theorem 5 can be singular at the estimate itself, off all kinks and "
        "with three distinct rows; near such thresholds the influence exceeds every bound."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.CERTIFIED,
    argument=(
        "X = {-2, 0, 2}, sigma = 1, Hampel with a = 0.6, b = 0.8: for each c within 1e-6 of 1.4907127786 "
        "there is one symmetric fixed point, it moves continuously with c, no residual is near a kink, and "
        "the determinant of the system changes its sign: it is 0 at some c there. That this point is the "
        "minimiser of J is seen on a grid, not proved."
    ),
    source=Source.PRINTED,
)
SPECTRUM = Claim(
    id="influence_singular.spectrum",
    label="thm:influence_emp (matrix)",
    section="5",
    statement=(
        "Theorem 5's matrix has the determinant gamma^(n - |A|) det(gamma I - G_A) with G_A the Gram "
        "matrix of the "
        "(|q_i|/r_i^3)^(1/2) u_i over the rows A with q_i != 0: it is regular exactly if n times the "
        "Hessian of J is."
    ),
    hypotheses=("q <= 0", "gamma > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "With Q = -S^2 and B = S P, gamma I - B'B K and gamma I - B K B' differ by factors gamma (Sylvester)."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
CONVEX = Claim(
    id="influence_singular.convex",
    label="thm:influence_emp, lemma:strict_convex",
    section="5",
    statement=(
        "For a convex, strictly increasing rho, at least three distinct rows and no residual on a kink "
        "the system has "
        "exactly one solution."
    ),
    hypotheses=("convex", "strictly_increasing", "three distinct rows", "no residual on a kink"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "<h, H h> = sum phi_i |h - <h, e_i> e_i|^2 + psi'_i <h, e_i>^2 with the unit vectors e_i of the "
        "residuals. It is 0 "
        "only if h is parallel to every u_i, so that all Phi_i lie on one line; a line meets a sphere in "
        "two points."
    ),
    necessity=(("three distinct rows", "check_two_rows_beyond_a"),),
    source=Source.PRINTED,
)

_ROWS: Final = [["-2"], ["0"], ["2"]]
_KINKS: Final = ("0.6", "0.8")
_CENTRE: Final = "1.4907127786"
_NEAREST: Final = "1.4907127786500820"
_REACH: Final = "1e-6"
_BITS: Final = 128
_COARSE: Final = Stationarity(1e-13)
_CAP: Final = 5000
# Weights of an outer row and of the middle one, near the fixed point.
_SYMMETRIC: Final = ("0.305", "0.39")


def _symmetric_point(c: arb) -> tuple[list[arb], BallLoss]:
    """Enclose the symmetric fixed point for every threshold in a ball, as weights of the three rows."""
    sample = read_sample(_ROWS)
    locations = location_groups(sample, ball_kernel(Gaussian(1)))
    cells = symmetric_groups(sample, locations, [0, 1, 0])
    loss = BallLoss("hampel", (*map(arb, _KINKS), c))
    outer, inner = enclose_zero(cells, loss, [2 * arb(_SYMMETRIC[0]), arb(_SYMMETRIC[1])])
    return [outer / 2, inner, outer / 2], loss


def _determinant(c: arb) -> arb:
    weights, loss = _symmetric_point(c)
    locations = location_groups(read_sample(_ROWS), ball_kernel(Gaussian(1)))
    return jacobian(locations, loss, evaluate(locations, loss, weights)).det()


@evidence(SOLVABLE, level=Level.PROVED)
def check_strictly_convex_without_a_solution() -> None:
    """Verify (A1) to (A5) and strict convexity of the loss, and both sides of the system, exactly."""
    (t,) = sympy.symbols("t,", positive=True)
    inner, outer = (1 + (2 * t - 1) ** 3) / 2, sympy.Rational(13, 16) - sympy.Rational(3, 16) / t
    end = sympy.Rational(3, 4)
    assert is_zero((inner - outer).subs(t, end))
    phi = 4 * t**2 - 6 * t + 3
    assert is_zero(phi * t - inner)
    # psi rises from psi(0) = 0: psi' is a square, 0 only at 1/2, then positive; so rho is strictly convex.
    assert is_zero(inner.diff(t) - 3 * (2 * t - 1) ** 2)
    assert outer.diff(t).is_positive
    # phi' is 8t - 6 <= 0 and then (24 - 52 t)/(64 t^3) < 0, both bounded; psi < 13/16.
    assert is_zero(phi.diff(t) - (8 * t - 6))
    assert is_zero((outer / t).diff(t) - (24 - 52 * t) / (64 * t**3))
    half, one = sympy.Rational(1, 2), sympy.Integer(1)
    slope, value = inner.diff(t).subs(t, half), inner.subs(t, half)
    assert is_zero(slope)
    gamma, bend = 2 * value / half, (half * slope - value) / half**3
    # I - 1 w' with w = (1/2, 1/2), which is symmetric.
    first, second, alpha_new = sympy.symbols("k_1 k_2 alpha_new", positive=True)
    centred = [[half, -half], [-half, half]]
    gram = [[one, half], [half, one]]
    bent = [[bend * entry for entry in row] for row in _product(centred, gram)]
    matrix = [[gamma * int(i == j) + _product(centred, bent)[i][j] for j in range(2)] for i in range(2)]
    assert all(is_zero(matrix[0][j] - matrix[1][j]) for j in range(2))
    pull = _product(centred, [[bend * entry] for (entry,) in _product(centred, [[first], [second]])])
    assert is_zero(-alpha_new * (pull[0][0] - pull[1][0]) - 4 * alpha_new * (first - second))


def _product(left: list[list[sympy.Expr]], right: list[list[sympy.Expr]]) -> list[list[sympy.Expr]]:
    columns = list(zip(*right, strict=True))
    return [[_dot(row, list(column)) for column in columns] for row in left]


@evidence(HAMPEL, level=Level.CERTIFIED)
def check_determinant_changes_sign() -> None:
    """Enclose the fixed point over the whole interval of c, and the determinant at its ends."""
    with working_bits(_BITS):
        centre, reach = arb(_CENTRE), arb(_REACH)
        weights, loss = _symmetric_point(arb(centre, reach))
        locations = location_groups(read_sample(_ROWS), ball_kernel(Gaussian(1)))
        # One piece for every residual over the whole interval: off the kinks, so M is continuous in c.
        assert all(len(found) == 1 for found in evaluate(locations, loss, weights).pieces)
        left, right = _determinant(centre - reach), _determinant(centre + reach)
        assert (left < 0 and right > 0) or (left > 0 and right < 0)


@evidence(HAMPEL, level=Level.TESTED, corroborates=True)
def check_no_weights_are_lower() -> None:
    """Compare J at the symmetric point with J on a grid of all weights, and near the point."""
    rows, kernel = [float(row[0]) for row in _ROWS], KernelSpec("gaussian", 1.0)
    spec = LossSpec("hampel", (*map(float, _KINKS), float(_NEAREST)))
    point = fast_kirwls(
        [[value] for value in rows],
        bridge.fast_kernel(kernel),
        bridge.fast_loss(spec),
        stop=_COARSE,
        max_iter=_CAP,
    )
    assert lowest_value(rows, kernel, spec, point.weights.tolist()) > point.objective


@evidence(HAMPEL, level=Level.TESTED, corroborates=True)
def check_singular_system_is_refused() -> None:
    """Take the threshold to 16 digits: the reference answers `SingularSystem`, not a number."""
    ctx = bridge.context()
    loss = Hampel(*_KINKS, _NEAREST)
    third = [ctx.mpf(1) / 3] * 3
    limit = fixed_point(ctx, _ROWS, Gaussian(1), loss, weights_init=third)
    with pytest.raises(SingularSystem):
        influence(ctx, _ROWS, Gaussian(1), loss, limit.weights, [[-3]])


@evidence(SPECTRUM, level=Level.PROVED)
def check_determinants() -> None:
    """Expand both determinants for two rows, both active and one of them active."""
    gamma, first, second, s, t = sympy.symbols("gamma w_0 w_1 s_0 s_1", positive=True)
    k_00, k_01, k_11 = sympy.symbols("k_00 k_01 k_11", real=True)
    gram: list[list[sympy.Expr]] = [[k_00, k_01], [k_01, k_11]]
    weights = [first, second]
    for roots in ([s, t], [s, sympy.Integer(0)]):
        # Rows of P = I - 1 w'.
        away = [[1 - first, -second], [-first, 1 - second]]
        inner = [[_form(gram, u, v) for v in away] for u in away]
        centred = [[_dot(u, [row[j] for row in gram]) for j in range(2)] for u in away]
        bends = [-root * root for root in roots]
        swept = [[bends[i] * centred[i][j] for j in range(2)] for i in range(2)]
        totals = [swept[0][j] + swept[1][j] for j in range(2)]
        matrix = [
            [(gamma if i == j else 0) + swept[i][j] - weights[i] * totals[j] for j in range(2)]
            for i in range(2)
        ]
        hessian = [
            [(gamma if i == j else 0) - roots[i] * roots[j] * inner[i][j] for j in range(2)] for i in range(2)
        ]
        assert is_zero((_det(matrix) - _det(hessian)).expand())


def _dot(left: list[sympy.Expr], right: list[sympy.Expr]) -> sympy.Expr:
    return left[0] * right[0] + left[1] * right[1]


def _form(gram: list[list[sympy.Expr]], left: list[sympy.Expr], right: list[sympy.Expr]) -> sympy.Expr:
    return _dot(left, [_dot(row, right) for row in gram])


def _det(matrix: list[list[sympy.Expr]]) -> sympy.Expr:
    return matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]


@evidence(CONVEX, level=Level.TESTED)
@strategies.examples(0.5)
@given(strategies.mild_problems(max_samples=5), strategies.losses(("huber", "absolute")), st.data())
def check_convex_losses_have_an_influence(problem: Problem, spec: LossSpec, data: st.DataObject) -> None:
    """Solve at the limit from uniform weights: the coefficients sum to 0 and the condition is finite."""
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    assume(strategies.distinct_locations(problem.X) > 2)
    dim = len(problem.X[0])
    x_new = data.draw(st.lists(strategies.coordinates(), min_size=dim, max_size=dim))
    try:
        limit = fixed_point(ctx, problem.X, kernel, loss)
    except (AllWeightsZero, NotConverged):
        reject()
    # The absolute loss has no derivative on a data location.
    assume(spec.name == "huber" or min(limit.residual_norms) > 0)
    found = influence(ctx, problem.X, kernel, loss, limit.weights, [x_new])
    total = ctx.fsum((*found.if_coef[0], found.if_coef_new[0]))
    size = max(map(abs, (*found.if_coef[0], found.if_coef_new[0])))
    assert ctx.isfinite(found.condition)
    assert float(abs(total)) <= tolerances.reference_bound(bridge.DIGITS, len(problem.X) + 2) * float(size)


@evidence(CONVEX, level=Level.TESTED)
def check_two_rows_beyond_a() -> None:
    """Take two rows with residuals beyond Huber's a: J is constant on a segment, the system singular."""
    ctx = bridge.context()
    kernel = bridge.reference_kernel(KernelSpec("gaussian", 1.0))
    for weights in ([0.5, 0.5], ["0.4", "0.6"]):
        with pytest.raises(SingularSystem):
            influence(ctx, [[0], [3]], kernel, Huber("0.1"), weights, [[1]])
