"""Any sequence of calls of the estimator: what it says is what a new one with the same history says."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rkde import RobustKernelDensity
from rkde.errors import RkdeError, RkdeWarning

TABLES = {
    "two columns": np.random.default_rng(0).standard_normal((12, 2)),
    "other two": np.random.default_rng(1).uniform(-3, 3, (9, 2)),
    "one column": np.random.default_rng(2).standard_normal((10, 1)),
    "ties": np.repeat([[0.0, 1.0], [2.0, 3.0], [4.0, 9.0]], 4, axis=0),
}
HOLE = np.where(np.arange(24).reshape(12, 2) == 7, np.nan, TABLES["two columns"])
GOOD: dict[str, list[Any]] = {
    "bandwidth": [None, 0.5, 2.0, "scott"],
    "loss": ["hampel", "huber", "quadratic"],
    "kernel": ["gaussian", "laplacian"],
    "recipe": ["practical", "paper"],
    "contamination": [0.1, 0.5, "auto"],
}
BAD: dict[str, list[Any]] = {
    "bandwidth": [0, -1.0, "wide"],
    "loss": ["tukey"],
    "contamination": [0, 2.0],
    "max_iter": [-1],
}
STEPS = 12
FEW, MANY = 4, 100
pairs = st.sampled_from([(name, value) for name, values in GOOD.items() for value in values])
bad_pairs = st.sampled_from([(name, value) for name, values in BAD.items() for value in values])


class EstimatorStates(RuleBasedStateMachine):
    """An estimator beside what it must remember: its parameters, and the parameters and rows of its fit."""

    @initialize()
    def begin(self) -> None:
        self.estimator = RobustKernelDensity()
        self.given = self.estimator.get_params()
        self.fitted: tuple[dict[str, Any], str, bool] | None = None
        self.labels: np.ndarray | None = None

    def _fit(self, estimator: RobustKernelDensity, name: str, *, weighted: bool) -> Exception | None:
        X = TABLES[name]
        weights = np.arange(1, len(X) + 1) if weighted else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RkdeWarning)
            try:
                assert estimator.fit(X, sample_weight=weights) is estimator
            except RkdeError as error:
                return error
        return None

    @rule(pair=pairs)
    def set_parameter(self, pair: tuple[str, Any]) -> None:
        self.estimator.set_params(**{pair[0]: pair[1]})
        self.given[pair[0]] = pair[1]

    @rule(name=st.sampled_from(sorted(TABLES)), weighted=st.booleans())
    def fit(self, name: str, weighted: bool) -> None:
        failed = self._fit(self.estimator, name, weighted=weighted)
        again = RobustKernelDensity(**self.given)
        assert type(self._fit(again, name, weighted=weighted)) is type(failed)
        if failed is None:
            self.fitted = (dict(self.given), name, weighted)
            self.labels = again.predict(TABLES[name])

    @rule(pair=bad_pairs, name=st.sampled_from(sorted(TABLES)))
    def fit_with_a_bad_parameter(self, pair: tuple[str, Any], name: str) -> None:
        good = self.given[pair[0]]
        self.estimator.set_params(**{pair[0]: pair[1]})
        assert self._fit(self.estimator, name, weighted=False) is not None
        self.estimator.set_params(**{pair[0]: good})

    @rule()
    def fit_with_a_hole(self) -> None:
        with pytest.raises(RkdeError):
            self.estimator.fit(HOLE)

    @rule(how=st.sampled_from(["clone", "pickle", "deepcopy"]))
    def replace(self, how: str) -> None:
        if how == "clone":
            self.estimator, self.fitted = clone(self.estimator), None
        elif how == "pickle":
            self.estimator = pickle.loads(pickle.dumps(self.estimator))  # noqa: S301 (its own)
        else:
            self.estimator = copy.deepcopy(self.estimator)

    @rule(seed=st.integers(0, 3))
    def draw(self, seed: int) -> None:
        if self.fitted is not None:
            first, second = (self.estimator.sample(3, random_state=seed) for _ in range(2))
            np.testing.assert_array_equal(first, second)

    @invariant()
    def parameters_are_those_given(self) -> None:
        assert self.estimator.get_params() == self.given

    @invariant()
    def answers_are_those_of_a_new_estimator(self) -> None:
        if self.fitted is None:
            with pytest.raises(NotFittedError):
                self.estimator.score_samples(TABLES["two columns"])
            return
        parameters, name, weighted = self.fitted
        X = TABLES[name]
        assert self.estimator.n_features_in_ == X.shape[1]
        np.testing.assert_array_equal(self.estimator.predict(X), self.labels)
        again = RobustKernelDensity(**parameters)
        assert self._fit(again, name, weighted=weighted) is None
        np.testing.assert_array_equal(self.estimator.score_samples(X), again.score_samples(X))


class ManyEstimatorStates(EstimatorStates):
    """The same, for longer."""


TestEstimatorStates = EstimatorStates.TestCase
TestEstimatorStates.settings = settings(max_examples=FEW, stateful_step_count=STEPS, deadline=None)
TestManyEstimatorStates = pytest.mark.slow(ManyEstimatorStates.TestCase)
TestManyEstimatorStates.settings = settings(max_examples=MANY, stateful_step_count=STEPS, deadline=None)


@pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError])
def test_an_ended_fit_leaves_the_last(failure: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    X, other = TABLES["two columns"], TABLES["one column"]
    estimator = RobustKernelDensity().fit(X)
    before = estimator.score_samples(X), estimator.predict(X), estimator.n_features_in_

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(RobustKernelDensity, "_offset", fail)
    for table in (other, 2 * X):
        with pytest.raises(failure):
            estimator.fit(table)
        np.testing.assert_array_equal(estimator.score_samples(X), before[0])
        np.testing.assert_array_equal(estimator.predict(X), before[1])
        assert estimator.n_features_in_ == before[2]
