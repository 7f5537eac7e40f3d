"""Drive a foreign program through the cases: ask, judge, restart it after a crash, and continue."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from rkde.adapter import Json, NotJsonError, decode, encode, kind_of
from rkde.conformance.judging import Failure
from rkde.conformance.levels import is_ordinary
from rkde.conformance.plain import plain_numbers
from rkde.conformance.process import AdapterProcess, CannotStartError, TransportError
from rkde.conformance.protocol import ANSWER_FIELDS, OPTIONAL_HELLO, PROTOCOL_VERSION
from rkde.conformance.running import CaseResult, Outcome, Rules, judged, unanswered
from rkde.conformance.vectors import Case

HELLO_SECONDS: Final = 10.0
CASE_SECONDS: Final = 10.0
# So many timeouts or crashes in a row of one operation say that its other cases would end likewise, and so
# many operations in a row that were given up without an answer say so of the rest.
GIVE_UP_AFTER: Final = 3
# The largest right answer has a few thousand numbers; each takes some hundred bytes once it is read.
MAX_ANSWER_PARTS: Final = 10**6
# Wrong answers are kept for the diagnosis; a right answer to every case together is a tenth of this.
KEPT_ANSWER_BYTES: Final = 2**24
_BROKEN: Final = frozenset({Failure.TIMEOUT, Failure.CRASH, Failure.TOO_LONG})
_SHOWN_BYTES: Final = 60
_VALUES_ONLY: Final = Rules()


class AdapterError(Exception):
    """The command is no adapter: it cannot be started or gives no valid answer to `hello`."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What an adapter says about itself.

    Attributes
    ----------
    name, version : str
        Who answers.
    operations : frozenset of str
        What it can be asked.
    about : dict of str to str
        Those of `OPTIONAL_HELLO` that it gives.
    """

    name: str
    version: str
    operations: frozenset[str]
    about: dict[str, str] = field(default_factory=dict)


def split_command(command: str) -> list[str]:
    """Split a command into program and arguments as a shell would, without running one."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise AdapterError(
            f"the command {command!r} cannot be split ({error}); close every quotation mark"
        ) from error
    if not arguments:
        raise AdapterError("the command of the adapter must not be empty; give the command that starts it")
    return arguments


