"""The transport: one request per line in, one answer per line out, in order, each flushed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from rkde.adapter.answers import answer_line, refuse_line
from rkde.adapter.implementation import Implementation
from rkde.adapter.strict_json import encode

MAX_LINE_BYTES: Final = 64 * 2**20
_SKIP_BYTES: Final = 2**20


def serve(
    lib: Implementation, requests: BinaryIO, answers: BinaryIO, *, max_line_bytes: int = MAX_LINE_BYTES
) -> int:
    """Answer every line until the end of input.

    Result: the number of lines answered.
    """
    count = 0
    for line in _lines(requests, max_line_bytes):
        too_long = f"a line of more than {max_line_bytes} bytes"
        answers.write(encode(refuse_line(too_long) if line is None else answer_line(lib, line)))
        answers.flush()
        count += 1
    return count


def _lines(requests: BinaryIO, limit: int) -> Iterator[bytes | None]:
    """Yield the lines without their newlines; None stands for one that is too long."""
    while line := requests.readline(limit + 1):
        content = line.removesuffix(b"\n")
        if len(content) <= limit:
            yield content
            continue
        while line and not line.endswith(b"\n"):
            line = requests.readline(_SKIP_BYTES)
        yield None
