"""Talk to an adapter in process, as a program would through a pipe."""

import io
import json
from collections.abc import Iterable
from typing import Any

import pytest

from rkde.adapter import Implementation, fast_implementation, serve


def exchange(lines: Iterable[bytes], lib: Implementation | None = None) -> list[dict[str, Any]]:
    """Send lines, each with its newline added, and read the answers."""
    answers = io.BytesIO()
    serve(lib or fast_implementation(), io.BytesIO(b"".join(line + b"\n" for line in lines)), answers)
    return [json.loads(line, parse_constant=pytest.fail) for line in answers.getvalue().splitlines()]


def ask(request: dict[str, object], lib: Implementation | None = None) -> dict[str, Any]:
    """Send one request with the id 1 and return its answer without the id."""
    (answer,) = exchange([json.dumps({"id": 1, **request}).encode()], lib)
    assert answer.pop("id") == 1
    return answer


def error_kind(answer: dict[str, Any]) -> str:
    """Return the kind of the error that an answer must hold."""
    assert set(answer) - {"id"} == {"error"}
    assert set(answer["error"]) == {"kind", "message"}
    return str(answer["error"]["kind"])
