"""Kernels and losses by name, flat arrays and named columns mean the same on every surface."""

from typing import Any

import numpy as np
import pytest

import rkde
import rkde.fast as rk
from rkde.errors import InvalidInput
from tests.support.implementations import Implementation

X = np.random.default_rng(5).normal([4.0, -2.0], 1.0, (30, 2))
ROWS = [[0.0], [0.5], [1.5], [2.0], [7.0]]
FLAT = [row[0] for row in ROWS]
LOSSES = {"hampel": "Hampel", "huber": "Huber", "absolute": "Absolute", "quadratic": "Quadratic"}


def weights(found: Any) -> list[float]:
    return [float(weight) for weight in found.weights]


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_by_its_name(implementation: Implementation, name: str) -> None:
    kind = implementation.get(LOSSES[name])
    named = implementation.call("rkde", ROWS, bandwidth=1.0, loss=name)
    assert named.loss == implementation.call("rkde", ROWS, bandwidth=1.0, loss=kind).loss
    gaussian = implementation.get("Gaussian")(1.0)
    found = [
        implementation.call("influence_total", ROWS, gaussian, [[3.0]], loss=given) for given in (name, kind)
    ]
    assert str(found[0].if_coef) == str(found[1].if_coef)


@pytest.mark.parametrize(("name", "kind"), [("gaussian", "Gaussian"), ("laplacian", "Laplacian")])
def test_a_kernel_by_its_name(implementation: Implementation, name: str, kind: str) -> None:
    named = implementation.call("rkde", ROWS, bandwidth=1.0, kernel=name)
    direct = implementation.call("rkde", ROWS, bandwidth=1.0, kernel=implementation.get(kind))
    assert named.kernel == direct.kernel
    assert weights(named) == weights(direct)


def test_student_needs_its_degrees_of_freedom(implementation: Implementation) -> None:
    student = implementation.get("Student")
    named = implementation.call("rkde", ROWS, bandwidth=1.0, kernel="student", dof=3)
    assert (
        named.kernel
        == implementation.call("rkde", ROWS, bandwidth=1.0, kernel=lambda h: student(h, 3)).kernel
    )
    with pytest.raises(InvalidInput, match="dof must be given"):
        implementation.call("rkde", ROWS, bandwidth=1.0, kernel="student")
    with pytest.raises(InvalidInput, match="dof must be None"):
        implementation.call("rkde", ROWS, bandwidth=1.0, dof=3)


def test_a_flat_sequence_is_one_column(implementation: Implementation) -> None:
    flat, table = (implementation.call("rkde", rows, bandwidth=1.0) for rows in (FLAT, ROWS))
    assert weights(flat) == weights(table)
    queries = [[0.25], [3.0]]
    found = [implementation.method(flat, "log_density", at) for at in (queries, [0.25, 3.0])]
    assert [str(value) for value in found[0]] == [str(value) for value in found[1]]
    # Of several columns a flat array of queries may be one row or a mistake.
    plane = implementation.call("rkde", X[:6].tolist(), bandwidth=1.0)
    with pytest.raises(InvalidInput, match="as many columns as the data"):
        implementation.method(plane, "log_density", [0.25, 3.0])


@pytest.mark.parametrize("given", [FLAT, np.array(FLAT), tuple(FLAT)])
def test_a_flat_array_at_the_front_door(given: Any) -> None:
    assert weights(rkde.fit(given)) == weights(rkde.fit(ROWS))
    assert weights(rk.kde(given, rk.Gaussian(1.0))) == weights(rk.kde(ROWS, rk.Gaussian(1.0)))
    pytest.importorskip("sklearn", reason="needs the extra sklearn")
    # scikit-learn demands that its estimators refuse it.
    with pytest.raises(ValueError, match=r"reshape\(-1, 1\)"):
        rkde.RobustKernelDensity().fit(given)


@pytest.mark.parametrize("fit", [rkde.fit, rk.rkde])
def test_the_columns_of_a_data_frame_are_kept_and_checked(fit: Any, tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas", reason="needs a data frame")
    frame = pandas.DataFrame(X, columns=["height", "mass"])
    model = fit(frame, bandwidth=1.0)
    assert model.columns == ("height", "mass")
    same = model.log_density(X)
    assert model.log_density(frame).tolist() == same.tolist()
    for wrong in (frame[["mass", "height"]], frame.rename(columns={"mass": "age"})):
        with pytest.raises(InvalidInput, match=r"must have the columns of the fit .*'mass'"):
            model.log_density(wrong)
    rk.save_model(tmp_path / "m.npz", model)
    assert rk.load_model(tmp_path / "m.npz").columns == ("height", "mass")
    assert fit(X, bandwidth=1.0).columns == ()
    # Names that are no text are numbers of columns, as pandas gives them.
    assert fit(pandas.DataFrame(X), bandwidth=1.0).columns == ()
