"""The engines of a cluster against those of one machine, within the bounds that both state."""

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.fast.distributed import DistributedPairs, DistributedTiles, cost, expected_cost
from rkde.fast.operators import SparseOperator, TiledOperator
from tests.engines.support import Array, contaminated

ROWS, FLOAT = 700, 8


def clustered(dim: int) -> Array:
    """Return rows whose distances may be taken from a matrix product."""
    return np.random.default_rng(27).normal(size=(ROWS, dim))


def assert_products_agree(far: Any, near: Any) -> None:
    """Compare every product of two engines within the sum of their bounds."""
    before = far.products
    coefficients = np.random.default_rng(28).normal(size=far.size)
    sizes = near.proved_product(np.abs(coefficients))
    total = np.abs(coefficients).sum()
    proved = (far.relative_error + near.relative_error) * sizes
    proved += (far.absolute_error + near.absolute_error) * total
    loose = proved + (far.product_error + near.product_error) * total
    assert (np.abs(far.proved_product(coefficients) - near.proved_product(coefficients)) <= proved).all()
    assert (np.abs(far.product(coefficients) - near.product(coefficients)) <= loose).all()
    # K c = sum c - D c / 2, whose sum and difference are rounded.
    rounded = loose + total * np.finfo(float).eps * far.size
    assert (np.abs(far.gram_product(coefficients) - near.gram_product(coefficients)) <= rounded).all()
    assert far.products == before + 3


@pytest.mark.parametrize("rows", [clustered(20), contaminated(ROWS, 3)], ids=["clustered", "far"])
@pytest.mark.parametrize("kernel", [rk.Gaussian(2.0), rk.Student(2.0, 3.0)], ids=["gaussian", "student"])
@pytest.mark.parametrize("shares", [1, 50])
def test_tiles_are_those_of_one_machine(client: Any, rows: Array, kernel: Any, shares: int) -> None:
    far, near = DistributedTiles(rows, kernel, client, shares=shares), TiledOperator(rows, kernel)
    assert_products_agree(far, near)
    assert far.kernel_evaluations * near.products == near.kernel_evaluations * far.products


@pytest.mark.parametrize("parts", [1, 2, 7, None])
@pytest.mark.parametrize("kernel", [rk.Gaussian(0.2), rk.Laplacian(0.05)], ids=["gaussian", "laplacian"])
def test_partitions_are_the_near_pairs_of_one_machine(client: Any, kernel: Any, parts: int | None) -> None:
    rows = contaminated(ROWS, 2)
    far, near = DistributedPairs(rows, kernel, client, parts=parts), SparseOperator(rows, kernel)
    assert_products_agree(far, near)
    assert far.locations.tolist() == near.locations.tolist()
    assert (far.halo_rows > 0) == (parts != 1)
    assert far.nonzeros >= near.nonzeros
    ours, theirs = (operator.close_sums(1.0, np.arange(1.0, ROWS + 1)) for operator in (far, near))
    # Whole numbers, whose sums are exact.
    assert np.array_equal(ours[1], theirs[1])
    some = np.arange(0, ROWS, 3)
    squares, shares = np.linspace(0.1, 1.9, len(some)), np.linspace(1.0, 0.0, len(some))
    block = near.block(some, some)
    brackets = squares[:, None] + squares - block
    norm = float(np.sqrt((shares[:, None] * shares * brackets**2).sum()))
    assert norm <= far.gram_norm(some, squares, shares) <= norm * (1 + 2.0**-20)


def test_a_row_on_the_edge_of_a_partition_has_its_neighbours_beyond(client: Any) -> None:
    # Far from 0, where the box of a partition plus the cutoff would lose digits.
    rows = 2.0**40 + np.arange(64.0)
    far = DistributedPairs(rows, rk.Gaussian(1.0), client, parts=9)
    assert_products_agree(far, SparseOperator(rows, rk.Gaussian(1.0)))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["tiles", "pairs"])
