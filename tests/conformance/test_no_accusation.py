"""No mistake is taken for another one that it resembles in a case or two."""

import warnings

import pytest

from rkde.conformance import Outcome, sentences
from rkde.conformance.diagnosis import diagnose
from tests.conformance.wrong.answering import results_of
from tests.conformance.wrong.seeds import LOOKALIKES, Seed
from tests.support.selection import one_in
from tests.support.vectors import shipped_cases

CASES = shipped_cases()


@pytest.mark.parametrize("seed", one_in(20, LOOKALIKES))
def test_a_mistake_that_resembles_another_is_not_taken_for_it(seed: Seed) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        results = results_of(seed, CASES)
    assert any(result.outcome is Outcome.FAILED for result in results)
    found = diagnose(CASES, results)
    assert [diagnosis.name for diagnosis in found] == ([seed.pattern] if seed.pattern else [])
    stopped = [i for diagnosis in found if diagnosis.name == "stopped-early" for i in diagnosis.cases]
    assert "stopping rule" not in " ".join(sentences(results, stopped).values())
