"""The bounds of a certificate far from the limit: the ball on which the curvature holds, and the weights."""

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

from rkde import fast, reference
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import certificate
from rkde.fast.solvers import certify as certify_fast
from rkde.fast.solvers.curvature import BallCurvature, enclose_residuals
from rkde.proofs_checks import tolerances
from rkde.reference import Gaussian, Hampel, Huber, fixed_point, make_context
from rkde.reference.numbers import unit_masses
from rkde.reference.rkhs import norms_from_distances
from rkde.reference.solvers.certificate import (
    FIRST_BALL,
    _distance_bound,
    _gap_bound,
    _gradient,
    _weights_bound,
)
from rkde.reference.solvers.certificate import certify as certify_exact
from rkde.reference.solvers.curvature import ball_curvature, enclose_norms, largest_eigenvalue_bound
from rkde.vocabulary import Certificate
from tests.support.compare import assert_relative

DIGITS: Final = 30
CTX: Final = make_context(DIGITS)
LINE: Final = [[0], ["0.5"], ["1.25"], [2], [6]]
BOUND: Final = tolerances.reference_bound(DIGITS, 10)


def distances_of(ctx: Any) -> Any:
    """Return |Phi(x) - Phi(y)|^2 in tau^2 for the Gaussian kernel of bandwidth 1."""
    places = [ctx.mpf(x) for (x,) in LINE]
    return tuple(tuple(2 * (1 - ctx.exp(-((x - y) ** 2) / 2)) for y in places) for x in places)


@pytest.mark.parametrize(
    ("loss", "moved"),
    [(Huber("0.3"), "0.03"), (Huber("0.6"), "0.1"), (Hampel("0.3", "0.8", "1.4"), "0.001")],
    ids=["huber", "near huber", "hampel"],
)
def test_the_bound_is_that_of_the_curvature_on_a_ball_that_holds_it(loss: Any, moved: str) -> None:
    """With gradient v and curvature m, v <= m E on the ball of radius E, and the margin is n m / gamma."""
    kernel, size = Gaussian(1), len(LINE)
    limit = fixed_point(CTX, LINE, kernel, loss).weights
    weights = tuple((1 - CTX.mpf(moved)) * weight + CTX.mpf(moved) / size for weight in limit)
    distances = distances_of(CTX)
    masses = unit_masses(CTX, size)
    norms = enclose_norms(CTX, distances, weights, norms_from_distances(CTX, distances, weights))
    gradient = _gradient(CTX, distances, loss, weights, norms, masses)
    slope = gradient.norm_bound
    bound, margin = _distance_bound(CTX, distances, loss, norms, gradient, masses)
    curvature = ball_curvature(CTX, distances, loss, norms, bound, masses)
    assert slope <= curvature / size * bound * (1 + CTX.mpf(BOUND))
    assert _gap_bound(gradient, bound) <= slope * bound
    assert_relative(margin * gradient.phi_sum * bound, slope * size, BOUND, "margin")
    # The first ball is large enough for one of them only.
    assert (bound <= FIRST_BALL * slope) == (moved == "0.1")


LOCATIONS: Final[dict[str, tuple[list[list[float]], list[float], Certificate | None]]] = {
    "the minimiser": ([[0.0], [0.0], [-1.0], [1.25]], [0.5, 0.5, 0.0, 0.0], Certificate.GLOBAL),
    "not the minimiser": ([[0.0], [1.0], [3.0]], [1.0, 0.0, 0.0], None),
    "far from it": ([[0.0], [3.0], [3.0], [3.25]], [1.0, 0.0, 0.0, 0.0], None),
    "hardly more than it": ([[0.0], [1.0], [3.0]], [1 - 1e-80, 1e-80, 0.0], None),
}


@pytest.mark.parametrize(("rows", "weights", "certificate"), LOCATIONS.values(), ids=LOCATIONS)
def test_a_location_with_all_weight_under_the_absolute_loss(
    rows: Any, weights: Any, certificate: Any
) -> None:
    exact = reference.distance_matrix(CTX, rows, Gaussian(1))
    for found in (
        certify_fast(DenseOperator(rows, fast.Gaussian(1.0)), fast.Absolute(), np.array(weights)),
        certify_exact(CTX, exact, reference.Absolute(), tuple(map(CTX.mpf, weights))),
    ):
        assert found.certificate is certificate
        assert (found.error_bound, found.weights_error_bound) == (
            (0, 0) if certificate else (math.inf, math.inf)
        )
        best = fast.median_rkde(rows, fast.Gaussian(1.0)).objective
        there = fast.objective(rows, fast.Gaussian(1.0), fast.Absolute(), weights)
        assert (found.gap == 0) if certificate else found.gap >= there - best


