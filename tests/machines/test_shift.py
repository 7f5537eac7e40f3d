"""Copies of the tree, environments and records: made once, resumed, and never a half of one."""

import io
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from rich.console import Console

from tests.machines import running, shift, workshop
from tests.machines.rows import Row, Settings, Versions
from tests.machines.settings import SkipError
from tests.machines.shift import PICKLES, Shift, said
from tests.machines.store import Store, default_folder, is_green
from tests.machines.workshop import NoEnvironmentError, Tree, Workshop, clean_variables

ROW = Row("here", Versions("3.11"))
GREEN = {"passed": 3, "failed": 0, "skipped": 1, "failures": [], "selection": [], "problem": ""}
VERIFIED = {"passed": True, "failed": [], "cases": 5, "claims": 2, "operations": {}, "problem": ""}


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replace all that takes time; the list names what was called."""
    found: list[str] = []

    def noted(name: str, answer: Any) -> Any:
        def note(*_: Any, **__: Any) -> Any:
            found.append(name)
            return answer

        return note

    monkeypatch.setattr(Workshop, "python", noted("install", Path(sys.executable)))
    monkeypatch.setattr(Tree, "copy", lambda _, folder: folder)
    monkeypatch.setattr(shift, "variables_of", noted("variables", {"NAME": "value"}))
    monkeypatch.setattr(shift, "probe", noted("probe", {"machine": {"python": "3.11.0"}}))
    monkeypatch.setattr(shift, "load_vectors", lambda _: [])
    monkeypatch.setattr(running, "run_verify", noted("verify", VERIFIED))
    monkeypatch.setattr(running, "run_tests", noted("tests", GREEN))
    monkeypatch.setattr(running, "run_bare", noted("bare", GREEN))
    return found


def a_shift(folder: Path, digest: str = "one", again: bool = False, selection: tuple[str, ...] = ()) -> Shift:
    made, nowhere = Workshop(folder, Tree((), digest, "revision"), {}), Console(file=io.StringIO())
    return Shift(Store(folder), made, selection, 1.0, own_kernel=False, again=again, console=nowhere)


def run_of(row: Row, folder: Path, **asked: Any) -> dict[str, Any]:
    """Run a row and return its record."""
    a_shift(folder, **asked).run([row])
    return Store(folder).read(row.name) or {}


def test_a_row_is_run_once_for_each_tree(calls: list[str], tmp_path: Path) -> None:
    record = run_of(ROW, tmp_path)
    assert calls == ["install", "variables", "probe", "verify", "tests"]
    assert is_green(record)
    assert (record["tree"], record["revision"], record["variables"]) == ("one", "revision", {"NAME": "value"})
    assert said(record).startswith("everything passed: 3 passed, 0 failed, 1 skipped")
    calls.clear()
    run_of(ROW, tmp_path)
    assert calls == []
    for other in ({}, {"again": True}, {"selection": ("tests",)}):
        run_of(ROW, tmp_path, digest="two", **other)
        assert "tests" in calls
        calls.clear()


def test_rows_of_one_tree_share_their_pickles(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[str] = []

    def note(_python: Path, _tree: Path, variables: dict[str, str], *_: Any) -> Any:
        folders.append(variables[PICKLES])
        return GREEN

    monkeypatch.setattr(running, "run_tests", note)
    for name, digest in (("newest", "one"), ("lowest", "one"), ("newest", "two")):
        run_of(Row(name, Versions("3.11")), tmp_path, digest=digest)
    assert folders[0] == folders[1] != folders[2]


def test_without_extras_other_checks_are_run(calls: list[str], tmp_path: Path) -> None:
    record = run_of(Row("bare", Versions("3.11", extras="")), tmp_path)
    assert (calls[-1], record["verify"]) == ("bare", None)
    assert is_green(record)


def test_a_reason_and_a_failed_installation_are_recorded_and_tried_again(
    calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, field in (
        (SkipError("no such kernel"), "skipped"),
        (NoEnvironmentError("no wheel"), "problem"),
    ):
        monkeypatch.setattr(shift, "variables_of", Mock(side_effect=error))
        record = run_of(ROW, tmp_path)
        assert record[field] == str(error)
        assert not is_green(record)
        assert str(error) in said(record)
    assert calls.count("install") == 2


@pytest.mark.parametrize(
    "change",
    [
        {"tests": {**GREEN, "failed": 1}},
        {"tests": {**GREEN, "passed": 0}},
        {"tests": {**GREEN, "problem": "stopped"}},
        {"tests": None},
        {"verify": {**VERIFIED, "passed": False}},
    ],
)
def test_what_is_not_green(change: dict[str, Any]) -> None:
    assert is_green({"tests": GREEN, "verify": VERIFIED})
    assert not is_green({"tests": GREEN, "verify": VERIFIED, **change})


def test_the_store_reads_what_it_wrote_and_no_other_format(tmp_path: Path) -> None:
    store, path = Store(tmp_path), tmp_path / "results" / "here.json"
    assert store.read("here") is None
    store.write({"row": "here", "seconds": 1})
    assert (store.read("here") or {})["seconds"] == 1
    assert [entry.name for entry in path.parent.iterdir()] == ["here.json"]
    path.write_text(path.read_text("utf-8").replace('"format": 1', '"format": 0'), "utf-8")
    assert store.read("here") is None


def test_the_store_is_outside_of_the_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder("machines").is_relative_to(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert not default_folder("machines").is_relative_to(workshop.ROOT)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small checkout; git is not needed, since its answers are given."""
    root = tmp_path / "checkout"
    (root / "inner").mkdir(parents=True)
    (root / "page.md").write_text("text", "utf-8")
    (root / "inner" / "code.py").write_text("x = 1\n", "utf-8")
    (root / "link").symlink_to("inner")
    listed = "page.md\0inner/code.py\0link\0deleted.py\0page.md\0"
    monkeypatch.setattr(workshop, "ROOT", root)
    monkeypatch.setattr(workshop, "git", lambda command, *_: listed if command == "ls-files" else "abc+\n")
    return root


