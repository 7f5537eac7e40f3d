"""The result of a run as JUnit XML, which continuous integration services read."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from rkde.conformance.running import CaseResult, Outcome
from rkde.files import write_atomically

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS: Final = {Outcome.FAILED: "failure", Outcome.UNSUPPORTED: "skipped", Outcome.NOT_RUN: "error"}


def write_junit(path: Path, name: str, results: Sequence[CaseResult]) -> None:
    """Write a JUnit file; a reader sees the old file or the whole new one, never a part."""
    # The schema that services check against knows no count of skipped tests at the top.
    root = ET.Element("testsuites", {k: v for k, v in _counts(name, results).items() if k != "skipped"})
    for op in dict.fromkeys(result.op for result in results):
        members = [result for result in results if result.op == op]
        suite = ET.SubElement(root, "testsuite", _counts(op, members))
        for result in members:
            _add_case(suite, result)
    write_atomically(path, ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _counts(name: str, results: Iterable[CaseResult]) -> dict[str, str]:
    found = list(results)
    counted = {
        tag: sum(result.outcome is outcome for result in found)
        for outcome, tag in (*_TAGS.items(), (Outcome.PASSED, "passed"))
    }
    return {
        "name": _clean(name),
        "tests": str(len(found)),
        "failures": str(counted["failure"]),
        "errors": str(counted["error"]),
        "skipped": str(counted["skipped"]),
        "time": f"{sum(result.seconds for result in found):.3f}",
    }


def _add_case(suite: ET.Element, result: CaseResult) -> None:
    attributes = {
        "classname": f"rkde.vectors.{result.op}",
        "name": _clean(result.id),
        "time": f"{result.seconds:.3f}",
    }
    case = ET.SubElement(suite, "testcase", attributes)
    if result.outcome in _TAGS:
        message = _clean(result.message or "the adapter does not support this")
        ET.SubElement(case, _TAGS[result.outcome], {"message": message})


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
