"""Where warnings point, and what messages call the arguments: the line and the name that the user wrote."""

import inspect
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rkde
from rkde.errors import RkdeWarning
from rkde.fast import rkde as fit_rkde

RKDE = rkde.RobustKernelDensity
TIED = np.array([[4.0], [4.0], [4.0], [4.0], [9.0], [10.0], [12.0]])
PAIR = np.array([[0.0], [3.0]])
CLUSTERS = np.array([[0.1 * k] for k in range(12)] + [[50 + 0.1 * k] for k in range(6)])
HASTY = {"bandwidth": 1.0, "loss": "huber", "max_iter": 1, "tol": 1e-15}
CALLS: dict[str, Callable[[], object]] = {
    "bandwidth": lambda: RKDE(loss="quadratic", recipe="paper").fit(TIED),
    "thresholds": lambda: RKDE(bandwidth=1.0, recipe="paper").fit(PAIR),
    "weighted": lambda: RKDE(bandwidth=1.0, recipe="paper").fit(PAIR, sample_weight=[1, 1]),
    "clusters": lambda: RKDE(bandwidth=0.2, recipe="paper").fit(CLUSTERS),
    "no neighbours": lambda: RKDE(bandwidth=1e-3).fit(CLUSTERS),
    "given thresholds": lambda: RKDE(bandwidth=0.2, thresholds=(0.82, 0.85, 0.9)).fit(CLUSTERS),
    "cap": lambda: RKDE(**HASTY).fit(CLUSTERS),
    "labels": lambda: RKDE(**HASTY).fit_predict(CLUSTERS),
    "pipeline": lambda: make_pipeline(StandardScaler(), RKDE(**HASTY)).fit(CLUSTERS),
    "search": lambda: GridSearchCV(RKDE(**HASTY), {"bandwidth": [0.5, 1.0]}, cv=2).fit(CLUSTERS),
    "function": lambda: fit_rkde(PAIR, bandwidth=1.0, on_degenerate="warn"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_warning_points_at_the_line_of_the_user(call: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[call]()
    told = [warning for warning in caught if issubclass(warning.category, RkdeWarning)]
    assert told
    _, line = inspect.getsourcelines(CALLS[call])
    assert {(warning.filename, warning.lineno) for warning in told} == {(__file__, line)}
