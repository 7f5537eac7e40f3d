"""The table of times is replaced between its marks, and its numbers are written as people write them."""

import re
from pathlib import Path

import pytest

from benchmarks.speed import fit_times

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_holds_a_line_for_each_case() -> None:
    page = fit_times.PAGE.read_text("utf-8")
    table = page.partition(fit_times.BEGIN)[2].partition(fit_times.END)[0]
    found = [line.split(" | ")[:3] for line in table.splitlines() if line.startswith("| 1")]
    assert found == [[f"| {cells[0]}", *cells[1:]] for cells in map(fit_times.leading_cells, fit_times.CASES)]


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    page = f"before {fit_times.BEGIN} old {fit_times.END} after"
    assert fit_times.replaced(page, "new") == f"before {fit_times.BEGIN}\n\nnew\n\n{fit_times.END} after"
    with pytest.raises(ValueError, match="both marks"):
        fit_times.replaced("no mark", "new")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.004, "< 0.01 s"), (0.056, "0.06 s"), (0.55, "0.6 s"), (2.94, "2.9 s"), (68.7, "69 s")],
)
def test_a_time_has_as_many_digits_as_it_deserves(seconds: float, text: str) -> None:
    assert fit_times.shown(seconds) == text


def test_a_case_is_measured() -> None:
    assert fit_times.measured(fit_times.Case(40, 2)).startswith("| 40 | 2 | default | dense, automatic | ")


def test_the_numbers_of_the_settings_stand_where_they_link_to() -> None:
    page = ROOT / "docs" / "settings.md"
    links = re.findall(r"\[([^\]]*\.\d[^\]]*)\]\(([^)#]+\.md)", page.read_text("utf-8"))
    assert len(links) > 5
    for text, target in links:
        there = (page.parent / target).read_text("utf-8")
        for number in re.findall(r"\d*\.\d+", text):
            assert re.search(rf"(?<!\d)0?{re.escape(number)}(?!\d)", there), (number, target)
