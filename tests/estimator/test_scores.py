"""Scores and labels: signs, ties, the share of outliers, rows without themselves."""

import math
import warnings
from typing import Any

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput, RkdeWarning
from rkde.fast import Gaussian, Laplacian, Student, log_density
from rkde.proofs_checks import tolerances

SEED = 20_120_907
DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
RKDE = rkde.RobustKernelDensity


def test_signs() -> None:
    estimator = RKDE(bandwidth=1.0).fit(DATA)
    queries = np.linspace(-4, 8, 25).reshape(-1, 1)
    scores = estimator.score_samples(queries)
    np.testing.assert_array_equal(estimator.outlier_scores(queries), -scores)
    np.testing.assert_array_equal(estimator.decision_function(queries), scores - estimator.offset_)
    np.testing.assert_array_equal(
        estimator.predict(queries), np.where(estimator.decision_function(queries) < 0, -1, 1)
    )
    assert set(estimator.predict(queries)) == {-1, 1}
    # The centre of the data is normal, the far end is not.
    np.testing.assert_array_equal(estimator.predict([[0.25], [8.0]]), [1, -1])


@pytest.mark.parametrize("contamination", [0.02, 0.1, 0.25, 0.5])
def test_the_share_of_outliers(contamination: float) -> None:
    X = np.random.default_rng(SEED).normal(size=(101, 2))
    estimator = RKDE(bandwidth=0.8, contamination=contamination).fit(X)
    scores = estimator.score_samples(X)
    assert estimator.offset_ == np.quantile(scores, contamination)
    # 100 steps between 101 different scores: the quantile is one of them, and it counts as normal.
    assert (estimator.predict(X) == -1).sum() == round(100 * contamination)
    np.testing.assert_array_equal(estimator.fit_predict(X), estimator.predict(X))


def test_ties_with_the_offset_are_normal() -> None:
    # Seven rows at one place and three at another: the two lowest shares of the scores are the same number.
    X = [[0.0]] * 7 + [[5.0]] * 3
    estimator = RKDE(bandwidth=1.0, loss="quadratic", contamination=0.2).fit(X)
    assert estimator.score_samples([[5.0]])[0] == estimator.offset_
    assert (estimator.predict(X) == 1).all()


@pytest.mark.filterwarnings("ignore::rkde.errors.DegenerateThresholdsWarning")
def test_a_row_without_itself() -> None:
    X = [[0.0], [1.0], [2.0]]
    estimator = RKDE(bandwidth=1e-5, loss="quadratic").fit(X)
    with_itself, without = 9.49537464309744599, -4999999990.0991602488
    bounds = [tolerances.log_density_bound(value, 13.0, 3, 1) for value in (with_itself, without)]
    assert abs(estimator.score_samples([[0.0]])[0] - with_itself) <= bounds[0]
    assert abs(estimator.leave_one_out_log_density()[0] - without) <= bounds[1]


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Laplacian(0.7), Student(0.7, 2.0)], ids=repr)
def test_leaving_one_out_is_removing_a_row_and_its_weight(kernel: Any) -> None:
    X = np.random.default_rng(SEED).normal(size=(40, 2)) * [1.0, 3.0]
    estimator = RKDE(kernel=kernel, loss="huber").fit(X)
    found = estimator.leave_one_out_log_density()
    for row in range(len(X)):
        others = np.arange(len(X)) != row
        weights = estimator.weights_[others] / estimator.weights_[others].sum()
        exact = log_density(X[others], kernel, weights, X[[row]])[0]
        assert abs(found[row] - exact) <= 2 * tolerances.log_density_bound(exact, 4.0, 40, 2)


def test_leaving_out_the_only_row() -> None:
    estimator = RKDE(bandwidth=1.0).fit([[3.0, 1.0]])
    assert estimator.leave_one_out_log_density().tolist() == [-math.inf]
    assert estimator.score_samples([[3.0, 1.0]])[0] == estimator.offset_
    assert estimator.predict([[3.0, 1.0]]).tolist() == [1]


def test_leaving_out_a_row_without_weight() -> None:
    estimator = RKDE(bandwidth=1.0).fit(DATA)
    assert estimator.weights_[-1] == 0
    assert estimator.leave_one_out_log_density()[-1] == estimator.score_samples([DATA[-1]])[0]


@pytest.mark.parametrize("loss", ["quadratic", "absolute", "huber", "hampel"])
@pytest.mark.parametrize("thresholds", [None, "given"])
def test_equal_rows_with_a_bandwidth(loss: Any, thresholds: str | None) -> None:
    given = {"huber": (0.5,), "hampel": (0.5, 0.6, 0.7)}.get(loss) if thresholds else None
    estimator = RKDE(bandwidth=1.0, loss=loss, thresholds=given).fit([[3.0]] * 3)
    np.testing.assert_array_equal(estimator.weights_, [1 / 3] * 3)
    assert estimator.status_ == "single_location"
    exact = -0.91893853320467274178
    assert abs(estimator.score_samples([[3.0]])[0] - exact) <= tolerances.log_density_bound(exact, 1.0, 3, 1)


