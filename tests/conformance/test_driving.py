"""Foreign programs that misbehave: a named failure, a restart, bounded memory, nothing left behind."""

import math
import shlex
import sys
from pathlib import Path

import pytest

from rkde.conformance import AdapterError, Case, Driver, Outcome, adopting_orphans, drive, split_command
from rkde.conformance.driving import KEPT_ANSWER_BYTES
from rkde.conformance.judging import Failure
from rkde.conformance.levels import is_ordinary
from rkde.conformance.process import CHUNK_BYTES, KEPT_ERROR_BYTES, AdapterProcess, TransportError
from tests.support.adapters import adapter, is_alive
from tests.support.vectors import shipped_cases

HOSTILE = Path(__file__).with_name("hostile.py")
# Long enough for an interpreter to start on a busy machine; the tests do not depend on it otherwise.
START_SECONDS = 60.0
SHORT_SECONDS = 0.3
LOSS_CASES = [case for case in shipped_cases() if case.op == "loss" and not case.error]


def command(mode: str, *more: object) -> list[str]:
    return [sys.executable, "-S", str(HOSTILE), mode, *map(str, more)]


def driver(mode: str, *more: object, seconds: float = START_SECONDS) -> Driver:
    return Driver(command(mode, *more), seconds=seconds, hello_seconds=START_SECONDS)


@pytest.mark.parametrize(
    ("mode", "failure", "part"),
    [
        ("wrong-id", Failure.WRONG_ID, "got 0"),
        ("text-id", Failure.WRONG_ID, "got '2'"),
        ("no-id", Failure.WRONG_ID, "got None"),
        ("two-answers", Failure.EXTRA_OUTPUT, "there was output after the answer, '"),
        ("endless-lines", Failure.WRONG_ID, "got None"),
        ("not-json", Failure.NOT_JSON, "rho = 1"),
        ("empty-line", Failure.NOT_JSON, "not JSON"),
        ("deep", Failure.NOT_JSON, "nested too deeply"),
        ("not-utf8", Failure.NOT_JSON, "not UTF-8"),
        ("nan", Failure.NOT_STRICT, "NaN is not strict JSON"),
        ("twice", Failure.NOT_STRICT, "occurs twice"),
        ("nan-text", Failure.NO_NUMBER, "entries were expected"),
        ("huge", Failure.NO_NUMBER, "entries were expected"),
        ("missing-field", Failure.MISSING_FIELD, "lacks phi, psi, q, q_left"),
        ("list", Failure.NOT_AN_OBJECT, "must be an object, got a list"),
        ("error-text", Failure.WRONG_ERROR, "a kind and a message"),
        ("markup", Failure.UNEXPECTED_ERROR, "a value was expected"),
        ("many-parts", Failure.TOO_LONG, "at most 1000000 parts"),
        ("endless-line", Failure.TOO_LONG, "a line of more than 67108864 bytes"),
        ("crash", Failure.CRASH, "exit code 1; it said: out of luck"),
        ("killed", Failure.CRASH, "signal 11"),
    ],
)
def test_a_misbehaviour_is_the_named_failure_of_its_case(mode: str, failure: Failure, part: str) -> None:
    with driver(mode) as hostile:
        result = hostile.ask(LOSS_CASES[0])
    assert (result.outcome, result.failure) == (Outcome.FAILED, failure)
    assert part in result.message


@pytest.mark.parametrize(
    "mode", ["silent", "stubborn", "endless-errors", "no-reading", "closes-output", "closes-input"]
)
def test_a_case_ends_in_its_time(mode: str) -> None:
    with driver(mode, seconds=SHORT_SECONDS) as hostile:
        first, second = hostile.ask(LOSS_CASES[0]), hostile.ask(LOSS_CASES[1])
        if mode == "closes-input":
            # It answered before it stopped reading: judged, and wrong.
            assert first.failure is Failure.NO_NUMBER
            first = second
        assert first.failure in (Failure.TIMEOUT, Failure.CRASH)
        assert second.outcome is Outcome.FAILED


