"""Claims about the influence where a residual lies on a kink of the loss (section 5)."""

from collections.abc import Sequence
from typing import Final

import pytest
import sympy
import z3
from flint import arb
from mpmath import MPContext, mpf

from rkde import fast
from rkde.errors import SingularSystem
from rkde.proofs_checks import bridge, quotients, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.free_algebra import letters, vanishes
from rkde.proofs_checks.kink_sides import both_sides
from rkde.proofs_checks.measures import vector_error
from rkde.proofs_checks.strategies import KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.influence import influence
from rkde.reference.losses import Hampel, Huber, Loss
from rkde.reference.numbers import Number, Rows, make_context
from rkde.reference.rkhs import residual_norms

AS_PRINTED = Claim(
    id="influence_kinks.as_printed",
    label="thm:influence_emp, thm:influence_true",
    section="5",
    statement=(
        "Under (A1) to (A5) Theorem 5 gives the influence function, with one value of psi' at each kink."
    ),
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {0, 1, 3}, sigma = 1, Huber with a = the largest residual of the KDE, so f is the KDE and the "
        "row 3 lies on the kink. With psi' from the left alpha = (-1/3, -1/3, -1/3) alpha', with psi' from "
        "the right it is something else. For x' = 1/2 both answers say that the residual of the row 3 grows, "
        "so the right one holds: alpha = (-.2336, -.2336, -.5327). For x' = 5/2 both say that it falls, so "
        "the left one holds. No one value of psi' serves both (influence_kinks.one_sided)."
    ),
    counterexample=("check_either_convention_fails",),
    source=Source.PRINTED,
)
ONE_SIDED = Claim(
    id="influence_kinks.one_sided",
    label="thm:influence_emp",
    section="5",
    statement=(
        "With residuals on kinks the estimate has a derivative for s from above and one from below; each is "
        "Theorem 5's, with psi' from the right at a kink that the residual leaves upwards, from the left "
        "where it goes down."
    ),
    hypotheses=("exactly one choice of sides agrees with the motion", "all systems are regular"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "V is Lipschitz and has one-sided derivatives along lines, so the chain rule holds one-sidedly "
        "(influence_proofs.chain_rule_lipschitz); dr_i/ds = -<df, u_i>/r_i tells the side. That the "
        "one-sided derivative exists is seen in difference quotients, not proved."
    ),
    necessity=(("exactly one choice of sides agrees with the motion", "check_no_unique_choice"),),
    source=Source.PRINTED,
)
ONE_KINK = Claim(
    id="influence_kinks.one_residual",
    label="thm:influence_emp",
    section="5",
    statement=(
        "With one residual on a kink exactly one choice of its side is consistent, for each direction of s, "
        "if the systems of both sides have determinants of one sign; if the signs differ, none or both are."
    ),
    hypotheses=("both systems are regular", "one residual on a kink", "the residual moves"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The Hessians of the two sides differ by D u u', u being the residual that lies on the kink. So the "
        "motions that the two answers give it satisfy m_l = m_r (1 + D C) with C = u' H_l^-1 u, for every "
        "number of rows, and 1 + D C = det M_r/det M_l (the matrix determinant lemma, which is "
        "influence_matrix.spectrum's identity for one column). For a convex loss both determinants are "
        "positive."
    ),
    source=Source.UNSPECIFIED,
    proof_class=ProofClass.B,
    follows_from=("influence_matrix.spectrum",),
)

_KERNEL: Final = KernelSpec("gaussian", 1.0)
_THREE: Final[Rows] = [[0], [1], [3]]
_SYMMETRIC: Final[Rows] = [[-1], [0], [1]]
# One row far out: at the limit its residual does not touch the others' weights.
_OUTLIER: Final[Rows] = [[0], ["0.5"], [4]]
_PRINTED: Final = ("-0.2336", "-0.2336", "-0.5327")


def _uniform(ctx: MPContext, size: int) -> list[mpf]:
    return [ctx.mpf(1) / size] * size


def _largest(ctx: MPContext, rows: Rows, weights: Sequence[Number]) -> mpf:
    return max(residual_norms(ctx, rows, bridge.reference_kernel(_KERNEL), weights))


def _agrees(ctx: MPContext, rows: Rows, loss: Loss, x_new: Number, start: Sequence[Number]) -> bool:
    """Tell whether the quotients from both sides tend to the derivatives, which the fast code has too."""
    of = quotients.trial(ctx, rows, bridge.reference_kernel(_KERNEL), loss, [x_new], start)
    assert of.found.one_sided
    assert of.found.from_below is not None
    quick_loss = getattr(fast, type(loss).__name__)(*map(float, loss.kinks))
    X, weights = [[float(x) for x in row] for row in rows], [float(weight) for weight in of.weights]
    quick = fast.influence(X, bridge.fast_kernel(_KERNEL), quick_loss, weights, [[float(x_new)]])
    assert quick.one_sided
    assert quick.from_below is not None
    for exact, found in ((of.found, quick), (of.found.from_below, quick.from_below)):
        bound = tolerances.influence_bound(len(X), 1, float(exact.condition))
        assert vector_error(found.if_coef[0], exact.if_coef[0]) <= bound
    return all(
        quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES, below=below))
        for below in (False, True)
    )


