"""Every input of `cases.toml` has the outcome that stands there, and leaves no half of a file."""

import warnings
from pathlib import Path

import pytest

from tests.cli.running import names_in
from tests.inputs.doors import DOORS, Case, evaluated, read_cases
from tests.inputs.page import PAGE, page
from tests.support.selection import one_in

CASES = read_cases()
# The default run takes those that need no process, and of the others one of each so many.
AT_ONCE = [case for case in CASES if case.door == "python"]
OTHERS = [case for case in CASES if case.door != "python"]
SHARE = 8
LEAST = 400


@pytest.mark.parametrize("case", [*one_in(1, AT_ONCE), *one_in(SHARE, OTHERS)])
def test_the_outcome_is_the_decided_one(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        # Of numpy about X times 1e308 and about matrices, of scikit-learn about names of columns.
        warnings.simplefilter("ignore")
        outcome = DOORS[case.door](case.input, tmp_path)
        assert outcome.error == case.error, outcome.message
        assert case.says in outcome.message
        assert outcome.error or evaluated(case.gives, it=outcome.answer)
    assert "Traceback" not in outcome.message
    assert not [name for name in names_in(tmp_path) if name.endswith(".part")]
    assert not (case.error and (tmp_path / "new.npz").exists())


def test_each_door_has_cases_and_each_case_one_outcome() -> None:
    assert {case.door for case in CASES} == set(DOORS)
    assert len({(case.door, case.input) for case in CASES}) == len(CASES) >= LEAST
    assert [case for case in CASES if bool(case.error) == bool(case.gives)] == []


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.inputs.page"
