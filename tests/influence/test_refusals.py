"""What `influence` and its companions refuse, and with which error."""

import math
from typing import Any, Final

import pytest

import rkde.fast as rk
import rkde.reference as rr
from rkde.errors import DegenerateThresholds, InvalidInput, NotDifferentiable, SingularSystem
from rkde.proofs_checks import tolerances
from rkde.vocabulary import MAX_KINKED_LOCATIONS
from tests.support.implementations import Implementation

KERNEL: Final = rr.Gaussian(1)
LINE: Final = [[0], [1], [3]]
NEAR: Final = tolerances.contracting_path_bound()
CTX: Final = rr.make_context(30)
THIRD: Final = [CTX.mpf(1) / 3] * 3


@pytest.mark.parametrize("shift", ["1.1e-6", "0.1"])
def test_weights_that_are_no_fixed_point(shift: str) -> None:
    weights = THIRD
    moved = [weights[0] + CTX.mpf(shift) / 3, weights[1] - CTX.mpf(shift) / 3, weights[2]]
    with pytest.raises(InvalidInput, match="fixed point"):
        rr.influence(CTX, LINE, KERNEL, rr.Quadratic(), moved, [[2]])


def test_weights_that_are_nearly_a_fixed_point_are_taken_as_they_are() -> None:
    weights = THIRD
    moved = [weights[0] + CTX.mpf("2e-7"), weights[1] - CTX.mpf("2e-7"), weights[2]]
    found = rr.influence(CTX, LINE, KERNEL, rr.Quadratic(), moved, [[2]])
    # alpha = -w for the quadratic loss: the given weights, not 1/3.
    gaps = [abs(entry + weight) for entry, weight in zip(found.if_coef[0], moved, strict=True)]
    assert max(gaps) < CTX.mpf(2) ** -80


@pytest.mark.parametrize(("x_new", "queries"), [([[2, 3]], None), ([[2]], [[1, 2]]), (2, None), ([[2]], 1)])
def test_bad_points(x_new: Any, queries: Any) -> None:
    with pytest.raises(InvalidInput):
        rr.influence(CTX, LINE, KERNEL, rr.Quadratic(), THIRD, x_new, queries)


def test_absolute_loss_at_a_data_location() -> None:
    heavy = [[0], [0], [0], [1], [3]]
    limit = rr.fixed_point(CTX, heavy, KERNEL, rr.Absolute())
    for x_new in (0, 5):
        with pytest.raises(NotDifferentiable):
            rr.influence(CTX, heavy, KERNEL, rr.Absolute(), limit.weights, [[x_new]])
    for single in ([[0]], [[0], [0]]):
        with pytest.raises(NotDifferentiable):
            rr.influence(CTX, single, KERNEL, rr.Absolute(), [CTX.mpf(1) / len(single)] * len(single), [[1]])


@pytest.mark.parametrize("weights", [[0.5, 0.5], ["0.3", "0.7"]])
def test_two_rows_without_a_unique_minimiser(weights: list[Any]) -> None:
    """J is constant between two rows beyond Huber's a, and for the absolute loss everywhere."""
    for loss in (rr.Huber("0.1"), rr.Absolute()):
        with pytest.raises(SingularSystem):
            rr.influence(CTX, [[0], [3]], KERNEL, loss, weights, [[1]])


def test_many_residuals_on_one_kink(implementation: Implementation) -> None:
    kernel = implementation.get("Gaussian")(1.0)
    for count in (MAX_KINKED_LOCATIONS + 1, 4):
        angles = [2 * math.pi * index / count for index in range(count)]
        X, uniform = [[math.cos(angle), math.sin(angle)] for angle in angles], [1 / count] * count
        loss = implementation.get("Huber")(implementation.call("residual_norms", X, kernel, uniform)[0])
        arguments = (X, kernel, loss, uniform, [[2.0, 0.0]])
        if count == 4:
            assert implementation.call("influence", *arguments).one_sided
        else:
            with pytest.raises(NotDifferentiable, match="9 locations have residuals on kinks"):
                implementation.call("influence", *arguments)


