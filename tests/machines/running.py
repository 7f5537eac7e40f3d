"""Run the checks of one environment: `rkde verify`, the tests, or those of a bare installation."""

import contextlib
import json
import os
import signal
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from rkde.conformance import Case

BARE: Final = Path(__file__).with_name("bare.py")
LAST_LINES: Final = 12
MESSAGE: Final = 300
# Seconds: ten times what the tests take on two idle processors.
LIMIT: Final = 1800.0


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended; `code` is None where it was stopped at the time limit."""

    code: int | None
    output: str
    errors: str

    @property
    def last_lines(self) -> str:
        """The end of what it wrote."""
        return "\n".join((self.output + self.errors).splitlines()[-LAST_LINES:])


def run(command: Sequence[str | Path], folder: Path, variables: Mapping[str, str], seconds: float) -> Done:
    """Run a program in a folder; at the time limit it is stopped, with all that it started."""
    with subprocess.Popen(
        command, cwd=folder, env=dict(variables), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, errors = process.communicate(timeout=seconds)
        except BaseException as reason:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            if not isinstance(reason, subprocess.TimeoutExpired):
                raise
            return Done(None, output, f"{errors}\nstopped after {seconds:.0f} seconds")
    return Done(process.returncode, output, errors)


def run_verify(
    python: Path, folder: Path, variables: Mapping[str, str], seconds: float, cases: Iterable[Case]
) -> dict[str, Any]:
    """Run `rkde verify`, and return its outcome with the errors beside the bounds of the vectors."""
    done = run([python, "-m", "rkde.cli", "verify", "--json"], folder, variables, seconds)
    try:
        report = json.loads(done.output)
    except ValueError:
        return {"passed": False, "failed": [], "problem": done.last_lines}
    failed = [case["id"] for case in report["cases"] if case["outcome"] != "passed"]
    failed += [claim["id"] for claim in report["claims"] or [] if not claim["passed"]]
    return {
        "passed": report["passed"] and done.code == 0,
        "failed": failed,
        "cases": len(report["cases"]),
        "claims": len(report["claims"] or []),
        "operations": worst(report["cases"], {case.id: case.tolerance for case in cases}),
        "problem": report["error"] or "",
    }


def worst(cases: Iterable[Mapping[str, Any]], bounds: Mapping[str, Decimal]) -> dict[str, dict[str, Any]]:
    """Return by operation the largest error, and the error that is nearest to the bound of its case."""
    found: dict[str, dict[str, Any]] = {}
    for case in cases:
        if case["digits"] is None or not bounds.get(case["id"]):
            continue
        error, bound = 10.0 ** -float(case["digits"]), float(bounds[case["id"]])
        one = {"error": error, "bound": bound, "case": case["id"]}
        kept = found.setdefault(case["op"], {"cases": 0, "largest": one, "nearest": one})
        kept["cases"] += 1
        kept["largest"] = max(kept["largest"], one, key=lambda one: one["error"])
        kept["nearest"] = max(kept["nearest"], one, key=lambda one: one["error"] / one["bound"])
    return found


def run_tests(
    python: Path, tree: Path, variables: Mapping[str, str], seconds: float, selection: Sequence[str]
) -> dict[str, Any]:
    """Run pytest in a copy of the tree; the `problem` is why no counts or failures tell how it ended."""
    report = tree / "report-of-the-tests.xml"
    report.unlink(missing_ok=True)
    done = run([python, "-m", "pytest", "-q", f"--junit-xml={report}", *selection], tree, variables, seconds)
    counts = read_report(report.read_text("utf-8") if report.exists() else "<none/>")
    unexplained = (done.code != 0 and not counts["failed"]) or not report.exists()
    return {**counts, "selection": list(selection), "problem": done.last_lines if unexplained else ""}


def read_report(text: str) -> dict[str, Any]:
    """Count what a JUnit report holds; an error beside a test counts as a failure."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    failures = []
    for case in ET.fromstring(text).iter("testcase"):  # noqa: S314 (written by our own run)
        kinds = {child.tag: child for child in case}
        wrong = next((kinds[kind] for kind in ("failure", "error") if kind in kinds), None)
        if wrong is not None:
            name = f"{case.get('classname')}::{case.get('name')}"
            failures.append({"test": name, "message": (wrong.get("message") or "")[:MESSAGE]})
        counts["failed" if wrong is not None else "skipped" if "skipped" in kinds else "passed"] += 1
    return {**counts, "failures": failures}


def run_bare(python: Path, folder: Path, variables: Mapping[str, str], seconds: float) -> dict[str, Any]:
    """Run what must work in an installation without extras; the answer is that of `run_tests`."""
    done = run([python, "-P", BARE], folder, variables, seconds)
    try:
        checks = json.loads(done.output)
    except ValueError:
        checks = []
    failures = [{"test": name, "message": text[:MESSAGE]} for name, text in checks if text]
    counts = {"passed": len(checks) - len(failures), "failed": len(failures), "skipped": 0}
    problem = "" if checks and done.code == 0 else done.last_lines
    return {**counts, "failures": failures, "selection": [], "problem": problem}
