"""SIGKILL at random moments: no finished work is lost, and the next run leaves no temporary file behind."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).resolve().parents[2]
SEED: Final = 2012
# A run that takes longer hangs.
PATIENCE_SECONDS: Final = 600.0
# Of so many kills, some must have met finished files and half-written ones.
MANY: Final = 20
_LOOK_SECONDS: Final = 0.0005
TEMPORARY: Final = "*.part"


class LostError(AssertionError):
    """Finished work is gone or damaged, or something was left behind."""


@dataclass
class Count:
    """What the kills of one command met."""

    kills: int = 0
    # Runs that ended before their moment came: these kills do not count.
    too_late: int = 0
    # A temporary file lay there after the kill, so that the next run had to remove it.
    abandoned: int = 0
    # Finished files that a kill found, all of which were there unchanged afterwards.
    kept: int = 0

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.too_late} more came too late), {self.abandoned} with a temporary "
            f"file to remove, {self.kept} finished files kept"
        )


@dataclass
class Killed:
    """A command that is run again and again in a folder, and killed."""

    command: Sequence[str]
    folder: Path
    outputs: Callable[[Path], list[Path]]  # the finished files among those of the folder
    same: Callable[[Path, bytes], bool]  # whether a finished file, by its path and content, is right
    seconds: float = 0.0
    count: Count = field(default_factory=Count)
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311 (no secret)

    def start(self) -> subprocess.Popen[bytes]:
        """Start the command."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)])}
        environment |= {"OPENBLAS_NUM_THREADS": "1"}
        command, said = (
            [sys.executable, *self.command],
            {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE},
        )
        return subprocess.Popen(command, cwd=self.folder, env=environment, **said)

    def whole(self, *, goes_on: bool = False) -> None:
        """Run the command to its end, and check that its folder then holds nothing temporary.

        A run that goes on with the work of another does not tell how long one takes.
        """
        began = time.monotonic()
        with self.start() as running:
            _, said = running.communicate(timeout=PATIENCE_SECONDS)
        if not goes_on:
            self.seconds = time.monotonic() - began
        if running.returncode:
            raise LostError(f"the run after a kill ended with {running.returncode}: {said.decode()}")
        if b"Traceback" in said:
            raise LostError(said.decode())
        left = self.temporary()
        if left:
            raise LostError(f"the run after a kill left {left[0]} behind")
        self.check()

    def temporary(self) -> list[Path]:
        """Return the temporary files in the folder."""
        return [path for path in self.folder.rglob(TEMPORARY) if path.name.startswith(".")]

    def check(self) -> dict[Path, int]:
        """Check every finished file, and return when each was written."""
        found = self.outputs(self.folder)
        for path in found:
            if not self.same(path, path.read_bytes()):
                raise LostError(f"{path} is damaged")
        return {path: path.stat().st_mtime_ns for path in found}

    def kill_once(self, *, keeps: bool) -> bool:
        """Kill one run at a random moment, or while it writes; return whether it was still running."""
        before = self.check()
        abandoned = set(self.temporary())
        with self.start() as running:
            if self.chance.random() < 0.5:
                self._wait(running, self.chance.uniform(0, self.seconds))
            else:
                # What an earlier kill left is not yet removed.
                self._wait(running, self.seconds, until=lambda: bool(set(self.temporary()) - abandoned))
            alive = running.poll() is None
            running.send_signal(signal.SIGKILL)
            running.communicate()
        after = self.check()
        if keeps and any(after.get(path) != stamp for path, stamp in before.items()):
            raise LostError("a finished file was lost, or made again")
        if before.keys() - after.keys():
            raise LostError("a finished file was lost")
        self.count.kept += len(before)
        self.count.kills += alive
        self.count.too_late += not alive
        self.count.abandoned += bool(self.temporary())
        click.echo(f"  {self.count}", err=True)
        return alive

    def _wait(
        self, running: subprocess.Popen[bytes], seconds: float, until: Callable[[], bool] = lambda: False
    ) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and running.poll() is None and not until():
            time.sleep(_LOOK_SECONDS)


