"""The tables, and the page that holds them: its markers and its form, not its numbers, which grow old."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.machines import table as tables
from tests.machines.__main__ import PAGE
from tests.machines.rows import KERNELS, rows
from tests.machines.samples import BROKEN, LEFT_OUT, record
from tests.machines.table import BEGIN, CASE, END, ENVIRONMENTS, OPERATIONS
from tests.support.vectors import shipped_cases


def test_a_line_for_each_environment() -> None:
    first, second = tables.environment_rows([record("first", 2e-15), BROKEN, LEFT_OUT])
    assert first == [
        "first", "3.11.0", "2.0", "1.15", "Haswell", "2", "3 cases, 4 claims", "5", "0", "6",
        "50.0 % (step/near)",
    ]  # fmt: skip
    assert second[6:] == ["1 FAILED", "4", "1", "6", ""]
    assert tables.left_out([BROKEN, LEFT_OUT]) == ["third: no such kernel"]


def test_a_line_for_each_operation_with_its_worst_errors() -> None:
    auc, step = tables.operation_rows([record("first", 2e-15), record("second", 4e-15), LEFT_OUT])
    assert auc == ["auc", "1", "0", "1.0e-15", "", "exact"]
    assert step == ["step", "2", "4.0e-15", "3.2e-14", "step/large, second", "50.0 % (step/near)"]
    same = tables.operation_rows([record("first", 2e-15), record("second", 2e-15)])
    assert same[1][4] == "step/large, everywhere"


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"problem": "no wheel", "machine": {}, "verify": None, "tests": None}, "not installed"),
        ({"verify": None}, "names what is missing"),
        ({"verify": {"passed": False, "failed": [], "operations": {}, "problem": "stopped"}}, "FAILED"),
    ],
)
def test_what_a_line_says_of_verify(changes: dict[str, Any], verdict: str) -> None:
    ((*_, found, passed, failed, skipped, near),) = tables.environment_rows([record("one", 1e-15, **changes)])
    assert found == verdict
    assert (passed, failed, skipped) == (("", "", "") if changes.get("problem") else ("5", "0", "6"))
    assert near == ""


def test_failures_are_told_as_they_are() -> None:
    page = io.StringIO()
    tables.show([record("first", 2e-15), BROKEN, LEFT_OUT], Console(file=page, width=200))
    for line in (
        "FAILED second: rkde verify: step/large",
        "FAILED second: a::b: no [x]",
        "not run: third: no such kernel",
    ):
        assert f"{line}\n" in page.getvalue()


def test_the_part_of_a_page_is_replaced_and_nothing_else() -> None:
    part = tables.markdown([record("first", 2e-15), LEFT_OUT])
    page = tables.replaced(f"before\n{BEGIN}\nold\n{END}\nafter\n", part)
    assert page == f"before\n{part}\nafter\n"
    assert "Measured on P, S; 2000-01-01; revision abc." in part
    assert "\n- third: no such kernel\n" in part
    assert tables.replaced(page, part) == page


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{END}{END}"])
def test_broken_markers_are_refused(page: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="markers"):
        tables.replaced(page, "")
    (tmp_path / "page.md").write_text(page, "utf-8")
    with pytest.raises(ValueError, match="markers"):
        tables.generated(tmp_path / "page.md")


def grids(part: str) -> list[list[list[str]]]:
    """Return the tables of a page, each with its head and without the rule below it."""
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", part, re.MULTILINE)
    tables = [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        for block in blocks
    ]
    return [[table[0], *table[2:]] for table in tables]


def malformed(part: str) -> list[str]:
    """Return what is wrong with the form of a generated part."""
    found = grids(part)
    if [tuple(table[0]) for table in found] != [ENVIRONMENTS, OPERATIONS]:
        return ["the two tables with their heads"]
    every = [name for names in KERNELS.values() for name in names]
    names = "|".join(row.name for row in rows(["3.0"], "3.0", every)) + r"|python-3\.\d+"
    operations = "|".join({case.op for case in shipped_cases()})
    wrong = []
    for table, name, heads in ((found[0], names, ENVIRONMENTS), (found[1], operations, OPERATIONS)):
        for cells in table[1:]:
            wrong += [" ".join(cells)] * (len(cells) != len(heads))
            wrong += [cells[0]] * (not re.fullmatch(name, cells[0]))
            wrong += [cells[-1]] * (cells[-1] not in ("", "exact") and not CASE.fullmatch(cells[-1]))
    counts = [cell for cells in found[0][1:] for cell in cells[7:10]]
    return wrong + [cell for cell in counts if cell and not cell.isdigit()]


def test_the_page_has_the_form_that_is_written() -> None:
    assert not malformed(tables.generated(PAGE))


def test_a_page_of_another_form_is_seen() -> None:
    part = tables.markdown([record("newest", 2e-15), record("python-3.13", 4e-15)])
    assert not malformed(part)
    assert malformed(part.replace("| environment |", "| where |")) == ["the two tables with their heads"]
    assert malformed(part.replace("| python-3.13 |", "| python |")) == ["python"]
    assert malformed(part.replace("| auc |", "| area |")) == ["area"]
    assert malformed(part.replace("50.0 % (step/near)", "half")) == ["half"] * 3
    assert malformed(part.replace("| 5 | 0 |", "| five | 0 |")) == ["five", "five"]
    assert malformed(part.replace("| exact |", "|")) != []
