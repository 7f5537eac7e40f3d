"""The whole recipe in balls: pipeline, targets, degenerate data, many data sets."""

import functools
from collections import Counter

import pytest

from rkde.errors import DegenerateBandwidth, DegenerateThresholds, InvalidInput
from rkde.reference import Absolute, Gaussian, Hampel, Huber, Laplacian, Quadratic, Student, make_context
from rkde.reference.bandwidth import median_nn
from rkde.reference.estimates import median_rkde, thresholds
from rkde.reference.solvers import fixed_point
from rkde.vocabulary import MIN_RAMP, Certificate
from tests.certify.holding import (
    BITS,
    REFERENCE_DIGITS,
    hold_all,
    holds,
    scattered,
    two_clusters,
    with_duplicates,
    with_outliers,
)
from tests.support.balls import certify, flint

CTX = make_context(REFERENCE_DIGITS)
SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]
UNIT_VECTORS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
FAR = [["1e300"], [0], ["0.5"], ["1.1"], ["1.7"], ["2.6"], ["-1e300"], ["3.1"]]


@pytest.mark.parametrize("make", [scattered, two_clusters, with_outliers, with_duplicates])
@pytest.mark.parametrize(
    "family",
    [Gaussian, Laplacian, functools.partial(Student, dof=3)],
    ids=["gaussian", "laplacian", "student"],
)
@pytest.mark.parametrize("loss", [Huber, Hampel])
def test_every_stage_holds_the_reference(make, family, loss) -> None:
    X = make(11, 2)
    result = certify.certify_recipe(X, kernel=family, loss=loss, bits=BITS)
    bandwidth = median_nn(CTX, X)
    kernel = family(bandwidth)
    median = median_rkde(CTX, X, kernel)
    abc = thresholds(CTX, median.residual_norms)
    final_loss = Hampel(*abc) if loss is Hampel else Huber(abc[0])
    final = fixed_point(CTX, X, kernel, final_loss, weights_init=median.weights)
    assert holds(result.bandwidth, bandwidth)
    assert hold_all(result.median.weights, median.weights)
    assert hold_all(result.thresholds, abc[: len(result.thresholds)])
    assert len(result.thresholds) == (3 if loss is Hampel else 1)
    assert hold_all(result.final.weights, final.weights)
    assert result.final.branch_proved


@pytest.mark.parametrize("loss", [Absolute, Huber, Hampel])
def test_the_target_for_thirty_rows(loss) -> None:
    result = certify.certify_recipe(scattered(30, 2), loss=loss, bits=256)
    for ball in (result.bandwidth, *result.thresholds, *result.final.weights, *result.final.residual_norms):
        assert ball.rad() < flint.arb("1e-60")


@pytest.mark.slow
def test_two_hundred_rows() -> None:
    result = certify.certify_recipe(two_clusters(200, 2), bits=BITS)
    assert result.final.certificate is Certificate.LOCAL_MINIMUM
    assert result.final.branch_proved
    assert result.final.radius < flint.arb("1e-30")


@pytest.mark.slow
def test_forty_data_sets() -> None:
    makers = (scattered, two_clusters, with_outliers, with_duplicates)
    outcomes: Counter[tuple[str, bool]] = Counter()
    for make in makers:
        for dim, n_samples in ((1, 10), (1, 25), (2, 20), (2, 40), (5, 30)):
            for seed in (1, 2):
                final = certify.certify_recipe(make(n_samples, dim, seed), bits=BITS).final
                outcomes[str(final.status), final.branch_proved] += 1
    assert outcomes == {("enclosed", True): 40}


def test_what_the_result_records() -> None:
    X = scattered(25, 2)
    paper = certify.certify_recipe(X, bits=BITS)
    assert (paper.recipe, paper.start, paper.quantile_rule) == ("paper", "median", "linear")
    assert paper.quantiles == ("0.5", "0.75", "0.85")
    assert paper.bandwidth_rule == "median_nn"
    custom = certify.certify_recipe(
        X, bandwidth="0.5", start="uniform", quantiles=(0.5, "0.8", "0.9"), bits=BITS
    )
    assert (custom.recipe, custom.start, custom.bandwidth_rule) == ("custom", "uniform", None)
    assert custom.quantiles == ("0.5", "0.8", "0.9")
    assert custom.bandwidth.contains(0.5)


def test_the_authors_program() -> None:
    X = scattered(41, 2)
    result = certify.certify_recipe(X, recipe="authors-program", bits=BITS)
    distances = sorted(float(norm) for norm in result.median.residual_norms)
    expected = (distances[41 - 20], distances[41 - 2], distances[40])
    assert all(float(ball) == value for ball, value in zip(result.thresholds, expected, strict=True))
    assert (result.recipe, result.start, result.quantile_rule) == ("authors-program", "uniform", None)
    changed = certify.certify_recipe(X, recipe="authors-program", start="median", bits=BITS)
    assert (changed.recipe, changed.start, changed.quantile_rule) == ("custom", "median", "linear")
    assert changed.quantiles == ("0.5", "0.75", "0.85")