def fit(folder: Path, times: int) -> Count:
    """Kill `rkde fit` of one file again and again; each next run must end well."""
    rng = random.Random(SEED)  # noqa: S311 (no secret)
    lines = "".join(f"{rng.gauss(0, 1)},{rng.gauss(0, 1)}\n" for _ in range(2000))
    (folder / "t.csv").write_text(lines, encoding="ascii")
    command = ["-m", "rkde", "fit", "t.csv", "-o", "m.npz", "--threads", "1", "--memory-limit", "1GB"]
    return _one_file(folder, command, times, ["m.npz"])


def verify(folder: Path, times: int) -> Count:
    """Kill `rkde verify` of an adapter with a report and a badge again and again."""
    adapter = f"{sys.executable} -m rkde adapter"
    vectors = folder / "vectors"
    vectors.mkdir()
    for name in ("depth.json", "median.json"):
        shutil.copyfile(ROOT / "reference" / "vectors" / "v1" / name, vectors / name)
    # A busy machine may take long over the first answer of the adapter.
    options = ["--vectors", "vectors", "--junit", "j.xml", "--badge", "b.json", "--timeout", "120"]
    command = ["-m", "rkde", "verify", "--adapter", adapter, *options]
    return _one_file(folder, command, times, ["j.xml", "b.json"])


def _one_file(folder: Path, command: Sequence[str], times: int, names: Sequence[str]) -> Count:
    """Kill a command that does one piece of work: its files are those of a whole run, or absent."""
    right: dict[str, bytes] = {}

    def same(path: Path, content: bytes) -> bool:
        # The time that each case took is the only thing that a report may say otherwise.
        return (path.suffix == ".xml" and content.endswith(b"</testsuites>\n")) or right[path.name] == content

    def outputs(where: Path) -> list[Path]:
        return [where / name for name in names if right and (where / name).exists()]

    one = Killed(command, folder, outputs, same)
    one.whole()
    right.update({name: (folder / name).read_bytes() for name in names})
    before = sorted(folder.iterdir())
    while one.count.kills < times:
        # Half of the runs find the files of an earlier one, which they may replace as a whole only.
        if one.chance.random() < 0.5:
            for name in names:
                (folder / name).unlink(missing_ok=True)
        if one.kill_once(keeps=False):
            one.whole()
            if sorted(folder.iterdir()) != before:
                raise LostError(f"{sorted(folder.iterdir())} where {before} should be")
    return one.count


def experiments(folder: Path, times: int) -> Count:
    """Kill `python -m benchmarks.paper run`; each run goes on with the store of the killed one."""
    options = ["--set", "iris", "--variant", "base", "--partitions", "12", "--workers", "2"]
    command = ["-m", "benchmarks.paper", "run", *options, "--store", "store"]

    def same(_: Path, content: bytes) -> bool:
        return "settings" in json.loads(content)

    one = Killed(command, folder, lambda where: sorted(where.rglob("*.json")), same)
    one.whole()
    while one.count.kills < times:
        shutil.rmtree(folder / "store")
        while one.count.kills < times and one.kill_once(keeps=True):
            continue
        one.whole(goes_on=True)
    return one.count


COMMANDS: Final = {"fit": fit, "verify": verify, "experiments": experiments}


@click.command()
@click.option("--times", type=click.IntRange(1), default=50, show_default=True)
@click.option("--only", type=click.Choice(list(COMMANDS)), multiple=True, help="Only these.")
def main(times: int, only: tuple[str, ...]) -> None:
    """Kill each command at random moments, half of them while it writes."""
    for name in only or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            count = COMMANDS[name](Path(folder), times)
        print(f"{name}: {count}", flush=True)  # noqa: T201 (a command)
        if times >= MANY and not (count.kept and count.abandoned):
            raise click.ClickException(
                f"the kills of {name} met no finished file, or none that was being written"
            )


if __name__ == "__main__":
    main()