def test_a_score_beyond_float64_has_a_label() -> None:
    X = [[0.0], [1e-200], [0.5], [1.0], [1e200]]
    estimator = RKDE(bandwidth=1.0, loss="huber", contamination=0.1).fit(X)
    # The row at 1e200 has a weight, and so a density; what lies beside it has none that is a float.
    assert np.isfinite(estimator.score_samples(X)).all()
    assert estimator.predict([[0.0], [9e199]]).tolist() == [1, -1]
    removed = RKDE(bandwidth=1.0, loss="huber", thresholds=(0.5,), contamination=0.1)
    removed.fit(X, sample_weight=[1, 1, 1, 1, 0])
    assert removed.score_samples([[1e200]]).tolist() == [-math.inf]
    trimmed = RKDE(bandwidth=1.0, thresholds=(0.4, 0.6, 0.9), contamination=0.1).fit(X)
    assert trimmed.weights_[-1] == 0
    assert trimmed.offset_ == -math.inf
    # A tie with the offset is normal, at infinity too.
    assert trimmed.decision_function(X)[-1] == 0
    assert (trimmed.predict(X) == 1).all()


@pytest.mark.parametrize("counts", [None, [1, 0, 2, 1, 3, 1]])
def test_training_rows_are_explained_without_themselves(counts: list[int] | None) -> None:
    estimator = RKDE(bandwidth=1.0).fit(DATA, sample_weight=counts)
    found = estimator.explain(rows=range(6))
    # One is summed without the row, the other a difference that may cost a bit: twice the error.
    expected = estimator.leave_one_out_log_density()
    size = float(np.abs(expected).max())
    bound = 3 * tolerances.log_density_bound(size, 1.0, 8, 1) + tolerances.without_row_bound(8, 1 / 2)
    assert (np.abs(found.log_density - expected) <= bound).all()
    assert found.columns == ()


def test_explanations_name_the_columns_of_a_data_frame() -> None:
    frames = pytest.importorskip("pandas")
    rng = np.random.default_rng(SEED)
    table = frames.DataFrame(rng.normal(size=(50, 2)), columns=["age", "income"])
    table.loc[4, "income"] = 9.0
    estimator = RKDE().fit(table)
    found = estimator.explain(rows=[4])
    assert repr(found).startswith("row 4: column 'income' (surprise ")
    new = estimator.explain(table[:1])
    assert new.columns == found.columns == ("age", "income")
    assert repr(new).startswith("query 0: ")
    with pytest.raises(InvalidInput, match="queries must be given unless rows are"):
        estimator.explain()
    with pytest.raises(ValueError, match="feature names"):
        estimator.explain(table[["income", "age"]])


def test_the_rows_themselves_say_how_many_stand_out() -> None:
    rng = np.random.default_rng(SEED)
    good, bad = rng.normal(size=(300, 2)), 9 * np.array([[1, 1], [-1, 1], [2, 0], [0, -2], [-1, -1], [0, 2]])
    estimator = RKDE(contamination="auto").fit(np.vstack([good, bad]))
    labels = estimator.predict(np.vstack([good, bad]))
    assert (labels[300:] == -1).all()
    # A false discovery rate of 5 % of seven or eight rows is less than one; a few more are bad luck.
    assert (labels[:300] == -1).sum() <= 3
    chances = estimator.tail_probabilities()
    assert chances.shape == (306,)
    assert chances[300:].max() < chances[:300].min()
    assert estimator.tail_probabilities([[0.0, 0.0], [40.0, 0.0]]).round(2).tolist() == [1.0, 0.0]
    assert estimator.in_region([[0.0, 0.0], [12.0, -9.0]]).tolist() == [True, False]


def test_too_few_rows_have_no_tail() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        estimator = RKDE(contamination="auto").fit([[0.0], [1.0], [2.0], [50.0]])
    assert estimator.offset_ == -np.inf
    assert (estimator.predict([[0.0], [1e9]]) == 1).all()


def test_counts_are_copies_for_the_rows_that_stand_out() -> None:
    rng = np.random.default_rng(SEED)
    rows = np.vstack([rng.normal(size=(60, 2)), [[9.0, 9.0]]])
    counts = rng.integers(1, 4, 61)
    one = RKDE(contamination="auto").fit(rows, sample_weight=counts)
    two = RKDE(contamination="auto").fit(np.repeat(rows, counts, axis=0))
    assert one.offset_ == pytest.approx(two.offset_, rel=tolerances.contracting_path_bound())


@pytest.mark.parametrize("loss", ["hampel", "huber", "absolute", "quadratic"])
def test_what_stands_out_does_so_under_every_loss(loss: str) -> None:
    rng = np.random.default_rng(SEED)
    rows = np.vstack([rng.normal(size=(300, 2)), [[9.0, 9.0], [-60.0, 0.0], [0.0, 1e4]]])
    labels = RKDE(contamination="auto", loss=loss).fit_predict(rows)
    assert (labels[300:] == -1).all()
    assert (labels[:300] == -1).sum() <= 4
