"""A run that is killed goes on, repeats nothing, and gives the numbers of one that was not."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from benchmarks.paper import running
from benchmarks.paper.__main__ import main
from benchmarks.paper.data import data_folder
from benchmarks.paper.loaded import DataError
from benchmarks.paper.running import RunError, run, units
from benchmarks.paper.store import Store, StoreError
from benchmarks.paper.unit import Unit

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
needs_folder = pytest.mark.skipif(data_folder() is None, reason="the data folder (RKDE_DATA) is not there")
WANTED = units(("1", "3"), partitions=3, sets=("iris",), variants=("base",))


def numbers(store: Store) -> list[Any]:
    records = [store.read(unit) for unit in WANTED]
    # How long a unit took is the only field that may differ.
    return [{name: value for name, value in record.items() if name != "seconds"} for record in records]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    store = Store(tmp_path_factory.mktemp("whole"))
    assert run(WANTED, store, workers=1) == len(WANTED)
    return numbers(store)


@pytest.mark.slow
@needs_folder
def test_a_killed_run_goes_on_with_any_number_of_workers(tmp_path: Path, undisturbed: list[Any]) -> None:
    arguments = ["--set", "iris", "--variant", "base", "--partitions", "3", "--workers", "2"]
    command = [sys.executable, "-m", "benchmarks.paper", "run", *arguments, "--store", str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    killed = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.rglob("*.json")):
        assert killed.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    store = Store(tmp_path)
    done = [unit for unit in WANTED if store.has(unit)]
    left = {store.path(unit): store.find(unit) for unit in done}
    stamps = {found: found.stat().st_mtime_ns for found in left.values() if found}
    assert run(WANTED, store, workers=1) == len(WANTED) - len(done)
    assert {found: found.stat().st_mtime_ns for found in stamps} == stamps
    assert run(WANTED, store, workers=1) == 0
    for ours, whole in zip(numbers(store), undisturbed, strict=True):
        for epsilon, entry in whole["epsilons"].items():
            # The killed run computed all three tables; what both hold is equal to the last bit.
            assert {name: ours["epsilons"][epsilon][name] for name in entry} == entry


@needs_folder
def test_a_failure_is_told_after_the_other_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(unit: Unit) -> dict[str, object]:
        if unit.partition == 2:
            raise ValueError("a bad partition")
        return {"partition": unit.partition}

    monkeypatch.setattr(running, "compute", compute)
    store = Store(tmp_path)
    with pytest.raises(RunError, match="base, iris, partition 2: ValueError: a bad partition"):
        run(WANTED, store, workers=1)
    assert [store.has(unit) for unit in WANTED] == [True, False, True]


def test_one_error_of_many_units_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "compute", Mock(side_effect=DataError("iris.npz is missing")))
    with pytest.raises(RunError) as caught:
        run(WANTED, Store(tmp_path), workers=1)
    assert str(caught.value) == "base, iris, partition 1 (and 2 more): iris.npz is missing"


def test_another_source_does_not_go_on_in_the_same_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(WANTED[0], {"source": "pip"})
    asked = [replace(unit, source="local") for unit in WANTED]
    # Whether all is there, or units are missing: never a word less.
    for some in (asked[:1], asked):
        with pytest.raises(StoreError, match="from the source 'pip', not 'local'; use another store"):
            run(some, store, workers=1)
    assert run(WANTED[:1], store, workers=1) == 0


@needs_folder
def test_a_run_without_a_named_source_keeps_to_that_of_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write(WANTED[0], {"source": "pip"})
    with pytest.raises(StoreError, match="use another store"):
        run(WANTED, store, workers=1)


@pytest.mark.parametrize("text", ['{"half":', "[]", "{}", "\x00", "null"])
def test_a_file_without_a_record_is_damaged_and_a_temporary_one_is_none(tmp_path: Path, text: str) -> None:
    store, unit = Store(tmp_path), WANTED[0]
    store.path(unit).parent.mkdir(parents=True)
    store.path(unit).with_suffix(".123.part").write_text(text, "utf-8")
    assert not store.has(unit)
    store.path(unit).write_text(text, "utf-8")
    with pytest.raises(StoreError, match="is damaged"):
        store.read(unit)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--table", "1", "--variant", "hazen"], "no unit of work fits these options"),
        (["report", "--no-draw"], "must hold a partition of every set"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(main, [*arguments, "--store", str(tmp_path / "none")])
    assert isinstance(done.exception, RunError | StoreError)
    (line,) = str(done.exception).splitlines()
    assert message in line


def test_a_file_of_other_settings_is_refused(tmp_path: Path) -> None:
    store, unit = Store(tmp_path), WANTED[0]
    store.write(unit, {})
    record = json.loads(store.path(unit).read_text("utf-8"))
    store.path(unit).write_text(json.dumps(record | {"settings": "others"}), "utf-8")
    with pytest.raises(StoreError, match="made with other settings"):
        store.read(unit)


def test_a_run_of_one_table_is_served_by_one_of_all(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (all_tables,) = units(partitions=1, sets=("iris",), variants=("base",))
    (one_table,) = units(("2",), partitions=1, sets=("iris",), variants=("base",))
    store.write(one_table, {})
    assert not store.has(all_tables)
    store.write(all_tables, {})
    assert store.has(one_table)
    assert units(("1",), variants=("hazen",)) == []


def test_rounds_are_whole() -> None:
    wanted = units(partitions=3)
    assert [unit.partition for unit in wanted] == sorted(unit.partition for unit in wanted)
    assert len(units(quick=True, variants=("base",))) == 30
    assert len(units(variants=("base",))) == 12 * 100 + 3 * 20
