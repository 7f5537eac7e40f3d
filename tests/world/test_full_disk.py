"""No space for what a command writes: one line that names the file, and the old file is kept."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from rkde.cli.failures import EXIT_BAD_INPUT
from tests.cli.running import assert_refused, fitted, names_in, run, run_program, succeeded
from tests.support.selection import slow_where

if sys.platform == "win32":
    pytest.skip("limits of POSIX", allow_module_level=True)
import resource

# Less than any of these commands writes.
LIMIT_BYTES = 256
CASE = "auc/plain"
# Less than the model of `faithful`, more than the table of the test.
DISK_BYTES = 65536


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size; Python ignores the signal and sees the error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        # Python would cut what it compiles at the limit, and not see it.
        patch.setattr(sys, "dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted(tmp_path_factory, "faithful", "--columns", "eruptions")


# Command without its output -> the name of the output; MODEL stands for a model.
COMMANDS: dict[str, tuple[str, ...]] = {
    "fit": ("fit", "faithful", "-o"),
    "score": ("score", "MODEL", "faithful", "-o"),
    "outliers": ("outliers", "faithful", "-o"),
    "sample": ("sample", "MODEL", "-n", "100", "-o"),
    "plot": ("plot", "faithful", "-o"),
    "influence": ("influence", "MODEL", "--at", "1", "--plot"),
}


@pytest.mark.parametrize("command", slow_where(lambda name: name in {"plot", "influence"}, COMMANDS, str))
def test_the_file_is_named_and_the_old_one_kept(command: str, model: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.png"
    output.write_bytes(b"old")
    words = [str(model) if word == "MODEL" else word for word in COMMANDS[command]]
    with limited(LIMIT_BYTES):
        result = run(*words, output)
    expected = f"rkde: error: {output}: File too large; raise the limit (ulimit -f), or write elsewhere\n"
    assert (result.exit_code, result.stdout) == (EXIT_BAD_INPUT, "")
    assert result.stderr.endswith(expected)
    assert output.read_bytes() == b"old"
    assert names_in(tmp_path) == ["out.png"]


def test_vectors_are_exported_whole_or_not(tmp_path: Path) -> None:
    with limited(LIMIT_BYTES):
        assert_refused(run("vectors", "export", tmp_path / "v"), ("File too large", ".json"))
    assert [path for path in (tmp_path / "v").rglob("*") if path.is_file()] == []


def test_the_report_of_a_check_is_whole_or_not(tmp_path: Path) -> None:
    options = ("--skip-claims", "--show", CASE, "--junit", tmp_path / "j.xml")
    with limited(LIMIT_BYTES):
        result = run("verify", *options)
    assert result.exit_code == EXIT_BAD_INPUT
    assert f"{tmp_path / 'j.xml'}" in result.stderr
    assert "File too large" in result.stderr
    assert not [name for name in names_in(tmp_path) if "j.xml" in name]


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """Mount a small file system in memory, where this user may."""
    folder.mkdir(exist_ok=True)
    mount = [shutil.which("mount") or "false", "-t", "tmpfs", "-o", options, "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield
    finally:
        subprocess.run([str(shutil.which("umount")), str(folder)], check=True)


def _full(folder: Path) -> None:
    with (folder / "filler").open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(b"\0" * 512)


def _read_only(folder: Path) -> None:
    subprocess.run([str(shutil.which("mount")), "-o", "remount,ro", str(folder)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepare", "fragment"),
    [
        (_full, "No space left on device; free some space, or write elsewhere"),
        (_read_only, "its folder is not writable; choose another folder"),
    ],
    ids=["full", "read-only"],
)
def test_a_real_file_system(prepare: Callable[[Path], object], fragment: str, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with mounted(disk, f"size={DISK_BYTES},nr_inodes=100"):
        (disk / "m.npz").write_bytes(b"old")
        prepare(disk)
        before = names_in(disk)
        done = run_program("fit", "faithful", "-o", str(disk / "m.npz"))
        assert done.returncode == EXIT_BAD_INPUT
        assert done.stderr.decode().splitlines()[-1] == f"rkde: error: {disk / 'm.npz'}: {fragment}"
        assert (disk / "m.npz").read_bytes() == b"old"
        assert names_in(disk) == before


def test_a_table_that_grows_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "t.csv"
    table.write_text("1,2\n3,4\n5,", encoding="utf-8")
    fstat = os.fstat

    def then_written(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        with table.open("a", encoding="utf-8") as stream:
            stream.write("66\n")
        return found

    monkeypatch.setattr("os.fstat", then_written)
    told = (f"{table}: the file changed while it was read; run again when it is complete",)
    assert_refused(run("fit", table, "-o", tmp_path / "m.npz"), told)
    assert names_in(tmp_path) == ["t.csv"]


def test_a_named_pipe_is_read_to_its_end_however_late_its_writer(tmp_path: Path) -> None:
    """Its time of change is that of the last writing, which comes after it was opened."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write_late() -> None:
        with pipe.open("wb") as stream:
            time.sleep(0.1)
            stream.write(b"1,2\n3,4\n5,66\n9,7\n")

    writer = threading.Thread(target=write_late, daemon=True)
    writer.start()
    report = json.loads(succeeded(run("fit", pipe, "-o", tmp_path / "m.npz", "--json")))
    assert report["n"] == 4
    writer.join()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs names of open files")
def test_no_row_of_a_pipe_is_lost_where_a_model_might_be_given(tmp_path: Path) -> None:
    """A pipe has no beginning to look at before the table is read: what was read is gone."""
    source, sink = os.pipe()
    rows = "".join(f"{row % 7},{row % 5}\n" for row in range(3000))
    os.write(sink, rows.encode())
    os.close(sink)
    try:
        ranked = succeeded(run("outliers", f"/dev/fd/{source}", "--bandwidth", "0.5"))
    finally:
        os.close(source)
    assert len(ranked.splitlines()) == 1 + 3000
