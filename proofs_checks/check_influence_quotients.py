"""Claims about the influence function as a limit of difference quotients (section 5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from mpmath import MPContext

from rkde.errors import AllWeightsZero, NotConverged, SingularSystem
from rkde.proofs_checks import bridge, difference_bounds, quotients, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem, selected
from rkde.reference.context import make_context
from rkde.reference.influence import contaminate
from rkde.reference.inputs import Rows
from rkde.reference.losses import Hampel, Huber
from rkde.reference.rkhs import RkhsElement
from rkde.vocabulary import Certificate

LIMIT = Claim(
    id="influence_quotients.theorem_4",
    label="thm:influence_true, thm:influence_emp, eqn:icfinal",
    section="5",
    statement=(
        "Off the kinks of psi, at a minimum, and where the system is regular, the estimate from "
        "(1 - s) F_n + s delta_x' differs "
        "from f by s times Theorem 5's element, up to an error of order s^2."
    ),
    hypotheses=("no residual on a kink", "system regular", "f a local minimum"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument=(
        "G(w, s) = 0 is smooth near (w, 0) and its derivative in w is the regular matrix of Theorem 5: "
        "the implicit "
        "function theorem. At a saddle KIRWLS leaves the branch. The printed theorem lacks all three "
        "hypotheses; psi' has to exist at the residuals."
    ),
    necessity=(
        ("no residual on a kink", "check_quotients_at_a_kink"),
        ("system regular", "check_quotients_near_a_singular_system"),
        ("f a local minimum", "check_quotients_at_a_saddle"),
    ),
    source=Source.PRINTED,
)
DEPENDENT = Claim(
    id="influence_quotients.dependent_points",
    label="thm:influence_emp (K' positive definite)",
    section="5",
    statement=(
        "Theorem 5 holds where x' is a row of X, and where rows of X coincide: K' need not be positive "
        "definite."
    ),
    hypotheses=("no residual on a kink", "system regular"),
    verdict=Verdict.REPAIRED,
    level=Level.TESTED,
    argument="Coefficients that solve the system give an element that solves the equation, unique or not.",
    source=Source.PRINTED,
)
OUTSIDE = Claim(
    id="influence_quotients.beyond_c",
    label="thm:influence_emp, eqn:hampel",
    section="5",
    statement=(
        "For Hampel's loss a point x' with r' >= c has no influence at all: f stays stationary for every s < "
        "1."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "(1 - s) V(f) + s phi(r') (Phi(x') - f) = 0 at f, since V(f) = 0 and phi(r') = 0. For a large s "
        "another stationary point, near Phi(x'), is lower."
    ),
    source=Source.PRINTED,
)
INTEGRAL = Claim(
    id="influence_quotients.integral",
    label="sec:ic (integral of IF)",
    section="5",
    statement="The influence function of the RKDE integrates to 0 over x.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="Each kernel integrates to 1, and sum alpha_i + alpha' = 0.",
    source=Source.PRINTED,
)
CONTINUOUS = Claim(
    id="influence_quotients.continuity",
    label="thm:influence_emp (proof: limit of f_{F_n,s})",
    section="8.6",
    statement="Where J is strictly convex, the contaminated estimate tends to f as s falls to 0.",
    hypotheses=("J strictly convex",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "J_s tends to J uniformly on the compact hull of the Phi_i and Phi(x'), and f is J's only "
        "minimiser "
        "there; outside any ball around f, J exceeds its minimum by a positive amount."
    ),
    source=Source.PRINTED,
)
_ROWS: Final = [[-1.0], [0.0], [0.75], [1.5], [4.0]]
_SPECS: Final = (KernelSpec("gaussian", 1.0), KernelSpec("laplacian", 1.0), KernelSpec("student", 1.0, 3.0))
# With each kernel the limit has residuals on all four pieces of this Hampel loss.
_LOSSES: Final = (LossSpec("quadratic"), LossSpec("huber", (0.625,)), LossSpec("hampel", (0.5, 0.75, 1.125)))
_NEAR: Final = [0.625]
_FAR: Final = [9.0]
_ABSOLUTE: Final = LossSpec("absolute")
# Shares of a random problem, the least distance from a kink, the largest condition: the weights move by about
# condition times share, so no residual comes near a kink.
_TINY_SHARES: Final = ("1e-12", "1e-13")
_CLEAR: Final = "1e-6"
_MILD_CONDITION: Final = 1000


def _context() -> MPContext:
    return make_context(quotients.DIGITS)


def _trial(ctx: MPContext, kernel: KernelSpec, loss: LossSpec, x_new: list[float]) -> quotients.Trial:
    return quotients.trial(ctx, _ROWS, bridge.reference_kernel(kernel), bridge.reference_loss(loss), x_new)


@evidence(LIMIT, level=Level.TESTED)
@pytest.mark.parametrize("kernel", selected(_SPECS, 1), ids=lambda spec: spec.name)
@pytest.mark.parametrize("loss", _LOSSES, ids=lambda spec: spec.name)
def check_table(kernel: KernelSpec, loss: LossSpec) -> None:
    """Print s, error and error/s for s = 1e-2 to 1e-6, x' among the rows and far away."""
    ctx = _context()
    for x_new in (_NEAR, _FAR):
        of = _trial(ctx, kernel, loss, x_new)
        assert not of.found.one_sided
        entries = quotients.table(ctx, of)
        quotients.print_table(ctx, f"{kernel.name}, {loss.name}, x' = {x_new[0]}", entries)
        assert quotients.is_first_order(entries)
        # The quadratic loss is linear in F; Hampel's ignores what lies beyond c.
        exact = loss.name == "quadratic" or (loss.name == "hampel" and x_new == _FAR)
        assert all(entry.is_exact == exact for entry in entries)


