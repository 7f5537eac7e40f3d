"""`rkde report combine`: pages from the reports of several programs."""

import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rkde.cli import cli
from rkde.cli.combine_pages import share, verdict
from rkde.cli.combine_reports import read_reports, shortened
from rkde.conformance import Level
from tests.support.commands import invoke

# A program that answers `auc`, off by a factor.
PROGRAM = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        answer = {{"name": {name!r}, "version": "1", "protocol": 1, "operations": ["hello", "auc"],
                  "homepage": "https://example.org/?a=1&b=2"}}
    else:
        pairs = [(float(s), l) for s, l in zip(request["scores"], request["labels"])]
        ones = [s for s, l in pairs if l]
        zeros = [s for s, l in pairs if not l]
        wins = sum((s > t) + (s == t) / 2 for s in ones for t in zeros)
        try:
            answer = {{"auc": wins / (len(ones) * len(zeros)) * {factor}}}
        except ZeroDivisionError:
            answer = {{"error": {{"kind": "InvalidInput", "message": "one class"}}}}
    print(json.dumps({{"id": request["id"], **answer}}), flush=True)
"""


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


def run(folder: Path, name: str, factor: float) -> Path:
    """Check a small program and keep the report."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(name=name, factor=factor), "utf-8")
    result = invoke(cli, ["verify", "--adapter", f"{sys.executable} {program}", "--json"])
    path = folder / f"{len(list(folder.glob('*.json')))}.json"
    path.write_text(result.stdout, "utf-8")
    return path


def read(page: Path) -> Balance:
    found = Balance()
    found.feed(page.read_text("utf-8"))
    assert found.open == []
    return found


def test_two_programs_stand_side_by_side(tmp_path: Path) -> None:
    right, wrong = run(tmp_path, "right <one>", 1), run(tmp_path, "wrong & one", 0.9)
    site = tmp_path / "site"
    result = invoke(cli, ["report", "combine", str(right), str(wrong), "--output", str(site)])
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in site.iterdir()) == ["index.html", "right-one.html", "wrong-one.html"]
    overview = read(site / "index.html")
    assert "right <one>" in overview.text
    # After the diagnosis, auc is the only operation that either offers.
    assert overview.cells[1::2] == [verdict_of(right), "wrong"]
    details = "".join(read(site / "wrong-one.html").text)
    failed = [case for case in json.loads(wrong.read_text("utf-8"))["cases"] if case["outcome"] == "failed"]
    assert failed
    for case in failed:
        assert case["id"] in details
        assert case["message"] in details
    assert json.dumps(failed[0]["given"]) in details
    assert "https://example.org/?a=1&b=2" in details


def verdict_of(report: Path) -> str:
    content = json.loads(report.read_text("utf-8"))
    return verdict(next(row["levels"] for row in content["operations"] if row["op"] == "auc"))


def test_a_shortened_report_gives_the_same_pages_but_for_numbers(tmp_path: Path) -> None:
    whole = run(tmp_path, "wrong", 0.9)
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
    first, second = run(tmp_path, "index", 1), run(tmp_path, "index", 1)
    assert [one.slug for one in read_reports((first, second))] == ["index-2", "index-3"]


def test_a_run_that_did_not_take_place_is_shown_as_such(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text(invoke(cli, ["verify", "--adapter", "/no/such/program", "--json"]).stdout, "utf-8")
    site = tmp_path / "site"
    assert invoke(cli, ["report", "combine", str(path), "--output", str(site)]).exit_code == 0
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
    result = invoke(cli, ["report", "combine", str(path), "--output", str(tmp_path / "site")])
    assert result.exit_code == 2
    assert says in result.stderr
    assert "rkde verify --json" in result.stderr or says == "cannot be read"
    assert not (tmp_path / "site").exists()


def counts(**bad: int) -> dict[str, dict[str, int]]:
    zero: dict[str, Any] = {"passed": 1, "failed": 0, "absent": 0, "not_run": 0, "total": 1}
    return {level: {**zero, "failed": bad.get(level, 0)} for level in ("core", "edges")}


def test_a_count_is_a_whole_number(tmp_path: Path) -> None:
    """Strangers write reports, and the page shows their counts."""
    path = run(tmp_path, "one", 1.0)
    content = json.loads(path.read_text("utf-8"))
    content["operations"][0]["levels"]["core"]["passed"] = "<img src=x onerror=alert(1)>"
    path.write_text(json.dumps(content), "utf-8")
    refused = invoke(cli, ["report", "combine", str(path), "--output", str(tmp_path / "site")])
    assert refused.exit_code == 2
    assert "must count in whole numbers" in refused.stderr


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
