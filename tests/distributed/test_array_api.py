"""Products by other libraries of arrays: within the stated bound, and with the same certificate."""

from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidInput, InvalidType
from rkde.fast.operators import DenseOperator, array_api_operator
from tests.engines.support import Array

pytest.importorskip("array_api_compat", reason="the extra array-api is not installed")


def float64_of(name: str) -> Any:
    """Return an array of a library in float64, or skip."""
    library: Any = pytest.importorskip(name, reason=f"{name} is not installed")
    return library.zeros(1, dtype=library.float64)


each_library = pytest.mark.parametrize("name", ["numpy", "array_api_strict", "torch"])


@each_library
@pytest.mark.parametrize("side", [64, 4096])
@pytest.mark.parametrize(
    "rows",
    [np.random.default_rng(3).normal(size=(300, 4)), np.linspace(-18.0, 18.0, 300)[:, None]],
    ids=["near", "far"],
)
def test_products_lie_within_the_stated_bound(name: str, side: int, rows: Array) -> None:
    like = float64_of(name)
    kernel = rk.Gaussian(0.9)
    operator, exact = array_api_operator(rows, kernel, like, tile_rows=side), DenseOperator(rows, kernel)
    coefficients = np.random.default_rng(4).normal(size=300)
    bound = operator.absolute_error * np.abs(coefficients).sum()
    bound += exact.relative_error * exact.proved_product(np.abs(coefficients))
    product = operator.product(coefficients)
    assert (np.abs(product - exact.proved_product(coefficients)) <= bound).all()
    assert operator.truncation < 2.0**-40


def test_arrays_that_cannot_be_written_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    like = float64_of("array_api_strict")
    monkeypatch.delattr(type(like), "__setitem__")
    rows, kernel, weights = np.linspace(-2.0, 2.0, 30)[:, None], rk.Gaussian(0.9), np.full(30, 1 / 30)
    operator, exact = array_api_operator(rows, kernel, like, tile_rows=7), DenseOperator(rows, kernel)
    difference = np.abs(operator.product(weights) - exact.proved_product(weights))
    assert difference.max() <= operator.absolute_error + 2 * exact.relative_error


@each_library
def test_exp_is_as_exact_as_the_bound_takes_it_to_be(name: str) -> None:
    like: Any = float64_of(name)
    library: Any = pytest.importorskip(name)
    arguments = -np.concatenate([np.linspace(0, 1, 4001), np.linspace(1, 700, 4001)])
    computed = np.asarray(np.from_dlpack(library.exp(library.asarray(arguments, dtype=like.dtype))))
    exact = np.exp(arguments.astype(np.longdouble))
    ulps = np.abs(computed - exact) / np.spacing(computed)
    assert ulps.max() <= 4


@pytest.mark.slow
@each_library
def test_a_fit_has_the_certificate_of_the_dense_engine(name: str) -> None:
    rows, kernel = np.random.default_rng(5).normal(size=(200, 3)), rk.Gaussian(0.8)
    ours = rk.median_rkde(rows, kernel, operator=array_api_operator(rows, kernel, float64_of(name)))
    theirs = rk.median_rkde(rows, kernel)
    assert ours.certificate is theirs.certificate is rk.Certificate.GLOBAL
    bounds = ours.weights_error_bound, theirs.weights_error_bound
    assert np.abs(ours.weights - theirs.weights).max() <= sum(bound or 0.0 for bound in bounds)


def test_what_does_not_fit_is_refused() -> None:
    like = np.zeros(1)
    with pytest.raises(
        InvalidInput, match="kernel must be the Gaussian kernel for this operator, got Laplacian"
    ):
        array_api_operator([[0.0]], rk.Laplacian(1.0), like)
    with pytest.raises(InvalidInput, match=r"X must have rows near.* spread of 1e.09 bandwidths"):
        array_api_operator([[0.0], [1e9]], rk.Gaussian(1.0), like)
    with pytest.raises(
        InvalidType, match=r"like must be a float64 array from .*, got an object of type list"
    ):
        array_api_operator([[0.0]], rk.Gaussian(1.0), [0.0])
    with pytest.raises(InvalidType, match=r"like must be a float64 array from .*float32"):
        array_api_operator([[0.0]], rk.Gaussian(1.0), np.zeros(1, np.float32))
