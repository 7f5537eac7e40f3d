"""The transport: strict JSON, one answer a line, ids, errors that do not end the adapter."""

import dataclasses
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rkde.adapter import MAX_NUMBER_TEXT, OPERATIONS, fast_implementation, serve
from tests.conformance.asking import ask, error_kind, exchange

HELLO = b'{"id": 1, "op": "hello", "protocol": 1}'
LOSS = {"op": "loss", "loss": {"name": "huber", "a": 1}, "t": [0.5]}


def test_hello_says_who_answers() -> None:
    answer = ask({"op": "hello", "protocol": 1})
    assert set(answer) == {"name", "version", "protocol", "operations"}
    assert answer["protocol"] == 1
    assert answer["operations"] == list(OPERATIONS)


def test_each_answer_is_flushed_before_the_next_line_is_read() -> None:
    script = Path(sys.executable).with_name("rkde")
    command = [str(script) if script.exists() else shutil.which("rkde") or "rkde", "adapter"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        for i in range(2):
            process.stdin.write(json.dumps({"id": i, "op": "hello", "protocol": 1}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == i
        assert process.communicate(timeout=60) == ("", "")
        assert process.returncode == 0


def test_answers_come_in_the_order_of_the_requests() -> None:
    lines = [json.dumps({"id": f"q{i}", **LOSS}).encode() for i in range(20)]
    assert [answer["id"] for answer in exchange(lines)] == [f"q{i}" for i in range(20)]


@pytest.mark.parametrize("identity", [0, -7, 10**30, "", "a", "ünïcode ☃", "\ud800", "1"])
def test_an_integer_or_string_id_comes_back(identity: object) -> None:
    (answer,) = exchange([json.dumps({"id": identity, **LOSS}).encode()])
    assert answer["id"] == identity
    assert type(answer["id"]) is type(identity)
    assert answer["rho"]


@pytest.mark.parametrize("identity", ["1.0", "1e3", "true", "null", "[1]", '{"a": 1}'])
def test_any_other_id_is_refused(identity: str) -> None:
    (answer,) = exchange([b'{"id": ' + identity.encode() + b', "op": "hello", "protocol": 1}'])
    assert answer["id"] is None
    assert error_kind(answer) == "InvalidInput"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"not json",
        b"[1, 2]",
        b"3",
        b"null",
        b'"hello"',
        b'{"id": 1, "op": "hello", "protocol": 1',
        b'{"id": 1, "op": "hello", "protocol": 1} {}',
        b"{'id': 1}",
        b'\xff{"id": 1}',
        b'\xef\xbb\xbf{"id": 1, "op": "hello", "protocol": 1}',
        b'{"op": "hello", "protocol": 1}',
        b'{"id": 1, "id": 2, "op": "hello", "protocol": 1}',
        b"[" * 200_000,
        b'{"id": ' + b"9" * 10_000 + b"}",
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_an_unreadable_line_is_an_error_and_the_adapter_goes_on(line: bytes) -> None:
    bad, good = exchange([line, HELLO])
    assert bad["id"] is None
    assert error_kind(bad) == "InvalidInput"
    assert good["protocol"] == 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"id": 1, "op": "hello", "op": "loss", "protocol": 1}', "'op' occurs twice"),
        ('{"id": 1, "op": "loss", "loss": {"name": "huber", "a": 1, "a": 2}, "t": [1]}', "'a' occurs twice"),
        ('{"id": 1, "op": "loss", "loss": {"name": "quadratic"}, "t": [NaN]}', "NaN is not strict JSON"),
        ('{"id": 1, "op": "loss", "loss": {"name": "quadratic"}, "t": [-Infinity]}', "-Infinity is not"),
    ],
)
def test_what_lenient_readers_accept_is_refused_with_its_id(text: str, part: str) -> None:
    (answer,) = exchange([text.encode()])
    assert answer["id"] == 1
    assert error_kind(answer) == "InvalidInput"
    assert part in answer["error"]["message"]


