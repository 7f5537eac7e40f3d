"""Rows, Pythons and settings: what is chosen, and what shows nothing and is left out with its reason."""

import platform
import sys
from collections import ChainMap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tests.machines import pythons as pythons_module
from tests.machines import settings
from tests.machines.__main__ import chosen
from tests.machines.pythons import minor_of, pythons, version_of
from tests.machines.rows import Settings, kernels, rows
from tests.machines.settings import CORETYPE, SkipError, variables_of
from tests.machines.workshop import NoEnvironmentError

PYTHON = Path(sys.executable)


def test_the_rows_cover_versions_and_settings() -> None:
    found = {row.name: row for row in rows(["3.11", "3.12", "3.13"], "3.11", kernels("AMD64"))}
    assert found["lowest"].versions.resolution == "lowest-direct"
    assert found["lowest"].versions.python == "3.11"
    assert found["bare"].versions.extras == ""
    assert {name for name in found if name.startswith("python-")} == {"python-3.12", "python-3.13"}
    assert {row.settings.kernel for row in found.values()} >= {"Prescott", "Haswell", "SkylakeX"}
    assert {name for name, row in found.items() if row.short} == {"lowest", "python-3.13", "without-simd"}
    # All others run on one Python, which is the first one here.
    assert {row.versions.python for name, row in found.items() if "python" not in name} == {"3.11"}


def test_an_unknown_architecture_has_no_kernels_to_choose_from() -> None:
    assert kernels("unheard-of") == ()
    assert not [row for row in rows(["3.11"], "3.11", ()) if row.settings.kernel]


def test_rows_are_chosen_by_name_and_length() -> None:
    known = rows(["3.11", "3.13"], "3.11", kernels("x86_64"))
    assert chosen(known, only=(), short=False) == known
    assert [row.name for row in chosen(known, only=["bare"], short=False)] == ["bare"]
    assert all(row.short for row in chosen(known, only=(), short=True))
    with pytest.raises(SystemExit, match="unknown rows: nonsense"):
        chosen(known, only=["nonsense"], short=False)


@pytest.mark.slow
def test_pythons_are_found_and_asked() -> None:
    here, allowed = version_of(PYTHON), SpecifierSet(">=3.11", prereleases=True)
    found = pythons(allowed)
    assert found[minor_of(here)] == PYTHON
    versions = [version_of(path) for path in found.values()]
    assert all(version in allowed for version in versions if version)
    assert [minor_of(version) for version in versions if version] == list(found)


def test_the_newest_of_a_minor_version_counts_but_what_is_named_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {"a": "3.12.1", "b": "3.12.10", "c": "3.12.9", "d": "3.11.9", "e": "3.10.1"}
    known = {Path(name): Version(text) for name, text in {sys.executable: "3.11.7", **texts}.items()}
    monkeypatch.setattr(pythons_module, "version_of", known.get)
    monkeypatch.setattr(pythons_module, "candidates", lambda: map(Path, "abcde"))
    allowed = SpecifierSet(">=3.11")
    assert pythons(allowed) == {"3.11": PYTHON, "3.12": Path("b")}
    assert pythons(allowed, [Path("a"), Path("d")]) == {"3.11": Path("d"), "3.12": Path("a")}


def test_what_is_no_python_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "python3.99"
    broken.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    broken.chmod(0o755)
    assert version_of(broken) is None
    assert version_of(tmp_path / "missing") is None


def probed(
    kernel: str = "Haswell", simd: tuple[str, ...] = ("X86_V3",), threads: int = 2, bits: str = "with"
) -> dict[str, Any]:
    """Return what a probe could have found."""
    pool = {"library": "openblas", "kernel": kernel, "threads": threads}
    return {"machine": {"pools": [pool], "simd": {"found": list(simd)}}, "library_bits": bits}


def machine(**effects: dict[str, Any]) -> Callable[[Path, dict[str, str]], dict[str, Any]]:
    """Return a processor that answers a probe as the variables ask, as far as it can."""
    return lambda _, variables: probed(**dict(ChainMap(*(effects.get(name, {}) for name in variables))))


@pytest.mark.parametrize(
    ("asked", "effects", "reason"),
    [
        (Settings("Nehalem"), {CORETYPE: {"kernel": "Nehalem"}}, ""),
        (Settings("Prescott"), {CORETYPE: {"kernel": "Katmai"}}, ""),
        (Settings("Zen"), {CORETYPE: {"kernel": "Haswell"}}, "takes Haswell instead"),
        (Settings("Haswell"), {}, "without a setting"),
        (Settings("Haswell", numpy_simd=False), {"NPY_DISABLE_CPU_FEATURES": {"simd": ()}}, ""),
        (Settings(numpy_simd=False), {"NPY_DISABLE_CPU_FEATURES": {"simd": ()}}, ""),
        (Settings(numpy_simd=False), {}, "cannot be switched off"),
        (Settings(glibc_simd=False), {"GLIBC_TUNABLES": {"bits": "without"}}, ""),
        (Settings(glibc_simd=False), {}, "changes no digit"),
        (Settings(threads=1), {"OPENBLAS_NUM_THREADS": {"threads": 1}}, ""),
        (Settings(threads=2), {}, "without a setting"),
        (Settings(threads=4), {}, "another number of threads"),
        (Settings(), {}, ""),
    ],
)
def test_a_setting_without_effect_is_left_out(
    monkeypatch: pytest.MonkeyPatch, asked: Settings, effects: dict[str, Any], reason: str
) -> None:
    monkeypatch.delenv(CORETYPE, raising=False)
    monkeypatch.setattr(settings, "probe", machine(**effects))
    if not reason:
        assert set(effects) <= set(variables_of(asked, PYTHON))
        return
    with pytest.raises(SkipError, match=reason):
        variables_of(asked, PYTHON)


def test_a_kernel_that_the_environment_has_chosen_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CORETYPE, "Haswell")
    monkeypatch.setattr(settings, "probe", machine(OPENBLAS_CORETYPE={"kernel": "Nehalem"}))
    with pytest.raises(SkipError, match="OPENBLAS_CORETYPE is Haswell already"):
        variables_of(Settings("Nehalem"), PYTHON)
    assert variables_of(Settings("Nehalem"), PYTHON, own_kernel=True) == {CORETYPE: "Nehalem"}
    assert CORETYPE not in variables_of(Settings(), PYTHON)


def test_a_signal_is_a_reason_and_a_failure_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "probe.py"
    monkeypatch.setattr(settings, "PROBE", script)
    script.write_text("import os, signal\nos.kill(os.getpid(), signal.SIGILL)\n", "utf-8")
    with pytest.raises(SkipError, match="SIGILL"):
        settings.probe(PYTHON, {"of": "this test"})
    script.write_text("raise SystemExit('no numpy')\n", "utf-8")
    with pytest.raises(NoEnvironmentError, match="no numpy"):
        settings.probe(PYTHON, {"of": "this test"})


def test_the_probe_sees_this_machine() -> None:
    found = settings.probe(PYTHON, {"OPENBLAS_NUM_THREADS": "1"})
    assert found["machine"]["python"] == platform.python_version()
    assert found["machine"]["variables"]["OPENBLAS_NUM_THREADS"] == "1"
    assert len(found["library_bits"]) == 64
