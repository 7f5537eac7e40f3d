"""What a certificate adds for rounding is no less than the roundings that can be counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from rkde.fast import Gaussian, Hampel, Huber, Quadratic, fixed_point
from rkde.fast._float64 import UNIT_ROUNDOFF
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import certificate, curvature, resultant
from rkde.proofs_checks.tolerances import sum_bound
from rkde.reference import make_context
from rkde.reference.solvers.curvature import negative_direction
from rkde.vocabulary import Stationarity
from tests.support.compare import assert_relative

LINE = np.array([[0.0], [0.5], [1.25], [2.0], [6.0]])
PAIRS = np.array([[-2.1], [-1.9], [1.9], [2.1]])


@pytest.mark.parametrize("moved", [0.0, 0.5, 1.0])
def test_squared_norms_are_off_by_both_terms(moved: float) -> None:
    """r^2 = (D w)_i - w'D w / 2: an error relative to each, and the roundings of the difference and of w."""
    weights = moved * np.eye(5)[4] + (1 - moved) / 5
    operator = DenseOperator(LINE, Gaussian(1.0))
    found = curvature.enclose_residuals(operator, weights)
    terms = found.product + float(weights @ found.product) / 2
    assert (found.squared_radii >= (operator.relative_error + sum_bound(4)) * terms).all()
    # The root is rounded, and so is an end, norm - radius or norm + radius.
    counted = found.squared_radii + sum_bound(2) * found.norms**2
    assert ((found.radii * found.norms >= counted) | (found.norms == 0)).all()


def test_squared_norms_near_a_row_are_off_by_what_their_distances_from_it_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operator = DenseOperator(np.array([[0.0], [2.0**-20], [2.0]]), Gaussian(1.0))
    frame, all_there, many = curvature.local_frame(operator, 0), np.array([1.0, 0.0, 0.0]), 2**20
    right, _ = frame.enclose(operator, all_there)
    monkeypatch.setattr(operator, "_distance_roundings", many)
    longer = replace(frame, squares=frame.squares * (1 + sum_bound(many)))
    found, errors = longer.enclose(operator, all_there)
    assert right[1] > 0
    assert (np.abs(found - right) <= errors).all()


def test_the_fall_towards_a_vertex_counts_the_roundings_of_the_coefficients() -> None:
    """At the mean phi_i - g w_i is 0; phi_i is off by eight roundings, g w_i and the difference by one."""
    loss, weights = Quadratic(), np.full(5, 1 / 5)
    operator = DenseOperator(LINE, Gaussian(1.0))
    residuals = curvature.enclose_residuals(operator, weights)
    found = certificate._gradient(operator, loss, weights, residuals)
    pulled = found.phi_sum * weights
    rounding = sum_bound(8) * found.phi + sum_bound(1) * (found.phi + 2 * pulled)
    fall = found.farthest * float(rounding @ residuals.norms) / len(LINE)
    assert found.frank_wolfe >= fall * (1 - sum_bound(16))


def test_a_negative_curvature_counts_that_its_coefficients_are_rounded_up() -> None:
    loss = Hampel(0.3, 0.6, 1.2)
    weights = np.full(4, 1 / 4)
    operator = DenseOperator(PAIRS, Gaussian(1.0))
    residuals = curvature.enclose_residuals(operator, weights)
    gradient = certificate._gradient(operator, loss, weights, residuals)
    found = certificate._negative_curvature(operator, loss, residuals, gradient)
    pieces = curvature.pieces_on_ball(loss, residuals, UNIT_ROUNDOFF)
    gram = curvature.weighted_gram(operator, residuals, pieces.projection)
    # q / r by what r may be smaller, and by the roundings of both.
    active = pieces.projection > 0
    share = float((residuals.radii / residuals.norms)[active].max()) + sum_bound(4)
    error = curvature.gram_error(residuals, pieces.projection, operator.distance_roundings) + share * float(
        np.linalg.norm(gram)
    )
    largest = curvature.eigenvalue_lower_bound(gram) - error
    assert found < 0
    total = gradient.phi_sum + gradient.phi_sum_error
    assert found * gradient.phi_sum >= (total - largest) * (1 + sum_bound(2))


@pytest.mark.parametrize(("ceiling", "order"), [(1e-3, 1), (1e3, 1), (1e-3, 40), (1e3, 40)])
def test_a_proved_eigenvalue_counts_the_roundings_of_the_factorization(ceiling: float, order: int) -> None:
    """Rump 2006: the trace of the matrix that is factored times gamma_(m + 1), m its order.

    Its diagonal and the bound itself are rounded too.
    """
    trial = curvature.TRIAL_SHARE * ceiling
    found = curvature.eigenvalue_upper_bound(np.zeros((order, order)), ceiling)
    assert found >= trial + trial * (order * sum_bound(order + 1) + sum_bound(2))


