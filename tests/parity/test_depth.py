"""Kernelized spatial depth of the named data sets, at rows, between them and far out."""

import math

import pytest

from rkde.proofs_checks.tolerances import depth_bound
from tests.support.compare import assert_within
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE, Implementation, exact

each_set = pytest.mark.parametrize("data", SMALL, ids=repr)


@each_set
def test_depth(candidate: Implementation, data: NamedData) -> None:
    first, second = data.X[0], data.X[1]
    scale = float(data.kernel.bandwidth)
    queries = [
        first,
        [(left + right) / 2 for left, right in zip(first, second, strict=True)],
        *([cell + factor * scale for cell in second] for factor in (0.5, 50.0)),
    ]
    kernel = REFERENCE.kernel(data.kernel)
    wanted = REFERENCE.call("depth", data.X, kernel, queries)
    norms = [
        [_norm(kernel, query, row) for row in data.X] for query in queries
    ]  # fmt: skip
    bounds = [depth_bound(each, float(value), len(first)) for each, value in zip(norms, wanted, strict=True)]
    assert_within(candidate.call("depth", data.X, data.kernel, queries), wanted, bounds, "depth")


def _norm(kernel: object, query: list[float], row: list[float]) -> float:
    square = sum((exact(left) - exact(right)) ** 2 for left, right in zip(query, row, strict=True))
    return math.sqrt(2 * float(REFERENCE.method(kernel, "complement", square, len(query))))