BAD_NUMBERS = ("0x10", "1_000", " 1", "Infinity")
STEP = {
    "op": "step",
    "X": [[0], [1]],
    "kernel": {"name": "gaussian", "bandwidth": 1},
    "weights": [0.5, 0.5],
    "loss": {"name": "quadratic"},
}


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        *(
            ({**LOSS, **change}, part)
            for change, part in (
                ({"op": "no_such"}, "op must be the name of an operation, got 'no_such'"),
                ({"op": 3}, "op must be the name of an operation, got a number"),
                ({"op": None}, "op must be the name of an operation, got null"),
                ({"extra": 1}, "got the field 'extra'"),
                ({"t": "0.5"}, "t must be a list, got a string"),
                ({"t": 0.5}, "t must be a list, got a number"),
                ({"t": [[0.5]]}, "t[0] must be a number or a decimal string, got a list"),
                ({"t": [0.5, True]}, "t[1] must be a number or a decimal string, got a boolean"),
                ({"t": [None]}, "t[0] must be a number or a decimal string, got null"),
                *(({"t": [text]}, "t[0] must be a decimal number") for text in BAD_NUMBERS),
                ({"t": ["1e999999999"]}, "t[0] must have an exponent"),
                ({"t": ["1" * (MAX_NUMBER_TEXT + 1)]}, f"must have at most {MAX_NUMBER_TEXT} characters"),
                ({"loss": "huber"}, "loss must be an object, got a string"),
                ({"loss": {"a": 1}}, "loss must have the field 'name'"),
                ({"loss": {"name": 1, "a": 1}}, "loss.name must be a string, got a number"),
                ({"loss": {"name": "huber"}}, "loss must have the field 'a'"),
                ({"loss": {"name": "huber", "a": 1, "b": 2}}, "only known fields, got the field 'b'"),
                ({"loss": {"name": "biweight", "a": 1}}, "loss.name must be a known name, got 'biweight'"),
            )
        ),
        *(({**STEP, "count": count}, "count must be an integer") for count in (1.0, "1", True, None, [1])),
        ({"op": "hello", "protocol": 2}, "version 1"),
        *(({"op": op}, f"must have the field {min(OPERATIONS[op].required)!r}") for op in OPERATIONS),
    ],
)
def test_what_breaks_the_protocol_is_named(asked: dict[str, object], part: str) -> None:
    answer = ask(asked)
    assert error_kind(answer) == "InvalidInput"
    assert part in answer["error"]["message"]


def test_a_last_line_without_a_newline_is_answered() -> None:
    answers = io.BytesIO()
    assert serve(fast_implementation(), io.BytesIO(HELLO + b"\n" + HELLO), answers) == 2
    assert len(answers.getvalue().splitlines()) == 2


def test_white_space_around_a_request_is_fine() -> None:
    (answer,) = exchange([b"  \t" + HELLO + b" \r"])
    assert answer["protocol"] == 1


def test_a_line_that_is_too_long_is_skipped() -> None:
    answers = io.BytesIO()
    lines = b"\n".join([HELLO, HELLO + b" ", HELLO + b" " * 3_000_000, HELLO])
    assert serve(fast_implementation(), io.BytesIO(lines), answers, max_line_bytes=len(HELLO)) == 4
    first, *long, last = map(json.loads, answers.getvalue().splitlines())
    assert first["protocol"] == last["protocol"] == 1
    assert [answer["id"] for answer in long] == [None, None]
    assert [error_kind(answer) for answer in long] == ["InvalidInput", "InvalidInput"]


def test_an_unexpected_exception_is_internal_and_the_adapter_goes_on() -> None:
    def fail(*_: object, **__: object) -> object:
        raise ZeroDivisionError("on purpose")

    lib = dataclasses.replace(fast_implementation(), elementwise=fail)
    bad, good = exchange([json.dumps({"id": 5, **LOSS}).encode(), HELLO], lib)
    assert bad == {"id": 5, "error": {"kind": "Internal", "message": "ZeroDivisionError: on purpose"}}
    assert good["protocol"] == 1
