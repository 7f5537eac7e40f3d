"""Parameters that break a rule are refused by name, and none is ignored; more stand in `tests/inputs`."""

from typing import Any

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput, InvalidType
from rkde.fast import Absolute, Gaussian, Hampel, Huber, Laplacian, Quadratic, Student

DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
RKDE = rkde.RobustKernelDensity

WRONG: list[tuple[str, dict[str, Any], type[InvalidInput]]] = [
    ("dof", {"kernel": "student"}, InvalidInput),
    ("dof", {"kernel": "student", "dof": 0}, InvalidInput),
    ("dof", {"kernel": "student", "dof": "3"}, InvalidType),
    ("dof", {"dof": 3}, InvalidInput),
    ("dof", {"kernel": Student(1.0, 2.0), "dof": 3}, InvalidInput),
    ("bandwidth", {"bandwidth": lambda _: "scott"}, InvalidType),
    ("bandwidth", {"bandwidth": lambda X: -X.std()}, InvalidInput),
    ("bandwidth", {"kernel": Gaussian(1.0), "bandwidth": 2.0}, InvalidInput),
    ("loss", {"loss": 1.0}, InvalidType),
    ("loss", {"loss": float}, InvalidType),
    ("thresholds", {"loss": "huber", "thresholds": (1, 2, 3)}, InvalidInput),
    ("thresholds", {"thresholds": (0.5,)}, InvalidInput),
    ("thresholds", {"loss": "absolute", "thresholds": (0.5,)}, InvalidInput),
    ("thresholds", {"loss": Hampel(0.1, 0.2, 0.3), "thresholds": (0.1, 0.2, 0.3)}, InvalidInput),
    ("thresholds", {"loss": Quadratic(), "thresholds": (0.1,)}, InvalidInput),
    ("thresholds", {"thresholds": 0.5}, InvalidType),
    ("quantiles", {"thresholds": (0.4, 0.5, 0.6), "quantiles": (0.5, 0.6, 0.7)}, InvalidInput),
    ("quantile_rule", {"loss": Huber(0.5), "quantile_rule": "hazen"}, InvalidInput),
    ("quantile_rule", {"quantile_rule": "type7"}, InvalidInput),
    ("recipe", {"recipe": "book"}, InvalidInput),
    ("start", {"start": [1.0]}, InvalidInput),
    ("stop", {"stop": 1e-8}, InvalidType),
    ("stop.tol", {"tol": 0}, InvalidInput),
    ("max_iter", {"max_iter": -1}, InvalidInput),
    ("stop, count", {"stop": "fixed_steps", "max_iter": 1.5}, InvalidType),
    ("solver", {"solver": "newton"}, InvalidInput),
    ("solver", {"solver": "anderson", "stop": "fixed_steps"}, InvalidInput),
    ("on_degenerate", {"on_degenerate": "ignore"}, InvalidInput),
]


@pytest.mark.parametrize(
    ("where", "parameters", "kind"), WRONG, ids=[f"{w}-{i}" for i, (w, *_) in enumerate(WRONG)]
)
def test_wrong_parameters(where: str, parameters: dict[str, Any], kind: type[InvalidInput]) -> None:
    with pytest.raises(kind) as caught:
        RKDE(**{"bandwidth": 1.0 if "kernel" not in parameters else "median_nn", **parameters}).fit(DATA)
    assert caught.value.where == where
    assert caught.value.remedy


@pytest.mark.parametrize("where", ["start", "stop.tol", "max_iter", "solver", "recipe"])
def test_wrong_parameters_beside_given_thresholds(where: str) -> None:
    parameters = next(given for place, given, _ in WRONG if place == where)
    with pytest.raises(InvalidInput) as caught:
        RKDE(**{"bandwidth": 1.0, "loss": "huber", "thresholds": (0.5,), **parameters}).fit(DATA)
    assert caught.value.where in (where, "weights_init")


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("gaussian", Gaussian(1.5)),
        ("laplacian", Laplacian(1.5)),
        (Gaussian, Gaussian(1.5)),
        (lambda h: Student(h, 4.0), Student(1.5, 4.0)),
        (Student(1.5, 4.0), Student(1.5, 4.0)),
    ],
)
def test_kernels_by_name_class_function_and_object(kernel: Any, expected: Any) -> None:
    assert RKDE(kernel=kernel, bandwidth=1.5).fit(DATA).model_.kernel == expected


def test_a_kernel_object_brings_its_bandwidth() -> None:
    estimator = RKDE(kernel=Student(1.5, 4.0)).fit(DATA)
    assert (estimator.bandwidth_, estimator.model_.kernel) == (1.5, Student(1.5, 4.0))


@pytest.mark.parametrize(
    ("name", "kind", "given"),
    [
        ("absolute", Absolute, Absolute()),
        ("quadratic", Quadratic, Quadratic()),
        ("huber", Huber, None),
        ("hampel", Hampel, None),
    ],
)
def test_losses_by_name_class_and_object(name: Any, kind: Any, given: Any) -> None:
    fits = [RKDE(bandwidth=1.0, loss=loss).fit(DATA) for loss in (name, kind, given) if loss is not None]
    for estimator in fits:
        np.testing.assert_array_equal(estimator.weights_, fits[0].weights_)
        assert isinstance(estimator.model_.loss, kind)
