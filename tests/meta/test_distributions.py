"""The source archive and the wheel hold every file once, with and without symbolic links in the checkout."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

MAPPED = ("reference", "fast", "proofs_checks")
# Written by the build itself.
GENERATED_IN_ARCHIVE = ("PKG-INFO", "setup.cfg", "src/rkde.egg-info/")


def miscounted(found: Iterable[str], expected: Iterable[str]) -> list[str]:
    """Return the names that are missing, unexpected or there more than once."""
    counts = Counter(found)
    wanted = set(expected)
    return sorted(
        {name for name, count in counts.items() if count > 1 or name not in wanted} | (wanted - set(counts))
    )


def installed_name(path: str) -> str | None:
    """Return where the wheel holds a file of the sources, or None for one that is not installed."""
    if path.startswith("src/rkde/"):
        return path.removeprefix("src/")
    return f"rkde/{path}" if path.startswith(tuple(f"{name}/" for name in MAPPED)) else None


def copy_sources(root: Path, files: Iterable[Path], target: Path, *, links: bool) -> list[str]:
    """Copy the project into an empty folder, so that building leaves nothing in the checkout."""
    names = [path.relative_to(root).as_posix() for path in files]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target / name)
    if links:
        for name in MAPPED:
            (target / "src" / "rkde" / name).symlink_to(f"../../{name}", target_is_directory=True)
    return names


def build(folder: Path) -> tuple[list[str], list[str]]:
    """Build both distributions, the wheel from the archive; return the names of the files that each holds."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "made", "."]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    (archive,) = (folder / "made").glob("*.tar.gz")
    (wheel,) = (folder / "made").glob("*.whl")
    with tarfile.open(archive) as tar:
        in_archive = [member.name.partition("/")[2] for member in tar.getmembers() if not member.isdir()]
    return in_archive, zipfile.ZipFile(wheel).namelist()


@pytest.mark.slow
@pytest.mark.build
@pytest.mark.parametrize("links", [True, False], ids=["links", "no-links"])
def test_files_are_shipped_once(root: Path, project_files: list[Path], tmp_path: Path, links: bool) -> None:
    if links and not (root / "src" / "rkde" / "fast").is_symlink():
        pytest.skip("this checkout has no symbolic links")
    names = copy_sources(root, project_files, tmp_path, links=links)
    in_archive, in_wheel = build(tmp_path)
    assert not miscounted([name for name in in_archive if not name.startswith(GENERATED_IN_ARCHIVE)], names)
    own = [name for name in in_wheel if ".dist-info/" not in name]
    assert not miscounted(own, filter(None, map(installed_name, names)))


def test_miscounts_are_seen() -> None:
    assert miscounted(["a", "b", "b", "x"], ["a", "b", "c"]) == ["b", "c", "x"]
    assert installed_name("src/rkde/errors.py") == "rkde/errors.py"
    assert installed_name("fast/operators/dense.py") == "rkde/fast/operators/dense.py"
    assert installed_name("tests/conftest.py") is None
