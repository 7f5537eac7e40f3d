"""What users of scikit-learn do with an estimator: pipelines, searches, frames, copies, files."""

import copy
import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rkde
from rkde.fast import FixedSteps, Gaussian, Hampel, RelativeObjective, load_model, save_model
from rkde.fast import rkde as fit_rkde
from rkde.proofs_checks import tolerances

SEED = 20_120_905
DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
QUERIES = np.array([[-3.0], [0.1], [2.0], [30.0]])
ATTRIBUTES = (
    "weights_",
    "residual_norms_",
    "median_residual_norms_",
    "objective_path_",
    "bandwidth_",
    "thresholds_",
    "offset_",
    "effective_sample_size_",
    "zero_weight_share_",
)


def blobs() -> np.ndarray:
    rng = np.random.default_rng(SEED)
    return np.concatenate((rng.normal(size=(50, 2)), rng.uniform(-20, 20, size=(6, 2))))


def test_a_pipeline_scales_before_it_fits() -> None:
    X = blobs() * [1.0, 1000.0]
    pipeline = make_pipeline(StandardScaler(), rkde.RobustKernelDensity()).fit(X)
    scaled = StandardScaler().fit_transform(X)
    direct = rkde.RobustKernelDensity().fit(scaled)
    np.testing.assert_array_equal(pipeline.score_samples(X), direct.score_samples(scaled))
    np.testing.assert_array_equal(pipeline.predict(X), direct.predict(scaled))
    assert pipeline.score(X) == direct.score(scaled)
    # Another unit of measurement is none of the pipeline's business.
    again = make_pipeline(StandardScaler(), rkde.RobustKernelDensity()).fit(X * [2.0, 0.5])
    np.testing.assert_array_equal(again.predict(X * [2.0, 0.5]), pipeline.predict(X))


def test_a_grid_search_finds_the_bandwidth_of_the_largest_likelihood() -> None:
    grid = {"bandwidth": [0.01, 0.5, 50.0], "loss": ["hampel", "huber"]}
    X = np.random.default_rng(SEED).normal(size=(60, 1))
    estimator = rkde.RobustKernelDensity(recipe="paper", on_degenerate="warn")
    search = GridSearchCV(estimator, grid, cv=3, error_score="raise")
    with pytest.warns(rkde.errors.DegenerateThresholdsWarning):
        # Isolated rows are equally far from f_med, and that is the bandwidth 0.01.
        search.fit(X)
    assert search.best_params_["bandwidth"] == 0.5
    scores = search.cv_results_["mean_test_score"]
    assert search.best_score_ == scores.max() > scores.min()


def test_score_is_the_sum_of_the_log_densities() -> None:
    estimator = rkde.RobustKernelDensity(bandwidth=1.0).fit(DATA)
    assert estimator.score(QUERIES) == estimator.score_samples(QUERIES).sum()
    np.testing.assert_array_equal(estimator.density(QUERIES), np.exp(estimator.score_samples(QUERIES)))


def test_it_is_the_functional_fit() -> None:
    estimator = rkde.RobustKernelDensity(bandwidth=1.0, recipe="paper").fit(DATA)
    model = fit_rkde(DATA, bandwidth=1.0)
    np.testing.assert_array_equal(estimator.weights_, model.weights)
    np.testing.assert_array_equal(estimator.residual_norms_, model.residual_norms)
    np.testing.assert_array_equal(estimator.median_residual_norms_, model.median.residual_norms)
    np.testing.assert_array_equal(estimator.objective_path_, model.objective_path)
    np.testing.assert_array_equal(estimator.score_samples(QUERIES), model.log_density(QUERIES))
    assert estimator.thresholds_ == model.thresholds
    assert (estimator.status_, estimator.n_iter_) == (model.status, model.n_iter)
    assert estimator.error_bound_ == model.error_bound
    assert estimator.certificate_ is None
    assert estimator.bandwidth_rule_ is None
    assert estimator.converged_


