"""Judge answers that were written somewhere else: requests as lines, answers from a file."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

from rkde.adapter import Json, NotJsonError, decode, encode, kind_of
from rkde.conformance.driving import Hello, read_hello
from rkde.conformance.judging import Failure
from rkde.conformance.plain import plain_numbers
from rkde.conformance.process import TransportError
from rkde.conformance.protocol import PROTOCOL_VERSION
from rkde.conformance.running import CaseResult, Outcome, Rules, judged, unanswered
from rkde.conformance.vectors import Case
from rkde.files import reason

# The id of the first request.
HELLO: Final = "hello"
_NO_ANSWER: Final = "not run: the file holds no answer"
_VALUES_ONLY: Final = Rules()


class AnswersError(Exception):
    """A file of answers cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file of answers holds.

    Attributes
    ----------
    hello : Hello or None
        What the program said about itself; None where it was not asked.
    answers : dict of str to dict
        The answer of each case, the last one where there are several.
    problems : dict of str to tuple
        Cases whose answers break the protocol: the name of the breach, and what it is.
    note : str
        Which lines answer nothing, if any.
    """

    hello: Hello | None
    answers: dict[str, dict[str, Json]]
    problems: dict[str, tuple[Failure, str]] = field(default_factory=dict)
    note: str = ""


def request_lines(cases: Iterable[Case]) -> Iterator[str]:
    """Yield the requests of cases as lines of the protocol, `hello` first; the id of each is its case's.

    Examples
    --------
    >>> next(request_lines([]))
    '{"id":"hello","op":"hello","protocol":1}'
    """
    hello: dict[str, Json] = {"id": HELLO, "op": "hello", "protocol": PROTOCOL_VERSION}
    yield _line(hello)
    for case in cases:
        yield _line({"id": case.id, **case.request})


def _line(request: dict[str, Json]) -> str:
    return encode(cast(dict[str, Json], plain_numbers(request))).decode("utf-8").strip()


def read_answers(path: Path, cases: Iterable[Case]) -> Answers:
    """Read a file of answers, a line for each."""
    asked = list(cases)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise AnswersError(f"{path}: {reason(error)}; check the path") from error
    names = {HELLO, *(case.id for case in asked)}
    found = Answers(None, {})
    stray = [
        f"{path}: line {number} {problem}"
        for number, line in enumerate(lines, 1)
        if line.strip() and (problem := _read_line(line, names, found))
    ]
    hello = _hello(path, found.answers.pop(HELLO, None))
    if not found.answers:
        raise AnswersError(
            f"{path}: the file answers none of the requests; give each answer the id of its request"
        )
    more = f", and {len(stray) - 1} more lines answer nothing" if len(stray) > 1 else ""
    return replace(found, hello=hello, note=stray[0] + more if stray else "")


def _read_line(line: bytes, names: Collection[str], found: Answers) -> str:
    """Put the answer of a line where it belongs, or say why it answers nothing."""
    try:
        decoded = decode(line)
    except NotJsonError:
        return "is not JSON"
    answer = decoded.value
    if not isinstance(answer, dict):
        return f"is {kind_of(answer)}, not an object"
    identity = answer.pop("id", None)
    if not isinstance(identity, str) or identity not in names:
        return "has an id that no case has"
    if identity in found.answers:
        found.problems[identity] = (Failure.EXTRA_OUTPUT, "more than one answer")
    if decoded.problems:
        found.problems[identity] = (Failure.NOT_STRICT, decoded.problems[0])
    found.answers[identity] = answer
    return ""


def _hello(path: Path, answer: dict[str, Json] | None) -> Hello | None:
    if answer is None:
        return None
    try:
        return read_hello(answer)
    except TransportError as error:
        raise AnswersError(f"{path}: no valid answer to hello: {error.problem}") from error


def judge_answers(answers: Answers, cases: Iterable[Case], rules: Rules = _VALUES_ONLY) -> list[CaseResult]:
    """Judge the answers of a file.

    Result: of an operation that `hello` does not list, or without `hello` of one that nothing answers, every
    case is unsupported; any other case without an answer was not run.
    """
    asked = list(cases)
    answered = {case.op for case in asked if case.id in answers.answers}
    operations = answered if answers.hello is None else answers.hello.operations
    return [_judge(answers, case, case.op in operations, rules) for case in asked]


def _judge(answers: Answers, case: Case, offered: bool, rules: Rules) -> CaseResult:  # noqa: FBT001
    if not offered:
        return unanswered(case, Outcome.UNSUPPORTED)
    if case.id not in answers.answers:
        return unanswered(case, Outcome.NOT_RUN, _NO_ANSWER)
    if case.id in answers.problems:
        failure, problem = answers.problems[case.id]
        return unanswered(case, Outcome.FAILED, f"{failure}: {problem}", failure)
    return judged(answers.answers[case.id], case, 0.0, None, rules)
