"""Running claims: what a result says, what stops a run, and that a run leaves nothing behind."""

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner
from hypothesis import settings

import rkde.proofs_checks
from rkde.cli import cli
from rkde.errors import InvalidInput, RkdeError
from rkde.proofs_checks import ClaimResult, run_claims, runner, strategies
from rkde.proofs_checks.claim import Level, Verdict
from rkde.proofs_checks.runner import run_folder
from tests.proofs_checks.ledger_files import COMPOSED, GOOD, write

WRONG = """
@evidence(SUM, level=Level.TESTED)
def check_wrong():
    assert 1 + 1 == 3
"""
SKIPPED = """
import pytest

@evidence(SUM, level=Level.TESTED)
def check_skipped():
    pytest.skip("not here")
"""
COUNTING = """
import pathlib
from hypothesis import given, strategies as st
SUM = claim("toy.sum", Level.TESTED)

@evidence(SUM, level=Level.TESTED)
@given(st.integers())
def check_counts(value):
    with pathlib.Path({path!r}).open("a") as file:
        file.write("x")
    print("a table")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "claims"
    place.mkdir()
    return place


def results_of(folder: Path, body: str) -> list[ClaimResult]:
    """Write a file of claims, and run it."""
    write(folder, body)
    return run_folder(folder, "quick")


def test_results_say_what_the_claims_say(folder: Path) -> None:
    first, second = results_of(folder, GOOD)
    assert (first.id, first.label, first.statement) == ("toy.sum", "eqn:x", "A statement.")
    assert (first.verdict, first.level, first.n_checks) == (Verdict.HOLDS, Level.TESTED, 2)
    assert (second.id, second.level, second.n_checks) == ("toy.product", Level.PROVED, 1)
    assert (first.passed, second.passed, first.message, second.message) == (True, True, "", "")
    assert first.seconds > 0


@pytest.mark.parametrize(
    ("check", "parts"), [(WRONG, ("check_wrong", "1 + 1")), (SKIPPED, ("check_skipped", "skipped"))]
)
def test_a_failed_or_skipped_check_fails_its_claim(folder: Path, check: str, parts: tuple[str, ...]) -> None:
    first, second = results_of(folder, GOOD + check)
    assert (first.passed, first.n_checks, second.passed) == (False, 3, True)
    for part in parts:
        assert part in first.message


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (GOOD + 'LOST = claim("toy.lost", Level.TESTED)\n', "toy.lost: no check is evidence"),
        (GOOD + 'LOST = claim("toy.product", Level.PROVED)\n', "one identifier"),
        ("import no_such_module\n", "no_such_module"),
    ],
)
def test_a_broken_ledger_stops_the_run(folder: Path, body: str, complaint: str) -> None:
    write(folder, body)
    with pytest.raises(RkdeError, match="ledger is broken") as caught:
        run_folder(folder, "quick")
    assert complaint in str(caught.value)


def test_an_identifier_belongs_to_one_file(folder: Path) -> None:
    write(folder, GOOD)
    write(folder, GOOD.replace("toy.", "toy2."), family="toy2")
    assert len(run_folder(folder, "quick")) == 4
    write(folder, GOOD.replace("toy.sum", "toy.other"), family="toy2")
    with pytest.raises(RkdeError, match="does not start with the family"):
        run_folder(folder, "quick")


def test_a_folder_without_claims_is_refused(folder: Path) -> None:
    with pytest.raises(RkdeError, match="no file of claims"):
        run_folder(folder, "quick")


@pytest.mark.parametrize(("body", "passed"), [(GOOD, True), (GOOD + WRONG, False)])
def test_a_composed_claim_passes_if_its_parts_do(folder: Path, body: str, passed: bool) -> None:
    write(folder, body + COMPOSED)
    whole = run_folder(folder, "quick")[-1]
    assert (whole.id, whole.passed, whole.n_checks) == ("toy.whole", passed, 0)


def test_a_composed_claim_without_a_part_stops_the_run(folder: Path) -> None:
    write(folder, GOOD + COMPOSED.replace("toy.product", "toy.lost"))
    with pytest.raises(RkdeError, match=r"follows from toy\.lost, which is no claim"):
        run_folder(folder, "quick")


def test_progress_counts_every_check(folder: Path) -> None:
    write(folder, GOOD)
    seen = []
    run_folder(
        folder, "quick", lambda done, total, of: seen.append((done, total, [claim.id for claim in of]))
    )
    assert seen == [(1, 2, ["toy.sum"]), (2, 2, ["toy.sum", "toy.product"])]


def test_a_run_prints_and_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    write(folder, COUNTING.format(path=str(tmp_path / "count")))
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    assert run_folder(folder, "quick")[0].passed
    assert list(place.iterdir()) == []
    assert capfd.readouterr() == ("", "")
    assert os.environ["PYTEST_ADDOPTS"] == "--no-such-option"


def test_thorough_draws_more_examples(folder: Path, tmp_path: Path) -> None:
    count = tmp_path / "count"
    write(folder, COUNTING.format(path=str(count)), family="toy")
    run_folder(folder, "quick")
    quick = len(count.read_text())
    run_folder(folder, "thorough")
    assert len(count.read_text()) > 3 * quick


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'quick' or 'thorough'"):
        run_claims("slow")  # type: ignore[arg-type]


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "z3" else found(name))
    with pytest.raises(RkdeError, match="z3") as caught:
        run_claims()
    assert "rkde[verify]" in caught.value.remedy


def test_run_claims_runs_the_folder_of_the_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path(rkde.proofs_checks.__file__).resolve().parent == runner._FOLDER
    write(folder, GOOD)
    monkeypatch.setattr(runner, "_FOLDER", folder)
    assert [result.id for result in run_claims()] == ["toy.sum", "toy.product"]


@pytest.mark.slow
@pytest.mark.parametrize("spelled", ["name", "path", "resolved path"])
def test_plain_pytest_collects_claims_by_their_own_name(root: Path, spelled: str) -> None:
    path = Path(rkde.proofs_checks.__file__).with_name("check_symmetry.py")
    path = path.resolve() if spelled == "resolved path" else path
    if spelled != "name" and root.resolve() not in path.resolve().parents:
        pytest.skip("pytest collects no path outside its root, where this installation lies")
    options, environment = ["--collect-only", "-q", "-p", "no:cacheprovider"], dict(os.environ)
    if spelled == "name":
        asked = "rkde.proofs_checks.check_symmetry"
    else:
        # Once beside every plugin that is installed will do; the project's own options need one of them.
        asked = str(path)
        options += ["-p", "xdist"]
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    code = (
        "import sys, pytest; "
        f"code = pytest.main({[*options, asked]!r}); "
        "names = [name for name in sys.modules if name.split('.')[0] == 'proofs_checks']; "
        "print('RESULT', int(code), names, 'rkde.proofs_checks.check_symmetry' in sys.modules)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root, env=environment)
    assert done.stdout.splitlines()[-1] == "RESULT 0 [] True"


def test_plain_pytest_stops_at_a_claim_without_evidence(folder: Path) -> None:
    path = write(folder, GOOD + 'LOST = claim("toy.lost", Level.TESTED)\n')
    plugins = ["-p", "no:cacheprovider", "-p", "rkde.proofs_checks.plugin"]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, str(path)]
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=alone)
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "toy.lost: no check is evidence for it" in done.stdout
    assert "passed" not in done.stdout


@pytest.fixture
def root() -> Path:
    place = Path(__file__).resolve().parents[2]
    if not (place / "proofs_checks").is_dir():
        pytest.skip("needs the checkout, not an installed package")
    return place


def test_hypothesis_own_option_finds_our_profiles(root: Path) -> None:
    options = ["--collect-only", "-q", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-profile=thorough"]
    command = [sys.executable, "-m", "pytest", *options, "tests/parts/test_complement.py"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("options", "profile"), [((), "quick"), (("--thorough",), "thorough")])
def test_the_claims_run_under_the_profile_that_was_asked_for(
    options: tuple[str, ...], profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claims(asked: str) -> None:
        raise click.ClickException(f"asked for {asked}")

    module = importlib.import_module("rkde.cli.verify")
    monkeypatch.setattr(module, "vectors_in_process", lambda *_: None)
    monkeypatch.setattr(module, "claims", claims)
    assert f"asked for {profile}" in CliRunner().invoke(cli, ["verify", *options]).output


@pytest.mark.parametrize(
    ("profile", "expected"), [("quick", [1, 2]), ("ci", [1, 2, 3]), ("thorough", [1, 2, 3])]
)
def test_costly_cases_are_selected_in_the_quick_profile_only(
    profile: str, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    default = settings.get_profile(profile)
    monkeypatch.setattr(strategies, "settings", SimpleNamespace(default=default))
    assert strategies.selected([1, 2, 3], 2) == expected
