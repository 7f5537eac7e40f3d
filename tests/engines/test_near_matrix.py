"""The dense matrix by near pairs only: the one of evaluating every pair, zeros and twos to the last bit."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist

import rkde.fast as rk
from rkde.fast._float64 import rounding as rounding_module
from rkde.fast._resources import Progress
from rkde.fast.operators import DenseOperator, SparseOperator, dense, near_pairs
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.tolerances import sum_bound
from tests.engines.support import Array, contaminated
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import FAST


def both_ways(X: Any, kernel: Any, patch: pytest.MonkeyPatch) -> tuple[DenseOperator, DenseOperator]:
    patch.setattr(dense, "_MANY_ROWS", 2)
    patch.setattr(near_pairs, "_MOST_FILL", 1.0)
    near = DenseOperator(X, kernel)
    patch.setattr(near_pairs, "_MOST_FILL", -1.0)
    return near, DenseOperator(X, kernel)


def assert_same(near: DenseOperator, every: DenseOperator) -> None:
    D, wanted = near.differences, every.differences
    # Each is within the bound of the exact matrix; below the range of full accuracy they must be equal.
    bound = 2 * tolerances.complement_bound(near.dim) * wanted
    assert ((wanted == D) | ((np.abs(D - wanted) <= bound) & (wanted > rounding_module.TINY))).all()
    for exact in (0.0, 2.0):
        assert np.array_equal(exact == D, exact == wanted)
    assert np.array_equal(D, D.T)
    assert np.array_equal(near.locations, every.locations)
    assert near.is_resolved == every.is_resolved
    assert near.nonzeros == every.nonzeros == every.kernel_evaluations


@pytest.mark.parametrize("data", [one for one in SMALL if one.kernel.name != "student"], ids=repr)
def test_small_sets(data: NamedData, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(*both_ways(data.X, FAST.kernel(data.kernel), monkeypatch))


@pytest.mark.parametrize("kernel", [rk.Gaussian(0.05), rk.Laplacian(0.02)], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_contaminated_rows(dim: int, kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    near, every = both_ways(contaminated(500, dim), kernel, monkeypatch)
    assert_same(near, every)
    assert 0 < near.kernel_evaluations < every.kernel_evaluations
    assert (np.diag(near.differences) == 0).all()


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_pairs_between_chunks(dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of several chunks, near to rows of several others."""
    monkeypatch.setattr(near_pairs, "CHUNK_PAIRS", 1000)
    X, kernel = np.random.default_rng(dim).uniform(0, 1.5, (300, dim)), rk.Gaussian(0.03 * dim)
    assert_same(*both_ways(X, kernel, monkeypatch))
    sparse = SparseOperator(X, kernel)
    # Just the pairs with a kernel value of at least one rounding: none lies on the limit.
    is_near = kernel.log_profile(pdist(X, "sqeuclidean")) >= np.log(sparse.truncation)
    assert sparse.nonzeros == np.count_nonzero(is_near) > 5000


class Coarse:
    """A kernel that is none of this package's, and that cannot tell 1 - kappa from 0 up to some distance."""

    name = "coarse"
    facts = rk.Gaussian.facts
    squared = True
    bandwidth = 1.0

    def unit_complement(self, separation: Array, dim: int) -> Array:  # noqa: ARG002
        return 1 - np.exp(-separation / 2)


for _member in vars(rk.Gaussian):
    if not hasattr(Coarse, _member):
        setattr(Coarse, _member, vars(rk.Gaussian)[_member])


@pytest.mark.parametrize(
    ("build", "kernel", "gap"),
    [
        (DenseOperator, Coarse(), 1e-12),
        (DenseOperator, rk.Gaussian(1.0), 1e-200),
        (DenseOperator, rk.Student(1.0, 1e300), 1e-160),
        (SparseOperator, rk.Gaussian(1.0), 1e-200),
    ],
)
def test_rows_that_cannot_be_told_apart_are_at_one_location(build: Any, kernel: Any, gap: float) -> None:
    operator = build([[0.0], [gap], [1.0]], kernel)
    apart = operator.block(np.arange(2), np.arange(2))[0, 1]
    assert apart < rounding_module.TINY
    assert operator.locations.tolist() == ([0, 0, 2] if apart == 0 else [0, 1, 2])
    assert not operator.is_resolved


def test_a_location_is_what_distances_of_0_connect() -> None:
    # The square of the distance between the outer two does not underflow.
    X = [[0.0], [2e-162], [4e-162], [1.0]]
    operator = DenseOperator(X, rk.Gaussian(1.0))
    assert operator.differences[0, 1] == operator.differences[1, 2] == 0 < operator.differences[0, 2]
    assert operator.locations.tolist() == [0, 0, 0, 3]


