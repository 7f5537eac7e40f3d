"""Worked examples of section 5: kinks, a singular system, a large influence, dependent points."""

from typing import Any, Final

import pytest

import rkde.reference as reference
from rkde.errors import SingularSystem
from rkde.proofs_checks import quotients, tolerances
from tests.influence.subjects import CTX, accuracy, coefficients, norm
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import Implementation, rows

THREE: Final = [[0.0], [1.0], [3.0]]
PAIR: Final = [["-1.2"], ["0"], ["1.2"]]
SINGULAR_C: Final = "1.2726045469299931"


def estimate(implementation: Implementation, X: Any, loss: Any, x_new: Any, start: Any = None) -> Any:
    """Return the weights and the influence of one point, at the limit from a start."""
    kernel = implementation.get("Gaussian")(1)
    limit = implementation.call("fixed_point", X, kernel, loss, weights_init=start)
    return limit, implementation.call("influence", X, kernel, loss, limit.weights, [x_new])


@pytest.mark.parametrize(
    ("x_new", "above", "below"),
    [
        (0.5, ("-0.2336257544", "-0.2336257544", "-0.5327484912"), ("-1/3", "-1/3", "-1/3")),
        (2.5, ("-1/3", "-1/3", "-1/3"), ("-0.4655099055", "-0.4655099055", "-0.0689801889")),
    ],
)
def test_the_side_depends_on_the_contaminating_point(
    implementation: Implementation, x_new: float, above: Any, below: Any
) -> None:
    """Put a on the largest residual of the KDE: neither value of psi' there is right for both points."""
    third = [implementation.number(1) / 3] * 3
    residuals = implementation.call("residual_norms", THREE, implementation.get("Gaussian")(1), third)
    loss = implementation.get("Huber")(max(residuals))
    kernel = implementation.get("Gaussian")(1)
    found = implementation.call("influence", THREE, kernel, loss, third, [[x_new]])
    assert found.one_sided
    assert found.from_below.one_sided
    assert found.from_below.from_below is None
    for side, expected in ((found, above), (found.from_below, below)):
        values = [-CTX.mpf(1) / 3 if text == "-1/3" else CTX.mpf(text) for text in expected]
        assert_within(side.if_coef[0], values, tolerances.printed_digits(10), "alpha")
        assert_relative(side.if_coef_new[0], 1, accuracy(implementation), "alpha'")


def test_hampel_has_a_singular_system(implementation: Implementation) -> None:
    X = rows([[float(cell) for cell in row] for row in PAIR]) if implementation.context is None else PAIR
    loss = implementation.get("Hampel")(*map(implementation.number, ("0.55", "0.58", SINGULAR_C)))
    third = [implementation.number(1) / 3] * 3
    with pytest.raises(SingularSystem, match="singular"):
        estimate(implementation, X, loss, [-2], third)


def test_the_influence_grows_like_the_reciprocal_of_the_distance() -> None:
    kernel = reference.Gaussian(1)
    third = [CTX.mpf(1) / 3] * 3
    products = []
    for gap in ("1e-4", "1e-6"):
        loss = reference.Hampel("0.55", "0.58", CTX.mpf(SINGULAR_C) + CTX.mpf(gap))
        of = quotients.trial(CTX, PAIR, kernel, loss, [-2], third)
        size = norm(CTX, [*PAIR, [-2]], coefficients(of.found), kernel)
        products.append(size * CTX.mpf(gap))
    # The limit of norm times distance is printed to one digit and a half.
    assert_within(products[-1], products[0], tolerances.printed_digits(2), "0.17")
    assert_relative(products[-1], "0.164", tolerances.printed_digits(1), "residue")


def test_the_influence_of_an_outlier_may_exceed_the_kdes(implementation: Implementation) -> None:
    """Hold the numbers of two estimates against each other, near the singular system."""
    reference_kernel = reference.Gaussian(1)
    X = [[float(cell) for cell in row] for row in PAIR] if implementation.context is None else PAIR
    third = [implementation.number(1) / 3] * 3
    loss = implementation.get("Hampel")(*map(implementation.number, ("0.55", "0.58", "1.2826045469299931")))
    robust = estimate(implementation, X, loss, [-2], third)[1]
    plain = estimate(implementation, X, implementation.get("Quadratic")(), [-2], third)[1]
    assert_within(robust.if_coef_new[0], "0.246", tolerances.printed_digits(3), "alpha'")
    for found, in_h, l2_norm, at_new in ((robust, "16.58", "14.95", "8.83"), (plain, "0.99", "0.91", "0.71")):
        size = norm(CTX, [*PAIR, [-2]], coefficients(found), reference_kernel)
        assert_within(size, in_h, tolerances.printed_digits(2), "norm in H")
        assert_within(found.if_l2_norm[0], l2_norm, tolerances.printed_digits(2), "L2 norm")
        assert_within(found.if_at_new[0], at_new, tolerances.printed_digits(2), "IF(x', x')")


@pytest.mark.parametrize("x_new", [[1.0], [3.0]])
def test_the_contaminating_point_may_be_a_row(x_new: list[float]) -> None:
    for loss in (reference.Huber("0.6"), reference.Hampel("0.5", "0.75", "1.1")):
        of = quotients.trial(CTX, [*THREE, THREE[1]], reference.Gaussian(1), loss, x_new)
        entries = quotients.table(CTX, of, quotients.TWO_SHARES)
        assert quotients.is_first_order(entries)


def test_moving_thresholds_change_the_influence() -> None:
    """Compare with Theorem 5: on six rows by 8 percent, on three rows by 61."""
    kernel = reference.Gaussian(1)
    for X, x_new, printed in (
        ([[-2], [-1], [0], [0.5], [1.5], [4]], [0.7], "0.0793"),
        (THREE, [2], "0.6108"),
    ):
        total = reference.influence_total(CTX, X, kernel, [x_new], loss=reference.Huber)
        median = reference.median_rkde(CTX, X, kernel)
        loss = reference.Huber(reference.thresholds(CTX, median.residual_norms)[0])
        fixed = quotients.trial(CTX, X, kernel, loss, x_new).found
        slopes = coefficients(total), coefficients(fixed)
        gap = [left - right for left, right in zip(*slopes, strict=True)]
        share = norm(CTX, [*X, x_new], gap, kernel) / norm(CTX, [*X, x_new], slopes[1], kernel)
        assert_within(share, printed, tolerances.printed_digits(4), "share")


def test_a_less_inlying_point_may_weigh_more_than_one(implementation: Implementation) -> None:
    """Take x' = 2 with a larger residual and a lower density than the rows have on average."""
    limit, found = estimate(implementation, THREE, implementation.get("Huber")(0.8), [2])
    kernel = implementation.get("Gaussian")(1)
    extended = [*limit.weights, implementation.number(0)]
    norms = implementation.call("residual_norms", [*THREE, [2.0]], kernel, extended)
    density = implementation.call("log_density", THREE, kernel, limit.weights, [*THREE, [2.0]])
    assert norms[3] > sum(limit.residual_norms) / 3
    assert density[3] < sum(density[:3]) / 3
    assert_within(found.if_coef_new[0], "1.0339", tolerances.printed_digits(4), "alpha'")