def test_the_adapter_is_restarted_and_the_run_goes_on(tmp_path: Path) -> None:
    with driver("recovers", tmp_path / "mark") as hostile:
        outcomes = [result.outcome for result in drive(hostile, LOSS_CASES[:4])]
    assert outcomes == [Outcome.FAILED, *[Outcome.UNSUPPORTED] * 3]


def test_three_crashes_in_a_row_end_the_run() -> None:
    other = Case("depth/x", "depth", "", (), {"op": "depth"}, {}, "", LOSS_CASES[0].tolerance)
    ordinary = [case for case in LOSS_CASES if is_ordinary(case.flags)][:5]
    with driver("crash") as hostile:
        results = drive(hostile, [*ordinary, other])
    expected = [*[Outcome.FAILED] * 3, *[Outcome.NOT_RUN] * 2, Outcome.UNSUPPORTED]
    assert [result.outcome for result in results] == expected
    assert "3 timeouts or crashes in a row" in results[3].message


def started(program: str) -> Driver:
    return Driver(shlex.split(program), hello_seconds=START_SECONDS)


def of_operations(ops: str) -> list[Case]:
    """Return a case for each letter; a capital stands for bad input."""
    tolerance = LOSS_CASES[0].tolerance
    return [
        Case(f"{op}/x", op.lower(), "", (), {"op": op.lower()}, {}, "InvalidInput" * op.isupper(), tolerance)
        for op in ops
    ]


@pytest.mark.parametrize(
    ("cases", "broken", "outcomes"),
    [
        # Each operation is given up on its own; an answer in between starts its count anew.
        ("aaaabbb", "a", "FFFN---"),
        ("aabbbbaa", "a", "FF----FN"),
        ("aaaabbbbcddddee", "abd", "FFFNFFFN-FFFN--"),
        # Three operations in a row without an answer: the rest would end likewise.
        ("aaabbbcccdef", "abcd", "FFFFFFFFFNNN"),
        # A program that ends on bad input has its numbers judged all the same.
        ("AAAAaaaa", "a", "FFFNFFFN"),
        ("AAABBBCCCd", "abc", "FFFFFFFFF-"),
    ],
)
def test_giving_up_is_by_operation(cases: str, broken: str, outcomes: str, tmp_path: Path) -> None:
    letters = {"F": Outcome.FAILED, "N": Outcome.NOT_RUN, "-": Outcome.UNSUPPORTED}
    # It ends at these operations, and has no answer to the others.
    body = f"sys.exit(1) if r['op'] in {tuple(broken)!r} else None\nreturn {{'unsupported': True}}"
    with started(adapter(tmp_path, body, *"abcdef")) as driven:
        results = drive(driven, of_operations(cases))
    assert [result.outcome for result in results] == [letters[letter] for letter in outcomes]


def test_an_adapter_may_say_more_of_itself(tmp_path: Path) -> None:
    about = {"language": "C", "precision": "float32"}
    with started(adapter(tmp_path, "pass", **about)) as driven:
        assert driven.hello.about == about


def test_output_after_the_last_answer_is_blamed_on_the_last_case() -> None:
    case = Case("loss/x", "loss", "", (), {"op": "loss"}, {}, "InvalidInput", LOSS_CASES[0].tolerance)
    with driver("last-words") as hostile:
        (result,) = drive(hostile, [case])
    assert result.failure is Failure.EXTRA_OUTPUT
    assert "bye" in result.message
    assert {part.outcome for part in result.parts} == {Outcome.FAILED}


