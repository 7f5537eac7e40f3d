"""Claims about the influence where a residual lies on a kink of the loss (section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
import sympy
import z3
from mpmath import MPContext, mpf

from rkde.errors import SingularSystem
from rkde.proofs_checks import bridge, quotients, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.measures import vector_error
from rkde.proofs_checks.strategies import KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.context import Number, make_context
from rkde.reference.influence import influence
from rkde.reference.inputs import Rows
from rkde.reference.losses import Hampel, Huber, Loss
from rkde.reference.rkhs import residual_norms

AS_PRINTED = Claim(
    id="influence_kinks.as_printed",
    label="thm:influence_emp, thm:influence_true",
    section="5",
    statement=(
        "Under (A1) to (A5) Theorem 5 gives the influence function, with one value of psi' at each kink."
    ),
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.TESTED,
    argument=(
        "X = {0, 1, 3}, sigma = 1, Huber with a = the largest residual of the KDE, so f is the KDE. With "
        "psi' from the "
        "left alpha = (-1/3, -1/3, -1/3) alpha', which is wrong for x' = 1/2: the limit is (-.2336, "
        "-.2336, -.5327). With "
        "psi' from the right it is wrong for x' = 5/2, where -1/3 is right."
    ),
    counterexample=("check_either_convention_fails",),
    source=Source.PRINTED,
)
ONE_SIDED = Claim(
    id="influence_kinks.one_sided",
    label="thm:influence_emp",
    section="5",
    statement=(
        "With residuals on kinks the estimate has a derivative for s from above and one from below; each "
        "is Theorem 5's, "
        "with psi' from the right at a kink that the residual leaves upwards, from the left where it "
        "goes down."
    ),
    hypotheses=("exactly one choice of sides agrees with the motion",),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "V is Lipschitz and has one-sided derivatives along lines, so the chain rule holds one-sidedly; "
        "dr_i/ds = "
        "-<df, u_i>/r_i tells the side."
    ),
    necessity=(("exactly one choice of sides agrees with the motion", "check_no_unique_choice"),),
    source=Source.PRINTED,
)
ONE_KINK = Claim(
    id="influence_kinks.one_residual",
    label="thm:influence_emp",
    section="5",
    statement=(
        "With one residual on a kink exactly one choice of its side is consistent, for each direction of "
        "s, if the systems "
        "of both sides have determinants of one sign; if the signs differ, none or both are."
    ),
    hypotheses=("both systems regular",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The systems differ by a multiple of u u', so the motions m_l and m_r of the residual satisfy "
        "m_l = m_r (1 + D C) "
        "with 1 + D C = det M_r/det M_l (the matrix determinant lemma). For a convex loss both are "
        "positive."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
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


def _trial(ctx: MPContext, rows: Rows, loss: Loss, x_new: Number, start: Sequence[Number]) -> quotients.Trial:
    found = quotients.trial(ctx, rows, bridge.reference_kernel(_KERNEL), loss, [x_new], start)
    assert found.found.one_sided
    return found


def _agrees(ctx: MPContext, of: quotients.Trial) -> bool:
    """Tell whether the quotients from both sides tend to the two derivatives."""
    return all(
        quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES, below=below))
        for below in (False, True)
    )


@evidence(AS_PRINTED, level=Level.TESTED)
def check_either_convention_fails() -> None:
    """Compare the limit of the quotients, which the one-sided derivative is, with both conventions."""
    ctx = make_context(quotients.DIGITS)
    a = _largest(ctx, _THREE, _uniform(ctx, 3))
    bound = tolerances.printed_digits(4)
    near = _trial(ctx, _THREE, Huber(a), 0.5, _uniform(ctx, 3))
    assert _agrees(ctx, near)
    errors = [abs(found - ctx.mpf(text)) for found, text in zip(near.found.if_coef[0], _PRINTED, strict=True)]
    assert float(max(errors)) <= bound
    far = _trial(ctx, _THREE, Huber(a), 2.5, _uniform(ctx, 3))
    assert _agrees(ctx, far)
    exact = tolerances.reference_bound(quotients.DIGITS, len(_THREE) + 2)
    left = [-far.found.if_coef_new[0] / 3] * 3
    assert vector_error(far.found.if_coef[0], left) <= exact
    # The other side's system, which is what psi' from the right would solve, gives another answer to each.
    for of in (near, far):
        below = of.found.from_below
        assert below is not None
        assert vector_error(of.found.if_coef[0], below.if_coef[0]) > bound


@evidence(ONE_SIDED, level=Level.TESTED)
@pytest.mark.parametrize("x_new", [0.5, 2.5, 1.0, 9.0])
def check_huber_at_a(x_new: float) -> None:
    """Put Huber's a on one residual, x' near, among the rows and far."""
    ctx = make_context(quotients.DIGITS)
    loss = Huber(_largest(ctx, _THREE, _uniform(ctx, 3)))
    assert _agrees(ctx, _trial(ctx, _THREE, loss, x_new, _uniform(ctx, 3)))


@evidence(ONE_SIDED, level=Level.TESTED)
@pytest.mark.parametrize("x_new", [0.5, 3.0, -1.0])
def check_two_residuals_on_one_kink(x_new: float) -> None:
    """Put Huber's a on the equal residuals of two outer rows: four choices, one of them consistent."""
    ctx = make_context(quotients.DIGITS)
    loss = Huber(_largest(ctx, _SYMMETRIC, _uniform(ctx, 3)))
    assert _agrees(ctx, _trial(ctx, _SYMMETRIC, loss, x_new, _uniform(ctx, 3)))


@evidence(ONE_SIDED, level=Level.TESTED)
def check_hampel_at_a_and_at_c() -> None:
    """Put Hampel's a on a residual, then c on that of an outlier without weight."""
    ctx = make_context(quotients.DIGITS)
    a = _largest(ctx, _THREE, _uniform(ctx, 3))
    assert _agrees(ctx, _trial(ctx, _THREE, Hampel(a, 2, 3), 0.5, _uniform(ctx, 3)))
    pair = [0.5, 0.5, 0]
    c = _largest(ctx, _OUTLIER, pair)
    of = _trial(ctx, _OUTLIER, Hampel(0.5, 0.75, c), -1, pair)
    assert of.norms[2] == c
    assert _agrees(ctx, of)


@evidence(ONE_SIDED, level=Level.TESTED)
def check_no_unique_choice() -> None:
    """Let Hampel's psi fall steeply from a = b on: towards one side no choice or both are consistent."""
    ctx = bridge.context()
    a = _largest(ctx, _THREE, _uniform(ctx, 3))
    steep = Hampel(a, a, a * ctx.mpf("1.01"))
    kernel = bridge.reference_kernel(_KERNEL)
    for x_new in (0.5, 2.5):
        with pytest.raises(SingularSystem):
            influence(ctx, _THREE, kernel, steep, _uniform(ctx, 3), [[x_new]])


@evidence(ONE_KINK, level=Level.PROVED)
def check_ratio_of_the_motions() -> None:
    """Solve both systems for <u, .>: it is the right one's times det M_r/det M_l, M_r = M_l + D u u'."""
    m_00, m_01, m_11, u_0, u_1, b_0, b_1, gap = sympy.symbols("m_00 m_01 m_11 u_0 u_1 b_0 b_1 D")
    u, push = sympy.Matrix([u_0, u_1]), sympy.Matrix([b_0, b_1])
    left = sympy.Matrix([[m_00, m_01], [m_01, m_11]])
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
