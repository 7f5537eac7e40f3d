"""One run of a foreign program: lines in, lines out, with limits of time and memory, and nothing left behind.

The program is started without a shell, in a session of its own. Whatever it writes is read into bounded
buffers; whatever it does, `close` ends it and every process that it started, also those that left its process
group: they carry its mark in their environment (where the system shows environments: /proc).
"""

import os
import selectors
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from typing import IO, Final

from rkde.adapter import MAX_LINE_BYTES
from rkde.conformance.judging import Failure
from rkde.conformance.orphans import MARK, end_everything

# Read in pieces of this size; what a program says on standard error is kept to the last bytes of it.
CHUNK_BYTES: Final = 2**16
KEPT_ERROR_BYTES: Final = 2**12
# How long a program may take to end by itself once its input has ended.
GRACE_SECONDS: Final = 2.0
# No wait is longer, since the system's clocks overflow at some length; whoever waits comes again.
_LONGEST_WAIT: Final = 60.0
# A program that floods standard error must not hold up the search for unasked output.
_LOOKS: Final = 16


class TransportError(Exception):
    """A conversation broke; `failure` names how.

    Attributes
    ----------
    failure : Failure
        The name for the report.
    problem : str
        What happened, in one line.
    """

    def __init__(self, failure: Failure, problem: str) -> None:
        super().__init__(problem)
        self.failure = failure
        self.problem = problem


class CannotStartError(Exception):
    """The command cannot be run at all; the message says why."""


class AdapterProcess:
    """A running adapter.

    Parameters
    ----------
    arguments : sequence of str
        Program and arguments; no shell sees them.
    max_line_bytes : int
        A longer line of output ends the conversation.

    Raises
    ------
    CannotStartError
        There is no such program, it may not be run, or the system cannot watch pipes (Windows).
    """

    def __init__(self, arguments: Sequence[str], *, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        if os.name != "posix":
            raise CannotStartError(
                "adapters can be driven on Linux and macOS only; use rkde verify --answers instead"
            )
        self._mark = uuid.uuid4().hex
        self._limit = max_line_bytes
        self._buffer = bytearray()
        self._searched = 0
        self._errors = b""
        self._ended = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- a list of arguments, no shell
                list(arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, MARK: self._mark},
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise CannotStartError(
                f"the command {arguments[0]!r} cannot be started ({reason}); check its path"
            ) from error
        self._selector = selectors.DefaultSelector()
        for stream, name in ((self._process.stdout, "output"), (self._process.stderr, "errors")):
            os.set_blocking(_file(stream), False)
            self._selector.register(_file(stream), selectors.EVENT_READ, name)
        os.set_blocking(_file(self._process.stdin), False)

    def exchange(self, line: bytes, seconds: float) -> bytes:
        """Send one line and read one.

        Result: the answer without its newline.
        """
        deadline = time.monotonic() + seconds
        waiting = memoryview(line)
        stdin = _file(self._process.stdin)
        self._selector.register(stdin, selectors.EVENT_WRITE, "input")
        try:
            while True:
                end = self._buffer.find(b"\n", self._searched)
                if end >= 0:
                    answer = bytes(self._buffer[:end])
                    del self._buffer[: end + 1]
                    self._searched = 0
                    return answer
                self._searched = len(self._buffer)
                self._wait(deadline, seconds)
                waiting = self._write(waiting, stdin)
        finally:
            if stdin in self._selector.get_map():
                self._selector.unregister(stdin)

    def extra_output(self, seconds: float = 0.0) -> bytes:
        """Return the beginning of whatever came without being asked for, waiting up to `seconds` for it."""
        deadline = time.monotonic() + seconds
        for _ in range(_LOOKS):
            if self._buffer or self._ended or not self._read(max(0.0, deadline - time.monotonic())):
                break
        return bytes(self._buffer[:KEPT_ERROR_BYTES])

    def finish(self, seconds: float = GRACE_SECONDS) -> int | None:
        """End the input and wait for the program to end.

        Result: its exit code; None if it did not end in time.
        """
        if self._process.stdin is not None:
            self._process.stdin.close()
        deadline = time.monotonic() + seconds
        while not self._ended and not self._buffer and time.monotonic() < deadline:
            self._read(deadline - time.monotonic())
        try:
            return self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None

    def close(self) -> None:
        """End the program and all that it started; may be called again."""
        end_everything(self._process, self._mark)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._selector.close()

    def last_words(self) -> str:
        """Return the last line on standard error, for people."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def _wait(self, deadline: float, seconds: float) -> None:
        """Read until something moved; complain about what ends the conversation."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TransportError(Failure.TIMEOUT, f"no answer within {seconds:g} s")
        if self._ended:
            raise TransportError(Failure.CRASH, self._epitaph(left))
        self._read(left)
        if len(self._buffer) > self._limit and self._buffer.find(b"\n", 0, self._limit + 1) < 0:
            problem = f"a line of more than {self._limit} bytes"
            raise TransportError(Failure.TOO_LONG, problem)

    def _epitaph(self, left: float) -> str:
        try:
            code = self._process.wait(min(left, GRACE_SECONDS))
        except subprocess.TimeoutExpired:
            return "the adapter closed its standard output"
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        words = self.last_words()
        return f"the adapter {how}" + (f"; it said: {words}" if words else "")

    def _write(self, waiting: memoryview, stdin: int) -> memoryview:
        if stdin not in self._selector.get_map():
            return waiting
        try:
            written = os.write(stdin, waiting[:CHUNK_BYTES])
        except BlockingIOError:
            return waiting
        except OSError:
            # The program reads no more; whether it still answers is seen on its output.
            self._selector.unregister(stdin)
            return waiting[:0]
        if written == len(waiting):
            self._selector.unregister(stdin)
        return waiting[written:]

    def _read(self, seconds: float) -> bool:
        """Wait for output and read one piece of each pipe that has some; tell whether there was any."""
        found = self._selector.select(min(seconds, _LONGEST_WAIT))
        for key, _ in found:
            if key.data == "input":
                continue
            try:
                piece = os.read(key.fd, CHUNK_BYTES)
            except OSError:
                piece = b""
            if not piece:
                self._selector.unregister(key.fd)
                self._ended = self._ended or key.data == "output"
            elif key.data == "output":
                self._buffer += piece
            else:
                self._errors = (self._errors + piece)[-KEPT_ERROR_BYTES:]
        return bool(found)


def _file(stream: IO[bytes] | None) -> int:
    if stream is None:
        raise CannotStartError(
            f"the adapter has no pipe on {sys.platform}; use rkde verify --answers instead"
        )
    return stream.fileno()
