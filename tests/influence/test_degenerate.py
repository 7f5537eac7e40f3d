"""Edges: one location, two rows, weights 0, points far away, no points at all, symmetries."""

from itertools import product
from types import SimpleNamespace
from typing import Any, Final

import pytest

import rkde.reference as rr
from rkde.proofs_checks import quotients, tolerances
from rkde.reference.influence import one_sided
from rkde.reference.influence.one_sided import _differ
from rkde.reference.numbers import rounding_level
from tests.influence.subjects import coefficients
from tests.support.compare import assert_relative_to_largest, assert_within

DIGITS: Final = 30
CTX: Final = rr.make_context(DIGITS)
KERNELS: Final = (rr.Gaussian(1), rr.Laplacian(1), rr.Student(1, 3))
LINE: Final = [[-1], [0], [0.75], [1.5], [4]]
LOSSES: Final = (rr.Huber("0.6"), rr.Hampel("0.5", "0.75", "1.1"))
BOUND: Final = tolerances.reference_bound(DIGITS, 10)


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("loss", [rr.Quadratic(), *LOSSES], ids=lambda loss: loss.name)
def test_one_location(count: int, loss: Any) -> None:
    """All residuals are 0, so alpha' = phi(r') and alpha = -phi(r') w."""
    weights = [CTX.mpf(1) / count] * count
    found = rr.influence(CTX, [[2]] * count, KERNELS[0], loss, weights, [[2], [3], [50]])
    norm = CTX.sqrt(2 * (1 - CTX.exp(-CTX.mpf(1) / 2)))
    assert_within(found.if_coef_new[:2], [1, loss.phi(CTX, norm)], BOUND, "alpha'")
    for row, new in zip(found.if_coef, found.if_coef_new, strict=True):
        assert_within(row, [-new * weight for weight in weights], BOUND, "alpha")
    # x' at the location itself moves nothing.
    assert_within([found.if_at_new[0], found.if_l2_norm[0]], [0, 0], BOUND, "IF")
    assert (found.condition, found.one_sided, found.from_below) == (1, False, None)


def test_two_rows_inside_the_quadratic_piece() -> None:
    found = rr.influence(CTX, [[0], [1]], KERNELS[0], rr.Huber(1), [0.5, 0.5], [[3]])
    assert_within(found.if_coef[0], [-found.if_coef_new[0] / 2] * 2, BOUND, "alpha")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_far_points(kernel: Any) -> None:
    """Far away the cross terms vanish: Huber's influence tends to a limit; Hampel's is exactly 0 beyond c."""
    for loss in LOSSES:
        limit = rr.fixed_point(CTX, LINE, kernel, loss)
        found = rr.influence(CTX, LINE, kernel, loss, limit.weights, [["1e20"], ["1e30"]], [[0], ["1e30"]])
        if loss.name == "hampel":
            assert not any(any(row) for row in (*found.if_coef, *found.influence))
            assert not any((*found.if_coef_new, *found.if_at_new, *found.if_l2_norm))
            assert found.condition == 1
        else:
            assert_relative_to_largest(found.if_coef[0], found.if_coef[1], BOUND, "alpha")
            assert_within(found.influence[1][1], found.if_at_new[1], BOUND, "IF(x', x')")


def test_rows_of_weight_zero() -> None:
    limit = rr.fixed_point(CTX, LINE, KERNELS[0], LOSSES[1])
    found = rr.influence(CTX, LINE, KERNELS[0], LOSSES[1], limit.weights, [[0.5]])
    assert limit.weights[-1] == 0
    assert found.if_coef[0][-1] == 0
    assert found.if_coef[0][0] != 0


def test_no_points() -> None:
    limit = rr.fixed_point(CTX, LINE, KERNELS[0], LOSSES[0])
    empty = rr.influence(CTX, LINE, KERNELS[0], LOSSES[0], limit.weights, [])
    assert (empty.if_coef, empty.if_coef_new, empty.influence, empty.if_l2_norm) == ((), (), (), ())
    assert rr.influence(CTX, LINE, KERNELS[0], LOSSES[0], limit.weights, [[1]]).influence == ((),)


def test_equal_rows_share_their_coefficient_with_their_weight() -> None:
    """A row twice has the coefficients of a location: equal ones, and the same influence in any order."""
    X = [*LINE, LINE[1]]
    limit = rr.fixed_point(CTX, X, KERNELS[0], LOSSES[1])
    found = rr.influence(CTX, X, KERNELS[0], LOSSES[1], limit.weights, [[0.5]], [[2]])
    assert_within(found.if_coef[0][1], found.if_coef[0][5], BOUND, "alpha")
    turned = rr.influence(CTX, X[::-1], KERNELS[0], LOSSES[1], limit.weights[::-1], [[0.5]], [[2]])
    assert_within(turned.if_coef[0][::-1], found.if_coef[0], BOUND, "alpha")
    assert_within(turned.influence[0], found.influence[0], BOUND, "IF")