def test_a_tree_is_copied_as_it_is(checkout: Path, tmp_path: Path) -> None:
    found = workshop.tree()
    assert found.revision == "abc+"
    copied = found.copy(tmp_path / "copy")
    (copied / "left-over").touch()
    assert found.copy(tmp_path / "copy") == copied
    assert sorted(path.relative_to(copied).as_posix() for path in copied.rglob("*")) == [
        "inner", "inner/code.py", "link", "page.md",
    ]  # fmt: skip
    assert (copied / "link").readlink() == Path("inner")


def test_a_page_makes_no_result_out_of_date_and_code_does(checkout: Path) -> None:
    before = workshop.tree().digest
    (checkout / "page.md").write_text("other text", "utf-8")
    assert workshop.tree().digest == before
    (checkout / "inner" / "code.py").write_text("x = 2\n", "utf-8")
    assert workshop.tree().digest != before


def test_children_get_what_is_meant_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONPATH", "PYTEST_ADDOPTS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    found = clean_variables()
    assert found["OPENBLAS_NUM_THREADS"] == "1"
    assert not {"PYTHONPATH", "PYTEST_ADDOPTS"} & set(found)


def test_an_environment_is_made_once_for_each_tree(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[tuple[str, ...]] = []

    def note(_: Workshop, *arguments: str) -> None:
        commands.append(arguments)
        (tmp_path / "environments" / "3.11-lowest-direct-test").mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(Workshop, "_run", note)
    versions = Versions("3.11", "lowest-direct")
    for digest, python, calls in (("one", "a", 2), ("one", "a", 2), ("two", "a", 4), ("two", "b", 6)):
        made = Workshop(tmp_path, Tree((), digest, ""), {"3.11": Path(python)})
        place = tmp_path / "environments" / "3.11-lowest-direct-test" / "bin" / "python"
        assert (made.python(versions), len(commands)) == (place, calls)
    assert {"venv", "a"} <= set(commands[0])
    assert {"lowest-direct", f"{tmp_path / 'source'}[test]"} <= set(commands[1])


def test_a_failed_installation_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    complaint = "import sys; sys.exit('no solution found')"
    installer = [sys.executable, "-c", complaint]
    made = Workshop(tmp_path, Tree((), "one", ""), {"3.11": Path(sys.executable)}, installer)
    with pytest.raises(NoEnvironmentError, match="no solution found"):
        made.python(Versions("3.11"))
    assert Settings() == ROW.settings
