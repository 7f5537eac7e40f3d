"""How the command line ends: exit codes, and one line on standard error for whatever went wrong."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

from rkde.errors import (
    AllWeightsZero,
    CorruptFile,
    InvalidInput,
    MemoryLimit,
    RkdeError,
    RkdeWarning,
    SignWarning,
)
from rkde.signs import Sign, spelled_rows

if TYPE_CHECKING:
    from rkde.tables import Table

EXIT_CHECK_FAILED: Final = 1
EXIT_BAD_INPUT: Final = 2
EXIT_NO_ANSWER: Final = 3
EXIT_NOT_INSTALLED: Final = 4
# 128 + the number of the signal: what a shell reports for a program that SIGINT, SIGPIPE or another ended.
_SIGNAL_EXIT: Final = 128
EXIT_INTERRUPTED: Final = 130
EXIT_BROKEN_PIPE: Final = 141

EXIT_CODES: Final = {
    0: "done (for verify: something ran and everything passed)",
    EXIT_CHECK_FAILED: "a check of rkde verify failed",
    EXIT_BAD_INPUT: "bad usage, a bad file, table or model, or nothing to verify",
    EXIT_NO_ANSWER: "the data have no answer under the chosen rules, or there is too little memory",
    EXIT_NOT_INSTALLED: "the command needs an extra that is not installed",
    EXIT_INTERRUPTED: "interrupted (Ctrl-C)",
    EXIT_BROKEN_PIPE: "standard output was closed by its reader",
}

# A request to end, and a terminal that was closed. Ctrl-C is Python's own.
_ENDING_SIGNALS: Final = ("SIGTERM", "SIGHUP")

# What may end a command without a traceback; some of it still is a defect, see `describe`.
EXPECTED: Final = (
    click.ClickException,
    click.Abort,
    KeyboardInterrupt,
    MemoryError,
    ModuleNotFoundError,
    OSError,
    RkdeError,
)
# Import names of what the extras install.
_EXTRAS: Final = {
    "matplotlib": "plot",
    **dict.fromkeys(("flint", "hypothesis", "jsonschema", "pytest", "sympy", "z3"), "verify"),
}
# What to type, where the library's own remedy speaks of Python arguments.
_REMEDIES: Final[dict[type[RkdeError], str]] = {
    AllWeightsZero: "use a larger --bandwidth, or --recipe paper",
    MemoryLimit: "give a larger --memory-limit, or fewer rows",
}

# The words of the library's remedies, and how a shell spells what they ask for.
_SPELLINGS: Final = (
    (re.compile(r', ([^,]+), or on_degenerate="warn"'), r", or \1"),
    (re.compile(r', or on_degenerate="warn"'), ""),
    (re.compile(r"(?:give|pass) a bandwidth above 0"), "give --bandwidth a number"),
    (re.compile(r"the rule (\w+)"), r"--bandwidth \1"),
    (re.compile(r"the loss (\w+)"), lambda found: f"--loss {found[1].lower()}"),
    (re.compile(r'scale="([a-z-]+)"'), r"--scale \1"),
    (re.compile(r"a larger bandwidth"), "a larger --bandwidth"),
    (re.compile(r"(other|larger) quantiles"), r"\1 --quantiles"),
    # No option caps the steps to a limit, and `rkde influence` has none for the memory.
    (
        re.compile(r"raise max_iter, or change the thresholds or the bandwidth if J is nearly flat"),
        "fit with another --bandwidth or other --quantiles",
    ),
    (re.compile(r"a loss with a wider ramp from b to c"), "fit with other --quantiles"),
    (re.compile(r"raise memory_limit so that the system can be factored"), "fit to fewer rows (--sample)"),
    (
        re.compile(r"fit without the sample weights"),
        "leave out --weights and name the columns of the data with --columns",
    ),
    (re.compile(r"remove the rows with (\S+) if"), r"use --drop-value \1 if"),
)
_WHERE: Final = re.compile(r"remove the rows where (?:it is|they are) (\S+)")
# Signs about rows that may have to go, and how many runs of rows a message spells.
_REMOVABLE: Final = ("repeated-rows", "stuck-column", "isolated-rows", "mixed-units")
_MOST_SPELLED: Final = 40

_SYSTEM_REMEDIES: Final = {
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EDQUOT: "free some space, or write elsewhere",
    errno.EFBIG: "raise the limit (ulimit -f), or write elsewhere",
    errno.EACCES: "change its permissions, or choose another path",
    errno.EPERM: "change its permissions, or choose another path",
    errno.ENAMETOOLONG: "choose a shorter path",
    errno.EBADF: "open it, or redirect it to /dev/null",
}


class UnusableError(click.ClickException):
    """What the command was given cannot be used, or there is nothing to run."""

    exit_code = EXIT_BAD_INPUT


def describe(error: BaseException) -> tuple[str, int] | None:
    """Return the line and the exit code of a failure that users may meet, or None for a defect."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "rkde"
        return f"{error.format_message()} See {path} --help", EXIT_BAD_INPUT
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, RkdeError):
        bad = isinstance(error, InvalidInput | CorruptFile)
        return str(_with_our_remedy(error)), EXIT_BAD_INPUT if bad else EXIT_NO_ANSWER
    missing = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    extra = _EXTRAS.get(missing.partition(".")[0])
    if extra is not None:
        return (
            f"this command needs {missing}, which is not installed; "
            f'run: python -m pip install "rkde[{extra}]"'
        ), EXIT_NOT_INSTALLED
    if isinstance(error, OSError):
        return _system_refusal(error), EXIT_BAD_INPUT
    if isinstance(error, MemoryError):
        amount = f": {error}" if str(error) else ""
        return f"not enough memory{amount}; ask for less, or use a smaller table", EXIT_NO_ANSWER
    return None


