"""A release is made by one command: equal builds, an archive that installs, digests, a bill of materials."""

import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import runpy
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rkde


@pytest.fixture(scope="module")
def release(root: Path) -> Any:
    """The script, which is no module of a package."""
    return SimpleNamespace(**runpy.run_path(str(root / ".ci" / "release.py")))


def archive(time: int, owner: str, order: int) -> bytes:
    """Return a source archive with the traces of one build."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name in ("a", "b")[::order]:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uname = 1, time, owner
            tar.addfile(member, io.BytesIO(name.encode()))
    return buffer.getvalue()


def test_archives_of_the_same_files_become_equal(release: Any) -> None:
    first = release.normalised(archive(10**9, "one", 1), 10**8)
    assert release.normalised(archive(2 * 10**9, "other", -1), 10**8) == first
    with tarfile.open(fileobj=io.BytesIO(first)) as tar:
        assert [member.name for member in tar] == ["a", "b"]
    assert gzip.decompress(first)


@pytest.mark.parametrize(
    ("newest", "is_ready"),
    [("1.2.3] - 2026-11-29", True), ("1.2.3] - unreleased", False), ("1.2.2] - 2026-11-29", False)],
)
def test_the_changelog_is_dated(release: Any, tmp_path: Path, newest: str, is_ready: bool) -> None:
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{newest}\n\n- x\n", encoding="utf-8")
    if is_ready:
        release.check_changelog(tmp_path, "1.2.3")
        return
    with pytest.raises(release.ReleaseError, match="give the date"):
        release.check_changelog(tmp_path, "1.2.3")


def test_the_vectors_are_those_of_the_manifest(release: Any, root: Path, tmp_path: Path) -> None:
    release.check_vectors(root)
    (tmp_path / "reference" / "vectors" / "v1").mkdir(parents=True)
    manifest = (root / "reference" / "vectors" / "manifest.json").read_bytes()
    (tmp_path / "reference" / "vectors" / "manifest.json").write_bytes(manifest)
    with pytest.raises(release.ReleaseError, match="manifest"):
        release.check_vectors(tmp_path)


def wheel(requires: str) -> bytes:
    """Return a wheel that says only what it needs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as files:
        about = f"Name: rkde\nVersion: 9.0\nLicense-Expression: BSD-3-Clause\nRequires-Dist: {requires}\n"
        files.writestr("rkde-9.0.dist-info/METADATA", about)
    return buffer.getvalue()


def test_the_bill_lists_what_the_wheel_brings(release: Any) -> None:
    made = {"rkde.whl": wheel("rich"), "rkde.tar.gz": b"archive"}
    bill = release.materials(made, 10**9)
    parts = {part["name"]: part for part in bill["components"]}
    # Of the wheel, not of what is installed here; and what is needed by what is needed.
    assert list(parts) == sorted(parts)
    assert {"rich", "pygments", "markdown-it-py", "mdurl"} <= set(parts)
    for part in parts.values():
        assert part["version"] == importlib.metadata.version(part["name"])
        assert part["licenses"]
    subject = bill["metadata"]["component"]
    assert subject["purl"] == "pkg:pypi/rkde@9.0"
    assert bill["metadata"]["timestamp"] == "2001-09-09T01:46:40Z"
    digests = {file["name"]: file["hashes"][0]["content"] for file in subject["components"]}
    assert digests == {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    depends = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert depends[subject["bom-ref"]] == [parts["rich"]["bom-ref"]]
    assert parts["mdurl"]["bom-ref"] in depends[parts["markdown-it-py"]["bom-ref"]]
    assert set(depends) == {subject["bom-ref"], *(part["bom-ref"] for part in parts.values())}


def test_a_bill_without_a_part_is_refused(release: Any) -> None:
    with pytest.raises(release.ReleaseError, match="no-such-part, which is not installed; install it"):
        release.materials({"rkde.whl": wheel("no-such-part")}, 10**9)


def test_files_of_a_build_have_the_same_modes_under_any_umask(release: Any, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        release.said(sys.executable, "-c", "open('made', 'w').close()", cwd=tmp_path)
    finally:
        os.umask(before)
    assert (tmp_path / "made").stat().st_mode & 0o777 == release.FILE_MODE


@pytest.mark.slow
@pytest.mark.build
def test_a_rehearsal_builds_equal_files_and_the_archive_installs(root: Path, tmp_path: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("a release is made from a checkout")
    command = [sys.executable, root / ".ci" / "release.py", "--rehearse", "--output", tmp_path / "dist"]
    # Two builds that differ end the command.
    subprocess.run(command, check=True, capture_output=True)
    digests = (tmp_path / "dist" / "SHA256SUMS").read_text("ascii").splitlines()
    files = {path.name: path for path in (tmp_path / "dist").iterdir() if path.name != "SHA256SUMS"}
    for line in digests:
        digest, name = line.split("  ")
        assert hashlib.sha256(files.pop(name).read_bytes()).hexdigest() == digest
    assert files == {}
    assert json.loads((tmp_path / "dist" / "sbom.json").read_text("utf-8"))["components"]
    (made,) = (tmp_path / "dist").glob("*.tar.gz")
    install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    target = tmp_path / "installed"
    subprocess.run([sys.executable, *install, "--target", target, made], check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(target)}
    script = "import rkde; print(rkde.__file__); print(rkde.__version__)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    where, version = done.stdout.split()
    assert Path(where).is_relative_to(target)
    assert version == rkde.__version__
