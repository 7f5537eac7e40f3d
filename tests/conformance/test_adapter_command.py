"""`rkde verify --adapter`: the acceptance of good adapters, the reasons of bad ones, the reports."""

import json
import re
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from rkde.cli.verify_options import Options
from rkde.cli.verify_run import vectors_through_pipe
from rkde.conformance import Driver
from tests.cli.running import assert_found, assert_refused, run, succeeded
from tests.conformance.test_driving import command
from tests.support.vectors import shipped_cases

FAST = f"{shlex.quote(sys.executable)} -m rkde.cli adapter"
EXAMPLE = Path(__file__).parents[2] / "docs" / "adapters" / "python" / "adapter.py"


def verify(adapter: str, *more: object) -> Result:
    return run("verify", "--adapter", adapter, *more)


def hostile(mode: str) -> str:
    return shlex.join(command(mode))


@pytest.mark.slow
def test_the_fast_adapter_passes_through_the_pipe() -> None:
    result = verify(FAST)
    assert "rkde.fast" in succeeded(result)
    assert "passed: " in result.stdout
    assert result.stderr == ""


def test_the_reference_adapter_passes_too(few: Path) -> None:
    succeeded(verify(f"{FAST} --implementation reference", "--vectors", few))


def test_the_example_in_python_passes_what_it_has() -> None:
    printed = succeeded(verify(shlex.join([sys.executable, str(EXAMPLE)])))
    # What it lacks has not passed, and the last line says so.
    found = re.search(r"\npassed: (\d+) cases; (\d+) cases are unsupported\s*\Z", printed)
    assert sum(map(int, found.groups())) == len(shipped_cases())
    assert "FAILED" not in printed


def test_the_reports_for_programs(few: Path, tmp_path: Path) -> None:
    target = tmp_path / "results.xml"
    target.write_text("old", "utf-8")
    result = verify(hostile("missing-field"), "--vectors", few, "--json", "--junit", target)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["adapter"]["name"] == "hostile\\x1b[31m"
    assert report["passed"] is False
    assert {case["failure"] for case in report["cases"]} <= {"missing field", "value instead of an error"}
    (row,) = report["operations"]
    assert row["cases"] == row["failed"] == len(report["cases"])
    root = ET.fromstring(target.read_bytes())  # noqa: S314 -- written just now
    assert sorted(root.attrib) == ["errors", "failures", "name", "tests", "time"]
    assert root.attrib["tests"] == root.attrib["failures"] == str(row["cases"])
    failures = root.findall("./testsuite[@name='loss']/testcase/failure")
    assert len(failures) == row["cases"]
    assert any("lacks phi" in failure.attrib["message"] for failure in failures)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_was_not_run_is_told(few: Path, tmp_path: Path) -> None:
    target = tmp_path / "results.xml"
    result = verify(hostile("crash"), "--vectors", few, "--junit", target)
    assert_found(result, "NOT RUN: ", "out of luck")
    root = ET.fromstring(target.read_bytes())  # noqa: S314 -- written just now
    failures = int(root.attrib["failures"])
    # Three in a row of ordinary cases, of edges and of bad input.
    assert failures in (3, 6, 9)
    assert 0 < int(root.attrib["errors"]) == int(root.attrib["tests"]) - failures


def test_an_adapter_cannot_write_to_the_terminal(few: Path) -> None:
    result = verify(hostile("markup"), "--vectors", few)
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "\0" not in result.output
    assert "[red]" in result.output


def test_a_silent_adapter_ends_with_its_reason(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = Driver.__init__.__kwdefaults__
    assert defaults["hello_seconds"] == 10
    monkeypatch.setitem(defaults, "hello_seconds", 0.3)
    silent = verify(hostile("silent-hello"), "--vectors", few)
    assert_refused(silent, ("no valid answer to hello: no answer within",))


def test_a_case_that_hangs_fails_after_the_timeout(few: Path) -> None:
    result = verify(hostile("silent"), "--vectors", few, "--timeout", "0.2")
    assert_found(result, "timeout: no answer within 0.2 s")


def test_unsupported_operations_are_counted_apart(vectors_of: Callable[..., Path]) -> None:
    few = vectors_of("loss", "bandwidth")
    result = verify(hostile("missing-field"), "--vectors", few, "--json")
    rows = {row["op"]: row for row in json.loads(result.stdout)["operations"]}
    assert rows["bandwidth"]["unsupported"] == rows["bandwidth"]["cases"]
    assert rows["loss"]["unsupported"] == 0
    (few / "loss.json").unlink()
    assert_refused(verify(hostile("missing-field"), "--vectors", few), ("no case ran",))


def test_it_runs_outside_the_main_thread_too(few: Path) -> None:
    options = Options(adapter=FAST, vectors=few, timeout=60.0)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(len(vectors_through_pipe(options, FAST).cases)))
    thread.start()
    thread.join()
    assert found
    assert found[0] > 0
