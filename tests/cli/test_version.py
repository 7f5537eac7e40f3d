"""`rkde version`: what a bug report needs, the same in every report and record."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import rkde
from benchmarks.paper.made_with import made_with
from benchmarks.speed.machine import machine_info
from rkde.conformance import shipped_vectors
from rkde.fast._resources import memory
from rkde.machine import LIBRARIES, describe_machine, machine_facts, texts
from tests.cli.running import object_of, run, succeeded

ROOT = Path(__file__).resolve().parents[2]


def test_it_says_what_the_option_says() -> None:
    assert succeeded(run("version")) == succeeded(run("--version"))


def test_the_machine_is_named() -> None:
    page = succeeded(run("version", "--machine"))
    found = describe_machine()
    assert page.startswith(succeeded(run("version")))
    assert f"\nprocessor: {found.processor}, {found.processors} usable\n" in page
    for heading in ("other libraries", "SIMD of numpy", "memory", "settings"):
        assert re.search(rf"^{heading}: \S", page, re.MULTILINE)
    for name in found.libraries:
        assert f"{name} {found.libraries[name]}" in page


def test_no_folder_of_the_user_is_named() -> None:
    texts = re.findall(r'"([^"]*)"', json.dumps(machine_facts()))
    assert any("/" in text for text in texts)
    assert not [text for text in texts if Path(text).is_absolute()]


def test_the_report_for_programs_holds_the_facts() -> None:
    facts = object_of(run("version", "--machine", "--json"))
    assert (facts["format"], facts["version"]) == ("rkde-machine", 1)
    assert set(facts) == {"format", "version", *machine_facts()}
    assert (facts["rkde"], facts["libraries"]["numpy"]) == (rkde.__version__, np.__version__)
    short = object_of(run("version", "--json"))
    assert list(short["libraries"]) == ["numpy", "scipy", "mpmath"]
    assert {name: facts[name] for name in short if name != "libraries"} == {
        name: short[name] for name in short if name != "libraries"
    }


def test_the_libraries_are_those_that_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(name for part in project["optional-dependencies"].values() for name in part),
    ]
    names = {re.split(r"[<>=\[ ;]", requirement)[0] for requirement in declared}
    assert names >= set(LIBRARIES)
    # Whatever an installation without extras computes with is among them; click and rich only print.
    required = {re.split(r"[<>=]", requirement)[0] for requirement in project["dependencies"]}
    assert set(LIBRARIES) >= required - {"click", "rich"}


def test_threads_are_those_of_this_moment() -> None:
    with threadpool_limits(1):
        assert {pool.threads for pool in describe_machine().pools} <= {1}


def test_settings_and_what_they_do_are_seen() -> None:
    found = describe_machine().simd.found
    if not found:
        pytest.skip("numpy finds no instruction set here beyond those that it needs")
    names = " ".join(found)
    command = [sys.executable, "-m", "rkde.cli", "version", "--machine", "--json"]
    environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": names}
    facts = json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert facts["variables"]["NPY_DISABLE_CPU_FEATURES"] == names
    assert facts["simd"]["found"] == []
    assert set(facts["simd"]["not_found"]) >= set(found)


def test_memory_is_what_a_computation_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_machine_memory", lambda: 1001)
    monkeypatch.setattr(memory, "_group_memory", list)
    found = describe_machine()
    assert (found.memory_free, found.memory_limit) == (1001, 500)


def test_a_report_of_verify_holds_the_facts(tmp_path: Path) -> None:
    (tmp_path / "loss.json").write_bytes((shipped_vectors() / "loss.json").read_bytes())
    (tmp_path / "empty").mkdir()
    passed = run("verify", "--skip-claims", "--json", "--vectors", tmp_path)
    failed = run("verify", "--skip-claims", "--json", "--vectors", tmp_path / "empty")
    expected = set(machine_facts())
    for result in (passed, failed):
        report = json.loads(result.stdout)
        assert set(report["machine"]) == expected
        assert report["machine"]["python"] == describe_machine().python


def test_records_and_results_hold_the_facts() -> None:
    unit, found = made_with(), describe_machine()
    recorded = machine_info()
    assert recorded == {**texts(found), "python": found.python, "libraries": found.libraries}
    assert (unit["numpy"], unit["system"]) == (np.__version__, found.system)
    assert all(pool.kernel in unit["pools"] for pool in found.pools)
