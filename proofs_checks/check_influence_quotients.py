"""Claims about the influence function as a limit of difference quotients (section 5)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import pytest
from mpmath import MPContext

from rkde.fast.influence import contaminate as fast_contaminate
from rkde.fast.influence import influence as fast_influence
from rkde.proofs_checks import bridge, moves, quotients, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.measures import absolute_errors
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, selected
from rkde.reference.influence import contaminate
from rkde.reference.losses import Hampel, Huber
from rkde.reference.numbers import Number, Rows, make_context
from rkde.vocabulary import Certificate, Stationarity

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
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "(1 - s) V(f) + s phi(r') (Phi(x') - f) = 0 at f, since V(f) = 0 and phi(r') = 0. For a large s "
        "another stationary point, near Phi(x'), is lower."
    ),
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
        "minimiser there; outside any ball around f, J exceeds its minimum by a positive amount."
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
# Far below the distance of any residual from a kink.
_TINY_SHARES: Final = ("1e-12", "1e-13")
_TENTH: Final = 0.1


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
        _assert_that_fast_follows(ctx, of, kernel, loss)


def _assert_that_fast_follows(
    ctx: MPContext, of: quotients.Trial, kernel: KernelSpec, loss: LossSpec
) -> None:
    """Say that the error of the quotients shrinks with s against the fast code's coefficients, too."""
    weights, norms = [float(entry) for entry in of.weights], [float(entry) for entry in of.norms]
    rows, x_new = [[float(value) for value in row] for row in of.rows], [float(value) for value in of.x_new]
    found = fast_influence(rows, bridge.fast_kernel(kernel), bridge.fast_loss(loss), weights, [x_new])
    coefficients = [*found.if_coef[0].tolist(), *found.if_coef_new.tolist()]
    factor = tolerances.cancellation(norms, weights)
    noise = tolerances.influence_error(coefficients, len(x_new), found.condition, factor)
    errors = [
        float(quotients.distance(ctx, of, quotients.quotient(ctx, of, ctx.mpf(share)), coefficients))
        for share in quotients.TWO_SHARES
    ]
    assert errors[1] <= tolerances.shrunk(errors[0], noise, _TENTH)


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
        of = _trial(ctx, _SPECS[0], _ABSOLUTE, x_new)
        assert quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES))
        _assert_that_fast_follows(ctx, of, _SPECS[0], _ABSOLUTE)


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
    assert all(abs(ratio - 10) <= 10 * tolerances.first_order_band() for ratio in ratios)


@evidence(DEPENDENT, level=Level.TESTED)
@pytest.mark.parametrize("loss", _LOSSES[1:], ids=lambda spec: spec.name)
def check_new_point_among_the_rows(loss: LossSpec) -> None:
    """Take x' = X_2 and x' = X_5, and data with rows that occur twice."""
    ctx, kernel = _context(), bridge.reference_kernel(_SPECS[0])
    for rows in (_ROWS, [*_ROWS, _ROWS[1], _ROWS[3]]):
        for x_new in (_ROWS[1], _ROWS[4]):
            of = quotients.trial(ctx, rows, kernel, bridge.reference_loss(loss), x_new)
            assert quotients.is_first_order(quotients.table(ctx, of, quotients.TWO_SHARES))
            _assert_that_fast_follows(ctx, of, _SPECS[0], loss)


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
        assert max(absolute_errors(moved.weights[:-1], of.weights)) <= bound


@evidence(OUTSIDE, level=Level.TESTED)
@pytest.mark.parametrize("kernel", _SPECS, ids=lambda spec: spec.name)
def check_no_influence_beyond_c_in_floats(kernel: KernelSpec) -> None:
    """Ask the fast code the same; its limits may differ by the rounding of a step over 1 - rate."""
    ctx = _context()
    of = _trial(ctx, kernel, _LOSSES[2], _FAR)
    weights = [float(entry) for entry in of.weights]
    built = bridge.fast_kernel(kernel), bridge.fast_loss(_LOSSES[2])
    found = fast_influence(_ROWS, *built, weights, [_FAR])
    assert not any((*found.if_coef[0], *found.if_coef_new, *found.if_l2_norm))
    rounding = max(moves.state(_ROWS, kernel, _LOSSES[2], weights).weights_error)
    rate = 1 - 1 / float(quotients.system_condition(ctx, of))
    for share in (0.01, 0.1):
        moved = fast_contaminate(_ROWS, *built, weights, share, _FAR)
        assert moved.weights[-1] == 0
        assert isinstance(moved.stop, Stationarity)
        step = rounding + float(moved.stop.tol)
        assert max(absolute_errors(moved.weights[:-1], of.weights)) <= tolerances.geometric_bound(step, rate)


@evidence(CONTINUOUS, level=Level.TESTED)
def check_contaminated_estimates_tend_to_f() -> None:
    """Halve s again and again: the distance to f at least nearly halves, too."""
    ctx = make_context(bridge.DIGITS)
    of = _trial(ctx, _SPECS[0], _LOSSES[1], _NEAR)
    weights = [float(entry) for entry in of.weights]
    for is_fast in (False, True):
        distances = []
        for exponent in range(1, 8):
            moved: Sequence[Number]
            if is_fast:
                built = bridge.fast_kernel(_SPECS[0]), bridge.fast_loss(_LOSSES[1])
                moved = list(fast_contaminate(_ROWS, *built, weights, 2.0**-exponent, _NEAR).weights)
            else:
                share = ctx.mpf(2) ** -exponent
                moved = contaminate(ctx, _ROWS, of.kernel, of.loss, of.weights, share, _NEAR).weights
            distances.append(quotients.distance(ctx, of, moved, [*of.weights, 0]))
        assert all(after < before * 3 / 4 for before, after in pairwise(distances))
