"""`rkde report combine`: pages from the reports of several programs."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.cli.combine_pages import share, verdict
from rkde.cli.combine_reports import read_reports, shortened
from rkde.conformance import Level
from tests.cli.running import assert_refused, run, succeeded
from tests.support.adapters import auc_adapter


class Balance(HTMLParser):
    """Counts what is open, and keeps the text and the classes of cells."""

    VOID = frozenset({"meta", "br", "!doctype"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append(dict(attrs).get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def report(folder: Path, name: str, *, right: bool = True) -> Path:
    """Check a small program and keep the report."""
    program = auc_adapter(folder, right=right, name=name, homepage="https://example.org/?a=1&b=2")
    path = folder / f"{len(list(folder.glob('*.json')))}.json"
    path.write_text(run("verify", "--adapter", program, "--json").stdout, "utf-8")
    return path


def combined(folder: Path, *reports: Path) -> Result:
    return run("report", "combine", *reports, "--output", folder / "site")


def read(page: Path) -> Balance:
    found = Balance()
    found.feed(page.read_text("utf-8"))
    assert found.open == []
    return found


def test_two_programs_stand_side_by_side(tmp_path: Path) -> None:
    right, wrong = report(tmp_path, "right <one>"), report(tmp_path, "wrong & one", right=False)
    site = tmp_path / "site"
    succeeded(combined(tmp_path, right, wrong))
    assert sorted(path.name for path in site.iterdir()) == ["index.html", "right-one.html", "wrong-one.html"]
    overview = read(site / "index.html")
    assert "right <one>" in overview.text
    # After the diagnosis, auc is the only operation that either offers.
    operations = json.loads(right.read_text("utf-8"))["operations"]
    (levels,) = (row["levels"] for row in operations if row["op"] == "auc")
    assert overview.cells[1::2] == [verdict(levels), "wrong"]
    details = "".join(read(site / "wrong-one.html").text)
    failed = [case for case in json.loads(wrong.read_text("utf-8"))["cases"] if case["outcome"] == "failed"]
    assert failed
    for case in failed:
        assert case["id"] in details
        assert case["message"] in details
    assert json.dumps(failed[0]["given"]) in details
    assert "https://example.org/?a=1&b=2" in details


def test_a_shortened_report_gives_the_same_pages_but_for_numbers(tmp_path: Path) -> None:
    whole = report(tmp_path, "wrong", right=False)
    content = json.loads(whole.read_text("utf-8"))
    short = tmp_path / "short.json"
    short.write_text(json.dumps(shortened(content)), "utf-8")
    (one,), (other,) = read_reports((short,)), read_reports((whole,))
    for case in other.failed:
        assert case["given"] is not None
        case.update(dict.fromkeys(("request", "expected", "given")))
    assert one == other
    text = short.read_text("utf-8")
    assert str(tmp_path) not in text
    assert "machine" not in text
    assert json.dumps(shortened(json.loads(text))) == text


def test_two_reports_of_one_name_have_two_pages(tmp_path: Path) -> None:
    first, second = report(tmp_path, "index"), report(tmp_path, "index")
    assert [one.slug for one in read_reports((first, second))] == ["index-2", "index-3"]


def test_a_run_that_did_not_take_place_is_shown_as_such(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text(run("verify", "--adapter", "/no/such/program", "--json").stdout, "utf-8")
    site = tmp_path / "site"
    succeeded(combined(tmp_path, path))
    assert "cannot be started" in "".join(read(site / "index.html").text)
    assert "did not take place" in "".join(read(site / "no-such-program.html").text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "cannot be read"),
        ("[]", "must be a report"),
        ('{"format": "rkde-vectors"}', "must be a report"),
        ('{"format": "rkde-verify", "version": 7}', "version 7"),
        ('{"format": "rkde-verify", "version": 1}', "lacks operations, cases, diagnoses, levels"),
    ],
)
def test_what_is_no_report_is_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, "utf-8")
    remedy = () if says == "cannot be read" else ("rkde verify --json",)
    assert_refused(combined(tmp_path, path), (says, *remedy))
    assert not (tmp_path / "site").exists()


def counts(**bad: int) -> dict[str, dict[str, int]]:
    zero: dict[str, Any] = {"passed": 1, "failed": 0, "absent": 0, "not_run": 0, "total": 1}
    return {level: {**zero, "failed": bad.get(level, 0)} for level in ("core", "edges")}


def test_a_count_is_a_whole_number(tmp_path: Path) -> None:
    """Strangers write reports, and the page shows their counts."""
    path = report(tmp_path, "one")
    content = json.loads(path.read_text("utf-8"))
    content["operations"][0]["levels"]["core"]["passed"] = "<img src=x onerror=alert(1)>"
    path.write_text(json.dumps(content), "utf-8")
    assert_refused(combined(tmp_path, path), ("must have whole numbers as counts",))


def test_the_colour_of_a_cell() -> None:
    none = {"core": {"passed": 0, "failed": 0, "absent": 3, "not_run": 0, "total": 3}}
    assert verdict(counts()) == "right"
    assert verdict(counts(edges=1)) == "part"
    assert verdict(counts(core=1)) == "wrong"
    assert verdict(none) == "absent"
    assert verdict({"core": {**none["core"], "not_run": 1}}) == "wrong"


def test_how_many_passed() -> None:
    row = {"levels": {"core": {"passed": 2, "failed": 1, "absent": 4, "not_run": 1, "total": 8}}}
    assert share(row, Level.CORE) == "2/4"
    assert share(row, Level.CORE, of_all=True) == "2/4 of 8"
    row["levels"]["core"] |= {"absent": 0, "total": 4}
    assert share(row, Level.CORE, of_all=True) == "2/4"
    row["levels"]["core"] = dict.fromkeys(row["levels"]["core"], 0)
    assert share(row, Level.CORE) == ""
