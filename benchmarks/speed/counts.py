"""A gate that sees one per cent: what small works count, and the instructions that they take.

``python -m benchmarks.speed.counts --against REVISION`` runs every case of `count_cases` with the package of
that revision and with that of the working tree, and fails where a counter grew, or instructions by more than
1 %. A growth that is wanted has an entry in ``deliberate.toml``. Without ``--against`` the counters are
compared with ``counters.json``, which is the same on every machine; ``--write`` replaces it. Instructions are
stored nowhere, since they depend on the processor and on every library's version.

Where the interpreter's objects lie in memory decides how often its caches of methods miss: works that enter
many functions take up to 1.3 % more in some layouts. So a case that seems to have grown is counted in other
layouts too, with both packages, and the least counts.
"""

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed.callgrind import command, missing, read_counts, settings
from benchmarks.speed.sides import ROOT, tree_of

MOST_GROWTH = 0.01
FOLDER = Path(__file__).parent
STORED = FOLDER / "counters.json"
DELIBERATE = FOLDER / "deliberate.toml"
MAIN = "origin/main"
INSTRUCTIONS = "instructions"
# Lengths of an environment variable that nothing reads: each lays out the memory of a process differently.
LAYOUTS = (100, 500, 1000, 2000)


@dataclass(frozen=True)
class Counted:
    """What one package counted in each case, or why a case did not run."""

    counts: Mapping[str, dict[str, int]]
    failures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One number of one case, before and now; None where it is not counted."""

    case: str
    what: str
    before: int | None
    now: int | None

    @property
    def growth(self) -> float:
        """Return by which share the number grew; 0 where there are not two numbers to compare."""
        if self.before is None or self.now is None or self.now == self.before:
            return 0.0
        return self.now / self.before - 1 if self.before else float("inf")

    @property
    def is_worse(self) -> bool:
        if self.before is None or self.now is None:
            return False
        most = MOST_GROWTH if self.what == INSTRUCTIONS else 0
        return self.now - self.before > most * self.before

    def __str__(self) -> str:
        change = f"{self.growth:+.2%}" if self.before is not None and self.now is not None else ""
        return f"{self.case:32}{self.what:20}{_shown(self.before):>16}{_shown(self.now):>16}{change:>10}"


def _shown(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


@dataclass(frozen=True)
class Change:
    """A growth that is wanted: the case, why, and the commit that made it, or the one that it is made on."""

    case: str
    reason: str
    commit: str


def read_changes(text: str, cases: Iterable[str]) -> list[Change]:
    """Read the record of deliberate changes; an entry without reason or of no case is refused."""
    changes = []
    for entry in tomllib.loads(text).get("change", []):
        if set(entry) != {"case", "reason", "commit"} or "" in map(str.strip, entry.values()):
            raise ValueError(f"each change must have a case, a reason and a commit, got {entry}; complete it")
        if entry["case"] not in cases:
            raise ValueError(f"case must be one of {', '.join(cases)}, got {entry['case']}; correct it")
        changes.append(Change(**entry))
    return changes


def compare(before: Counted, now: Counted) -> list[Line]:
    """Return every number of either side, in the order of the cases."""
    lines = []
    for case in {**before.counts, **now.counts}:
        old, new = before.counts.get(case, {}), now.counts.get(case, {})
        lines += [Line(case, what, old.get(what), new.get(what)) for what in {**old, **new}]
    return lines


def judge(lines: Iterable[Line], now: Counted, wanted: Iterable[str]) -> list[str]:
    """Return what is worse and not wanted: cases that no longer run, and numbers that grew."""
    allowed = set(wanted)
    return [
        *(f"{case}: does not run: {why}" for case, why in now.failures.items()),
        *(
            f"{line.case}: {line.before:,} {line.what} before, {line.now:,} now, {line.growth:+.2%}"
            for line in lines
            if line.is_worse and line.case not in allowed
        ),
    ]


def differences(lines: Iterable[Line]) -> list[str]:
    """Return where the counters are not the stored ones, in either direction."""
    return [
        f"{line.case}: {_shown(line.before)} {line.what} stored, {_shown(line.now)} now"
        for line in lines
        if line.now != line.before
    ]


def count(tree: Path, cases: Sequence[str], *, instructions: bool, layout: int = 0) -> Counted:
    """Run the cases with the package of a tree, once for the counters and once under Callgrind."""
    counted = _run([], tree, cases, {})
    if instructions:
        with TemporaryDirectory() as folder:
            _run(command(Path(folder)), tree, cases, settings() | {"RKDE_LAYOUT": "x" * layout})
            add_instructions(counted, read_counts(Path(folder)))
    return counted


Both = Callable[[Sequence[str], int], tuple[Counted, Counted]]


def least_of_layouts(measure: Both, cases: Sequence[str]) -> tuple[Counted, Counted]:
    """Count both packages, and in other layouts the cases whose instructions seem to have grown.

    Parameters
    ----------
    measure : callable
        From cases and a layout to what both packages count.
    cases : sequence of str
        Their names.
    """
    before, now = measure(cases, 0)
    for layout in LAYOUTS:
        lines = compare(before, now)
        grown = [line.case for line in lines if line.what == INSTRUCTIONS and line.is_worse]
        if not grown:
            break
        again = measure(grown, layout)
        before, now = _with_least(before, again[0]), _with_least(now, again[1])
    return before, now


def _with_least(first: Counted, second: Counted) -> Counted:
    """Return what was counted first, with the lesser number of instructions of the two."""
    counts = {case: dict(numbers) for case, numbers in first.counts.items()}
    for case, numbers in second.counts.items():
        counts[case][INSTRUCTIONS] = min(counts[case][INSTRUCTIONS], numbers[INSTRUCTIONS])
    return Counted(counts, first.failures)


def add_instructions(counted: Counted, found: Mapping[str, int]) -> None:
    """Add the instructions of every case that ran; one without them would pass unseen."""
    lacking = [case for case in counted.counts if case not in found]
    if lacking:
        raise SystemExit(f"valgrind counted nothing for {'; '.join(lacking)}; run valgrind --version")
    for case, counts in counted.counts.items():
        counts[INSTRUCTIONS] = found[case]


def _run(prefix: Sequence[str], tree: Path, cases: Sequence[str], variables: Mapping[str, str]) -> Counted:
    environment = {"PYTHONPATH": str(tree / "src"), "OPENBLAS_NUM_THREADS": "1", **variables}
    program = [*prefix, sys.executable, "-m", "benchmarks.speed.count_cases", *cases]
    done = subprocess.run(  # noqa: S603
        program, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
    if done.returncode:
        raise SystemExit(
            f"with the package of {tree} the cases ended with status {done.returncode}; see above"
        )
    answer = json.loads(done.stdout)
    if not Path(answer["package"]).resolve().is_relative_to(tree.resolve()):
        raise SystemExit(f"{answer['package']} was run instead of the package of {tree}; unset PYTHONPATH")
    found = answer["found"]
    return Counted(
        {case: counts for case, counts in found.items() if isinstance(counts, dict)},
        {case: why for case, why in found.items() if isinstance(why, str)},
    )


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in this checkout."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)  # noqa: S603, S607


def in_force(change: Change, revision: str) -> bool:
    """Return whether a change is not yet part of a revision: its commit is the revision or comes later."""
    return git("merge-base", "--is-ancestor", revision, change.commit).returncode == 0


def against(revision: str, cases: Sequence[str]) -> list[str]:
    """Compare the working tree with a revision, print the table, and return what is worse."""
    from benchmarks.speed.count_cases import CASES

    why = missing()
    if why:
        print(f"instructions are left out: {why}")
    with tree_of(revision) as tree, ThreadPoolExecutor() as pool:

        def measure(some: Sequence[str], layout: int) -> tuple[Counted, Counted]:
            # At once, since no number depends on what else runs.
            before, now = (
                pool.submit(count, side, some, instructions=not why, layout=layout) for side in (tree, ROOT)
            )
            return before.result(), now.result()

        before, now = least_of_layouts(measure, cases)
    lines = compare(before, now)
    print(f"{'case':32}{'':20}{'before':>16}{'now':>16}{'change':>10}", *lines, sep="\n")
    for case, reason in before.failures.items():
        print(f"{case}: does not run before: {reason}")
    changes = [
        change for change in read_changes(DELIBERATE.read_text("utf-8"), CASES) if in_force(change, revision)
    ]
    for change in changes:
        print(f"{change.case}: deliberate since {change.commit}: {change.reason}")
    return judge(lines, now, [change.case for change in changes])


def against_stored(cases: Sequence[str], *, write: bool) -> list[str]:
    """Compare the counters with the stored ones, or store them."""
    now = count(ROOT, cases, instructions=False)
    if write:
        STORED.write_text(json.dumps(now.counts, indent=2) + "\n", "utf-8")
    stored = json.loads(STORED.read_text("utf-8"))
    lines = compare(Counted({case: stored.get(case, {}) for case in now.counts}), now)
    return [*judge([], now, []), *differences(lines)]


def base_revision() -> str:
    """Return the merge base with the main branch, or the parent where that is HEAD or cannot be found."""
    base, head = git("merge-base", MAIN, "HEAD").stdout.strip(), git("rev-parse", "HEAD").stdout.strip()
    return base if base not in ("", head) else "HEAD^"


def main() -> int:
    """Compare with a revision, or the counters with the stored ones."""
    from benchmarks.speed.count_cases import CASES

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = f"by default the merge base with {MAIN}, or the parent of HEAD where that is HEAD or unknown"
    parser.add_argument("--against", nargs="?", const="", metavar="REVISION", help=default)
    parser.add_argument("--write", action="store_true", help="replace the stored counters")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"by default all: {'; '.join(CASES)}")
    arguments = parser.parse_args()
    cases = arguments.cases or list(CASES)
    if arguments.against is None:
        worse = against_stored(cases, write=arguments.write)
    else:
        found = git("rev-parse", "--verify", f"{arguments.against or base_revision()}^{{commit}}")
        if found.returncode:
            raise SystemExit(f"git finds no revision to compare with: {found.stderr.strip()}; name another")
        worse = against(found.stdout.strip(), cases)
    print("\n".join(worse) or "nothing has grown")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
