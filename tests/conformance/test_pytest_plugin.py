"""The pytest plugin, in a pytest of its own."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rkde.conformance import shipped_vectors
from tests.support.adapters import adapter

EXAMPLE = Path(__file__).parents[2] / "docs" / "adapters" / "python" / "adapter.py"
ADAPTER = shlex.join([sys.executable, str(EXAMPLE)])


def run(folder: Path, *arguments: str, alone: bool = True) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin; not `alone`, with all plugins that are installed, which takes longer."""
    command = [sys.executable, *["-m", "pytest", "-p", "rkde.pytest_plugin", "-p", "no:cacheprovider"]]
    (folder / "test_own.py").write_text("def test_own(): pass\n", "ascii")
    if "--rkde-adapter" in arguments and "--rkde-vectors" not in arguments:
        vectors = folder / "vectors"
        vectors.mkdir(exist_ok=True)
        for name in ("auc", "bandwidth"):
            shutil.copy(shipped_vectors() / f"{name}.json", vectors)
        command += ["--rkde-vectors", str(vectors)]
    command += arguments
    environment = dict(os.environ) | ({"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} if alone else {})
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def ended(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    """Check the exit code, and the parts of what was printed."""
    assert done.returncode == code, done.stdout
    for part in parts:
        assert part in done.stdout + done.stderr


def test_without_the_option_nothing_changes(tmp_path: Path) -> None:
    ended(run(tmp_path, alone=False), 0, "1 passed")


def test_with_the_option_each_vector_is_a_test(tmp_path: Path) -> None:
    chosen = ("-k", "own or bandwidth/ or auc/ties", "-v")
    done = run(tmp_path, "--rkde-adapter", ADAPTER, *chosen, alone=False)
    ended(done, 0, "rkde[bandwidth/plane-scott] PASSED", "test_own.py::test_own PASSED")


@pytest.mark.parametrize(
    ("command", "part"),
    [("cat", "no adapter: no valid answer to hello"), ("/nonexistent/adapter", "cannot be started")],
)
def test_a_command_that_is_no_adapter_fails_every_test(command: str, part: str, tmp_path: Path) -> None:
    chosen = ("-k", "bandwidth/plane-scott or bandwidth/plane-silverman")
    done = run(tmp_path, "--rkde-adapter", command, *chosen)
    ended(done, 1, part, "2 failed")


def test_an_adapter_that_supports_nothing_asked_is_no_success(tmp_path: Path) -> None:
    program = adapter(tmp_path, "pass", "auc")
    done = run(tmp_path, "--rkde-adapter", program, "-k", "bandwidth/plane-scott", "-rs")
    ended(done, pytest.ExitCode.NO_TESTS_COLLECTED, "1 skipped")


REFUSING = "return {'error': {'kind': 'InvalidInput', 'message': ''}}"


def test_levels_decide_what_counts(tmp_path: Path) -> None:
    chosen = (
        "--rkde-adapter",
        adapter(tmp_path, REFUSING, "auc"),
        "-k",
        "auc/empty or auc/lengths or auc/ties",
    )
    ended(run(tmp_path, *chosen), 1, "1 failed, 2 passed")
    ended(run(tmp_path, *chosen, "--rkde-level", "errors"), 0, "2 passed, 1 skipped")


def test_known_failures_are_expected_and_must_fail(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("auc/ties  ours refuses ties\n", "ascii")
    chosen = (
        "--rkde-adapter",
        adapter(tmp_path, REFUSING, "auc"),
        "-rx",
        "--rkde-known-failures",
        str(known),
    )
    ended(run(tmp_path, *chosen, "-k", "auc/empty or auc/ties"), 0, "1 xfailed", "ours refuses ties")
    known.write_text("auc/empty  passes by now\n", "ascii")
    ended(run(tmp_path, *chosen, "-k", "auc/empty"), 1, "passed, though it is listed")


def test_a_tolerance_passes_few_digits(tmp_path: Path) -> None:
    cases = ("--rkde-adapter", adapter(tmp_path, "return {'auc': 0.50001}", "auc"), "-k", "auc/all-tied")
    ended(run(tmp_path, *cases), 1)
    ended(run(tmp_path, *cases, "--rkde-tolerance", "1e-3"), 0)


@pytest.mark.parametrize(
    ("option", "value", "part"),
    [
        ("--rkde-tolerance", "2", "must be between 0 and 1"),
        *(("--rkde-timeout", seconds, "must be a positive number") for seconds in ("nan", "-1", "0")),
        ("--rkde-vectors", ".", "contains no case"),
        ("--rkde-known-failures", "none.txt", "does not exist"),
        ("--rkde-known-failures", "stale.txt", "no case has the name auc/of-old"),
    ],
)
def test_bad_options_are_usage_errors(option: str, value: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "stale.txt").write_text("auc/of-old  gone\n", "ascii")
    ended(run(tmp_path, "--rkde-adapter", ADAPTER, option, value), pytest.ExitCode.USAGE_ERROR, part)


def test_the_plugin_is_light() -> None:
    code = "import sys, pytest; a = set(sys.modules); import rkde.pytest_plugin; print(*set(sys.modules) - a)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "rkde.pytest_plugin" in loaded
    assert not loaded & {"numpy", "scipy", "mpmath", "rkde.conformance", "rkde.adapter", "rkde.fast"}
