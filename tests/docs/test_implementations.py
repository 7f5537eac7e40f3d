"""The page of published programs shows what is kept of them, and the page of bugs names cases that fail."""

import json
import re
import runpy
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from rkde.conformance import load_vectors, shipped_vectors
from tests.cli.running import run, succeeded

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REMEDY = "run the programs again, and python docs/building/implementations.py with their reports"


@pytest.fixture(scope="module")
def building() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "building" / "implementations.py"))


def kept() -> dict[str, dict[str, Any]]:
    reports = [json.loads(path.read_text("utf-8")) for path in (DOCS / "implementations").glob("*.json")]
    assert reports
    return {report["adapter"]["name"]: report for report in reports}


def test_the_page_is_what_the_reports_say(building: dict[str, Any]) -> None:
    assert building["PAGE"].read_text("utf-8") == building["page"](building["kept_reports"]())


def test_the_reports_speak_of_cases_that_exist_and_not_of_the_machine() -> None:
    known = {case.id for case in load_vectors(shipped_vectors(), withdrawn=True)}
    for name, report in kept().items():
        assert not {case["id"] for case in report["cases"]} - known, f"{name}: {REMEDY}"
        assert "machine" not in report
        assert "command" not in report["adapter"], name


def test_each_bug_is_shown_by_a_case_that_failed() -> None:
    sections = (DOCS / "bugs.md").read_text("utf-8").split("\n## ")[1:]
    described = {one.splitlines()[0]: re.findall(r"`([a-z_]+/[a-z0-9-]+)`", one) for one in sections}
    for name, report in kept().items():
        first = re.split(r"[ ,]", name.removeprefix("the "))[0]
        named = next(cases for head, cases in described.items() if first in head)
        assert len(named) >= 2, name
        assert set(named) <= {case["id"] for case in report["cases"]}, name


@pytest.mark.parametrize(
    ("module", "adapter"),
    [pytest.param("sklearn", "scikit_learn.py", marks=pytest.mark.slow), ("scipy", "scipy_kde.py")],
)
def test_a_plain_density_with_right_numbers_passes_at_the_core(module: str, adapter: str) -> None:
    pytest.importorskip(module)
    command = shlex.join([sys.executable, str(DOCS / "adapters" / "peers" / adapter)])
    assert "passed: " in succeeded(run("verify", "--adapter", command, "--timeout", "60", "--level", "core"))
