"""Answers from a file: the same verdict as through the pipe, and what is said of files that are not whole."""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rkde.adapter import answer_request, fast_implementation
from rkde.conformance import Case, Failure, Outcome, judge_answers, read_answers, request_lines
from rkde.conformance.offline import AnswersError
from tests.cli.running import assert_refused, run, succeeded
from tests.support.vectors import shipped_cases

Written = Callable[..., Path]
EXAMPLE = Path(__file__).parents[2] / "docs" / "adapters" / "python" / "adapter.py"
CASES = [case for case in shipped_cases() if case.op in ("auc", "loss")]
HELLO = {"id": "hello", "name": "n", "version": "1", "protocol": 1, "operations": ["auc", "loss"]}


verify = partial(run, "verify")


def right(case: Case) -> dict[str, object]:
    return {"id": case.id, **answer_request(fast_implementation(), case.request)}


@pytest.fixture
def answers(tmp_path: Path) -> Written:
    """Write lines into a file of answers, and return its path."""

    def written(*lines: object) -> Path:
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
        return path

    return written


def test_requests_hold_nothing_but_what_is_asked() -> None:
    lines = [json.loads(line) for line in request_lines(CASES)]
    assert lines[0] == {"id": "hello", "op": "hello", "protocol": 1}
    assert [line["id"] for line in lines[1:]] == [case.id for case in CASES]
    assert all(one.keys() - {"id"} == case.request.keys() for one, case in zip(lines[1:], CASES, strict=True))


def test_the_verdict_is_that_of_the_pipe(vectors_of: Written, answers: Written) -> None:
    folder, program = vectors_of("auc", "loss"), [sys.executable, str(EXAMPLE)]
    # The example has no AUC, and answers nothing that its `hello` does not list.
    requests = succeeded(run("vectors", "requests", folder, "--operation", "loss"))
    done = subprocess.run(program, input=requests, capture_output=True, text=True, check=True)
    found, other = (
        json.loads(succeeded(verify("--vectors", folder, "--json", *of)))
        for of in (("--answers", answers(*done.stdout.splitlines())), ("--adapter", shlex.join(program)))
    )
    assert found["adapter"]["name"] == other["adapter"]["name"]
    for a, b in zip(found["cases"], other["cases"], strict=True):
        assert {**a, "seconds": 0} == {**b, "seconds": 0}


def test_a_case_without_an_answer_was_not_run(answers: Written) -> None:
    path = answers(HELLO, *[right(case) for case in CASES if case.op == "auc"])
    outcomes = {result.id: result.outcome for result in judge_answers(read_answers(path, CASES), CASES)}
    assert {outcomes[case.id] for case in CASES if case.op == "auc"} == {Outcome.PASSED}
    assert {outcomes[case.id] for case in CASES if case.op == "loss"} == {Outcome.NOT_RUN}
    assert verify("--answers", path).exit_code == 1


def test_without_hello_an_operation_that_nothing_answers_is_unsupported(answers: Written) -> None:
    some = [right(case) for case in CASES if case.op == "auc"][1:]
    results = judge_answers(read_answers(answers(*some), CASES), CASES)
    ended = {result.op: {other.outcome for other in results if other.op == result.op} for result in results}
    assert ended == {"auc": {Outcome.PASSED, Outcome.NOT_RUN}, "loss": {Outcome.UNSUPPORTED}}


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        (lambda line: [line, line], Failure.EXTRA_OUTPUT),
        (lambda line: [line[:-1] + ', "auc": 1}'], Failure.NOT_STRICT),
    ],
)
def test_breaches_are_told(answers: Written, change: Callable[[str], list[str]], failure: Failure) -> None:
    case = next(case for case in CASES if case.op == "auc" and not case.error)
    results = judge_answers(read_answers(answers(*change(json.dumps(right(case)))), CASES), [case])
    assert [result.failure for result in results] == [failure]


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("auc = 1", "line 2 is not JSON"),
        ([1], "line 2 is a list, not an object"),
        ({"id": "auc/none"}, "line 2 has an id that no case has"),
        ({"id": 1, "auc": 1}, "line 2 has an id that no case has"),
    ],
)
def test_lines_that_answer_nothing_are_counted(answers: Written, line: object, part: str) -> None:
    found = read_answers(answers(right(CASES[0]), line, "", line), CASES)
    assert part in found.note
    assert "1 more lines answer nothing" in found.note


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ([], "answers none of the requests"),
        ([HELLO], "answers none of the requests"),
        ([{**HELLO, "protocol": 2}], "version 2 of the protocol"),
        ([{"id": "hello", "name": "n"}], "lacks version, protocol, operations"),
    ],
)
def test_a_file_that_cannot_be_judged_ends_with_2(answers: Written, lines: list[object], part: str) -> None:
    path = answers(*lines)
    with pytest.raises(AnswersError, match=part):
        read_answers(path, CASES)
    assert_refused(verify("--answers", path), (part,))


def test_a_file_that_is_missing_ends_with_2(tmp_path: Path) -> None:
    assert verify("--answers", tmp_path / "none").exit_code == 2


def test_answers_of_an_operation_that_hello_lacks_are_not_judged(answers: Written) -> None:
    refusals = [{"id": case.id, "error": {"kind": "InvalidInput", "message": "lacking"}} for case in CASES]
    read = read_answers(answers({**HELLO, "operations": ["loss"]}, *refusals), CASES)
    outcomes = {result.outcome for result in judge_answers(read, CASES) if result.op == "auc"}
    assert outcomes == {Outcome.UNSUPPORTED}
