"""Make a release, and stop short of publishing it: ``python .ci/release.py``.

Both distributions are built twice from the last commit and must be equal to the last byte. Beside them stand
a bill of materials and the digests of everything. ``--rehearse`` allows uncommitted changes, which are left
out, and a changelog whose newest section is not dated yet.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
# What every file and folder of the archive has, whoever built it.
FILE_MODE, FOLDER_MODE = 0o644, 0o755


class ReleaseError(Exception):
    """Something is not ready for a release."""


def said(*command: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(  # noqa: S603 (commands of this file)
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def version_of(root: Path) -> str:
    """Return the version that the sources state."""
    found = re.search(
        r'^__version__.*= "(.+)"$', (root / "src/rkde/__init__.py").read_text("utf-8"), re.MULTILINE
    )
    if found is None:
        raise ReleaseError("src/rkde/__init__.py states no version")
    return found[1]


def check_changelog(root: Path, version: str) -> None:
    """Refuse a changelog whose newest section is not that of the version, with a date."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\] - (\S+)$", text, re.MULTILINE)
    if not sections or sections[0][0] != version or not re.fullmatch(r"\d{4}-\d\d-\d\d", sections[0][1]):
        raise ReleaseError(f"CHANGELOG.md must begin with '## [{version}] - YEAR-MONTH-DAY'; give the date")


def check_vectors(root: Path) -> None:
    """Refuse vector files that are not those of their manifest."""
    vectors = root / "reference" / "vectors"
    manifest = json.loads((vectors / "manifest.json").read_text("utf-8"))
    found = {
        path.name: f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted((vectors / "v1").glob("*.json"))
    }
    if found != manifest["files"]:
        raise ReleaseError("the vectors are not those of their manifest; run python -m rkde.vectors.manifest")


def normalised(archive: bytes, epoch: int) -> bytes:
    """Return a source archive without traces of when, where and by whom it was made."""
    unpacked = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as old,
        tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda one: one.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode = FOLDER_MODE if member.isdir() else FILE_MODE
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=epoch) as stream:
        stream.write(unpacked.getvalue())
    return packed.getvalue()


def built(root: Path, folder: Path, epoch: int) -> dict[str, bytes]:
    """Build both distributions of the last commit in an empty folder, the wheel from the archive."""
    sources, made = folder / "sources", folder / "made"
    sources.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_committed(root))) as tar:
        tar.extractall(sources, filter="data")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made))
    when = {"SOURCE_DATE_EPOCH": str(epoch)}
    said(*build, "--sdist", str(sources), cwd=folder, **when)
    (archive,) = made.glob("*.tar.gz")
    archive.write_bytes(normalised(archive.read_bytes(), epoch))
    unpacked = folder / "unpacked"
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    (inside,) = unpacked.iterdir()
    said(*build, "--wheel", str(inside), cwd=folder, **when)
    return {path.name: path.read_bytes() for path in sorted(made.iterdir())}


def _committed(root: Path) -> bytes:
    return subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"],  # noqa: S607 (whichever git there is)
        cwd=root,
        check=True,
        capture_output=True,
    ).stdout


def materials(version: str) -> dict[str, Any]:
    """Return the bill of materials: what an installation brings along, as CycloneDX."""
    waiting, found = ["rkde"], dict[str, dict[str, str]]()
    while waiting:
        for text in importlib.metadata.requires(waiting.pop()) or []:
            need = Requirement(text)
            if need.name in found or (need.marker is not None and not need.marker.evaluate({"extra": ""})):
                continue
            about = importlib.metadata.metadata(need.name)
            found[need.name] = {
                "type": "library",
                "name": need.name,
                "version": about["Version"],
                "purl": f"pkg:pypi/{need.name.lower()}@{about['Version']}",
            }
            waiting.append(need.name)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": "rkde", "version": version}},
        "components": [found[name] for name in sorted(found)],
    }


def release(root: Path, target: Path, *, rehearse: bool) -> list[Path]:
    """Make everything that a release consists of; return the files."""
    version = version_of(root)
    if not rehearse:
        check_changelog(root, version)
        if said("git", "status", "--porcelain", cwd=root):
            raise ReleaseError("the checkout has changes that are not committed; commit them")
    check_vectors(root)
    epoch = int(said("git", "log", "-1", "--format=%ct", cwd=root))
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        made = built(root, Path(first), epoch)
        if built(root, Path(second), epoch) != made:
            raise ReleaseError("two builds differ")
    made["sbom.json"] = (json.dumps(materials(version), indent=1) + "\n").encode()
    digests = "".join(f"{hashlib.sha256(made[name]).hexdigest()}  {name}\n" for name in sorted(made))
    made["SHA256SUMS"] = digests.encode()
    target.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (target / name).write_bytes(content)
    return [target / name for name in made]


def main() -> None:
    """Make a release in `dist/`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    try:
        made = release(ROOT, given.output, rehearse=given.rehearse)
    except ReleaseError as error:
        sys.exit(f"error: {error}")
    lines = [
        *map(str, made),
        "nothing is published; python -m twine upload publishes the archive and the wheel",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