@evidence(AS_PRINTED, level=Level.CERTIFIED)
def check_either_convention_fails() -> None:
    """Enclose the answers from both sides for two x', and the motion of the residual on the kink."""
    near_left, near_right = both_sides("0.5")
    far_left, far_right = both_sides("2.5")
    assert near_left.motion > arb("0.1") < near_right.motion
    assert far_left.motion < arb("-0.1") > far_right.motion
    for value, text in zip(near_right.alpha, _PRINTED, strict=True):
        assert abs(value - arb(text)) < arb("0.00005")
    for of in (near_left, far_left):
        assert all(abs(value + of.alpha_new / 3) < arb("1e-10") for value in of.alpha)
    assert abs(far_right.alpha[2] - far_left.alpha[2]) > arb("0.1")


@evidence(ONE_SIDED, level=Level.TESTED)
@evidence(AS_PRINTED, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("x_new", [0.5, 2.5, 1.0, 9.0])
def check_huber_at_a(x_new: float) -> None:
    """Put Huber's a on one residual, x' near, among the rows and far."""
    ctx = make_context(quotients.DIGITS)
    loss = Huber(_largest(ctx, _THREE, _uniform(ctx, 3)))
    assert _agrees(ctx, _THREE, loss, x_new, _uniform(ctx, 3))


@evidence(ONE_SIDED, level=Level.TESTED)
@pytest.mark.parametrize("x_new", [0.5, 3.0, -1.0])
def check_two_residuals_on_one_kink(x_new: float) -> None:
    """Put Huber's a on the equal residuals of two outer rows: four choices, one of them consistent."""
    ctx = make_context(quotients.DIGITS)
    loss = Huber(_largest(ctx, _SYMMETRIC, _uniform(ctx, 3)))
    assert _agrees(ctx, _SYMMETRIC, loss, x_new, _uniform(ctx, 3))


@evidence(ONE_SIDED, level=Level.TESTED)
def check_hampel_at_a_and_at_c() -> None:
    """Put Hampel's a on a residual, then c on that of an outlier without weight."""
    ctx = make_context(quotients.DIGITS)
    a = _largest(ctx, _THREE, _uniform(ctx, 3))
    assert _agrees(ctx, _THREE, Hampel(a, 2, 3), 0.5, _uniform(ctx, 3))
    pair = [0.5, 0.5, 0]
    c = _largest(ctx, _OUTLIER, pair)
    assert _agrees(ctx, _OUTLIER, Hampel(0.5, 0.75, c), -1, pair)


@evidence(ONE_SIDED, level=Level.TESTED)
def check_no_unique_choice() -> None:
    """Let Hampel's psi fall steeply from a = b on: towards one side no choice or both are consistent."""
    ctx = bridge.context()
    a = _largest(ctx, _THREE, _uniform(ctx, 3))
    c = a * ctx.mpf("1.01")
    third, rows = [1 / 3] * 3, [[0.0], [1.0], [3.0]]
    for x_new in (0.5, 2.5):
        with pytest.raises(SingularSystem):
            influence(
                ctx, _THREE, bridge.reference_kernel(_KERNEL), Hampel(a, a, c), _uniform(ctx, 3), [[x_new]]
            )
        with pytest.raises(SingularSystem):
            fast.influence(
                rows, bridge.fast_kernel(_KERNEL), fast.Hampel(float(a), float(a), float(c)), third, [[x_new]]
            )


@evidence(ONE_KINK, level=Level.PROVED)
def check_motions_for_every_number_of_rows() -> None:
    """Solve (H + D u u') x = b by the inverse R of H: u'Rb = (1 + D u'Ru) u'x."""
    gap = sympy.Symbol("D")
    hessian, inverse, u, u_t, x = letters("H R u ut x")
    left_motion = u_t * inverse * (hessian + gap * u * u_t) * x
    right_motion = u_t * x
    factor = 1 + gap * u_t * inverse * u
    assert vanishes(left_motion - factor * right_motion, [(inverse * hessian, sympy.Integer(1))])


@evidence(ONE_KINK, level=Level.CERTIFIED, corroborates=True)
def check_ratio_of_the_motions() -> None:
    """Solve two systems of three rows exactly: the ratio of the motions is that of the determinants."""
    u, push, gap = sympy.Matrix([2, -1, 3]), sympy.Matrix([1, 4, -2]), sympy.Rational(-1, 5)
    left = sympy.Matrix([[5, 1, -2], [1, 7, 3], [-2, 3, 4]])
    right = left + gap * u * u.T
    motions = [(u.T * matrix.adjugate() * push)[0] / matrix.det() for matrix in (left, right)]
    assert is_zero(motions[0] - motions[1] * right.det() / left.det())


@evidence(ONE_KINK, level=Level.PROVED)
def check_motions_have_one_sign() -> None:
    """Refute two consistent choices, and none, where det M_r/det M_l > 0; show both where it is < 0."""
    left, right, ratio = z3.Reals("m_l m_r ratio")
    known = [left == right * ratio, left != 0]
    both = [right > 0, left < 0]
    neither = [right < 0, left > 0]
    assert not has_model(*known, ratio > 0, *both)
    assert not has_model(*known, ratio > 0, *neither)
    assert has_model(*known, ratio < 0, *both)
    assert has_model(*known, ratio < 0, *neither)
