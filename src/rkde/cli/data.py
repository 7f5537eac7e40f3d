"""Where a command takes its table from and where it writes: paths, standard streams and shipped names."""

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, Final

import click

from rkde.cli.failures import complain
from rkde.datasets import DATASETS
from rkde.datasets import content as shipped_content
from rkde.errors import InvalidInput
from rkde.files import write_atomically
from rkde.tables import Table, TableOptions, read_table

STREAM: Final = "-"
_SHIPPED_PREFIX: Final = "dataset:"
# Where a system names the open files of a program.
_STREAM_FOLDERS: Final = (Path("/dev"), Path("/dev/fd"), Path("/proc/self/fd"))
# The leading bytes of a gzip archive.
_GZIP: Final = b"\x1f\x8b"


def only_one(ctx: click.Context, param: click.Parameter, lists: tuple[str, ...]) -> str | None:
    """Return the list that an option holds, and refuse a second one, of which the first would be lost."""
    if len(lists) > 1:
        problem = f"must be given once, got {' and '.join(map(repr, lists))}; write one list, with commas."
        raise click.BadParameter(problem, ctx=ctx, param=param)
    return lists[0] if lists else None


def _joined(_: click.Context, __: click.Parameter, lists: tuple[str, ...]) -> str | None:
    return ",".join(lists) if lists else None


_TABLE_OPTIONS: Final = (
    click.option(
        "--columns",
        multiple=True,
        callback=only_one,
        help="Columns by name or 1-based number: a,b or 1,3 or 2-4; name:7 is always a name.  "
        "[default: all but those of text]",
    ),
    click.option(
        "--header",
        type=click.Choice(["auto", "yes", "no"]),
        default="auto",
        show_default=True,
        help="Whether the first line holds names; with auto, it does if no chosen cell is a number.",
    ),
    click.option(
        "--delimiter",
        default=",",
        show_default=True,
        help="Character between cells, such as ';', or the word tab, or whitespace for runs of spaces.",
    ),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        help="Decimal mark; a decimal comma requires another delimiter, or quoted cells.  [default: .]",
    ),
    click.option(
        "--thousands",
        type=click.Choice([".", ",", "'", "space"]),
        help="Mark between groups of three digits; if it is a point, commas are decimal.  [default: none]",
    ),
    click.option("--comment", metavar="MARK", help="Skip the lines that begin with this mark, such as '#'."),
    click.option(
        "--skip-lines",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Skip N lines at the top, such as titles.",
    ),
    click.option(
        "--drop-missing",
        is_flag=True,
        help="Leave out the rows with an empty or missing value, and say which.",
    ),
    click.option(
        "--drop-rows",
        metavar="NUMBERS",
        multiple=True,
        callback=_joined,
        help="Leave out these rows, numbered from 1 as in the file without its header: 61-64,70, or @FILE "
        "with such numbers; may be repeated.",
    ),
    click.option(
        "--drop-value",
        "drop_values",
        multiple=True,
        metavar="VALUE|COLUMN=VALUE",
        help="Leave out the rows with a number such as -999 or text such as '<5', or age=-9 in one column, "
        "and say how many; may be repeated.",
    ),
    click.option("--trailing-delimiter", is_flag=True, help="Expect a delimiter at the end of every row."),
    click.option(
        "--encoding",
        default="utf-8",
        show_default=True,
        help="Encoding of the text, such as cp1252 for a table from Windows, or utf-16.",
    ),
)


output_option: Final = click.option(
    "-o", "--output", help="Output file, replaced atomically, or - for standard output.  [default: -]"
)


def table_options(function: Callable[..., object]) -> Callable[..., object]:
    """Add the options that say how a table is read; the command takes them as one argument `reading`."""

    @wraps(function)
    def collected(**arguments: Any) -> object:
        reading = TableOptions(**{field.name: arguments.pop(field.name) for field in fields(TableOptions)})
        return function(reading=reading, **arguments)

    decorated: Callable[..., object] = collected
    for option in reversed(_TABLE_OPTIONS):
        decorated = option(decorated)
    return decorated


def load_table(
    data: str,
    reading: TableOptions,
    *,
    expected: Sequence[str] = (),
    keep: str | None = None,
    weights: str | None = None,
) -> Table:
    """Read the table that the argument DATA means."""
    name = _shipped_name(data)
    if name is not None:
        content, source = shipped_content(name), f"{_SHIPPED_PREFIX}{name}"
        expected = expected or DATASETS[name].measurements
    else:
        source = "standard input" if data == STREAM else data
        content = _unpacked(_standard_input() if data == STREAM else _file_content(data), source)
    return read_table(content, reading, source=source, expected=expected, keep=keep, weights=weights)


