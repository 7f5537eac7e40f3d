"""The command: what it lists, shows and writes, and its exit codes."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.machines import __main__ as command
from tests.machines.rows import kernels
from tests.machines.samples import BROKEN, record
from tests.machines.shift import Shift
from tests.machines.store import Store
from tests.machines.table import generated, markdown


@pytest.fixture(autouse=True)
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of its own; one Python, which takes no time to find; nothing is run."""
    path = tmp_path / "page.md"
    path.write_text(f"before\n{markdown([])}\nafter\n", "utf-8")
    monkeypatch.setattr(command, "PAGE", path)
    monkeypatch.setattr(command, "pythons", lambda *_: {"3.11": Path(sys.executable), "3.13": Path("other")})
    monkeypatch.setattr(Shift, "run", lambda *_: pytest.fail("something was run"))
    return path


def call(store: Path, *arguments: str) -> int:
    return command.main(["--report", "--store", str(store), *arguments])


def test_rows_are_listed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "kernels", lambda _: kernels("x86_64"))
    assert command.main(["--list"]) == 0
    names = capsys.readouterr().out.splitlines()
    assert {"newest", "bare", "lowest (short)", "openblas-haswell", "without-simd (short)"} <= set(names)
    assert any(name.startswith("python-3.1") for name in names)


@pytest.mark.parametrize(
    ("records", "code"), [([], 2), ([record("newest", 2e-15)], 0), ([record("newest", 2e-15), BROKEN], 1)]
)
def test_the_exit_code_says_if_all_passed(tmp_path: Path, records: list[dict[str, Any]], code: int) -> None:
    for one, name in zip(records, ("newest", "bare"), strict=False):
        Store(tmp_path).write({**one, "row": name})
    assert call(tmp_path) == code


def test_a_page_is_written_on_demand(tmp_path: Path, page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = page.read_text("utf-8")
    Store(tmp_path).write(record("newest", 2e-15))
    assert call(tmp_path) == 0
    assert page.read_text("utf-8") == before
    assert call(tmp_path, "--write") == 0
    assert "| newest | 3.11.0 |" in generated(page)
    assert page.read_text("utf-8").startswith("before\n")
    assert "Environments" in capsys.readouterr().out


def test_a_selection_of_the_tests_is_not_written(tmp_path: Path, page: Path) -> None:
    before = page.read_text("utf-8")
    partial = record("newest", 2e-15)
    partial["tests"]["selection"] = ["tests/meta"]
    Store(tmp_path).write(partial)
    with pytest.raises(SystemExit, match="only a selection of the tests was run in newest"):
        call(tmp_path, "--write")
    assert page.read_text("utf-8") == before


def test_what_is_no_python_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="not a CPython that answers"):
        call(tmp_path, "--python", str(tmp_path / "none"))