@evidence(LIMIT, level=Level.TESTED)
@strategies.examples(0.25)
@given(strategies.mild_problems(max_samples=5), strategies.losses(("huber", "hampel")), st.data())
def check_random_problems(problem: Problem, spec: LossSpec, data: st.DataObject) -> None:
    """Take quotients at shares far below the distance of the residuals from the kinks."""
    ctx, kernel, loss = _context(), bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    dim = len(problem.X[0])
    x_new = data.draw(st.lists(strategies.coordinates(), min_size=dim, max_size=dim))
    try:
        of = quotients.trial(ctx, problem.X, kernel, loss, x_new)
        condition = quotients.system_condition(ctx, of)
    except (AllWeightsZero, NotConverged, SingularSystem):
        reject()
    kinks = [ctx.mpf(kink) for kink in spec.thresholds]
    assume(min(abs(norm - kink) for norm in of.norms for kink in kinks) > ctx.mpf(_CLEAR))
    assume(condition < _MILD_CONDITION)
    # A saddle is left for a minimum at any share, however small.
    assume(of.certificate in (Certificate.GLOBAL, Certificate.LOCAL_MINIMUM))
    assert quotients.is_first_order(quotients.table(ctx, of, _TINY_SHARES))


@evidence(LIMIT, level=Level.TESTED)
def check_the_table_covers_every_piece() -> None:
    """Count the residuals of Hampel's limits between the thresholds: some lie on each of the four pieces."""
    ctx = _context()
    for kernel in _SPECS:
        of = _trial(ctx, kernel, _LOSSES[2], _NEAR)
        pieces = {sum(1 for kink in _LOSSES[2].thresholds if ctx.mpf(kink) < norm) for norm in of.norms}
        assert pieces == {0, 1, 2, 3}


@evidence(LIMIT, level=Level.TESTED)
def check_absolute_loss() -> None:
    """Do the same for the absolute loss, whose f_med lies off the rows here."""
    ctx = _context()
    for x_new in (_NEAR, _FAR):
        assert quotients.is_first_order(
            quotients.table(ctx, _trial(ctx, _SPECS[0], _ABSOLUTE, x_new), quotients.TWO_SHARES)
        )


@evidence(LIMIT, level=Level.TESTED)
def check_quotients_at_a_saddle() -> None:
    """Contaminate the midpoint of two rows that Hampel's J prefers to it: f jumps at any share."""
    ctx, two = _context(), [[0.0], [1.0]]
    loss = bridge.reference_loss(LossSpec("hampel", (1 / 64, 1 / 64, 69 / 64)))
    of = quotients.trial(ctx, two, bridge.reference_kernel(KernelSpec("gaussian", 0.5)), loss, two[0])
    assert of.certificate is Certificate.SADDLE
    for entry in quotients.table(ctx, of, _TINY_SHARES):
        # What the quotient misses is not of the order of s: the whole way from the saddle to a row.
        assert 2 * entry.error * entry.share > 1


@evidence(LIMIT, level=Level.TESTED)
def check_quotients_at_a_kink() -> None:
    """Put Huber's threshold on the largest residual of the KDE: from below the quotients go elsewhere."""
    ctx = _context()
    third = [ctx.mpf(1) / 3] * 3
    rows, kernel = [[0], [1], [3]], bridge.reference_kernel(_SPECS[0])
    a = max(quotients.trial(ctx, rows, kernel, bridge.reference_loss(_LOSSES[0]), [0.5], third).norms)
    of = quotients.trial(ctx, rows, kernel, Huber(a), [0.5], third)
    above, below = of.found, of.found.from_below
    assert above.one_sided
    assert below is not None
    assert quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES))
    assert quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES, below=True))
    gap = max(abs(up - down) for up, down in zip(above.if_coef[0], below.if_coef[0], strict=True))
    assert gap > abs(above.if_coef_new[0]) / 10