def test_given_thresholds_are_used_as_they_are() -> None:
    by_recipe = rkde.RobustKernelDensity(bandwidth=1.0, recipe="paper").fit(DATA)
    by_number = rkde.RobustKernelDensity(bandwidth=1.0, thresholds=by_recipe.thresholds_).fit(DATA)
    by_object = rkde.RobustKernelDensity(
        kernel=Gaussian(1.0), loss=Hampel(*by_recipe.thresholds_), stop=RelativeObjective(1e-8)
    ).fit(DATA)
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(by_number, name), getattr(by_recipe, name))
        np.testing.assert_array_equal(getattr(by_object, name), getattr(by_recipe, name))
    assert by_number.model_.recipe == "custom"
    assert by_number.model_.quantiles is None


def test_a_rule_for_the_bandwidth_with_given_thresholds() -> None:
    estimator = rkde.RobustKernelDensity(thresholds=(0.3, 0.5, 0.9), bandwidth="scott").fit(DATA)
    assert estimator.bandwidth_rule_ == "scott"
    assert estimator.bandwidth_ == rkde.RobustKernelDensity(bandwidth="scott").fit(DATA).bandwidth_


def test_a_function_may_choose_the_bandwidth() -> None:
    estimator = rkde.RobustKernelDensity(bandwidth=lambda X: float(np.ptp(X)) / 8).fit(DATA)
    assert (estimator.bandwidth_, estimator.bandwidth_rule_) == (1.0, None)


def test_stopping_rules_by_name() -> None:
    fixed = rkde.RobustKernelDensity(bandwidth=1.0, stop="fixed_steps", max_iter=3).fit(DATA)
    same = rkde.RobustKernelDensity(bandwidth=1.0, stop=FixedSteps(3)).fit(DATA)
    assert fixed.n_iter_ == same.n_iter_ == 3
    np.testing.assert_array_equal(fixed.weights_, same.weights_)
    certified = rkde.RobustKernelDensity(bandwidth=1.0, stop="stationarity", tol=1e-12).fit(DATA)
    assert certified.certificate_ == "local_minimum"


def test_the_cap_is_a_warning() -> None:
    with pytest.warns(rkde.errors.NotConvergedWarning, match="max_iter=1 "):
        estimator = rkde.RobustKernelDensity(bandwidth=1.0, loss="huber", max_iter=1, tol=1e-15).fit(DATA)
    assert (estimator.status_, estimator.converged_) == ("max_iter", False)


def weighted() -> rkde.RobustKernelDensity:
    """The example of a public report: three rows whose weights are not whole numbers."""
    estimator = rkde.RobustKernelDensity(bandwidth=0.5, loss="quadratic")
    return estimator.fit([[1.0], [2.0], [4.0]], sample_weight=[0.2, 0.3, 0.5])


@pytest.mark.parametrize("make", [weighted, lambda: rkde.RobustKernelDensity(bandwidth=1.0).fit(DATA)])
def test_copies_give_the_same_bits(make: Any, tmp_path: Path) -> None:
    estimator = make()
    expected = estimator.score_samples(QUERIES)
    joblib.dump(estimator, tmp_path / "estimator.joblib")
    copies = [
        pickle.loads(pickle.dumps(estimator)),  # noqa: S301 (our own bytes)
        copy.deepcopy(estimator),
        joblib.load(tmp_path / "estimator.joblib"),
    ]
    for other in copies:
        np.testing.assert_array_equal(other.score_samples(QUERIES), expected)
        np.testing.assert_array_equal(
            other.leave_one_out_log_density(), estimator.leave_one_out_log_density()
        )
        for name in ATTRIBUTES:
            np.testing.assert_array_equal(getattr(other, name), getattr(estimator, name))
    save_model(tmp_path / "model.npz", estimator.model_)
    np.testing.assert_array_equal(load_model(tmp_path / "model.npz").log_density(QUERIES), expected)


def test_weighted_rows_of_a_public_report() -> None:
    exact = -1.41893238901119501
    bound = tolerances.log_density_bound(exact, 2.0, 3, 1)
    assert abs(weighted().score_samples([[1.5]])[0] - exact) <= bound
