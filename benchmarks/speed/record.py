"""Speed from commit to commit: exact counters gate at equality, ratios to a yardstick at 1.35.

``python -m benchmarks.speed.record --base REVISION`` measures that revision and the working tree, or
``--candidate REVISION``, in turns in one run. Without ``--base`` the working tree is compared with the record
of this kind of machine, and ``--write`` replaces that record. A ratio that fails is measured once more, and
only a second failure counts. Seconds are recorded beside the ratios and never judged.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from benchmarks.speed.sides import ROOT, Side, both, in_turns
from benchmarks.speed.timing import Ratio
from benchmarks.speed.tracked import TRACKED
from rkde.machine import machine_facts, processor_name

RECORDS = Path(__file__).parents[1] / "records"
GATE = 1.35

# From the name of a ratio to its values before and now.
Measure = Callable[[str], tuple[float, float]]


def judge(names: Iterable[str], measure: Measure) -> list[str]:
    """Return what has become slower by more than the gate, twice in a row.

    Parameters
    ----------
    names : iterable of str
        Of the ratios.
    measure : callable
        From a name to the ratio before and a new one.
    """
    failures = []
    for name in names:
        before, now = measure(name)
        print(f"{name}: {before:.2f}, now {now:.2f}", flush=True)
        if now > GATE * before:
            before, now = measure(name)
            print(f"{name}: {before:.2f}, now {now:.2f}, measured once more", flush=True)
            if now > GATE * before:
                failures.append(f"{name}: {before:.2f} before, {now:.2f} now")
    return failures


def judge_counters(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Return the counters that are not what they were."""
    names = sorted({*before, *now})
    return [
        f"{name}: {before.get(name)} before, {now.get(name)} now"
        for name in names
        if now.get(name) != before.get(name)
    ]


def machine_file() -> Path:
    """Return the record of this kind of machine."""
    return RECORDS / (re.sub(r"[^a-z0-9]+", "-", processor_name().lower()).strip("-") + ".json")


def compare_sides(base: Side, candidate: Side, names: Iterable[str] = tuple(TRACKED)) -> list[str]:
    """Return what is worse on the second side than on the first."""

    def measure(name: str) -> tuple[float, float]:
        before, now = in_turns((base, candidate), name)
        return before.value, now.value

    return [*judge_counters(base.counters(), candidate.counters()), *judge(names, measure)]


def compare_record(record: Mapping[str, Mapping[str, float]], side: Side) -> list[str]:
    """Return what is worse than recorded."""

    def measure(name: str) -> tuple[float, float]:
        (now,) = in_turns((side,), name)
        return record["ratios"][name], now.value

    counted = {name: int(count) for name, count in record["counters"].items()}
    return [*judge_counters(counted, side.counters()), *judge(record["ratios"], measure)]


def write_record(side: Side, path: Path) -> None:
    """Measure and write the record of this kind of machine."""
    measured: dict[str, Ratio] = {name: in_turns((side,), name)[0] for name in TRACKED}
    content = {
        "counters": side.counters(),
        "ratios": {name: ratio.value for name, ratio in measured.items()},
        "seconds": {name: ratio.work for name, ratio in measured.items()},
        "machine": machine_facts(),
    }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", "utf-8")
    print(f"wrote {path}")


def main() -> int:
    """Compare two revisions, or compare with the record, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", help="a revision to compare with in the same run")
    parser.add_argument("--candidate", help="the revision to judge; by default the working tree")
    parser.add_argument("--write", action="store_true", help="replace the record of this kind of machine")
    arguments = parser.parse_args()
    if arguments.base is not None:
        with both(arguments.base, arguments.candidate) as (base, candidate):
            failures = compare_sides(base, candidate)
    else:
        path = machine_file()
        with Side(ROOT) as side:
            if arguments.write:
                write_record(side, path)
                return 0
            if not path.exists():
                print(f"no record for this kind of machine; write {path} with --write")
                return 1
            failures = compare_record(json.loads(path.read_text("utf-8")), side)
    print("\n".join(failures) or "nothing has become slower")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