def test_a_proved_eigenvalue_counts_what_underflow_may_take() -> None:
    order, trial = 3, 2.0**-1000
    found = curvature.eigenvalue_upper_bound(np.zeros((order, order)), trial / curvature.TRIAL_SHARE)
    assert found >= trial + order * curvature.TINY_SHIFT


def test_a_proved_lower_eigenvalue_counts_the_roundings_of_the_quotient() -> None:
    """Two sums of m terms in v'Gv, one in v'v, all relative to |G|; here the quotient itself is exact."""
    order = 40
    gram = np.diag(np.append(1.0, np.zeros(order - 1)))
    assert curvature.eigenvalue_lower_bound(gram) <= 1 - sum_bound(3 * order + 1)


def test_the_fall_of_the_curvature_counts_the_roundings_of_its_terms() -> None:
    """Four in A radius / (r (r - radius)), one in the sum, three in 2 / sqrt 3 and the product with it."""
    loss, nothing = Huber(1 / 4), np.zeros(2)
    residuals = curvature.ResidualEnclosure(np.ones(2), nothing, nothing, nothing)
    around = curvature.BallCurvature(DenseOperator([[0.0], [3.0]], Gaussian(1.0)), loss, residuals)
    radius = 1 - 2.0**-6
    stated = curvature.PROJECTION_LIPSCHITZ * 2 * loss.a * radius / (1 - radius)
    assert around.lower_bound(0.0) - around.lower_bound(radius) >= stated * (1 + sum_bound(8))


def test_a_gram_matrix_is_off_by_what_its_squared_norms_may_be() -> None:
    """Near f a row far off has a squared norm as uncertain as it is large, which all rows near f share."""
    operator = DenseOperator([[0.0], [2.0**-7], [6.0]], Gaussian(1.0))
    residuals = curvature.enclose_residuals(operator, np.array([1.0, 0.0, 0.0]))
    projection = np.array([0.0, 1.0, 1.0])
    moved = replace(residuals, norms=np.sqrt(residuals.norms**2 + [0, 0, residuals.squared_radii[2]]))
    grams = [curvature.weighted_gram(operator, each, projection) for each in (residuals, moved)]
    error = curvature.gram_error(residuals, projection, operator.distance_roundings)
    assert 0 < np.linalg.norm(grams[1] - grams[0]) <= error


@pytest.mark.parametrize("other", [2.0, -2.0])
def test_a_resultant_counts_the_roundings_of_both_terms_of_the_far_rows(other: float) -> None:
    """Its square is (sum v)(sum v |u|^2) - v'D v / 2 over these, beside what includes the near rows."""
    X = np.array([[0.0], [2.0**-20], *[[2.0]] * 20, *[[other]] * 20])
    operator = DenseOperator(X, Gaussian(1.0))
    frame = curvature.local_frame(operator, 0)
    inverse_norms = np.append(0.0, 1 / np.sqrt(operator.row(0)[1:]))
    far = np.append([0.0, 0.0], inverse_norms[2:])
    spread = far.sum() * (far @ operator.row(0))
    among = far @ operator.product(far) / 2
    # Far rows at one place are at no distance from each other.
    assert spread > among >= (0 if other > 0 else 100)
    square, found = frame.resultant(operator, inverse_norms)
    vertex = resultant(operator, 0)
    assert abs(square - vertex.square) <= found + vertex.slack
    assert found >= (operator.relative_error + sum_bound(2 * len(X))) * (spread + among)


def test_the_level_of_a_limit_counts_a_rounding_a_row_a_coordinate_and_32_more() -> None:
    """Each moves r^2 by a unit of its terms, phi(r) by |q(r)| / (2 r^3) times that, and a weight itself."""
    loss, operator = Huber(0.3), DenseOperator(LINE, Gaussian(1.0))
    limit = fixed_point(LINE, operator.kernel, loss)
    norms, terms = operator.residuals(limit.weights)
    move = float((-loss.q(norms) / (2 * norms**3) * terms / loss.phi(norms).max()).max())
    counted = (len(LINE) + 1 + 32) * UNIT_ROUNDOFF * (1 + move)
    assert isinstance(limit.stop, Stationarity)
    assert_relative(limit.stop.tol, counted, sum_bound(16), "level")


def test_the_form_at_a_negative_direction_is_the_pivot() -> None:
    """Of 2 I - G, whose pivots are 1, 1 and -1."""
    form = np.array([[1, 1, 0], [1, 2, 1], [0, 1, 0]])
    direction = np.array(negative_direction(make_context(20), (2 * np.eye(3) - form).tolist(), 2))
    assert direction @ form @ direction == -1
