"""Sample weights: whole numbers are repetition, others are relative masses, 0 removes a row."""

import math
from typing import Any

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within

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
    "practical": {},
    "paper": {"recipe": "paper"},
    "scott": {"bandwidth": "scott", "recipe": "paper"},
    "distinct": {"bandwidth": "median_nn_distinct", "loss": "huber"},
    "silverman": {"bandwidth": "silverman", "recipe": "authors-program"},
    "likelihood": {"bandwidth": "lkcv", "kernel": "student", "dof": 3.0},
    "function": {"bandwidth": lambda X: X.std(), "quantiles": (0.4, 0.6, 0.9), "start": "uniform"},
    "given": {"bandwidth": 1.0, "thresholds": (0.4, 0.6, 0.9), "stop": "stationarity", "tol": 1e-12},
    "absolute": {"bandwidth": 1.0, "loss": "absolute"},
    "kde": {"bandwidth": 1.0, "loss": "quadratic"},
}


def assert_repetition(weighted: Any, copies: Any, counts: np.ndarray) -> None:
    """Assert that a fit with counts is that of the rows repeated, but for rounding along the same path."""
    bound = tolerances.contracting_path_bound()
    if isinstance(copies.model_.stop, rkde.fast.Stationarity):
        # Rounding may end one of the two a step earlier.
        model = copies.model_
        limit = rkde.fast.fixed_point(model.X, model.kernel, model.loss, weights_init=model.weights)
        bound = tolerances.limit_bound(2 * float(model.stop.tol), float(limit.curvature_margin))
    starts, kept = np.concatenate(([0], np.cumsum(counts)[:-1])), counts > 0
    for name in ("bandwidth_rule_", "status_", "certificate_"):
        assert getattr(weighted, name) == getattr(copies, name), name
    for name in ("bandwidth_", "thresholds_", "effective_sample_size_", "zero_weight_share_"):
        ours, theirs = getattr(weighted, name), getattr(copies, name)
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, rtol=bound, atol=0, err_msg=name)
    np.testing.assert_allclose(weighted.objective_path_[-1], copies.objective_path_[-1], rtol=bound, atol=0)
    sums = [copies.weights_[start : start + count].sum() for start, count in zip(starts, counts, strict=True)]
    np.testing.assert_allclose(weighted.weights_, sums, rtol=0, atol=bound * max(sums))
    log_bound = tolerances.log_density_of_weights(bound, len(copies.model_.X))
    assert_within(weighted.score_samples(QUERIES), copies.score_samples(QUERIES), log_bound, "log f")
    assert_within(weighted.offset_, copies.offset_, log_bound, "offset")
    # A norm that is a difference of two terms of the size of tau is off by the root of their rounding.
    near = math.sqrt(bound)
    for name in ("residual_norms_", "median_residual_norms_"):
        ours, theirs = getattr(weighted, name)[kept], getattr(copies, name)[starts[kept]]
        np.testing.assert_allclose(ours, theirs, rtol=bound, atol=near, err_msg=name)
    ours, theirs = (each.leave_one_out_log_density() for each in (weighted, copies))
    assert_within(ours[kept], theirs[starts[kept]], log_bound, "leave one out")


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("name", SETTINGS)
def test_whole_numbers_are_repetition(name: str) -> None:
    X, counts = rows_and_counts()
    weighted = RKDE(**SETTINGS[name]).fit(X, sample_weight=counts)
    assert_repetition(weighted, RKDE(**SETTINGS[name]).fit(repeated(X, counts)), counts)


def test_a_removed_row_is_like_any_other_point() -> None:
    X, counts = rows_and_counts()
    estimator = RKDE(bandwidth=1.0).fit(X, sample_weight=counts)
    removed = counts == 0
    bound = tolerances.log_density_of_weights(0.0, len(X))
    found = estimator.leave_one_out_log_density()[removed]
    assert_within(found, estimator.score_samples(X[removed]), bound, "leave one out")
    norms = rkde.fast.residual_norms(X, estimator.model_.kernel, estimator.weights_)[removed]
    bound = math.sqrt(tolerances.contracting_path_bound())
    assert_within(norms, estimator.residual_norms_[removed], bound, "residual norms")


def test_the_example_of_a_public_report() -> None:
    settings = {"bandwidth": 1.0, "thresholds": np.array([0.2, 0.35, 0.6]) / TAU, **LIMIT}
    exact = [0.95277138431250446, 0.0472286156874955403, 0.0]
    weighted = RKDE(**settings).fit([[0.0], [1.0], [5.0]], sample_weight=[2, 1, 1])
    copies = RKDE(**settings).fit([[0.0], [0.0], [1.0], [5.0]])
    bound = tolerances.contracting_path_bound()
    assert_within(weighted.weights_, exact, bound, "weights")
    assert_within(copies.weights_, [exact[0] / 2, exact[0] / 2, *exact[1:]], bound, "weights")
    log_bound = tolerances.log_density_of_weights(bound, 4)
    for estimator in (weighted, copies):
        assert_within(estimator.score_samples([[0.5]]), "-1.0439385332046727418", log_bound, "log f")


