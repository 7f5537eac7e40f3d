"""Whatever is wrong with a table or a path, a command ends with one line and leaves nothing behind."""

import os
from pathlib import Path

import pytest

from rkde import datasets
from rkde.cli.failures import EXIT_BAD_INPUT
from tests.cli.broken_tables import BROKEN_TABLES, BrokenTable
from tests.cli.running import assert_refused, fitted, names_in, run, run_program

each_broken_table = pytest.mark.parametrize("broken", BROKEN_TABLES, ids=repr)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of two columns without names, so that tables are read as they stand."""
    rows = "".join(f"{first},{second}\n" for first, second in datasets.load("faithful").rows)
    return fitted(tmp_path_factory, "-", stdin=rows.encode())


@each_broken_table
def test_fit_refuses(broken: BrokenTable, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(broken.content)
    result = run("fit", table, "-o", tmp_path / "m.npz", *broken.arguments)
    assert_refused(result, broken.fragments)
    if not result.stderr.startswith(("rkde: error: --columns must", "rkde: error: delimiter must")):
        assert f"rkde: error: {table}" in result.stderr
    assert names_in(tmp_path) == ["table.csv"]


@each_broken_table
@pytest.mark.parametrize("command", ["score MODEL -", "outliers -", "outliers MODEL -", "plot -"])
def test_others_refuse_it_from_a_pipe(command: str, broken: BrokenTable, model: Path, tmp_path: Path) -> None:
    words = [str(model) if word == "MODEL" else word for word in command.split()]
    result = run(*words, "-o", tmp_path / "new.png", *broken.arguments, stdin=broken.content)
    assert_refused(result, broken.fragments)
    assert names_in(tmp_path) == []


def test_a_real_process_ends_the_same_way(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(b"a,b\r\n1,2\r\n3,four\r\n")
    done = run_program("fit", "table.csv", "-o", "m.npz", cwd=tmp_path)
    assert done.returncode == EXIT_BAD_INPUT
    assert done.stdout == b""
    assert done.stderr == (
        b"rkde: error: table.csv, line 3, column 2 ('b'), must be a number, got 'four'; "
        b"correct the cell, or choose the numeric columns with --columns 1\n"
    )
    assert names_in(tmp_path) == ["table.csv"]


def test_a_name_with_control_characters_stays_one_line(tmp_path: Path) -> None:
    assert_refused(run("fit", "two\nlines\x1b.csv", "-o", tmp_path / "m.npz"), (r"two\nlines\x1b.csv",))


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs a device")
def test_a_device_is_not_replaced(model: Path) -> None:
    assert_refused(run("score", model, "faithful", "-o", "/dev/null"), ("/dev/null", "must not be a device"))
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_without_permission(tmp_path: Path, model: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert_refused(run("fit", "iris", "-o", closed / "m.npz"), ("is not writable",))
    assert_refused(run("score", model, "faithful", "-o", closed / "s.csv"), ("is not writable",))


def test_a_folder_that_says_no(tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert_refused(run("score", model, "faithful", "-o", tmp_path / "s.csv"), ("is not writable",))
