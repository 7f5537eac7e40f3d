"""The speed of commit after commit: records of pytest-benchmark, where they step, and a chart.

``python -m benchmarks.speed.history record`` measures the working tree, or revisions that are named, and adds
one file each to ``records/``; ``python -m benchmarks.speed.history`` writes ``HISTORY.md`` and its picture
from all of them. ``python -m pytest benchmarks/speed/bench_tracked.py --benchmark-storage=benchmarks/records
--benchmark-compare`` prints one run beside the last record.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.speed.compare import has_grown
from benchmarks.speed.counts import git
from benchmarks.speed.sides import ROOT, tree_of

RECORDS = ROOT / "benchmarks" / "records"
PAGE = ROOT / "benchmarks" / "HISTORY.md"
PICTURE = "history.png"
# Tells the measuring process which commit it measures.
MEASURED = "RKDE_MEASURED"
SHORT = 9


def commit() -> dict[str, Any]:
    """Return identifier and time of the commit that is measured, and whether the tree differs from it."""
    revision = os.environ.get(MEASURED, "")
    name, time = _git("show", "--no-patch", "--format=%H %cI", revision or "HEAD").split()
    return {"id": name, "time": time, "dirty": not revision and bool(_git("status", "--porcelain"))}


def _git(*arguments: str) -> str:
    done = git(*arguments)
    done.check_returncode()
    return done.stdout.strip()


@dataclass(frozen=True)
class Record:
    """What one run found.

    Attributes
    ----------
    commit, day : str
        What was measured, and the day of that commit.
    machine : str
        Processor, BLAS kernel and instruction sets: only records of one machine are compared.
    ratios : dict of str to list of float
        For each work its ratio to the yardstick, by batches, rising.
    seconds : dict of str to float
        For each work the shortest time.
    counters : dict of str to int
        Exact counts.
    """

    commit: str
    day: str
    machine: str
    ratios: dict[str, list[float]]
    seconds: dict[str, float]
    counters: dict[str, int]


def read_record(text: str) -> Record:
    """Read a file of pytest-benchmark."""
    found = json.loads(text)
    facts, commit_info = found["machine_info"], found["commit_info"]
    works = {entry["param"]: entry for entry in found["benchmarks"]}
    return Record(
        commit_info["id"][:SHORT] + (" and changes" if commit_info["dirty"] else ""),
        commit_info["time"][:10],
        "; ".join([facts["processor"], facts["pools"], facts["simd"], f"Python {facts['python']}"]),
        {name: entry["extra_info"]["ratios"] for name, entry in works.items()},
        {name: entry["stats"]["min"] for name, entry in works.items()},
        found["counters"],
    )


def read_records(folder: Path = RECORDS) -> list[Record]:
    """Return all records in the order of their commits."""
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.json"))]
    ordered = sorted(texts, key=lambda text: json.loads(text)["commit_info"]["time"])
    return [read_record(text) for text in ordered]


def steps(records: Sequence[Record]) -> list[str]:
    """Return where a ratio of one machine steps: all batches beyond all before, and by 5 %, or a counter."""
    found = []
    for before, now in pairwise(records):
        for name, ratios in now.ratios.items():
            old = before.ratios.get(name, ratios)
            ways = ("slower" if has_grown(old, ratios) else "", "faster" if has_grown(ratios, old) else "")
            found += [
                f"{before.commit} to {now.commit}: {name} {way}, {middle(old):.2f} to {middle(ratios):.2f}"
                for way in ways
                if way
            ]
        found += [
            f"{before.commit} to {now.commit}: {name} {before.counters[name]:,} to {count:,}"
            for name, count in now.counters.items()
            if before.counters.get(name, count) != count
        ]
    return found


def middle(ratios: Sequence[float]) -> float:
    """Return the mean of the two middle batches."""
    ordered = sorted(ratios)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def by_machine(records: Sequence[Record]) -> dict[str, list[Record]]:
    """Return the records of each machine."""
    machines: dict[str, list[Record]] = {}
    for record in records:
        machines.setdefault(record.machine, []).append(record)
    return machines


def page(records: Sequence[Record]) -> str:
    """Return the page: a table for each machine, and the steps."""
    lines = [
        "# Speed from commit to commit",
        "",
        "Written by `python -m benchmarks.speed.history` from `records/`, files of pytest-benchmark. Each",
        "number is a work's time over that of its yardstick, timed in turns; in parentheses are the least",
        "and the largest of some batches of rounds. A step is where all batches lie beyond all of the",
        "record before, and by 5 %, or where an exact counter changes.",
        "",
        f"![Ratios of the works by record](records/{PICTURE})",
    ]
    for machine, ones in by_machine(records).items():
        names = list(ones[-1].ratios)
        processor, _, rest = machine.partition("; ")
        lines += ["", f"## {processor}", "", f"{rest}.", "", "| commit | day | " + " | ".join(names) + " |"]
        lines.append("|---" * (len(names) + 2) + "|")
        for one in ones:
            cells = [
                f"{middle(one.ratios[name]):.2f} ({one.ratios[name][0]:.2f} to {one.ratios[name][-1]:.2f})"
                if name in one.ratios
                else "-"
                for name in names
            ]
            lines.append(f"| {one.commit} | {one.day} | " + " | ".join(cells) + " |")
        found = steps(ones)
        lines += [
            "",
            "Steps:" if found else "No step.",
            *([""] if found else []),
            *(f"- {step}" for step in found),
        ]
    return "\n".join([*lines, ""])


def draw(records: Sequence[Record], path: Path) -> None:
    """Draw each work's ratios over the records of the machine that has most."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    ones = max(by_machine(records).values(), key=len)
    names = list(ones[-1].ratios)
    figure, axes = plt.subplots(
        len(names), 1, figsize=(8, 1.3 * len(names)), sharex=True, layout="constrained"
    )
    places = range(len(ones))
    for name, axis in zip(names, axes, strict=True):
        found = [one.ratios.get(name, [float("nan")]) for one in ones]
        axis.fill_between(places, [min(r) for r in found], [max(r) for r in found], color="0.8")
        axis.plot(places, [middle(r) for r in found], "o-", color="#1b5e8c", markersize=3)
        axis.set_ylim(0, 1.2 * max(max(r) for r in found))
        axis.set_title(name, fontsize=8, loc="left")
        axis.tick_params(labelsize=7)
    axes[-1].set_xticks(list(places), [f"{one.commit[:SHORT]}\n{one.day}" for one in ones])
    figure.savefig(path, dpi=150, metadata={"Software": None})
    plt.close(figure)


