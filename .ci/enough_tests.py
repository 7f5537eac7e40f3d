"""Fail when fewer tests passed than the recorded minimum: tests that are no longer collected count.

Usage: python .ci/enough_tests.py REPORT.xml MINIMUM.txt
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def passed_tests(report: str) -> int:
    """Count the passed test cases of a JUnit report: those without failure, error or skip."""
    cases = ET.fromstring(report).iter("testcase")  # noqa: S314 -- written by our own test run
    return sum(1 for case in cases if not {child.tag for child in case} & {"failure", "error", "skipped"})


def recorded_minimum(text: str) -> int:
    """Read the number in a file whose other lines are comments."""
    (number,) = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return int(number)


def main(report: Path, minimum: Path) -> int:
    """Print both numbers; return the exit status."""
    passed = passed_tests(report.read_text("utf-8"))
    wanted = recorded_minimum(minimum.read_text("utf-8"))
    print(f"{passed} tests passed; at least {wanted} must")  # noqa: T201 -- this is a command
    return 0 if passed >= wanted else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