def tell_header(table: Table, reading: TableOptions) -> None:
    """Say on standard error what ``--header auto`` decided, what was left out, and what is in doubt."""
    for doubt in (*table.doubtful_points, *table.doubtful_codes):
        complain(f"{table.source}: {doubt}", kind="warning")
    notes = (
        table.note_of_row_names(),
        table.note_of_dropped(),
        table.note_of_removed(),
        table.note_of_text(),
        table.note_of_constant(),
    )
    for note in notes:
        if note:
            complain(f"{table.source}: {note}")
    if reading.header != "auto" or table.source.startswith(_SHIPPED_PREFIX):
        return
    line = f"line {table.first_line}"
    if table.names:
        complain(f"{table.source}: {line} is the header (--header no would read it as data)")
    else:
        complain(
            f"{table.source}: there is no header and {line} is data (--header yes would read it as names)"
        )


def check_output(path: str | None, inputs: Sequence[str], *, option: str = "--output") -> None:
    """Refuse an output before any work is done: no folder, no regular file, or a file that is also read."""
    if path is None or path == STREAM:
        return
    if not path:
        raise InvalidInput("must not be empty", where=option, remedy="name a file")
    target = Path(path)
    folder = Path(os.path.realpath(target)).parent
    if target.is_dir():
        raise InvalidInput("must be a file, got a folder", where=path, remedy="name a file in it")
    if not folder.is_dir():
        raise InvalidInput(
            "its folder does not exist", where=path, remedy="create the folder, or choose another"
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InvalidInput("its folder is not writable", where=path, remedy="choose another folder")
    # What such a name leads to, such as the file that a shell appends to, may be regular, but is not ours.
    is_stream = target.absolute().parent in _STREAM_FOLDERS and target.is_symlink()
    if is_stream or (target.exists() and not stat.S_ISREG(target.stat().st_mode)):
        raise InvalidInput(
            "must not be a device, a pipe or a socket", where=path, remedy="choose another path"
        )
    if target.exists() and not os.access(target, os.W_OK):
        raise InvalidInput(
            "must not be write-protected", where=path, remedy="change its permissions, or choose another path"
        )
    for other in inputs:
        is_same = os.path.realpath(target) == os.path.realpath(other)
        if is_same or (target.exists() and Path(other).exists() and target.samefile(other)):
            raise InvalidInput("must not be an input as well", where=path, remedy="choose another path")


def deliver(content: str | bytes, path: str | None) -> None:
    """Write what a command made: to standard output where the path is None or ``-``, else to the file."""
    if path is None or path == STREAM:
        click.echo(content, nl=False)
    else:
        write_atomically(path, content.encode() if isinstance(content, str) else content)


def _shipped_name(data: str) -> str | None:
    if data.startswith(_SHIPPED_PREFIX):
        return data.removeprefix(_SHIPPED_PREFIX)
    return data if data in DATASETS and not Path(data).exists() else None


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        remedy = "give the name of a file"
        raise InvalidInput(
            f"it cannot be read ({error.strerror})", where="standard input", remedy=remedy
        ) from error


def _unpacked(content: bytes, source: str) -> bytes:
    """Return the text within a gzip archive, and other content as it is."""
    if not content.startswith(_GZIP):
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, OSError, zlib.error) as error:
        problem = f"the gzip archive is damaged ({error})"
        raise InvalidInput(problem, where=source, remedy="get the file again") from error


def _read_at_once(path: str) -> bytes:
    """Return the content of a file that nobody writes to meanwhile: a part of a table looks like a table."""
    with Path(path).open("rb") as stream:
        before = os.fstat(stream.fileno())
        content = stream.read()
        after = os.fstat(stream.fileno())
    is_changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    # Of a named pipe, all is read, and the time is that of its last writing.
    if is_changed and stat.S_ISREG(before.st_mode):
        problem = "the file changed while it was read"
        raise InvalidInput(problem, where=path, remedy="run again when it is complete, or on a copy")
    return content


def _file_content(path: str) -> bytes:
    if not path:
        raise InvalidInput("must not be empty", where="DATA", remedy="name a file, or - for standard input")
    if Path(path).is_dir():
        raise InvalidInput("must be a file, got a folder", where=path, remedy="name a file in it")
    try:
        return _read_at_once(path)
    except FileNotFoundError as error:
        shipped = ", ".join(DATASETS)
        remedy = f"check the path, or use a shipped table ({shipped}) or - for standard input"
        raise InvalidInput("no such file", where=path, remedy=remedy) from error
    except OSError as error:
        raise InvalidInput(
            f"it cannot be read ({error.strerror})", where=path, remedy="check the file and its permissions"
        ) from error