def test_a_whole_fit_has_the_weights_and_the_certificate_of_one_machine(client: Any, engine: str) -> None:
    rows, kernel = contaminated(300, 2), rk.Gaussian(0.4)
    far: Any = (
        DistributedTiles(rows, kernel, client, shares=2)
        if engine == "tiles"
        else DistributedPairs(rows, kernel, client, parts=2)
    )
    ours, theirs = rk.median_rkde(rows, kernel, operator=far), rk.median_rkde(rows, kernel)
    assert ours.certificate is theirs.certificate is rk.Certificate.GLOBAL
    bounds = ours.weights_error_bound, theirs.weights_error_bound
    assert np.abs(ours.weights - theirs.weights).max() <= sum(bound or 0.0 for bound in bounds)
    fit = rk.rkde(rows, loss="huber", operator=far)
    assert (fit.bandwidth, fit.bandwidth_rule) == (kernel.bandwidth, None)
    assert "cluster" in fit.engine_report.reason
    assert fit.status == rk.rkde(rows, loss="huber", bandwidth=kernel.bandwidth).status


def test_a_fit_takes_an_operator_and_its_bandwidth(client: Any) -> None:
    rows, kernel = contaminated(60, 2), rk.Gaussian(0.4)
    fit = rk.rkde(rows, loss="quadratic", operator=DistributedPairs(rows, kernel, client, parts=1))
    assert (fit.bandwidth, fit.bandwidth_rule) == (kernel.bandwidth, None)
    with pytest.raises(InvalidInput, match="operator must be built from the same X and kernel"):
        rk.rkde(rows, bandwidth=0.5, operator=SparseOperator(rows, kernel))


def test_counted_bytes_are_those_of_weights_and_products(client: Any) -> None:
    rows, weights = contaminated(ROWS, 2), np.full(ROWS, 1 / ROWS)
    tiles = DistributedTiles(rows, rk.Gaussian(0.4), client)
    assert (tiles.bytes_sent, tiles.bytes_received) == (rows.nbytes, 0)
    tiles.product(weights)
    assert (tiles.bytes_sent, tiles.bytes_received) == (rows.nbytes + FLOAT * ROWS, FLOAT * ROWS)
    pairs = DistributedPairs(rows, rk.Gaussian(0.4), client)
    beside = ROWS + pairs.halo_rows
    assert pairs.bytes_sent == 2 * FLOAT * beside
    pairs.product(weights)
    assert (pairs.bytes_sent, pairs.bytes_received) == (3 * FLOAT * beside, FLOAT * ROWS)