def _system_refusal(error: OSError) -> str:
    """Return what the operating system refused, where, and what to do; without a name it is a stream."""
    place = error.filename or "standard output"
    remedy = _SYSTEM_REMEDIES.get(error.errno or 0, "choose another path")
    return f"{place}: {error.strerror or error}; {remedy}"


def _with_our_remedy(error: RkdeError) -> RkdeError:
    remedy = _REMEDIES.get(type(error), error.remedy)
    return error.restated(remedy=_spelled(remedy) if remedy else remedy)


def _spelled(remedy: str) -> str:
    """Return a remedy as a shell takes it."""
    for words, spelling in _SPELLINGS:
        remedy = words.sub(spelling, remedy)
    return remedy


def finish(error: BaseException) -> NoReturn:
    """End the program: one line on standard error and the exit code, or the traceback of a defect."""
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        _silence_stdout()
        sys.exit(EXIT_BROKEN_PIPE)
    if isinstance(error, KeyboardInterrupt | click.Abort):
        complain("interrupted", kind="error")
        sys.exit(EXIT_INTERRUPTED)
    described = describe(error)
    if described is None:
        raise error
    line, code = described
    complain(line, kind="error")
    sys.exit(code)


def complain(text: str, *, kind: str = "note") -> None:
    """Print one line to standard error, whatever the text holds."""
    safe = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    # A closed or full standard error must not lose the answer, or the exit code.
    with suppress(OSError, ValueError):
        click.echo(f"rkde: {kind}: {safe}", err=True)


