"""Log densities: one answer for every engine, block size, batch and number of threads, however far out."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from scipy.spatial import cKDTree

import rkde.fast as rk
from rkde.errors import InvalidInput, MemoryLimit
from rkde.fast._float64 import scale_rows
from rkde.fast.operators.cutoff import tree_radius, tree_rows
from rkde.fast.operators.log_density import _RUN, Chunk, KernelMixture, NearDensities
from rkde.fast.rkhs import mixture_log_density
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import Problem
from rkde.proofs_checks.tolerances import left_out_bound, sum_order_bound
from tests.engines.support import can_truncate, contaminated, each_name
from tests.support.compare import assert_within
from tests.support.conditioning import normaliser_terms
from tests.support.implementations import FAST, REFERENCE

# 81 points on a lattice, on which trees with node bounds lose count.
LATTICE = [[10.0 * cell for cell in cells] for cells in product(range(3), repeat=4)]
LATTICE_QUERIES = [[k, 5.0, 5.0, 5.0] for k in (5.0, 4.0, 3.0, 2.0, 0.0)]
LATTICE_LOGS = ["-55.2976145652513485", "-51.49071635", "-47.99076174", "-45.49076175", "-43.49076175"]


def bounds(kernel: Any, logs: Any, n: int, dim: int) -> list[float]:
    """What the direct sum may be off, and what leaving out near nothing adds."""
    terms = abs(kernel.log_normaliser(dim)) + dim
    return [
        tolerances.log_density_bound(float(value), terms, n, dim) + left_out_bound()
        if math.isfinite(value)
        else 0.0
        for value in logs
    ]


@each_name
def test_the_lattice_on_which_other_trees_are_wrong_by_many_nats(engine: Any) -> None:
    kernel = rk.Gaussian(1.0)
    logs = rk.log_density(LATTICE, kernel, np.full(81, 1 / 81), LATTICE_QUERIES, engine=engine)
    for value, printed in zip(logs, LATTICE_LOGS, strict=True):
        digits = tolerances.printed_digits(len(printed.partition(".")[2]))
        rounding = bounds(kernel, [value], 81, 4)[0]
        assert_within(value, printed, digits + rounding, printed)


@each_name
@pytest.mark.parametrize("m", [1, 3, 50])
def test_weights_count_in_batches_of_every_size(engine: Any, m: int) -> None:
    X, raw = [[0.0, 1.0], [2.0, 0.0], [-1.0, -1.0]], np.array([3.0, 1.0, 2.0])
    queries = [[-1.0, 1.0], [0.0, 0.0], [2.0, 2.5]]
    wanted = ["-2.80369552108978042", "-2.57540084085659542", "-6.67986350201793225"]
    batch = [queries[index % 3] for index in range(m)]
    kernel = rk.Gaussian(0.8)
    logs = rk.log_density(X, kernel, raw / raw.sum(), batch, engine=engine)
    assert_within(logs, [wanted[index % 3] for index in range(m)], bounds(kernel, logs, 3, 2), "log f")


@each_name
def test_float32_and_integers_are_the_same_numbers(engine: Any) -> None:
    table = np.array([[10000.0], [10001.0]], dtype=np.float32)
    logs = rk.log_density(table, rk.Gaussian(1.0), [0.5, 0.5], table[:1], engine=engine)
    assert_within(logs, ["-1.13800872958451137"], bounds(rk.Gaussian(1.0), logs, 2, 1), "float32")
    high = np.zeros((1, 16), dtype=np.float32)
    narrow = rk.Gaussian(1e-3)
    peak = rk.log_density(high, narrow, [1.0], high, engine=engine)
    assert_within(peak, ["95.821067932439429"], bounds(narrow, peak, 1, 16), "16 dimensions")
    assert peak.dtype == np.float64
    whole = rk.log_density(np.array([[10000], [10001]]), rk.Gaussian(1), [0.5, 0.5], [[10000]], engine=engine)
    assert (whole == logs).all()


@given(problem=strategies.problems())
def test_near_rows_on_adversarial_data(problem: Problem) -> None:
    assume(can_truncate(problem.kernel.name))
    kernel = FAST.kernel(problem.kernel)
    far = (np.array(problem.X[:2]) + 1e3 * problem.kernel.bandwidth).tolist()
    queries = problem.X + far
    expected = REFERENCE.call("log_density", problem.X, problem.kernel, problem.weights, queries)
    n, dim = len(problem.X), len(problem.X[0])
    terms = normaliser_terms(problem.kernel, dim)
    bound = [tolerances.log_density_bound(float(v), terms, n, dim) + left_out_bound() for v in expected]
    actual = rk.log_density(problem.X, kernel, problem.weights, queries, engine="sparse")
    assert_within(actual, expected, bound, "log f")


@pytest.mark.parametrize("kernel", [rk.Gaussian(0.2), rk.Laplacian(0.05)], ids=["gaussian", "laplacian"])
@pytest.mark.parametrize("dim", [1, 3])
def test_near_rows_give_what_all_rows_give(kernel: Any, dim: int) -> None:
    X = contaminated(900, dim)
    weights = np.linspace(0, 1, 900) ** 3
    weights[::7] = 0
    weights /= weights.sum()
    rng = np.random.default_rng(5)
    queries = np.vstack([X[:200], rng.uniform(-9, 9, (100, dim)), rng.uniform(-3e4, 3e4, (30, dim))])
    logs = [rk.log_density(X, kernel, weights, queries, engine=name) for name in ("dense", "sparse")]
    bound = [2 * value for value in bounds(kernel, logs[0], 900, dim)]
    assert_within(logs[1], logs[0], bound, "log f")
    assert np.isfinite(logs[1]).all()


@pytest.mark.parametrize("distance", [1e154, 1e200, 8e307])
def test_a_query_whose_square_overflows_has_its_density(distance: float) -> None:
    kernel = rk.Student(0.5, 3.0)
    # All rows are at the same distance, to many more digits than there are: the profile is (u^2 / 3)^-2.
    logs = rk.log_density([[0.0], [1.0]], kernel, [0.5, 0.5], [[distance]])
    wanted = kernel.log_normaliser(1) - 4 * math.log(distance / 0.5 / math.sqrt(3.0))
    assert_within(logs, [wanted], [2 * value for value in bounds(kernel, logs, 2, 1)], "log f")


def test_blocks_and_threads_change_nothing() -> None:
    X = contaminated(700, 2)
    kernel = rk.Gaussian(0.3)
    weights = np.full(700, 1 / 700)
    whole = mixture_log_density(X, kernel, weights, X)
    for pairs in (1, 1000, 2**20):
        assert (mixture_log_density(X, kernel, weights, X, block_pairs=pairs) == whole).all()
    limited = rk.log_density(X, kernel, weights, X, engine="dense", memory_limit=700 * 32 + 1)
    assert (limited == whole).all()
    near = [rk.log_density(X, kernel, weights, X, engine="sparse", threads=count) for count in (1, 2)]
    assert_within(near[1], near[0], sum_order_bound(700), "threads")
    short = rk.log_density(X, kernel, weights, X, engine="sparse", memory_limit="100 kB")
    assert_within(short, near[0], sum_order_bound(700), "chunks")


def test_few_queries_are_left_to_the_direct_sum() -> None:
    X = contaminated(900, 2)
    rows, queries = scale_rows(X, 0.05), scale_rows(np.vstack([X, [[1e200, 0.0]]]), 0.05)
    scores = NearDensities(KernelMixture(rk.Gaussian(0.05), rows, np.zeros(900)), cKDTree(rows.scaled))
    common = scores.common_chunks(queries, 2**12)
    assert sorted(np.concatenate([chunk.queries for chunk in common]).tolist()) == list(range(900))
    assert len(common) > 2
    further, direct = scores.further_chunks(queries, np.arange(901), 2**12)
    assert direct.tolist() == [900]
    assert sorted(np.concatenate([chunk.queries for chunk in further]).tolist()) == list(range(900))


def test_a_radius_that_is_not_enough_is_noticed() -> None:
    """A query finds one row of tiny weight within the radius, and rows beyond it count for much more."""
    kernel = rk.Gaussian(1.0)
    X = np.append(np.linspace(-1, 1, 600), 30.0)[:, np.newaxis]
    weights = np.append(np.full(600, 1 / 600), 1e-200)
    asked = np.append(X[:600:9], [[21.0]], axis=0)
    rows, queries = scale_rows(X, 1.0), scale_rows(asked, 1.0)
    scores = NearDensities(KernelMixture(kernel, rows, np.log(weights)), cKDTree(rows.scaled))
    everything = Chunk(np.arange(len(asked)), queries.scaled, tree_radius(kernel, 10.0), is_enough=False)
    is_left = np.isnan(scores.log_density(queries, everything))
    assert np.flatnonzero(is_left).tolist() == [len(asked) - 1]
    logs = [rk.log_density(X, kernel, weights, asked, engine=name) for name in ("dense", "sparse")]
    assert_within(logs[1], logs[0], [2 * value for value in bounds(kernel, logs[0], 601, 1)], "log f")


def test_what_cannot_be_scored_is_refused() -> None:
    X = contaminated(50, 2)
    weights = np.full(50, 1 / 50)
    with pytest.raises(InvalidInput, match="decays too slowly"):
        rk.log_density(X, rk.Student(1.0, 3.0), weights, X, engine="sparse")
    with pytest.raises(MemoryLimit, match="one query") as caught:
        rk.log_density(X, rk.Gaussian(1.0), weights, X, memory_limit=1000)
    assert "raise memory_limit" in str(caught.value)
    assert rk.log_density(X, rk.Gaussian(1.0), weights, np.empty((0, 2)), engine="sparse").shape == (0,)


def test_few_queries_in_a_crowd_of_rows_do_not_fill_the_memory() -> None:
    """One query in 50 has a hundred times the near rows of the others, and a sample need not see one."""
    rng = np.random.default_rng(8)
    rows = rng.uniform(0, 1000, (3000, 2))
    rows[:300] = 500 + rng.standard_normal((300, 2)) / 100
    asked = rng.uniform(0, 1000, (2000, 2))
    asked[7:2000:50] = 500 + rng.standard_normal((40, 2)) / 100
    scaled, queries = scale_rows(rows, 1.0), scale_rows(asked, 1.0)
    tree = cKDTree(scaled.scaled)
    scores = NearDensities(KernelMixture(rk.Gaussian(1.0), scaled, np.zeros(3000)), tree)
    pairs = 1000
    chunks = scores.common_chunks(queries, pairs)
    further, _ = scores.further_chunks(queries, np.arange(2000), pairs)
    assert sorted(np.concatenate([chunk.queries for chunk in chunks]).tolist()) == list(range(2000))
    for chunk in chunks + further:
        counts = tree.query_ball_point(chunk.points, chunk.radius, return_length=True)
        # A query has 301 near rows at most, and all of a run whose first one has few may have so many.
        assert np.sum(counts) <= pairs + 301 * _RUN


def test_all_rows_beyond_a_radius_are_reckoned_with() -> None:
    """Many rows a little beyond the radius are more than a rounding together, though none is alone."""
    kernel, radius = rk.Gaussian(1.0), 10.0
    beyond = radius + np.arange(1, 1000) / 2**14
    rows, queries = scale_rows(np.append(0.0, beyond)[:, np.newaxis], 1.0), scale_rows(np.zeros((1, 1)), 1.0)
    # The near row's weight, over that of the others: one of them adds 1/30 of what may be left out.
    near = kernel.log_profile(np.array([radius**2]))[0] + 53 * math.log(2) + math.log(30)
    offsets = np.append(0.0, np.full(999, -near))
    scores = NearDensities(KernelMixture(kernel, rows, offsets), cKDTree(rows.scaled))
    chunk = Chunk(np.arange(1), queries.scaled, tree_radius(kernel, radius), is_enough=False)
    assert scores._tree.query_ball_point(chunk.points[0], chunk.radius) == [0]
    assert np.isnan(scores.log_density(queries, chunk)).all()


@pytest.mark.parametrize(("rows_at", "queries_at"), [(1.0, 1e200), (1e200, 1.0)])
def test_queries_that_are_all_out_of_reach_of_a_tree(rows_at: float, queries_at: float) -> None:
    kernel, rng = rk.Laplacian(1.0), np.random.default_rng(6)
    X, queries = rows_at * rng.standard_normal((40, 2)), queries_at * rng.standard_normal((30, 2))
    logs = [
        rk.log_density(X, kernel, np.full(40, 1 / 40), queries, engine=name) for name in ("dense", "sparse")
    ]
    assert_within(logs[1], logs[0], [2 * value for value in bounds(kernel, logs[0], 40, 2)], "log f")
    assert np.isfinite(logs[0]).all()


def test_in_many_columns_no_near_rows_are_looked_for() -> None:
    X = np.random.default_rng(6).standard_normal((1500, 9))
    weights = np.full(1500, 1 / 1500)
    logs = [rk.log_density(X, rk.Gaussian(0.2), weights, X, engine=name) for name in ("auto", "dense")]
    assert (logs[0] == logs[1]).all()


def test_a_query_beyond_the_range_of_a_tree_is_left_to_the_direct_sum() -> None:
    """In the tree it lies on a row that is far from it."""
    X = np.append(np.arange(100.0), 1e200)[:, np.newaxis]
    rows, queries = scale_rows(X, 1.0), scale_rows(np.array([[1e190]]), 1.0)
    scores = NearDensities(KernelMixture(rk.Gaussian(1.0), rows, np.zeros(101)), cKDTree(tree_rows(rows)))
    chunks, direct = scores.further_chunks(queries, np.arange(1), 2**12)
    assert (chunks, direct.tolist()) == ([], [0])
