"""Which engine is taken, what it is told of the system, and what does not fit."""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

import rkde.fast as rk
from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.fast._resources import available_memory, memory_budget, require, shown
from rkde.fast._resources import memory as memory_module
from rkde.fast._resources import threads as threads_module
from rkde.fast.bandwidth import BANDWIDTH_RULES
from rkde.fast.operators import DenseOperator, checkpointed, operator_for
from rkde.fast.operators.cell_plan import require_table
from rkde.fast.operators.choose import choose_engine
from rkde.fast.operators.cutoff import estimate_fill
from rkde.fast.sklearn import RobustKernelDensity
from tests.engines.support import BUILDERS, contaminated, each_name

GB = 10**9


def normal(n: int, dim: int) -> np.ndarray:
    return np.random.default_rng(3).standard_normal((n, dim))


@pytest.mark.parametrize(
    ("n", "dim", "bandwidth", "limit", "engine"),
    [
        (500, 2, 0.01, 8 * GB, "dense"),  # few rows
        (20_000, 2, 0.02, 8 * GB, "sparse"),  # few near pairs
        (20_000, 4, 4.0, 8 * GB, "dense"),  # nearly all pairs are near
        (20_000, 2, 2.0, 8 * GB, "cells"),  # the same, in few columns
        (20_000, 4, 4.0, 2 * GB, "dense"),  # half of the matrix fits
        (20_000, 4, 0.15, 1 * GB, "sparse"),  # no matrix fits, and the near pairs are not few, but do
        (20_000, 1, 0.01, 8 * GB, "cells"),  # few near pairs, many for one column
        (20_000, 1, 0.0125, 1 * GB, "cells"),  # no matrix fits, and the near pairs are not few, but do
        (60_000, 2, 0.01, 4 * GB, "sparse"),
        (60_000, 2, 2.0, 4 * GB, "cells"),
        (60_000, 2, 2.0, 3 * 10**7, "tiled"),
        (60_000, 20, 2.0, 4 * GB, "tiled"),
        (3_000, 20, 2.0, 8 * GB, "dense"),
    ],
)
def test_the_choice_follows_size_fill_and_memory(
    n: int, dim: int, bandwidth: float, limit: int, engine: str
) -> None:
    choice = choose_engine(normal(n, dim), rk.Gaussian(bandwidth), limit, threads=2)
    assert choice.engine == engine
    assert choice.memory_limit == limit
    assert (choice.fill is None) == (n <= 500 or dim > 8)


def test_a_heavy_tail_is_never_sparse() -> None:
    X = normal(3000, 1)
    assert choose_engine(X, rk.Student(1e-4, 3.0), 4 * GB).engine == "dense"
    assert choose_engine(X, rk.Student(1e-4, 3.0), 10**7, threads=1).engine == "tiled"


def test_the_estimate_of_the_fill_is_close() -> None:
    X = normal(20_000, 2)
    estimate = choose_engine(X, rk.Gaussian(0.02), 4 * GB).fill
    built = operator_for(X, rk.Gaussian(0.02))
    share = 2 * built.nonzeros / (20_000 * 19_999)
    assert share / 2 < estimate < 2 * share


def test_no_row_of_a_sample_is_its_own_neighbor() -> None:
    assert estimate_fill(np.arange(20_000.0)[:, np.newaxis], 0.5).pairs == 0


@each_name
def test_the_engine_asked_for_is_the_engine_recorded(engine: Any) -> None:
    X = contaminated(60, 2)
    estimate = rk.rkde(X, engine=engine)
    assert estimate.engine == engine == estimate.median.engine
    assert estimate.engine_report.reason == "asked for"
    assert estimate.engine_report.products > 0


def test_the_choice_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="rkde"):
        rk.rkde(contaminated(60, 2))
    assert [record.getMessage() for record in caplog.records if record.name == "rkde"] == [
        "engine dense for 60 rows of 2 columns: 60 rows are few"
    ]


def test_an_operator_and_another_engine_contradict_each_other() -> None:
    X, kernel = contaminated(30, 2), rk.Gaussian(1.0)
    operator = DenseOperator(X, kernel)
    assert rk.median_rkde(X, kernel, operator=operator, engine="dense").engine == "dense"
    with pytest.raises(InvalidInput, match="use the engine sparse, got 'dense'"):
        rk.median_rkde(X, kernel, operator=operator, engine="sparse")
    with pytest.raises(InvalidInput, match="engine must be the name of an engine, got 'quick'"):
        rk.rkde(X, engine="quick")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("amount", "n_bytes"),
    [("4GB", 4 * GB), ("512 MiB", 2**29), ("1.5kb", 1500), (2**20, 2**20), (1e6, 10**6), ("7", 7)],
)
def test_amounts_of_memory(amount: float | str, n_bytes: int) -> None:
    assert memory_budget(amount) == n_bytes