def open_streams() -> None:
    """Refuse to work for a closed standard output; a closed standard input is an empty one."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 (until the program ends)
    if sys.stdout is None:
        raise OSError(errno.EBADF, "the stream is closed", "standard output")


def signals_unwind() -> None:
    """Let the signals that ask the program to end unwind it, so that what it runs or writes ends too."""
    for name in _ENDING_SIGNALS:
        number = getattr(signal, name, None)
        # What nohup lets the program ignore stays ignored.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda sent, _: sys.exit(_SIGNAL_EXIT + sent))


class SignRows:
    """The numbers of the rows that signs are about, and the file for those that are too many for a line."""

    def __init__(self, path: str | None = None, dropped: str | None = None) -> None:
        self.path = path
        # What --drop-rows leaves out already: of two options, the last counts.
        self._dropped = f"{dropped}," if dropped else ""
        self._lines: list[str] = []

    def drop(self, numbers: Sequence[int], name: str) -> str:
        """Return the option that leaves out some rows, which lists them or names the file that does."""
        self._lines.append(f"{','.join(spelled_rows(numbers))}  # {name}\n")
        option = self.listed(numbers)
        if option is not None:
            return option
        if self.path is None:
            option = f"--drop-rows {shlex.quote(f'{self._dropped}@FILE')}"
            return f"{option}, once --sign-rows FILE has written their numbers"
        return f"--drop-rows {shlex.quote(f'{self._dropped}@{self.path}')}"

    def listed(self, numbers: Sequence[int]) -> str | None:
        """Return the option that lists some rows; None where they are too many for a line."""
        spelled = spelled_rows(numbers)
        if len(spelled) > _MOST_SPELLED:
            return None
        return f"--drop-rows {shlex.quote(self._dropped + ','.join(spelled))}"

    @property
    def content(self) -> str:
        """What the file says."""
        return "".join(self._lines)


@contextmanager
def warnings_told(table: Table, whole: Table, sign_rows: SignRows | None = None) -> Iterator[None]:
    """Print the package's warnings as lines on standard error, once the work inside has succeeded.

    Those that name rows and columns do so as the table does, from 1; the whole table has the rows that were
    not drawn, too.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        warnings.simplefilter("always", RkdeWarning)
        yield
    removal = sign_rows or SignRows()
    for warning in caught:
        if issubclass(warning.category, RkdeWarning):
            complain(_told(warning.message, table, whole, removal), kind="warning")
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _told(message: Warning | str, table: Table, whole: Table, removal: SignRows) -> str:
    """Return what a warning says, in the words of the command line."""
    if not (isinstance(message, SignWarning) and isinstance(message.sign, Sign)):
        return str(message)
    columns = table.names or table.positions
    rows = tuple(table.numbers[row] for row in message.sign.rows)
    sign = replace(message.sign, rows=tuple(row - 1 for row in rows))
    if message.sign.column is not None:
        named = {message.sign.column, *message.sign.others}
        others = [at for place, at in enumerate(table.positions) if place not in named]
        from rkde.tables import spell_positions

        chosen = f"choose the others with --columns {spell_positions(others)}"
        sign = replace(sign, remedy=sign.remedy.replace("fit to the other columns only", chosen))
    text = _spelled(_with_columns(sign, columns).text(first_row=1, columns=columns))
    beside = "others may be like them"
    if sign.name in _REMOVABLE and "--drop-value" not in text:
        if sign.name != "isolated-rows" and whole is not table:
            rows, beside = _like_them(message.sign, table, whole), "--drop-rows has those of the whole table"
        text += f", with {_drop_options(sign.name, rows, text, removal)}"
    if whole is not table and rows:
        text += f" (seen among the {len(table.rows)} rows drawn; {beside})"
    return text


def _like_them(sign: Sign, table: Table, whole: Table) -> tuple[int, ...]:
    """Return the numbers of all rows whose values are in the range of those that a sign names."""
    columns = range(len(table.positions)) if sign.column is None else (sign.column,)
    named = [[table.rows[row][column] for row in sign.rows] for column in columns]
    ranges = [(column, min(values), max(values)) for column, values in zip(columns, named, strict=True)]
    first, last = whole.numbers[0], whole.numbers[-1]
    if sign.name == "stuck-column":
        first, last = table.numbers[sign.rows[0]], table.numbers[sign.rows[-1]]
    return tuple(
        number
        for number, row in zip(whole.numbers, whole.rows, strict=True)
        if first <= number <= last and all(low <= row[column] <= high for column, low, high in ranges)
    )


def _drop_options(name: str, rows: tuple[int, ...], text: str, removal: SignRows) -> str:
    """Return the options that leave out what a sign is about, without and with the first of equal rows."""
    if name != "repeated-rows" or "all but the first" not in text:
        return removal.drop(rows, name)
    options = [removal.drop(rows[1:], f"{name}, all but the first"), removal.listed(rows)]
    return " or ".join(option for option in options if option is not None)


def _with_columns(sign: Sign, columns: Sequence[str | int]) -> Sign:
    """Return a sign about a number that is ordinary in other columns, whose remedy names its own columns."""
    found = _WHERE.match(sign.remedy)
    places = (sign.column or 0, *sign.others)
    called = [_called(column) for column in columns]
    names = [called[place] for place in places] if found and called else []
    # A name of several columns says nothing, and the sentence goes through a template.
    if found is None or any(not name or called.count(name) > 1 or set("{}") & set(name) for name in names):
        return sign
    values = (f"{name}={found[1]}" for name in names or [str(place + 1) for place in places])
    options = " ".join(f"--drop-value {shlex.quote(value)}" for value in values)
    return replace(sign, remedy=f"use {options}{sign.remedy[found.end() :]}")


def _called(column: str | int) -> str:
    """Return a column as an option names it; a name that is a number says so."""
    return f"name:{column}" if isinstance(column, str) and column.isdecimal() else str(column)


def _silence_stdout() -> None:
    """Send what is still buffered for a reader that has gone to nowhere, so that the exit stays quiet."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