def record(revisions: Sequence[str], folder: Path = RECORDS) -> None:
    """Measure the package of each revision, or of the working tree, and store what is found."""
    for revision in revisions or [None]:
        with tree_of(revision) as tree:
            paths = os.pathsep.join([str(tree / "src"), str(ROOT)])
            environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": paths}
            if revision is not None:
                environment[MEASURED] = _git("rev-parse", "--verify", f"{revision}^{{commit}}")
            name = environment.get(MEASURED) or _git("rev-parse", "HEAD")
            options = ["--benchmark-timer=time.process_time", f"--benchmark-storage={folder.as_uri()}"]
            command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "--disable-warnings"]
            command += ["benchmarks/speed/bench_tracked.py", *options, f"--benchmark-save={name[:SHORT]}"]
            subprocess.run(command, cwd=ROOT, env=environment, check=True)  # noqa: S603


def main() -> int:
    """Record, or write page and picture."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", nargs="?", choices=("write", "record"), default="write")
    parser.add_argument("revisions", nargs="*", metavar="REVISION", help="by default the working tree")
    arguments = parser.parse_args()
    if arguments.action == "record":
        record(arguments.revisions)
    records = read_records()
    PAGE.write_text(page(records), "utf-8")
    draw(records, RECORDS / PICTURE)
    print(f"wrote {PAGE.relative_to(ROOT)} from {len(records)} records")
    return 0


if __name__ == "__main__":
    sys.exit(main())
