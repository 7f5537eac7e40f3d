"""The limit of KIRWLS from a start: which point, proved; symmetric data stay on their saddle."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rkde.errors import AllWeightsZero, InvalidInput
from rkde.reference import Absolute, Gaussian, Hampel, Huber, make_context, residual_norms
from rkde.reference.solvers import fixed_point, kirwls
from rkde.vocabulary import Certificate, FixedSteps
from tests.certify.holding import (
    BITS,
    REFERENCE_DIGITS,
    disjoint,
    hold_all,
    location_groups,
    scattered,
    two_clusters,
    with_outliers,
)
from tests.certify.test_fixed_point import TWO_PAIRS, TWO_PAIRS_LOSS
from tests.certify.test_median import BALANCED
from tests.support.balls import certify, flint

CTX = make_context(REFERENCE_DIGITS)
HAMPEL = Hampel("0.5", "0.6", "0.9")


@pytest.mark.parametrize("make", [scattered, two_clusters, with_outliers])
@pytest.mark.parametrize("start", ["uniform", "median", "first"])
def test_the_branch_is_that_of_the_reference(make, start) -> None:
    X = make(12, 2)
    if start == "first":
        start = [0.5, *[0.5 / 11] * 11]
    weights_init = {"uniform": None, "median": fixed_point(CTX, X, Gaussian(1), Absolute()).weights}
    chosen = weights_init[start] if isinstance(start, str) else start
    exact = fixed_point(CTX, X, Gaussian(1), HAMPEL, weights_init=chosen)
    enclosed = certify.certify_limit(X, Gaussian(1), HAMPEL, start, bits=BITS)
    assert enclosed.branch_proved
    assert enclosed.certificate is Certificate.LOCAL_MINIMUM
    assert hold_all(enclosed.weights, exact.weights)


def test_a_proved_branch_is_where_many_plain_steps_end() -> None:
    X = two_clusters(9, 1)
    enclosed = certify.certify_limit(X, Gaussian(2), HAMPEL, bits=BITS)
    run = kirwls(CTX, X, Gaussian(2), HAMPEL, stop=FixedSteps(300))
    assert enclosed.branch_proved
    assert hold_all(enclosed.weights, run.weights)


def test_a_start_weighs_every_row_of_a_group() -> None:
    sample, locations = location_groups([[-1], [0], [1], [1], [-1], [5]], Gaussian(1))
    weights = [Fraction(count, 16) for count in (1, 4, 2, 3, 4, 2)]
    groups, start = certify.limit.grouped_start(sample, locations, weights)
    assert groups is locations
    assert start == [Fraction(count, 16) for count in (5, 4, 5, 2)]
    symmetric = location_groups([[-1], [0], [1], [1], [-1]], Gaussian(1))
    groups, start = certify.limit.grouped_start(*symmetric, [Fraction(1, 5)] * 5)
    assert groups.group_of == (0, 1, 0, 0, 0)
    assert start == [Fraction(4, 5), Fraction(1, 5)]


def test_an_iterate_is_caught_only_if_it_is_near_and_low() -> None:
    X = two_clusters(9, 1)
    path, state = certify.path, certify.weight_state
    with certify.working_bits(BITS):
        _, groups = location_groups(X, Gaussian(2))
        loss = certify.losses.ball_loss(HAMPEL)
        minimum = path.follow(groups, loss, groups.uniform()).weights
        basin = path.find_basin(groups, loss, minimum)
        here = state.evaluate(groups, loss, minimum)
        assert path.is_caught(groups, loss, basin, here)
        assert not path.is_caught(groups, loss, basin, state.evaluate(groups, loss, groups.uniform()))
        too_low = replace(basin, level=state.objective(groups, loss, here))
        assert not path.is_caught(groups, loss, too_low, here)
        assert not path.is_caught(groups, loss, replace(basin, sq_radius=flint.arb(0)), here)


@pytest.mark.parametrize("start", ["uniform", "median", ["0.3", "0.2", "0.2", "0.3"]])
def test_a_symmetric_path_ends_on_the_saddle(start) -> None:
    point = certify.certify_limit(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, start)
    assert point.branch_proved
    assert point.certificate is Certificate.SADDLE
    assert point.objective.overlaps(flint.arb("0.16509", "5e-6"))


@pytest.mark.parametrize("dim", [2, 3])
def test_symmetric_sets_of_two_to_the_dimension(dim) -> None:
    corners = [[]]
    for _ in range(dim):
        corners = [[*corner, side] for corner in corners for side in ("-2", "2")]
    # Two rows beside each corner, the second further out along the diagonal.
    X = corners + [[side + ".25" for side in corner] for corner in corners]
    point = certify.certify_limit(X, Gaussian(1), Hampel("0.3", "0.8", "1"))
    assert point.branch_proved
    assert point.certificate is Certificate.SADDLE
    assert len({weight.mid().str(30) for weight in point.weights}) <= 2


def test_convex_losses_need_no_path() -> None:
    X = scattered(8, 2)
    starts = ("uniform", "median", [1, 0, 0, 0, 0, 0, 0, 0])
    points = [certify.certify_limit(X, Gaussian(1), Huber("0.4"), start) for start in starts]
    assert all(point.branch_proved and point.certificate is Certificate.GLOBAL for point in points)
    assert not disjoint(points[0].weights, points[1].weights)
    assert not disjoint(points[0].weights, points[2].weights)


def test_the_absolute_loss_gives_f_med() -> None:
    X = scattered(8, 2)
    median = certify.certify_median(X, Gaussian(1), bits=BITS)
    limit = certify.certify_limit(X, Gaussian(1), Absolute(), [1, 0, 0, 0, 0, 0, 0, 0], bits=BITS)
    assert not disjoint(median.weights, limit.weights)


@pytest.mark.parametrize("X", [[[0], [100], [201]], [[0], [5]]], ids=["three rows", "a symmetric pair"])
def test_a_path_that_leads_nowhere(X) -> None:
    with pytest.raises(AllWeightsZero):
        certify.certify_limit(X, Gaussian(1), Hampel("0.1", "0.2", "0.3"))


# Rows that are all beyond b, but for one at the kink c to so many digits: its phi is as small.
@pytest.mark.parametrize(
    ("digits", "reason"), [(190, "may be undefined"), (126, "grow too wide"), (100, ""), (14, "")]
)
def test_a_first_step_that_hardly_has_weights_needs_bits(digits, reason) -> None:
    ctx = make_context(200)
    start = ["0.25", "0.75"]
    nearest = min(residual_norms(ctx, [[0], [1]], Gaussian(1), start))
    loss = Hampel("0.05", "0.1", ctx.nstr(nearest + ctx.mpf(10) ** -digits, 195))
    point = certify.certify_limit([[0], [1]], Gaussian(1), loss, start, bits=53)
    assert reason in point.reason
    assert point.branch_proved == (not reason)
    assert point.bits > 53


def test_a_start_that_hardly_breaks_the_symmetry_needs_bits() -> None:
    start = ["0.2500000001", "0.25", "0.25", "0.2499999999"]
    point = certify.certify_limit(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, start, bits=53)
    assert point.branch_proved
    assert point.certificate is Certificate.LOCAL_MINIMUM
    assert point.bits > 53


# Both residuals lie on the linear piece, so every pair of weights near these is a fixed point.
LINEAR = Hampel("0.1", "2", "3")


def test_a_point_of_a_continuum_of_fixed_points_is_stationary_and_no_more() -> None:
    uniform = certify.certify_limit([[0], [1]], Gaussian(1), LINEAR)
    assert uniform.certificate is Certificate.STATIONARY
    assert "undecided" in uniform.reason


# So few bits that the balls grow too wide, and so many that they do not within the steps that are taken.
@pytest.mark.parametrize("bits", [53, pytest.param(700, marks=pytest.mark.slow)])
def test_a_path_within_a_continuum_of_fixed_points_has_no_end(bits) -> None:
    point = certify.certify_limit([[0], [1]], Gaussian(1), LINEAR, ["0.25", "0.75"], bits=bits)
    assert point.status is certify.ProofStatus.UNDECIDED
    assert "the matrix of Theorem 5" in point.reason


def test_an_undecided_median_starts_no_path() -> None:
    limit = certify.certify_limit(BALANCED, Gaussian(1), Huber("0.3"), "median")
    assert limit.status is certify.ProofStatus.UNDECIDED
    assert "|R| = m" in limit.reason


def test_unknown_starts_are_refused() -> None:
    with pytest.raises(InvalidInput, match="start"):
        certify.certify_limit(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, "somewhere")
