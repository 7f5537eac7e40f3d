"""The derivative of the whole recipe, against difference quotients of the recipe."""

from collections.abc import Sequence
from typing import Any, Final

import pytest

import rkde.reference as rr
from rkde.proofs_checks import tolerances
from tests.influence.subjects import coefficients, norm
from tests.support.compare import assert_within

DIGITS: Final = 50
CTX: Final = rr.make_context(DIGITS)
SIX: Final = [[-2], [-1], [0], [0.5], [1.5], [4]]
SEVEN: Final = [[-1], [1], [0.25], [3], [3.25], [0.375], [0.875]]
SQUARE: Final = [[0, 0], [0, 1], [1, 0], [1, 1]]
PAIRS: Final = [[-4], [-2], [-1], [1], [2], [4]]
# Two residuals between b and c; and, for pairs, a as one of two equal norms, at which no residual lies.
RAMP: Final = {"quantiles": ("0.2", "0.4", "0.9")}
ONE_OF_A_PAIR: Final = {"quantiles": ("0.4", "0.6", "0.9")}
CASES: Final = [
    pytest.param(rr.Gaussian(1), rr.Huber, SIX, [0.75], {}, id="huber"),
    pytest.param(rr.Laplacian(1), rr.Huber, SIX, [9], {}, id="far"),
    pytest.param(rr.Gaussian(1), rr.Hampel, SIX, [0.75], {}, id="hampel"),
    pytest.param(rr.Gaussian(1), rr.Hampel, SIX, [9], {}, id="beyond-c"),
    pytest.param(rr.Student(1, 3), rr.Hampel, SEVEN, [2], {"quantile_rule": "hazen"}, id="hazen"),
    pytest.param(rr.Gaussian(1), rr.Hampel, SEVEN, [2], {"quantiles": ("0.3", "0.6", "0.9")}, id="quantiles"),
    pytest.param(rr.Gaussian(1), rr.Huber, SQUARE, [2, 0], {}, id="equal-norms"),
    pytest.param(rr.Gaussian(1), rr.Hampel, SIX, [0.75], RAMP, marks=pytest.mark.slow, id="ramp"),
    pytest.param(
        rr.Gaussian(1), rr.Huber, PAIRS, [3], ONE_OF_A_PAIR, marks=pytest.mark.slow, id="one of a pair"
    ),
]


def built(loss: Any, abc: Sequence[Any]) -> Any:
    return rr.Hampel(*abc) if loss is rr.Hampel else rr.Huber(abc[0])


def quotient(ctx: Any, kernel: Any, loss: Any, X: Any, x_new: Any, share: Any, options: Any) -> list[Any]:
    """Run the recipe on F_n and on (1 - s) F_n + s delta_x', quantiles over the rows of X."""
    median = rr.median_rkde(ctx, X, kernel)
    before = built(loss, rr.thresholds(ctx, median.residual_norms, **options))
    limit = rr.fixed_point(ctx, X, kernel, before, weights_init=median.weights)
    moved = rr.contaminate(ctx, X, kernel, rr.Absolute(), median.weights, share, x_new)
    after = built(loss, rr.thresholds(ctx, moved.residual_norms[:-1], **options))
    weights = rr.contaminate(ctx, X, kernel, after, limit.weights, share, x_new).weights
    return [(new - old) / share for new, old in zip(weights, [*limit.weights, 0], strict=True)]


@pytest.mark.parametrize(("kernel", "loss", "X", "x_new", "options"), CASES)
def test_quotients_of_the_recipe(kernel: Any, loss: Any, X: Any, x_new: Any, options: Any) -> None:
    found = rr.influence_total(CTX, X, kernel, [x_new], loss=loss, **options)
    for side, sign in ((found, 1), (found.from_below, -1)):
        if side is None:
            continue
        ratios = []
        for share in (sign * CTX.mpf("1e-5"), sign * CTX.mpf("1e-6")):
            steps = quotient(CTX, kernel, loss, X, x_new, share, options)
            gap = [step - slope for step, slope in zip(steps, coefficients(side), strict=True)]
            ratios.append(norm(CTX, [*X, x_new], gap, kernel) / abs(share))
        band = tolerances.first_order_band()
        assert_within(ratios[0], ratios[1], band * float(ratios[1]), "error/s")


@pytest.mark.parametrize(
    ("X", "x_new", "options"),
    [(SQUARE, [2, 0], {}), pytest.param(PAIRS, [3], ONE_OF_A_PAIR, marks=pytest.mark.slow)],
    ids=["four", "two"],
)
def test_equal_norms_make_it_one_sided(X: Any, x_new: Any, options: Any) -> None:
    """The quantile of equal norms goes with one of them from above, with another from below."""
    found = rr.influence_total(CTX, X, rr.Gaussian(1), [x_new], loss=rr.Huber, **options)
    assert found.one_sided
    sides = coefficients(found), coefficients(found.from_below)
    assert max(abs(up - down) for up, down in zip(*sides, strict=True)) > abs(sides[0][-1]) / 100


def test_a_data_location_that_holds_the_median() -> None:
    """f_med does not move, nor do the thresholds: the total influence is Theorem 5's."""
    X, kernel = [[0], [0], [-1], [1.25]], rr.Gaussian(1)
    median = rr.median_rkde(CTX, X, kernel)
    assert not min(median.residual_norms)
    abc = rr.thresholds(CTX, median.residual_norms)
    loss = rr.Huber(abc[0])
    limit = rr.fixed_point(CTX, X, kernel, loss, weights_init=median.weights)
    fixed = rr.influence(CTX, X, kernel, loss, limit.weights, [[2]])
    total = rr.influence_total(CTX, X, kernel, [[2]], loss=rr.Huber)
    bound = tolerances.reference_bound(DIGITS, len(X))
    assert_within(coefficients(total), coefficients(fixed), bound, "alpha")


@pytest.mark.parametrize("loss", [rr.Quadratic, rr.Absolute], ids=lambda loss: loss.name)
def test_losses_without_thresholds(loss: Any) -> None:
    kernel = rr.Gaussian(1)
    weights = rr.fixed_point(CTX, SIX, kernel, loss()).weights
    fixed = rr.influence(CTX, SIX, kernel, loss(), weights, [[2]])
    total = rr.influence_total(CTX, SIX, kernel, [[2]], loss=loss)
    bound = tolerances.reference_bound(DIGITS, len(SIX))
    assert_within(coefficients(total), coefficients(fixed), bound, "alpha")
