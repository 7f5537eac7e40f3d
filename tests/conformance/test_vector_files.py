"""Vector files: schema, digest, version, manifest; the shipped ones are fresh and say what they should."""

import json
import shutil
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from rkde.adapter import OPERATIONS
from rkde.conformance import Case, VectorsError, digest, load_vectors, shipped_vectors
from rkde.conformance.protocol import PROTOCOL_VERSION
from rkde.conformance.vectors import schema
from rkde.vectors import recompute
from rkde.vectors.computing import HIGH_DIGITS, LOW_DIGITS
from rkde.vectors.manifest import PROTOCOL, manifest, manifest_file, spelled_manifest
from rkde.vectors.recomputing import store
from tests.support.selection import slow_where

SHIPPED = shipped_vectors()
FILES = [name for name in OPERATIONS if name != "hello"]
# A thousand cases of fifteen hundred bytes each.
MAX_BYTES = 1_500_000
MIN_CASES = 680


def content_of(name: str) -> dict[str, Any]:
    return dict(json.loads((SHIPPED / f"{name}.json").read_text("ascii")))


def write(folder: Path, content: dict[str, Any], *, fresh_digest: bool = True) -> Path:
    """Write one vector file into a folder of its own."""
    if fresh_digest:
        content["digest"] = digest(content["groups"])
    (folder / "some.json").write_text(json.dumps(content), "ascii")
    return folder


# A second or less each; the others take up to ten times as long, and run where slow tests do.
QUICK: Final = ("auc", "loss", "objective", "signed_rank")


@pytest.mark.parametrize("name", slow_where(lambda name: name not in QUICK, FILES, str))
def test_a_fresh_computation_of_every_case_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    shutil.copy(SHIPPED / f"{name}.json", tmp_path)
    assert recompute(tmp_path) == []
    assert (tmp_path / f"{name}.json").read_bytes() == (SHIPPED / f"{name}.json").read_bytes()


def test_each_file_has_the_operation_of_its_name_and_the_one_header() -> None:
    contents = {name: content_of(name) for name in FILES}
    for name, content in contents.items():
        assert {group["op"] for group in content["groups"]} == {name}
    headers = [{**content, "digest": "", "groups": []} for content in contents.values()]
    assert all(header == headers[0] for header in headers)
    assert headers[0]["generator"].endswith(f"agrees at {LOW_DIGITS} and {HIGH_DIGITS} digits")


def test_the_schema_is_one_and_closed() -> None:
    def open_objects(node: object, path: str) -> list[str]:
        if isinstance(node, list):
            return [found for i, entry in enumerate(node) for found in open_objects(entry, f"{path}/{i}")]
        if not isinstance(node, dict):
            return []
        own = [path] if "object" in str(node.get("type")) and "additionalProperties" not in node else []
        return own + [found for key, entry in node.items() for found in open_objects(entry, f"{path}/{key}")]

    jsonschema.Draft202012Validator.check_schema(schema())
    assert open_objects(schema(), "") == []
    assert open_objects({"type": "object"}, "") == [""]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The shipped vectors, read once."""
    return load_vectors(SHIPPED)


def test_the_shipped_vectors_are_many_and_small(cases: list[Case]) -> None:
    errors = [case for case in cases if case.error]
    assert len(cases) >= MIN_CASES
    assert len(cases) > 3 * len(errors) > 0
    assert {path.stem for path in SHIPPED.glob("*.json")} == set(FILES)
    assert sum(path.stat().st_size for path in SHIPPED.glob("*.json")) < MAX_BYTES


def test_each_flag_that_is_used_is_explained(cases: list[Case]) -> None:
    used = Counter(flag for case in cases for flag in case.flags)
    explained = set(content_of("loss")["flags"])
    # What is ill-conditioned follows from the mathematics: no shipped case is, so far. None was withdrawn.
    assert explained - {"ILL_CONDITIONED", "WITHDRAWN"} <= set(used) <= explained


def test_each_request_holds_the_shortest_decimals_of_float64() -> None:
    """Everything else is text or whole."""
    found: list[str] = []
    for path in SHIPPED.glob("*.json"):
        json.loads(path.read_text("ascii"), parse_float=found.append)
    assert found
    assert [text for text in found if repr(float(text)) != text] == []


def test_several_right_answers_with_radii_are_read(tmp_path: Path) -> None:
    content = content_of("loss")
    case = content["groups"][0]["cases"][0]
    first = case["expected"]
    first["rho"] |= {"radius": "1.5e-50", "evidence": "ball arithmetic"}
    first["psi"] |= {"radius": None, "evidence": "two precisions"}
    other = json.loads(json.dumps(first))
    other["rho"] |= {"value": "global", "radius": "0", "evidence": "exact"}
    other["from_below"] = {"value": {"q": ["0"], "one_sided": True}, "radius": "0", "evidence": "exact"}
    case["any_of"], case["expected"] = [first, other], None
    found = load_vectors(write(tmp_path, content))[0]
    assert found.expected["rho"] == first["rho"]["value"]
    assert found.radii["rho"] == Decimal("1.5e-50")
    assert "psi" not in found.radii
    (second,) = found.others
    assert second.values["rho"] == "global"
    assert second.values["from_below"] == {"q": ["0"], "one_sided": True}
    assert len(found.right_answers) == 2


def test_a_changed_digit_or_input_breaks_the_digest(tmp_path: Path) -> None:
    content = content_of("loss")
    entry = content["groups"][0]["cases"][0]["expected"]["rho"]["value"]
    entry[0] = entry[0].replace("00e", "01e")
    assert load_vectors(write(tmp_path, content))
    entry[0] = entry[0].replace("01e", "02e")
    changed_input = content_of("loss")
    changed_input["groups"][0]["request"]["t"][0] = 0.2
    for changed in (content, changed_input):
        with pytest.raises(VectorsError, match="do not match the digest in the header"):
            load_vectors(write(tmp_path, changed, fresh_digest=False))


def test_two_cases_of_one_id_are_refused(tmp_path: Path) -> None:
    write(tmp_path, content_of("loss"))
    shutil.copy(tmp_path / "some.json", tmp_path / "copy.json")
    with pytest.raises(VectorsError, match="two cases have the id"):
        load_vectors(tmp_path)


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
    told = f"the case {identity} is missing; put it back with the flag WITHDRAWN"
    with pytest.raises(VectorsError, match=told):
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
