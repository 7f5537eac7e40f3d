"""`rkde verify --adapter`: the acceptance of good adapters, the reasons of bad ones, the reports."""

import json
import re
import shlex
import shutil
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from rkde.cli import cli
from rkde.cli.verify_options import Options
from rkde.cli.verify_run import vectors_through_pipe
from rkde.conformance import digest, load_vectors, shipped_vectors
from tests.support.commands import invoke

HOSTILE = Path(__file__).with_name("hostile.py")
FAST = f"{shlex.quote(sys.executable)} -m rkde.cli adapter"
EXAMPLE = Path(__file__).parents[2] / "docs" / "adapters" / "python" / "adapter.py"


def verify(adapter: str, *more: str) -> Result:
    return invoke(cli, ["verify", "--adapter", adapter, *more])


def hostile(mode: str) -> str:
    return shlex.join([sys.executable, "-S", str(HOSTILE), mode])


def last_line(result: Result) -> str:
    return result.stdout.rstrip().splitlines()[-1].rstrip()


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the vectors of one operation."""
    folder = tmp_path / "vectors"
    folder.mkdir()
    shutil.copy(shipped_vectors() / "loss.json", folder)
    return folder


@pytest.mark.slow
def test_the_fast_adapter_passes_through_the_pipe() -> None:
    result = verify(FAST)
    assert result.exit_code == 0, result.output
    assert "rkde.fast" in result.stdout
    assert "passed: " in result.stdout
    assert result.stderr == ""


def test_the_reference_adapter_passes_too(few: Path) -> None:
    result = verify(f"{FAST} --implementation reference", "--vectors", str(few))
    assert result.exit_code == 0, result.output


def test_the_example_in_python_passes_what_it_has() -> None:
    result = verify(shlex.join([sys.executable, str(EXAMPLE)]))
    assert result.exit_code == 0, result.output
    # What it lacks has not passed, and the last line says so.
    found = re.fullmatch(r"passed: (\d+) cases; (\d+) cases are unsupported", last_line(result))
    assert found is not None
    assert sum(map(int, found.groups())) == len(load_vectors(shipped_vectors()))
    assert "FAILED" not in result.stdout


def test_the_reports_for_programs(few: Path, tmp_path: Path) -> None:
    target = tmp_path / "results.xml"
    target.write_text("old", "utf-8")
    result = verify(hostile("missing-field"), "--vectors", str(few), "--json", "--junit", str(target))
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
    result = verify(hostile("crash"), "--vectors", str(few), "--junit", str(target))
    assert result.exit_code == 1
    assert "NOT RUN: " in result.stdout
    assert "out of luck" in result.stdout
    root = ET.fromstring(target.read_bytes())  # noqa: S314 -- written just now
    failures = int(root.attrib["failures"])
    # Three in a row of ordinary cases, of edges and of bad input.
    assert failures in (3, 6, 9)
    assert 0 < int(root.attrib["errors"]) == int(root.attrib["tests"]) - failures


def test_an_adapter_cannot_write_to_the_terminal(few: Path) -> None:
    result = verify(hostile("markup"), "--vectors", str(few))
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    assert "\0" not in result.output
    assert "[red]" in result.output


@pytest.mark.parametrize(
    ("adapter", "part"),
    [
        ("/nonexistent/adapter --option", "cannot be started"),
        ("cat", "no valid answer to hello"),
        (hostile("version-2"), "speaks version 2"),
        ("'", "cannot be split"),
        ("", "must not be empty"),
    ],
)
def test_what_is_no_adapter_ends_with_its_reason(adapter: str, part: str, few: Path) -> None:
    result = verify(adapter, "--vectors", str(few))
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stdout == ""


def test_a_silent_adapter_ends_with_its_reason(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_keyword_defaults(), "hello_seconds", 0.3)
    result = verify(hostile("silent-hello"), "--vectors", str(few))
    assert result.exit_code == 2
    assert "no valid answer to hello: no answer within" in result.stderr


def _keyword_defaults() -> dict[str, object]:
    from rkde.conformance import Driver

    defaults = Driver.__init__.__kwdefaults__
    assert defaults is not None
    assert defaults["hello_seconds"] == 10
    return defaults


def test_a_case_that_hangs_fails_after_the_timeout(few: Path) -> None:
    result = verify(hostile("silent"), "--vectors", str(few), "--timeout", "0.2")
    assert result.exit_code == 1
    assert "timeout: no answer within 0.2 s" in result.stdout


@pytest.mark.parametrize("seconds", ["0", "-1", "nan"])
def test_a_timeout_must_be_positive(seconds: str) -> None:
    result = verify(FAST, "--timeout", seconds)
    assert result.exit_code == 2
    assert "--timeout" in result.stderr


def test_unsupported_operations_are_counted_apart(tmp_path: Path, few: Path) -> None:
    shutil.copy(shipped_vectors() / "bandwidth.json", few)
    result = verify(hostile("missing-field"), "--vectors", str(few), "--json")
    rows = {row["op"]: row for row in json.loads(result.stdout)["operations"]}
    assert rows["bandwidth"]["unsupported"] == rows["bandwidth"]["cases"]
    assert rows["loss"]["unsupported"] == 0
    (few / "loss.json").unlink()
    nothing = verify(hostile("missing-field"), "--vectors", str(few))
    assert nothing.exit_code == 2
    assert "no case ran" in nothing.stderr


def test_bad_vectors_end_with_their_reason(few: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "contains no case" in verify(FAST, "--vectors", str(empty)).stderr
    content = json.loads((few / "loss.json").read_text("ascii"))
    for change, part in (
        ({"version": 999}, "the version must be 1, got 999"),
        ({"digest": "sha256:" + "0" * 64}, "do not have the digest of the header"),
    ):
        (few / "loss.json").write_text(json.dumps({**content, **change}), "ascii")
        result = verify(FAST, "--vectors", str(few))
        assert result.exit_code == 2
        assert part in result.stderr


def test_a_changed_digit_with_a_fresh_digest_fails_its_case(few: Path) -> None:
    content = json.loads((few / "loss.json").read_text("ascii"))
    entry = content["groups"][0]["cases"][0]["expected"]["rho"]["value"]
    entry[-1] = entry[-1][:4] + ("1" if entry[-1][4] != "1" else "2") + entry[-1][5:]
    content["digest"] = digest(content["groups"])
    (few / "loss.json").write_text(json.dumps(content), "ascii")
    result = verify(FAST, "--vectors", str(few))
    assert result.exit_code == 1
    assert "FAILED loss/grid-quadratic: rho: an error of" in result.stdout


def test_the_two_ways_of_naming_who_is_checked_exclude_each_other() -> None:
    result = verify(FAST, "--implementation", "fast")
    assert result.exit_code == 2
    assert "cannot be combined" in result.stderr


def test_it_runs_outside_the_main_thread_too(few: Path) -> None:
    options = Options(adapter=FAST, vectors=few, timeout=60.0)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(len(vectors_through_pipe(options, FAST).cases)))
    thread.start()
    thread.join()
    assert found
    assert found[0] > 0
