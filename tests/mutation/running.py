"""Run mutants in copies of the tree, two at a time, and keep what came of each."""

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.machines.workshop import ROOT, clean_variables, tree
from tests.mutation import mutants, recording, serving
from tests.mutation.mutants import Change, Mutant, change
from tests.mutation.record import FILES, Record, Timed, digest

WORKERS: Final = 2
# Folders of tests that judge text, other machines or the experiments, and not what the rooms compute.
ELSEWHERE: Final = frozenset({"docs", "machines", "meta", "mutation", "paper", "speed", "support"})
# But for one file, which runs the examples of the pages.
EXAMPLES: Final = "tests/meta/test_documents.py"
SAME: Final = "same"
# What the repository keeps of each result, and of those that no test noticed at first.
KEPT: Final = ("name", "room", "file", "function", "outcome", "test", "survived_before", "time")
CHANGED: Final = ("before", "after")
Result = dict[str, Any]


def refresh(folder: Path) -> Path:
    """Make a folder a copy of the checkout as it is now; what Python compiled there is kept."""
    files = set(tree().files)
    for old in [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]:
        if old.relative_to(folder) not in files:
            old.unlink()
    for file in files:
        source, target = ROOT / file, folder / file
        if source.is_symlink():
            if not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(source.readlink())
        elif not _same(source, target):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    return folder


def _same(source: Path, target: Path) -> bool:
    """Tell whether a file has the content and the time of another."""
    return (
        target.exists()
        and target.stat().st_mtime_ns == source.stat().st_mtime_ns
        and target.read_bytes() == source.read_bytes()
    )


def variables(folder: Path) -> dict[str, str]:
    """Return the environment in which a copy is tested."""
    return clean_variables() | {"PYTHONPATH": str(folder / "src"), "OPENBLAS_NUM_THREADS": "1"}


def judging_files(root: Path) -> list[str]:
    """Return the files of the tests that judge what the rooms compute, and of the claims."""
    tests = [file for file in (root / "tests").glob("*/test_*.py") if file.parent.name not in ELSEWHERE]
    claims = (root / "src" / "rkde" / serving.CLAIMS).glob("check_*.py")
    return sorted(str(file.relative_to(root)) for file in (*tests, *claims, root / EXAMPLES))


def record_tests(folder: Path, copy: Path) -> None:
    """Record what each test runs that is new or has changed since; a quarter of an hour for all."""
    known = Record(folder, ROOT).recorded
    stale = {file: now for file in judging_files(ROOT) if (now := digest(ROOT / file)) != known.get(file)}
    refresh(copy)
    for room, files in itertools.groupby(stale, lambda file: Path(file).parent.name):
        batch = folder / f"{room}-{time.time_ns()}"
        batch.mkdir(parents=True)
        record_batch(batch, copy, {file: stale[file] for file in files})


def record_batch(batch: Path, copy: Path, tests: Mapping[str, str]) -> None:
    """Run files of tests and leave what they run in a folder."""
    workers = ["-n", str(WORKERS)] if len(tests) > 1 else ["-n", "0"]
    command = [sys.executable, "-m", "pytest", "-q", *workers, "-p", recording.PLUGIN]
    subprocess.run(
        [*command, *serving.collected(list(tests))],
        cwd=copy,
        env=variables(copy) | {recording.FOLDER_VARIABLE: str(batch)},
        check=False,
    )
    sources = {file: digest(copy / file) for file in mutants.files(copy)}
    content = {"root": str(copy.resolve()), "tests": dict(tests), "sources": sources}
    (batch / FILES).write_text(json.dumps(content), "utf-8")


