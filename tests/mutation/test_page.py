"""The table of equivalent mutants is about what exists, and the page lists what the store has."""

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.page import Equivalent, alive, equivalents, page

ROOT = Path(__file__).resolve().parents[2]
RESULT: dict[str, Any] = {
    "room": "fast/losses", "file": "fast/losses/robust.py", "function": "Huber.phi", "before": "a < b",
    "after": "a <= b", "outcome": "survived", "test": "", "survived_before": False,
}  # fmt: skip
KNOWN = Equivalent("fast/losses/robust.py", "Huber.phi", "a < b", "a <= b", "Both agree at a = b.")


def text_of(entry: Equivalent) -> list[str]:
    """Return the lines of the function or class that an entry names, with its decorators, or of its file."""
    source = (ROOT / entry.file).read_text("utf-8")
    node: Any = ast.parse(source)
    for name in filter(None, entry.function.split(".")):
        node = next(one for one in ast.walk(node) if getattr(one, "name", None) == name)
    lines = [line.strip() for line in source.splitlines()]
    if isinstance(node, ast.Module):
        return lines
    first = min(one.lineno for one in (node, *node.decorator_list))
    return lines[first - 1 : node.end_lineno]


@pytest.mark.parametrize(
    "entry", equivalents(), ids=lambda entry: f"{entry.file}-{entry.function}-{entry.after}"
)
def test_an_equivalent_mutant_changes_lines_that_exist_and_has_a_reason(entry: Equivalent) -> None:
    lines = text_of(entry)
    assert all(line in lines for line in entry.before.splitlines())
    assert entry.after != entry.before
    assert len(entry.reason.split()) >= 5
    assert entry.reason.endswith(".")


def test_the_page_has_every_reason() -> None:
    written = (ROOT / "tests" / "MUTATION.md").read_text("utf-8")
    assert [entry for entry in equivalents() if entry.reason not in written] == []


def test_a_survivor_is_alive_unless_the_table_has_it() -> None:
    assert alive([RESULT], []) == [RESULT]
    assert alive([RESULT], [KNOWN]) == []
    assert alive([RESULT | {"function": "Huber.psi"}], [KNOWN]) != []
    assert alive([RESULT | {"outcome": "failed"}], []) == []


def test_the_page_counts_by_room_and_gives_the_class_of_each_survivor() -> None:
    killed = RESULT | {"outcome": "failed", "test": "tests/x.py::test_x"}
    since = killed | {"survived_before": True, "after": "c"}
    stopped = RESULT | {"outcome": "stopped", "room": "fast/rkhs"}
    written = page([RESULT, RESULT | {"after": "d"}, since, killed, stopped], 1000, 25, [KNOWN])
    assert "| fast/losses | 4 | 2 | 0 | 1 | 1 |" in written
    assert "| fast/rkhs | 1 | 0 | 1 | 0 | 0 |" in written
    assert "| all | 5 | 2 | 1 | 1 | 1 |" in written
    assert "Both agree at a = b." in written
    assert "`tests/x.py::test_x` fails" in written
    assert written.count("```diff") == 3