def test_a_bad_exit_code_is_noted() -> None:
    with driver("bad-exit") as hostile:
        assert drive(hostile, []) == []
    assert hostile.note == "the adapter ended with exit code 5 when its input ended, not with 0"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (command("silent-hello"), "no valid answer to hello: no answer within"),
        (command("banner"), "no valid answer to hello: not JSON"),
        (command("version-2"), "speaks version 2 of the protocol, not 1"),
        (["/nonexistent/adapter"], "cannot be started \\(No such file"),
        (["cat"], "the answer lacks name, version, operations"),
        (["true"], "exit code 0"),
        (["/"], "cannot be started"),
        (["a\0b"], "cannot be started"),
        ("", "the command"),
        ("   ", "the command"),
        ("a 'b", "the command"),
    ],
)
def test_a_command_that_is_no_adapter_is_told(arguments: list[str] | str, part: str) -> None:
    seconds = SHORT_SECONDS if "silent-hello" in arguments else START_SECONDS
    with pytest.raises(AdapterError, match=part):
        Driver(split_command(arguments) if isinstance(arguments, str) else arguments, hello_seconds=seconds)


def test_no_shell_sees_the_command(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    touch = f"touch {shlex.quote(str(mark))}"
    text = f"{shlex.quote(sys.executable)} -c pass; {touch} $({touch}) `{touch}`"
    with pytest.raises(AdapterError):
        Driver(split_command(text), hello_seconds=START_SECONDS)
    assert not mark.exists()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to find other sessions")
def test_nothing_is_left_behind(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with driver("forks", pids, seconds=2.0) as hostile:
        assert hostile.ask(LOSS_CASES[0]).failure is Failure.TIMEOUT
    children = [int(text) for text in pids.read_text("ascii").split()]
    assert len(children) == 2
    assert not [pid for pid in children if is_alive(pid)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lets a process adopt orphans")
def test_a_daemon_without_its_environment_is_ended_too(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with adopting_orphans(), driver("daemon", pid) as hostile:
        assert hostile.ask(LOSS_CASES[0]).failure is Failure.CRASH
        assert is_alive(int(pid.read_text("ascii")))
    assert not is_alive(int(pid.read_text("ascii")))


def test_an_interrupt_during_the_start_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[AdapterProcess] = []

    def interrupted(process: AdapterProcess, *_: object) -> bytes:
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(AdapterProcess, "exchange", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Driver(command("silent-hello"))
    assert not is_alive(started[0]._process.pid)


def test_wrong_answers_are_kept_within_bounds() -> None:
    with driver("long") as hostile:
        results = [hostile.ask(LOSS_CASES[0]) for _ in range(7)]
    assert {result.failure for result in results} == {Failure.NO_NUMBER}
    kept = sum(len(str(result.answer["rho"])) for result in results if result.answer is not None)
    assert 0 < kept <= KEPT_ANSWER_BYTES


@pytest.mark.parametrize("seconds", [math.inf, 1e300])
def test_a_time_limit_may_be_as_long_as_you_like(seconds: float) -> None:
    with driver("list", seconds=seconds) as hostile:
        assert hostile.ask(LOSS_CASES[0]).failure is Failure.NOT_AN_OBJECT


@pytest.mark.parametrize("mode", ["endless-line", "endless-errors"])
def test_buffers_are_bounded(mode: str) -> None:
    limit = 2**17
    process = AdapterProcess(command(mode), max_line_bytes=limit)
    try:
        process.exchange(b'{"id": 1, "op": "hello"}\n', START_SECONDS)
        seconds = START_SECONDS if mode == "endless-line" else SHORT_SECONDS
        with pytest.raises(TransportError):
            process.exchange(b'{"id": 2, "op": "loss"}\n', seconds)
        assert len(process._buffer) <= limit + CHUNK_BYTES
        assert len(process._errors) <= KEPT_ERROR_BYTES
    finally:
        process.close()
    process.close()


def test_expected_values_are_never_sent(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    body = f"print(json.dumps(r), file=open({str(seen)!r}, 'a'))\nreturn {{'unsupported': True}}"
    with started(adapter(tmp_path, body, "loss")) as driven:
        results = drive(driven, LOSS_CASES)
    assert {result.outcome for result in results} == {Outcome.UNSUPPORTED}
    text = seen.read_text("utf-8")
    assert len(text.splitlines()) == len(LOSS_CASES)
    assert not [word for word in ("expected", "rho", "radius", "tolerance", "outcome") if word in text]
