"""Any sequence of lines to the adapter, good and bad: one answer each, and none depends on the others."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from rkde.adapter import ERROR_KINDS, fast_implementation, serve
from rkde.adapter.answers import answer_line
from rkde.conformance import load_vectors, request_lines, shipped_vectors

LIB = fast_implementation()
QUICK_OPERATIONS = ("auc", "kernel", "loss", "thresholds", "bandwidth", "residual_norms", "log_density")
REQUESTS = [
    json.loads(line)
    for line in request_lines(case for case in load_vectors(shipped_vectors()) if case.op in QUICK_OPERATIONS)
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FEW, MANY = 4, 150


def answered(line: bytes) -> dict[str, Any]:
    """Return the answer to one line, which must be one line of strict JSON of the protocol's form."""
    out = io.BytesIO()
    serve(LIB, io.BytesIO(line + b"\n"), out)
    (text,) = out.getvalue().splitlines()
    answer: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    if "error" in answer:
        assert answer["error"]["kind"] in ERROR_KINDS, answer
        assert answer["error"]["kind"] != "Internal", answer
        assert answer["error"]["message"]
    return answer


class AdapterStates(RuleBasedStateMachine):
    """A session with the adapter: each line's answer is that of a session of its own."""

    @initialize()
    def begin(self) -> None:
        self.lines: list[bytes] = []
        self.wanted: list[dict[str, Any]] = []

    def _send(self, line: bytes) -> dict[str, Any]:
        self.lines.append(line)
        self.wanted.append(answered(line))
        return self.wanted[-1]

    @rule(request=st.sampled_from(REQUESTS), identity=st.integers() | st.text(max_size=5))
    def good(self, request: dict[str, Any], identity: object) -> None:
        assert self._send(json.dumps({**request, "id": identity}).encode())["id"] == identity

    @rule(request=st.sampled_from(REQUESTS), value=VALUES, data=st.data())
    def one_field_changed(self, request: dict[str, Any], value: object, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(request)))
        self._send(json.dumps({**request, name: value}).encode())

    @rule(request=st.sampled_from(REQUESTS), data=st.data())
    def one_byte_changed(self, request: dict[str, Any], data: st.DataObject) -> None:
        line = bytearray(json.dumps(request).encode())
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.sampled_from(b'\x00"{}[],:-19eE. \xff'))
        self._send(bytes(line))

    @rule(line=st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"\r" not in line))
    def nonsense(self, line: bytes) -> None:
        self._send(line)

    def teardown(self) -> None:
        if not getattr(self, "lines", None):
            return
        out = io.BytesIO()
        serve(LIB, io.BytesIO(b"\n".join(self.lines) + b"\n"), out)
        assert [json.loads(text) for text in out.getvalue().splitlines()] == self.wanted


class ManyAdapterStates(AdapterStates):
    """The same, for longer."""


TestAdapterStates = AdapterStates.TestCase
TestAdapterStates.settings = settings(max_examples=FEW, stateful_step_count=12, deadline=None)
TestManyAdapterStates = pytest.mark.slow(ManyAdapterStates.TestCase)
TestManyAdapterStates.settings = settings(max_examples=MANY, stateful_step_count=20, deadline=None)


@settings(deadline=None)
@given(value=VALUES)
def test_any_json_value_is_answered(value: object) -> None:
    answer = answer_line(LIB, json.dumps(value).encode())
    assert answer["id"] is None or isinstance(value, dict)