@pytest.mark.parametrize("loss", ["absolute", "huber", "hampel", "quadratic"])
@pytest.mark.parametrize("scale", [0.5, 3e-7, 2.0**60])
def test_masses_agree_with_copies(loss: str, scale: float) -> None:
    """Weights that are not whole numbers, and whole ones of any size, come to the same limit."""
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
    bound = tolerances.limit_bound(2e-12, min(margin for margin in margins if margin is not None))
    largest = copies.weights_.max()
    np.testing.assert_allclose(masses.weights_, copies.weights_, rtol=0, atol=bound * largest)
    log_bound = tolerances.log_density_of_weights(bound, len(copies.model_.X))
    assert_within(masses.score_samples(QUERIES), copies.score_samples(QUERIES), log_bound, "log f")
    assert masses.certificate_ == copies.certificate_


def test_many_copies_leave_a_bandwidth_rule_its_meaning() -> None:
    """With a million copies of each row every row has a neighbour at distance 0, and N rules."""
    X, counts = rows_and_counts()
    with pytest.warns(rkde.errors.DegenerateBandwidthWarning, match="are tied"):
        RKDE(recipe="paper").fit(X, sample_weight=counts * 1_000_000)
    few = rkde.fast.bandwidth(X, "scott", sample_weight=counts)
    many = rkde.fast.bandwidth(X, "scott", sample_weight=counts * 1_000_000)
    total = counts.sum()
    grown = total * 1_000_000
    expected = few * 1_000_000 ** (-1 / 5) * math.sqrt((total - 1) / total * grown / (grown - 1))
    assert many == pytest.approx(expected, rel=tolerances.sum_bound(4 * len(X)))
    many_by_function = RKDE(bandwidth=lambda rows: rows.std())
    with pytest.raises(InvalidInput, match=r"with a sum of at most 50000 .*, got a sum of 2\.2e"):
        many_by_function.fit(X, sample_weight=counts * 1_000_000)
    with pytest.raises(InvalidInput, match="got relative weights; pass such counts"):
        many_by_function.fit(X, sample_weight=[0.5, *counts[1:]])


RELATIVE: dict[str, dict[str, Any]] = {
    name: settings for name, settings in SETTINGS.items() if name != "function"
}


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("name", RELATIVE)
def test_relative_weights_are_free_of_scale(name: str) -> None:
    X, _ = rows_and_counts()
    weights = np.random.default_rng(SEED).uniform(0.3, 2.7, size=len(X))
    base = RKDE(**RELATIVE[name]).fit(X, sample_weight=weights)
    bound = tolerances.contracting_path_bound()
    for scale in (1e-6, 3.7e-3, 1e6):
        other = RKDE(**RELATIVE[name]).fit(X, sample_weight=weights * scale)
        np.testing.assert_allclose(other.bandwidth_, base.bandwidth_, rtol=bound)
        np.testing.assert_allclose(other.weights_, base.weights_, rtol=0, atol=bound * base.weights_.max())
        np.testing.assert_allclose(other.effective_sample_size_, base.effective_sample_size_, rtol=bound)
        assert (other.status_, other.certificate_) == (base.status_, base.certificate_)


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("name", RELATIVE)
def test_equal_weights_give_the_plain_fit_and_nearly_equal_ones_nearly(name: str) -> None:
    X, _ = rows_and_counts()
    plain = RKDE(**RELATIVE[name]).fit(X)
    for weight in (1, 0.3):
        equal = RKDE(**RELATIVE[name]).fit(X, sample_weight=np.full(len(X), weight))
        np.testing.assert_array_equal(equal.weights_, plain.weights_)
        assert (equal.bandwidth_, equal.offset_) == (plain.bandwidth_, plain.offset_)
    if name == "practical":
        # Its start decides for each row whether it has neighbours, and so may jump.
        return
    # Continuity: what weights move by e moves the answer by a multiple of e that does not depend on it.
    moves = []
    for e in (1e-4, 1e-8):
        near = RKDE(**RELATIVE[name]).fit(X, sample_weight=0.3 + e * np.cos(np.arange(len(X))))
        moves.append(np.abs(near.weights_ - plain.weights_).max() / plain.weights_.max())
    assert moves[1] <= max(moves[0] / 16, math.sqrt(tolerances.contracting_path_bound()))


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
    assert_repetition(weighted, copies.fit(repeated(X, counts)), counts)
    with pytest.raises(InvalidInput, match="must be 0 where sample_weight is 0"):
        RKDE(start=np.full(len(X), 1 / len(X)), **settings).fit(X, sample_weight=counts)


@pytest.mark.parametrize(
    ("X", "masses", "weights"),
    [
        # Between two locations the heavier one is f_med; equal ones keep their weights.
        ([[0.0], [1.0]], [0.5, 1.5], [0, 1]),
        ([[0.0], [1.0]], [1.5, 1.5], [0.5, 0.5]),
        # Ties are one location: 0.75 + 0.75 against 1.25.
        ([[0.0], [0.0], [1.0]], [0.75, 0.75, 1.25], [0.5, 0.5, 0.0]),
        # 0.75 + 0.25 against 1.
        ([[0.0], [0.0], [1.0]], [0.75, 0.25, 1.0], [0.375, 0.125, 0.5]),
        # One outweighs the pull of the others.
        ([[0.0], [1.0], [5.0]], [0.5, 0.25, 5.5], [0, 0, 1]),
        ([[3.0], [3.0]], [0.5, 1.5], [0.25, 0.75]),
    ],
)
def test_masses_at_few_locations(X: Any, masses: list[float], weights: list[float]) -> None:
    found = RKDE(bandwidth=1.0, loss="absolute").fit(X, sample_weight=masses)
    np.testing.assert_array_equal(found.weights_, weights)
    assert found.certificate_ == "global"