class Server:
    """A copy of the tree with a process that runs tests in it."""

    def __init__(self, folder: Path, *, gently: bool) -> None:
        self.folder = refresh(folder)
        self._process = subprocess.Popen(
            [sys.executable, "-m", serving.__name__, *([serving.GENTLY] if gently else [])],
            cwd=folder,
            env=variables(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ask(self, limits: Mapping[str, float], *, first: bool = True) -> Result:
        """Run tests, until the first fails or all, and return what came of them."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"tests": dict(limits), "first": first}) + "\n")
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))

    @contextlib.contextmanager
    def mutated(self, file: str, mutated: str) -> Iterator[None]:
        """Put a mutated file in place of the original, with a time of its own: Python compiles it anew."""
        path = self.folder / file
        original, times = path.read_bytes(), path.stat()
        try:
            path.write_text(mutated, "utf-8")
            now = time.time_ns()
            os.utime(path, ns=(now, now))
            yield
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Remembered:
    """In place of a record: the test that ended a mutant before, then all tests of its file."""

    # Seconds for one test.
    LIMIT: Final = 60.0

    def __init__(self, results: Iterable[Result]) -> None:
        self.times: dict[str, Timed] = {}
        self._tests = {one["name"]: one["test"] for one in results}

    def rungs(self, mutant: Mutant) -> list[dict[str, float]]:
        """Return the tests to run in turn, each with a limit to its time."""
        test = self._tests[mutant.name]
        return [{test: self.LIMIT}, {test.partition("::")[0]: self.LIMIT}]


def climb(server: Server, rung: Mapping[str, float], record: Record | Remembered) -> Result:
    """Run the tests of a rung until one fails: twice, where it starts processes, which may be delayed."""
    left, ran = dict(rung), 0
    while True:
        answer = server.ask(left)
        ran += answer["ran"]
        test = answer["test"]
        is_sure = answer["outcome"] != "failed" or test not in record.times or not record.times[test].process
        if is_sure or server.ask({test: left[test]})["outcome"] == "failed":
            return answer | {"ran": ran}
        places = list(left)
        left = {other: left[other] for other in places[places.index(test) + 1 :]}
        if not left:
            return answer | {"outcome": "passed", "test": "", "ran": ran}


def judge(server: Server, mutant: Mutant, changed: Change, record: Record | Remembered) -> Result:
    """Run the tests of one mutant, rung by rung, until one fails."""
    ran, outcome, test = 0, "survived", ""
    start = time.time()
    with server.mutated(mutant.file, changed.source):
        for rung in record.rungs(mutant):
            answer = climb(server, rung, record)
            ran += answer["ran"]
            if answer["outcome"] in {"failed", "stopped"}:
                outcome, test = answer["outcome"], answer["test"]
                break
    return {
        "name": mutant.name, "room": mutant.room, "file": mutant.file, "function": mutant.function,
        "before": changed.before, "after": changed.after, "operator": mutant.operator, "nth": mutant.nth,
        "outcome": outcome, "test": test, "ran": ran, "seconds": round(time.time() - start, 1),
        "time": int(start),
    }  # fmt: skip


def same(mutant: Mutant) -> Result:
    """Return the result of what does not compile or says the same: no mutant."""
    return {"name": mutant.name, "outcome": SAME}


@dataclass(frozen=True, slots=True)
class Store:
    """A file of results, one a line; the newest of a mutant counts, and an earlier survival is kept.

    It continues the file of the repository, where there is one.
    """

    path: Path
    committed: Path | None = None

    def add(self, result: Result) -> None:
        """Write a result."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as stream:
            # A run that was killed while it wrote has left a line without an end.
            stream.write("\n" + json.dumps(result))

    @staticmethod
    def commit(path: Path, results: Iterable[Result]) -> None:
        """Write what the page and a later run need: the changed lines of those only that have lived."""
        lines = []
        for one in results:
            has_lived = one["outcome"] == "survived" or one["survived_before"]
            kept = {part: one.get(part, 0) for part in (*KEPT, *(CHANGED if has_lived else ()))}
            lines.append(json.dumps(kept) + "\n")
        path.write_text("".join(lines), "utf-8")

    def read(self) -> dict[str, Result]:
        """Return the newest result of each mutant, with `survived_before`."""
        results: list[Result] = []
        files = [file for file in (self.committed, self.path) if file and file.exists()]
        for line in itertools.chain.from_iterable(file.read_text("utf-8").splitlines() for file in files):
            with contextlib.suppress(ValueError):  # a run that was killed while it wrote
                results.append(json.loads(line))
        found: dict[str, Result] = {}
        for result in sorted(results, key=lambda result: result.get("time", 0)):
            older = found.get(result["name"], {})
            survived = older.get("outcome") == "survived" or any(
                one.get("survived_before", False) for one in (older, result)
            )
            found[result["name"]] = result | {"survived_before": survived}
        return found


def run(
    chosen: Iterable[Mutant],
    try_out: Callable[[Server, Mutant, Change], Result],
    copies: Path,
    report: Callable[[Result], None],
    seconds: float,
    *,
    gently: bool,
) -> None:
    """Try mutants until there are no more, or the time is over; one at a time is chosen and reported."""
    waiting = iter(chosen)
    deadline = time.monotonic() + seconds
    lock = threading.Lock()

    def work(number: int) -> None:
        server = Server(copies / f"copy-{number}", gently=gently)
        while time.monotonic() < deadline:
            with lock:
                mutant = next(waiting, None)
            if mutant is None:
                break
            changed = change(mutant, (server.folder / mutant.file).read_text("utf-8"))
            result = try_out(server, mutant, changed) if changed else same(mutant)
            with lock:
                report(result)
        server.close()

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