@pytest.mark.parametrize("amount", ["", "4 GBit", "many", "-1GB", "0", -5, 0, float("inf"), float("nan")])
def test_what_is_no_amount_of_memory(amount: Any) -> None:
    with pytest.raises(InvalidInput):
        memory_budget(amount)


def test_half_of_what_is_free_is_planned_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "_machine_memory", lambda: 1000)
    monkeypatch.setattr(memory_module, "_group_memory", lambda: [700, 600])
    assert available_memory() == 600
    assert memory_budget(None) == 300
    monkeypatch.setattr(memory_module, "_machine_memory", lambda: None)
    monkeypatch.setattr(memory_module, "_group_memory", list)
    assert available_memory() == 2**31


def test_control_groups_of_both_versions_are_read(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    group = tmp_path / "jobs" / "mine"
    group.mkdir(parents=True)
    (group.parent / "memory.max").write_text("5000\n")
    (group.parent / "memory.current").write_text("2000\n")
    (group / "memory.max").write_text("max\n")
    (group / "memory.current").write_text("100\n")
    old = tmp_path / "memory" / "old"
    old.mkdir(parents=True)
    (old / "memory.limit_in_bytes").write_text("900\n")
    (old / "memory.usage_in_bytes").write_text("100\n")
    # How Linux writes that there is no limit.
    (old.parent / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    (old.parent / "memory.usage_in_bytes").write_text("100\n")
    own = tmp_path / "own"
    own.write_text("0::/jobs/mine\n7:memory:/old\n")
    monkeypatch.setattr(memory_module, "_CGROUP_ROOT", tmp_path)
    monkeypatch.setattr(memory_module, "_OWN_CGROUPS", own)
    (old / "memory.stat").write_text("total_active_file 9\n")
    assert set(memory_module._group_memory()) == {800, 3000}
    # What files take in memory until somebody needs it is free.
    (group.parent / "memory.stat").write_text("anon 7\ninactive_file 1500\nactive_file 9\n")
    (old / "memory.stat").write_text("inactive_file 1\ntotal_inactive_file 60\n")
    assert set(memory_module._group_memory()) == {860, 4500}
    own.unlink()
    assert memory_module._group_memory() == []


def test_what_does_not_fit_is_refused_before_anything_is_allocated(monkeypatch: pytest.MonkeyPatch) -> None:
    X = normal(60_000, 20)

    def allocate(*_: object, **__: object) -> None:
        raise AssertionError("allocated")

    monkeypatch.setattr(np, "empty", allocate)
    for engine, named in (("dense", "14.5 GB"), ("tiled", "60000 rows")):
        limit = 4 * GB if engine == "dense" else 10**6
        with pytest.raises(MemoryLimit, match=named) as caught:
            rk.fixed_point(X, rk.Gaussian(1.0), rk.Huber(0.5), engine=engine, memory_limit=limit, threads=1)  # type: ignore[arg-type]
        assert shown(limit) in str(caught.value)
        assert "memory_limit" in caught.value.remedy


@pytest.mark.parametrize(
    ("engine", "limit", "needed", "loss"),
    [
        ("dense", "4GB", "14.5 GB", "huber"),
        ("sparse", "1MB", " MB", rk.Huber(0.5)),
        ("tiled", "1MB", " MB", "huber"),
        ("auto", "1MB", " MB", rk.Huber(0.5)),
    ],
)
def test_what_fits_at_no_bandwidth_is_refused_before_one_is_looked_for(
    engine: Any, limit: str, needed: str, loss: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = normal(60_000, 20)

    def look(*_: object, **__: object) -> float:
        raise AssertionError("looked for a bandwidth")

    monkeypatch.setitem(BANDWIDTH_RULES, "median_nn", look)
    estimator = RobustKernelDensity(loss=loss, engine=engine, memory_limit=limit)
    with pytest.raises(MemoryLimit, match="60000 rows") as caught:
        estimator.fit(X)
    message = str(caught.value)
    assert needed in message
    assert f"the limit is {shown(memory_budget(limit))}" in message
    assert "raise memory_limit" in message


def test_a_layout_in_cells_is_refused_by_the_size_of_its_tables() -> None:
    """32 arrays of 60 000 numbers and 8 of twice as many, of eight bytes each."""
    require_table(60_000, 2, 23_040_000)
    with pytest.raises(MemoryLimit, match=r"a layout of 60000 rows in cells would take 23 MB"):
        require_table(60_000, 2, 23_039_999)


NARROW, FLAT, LONG = normal(3000, 2), normal(300, 1), np.zeros((100, 10_000))


@pytest.mark.parametrize(
    ("attempt", "problem"),
    [
        (lambda: rk.rkde(FLAT, bandwidth="lscv", memory_limit="100 kB"), "all distances of 300 rows"),
        (lambda: rk.rkde(FLAT, bandwidth="lkcv", memory_limit="100 kB"), "all distances of 300 rows"),
        (lambda: rk.bandwidth(FLAT, "lscv", memory_limit="1 kB"), "limit is 1 kB"),
        # With weights there are three numbers of each pair.
        (
            lambda: rk.bandwidth(FLAT, "lscv", sample_weight=np.linspace(1, 2, 300), memory_limit="1 MB"),
            "would take 1.08 MB",
        ),
        (lambda: rk.bandwidth(FLAT, "lkcv", memory_limit="1 kB"), "limit is 1 kB"),
        (
            lambda: rk.median_rkde(NARROW, rk.Gaussian(5.0), engine="sparse", memory_limit="20 MB"),
            r"near pairs of 3000 rows \(about 4",
        ),
        (lambda: rk.median_rkde(NARROW, rk.Gaussian(5.0), memory_limit="100 kB"), "without a stored matrix"),
        (
            lambda: rk.rkde(LONG, engine="dense", memory_limit="20MB"),
            "limit: the dense matrix of 100 rows with tables of 10000 columns would take",
        ),
        (
            lambda: choose_engine(LONG, rk.Gaussian(1.0), 20 * 10**6),
            "100 rows and 10000 columns without a stored matrix",
        ),
    ],
)
def test_what_does_not_fit_is_named(attempt: Callable[[], object], problem: str) -> None:
    with pytest.raises(MemoryLimit, match=problem):
        attempt()


def test_a_requirement_within_the_limit_passes() -> None:
    require(5, 5, purpose="x", where="y", remedy="z")
    with pytest.raises(MemoryLimit, match="x would take 6 bytes, but the limit is 5 bytes"):
        require(6, 5, purpose="x", where="y", remedy="z")


def test_an_operator_that_others_apply_is_not_replaced_where_rows_are_removed(tmp_path: Path) -> None:
    X, kernel = contaminated(30, 2), rk.Gaussian(1.0)
    weights = np.arange(30.0) % 3
    for build in (BUILDERS["foreign"], lambda *given: checkpointed(DenseOperator(*given), tmp_path)):
        with pytest.raises(InvalidInput, match="from all 30 rows, of which 20 have such a weight"):
            rk.median_rkde(X, kernel, operator=build(X, kernel), sample_weight=weights)
    kept = weights > 0
    given = rk.median_rkde(
        X[kept], kernel, operator=BUILDERS["foreign"](X[kept], kernel), sample_weight=weights[kept]
    )
    assert (given.engine, len(given.weights)) == ("foreign", 20)


def test_a_whole_matrix_that_takes_less_than_half_of_one_with_its_tiles_is_enough() -> None:
    X = contaminated(400, 1)
    # 8 n (n + 8 d) bytes: 1.3056 MB, of which half beside tiles of 4 MiB a thread would be more.
    assert rk.rkde(X, bandwidth=1.0, engine="dense", memory_limit="1.31MB", loss="huber").engine == "dense"
    with pytest.raises(MemoryLimit, match=r"limit: the dense matrix of 400 rows .* 1\.31 MB") as caught:
        rk.rkde(X, engine="dense", memory_limit="1.29MB")
    assert "1.29 MB" in str(caught.value)


def test_an_operator_of_other_rows_is_refused_where_rows_are_removed_too() -> None:
    X, kernel = contaminated(30, 2), rk.Gaussian(1.0)
    weights = np.arange(30) % 3
    given = rk.median_rkde(X, kernel, operator=DenseOperator(X, kernel), sample_weight=weights)
    np.testing.assert_array_equal(given.weights, rk.median_rkde(X, kernel, sample_weight=weights).weights)
    with pytest.raises(InvalidInput, match="built from the same X and kernel"):
        rk.median_rkde(X, kernel, operator=DenseOperator(X + 1, kernel), sample_weight=weights)


@pytest.mark.parametrize("linear", [np.eye(30), aslinearoperator(np.eye(30)), "dense"])
def test_a_product_without_its_rows_is_told_how_to_be_wrapped(linear: Any) -> None:
    with pytest.raises(
        InvalidType, match=r"must be an operator of rkde.*ForeignOperator\(X, kernel, linear\)"
    ):
        rk.median_rkde(contaminated(30, 2), rk.Gaussian(1.0), operator=linear)


def test_memory_is_asked_of_the_system_where_its_file_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "meminfo"
    monkeypatch.setattr(memory_module, "_MEMINFO", told)
    told.write_text("MemTotal: 9 kB\nMemAvailable: 7 kB\n", "ascii")
    assert memory_module._machine_memory() == 7 * 1024
    told.write_text("MemTotal: 9 kB\n", "ascii")
    monkeypatch.setattr(os, "sysconf", {"SC_AVPHYS_PAGES": 5, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert memory_module._machine_memory() == 5 * 4096
    told.unlink()
    assert memory_module._machine_memory() is None


def test_all_cores_count_where_a_process_cannot_be_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert threads_module._cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads_module._cores() == 1