def test_losses_without_thresholds() -> None:
    X = scattered(9, 2)
    kde = certify.certify_recipe(X, loss=Quadratic)
    assert kde.final.status is certify.ProofStatus.EXACT
    assert {float(weight) for weight in kde.final.exact_weights} == {1 / 9}
    absolute = certify.certify_recipe(X, loss=Absolute)
    assert absolute.final is absolute.median
    assert kde.thresholds == absolute.thresholds == ()


@pytest.mark.parametrize(
    ("X", "named", "error"),
    [
        ([[0]], {}, DegenerateBandwidth),
        ([[3], [3], [3]], {}, DegenerateBandwidth),
        ([[0], [0], [1], [1], [2]], {}, DegenerateBandwidth),
        ([[0], [1]], {}, DegenerateThresholds),
        (SQUARE, {}, DegenerateThresholds),
        (UNIT_VECTORS, {}, DegenerateThresholds),
        ([["-2.1"], ["-1.9"], ["1.9"], ["2.1"]], {}, DegenerateThresholds),
        ([["-0.6"], [0], ["0.6"]], {"bandwidth": 1}, DegenerateThresholds),
        ([[0]] * 6 + [[1], [2], ["3.5"], [4], [5]], {"bandwidth": 1}, DegenerateThresholds),
        ([[0], [1], ["2.5"], ["3.7"], ["4.1"]], {"bandwidth": "1e-8"}, DegenerateThresholds),
    ],
)
def test_degenerate_data_are_proved_degenerate(X, named, error) -> None:
    with pytest.raises(error):
        certify.certify_recipe(X, **named)


def test_huber_needs_no_ramp() -> None:
    result = certify.certify_recipe(UNIT_VECTORS, loss=Huber)
    assert result.final.status is certify.ProofStatus.EXACT
    # The common residual norm is the threshold itself: both pieces remain possible.
    piece = certify.Piece
    assert result.final.pieces[0] == (piece.QUADRATIC, piece.LINEAR)


def test_one_location_with_a_bandwidth() -> None:
    result = certify.certify_recipe([[3], [3]], bandwidth="0.1")
    assert result.final.certificate is Certificate.GLOBAL
    assert all(threshold.is_zero() for threshold in result.thresholds)
    assert result.final.objective.is_zero()


@pytest.mark.parametrize("bandwidth", ["median_nn", "1e8"])
def test_far_outliers(bandwidth) -> None:
    result = certify.certify_recipe(FAR, bandwidth=bandwidth)
    assert result.final.branch_proved
    assert result.final.weights[0].is_zero()
    assert result.final.weights[6].is_zero()


def test_an_undecided_median_leaves_the_rest_undecided() -> None:
    close = "0.6481664522447991496267824"
    result = certify.certify_recipe([["-" + close], [0], [close]], bandwidth=1, bits=64, loss=Huber)
    assert result.final.status in certify.ProofStatus
    assert result.final.bits > 64


@pytest.mark.parametrize(
    "named",
    [
        {"bandwidth": "somehow"},
        {"bandwidth": 0},
        {"bandwidth": -1},
        {"recipe": "mine"},
        {"start": "end"},
        {"loss": Hampel(1, 2, 3)},
        {"quantiles": ("0.9", "0.8", "0.7")},
        {"quantiles": ("0.5", "0.75")},
        {"quantiles": ("0.5", "0.75", "1.5")},
        {"quantile_rule": "mode"},
        {"kernel": lambda bandwidth: Gaussian(2 * bandwidth)},
    ],
    ids=" ".join,
)
def test_arguments_that_are_refused(named) -> None:
    with pytest.raises(InvalidInput):
        certify.certify_recipe(scattered(6, 2), **named)


def test_a_ramp_of_just_the_least_length_is_undecided() -> None:
    ctx = make_context(200)
    X = [[0], [1], [3]]
    _, middle, largest = sorted(median_rkde(ctx, X, Gaussian(1)).residual_norms)
    b, least = (middle + largest) / 2, ctx.mpf(MIN_RAMP)
    # Between the two largest norms c rises by twice their distance a unit of its level; c - b = MIN_RAMP c.
    rise = least * b / (1 - least) / (2 * (largest - middle))
    levels = ("0.5", "0.75", ctx.nstr(ctx.mpf("0.75") + rise, 195))
    final = certify.certify_recipe(X, bandwidth=1, quantiles=levels, bits=53).final
    assert final.status is certify.ProofStatus.UNDECIDED
    assert "b = c" in final.reason
