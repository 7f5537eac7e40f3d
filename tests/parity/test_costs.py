"""What a run costs, counted: kernel evaluations, products with the matrix, and the matrix that is shared."""

import numpy as np
import pytest

from rkde.errors import InvalidInput
from rkde.fast import DenseOperator, FixedSteps, Gaussian, Hampel, Huber, kirwls, median_rkde, residual_norms
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within
from tests.support.conditioning import feature_sqdist
from tests.support.datasets import ADVERSARIAL, BY_NAME, NamedData
from tests.support.implementations import FAST

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


@pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)
def test_the_matrix_is_symmetric_with_a_zero_diagonal(data: NamedData) -> None:
    matrix = DenseOperator(data.X, FAST.kernel(data.kernel)).differences
    np.testing.assert_array_equal(matrix, matrix.T)
    assert not matrix.diagonal().any()
    assert not matrix.flags.writeable
    dim = len(data.X[0])
    # Both sides have the rounding of a complement.
    bound = 2 * tolerances.complement_bound(dim) * matrix.ravel()
    assert_within(matrix, feature_sqdist(data.X, data.kernel), bound, "D")