@pytest.mark.parametrize("kernel", [rr.Gaussian, rr.Laplacian], ids=lambda kernel: kernel.name)
def test_scaling_and_shifting(kernel: Any) -> None:
    limit = rr.fixed_point(CTX, LINE, kernel(1), LOSSES[0])
    found = rr.influence(CTX, LINE, kernel(1), LOSSES[0], limit.weights, [[0.5]], [[2]])
    moved = [[4 * value + 1024] for (value,) in LINE]
    again = rr.influence(CTX, moved, kernel(4), LOSSES[0], limit.weights, [[1026]], [[1032]])
    for name in ("if_coef", "influence"):
        assert_within(getattr(again, name)[0], getattr(found, name)[0], BOUND, name)
    assert_within(again.if_l2_norm, found.if_l2_norm, BOUND, "beta")


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_contamination_by_one_row_more(loss: Any) -> None:
    """With s = 1/(n + 1) all masses are equal: the fixed point of n + 1 rows."""
    limit = rr.fixed_point(CTX, LINE, KERNELS[0], loss)
    share = CTX.mpf(1) / (len(LINE) + 1)
    moved = rr.contaminate(CTX, LINE, KERNELS[0], loss, limit.weights, share, [0.5])
    start = [(1 - share) * weight for weight in limit.weights]
    rows = [*LINE, [0.5]]
    expected = rr.fixed_point(CTX, rows, KERNELS[0], loss, weights_init=[*start, share])
    assert_within(moved.weights, expected.weights, BOUND, "weights")
    assert_within(moved.objective, expected.objective, BOUND, "J")
    unmoved = rr.contaminate(CTX, LINE, KERNELS[0], loss, limit.weights, 0, [0.5])
    assert_within(unmoved.weights, [*limit.weights, 0], BOUND, "weights at s = 0")


def test_near_a_kink_counts_as_on_it() -> None:
    """Within 1e-9 of the kink, relatively, both derivatives come back; beyond it one."""
    X, third = [[0], [1], [3]], [CTX.mpf(1) / 3] * 3
    on = max(quotients.trial(CTX, X, KERNELS[0], rr.Quadratic(), [2], third).norms)
    for factor, expected in (("0.9e-9", True), ("1.1e-9", False)):
        loss = rr.Huber(on * (1 + CTX.mpf(factor)))
        found = rr.influence(CTX, X, KERNELS[0], loss, third, [[0.5]])
        assert found.one_sided is expected
        assert (found.from_below is not None) is expected
        assert len(coefficients(found)) == len(X) + 1


def test_a_point_without_influence_where_a_residual_lies_on_a_kink() -> None:
    """One-sidedness is a matter of the residuals: both derivatives are 0, and nothing is solved."""
    X, third = [[0], [1], [3]], [CTX.mpf(1) / 3] * 3
    on = max(quotients.trial(CTX, X, KERNELS[0], rr.Quadratic(), [2], third).norms)
    found = rr.influence(CTX, X, KERNELS[0], rr.Hampel(on, on, "1.1"), third, [[50]])
    for side in (found, found.from_below):
        assert side.one_sided
        assert not any((*coefficients(side), *side.if_at_new, *side.if_l2_norm))
        assert side.condition == 1


def test_contamination_in_a_flat_valley_has_a_limit() -> None:
    """Two rows on the linear piece of the loss: J is constant between them, and Newton's matrix singular."""
    ctx = rr.make_context(2 * DIGITS)
    X = [[0, "-3.4375"], [0, "-7.9375"], [0, 8], ["-1.75", "7.0625"]]
    loss = rr.Hampel("0.015625", "0.65625", "0.84375")
    limit = rr.fixed_point(ctx, X, KERNELS[0], loss)
    moved = rr.contaminate(ctx, X, KERNELS[0], loss, limit.weights, "1e-12", [0, 0])
    assert [bool(weight) for weight in moved.weights] == [False, False, True, True, False]
    assert moved.fixed_point_residual <= tolerances.reference_bound(2 * DIGITS, 10)


def test_one_row_is_contaminated_by_its_share() -> None:
    found = rr.contaminate(CTX, [[2]], KERNELS[0], rr.Quadratic(), [1], "0.25", [3])
    assert_within(found.weights, ["0.75", "0.25"], BOUND, "weights")


@pytest.mark.parametrize("scale", ["1e-15", "1", "1e15"])
def test_coefficients_differ_in_proportion_to_the_largest(scale: str) -> None:
    one, other, same = (
        SimpleNamespace(alpha=[CTX.mpf(scale), CTX.mpf(scale) * share], condition=CTX.mpf(1))
        for share in (CTX.mpf(1) / 2, CTX.mpf(1) / 2 + CTX.mpf("1e-20"), CTX.mpf(1) / 2)
    )
    assert _differ(CTX, one, other)  # type: ignore[arg-type]
    assert not _differ(CTX, one, same)  # type: ignore[arg-type]


@pytest.mark.parametrize("norm", ["1e-9", "1e-3"])
@pytest.mark.parametrize(("share", "is_rounding"), [("0.9", True), ("1.1", False)])
def test_a_residual_that_moves_by_rounding_alone_is_on_either_side(
    monkeypatch: pytest.MonkeyPatch, norm: str, share: str, is_rounding: bool
) -> None:
    """A change is a sum of terms of at most 2 |alpha_i|/r, which round also where all alpha sum to 0."""
    point, location = SimpleNamespace(norms=[CTX.mpf(norm)]), SimpleNamespace(rows=(0,))
    candidate = SimpleNamespace(alpha=[CTX.mpf(1), CTX.mpf(2)], alpha_new=CTX.mpf(-3), condition=CTX.mpf(5))
    largest = rounding_level(CTX) * 5 * (1 + 2 + 3) / point.norms[0]
    for side, direction in product((-1, 1), repeat=2):
        change = -side * direction * CTX.mpf(share) * largest
        monkeypatch.setattr(one_sided, "norm_changes", lambda *_, change=change: [change])
        arguments: Any = (CTX, point, None, [location], (side,), direction, candidate, None)
        assert one_sided._is_consistent(*arguments) is is_rounding
