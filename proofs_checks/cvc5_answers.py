"""Answers by cvc5, from a process of its own that can be stopped: its coverings keep to no time limit.

This file is also what the process runs, as a script that imports nothing but cvc5 and the standard library.
"""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

Options = dict[str, str]

# One after the other: coverings decide most questions, linearisation some that they leave open.
PORTFOLIO: Final[tuple[Options, ...]] = (
    {"nl-cov": "true", "decision": "justification"},
    {"nl-cov": "true", "nl-ext": "none"},
    {"nl-ext": "full"},
    {"nl-cov": "true"},
)
DECIDED: Final = ("sat", "unsat")
UNDECIDED: Final = "undecided"
_LOGIC: Final = "(set-logic QF_NRA)\n"
_READY: Final = "ready"
# A new process may have to wait for a busy machine.
_START_SECONDS: Final = 60.0


class Ask(Protocol):
    """Answer "sat" or "unsat" to a question in SMT-LIB 2, or "undecided" after so long for each choice."""

    def __call__(self, smt2: str, seconds: float, portfolio: Sequence[Options] = PORTFOLIO, /) -> str:
        """Answer."""


def answer(smt2: str, options: Options) -> str:
    """Return what cvc5 prints last, for one choice of options."""
    import cvc5  # here, because it is an extra

    solver = cvc5.Solver(cvc5.TermManager())
    for name, value in options.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _LOGIC + smt2, "question")
    printed = ""
    while not (command := parser.nextCommand()).isNull():
        printed = command.invoke(solver, parser.getSymbolManager()).strip() or printed
    return printed


def serve() -> None:
    """Answer one line of JSON after the other."""
    sys.stdout.write(f"{_READY}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(*json.loads(line))) + "\n")
        sys.stdout.flush()


class _Process:
    """A process that answers; a caller that has waited too long stops it and starts another."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter and this file
            [sys.executable, "-P", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        if self._lines.get(timeout=_START_SECONDS).strip() != _READY:
            raise OSError("the process for cvc5 did not start")

    def _read(self) -> None:
        """Pass on every line; an empty one says that the process has ended."""
        with contextlib.suppress(ValueError):  # the pipe was closed meanwhile
            for line in self._process.stdout or ():
                self._lines.put(line)
        self._lines.put("")

    def ask(self, smt2: str, options: Options, seconds: float) -> str | None:
        """Return an answer, or None if there is none in time, or the process ended."""
        try:
            print(json.dumps([smt2, options]), file=self._process.stdin, flush=True)
            line = self._lines.get(timeout=seconds)
        except (queue.Empty, OSError):
            return None
        return str(json.loads(line)) if line else None

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


@contextlib.contextmanager
def asking() -> Iterator[Ask]:
    """Give a function that asks cvc5 with each choice of options in turn."""
    process = _Process()

    def ask(smt2: str, seconds: float, portfolio: Sequence[Options] = PORTFOLIO, /) -> str:
        nonlocal process
        for options in portfolio:
            found = process.ask(smt2, options, seconds)
            if found in DECIDED:
                return str(found)
            if found is None:
                process.stop()
                process = _Process()
        return UNDECIDED

    try:
        yield ask
    finally:
        process.stop()


if __name__ == "__main__":
    serve()