def test_rows_in_a_file_do_not_travel_are_found_from_anywhere_and_must_not_change(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, kernel, path = clustered(4), rk.Gaussian(1.0), tmp_path / "rows.npy"
    np.save(path, rows)
    monkeypatch.chdir(tmp_path)
    tiles = DistributedTiles(Path("rows.npy"), kernel, client)
    assert tiles.bytes_sent == 0
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert_products_agree(tiles, TiledOperator(rows, kernel))
    mapped = np.load(path, mmap_mode="r")
    assert rk.kirwls(mapped, kernel, rk.Huber(0.9), operator=tiles).engine == "tiled"
    # Workers check the rows when they read them first.
    unread = DistributedTiles(path, kernel, client)
    np.save(path, rows + 1e-9)
    with pytest.raises(InvalidInput, match="X must stay unchanged"):
        unread.product(np.full(ROWS, 1 / ROWS))
    np.save(path, rows)
    assert_products_agree(unread, TiledOperator(rows, kernel))


def test_a_client_has_room_for_its_vectors_alone(client: Any) -> None:
    assert DistributedPairs(np.zeros((ROWS, 2)), rk.Gaussian(1.0), client, memory_limit="1 MB").size == ROWS
    with pytest.raises(MemoryLimit, match="the limit is 100 kB"):
        DistributedPairs(np.zeros((ROWS, 2)), rk.Gaussian(1.0), client, memory_limit="100 kB")


def test_a_worker_without_room_names_what_helps(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.fast.operators.sparse.memory_budget", lambda _: 10**6)
    with pytest.raises(MemoryLimit, match=r"^a worker: the near pairs of 700 rows.*; use more parts"):
        DistributedPairs(np.zeros((ROWS, 2)), rk.Gaussian(1.0), client, parts=1)


def test_what_is_no_client_and_what_has_no_near_pairs_is_refused(client: Any) -> None:
    with pytest.raises(InvalidType, match="client must be a client of dask, got an object of type str; pass"):
        DistributedTiles([[0.0]], rk.Gaussian(1.0), "tcp://127.0.0.1:8786")  # type: ignore[arg-type]
    heavy = rk.Student(1.0, 1.0)
    for build in (DistributedPairs, partial(expected_cost, engine="pairs")):
        with pytest.raises(InvalidInput, match=r"kernel must be the Gaussian or Lap.*; use DistributedTiles"):
            build([[0.0], [1.0]], heavy, client)
    with pytest.raises(InvalidInput, match="engine must be a known name, got 'cells'; use one of tiles"):
        expected_cost([[0.0], [1.0]], heavy, client, engine="cells")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="shares must be at least 1"):
        DistributedTiles([[0.0]], rk.Gaussian(1.0), client, shares=0)


def test_a_cluster_without_workers_is_told_how_to_start_one() -> None:
    empty: Any = SimpleNamespace(submit=print, nthreads=dict)
    with pytest.raises(InvalidInput, match="client must have at least one worker, got none; start one"):
        DistributedTiles([[0.0]], rk.Gaussian(1.0), empty)


def test_the_cost_is_told_before_the_start(client: Any) -> None:
    rows, kernel = contaminated(ROWS, 2), rk.Gaussian(0.2)
    tiles = expected_cost(X=rows, kernel=kernel, client=client, engine="tiles")
    assert (tiles.pairs, tiles.build_seconds, tiles.worker_bytes) == (ROWS * (ROWS + 1) / 2, 0.0, 0.0)
    assert tiles.product_seconds > 0
    assert tiles.product_bytes == 2 * FLOAT * ROWS
    pairs = expected_cost(rows, kernel, client, engine="pairs")
    stored = SparseOperator(rows, kernel).nonzeros
    # From 256 rows of the 700.
    assert stored / 2 < pairs.pairs < 2 * stored
    assert pairs.build_seconds > 0
    assert pairs.worker_bytes > 8 * pairs.pairs


def test_the_rows_that_are_tried_have_as_many_neighbours_as_all(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of the rows in the plane, at twice the bandwidth."""
    tried: list[tuple[int, float]] = []
    submit = cost.Cluster.submit

    def watched(cluster: Any, function: Any, rows: Array, kernel: Any, **keywords: Any) -> Any:
        tried.append((len(rows), kernel.bandwidth))
        return submit(cluster, function, rows, kernel, **keywords)

    monkeypatch.setattr(cost, "_SAMPLE", ROWS // 4)
    monkeypatch.setattr(cost.Cluster, "submit", watched)
    for engine in ("pairs", "tiles"):
        expected_cost(contaminated(ROWS, 2), rk.Gaussian(0.25), client, engine=engine)
    assert tried == [(ROWS // 4, 0.5), (ROWS // 4, 0.25)]


def test_the_first_product_reports_its_advance(client: Any) -> None:
    told: list[Any] = []
    tiles = DistributedTiles(clustered(3), rk.Gaussian(1.0), client, shares=3, report=told.append)
    tiles.product(np.full(ROWS, 1 / ROWS))
    assert [(advance.stage, advance.total) for advance in told] == [("product", ROWS)] * 3
    assert told[-1].done == ROWS
    tiles.product(np.full(ROWS, 1 / ROWS))
    assert len(told) == 3
    DistributedPairs(contaminated(ROWS, 2), rk.Gaussian(0.2), client, parts=2, report=told.append)
    assert [(advance.stage, advance.done) for advance in told[3:]] == [("matrix", 350), ("matrix", ROWS)]


@pytest.mark.slow
@pytest.mark.parametrize("engine", [DistributedTiles, DistributedPairs])
def test_a_worker_that_is_killed_costs_not_a_bit_of_the_answer(engine: Any) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    rows, kernel = contaminated(3000, 2), rk.Gaussian(0.3)
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):

        def weights(victim: int | None) -> Any:
            operator = engine(rows, kernel, client)

            def kill() -> None:
                while operator.products < 2:
                    time.sleep(0.001)
                os.kill(victim, signal.SIGKILL)  # type: ignore[arg-type]

            killer = threading.Thread(target=kill)
            if victim is not None:
                killer.start()
            result = rk.kirwls(rows, kernel, rk.Huber(0.9), stop=rk.FixedSteps(6), operator=operator).weights
            if victim is not None:
                killer.join()
            return result

        whole = weights(None)
        first = next(iter(client.run(os.getpid).values()))
        assert np.array_equal(weights(first), whole)
        assert first not in client.run(os.getpid).values()
