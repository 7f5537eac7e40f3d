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
import uuid
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# What every file and folder of the archive has, whoever built it.
FILE_MODE, FOLDER_MODE = 0o644, 0o755
# The wheel has the modes of the files that it is built from and of those that the build writes.
UMASK = 0o022
LICENCE_CLASSIFIER = "License :: OSI Approved :: "


class ReleaseError(Exception):
    """Something is not ready for a release."""


def said(*command: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(  # noqa: S603 (commands of this file)
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        umask=UMASK,
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


def materials(made: Mapping[str, bytes], epoch: int) -> dict[str, Any]:
    """Return the bill of materials as CycloneDX: what the wheel needs, in the versions installed here."""
    (wheel,) = (content for name, content in made.items() if name.endswith(".whl"))
    about = wheel_metadata(wheel)
    files = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(made.items())}
    subject = {
        **component(about),
        "components": [
            {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
            for name, digest in files.items()
        ],
    }
    waiting = [about]
    components, depends = dict[str, dict[str, Any]](), dict[str, list[str]]()
    while waiting:
        one = waiting.pop()
        needed = [installed(name) for name in needs(one)]
        depends[reference(one)] = sorted(map(reference, needed))
        for other in needed:
            if reference(other) not in components:
                components[reference(other)] = component(other)
                waiting.append(other)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([files, sorted(components)])).urn,
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": subject,
        },
        "components": [components[name] for name in sorted(components)],
        "dependencies": [{"ref": name, "dependsOn": depends[name]} for name in sorted(depends)],
    }


def wheel_metadata(wheel: bytes) -> Message:
    """Return what a wheel says of itself."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        return BytesParser().parsebytes(files.read(name))


def installed(name: str) -> Message:
    """Return what an installed distribution says of itself."""
    try:
        return BytesParser().parsebytes(
            (importlib.metadata.distribution(name).read_text("METADATA") or "").encode()
        )
    except importlib.metadata.PackageNotFoundError:
        raise ReleaseError(
            f"the bill of materials needs {name}, which is not installed; install it"
        ) from None


def needs(about: Message) -> list[str]:
    """Return what a distribution needs here without extras."""
    stated = [Requirement(text) for text in about.get_all("Requires-Dist", [])]
    return sorted(
        {need.name for need in stated if need.marker is None or need.marker.evaluate({"extra": ""})}
    )


def reference(about: Message) -> str:
    """Return the package URL of a distribution."""
    return f"pkg:pypi/{canonicalize_name(about['Name'])}@{about['Version']}"


def component(about: Message) -> dict[str, Any]:
    """Return one entry of the bill."""
    names = [text for text in about.get_all("Classifier", []) if text.startswith(LICENCE_CLASSIFIER)]
    if "License-Expression" in about:
        licences: list[dict[str, Any]] = [{"expression": about["License-Expression"]}]
    else:
        licences = [{"license": {"name": text.removeprefix(LICENCE_CLASSIFIER)}} for text in names]
    if not licences:
        # The field may hold the whole text, which begins with the name.
        licences = [{"license": {"name": line}} for line in str(about.get("License", "")).splitlines()[:1]]
    return {
        "type": "library",
        "bom-ref": reference(about),
        "name": canonicalize_name(about["Name"]),
        "version": about["Version"],
        "licenses": licences,
        "purl": reference(about),
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
    made["sbom.json"] = (json.dumps(materials(made, epoch), indent=1) + "\n").encode()
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