@evidence(LIMIT, level=Level.TESTED)
def check_quotients_near_a_singular_system() -> None:
    """Come near Hampel's singular system: the derivative grows like the reciprocal of the distance."""
    ctx = _context()
    rows: Rows = [["-2"], ["0"], ["2"]]
    kernel, uniform = bridge.reference_kernel(_SPECS[0]), [ctx.mpf(1) / 3] * 3
    sizes = []
    for c in ("1.4907227786500820", "1.4908127786500820", "1.4917127786500820"):
        found = quotients.trial(ctx, rows, kernel, Hampel("0.6", "0.8", c), [-3], uniform).found
        sizes.append(max(map(abs, found.if_coef[0])))
    ratios = [float(nearer / farther) for nearer, farther in pairwise(sizes)]
    # Ten times nearer, ten times as large, up to the regular part.
    assert all(abs(ratio - 10) <= 10 * difference_bounds.first_order_band() for ratio in ratios)


@evidence(DEPENDENT, level=Level.TESTED)
@pytest.mark.parametrize("loss", _LOSSES[1:], ids=lambda spec: spec.name)
def check_new_point_among_the_rows(loss: LossSpec) -> None:
    """Take x' = X_2 and x' = X_5, and data with rows that occur twice."""
    ctx, kernel = _context(), bridge.reference_kernel(_SPECS[0])
    for rows in (_ROWS, [*_ROWS, _ROWS[1], _ROWS[3]]):
        for x_new in (_ROWS[1], _ROWS[4]):
            of = quotients.trial(ctx, rows, kernel, bridge.reference_loss(loss), x_new)
            assert quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES))


@evidence(OUTSIDE, level=Level.TESTED)
@pytest.mark.parametrize("kernel", _SPECS, ids=lambda spec: spec.name)
def check_no_influence_beyond_c(kernel: KernelSpec) -> None:
    """Ask for the influence of a far point, and contaminate by a hundredth and a tenth."""
    ctx = _context()
    of = _trial(ctx, kernel, _LOSSES[2], _FAR)
    assert not any((*of.found.if_coef[0], of.found.if_coef_new[0], of.found.if_l2_norm[0]))
    assert of.found.condition == 1
    bound = tolerances.reference_bound(quotients.DIGITS, 2)
    for share in ("0.01", "0.1"):
        moved = contaminate(ctx, _ROWS, of.kernel, of.loss, of.weights, share, _FAR)
        assert moved.weights[-1] == 0
        pairs = zip(moved.weights[:-1], of.weights, strict=True)
        assert max(float(abs(after - before)) for after, before in pairs) <= bound


@evidence(INTEGRAL, level=Level.TESTED)
@pytest.mark.parametrize("kernel", _SPECS, ids=lambda spec: spec.name)
def check_integral_by_quadrature(kernel: KernelSpec) -> None:
    """Integrate IF over the line, split at the rows, where the Laplacian kernel has corners."""
    ctx = make_context(bridge.DIGITS // 2)
    of = _trial(ctx, kernel, _LOSSES[1], _NEAR)
    points, coefficients = [*_ROWS, _NEAR], [*of.found.if_coef[0], of.found.if_coef_new[0]]
    ends = [ctx.ninf, *(ctx.mpf(x) for (x,) in sorted(points)), ctx.inf]
    element = RkhsElement(points, coefficients, of.kernel)
    total = ctx.quad(lambda x: element.evaluate(ctx, [x]), ends)
    size = ctx.fsum(coefficients, absolute=True)
    assert float(abs(total) / size) <= tolerances.quadrature_bound(ctx.dps)
    assert float(abs(ctx.fsum(coefficients)) / size) <= tolerances.reference_bound(ctx.dps, len(points))


@evidence(CONTINUOUS, level=Level.TESTED)
def check_contaminated_estimates_tend_to_f() -> None:
    """Halve s again and again: the distance to f at least nearly halves, too."""
    ctx = make_context(bridge.DIGITS)
    of = _trial(ctx, _SPECS[0], _LOSSES[1], _NEAR)
    distances = []
    for exponent in range(1, 8):
        moved = contaminate(
            ctx, _ROWS, of.kernel, of.loss, of.weights, ctx.mpf(2) ** -exponent, _NEAR
        ).weights
        rest = [after - before for after, before in zip(moved, [*of.weights, ctx.mpf(0)], strict=True)]
        distances.append(RkhsElement([*_ROWS, _NEAR], rest, of.kernel).norm(ctx))
    assert all(after < before * 3 / 4 for before, after in pairwise(distances))
