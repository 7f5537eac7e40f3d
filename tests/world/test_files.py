"""A file is written whole or not at all, and what a killed run left of one is removed by the next."""

import os
import sys
from pathlib import Path

import pytest

from rkde.files import write_atomically, writing_atomically
from tests.cli.running import assert_refused, names_in, run

posix = pytest.mark.skipif(sys.platform == "win32", reason="locks and limits of POSIX")


def abandoned(folder: Path, name: str = "m.npz", digits: str = "0123456789abcdef") -> Path:
    """Leave the temporary file that a killed run leaves."""
    path = folder / f".{name}.{digits}.part"
    path.write_bytes(b"half")
    return path


def test_a_reader_sees_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")
    with writing_atomically(path) as stream:
        stream.write(b"ne")
        stream.flush()
        assert path.read_bytes() == b"old"
        stream.write(b"w")
    assert path.read_bytes() == b"new"
    assert names_in(tmp_path) == ["m.npz"]


def test_the_new_file_is_on_the_disk_before_it_replaces_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")
    stored = []

    def fsync(number: int) -> None:
        stored.append((os.fstat(number).st_size, path.read_bytes()))

    monkeypatch.setattr("os.fsync", fsync)
    write_atomically(path, b"newer")
    assert stored == [(5, b"old")]
    assert path.read_bytes() == b"newer"


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit, OSError])
def test_whatever_ends_the_writing_leaves_the_old_file(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")

    def write_half() -> None:
        with writing_atomically(path) as stream:
            stream.write(b"half")
            raise failure

    with pytest.raises(failure):
        write_half()
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["m.npz"]


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    abandoned(tmp_path)
    abandoned(tmp_path, digits="f" * 16)
    write_atomically(tmp_path / "m.npz", b"new")
    assert names_in(tmp_path) == ["m.npz"]


@posix
def test_what_another_run_still_writes_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    with writing_atomically(path) as first:
        first.write(b"first")
        write_atomically(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert names_in(tmp_path) == ["m.npz"]


@pytest.mark.parametrize(
    "name",
    [
        ".m.npz.part",
        ".m.npz.0123456789abcdef",
        ".m.npz.0123456789ABCDEF.part",
        ".m2npz.0123456789abcdef.part",
        "m.npz.0123456789abcdef.part",
    ],
)
def test_no_other_file_is_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine")
    write_atomically(tmp_path / "m.npz", b"new")
    assert names_in(tmp_path) == sorted([name, "m.npz"])


@posix
def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "m.npz")
    abandoned(tmp_path / "elsewhere")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "elsewhere" / "m.npz").read_bytes() == b"new"
    assert names_in(tmp_path / "elsewhere") == ["m.npz"]


@posix
@pytest.mark.parametrize("name", ["a" * 255, "ä" * 127, "*[a]?.npz"])
def test_every_name_that_a_file_may_have(tmp_path: Path, name: str) -> None:
    abandoned(tmp_path, name[:40])
    write_atomically(tmp_path / name, b"new")
    assert names_in(tmp_path) == [name]


@posix
def test_the_mode_is_that_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "m.npz", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "m.npz").stat().st_mode & 0o777 == 0o640


@posix
def test_the_mode_of_a_file_that_is_replaced_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")
    path.chmod(0o600)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600


@posix
def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    """Nor is a device, such as /dev/null, in whose folder an administrator may write."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="Not a regular file") as caught:
        write_atomically(tmp_path / "pipe", b"new")
    assert caught.value.filename == str(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()
    assert names_in(tmp_path) == ["pipe"]


def test_a_file_without_permission_to_write_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder would let it be replaced."""
    path = tmp_path / "m.npz"
    path.write_bytes(b"old")
    # Whoever runs the tests may be allowed everything.
    monkeypatch.setattr("os.access", lambda found, mode: Path(found) != path or not mode & os.W_OK)
    with pytest.raises(PermissionError) as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    expected = (f"{path} must not be write-protected; change its permissions",)
    assert_refused(run("fit", "faithful", "-o", path), expected)
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["m.npz"]


@pytest.mark.parametrize("place", ["nowhere/m.npz", "file/m.npz", "folder"])
def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=place) as caught:
        write_atomically(tmp_path / place, b"new")
    assert caught.value.filename == str(tmp_path / place)
    assert caught.value.filename2 is None
    assert names_in(tmp_path) == ["file", "folder"]
