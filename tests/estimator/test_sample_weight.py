"""Sample weights: whole numbers are repetition, others multiply phi, 0 removes a row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.proofs_checks import estimator_bounds, tolerances

SEED = 20_120_906
QUERIES = np.linspace(-3, 8, 12).reshape(-1, 1)
# tau of the Gaussian of bandwidth 1 on a line: thresholds in absolute units are divided by it.
TAU = (2 * math.pi) ** (-1 / 4)
LIMIT = {"stop": "stationarity", "tol": 1e-13}
RKDE = rkde.RobustKernelDensity


def rows_and_counts() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    X = np.concatenate((rng.normal(size=(14, 1)), [[7.0], [9.0]]))
    return X, np.array([1, 0, 2, 1, 1, 3, 1, 1, 2, 0, 1, 1, 4, 1, 1, 2])


def repeated(X: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.repeat(X, counts, axis=0)


# Everything that looks at the rows: rules for the bandwidth, thresholds by quantiles and by order statistics.
SETTINGS: dict[str, dict[str, Any]] = {
    "paper": {},
    "scott": {"bandwidth": "scott"},
    "distinct": {"bandwidth": "median_nn_distinct", "loss": "huber"},
    "silverman": {"bandwidth": "silverman", "recipe": "authors-program"},
    "likelihood": {"bandwidth": "lkcv", "kernel": "student", "dof": 3.0},
    "function": {"bandwidth": lambda X: X.std(), "quantiles": (0.4, 0.6, 0.9), "start": "uniform"},
    "given": {"bandwidth": 1.0, "thresholds": (0.4, 0.6, 0.9), "stop": "stationarity", "tol": 1e-12},
    "absolute": {"bandwidth": 1.0, "loss": "absolute"},
    "kde": {"bandwidth": 1.0, "loss": "quadratic"},
}


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("name", SETTINGS)
def test_whole_numbers_are_repetition_to_the_last_bit(name: str) -> None:
    X, counts = rows_and_counts()
    weighted = RKDE(**SETTINGS[name]).fit(X, sample_weight=counts)
    copies = RKDE(**SETTINGS[name]).fit(repeated(X, counts))
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    for scalar in (
        "bandwidth_",
        "bandwidth_rule_",
        "thresholds_",
        "status_",
        "n_iter_",
        "certificate_",
        "error_bound_",
        "offset_",
        "effective_sample_size_",
        "zero_weight_share_",
    ):
        assert getattr(weighted, scalar) == getattr(copies, scalar), scalar
    np.testing.assert_array_equal(weighted.objective_path_, copies.objective_path_)
    np.testing.assert_array_equal(weighted.score_samples(QUERIES), copies.score_samples(QUERIES))
    np.testing.assert_array_equal(weighted.predict(QUERIES), copies.predict(QUERIES))
    kept = counts > 0
    for vector in ("residual_norms_", "median_residual_norms_"):
        ours, theirs = getattr(weighted, vector), getattr(copies, vector)
        np.testing.assert_array_equal(ours[kept], theirs[starts[kept]])
        assert np.isnan(ours[~kept]).all()
    np.testing.assert_array_equal(
        weighted.leave_one_out_log_density()[kept], copies.leave_one_out_log_density()[starts[kept]]
    )
    sums = [copies.weights_[start : start + count].sum() for start, count in zip(starts, counts, strict=True)]
    np.testing.assert_array_equal(weighted.weights_, sums)


def test_a_removed_row_scores_like_any_other_point() -> None:
    X, counts = rows_and_counts()
    estimator = RKDE(bandwidth=1.0).fit(X, sample_weight=counts)
    removed = counts == 0
    np.testing.assert_array_equal(
        estimator.leave_one_out_log_density()[removed], estimator.score_samples(X[removed])
    )


def test_weights_of_one_change_nothing() -> None:
    X, _ = rows_and_counts()
    plain, weighted = RKDE().fit(X), RKDE().fit(X, sample_weight=np.ones(len(X)))
    np.testing.assert_array_equal(weighted.weights_, plain.weights_)
    assert weighted.offset_ == plain.offset_


def test_the_example_of_a_public_report() -> None:
    settings = {"bandwidth": 1.0, "thresholds": np.array([0.2, 0.35, 0.6]) / TAU, **LIMIT}
    exact = [0.95277138431250446, 0.0472286156874955403, 0.0]
    weighted = RKDE(**settings).fit([[0.0], [1.0], [5.0]], sample_weight=[2, 1, 1])
    copies = RKDE(**settings).fit([[0.0], [0.0], [1.0], [5.0]])
    bound = tolerances.contracting_path_bound()
    np.testing.assert_allclose(weighted.weights_, exact, rtol=0, atol=bound)
    np.testing.assert_allclose(copies.weights_, [exact[0] / 2, exact[0] / 2, *exact[1:]], rtol=0, atol=bound)
    log_bound = estimator_bounds.log_density_of_weights(bound, 4)
    for estimator in (weighted, copies):
        np.testing.assert_allclose(
            estimator.score_samples([[0.5]]), [-1.0439385332046727418], rtol=0, atol=log_bound
        )


@pytest.mark.parametrize("loss", ["absolute", "huber", "hampel", "quadratic"])
@pytest.mark.parametrize("scale", [0.5, 3e-7, 2.0**60])
def test_masses_agree_with_copies(loss: str, scale: float) -> None:
    """Masses that are no whole numbers, and whole ones too large for copies, come to the same limit."""
    X, counts = rows_and_counts()
    thresholds = {"huber": (0.4,), "hampel": (0.4, 0.7, 1.05)}.get(loss)
    settings = {"bandwidth": 1.0, "loss": loss, "thresholds": thresholds, **LIMIT}
    copies = RKDE(**settings).fit(X, sample_weight=counts)
    masses = RKDE(**settings).fit(X, sample_weight=counts * scale)
    margins = [copies.model_.median.curvature_margin]
    if loss in ("huber", "hampel"):
        # The last stage ends where a step moves the weights by 1e-13; its rate is that of the copies' limit.
        limit = rkde.fast.fixed_point(
            copies.model_.X, copies.model_.kernel, copies.model_.loss, weights_init=copies.model_.weights
        )
        margins.append(limit.curvature_margin)
    bound = estimator_bounds.limit_bound(2e-12, min(margin for margin in margins if margin is not None))
    largest = copies.weights_.max()
    np.testing.assert_allclose(masses.weights_, copies.weights_, rtol=0, atol=bound * largest)
    np.testing.assert_allclose(
        masses.score_samples(QUERIES),
        copies.score_samples(QUERIES),
        rtol=0,
        atol=estimator_bounds.log_density_of_weights(bound, len(copies.model_.X)),
    )
    assert masses.certificate_ is None or loss == "absolute"
    assert masses.error_bound_ is None


def test_many_copies_take_no_memory() -> None:
    X, counts = rows_and_counts()
    settings = {"bandwidth": 1.0, "thresholds": (0.4, 0.7, 1.05), **LIMIT}
    few = RKDE(**settings).fit(X, sample_weight=counts)
    # A million copies of each row change no limit, for they change no share.
    many = RKDE(**settings).fit(X, sample_weight=counts * 1_000_000)
    bound = estimator_bounds.limit_bound(2e-12, float(few.model_.median.curvature_margin))
    np.testing.assert_allclose(many.weights_, few.weights_, rtol=0, atol=bound)
    assert many.model_.X.shape == (int((counts > 0).sum()), 1)
    # One copy of many is left out, with its share of the row's weight.
    kept = counts > 0
    share = many.weights_[kept] / (counts[kept] * 1_000_000)
    scores = many.score_samples(X[kept])
    peak = many.model_.kernel.log_normaliser(1)
    expected = scores + np.log1p(-share * np.exp(peak - scores)) - np.log1p(-share)
    log_bound = max(tolerances.log_density_bound(score, 1.0, 2 * len(X), 1) for score in scores)
    np.testing.assert_allclose(many.leave_one_out_log_density()[kept], expected, rtol=0, atol=log_bound)
    assert (many.leave_one_out_log_density()[kept] < scores + log_bound).all()
    np.testing.assert_allclose(
        many.effective_sample_size_,
        few.effective_sample_size_ * 1_000_000,
        rtol=estimator_bounds.log_density_of_weights(2 * bound, len(few.model_.X)),
    )
    assert many.zero_weight_share_ == few.zero_weight_share_
    # With so many copies the quantile is the score at which a tenth of them is reached.
    assert many.offset_ == np.quantile(np.repeat(many.score_samples(X), counts), 0.1, method="inverted_cdf")


def test_too_many_copies_for_a_rule() -> None:
    X, counts = rows_and_counts()
    with pytest.raises(MemoryLimit) as caught:
        RKDE().fit(X, sample_weight=counts * 1_000_000)
    assert caught.value.where == "sample_weight"
    assert "bandwidth and thresholds as numbers" in caught.value.remedy


@pytest.mark.parametrize("settings", [{}, {"bandwidth": 1.0}, {"thresholds": (0.1, 0.2, 0.3)}], ids=str)
def test_other_numbers_need_given_ones(settings: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as caught:
        RKDE(**settings).fit([[0.0], [1.0], [3.0]], sample_weight=[1, 2.5, 1])
    assert caught.value.where == "sample_weight, index 1"
    assert "thresholds=" in caught.value.remedy


@pytest.mark.parametrize(
    ("weights", "kind", "where"),
    [
        ([-1, 1, 1, 1, 1], InvalidInput, "sample_weight, index 0"),
        ([0, 0, 0, 0, 0], InvalidInput, "sample_weight"),
        ([1, math.nan, 1, 1, 1], InvalidInput, "sample_weight, index 1"),
        ([1, 1, math.inf, 1, 1], InvalidInput, "sample_weight, index 2"),
        ([1, 1], InvalidInput, "sample_weight"),
        ([[1], [1], [1], [1], [1]], InvalidInput, "sample_weight"),
        (["one", 1, 1, 1, 1], InvalidType, "sample_weight, index 0"),
    ],
)
def test_what_is_no_weight_is_refused(weights: Any, kind: type[InvalidInput], where: str) -> None:
    with pytest.raises(kind) as caught:
        RKDE(bandwidth=0.5).fit(np.arange(5.0).reshape(-1, 1), sample_weight=weights)
    assert caught.value.where == where
    assert caught.value.remedy


def test_a_removed_row_must_be_finite_all_the_same() -> None:
    with pytest.raises(InvalidInput) as caught:
        RKDE(bandwidth=0.5).fit([[0.0], [math.nan], [1.0]], sample_weight=[1, 0, 1])
    assert caught.value.where == "X, row 1, column 0"


def test_a_single_row_of_positive_weight() -> None:
    X = np.arange(5.0).reshape(-1, 1)
    estimator = RKDE(bandwidth=0.5).fit(X, sample_weight=[0, 2, 0, 0, 0])
    for query, exact in ((1.0, -0.225791352644727432), (0.0, -2.22579135264472743)):
        bound = tolerances.log_density_bound(exact, 2.0, 1, 1)
        assert abs(estimator.score_samples([[query]])[0] - exact) <= bound
    np.testing.assert_array_equal(estimator.weights_, [0, 1, 0, 0, 0])


def test_whole_numbers_are_read_in_place() -> None:
    weights = np.array([1, 2, 4])
    estimator = RKDE(bandwidth=1.0, loss="quadratic").fit([[0.0], [1.0], [5.0]], sample_weight=weights)
    plain = RKDE(bandwidth=1.0, loss="quadratic").fit([[0.0], [1.0], [5.0]])
    for fitted, exact in ((estimator, -2.0704651771218483), (plain, -1.54347151800532512)):
        assert abs(fitted.score_samples([[0.0]])[0] - exact) <= tolerances.log_density_bound(exact, 1.0, 7, 1)
    np.testing.assert_array_equal(weights, [1, 2, 4])


@pytest.mark.parametrize("loss", ["quadratic", "absolute"])
def test_a_loss_without_second_stage_takes_either_solver(loss: str) -> None:
    X, _ = rows_and_counts()
    masses = np.linspace(0.5, 1.75, len(X))
    plain, other = (
        RKDE(bandwidth=1.0, loss=loss, solver=solver).fit(X, sample_weight=masses)
        for solver in ("plain", "anderson")
    )
    np.testing.assert_array_equal(other.weights_, plain.weights_)
    assert (other.n_iter_, other.status_) == (plain.n_iter_, plain.status_)


def test_a_start_has_one_entry_a_given_row() -> None:
    X, counts = rows_and_counts()
    start = np.where(counts > 0, 1 / (counts > 0).sum(), 0.0)
    settings: dict[str, Any] = {"bandwidth": 1.0, "loss": "huber"}
    weighted = RKDE(start=start, **settings).fit(X, sample_weight=counts)
    copies = RKDE(start=np.repeat(start / np.maximum(counts, 1), counts), **settings)
    np.testing.assert_array_equal(
        weighted.score_samples(QUERIES), copies.fit(repeated(X, counts)).score_samples(QUERIES)
    )
    with pytest.raises(InvalidInput, match="a removed row has a weight"):
        RKDE(start=np.full(len(X), 1 / len(X)), **settings).fit(X, sample_weight=counts)


def test_masses_at_two_locations() -> None:
    two = [[0.0], [1.0]]
    settings: dict[str, Any] = {"bandwidth": 1.0, "loss": "absolute"}
    # Between two locations the heavier one is f_med; equal ones keep their weights.
    np.testing.assert_array_equal(RKDE(**settings).fit(two, sample_weight=[0.5, 1.5]).weights_, [0, 1])
    np.testing.assert_array_equal(RKDE(**settings).fit(two, sample_weight=[1.5, 1.5]).weights_, [0.5, 0.5])
    # Ties are one location: 0.75 + 0.75 against 1.25.
    tied = RKDE(**settings).fit([[0.0], [0.0], [1.0]], sample_weight=[0.75, 0.75, 1.25])
    np.testing.assert_array_equal(tied.weights_, [0.5, 0.5, 0.0])


def test_a_location_that_outweighs_the_pull_of_the_others() -> None:
    X = [[0.0], [1.0], [5.0]]
    settings: dict[str, Any] = {"bandwidth": 1.0, "loss": "absolute"}
    heavy = RKDE(**settings).fit(X, sample_weight=[0.5, 0.25, 5.5])
    np.testing.assert_array_equal(heavy.weights_, [0, 0, 1])
    assert heavy.certificate_ == "global"


def test_one_location_with_masses() -> None:
    estimator = RKDE(bandwidth=1.0, loss="huber", thresholds=(0.5,)).fit(
        [[3.0], [3.0]], sample_weight=[0.5, 1.5]
    )
    np.testing.assert_array_equal(estimator.weights_, [0.25, 0.75])
    assert estimator.status_ == "single_location"
