"""The manifest tells what the vector files are, and no identifier is ever lost."""

import json
import shutil
from pathlib import Path

import pytest

from rkde.conformance import VectorsError, load_vectors, shipped_vectors
from rkde.conformance.protocol import PROTOCOL_VERSION
from rkde.vectors.manifest import PROTOCOL, manifest, manifest_file, spelled_manifest
from rkde.vectors.recomputing import store

SHIPPED = shipped_vectors()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of one vector file, with its manifest."""
    folder = tmp_path / "v1"
    folder.mkdir()
    shutil.copy(SHIPPED / "auc.json", folder)
    manifest_file(folder).write_text(spelled_manifest(manifest(folder, "2026.11")), encoding="ascii")
    return folder


def test_the_shipped_manifest_is_that_of_the_shipped_files() -> None:
    text = manifest_file(SHIPPED).read_text(encoding="ascii")
    content = json.loads(text)
    assert text == spelled_manifest(manifest(SHIPPED, content["version"]))
    assert content["cases"] == len(load_vectors(SHIPPED)) == len(content["identifiers"])
    assert content["protocol"] == PROTOCOL == PROTOCOL_VERSION


def changed(folder: Path, *, withdrawn: bool) -> str:
    """Take the first case out of the file, or withdraw it; return its identifier."""
    path = folder / "auc.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    cases = content["groups"][0]["cases"]
    identity = str(cases[0]["id"])
    if withdrawn:
        cases[0]["flags"].append("WITHDRAWN")
    else:
        del cases[0]
    store(path, content)
    return identity


def test_a_case_that_is_gone_is_refused(copied: Path) -> None:
    identity = changed(copied, withdrawn=False)
    with pytest.raises(
        VectorsError, match=f"the case {identity} is missing; put it back with the flag WITHDRAWN"
    ):
        manifest(copied, "2026.12")


def test_a_withdrawn_case_is_marked_and_no_longer_asked(copied: Path) -> None:
    before = load_vectors(copied)
    identity = changed(copied, withdrawn=True)
    content = manifest(copied, "2026.12")
    assert content["withdrawn"] == [identity]
    assert content["cases"] == len(before) - 1
    assert content["identifiers"][identity] == "2026.11"
    assert [case.id for case in load_vectors(copied)] == [case.id for case in before if case.id != identity]
    assert len(load_vectors(copied, withdrawn=True)) == len(before)


@pytest.mark.parametrize("version", ["1.0", "2026", "2026.1", "v2026.11"])
def test_a_version_is_a_year_and_a_month(copied: Path, version: str) -> None:
    with pytest.raises(VectorsError, match="the version must be a year and a month"):
        manifest(copied, version)
