"""Make the checker one file that needs Python alone: `rkde verify --adapter` with the vectors inside.

Run ``python docs/building/runner.py rkde-verify.pyz`` in an environment that has rkde. The file is a zip
archive that any Python of the same or a later version runs, without numpy and without a network; it unpacks
itself into a folder that is removed at the end. What it needs of other packages is pure Python and goes in
with its licences. `rkde.fast` stays out.
"""

import re
import shutil
import sys
import tempfile
import zipapp
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src" / "rkde"
REFERENCE: Final = ROOT / "reference"
# Pure Python, as is what they need in turn.
BUNDLED: Final = ("click", "rich", "mpmath")
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "*.pyc", "fast", "reference", "proofs_checks")
_MAIN: Final = '''\
"""Unpack the checker, run its command line, and remove what was unpacked."""

import runpy
import sys
import tempfile
import zipfile

if sys.version_info < (3, 11):
    sys.exit("rkde-verify needs Python 3.11 or newer")

with tempfile.TemporaryDirectory(prefix="rkde-verify-") as folder:
    with zipfile.ZipFile(sys.argv[0]) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith("unpacked/")])
    sys.path[0] = folder + "/unpacked"
    if len(sys.argv) == 1 or sys.argv[1].startswith("-"):
        sys.argv.insert(1, "verify")
    sys.argv[0] = "rkde"
    runpy.run_module("rkde.cli", run_name="__main__", alter_sys=False)
'''


def build_runner(target: Path) -> None:
    """Write the archive.

    Parameters
    ----------
    target : Path
        Where to; a file there is replaced.
    """
    with tempfile.TemporaryDirectory() as folder:
        staged = Path(folder)
        unpacked = staged / "unpacked"
        shutil.copytree(PACKAGE, unpacked / "rkde", ignore=LEFT_OUT)
        shutil.copytree(REFERENCE, unpacked / "rkde" / "reference", ignore=LEFT_OUT)
        shutil.copy(ROOT / "LICENSE", unpacked / "rkde" / "LICENSE")
        for name in with_requirements(BUNDLED):
            _copy_distribution(name, unpacked)
        (staged / "__main__.py").write_text(_MAIN, "utf-8")
        zipapp.create_archive(staged, target, interpreter="/usr/bin/env python3", compressed=True)


def write_runner(app: "Sphinx", error: Exception | None) -> None:
    """Offer the archive on the site, beside the page that describes it."""
    if error is None and app.builder.format == "html":
        build_runner(Path(app.outdir) / "docs" / "adapters" / "rkde-verify.pyz")


def with_requirements(names: tuple[str, ...]) -> list[str]:
    """Return the distributions and, of what they require, what is installed; extras are left out."""
    found = list(names)
    for name in found:
        for requirement in metadata.requires(name) or []:
            required = re.match(r"[\w.-]+", requirement)
            if required is None or "extra ==" in requirement or required[0] in found:
                continue
            try:
                metadata.version(required[0])
            except metadata.PackageNotFoundError:
                # Needed on another system only.
                continue
            found.append(required[0])
    return found


def _copy_distribution(name: str, to: Path) -> None:
    """Copy the modules of an installed distribution, and the folder with its licence."""
    for file in metadata.files(name) or []:
        place = PurePosixPath(file)
        if place.parts[0] == ".." or "__pycache__" in place.parts or place.suffix == ".pyc":
            continue
        (to / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(str(file.locate()), to / place)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python docs/building/runner.py FILE.pyz")
    build_runner(Path(sys.argv[1]))
