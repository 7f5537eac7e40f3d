"""The recorded minimum number of tests, and the script that compares a run with it."""

import runpy
from pathlib import Path

import pytest

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><properties/></testcase>
<testcase name="c"><failure/></testcase><testcase name="d"><skipped/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize(("minimum", "status"), [(1, 0), (2, 0), (3, 1)])
def test_a_run_with_too_few_passed_tests_fails(root: Path, tmp_path: Path, minimum: int, status: int) -> None:
    main = runpy.run_path(str(root / ".ci" / "enough_tests.py"))["main"]
    (tmp_path / "report.xml").write_text(REPORT, "utf-8")
    (tmp_path / "minimum.txt").write_text(f"# why\n{minimum}\n", "utf-8")
    assert main(tmp_path / "report.xml", tmp_path / "minimum.txt") == status


def test_a_minimum_is_recorded(root: Path) -> None:
    recorded_minimum = runpy.run_path(str(root / ".ci" / "enough_tests.py"))["recorded_minimum"]
    assert recorded_minimum((root / "tests" / "minimum_test_count.txt").read_text("utf-8")) > 0
