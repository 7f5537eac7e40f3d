"""What a run costs, counted: kernel evaluations, products with the matrix, and the matrix that is shared."""

import numpy as np
import pytest

from rkde.errors import InvalidInput
from rkde.fast import DenseOperator, FixedSteps, Gaussian, Hampel, Huber, kirwls, median_rkde, residual_norms
from tests.support.datasets import BY_NAME

X = BY_NAME["far-outliers"].X
N = len(X)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_one_product_a_step(count: int) -> None:
    operator = DenseOperator(X, Gaussian(1.0))
    kirwls(X, Gaussian(1.0), Huber(0.5), stop=FixedSteps(count), operator=operator)
    assert operator.products == count + 1


def test_each_pair_is_evaluated_once() -> None:
    operator = DenseOperator(X, Gaussian(1.0))
    median_rkde(X, Gaussian(1.0), operator=operator)
    kirwls(X, Gaussian(1.0), Hampel(0.5, 0.7, 0.9), operator=operator)
    assert operator.kernel_evaluations == N * (N - 1) // 2


def test_a_shared_matrix_gives_the_same_numbers() -> None:
    operator = DenseOperator(X, Gaussian(1.0))
    weights = [1 / N] * N
    alone = residual_norms(X, Gaussian(1.0), weights)
    np.testing.assert_array_equal(residual_norms(X, Gaussian(1.0), weights, operator=operator), alone)


@pytest.mark.parametrize("change", ["data", "kernel"])
def test_a_matrix_of_something_else_is_refused(change: str) -> None:
    operator = DenseOperator(X, Gaussian(1.0))
    rows = X[:-1] if change == "data" else X
    kernel = Gaussian(2.0) if change == "kernel" else Gaussian(1.0)
    with pytest.raises(InvalidInput) as caught:
        residual_norms(rows, kernel, [1 / len(rows)] * len(rows), operator=operator)
    assert caught.value.where == "operator"
    assert caught.value.remedy