def test_a_row_may_be_at_the_estimate_where_its_norm_is_its_radius(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, weights, _ = LOCATIONS["the minimiser"]
    operator = DenseOperator(rows, fast.Gaussian(1.0))
    found = enclose_residuals(operator, np.array(weights))
    found = replace(found, radii=np.where(found.norms == 0, 0.0, found.radii))
    monkeypatch.setattr(certificate, "enclose_residuals", lambda *_: found)
    assert certify_fast(operator, fast.Absolute(), np.array(weights)).certificate is Certificate.GLOBAL


def test_nothing_is_proved_where_all_residuals_are_beyond_c() -> None:
    rows, ctx, parameters = [[0.0], [100.0]], make_context(DIGITS), (0.25, 0.5, 0.625)
    exact = reference.distance_matrix(ctx, rows, Gaussian(1))
    for found in (
        certify_fast(DenseOperator(rows, fast.Gaussian(1.0)), fast.Hampel(*parameters), np.full(2, 0.5)),
        certify_exact(ctx, exact, Hampel(*parameters), (ctx.mpf(1) / 2,) * 2),
    ):
        assert (found.certificate, found.error_bound, found.gap) == (None, math.inf, None)


def test_no_curvature_is_claimed_on_a_kink() -> None:
    operator = DenseOperator([[0.0], [3.0]], fast.Gaussian(1.0))
    a = float(operator.residual_norms(np.full(2, 0.5))[0])
    found = certify_fast(operator, fast.Hampel(a, 2 * a, 3 * a), np.full(2, 0.5))
    assert (found.certificate, found.error_bound) == (Certificate.STATIONARY, math.inf)


@pytest.mark.parametrize(
    ("loss", "moved"),
    [(("Huber", (0.25,)), 0.03), (("Huber", (0.625,)), 0.1), (("Hampel", (0.3125, 0.75, 1.375)), 0.001)],
    ids=str,
)
def test_the_fast_bound_on_weights_is_no_smaller_than_what_its_distance_allows(
    loss: Any, moved: float
) -> None:
    """It is the reference's for this distance, by which norms may fall or rise, and rounding."""
    name, parameters = loss
    X = [[float(x)] for (x,) in LINE]
    fast_loss, exact_loss = getattr(fast, name)(*parameters), getattr(reference, name)(*parameters)
    limit = fast.fixed_point(X, fast.Gaussian(1.0), fast_loss).weights
    weights = (1 - moved) * limit + moved / len(LINE)
    found = certify_fast(DenseOperator(X, fast.Gaussian(1.0)), fast_loss, weights)
    distances, masses = distances_of(CTX), unit_masses(CTX, len(LINE))
    exact = tuple(map(CTX.mpf, weights.tolist()))
    norms = enclose_norms(CTX, distances, exact, norms_from_distances(CTX, distances, exact))
    gradient = _gradient(CTX, distances, exact_loss, exact, norms, masses)
    distance = CTX.mpf(found.error_bound)
    wanted = _weights_bound(CTX, exact_loss, norms, gradient, exact, distance, masses)
    assert 0 < wanted <= found.weights_error_bound


def test_an_eigenvalue_is_bounded_though_the_power_method_starts_in_the_null_space() -> None:
    ctx = make_context(DIGITS)
    # The eigenvalues are 0, with the eigenvector (1, 2), and 5.
    gram = [[ctx.mpf(4), ctx.mpf(-2)], [ctx.mpf(-2), ctx.mpf(1)]]
    bound = largest_eigenvalue_bound(ctx, gram, ctx.mpf(6))
    assert bound is not None
    assert 5 <= bound < 6


def test_the_curvature_falls_with_the_radius_as_stated() -> None:
    """Where the pieces stay the same, by 2/sqrt(3) A radius / (r (r - radius)) for each row that turns."""
    X, kernel, loss = [[float(x)] for (x,) in LINE], fast.Gaussian(3.0), fast.Huber(0.05)
    residuals = enclose_residuals(DenseOperator(X, kernel), fast.fixed_point(X, kernel, loss).weights)
    norms = residuals.norms
    around = BallCurvature(DenseOperator(X, kernel), loss, residuals)
    for radius in (norms.min() - loss.a) / np.array([2, 4, 8]):
        stated = 2 / math.sqrt(3) * float((loss.a * radius / (norms * (norms - radius))).sum())
        fall = around.lower_bound(0.0) - around.lower_bound(radius)
        assert stated / 2 < fall < stated * 2


def test_the_error_of_a_product_widens_the_fall_towards_a_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of |c|'(r^2 + max r^2) the relative error is a part of <V, Phi_j - f>, with c = phi - sum phi w."""
    operator = DenseOperator([[float(x)] for (x,) in LINE], fast.Gaussian(1.0))
    loss, weights, more = fast.Huber(0.3), np.array([0.0, 0.0, 0.0, 0.0, 1.0]), 2.0**-10
    residuals = enclose_residuals(operator, weights)
    before = certificate._gradient(operator, loss, weights, residuals).frank_wolfe
    monkeypatch.setattr(operator, "relative_error", operator.relative_error + more)
    after = certificate._gradient(operator, loss, weights, residuals).frank_wolfe
    phi, squares = loss.phi(residuals.norms), residuals.norms**2
    spread = float(np.abs(phi - phi.sum() * weights) @ (squares + squares.max()))
    assert spread > 1
    assert after - before >= more * spread / len(weights)


def test_the_error_of_a_product_widens_the_bound_on_the_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products that are off by their relative error, each the worse way, make |V| no smaller than it is."""
    operator = DenseOperator([[float(x)] for (x,) in LINE], fast.Gaussian(1.0))
    loss, weights, more = fast.Huber(0.3), np.full(len(LINE), 1 / len(LINE)), 2.0**-10
    residuals = enclose_residuals(operator, weights)
    right = certificate._gradient(operator, loss, weights, residuals).norm_bound
    exact = operator.proved_product
    monkeypatch.setattr(operator, "relative_error", operator.relative_error + more)
    monkeypatch.setattr(
        operator, "proved_product", lambda c: exact(c) + more * np.sign(c) * operator.product(np.abs(c))
    )
    assert certificate._gradient(operator, loss, weights, residuals).norm_bound >= right