def awkward(name: str) -> Array:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((60, 2))
    return {
        "underflow": np.vstack([rows * 1e-200, np.zeros((3, 2)), rows * 1e-170]),
        "overflow": np.vstack([rows * 1e200, rows[:5] * 1e200]),
        "offset": np.vstack([rows + 1e8, rows[:4] + 1e8]),
        "crowds": np.repeat(rows[:6], 20, axis=0),
        "one place": np.ones((40, 2)),
    }[name]


@pytest.mark.parametrize("name", ["underflow", "overflow", "offset", "crowds", "one place"])
@pytest.mark.parametrize("bandwidth", [1e-171, 0.3, 1e199])
def test_awkward_rows(name: str, bandwidth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel in (rk.Gaussian(bandwidth), rk.Laplacian(bandwidth)):
        assert_same(*both_ways(awkward(name), kernel, monkeypatch))


def test_when_it_is_taken() -> None:
    X = np.random.default_rng(6).standard_normal((1100, 2))
    narrow, wide = rk.Gaussian(0.02), rk.Gaussian(2.0)
    told: list[Progress] = []
    assert DenseOperator(X, narrow, report=told.append).kernel_evaluations < 1100 * 1099 // 20
    assert (told[-1].stage, told[-1].done, told[-1].total) == ("matrix", 1100, 1100)
    every = 1100 * 1099 // 2
    assert DenseOperator(X, wide).kernel_evaluations == every
    assert DenseOperator(X, rk.Student(0.02, 3.0)).kernel_evaluations == every
    assert DenseOperator(X[:1000], narrow).kernel_evaluations == 1000 * 999 // 2
    # The matrix fits, but no chunk of pairs beside it; and just so.
    enough = 8 * 1100 * 1100 + near_pairs.CHUNK_BYTES
    assert DenseOperator(X, narrow, memory_limit=enough - 1).kernel_evaluations == every
    assert DenseOperator(X, narrow, memory_limit=enough).kernel_evaluations < every


@pytest.mark.parametrize("centre", [-50.0, 0.0, 50.0])
@pytest.mark.parametrize("column", [0, 1])
def test_chunks_are_apart_where_their_boxes_are(column: int, centre: float) -> None:
    """Wherever the origin is, and in whatever order they come."""
    box = np.array([[0.0, 0.0], [1.0, 1.0]]) + centre
    for gap in (0.5, 2.5):
        trees = cKDTree(box), cKDTree(box + (1.0 + gap) * np.eye(2)[column])
        for one, other in (trees, trees[::-1]):
            assert near_pairs._are_apart(one, other, 2.0) == (gap > 2.0)


@pytest.mark.parametrize(("size", "dim"), [(100, 2), (600, 2), (1100, 2), (1100, 7)])
def test_one_triangle_serves_until_the_whole_matrix_is_wanted(
    size: int, dim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = np.empty

    def unlike_any_entry(*given: Any, **named: Any) -> Array:
        made = empty(*given, **named)
        if made.dtype == np.float64:
            made.fill(np.nan)
        return made

    monkeypatch.setattr(np, "empty", unlike_any_entry)
    X = np.random.default_rng(1).uniform(-3, 3, (size, dim))
    kernel, coefficients = rk.Gaussian(0.2), np.arange(1.0, size + 1)
    whole = DenseOperator(X, kernel).differences
    assert np.array_equal(whole, whole.T)
    expected = (whole @ coefficients.astype(np.longdouble)).astype(float)
    for places in (slice(0, 90), slice(250, 300), slice(0, 256), slice(40, size), slice(size - 30, size)):
        for others in (slice(0, 90), slice(200, 400), slice(size // 2, size)):
            operator = DenseOperator(X, kernel)
            rows, columns = np.arange(size)[places], np.arange(size)[others]
            if len(rows) and len(columns):
                assert np.array_equal(operator.tile(rows, columns), whole[np.ix_(rows, columns)])
                assert np.array_equal(operator.row(int(rows[-1])), whole[rows[-1]])
                bound = sum_bound(size + 2) * expected
                assert (np.abs(operator.product(coefficients) - expected) <= bound).all()
                bound = operator.relative_error * expected
                assert (np.abs(operator.proved_product(coefficients) - expected) <= bound).all()
    operator = DenseOperator(X, kernel)
    same = operator.with_masses(coefficients)
    assert np.array_equal(same.block(np.arange(size)[::3], np.arange(size)), whole[::3])
    assert np.array_equal(operator.differences, whole)
    assert not operator.differences.flags.writeable


@pytest.mark.parametrize("start", [0, 60])
def test_a_view_of_the_matrix_cannot_be_written_to(start: int) -> None:
    operator = DenseOperator(contaminated(100, 2), rk.Gaussian(1.0))
    tile = operator.tile(np.arange(start, start + 20), np.arange(40))
    assert not tile.flags.writeable