def test_sides_for_which_the_system_is_singular(implementation: Implementation) -> None:
    """Two residuals on a, beyond which J is flat between the rows: the other sides decide, if J is convex."""
    pair, kernel = [[0.0], [3.0]], implementation.get("Gaussian")(1)
    half = [implementation.number(1) / 2] * 2
    a = implementation.call("residual_norms", pair, kernel, half)[0]
    found = implementation.call("influence", pair, kernel, implementation.get("Huber")(a), half, [[1.5]])
    assert found.one_sided
    # Halfway the weights of both fall alike, and phi(r') is a/r'.
    assert abs(found.if_coef[0][0] - found.if_coef[0][1]) <= NEAR * found.if_coef_new[0]
    assert abs(sum(found.if_coef[0]) + found.if_coef_new[0]) <= NEAR * found.if_coef_new[0]
    with pytest.raises(SingularSystem, match=r"singular for (one|a) choice of sides"):
        implementation.call(
            "influence", pair, kernel, implementation.get("Hampel")(a, 2 * a, 3 * a), half, [[1.5]]
        )


def test_a_residual_on_a_beside_a_flat_valley(implementation: Implementation) -> None:
    """J is flat between the rows beyond a, and from one side the residual at a moves there."""
    pair, kernel = [[0.0], [3.0]], implementation.get("Gaussian")(1)
    weights = [implementation.number("0.75"), implementation.number("0.25")]
    a = min(implementation.call("residual_norms", pair, kernel, weights))
    with pytest.raises(SingularSystem, match="no choice of sides agrees"):
        implementation.call("influence", pair, kernel, implementation.get("Huber")(a), weights, [[1.0]])


def test_a_point_at_f_itself_to_rounding() -> None:
    square = [[-1e-9, 0.0], [1e-9, 0.0], [0.0, 1e-9], [0.0, -1e-9]]
    with pytest.raises(NotDifferentiable, match="x_new: a residual is 0"):
        rk.influence(square, rk.Gaussian(1.0), rk.Absolute(), [0.25] * 4, [[0.0, 0.0]])


def test_a_location_that_just_holds_the_median(implementation: Implementation) -> None:
    """Eight rows in directions at 60 degrees to each other: |R|^2 = 8 + 8 * 7 / 2 = 6^2."""
    unit = [[float(i == j) for j in range(9)] for i in range(9)]
    X, kernel = [unit[0]] * 6 + unit[1:], implementation.get("Gaussian")(1)
    # The reference takes only a location that is proved to hold f_med, and else comes as close as it can.
    kind = NotDifferentiable if implementation.context is None else SingularSystem
    with pytest.raises(kind):
        implementation.call("influence_total", X, kernel, [unit[1]], loss="huber")


def test_a_residual_on_two_thresholds_that_move_apart(implementation: Implementation) -> None:
    X, kernel = [[-1.0], [1.0], [0.25], [3.0], [3.25], [0.375], [0.875]], implementation.get("Gaussian")(1)
    # At this level of a = b the second row's residual lies there.
    level = 0.131369958864
    with pytest.raises(NotDifferentiable, match="quantiles must differ"):
        implementation.call("influence_total", X, kernel, [[2.0]], quantiles=(level, level, 0.9))


def test_thresholds_that_the_recipe_refuses() -> None:
    with pytest.raises(DegenerateThresholds, match="a = 0"):
        rr.influence_total(CTX, [[0], [0], [0], [5]], KERNEL, [[1]])
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    with pytest.raises(DegenerateThresholds, match="no descending part"):
        rr.influence_total(CTX, square, KERNEL, [[2, 0]])


def test_a_residual_on_two_thresholds_has_no_influence() -> None:
    """At this level of both quantiles the second row's residual norm in the limit is a = b."""
    levels = (0.34636833199616957,) * 2 + (0.9,)
    X = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [4.0]]
    with pytest.raises(NotDifferentiable, match=r"^quantiles must differ, .* got equal thresholds; pass "):
        rk.influence_total(X, rk.Gaussian(1.0), [[2.0]], loss=rk.Hampel, quantiles=levels)
