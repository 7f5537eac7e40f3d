"""Claims about whether Theorem 5's system has a solution (section 5, section 8.6)."""

from __future__ import annotations

from typing import Final

import pytest
import sympy
from flint import arb
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from rkde.errors import AllWeightsZero, NotConverged, SingularSystem
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Verdict, evidence
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
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

SOLVABLE = Claim(
    id="influence_singular.always_solvable",
    label="thm:influence_emp",
    section="5",
    statement="Under the assumptions of Theorem 5 its linear system has a solution.",
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {-1.2, 0, 1.2}, sigma = 1, Hampel with a = 0.55, b = 0.58: for each c within 1e-6 of "
        "1.2726045469 there is "
        "one symmetric fixed point, it moves continuously with c, no residual is near a kink, and the "
        "determinant of the "
        "system changes its sign. So the matrix is singular at some c there."
    ),
    counterexample=("check_determinant_changes_sign",),
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
    hypotheses=("q <= 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "With Q = -S^2 and B = S P, gamma I - B'B K and gamma I - B K B' differ by factors gamma (Sylvester)."
    ),
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
)

_ROWS: Final = [["-1.2"], ["0"], ["1.2"]]
_CENTRE: Final = "1.2726045469"
_REACH: Final = "1e-6"
_BITS: Final = 128
# Weights of an outer row and of the middle one, near the fixed point.
_SYMMETRIC: Final = ("0.25", "0.5")


def _symmetric_point(c: arb) -> tuple[list[arb], BallLoss]:
    """Enclose the symmetric fixed point for every threshold in a ball, as weights of the three rows."""
    sample = read_sample(_ROWS)
    locations = location_groups(sample, ball_kernel(Gaussian(1)))
    cells = symmetric_groups(sample, locations, [0, 1, 0])
    loss = BallLoss("hampel", (arb("0.55"), arb("0.58"), c))
    outer, inner = enclose_zero(cells, loss, [2 * arb(_SYMMETRIC[0]), arb(_SYMMETRIC[1])])
    return [outer / 2, inner, outer / 2], loss


def _determinant(c: arb) -> arb:
    weights, loss = _symmetric_point(c)
    locations = location_groups(read_sample(_ROWS), ball_kernel(Gaussian(1)))
    return jacobian(locations, loss, evaluate(locations, loss, weights)).det()


@evidence(SOLVABLE, level=Level.CERTIFIED)
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


@evidence(SOLVABLE, level=Level.TESTED)
def check_singular_system_is_refused() -> None:
    """Take the threshold to 16 digits: the reference answers `SingularSystem`, not a number."""
    ctx = bridge.context()
    loss = Hampel("0.55", "0.58", "1.2726045469299931")
    third = [ctx.mpf(1) / 3] * 3
    limit = fixed_point(ctx, _ROWS, Gaussian(1), loss, weights_init=third)
    with pytest.raises(SingularSystem):
        influence(ctx, _ROWS, Gaussian(1), loss, limit.weights, [[-2]])


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
