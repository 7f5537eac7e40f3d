"""The reference's bound on the distance to a limit lies in the ball on which the curvature was bounded."""

from __future__ import annotations

from typing import Any, Final

import pytest

from rkde.proofs_checks import tolerances
from rkde.reference import Gaussian, Hampel, Huber, fixed_point, make_context
from rkde.reference.numbers import unit_masses
from rkde.reference.rkhs import norms_from_distances
from rkde.reference.solvers.certificate import FIRST_BALL, _distance_bound, _gradient
from rkde.reference.solvers.curvature import ball_curvature, enclose_norms
from tests.support.compare import assert_relative

DIGITS: Final = 30
LINE: Final = [[0], ["0.5"], ["1.25"], [2], [6]]
BOUND: Final = tolerances.reference_bound(DIGITS, 10)


@pytest.mark.parametrize(
    ("loss", "moved"),
    [(Huber("0.3"), "0.03"), (Huber("0.6"), "0.1"), (Hampel("0.3", "0.8", "1.4"), "0.001")],
    ids=["huber", "near huber", "hampel"],
)
def test_the_bound_is_that_of_the_curvature_on_a_ball_that_holds_it(loss: Any, moved: str) -> None:
    """With gradient v and curvature m, v <= m E on the ball of radius E, and the margin is n m / gamma."""
    ctx = make_context(DIGITS)
    kernel, size = Gaussian(1), len(LINE)
    limit = fixed_point(ctx, LINE, kernel, loss).weights
    weights = tuple((1 - ctx.mpf(moved)) * weight + ctx.mpf(moved) / size for weight in limit)
    places = [ctx.mpf(x) for (x,) in LINE]
    distances = tuple(tuple(2 * (1 - ctx.exp(-((x - y) ** 2) / 2)) for y in places) for x in places)
    masses = unit_masses(ctx, size)
    norms = enclose_norms(ctx, distances, weights, norms_from_distances(ctx, distances, weights))
    gradient = _gradient(ctx, distances, loss, weights, norms, masses)
    assert gradient is not None
    slope = gradient.norm_bound
    bound, margin = _distance_bound(ctx, distances, loss, norms, gradient, masses)
    curvature = ball_curvature(ctx, distances, loss, norms, bound, masses)
    assert curvature is not None
    assert slope <= curvature / size * bound * (1 + ctx.mpf(BOUND))
    assert_relative(margin * gradient.phi_sum * bound, slope * size, BOUND, "margin")
    # The first ball is large enough for one of them only.
    assert (bound <= FIRST_BALL * slope) == (moved == "0.1")