class Driver:
    """Puts cases to one adapter, which is started when the driver is made and again whenever it broke.

    `hello` holds what the adapter said of itself, `note` what was wrong with how it ended after `farewell`.

    Parameters
    ----------
    arguments : sequence of str
        Program and arguments.
    seconds : float
        Time limit of a case.
    hello_seconds : float
        Time limit of the start, up to the answer to `hello`.
    rules : Rules
        What is looked at beside the values.

    Raises
    ------
    AdapterError
        The command is no adapter.

    Examples
    --------
    >>> Driver(["/no/such/program"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    rkde.conformance.driving.AdapterError: ...
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        seconds: float = CASE_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
        rules: Rules = _VALUES_ONLY,
    ) -> None:
        self._arguments = list(arguments)
        self._seconds = seconds
        self._hello_seconds = hello_seconds
        self._rules = rules
        self._count = 0
        self._in_a_row: Counter[str] = Counter()
        self._lost: list[str] = []
        self._answer_bytes = 0
        self._kept_bytes = 0
        self.note = ""
        self._process: AdapterProcess | None = None
        try:
            self.hello = self._start()
        except (CannotStartError, TransportError) as error:
            self.close()
            raise AdapterError(_one_line(str(error))) from error
        except BaseException:
            # An interrupt while the program starts: nobody else knows of it yet.
            self.close()
            raise

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the adapter, and everything that it started."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def ask(self, case: Case) -> CaseResult:
        """Put one case; whatever goes wrong is the result of the case.

        Parameters
        ----------
        case : Case
            Only its request is sent.

        Returns
        -------
        CaseResult
            `unsupported` without asking where `hello` does not list the operation, `not run` after three
            timeouts or crashes of its operation in a row, those on bad input and at edges counted apart, or
            after three operations in a row that were given up.
        """
        if case.op not in self.hello.operations:
            return unanswered(case, Outcome.UNSUPPORTED)
        # A program that ends on bad input, or at the edges, says nothing about its ordinary numbers.
        aside = "bad input" if case.error else "" if is_ordinary(case.flags) else "edges"
        kind = f"{case.op}, {aside}" if aside else case.op
        if self._in_a_row[kind] >= GIVE_UP_AFTER:
            reason = f"not run: {GIVE_UP_AFTER} timeouts or crashes in a row"
            return unanswered(case, Outcome.NOT_RUN, reason)
        if len(self._lost) >= GIVE_UP_AFTER:
            reason = f"not run: {GIVE_UP_AFTER} operations in a row were given up"
            return unanswered(case, Outcome.NOT_RUN, reason)
        result = self._ask(case)
        self._count_broken(kind, broken=result.failure in _BROKEN, gives_up=not aside)
        return result

    def _count_broken(self, kind: str, *, broken: bool, gives_up: bool) -> None:
        if not broken:
            self._in_a_row[kind] = 0
            self._lost = []
            return
        self._in_a_row[kind] += 1
        if self._in_a_row[kind] == GIVE_UP_AFTER and gives_up:
            self._lost.append(kind)

    def _ask(self, case: Case) -> CaseResult:
        begin = time.perf_counter()
        try:
            if self._process is None:
                self._start()
            answer = self._exchange(case.request, self._seconds)
            seconds = time.perf_counter() - begin
            result = self._kept(judged(answer, case, seconds, None, self._rules))
            self._require_silence()
        except (CannotStartError, TransportError) as error:
            failure = error.failure if isinstance(error, TransportError) else Failure.CRASH
            self.close()
            seconds = time.perf_counter() - begin
            text = f"{failure}: {_one_line(str(error))}"
            return unanswered(case, Outcome.FAILED, text, failure, seconds)
        return result

    def _kept(self, result: CaseResult) -> CaseResult:
        """Drop a wrong answer once those that were kept fill the memory meant for them."""
        if result.answer is None:
            return result
        if self._kept_bytes + self._answer_bytes > KEPT_ANSWER_BYTES:
            return replace(result, answer=None)
        self._kept_bytes += self._answer_bytes
        return result

    def farewell(self) -> bytes:
        """End the input of the adapter and return what it still wrote; `note` says how it ended, if badly."""
        if self._process is None:
            return b""
        code = self._process.finish()
        extra = self._process.extra_output()
        self.close()
        if code is None and not extra:
            self.note = "the adapter did not end when its input ended"
        elif code:
            self.note = f"the adapter ended with exit code {code} when its input ended, not with 0"
        return extra

    def _start(self) -> Hello:
        self._process = AdapterProcess(self._arguments)
        try:
            answer = self._exchange({"op": "hello", "protocol": PROTOCOL_VERSION}, self._hello_seconds)
            self._require_silence()
            return read_hello(answer)
        except TransportError as error:
            raise TransportError(error.failure, f"no valid answer to hello: {error.problem}") from error

    def _exchange(self, request: Mapping[str, Json], seconds: float) -> dict[str, Json]:
        if self._process is None:
            raise TransportError(Failure.CRASH, "the adapter is not running")
        self._count += 1
        line = encode({"id": self._count, **cast(dict[str, Json], plain_numbers(dict(request)))})
        answer = self._process.exchange(line, seconds)
        self._answer_bytes = len(answer)
        return _read_answer(answer, self._count)

    def _require_silence(self) -> None:
        extra = self._process.extra_output() if self._process is not None else b""
        if extra:
            raise TransportError(Failure.EXTRA_OUTPUT, _beyond(extra))


def drive(
    driver: Driver, cases: Iterable[Case], *, on_result: Callable[[CaseResult], None] | None = None
) -> list[CaseResult]:
    """Put every case in turn, and end the adapter.

    Parameters
    ----------
    driver : Driver
        The adapter.
    cases : iterable of Case
        Only their requests are sent.
    on_result : callable, optional
        Sees each result as it comes.

    Returns
    -------
    list of CaseResult
        One a case. Nothing is raised for what the adapter does.

    Examples
    --------
    >>> import sys
    >>> from rkde.conformance.vectors import load_vectors, shipped_vectors
    >>> driver = Driver([sys.executable, "-m", "rkde.cli", "adapter"])
    >>> results = drive(driver, load_vectors(shipped_vectors())[:2])
    >>> [result.outcome.value for result in results]
    ['passed', 'passed']
    """
    results: list[CaseResult] = []
    for case in cases:
        result = driver.ask(case)
        results.append(result)
        if on_result is not None:
            on_result(result)
    return _with_last_words(results, driver.farewell())


def _beyond(extra: bytes) -> str:
    """Return what is said of output that is no answer."""
    return f"there was output after the answer, '{_shown(extra)}'; write messages to standard error"


def _with_last_words(results: list[CaseResult], extra: bytes) -> list[CaseResult]:
    """Blame output after the last answer on the last case that was asked."""
    asked = [i for i, result in enumerate(results) if result.outcome in (Outcome.PASSED, Outcome.FAILED)]
    if extra and asked and results[asked[-1]].outcome is Outcome.PASSED:
        failure = Failure.EXTRA_OUTPUT
        text = f"{failure}: {_beyond(extra)}"
        last = results[asked[-1]]
        first, *others = last.parts
        parts = (replace(first, outcome=Outcome.FAILED, message=text, failure=failure), *others)
        results[asked[-1]] = replace(last, outcome=Outcome.FAILED, message=text, failure=failure, parts=parts)
    return results


def _read_answer(line: bytes, identity: int) -> dict[str, Json]:
    if sum(map(line.count, (b",", b":", b"[", b"{"))) > MAX_ANSWER_PARTS:
        raise TransportError(Failure.TOO_LONG, f"an answer must have at most {MAX_ANSWER_PARTS} parts")
    try:
        decoded = decode(line)
    except NotJsonError as error:
        raise TransportError(Failure.NOT_JSON, f"{error}: {_shown(line)}") from error
    if decoded.problems:
        raise TransportError(Failure.NOT_STRICT, decoded.problems[0])
    answer = decoded.value
    if not isinstance(answer, dict):
        raise TransportError(Failure.NOT_AN_OBJECT, f"an answer must be an object, got {kind_of(answer)}")
    given = answer.pop("id", None)
    if isinstance(given, bool) or given != identity:
        shown = _shown(repr(given).encode())
        raise TransportError(Failure.WRONG_ID, f"the answer must have the id {identity}, got {shown}")
    return answer


def read_hello(answer: dict[str, Json]) -> Hello:
    """Check the answer to `hello`; TransportError says what is wrong with it."""
    missing = [name for name in ANSWER_FIELDS["hello"] if name not in answer]
    if missing:
        raise TransportError(Failure.MISSING_FIELD, f"the answer lacks {', '.join(missing)}")
    if answer["protocol"] != PROTOCOL_VERSION or isinstance(answer["protocol"], bool):
        shown = _shown(repr(answer["protocol"]).encode())
        problem = f"it speaks version {shown} of the protocol, not {PROTOCOL_VERSION}"
        raise TransportError(Failure.WRONG_VALUE, problem)
    operations = answer["operations"]
    if not isinstance(operations, list) or not all(isinstance(name, str) for name in operations):
        raise TransportError(Failure.WRONG_VALUE, "`operations` must be a list of names")
    names = frozenset(cast(list[str], operations))
    about: dict[str, str] = {name: _one_line(str(answer[name])) for name in OPTIONAL_HELLO if name in answer}
    return Hello(_one_line(str(answer["name"])), _one_line(str(answer["version"])), names, about)


def _shown(text: bytes) -> str:
    return _one_line(text[:_SHOWN_BYTES].decode("utf-8", "replace"))


def _one_line(text: str) -> str:
    """Escape line ends and control characters: an adapter must not write to the reader's terminal."""
    short = text if len(text) <= 4 * _SHOWN_BYTES else text[: 4 * _SHOWN_BYTES] + "..."
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in short)
