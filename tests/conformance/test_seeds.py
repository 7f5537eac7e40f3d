"""Every planted mistake is caught by the vectors, and the diagnosis names the cause of most."""

import warnings

import pytest

from rkde.conformance import Case, Outcome, check_cases, load_vectors, shipped_vectors
from rkde.conformance.diagnosis import PATTERNS, diagnose
from tests.conformance.wrong.example import asking, fresh_copy
from tests.conformance.wrong.seed import Seed
from tests.conformance.wrong.seeds import SEEDS
from tests.conformance.wrong.table import HEAD, TARGET, failures_of, row

MIN_SEEDS = 25
MIN_DIAGNOSED = 15


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The shipped vectors, read once."""
    return load_vectors(shipped_vectors())


def test_there_are_many_mistakes_and_most_have_a_name() -> None:
    assert len({seed.name for seed in SEEDS}) == len(SEEDS) >= MIN_SEEDS
    assert sum(bool(seed.pattern) for seed in SEEDS) >= MIN_DIAGNOSED
    known = {pattern.name for pattern in PATTERNS}
    assert len(known) == len(PATTERNS)
    assert {seed.pattern for seed in SEEDS if seed.pattern} <= known


def test_the_example_without_a_mistake_passes_all_that_it_has(cases: list[Case]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        results = check_cases(asking(fresh_copy()), cases)
    assert [result for result in results if result.outcome is Outcome.FAILED] == []
    assert diagnose(cases, results) == []


@pytest.mark.parametrize("seed", SEEDS, ids=repr)
def test_the_mistake_is_caught_and_named_and_stands_in_the_document(seed: Seed, cases: list[Case]) -> None:
    with warnings.catch_warnings():
        # A wrong formula may overflow on the way; what counts is what is answered.
        warnings.simplefilter("ignore", RuntimeWarning)
        failed = failures_of(seed, cases)
    assert failed
    found = diagnose(cases, failed)
    assert seed.pattern in {diagnosis.name for diagnosis in found} | {""}
    assert row(seed, failed, found).replace("||", "\\|\\|") in TARGET.read_text(encoding="utf-8")


def test_the_document_has_no_other_rows() -> None:
    text = TARGET.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert len(text.removeprefix(HEAD).splitlines()) == len(SEEDS)
