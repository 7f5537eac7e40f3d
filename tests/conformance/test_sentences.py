"""One sentence for each operation."""

import pytest

from rkde.conformance import Failure, Level, Outcome, sentences
from rkde.conformance.levels import Part
from rkde.conformance.running import CaseResult

PASSED, FAILED, ABSENT = Outcome.PASSED, Outcome.FAILED, Outcome.UNSUPPORTED


def result(name: str, *parts: Part) -> CaseResult:
    outcome = FAILED if any(part.outcome is FAILED for part in parts) else parts[0].outcome
    return CaseResult(f"step/{name}", "step", outcome, None, "", 0.0, parts=parts)


def core(digits: float | None, outcome: Outcome = PASSED) -> Part:
    return Part(Level.CORE, outcome, digits, failure=Failure.WRONG_VALUE if outcome is FAILED else None)


def edge(digits: float | None, outcome: Outcome = PASSED) -> Part:
    return Part(Level.EDGES, outcome, digits)


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ([result("a", core(12.7)), result("b", edge(3.0))], "right to 12 digits"),
        ([result("a", core(float("inf")))], "right to all digits"),
        ([result("a", core(1.9))], "right to one digit"),
        (
            [result("a", core(12.7)), result("b", edge(1.0, FAILED))],
            "right to 12 digits, but for one edge case (step/b)",
        ),
        (
            [result("a", core(12.7)), *[result(name, edge(1.0, FAILED)) for name in "bcd"]],
            "right to 12 digits, but for 3 edge cases (such as step/b)",
        ),
        ([result("a", core(6.2, FAILED)), result("b", core(7.0, FAILED))], "right to 6 digits only"),
        ([result("a", core(0.5, FAILED)), result("b", core(15.0))], "wrong in 1 of 2 ordinary cases"),
        (
            [result("a", core(0.5, FAILED)), result("b", edge(0.0, FAILED))],
            "wrong in the only ordinary case and in the only edge case",
        ),
        ([result("a", edge(9.0))], "right to 9 digits"),
        ([result("a", edge(9.0)), result("b", edge(float("-inf"), FAILED))], "wrong in 1 of 2 edge cases"),
        ([result("a", Part(Level.ERRORS, PASSED))], "bad input is refused"),
        ([result("a", Part(Level.ERRORS, FAILED))], "the only bad input not refused correctly"),
        ([result("a", Part(Level.CORE, ABSENT))], "not supported"),
        (
            [result("a", core(9.0), Part(Level.EXTENDED, ABSENT, missing=("q",)))],
            "right to 9 digits; q not given",
        ),
        (
            [result("a", core(9.0), Part(Level.EXTENDED, FAILED))],
            "right to 9 digits; further fields wrong in one case (step/a)",
        ),
        (
            [result("a", core(9.0), Part(Level.CERTIFICATES, FAILED))],
            "right to 9 digits; one claim of a proof (step/a) not accepted",
        ),
        ([result("a", Part(Level.CORE, Outcome.NOT_RUN))], "one case not run"),
    ],
)
def test_a_sentence_says_how_far_an_operation_is_right(results: list[CaseResult], sentence: str) -> None:
    assert sentences(results) == {"step": f"step: {sentence}"}


def lost(failure: Failure) -> Part:
    return Part(Level.CORE, FAILED, None, "no answer", (), failure)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([lost(Failure.CRASH)] * 3, "crashed in 3 of 3 cases"),
        ([lost(Failure.CRASH)], "crashed in the only case"),
        ([lost(Failure.NOT_JSON), lost(Failure.WRONG_ID)], "gave no valid answer in 2 of 2 cases"),
        ([lost(Failure.TIMEOUT), lost(Failure.CRASH)], "crashed or gave no answer in time in 2 of 2 cases"),
        ([lost(Failure.CRASH), lost(Failure.WRONG_VALUE)], "wrong in 2 of 2 ordinary cases"),
        ([core(12.7), lost(Failure.CRASH)], "crashed in 1 of 2 cases; otherwise right to 12 digits"),
    ],
)
def test_who_gives_no_answer_is_not_called_wrong(parts: list[Part], sentence: str) -> None:
    results = [result(str(place), part) for place, part in enumerate(parts)]
    assert sentences(results) == {"step": f"step: {sentence}"}


def test_a_program_that_stops_by_a_rule_of_its_own_is_told_so() -> None:
    results = [result("a", core(4.6, FAILED)), result("b", core(5.2, FAILED)), result("c", core(1.0, FAILED))]
    assert sentences(results, ["step/b"]) == {
        "step": "step: agrees to 4 digits in 2 of 3 ordinary cases: the stopping rule?; wrong in the other 1"
    }
    assert sentences(results, ["median/b"]) == {"step": "step: wrong in 3 of 3 ordinary cases"}
