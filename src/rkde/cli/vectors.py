"""`rkde vectors`: export, check, format, extend, edit and recompute the golden vectors."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from rkde.adapter import ERROR_KINDS, OPERATIONS
from rkde.cli.failures import EXIT_CHECK_FAILED, UnusableError
from rkde.cli.parsing import NamedPath
from rkde.conformance import (
    VectorsError,
    formatted,
    lint,
    load_vectors,
    protocol_schema_file,
    request_lines,
    schema_file,
    shipped_vectors,
)
from rkde.files import write_atomically

_EPILOG: Final = """\b
No value is typed by hand: `add`, `edit` and `recompute` compute it with the reference, enclose it
where an enclosure exists, and derive the tolerance. The requests are the source of all values.

\b
Exit codes: 0 all is in order, 1 a file has a fault, 2 there is nothing to check or the files
cannot be changed as requested"""

# Lifts the announcement of an error, so that a value is right.
_NO_ERROR: Final = "none"
_OPERATIONS: Final = tuple(name for name in OPERATIONS if name != "hello")


@click.group(epilog=_EPILOG)
def vectors() -> None:
    """Work with the golden vectors: requests of the adapter protocol with their right answers."""


_FOLDER = click.argument("folder", type=NamedPath(file_okay=False), required=False)


@vectors.command()
@click.argument("folder", type=NamedPath(file_okay=False))
@click.option("--force", is_flag=True, help="Replace files of the same names.")
def export(folder: Path, *, force: bool) -> None:
    """Copy the shipped files, their manifest and schema, and the schema of the adapter protocol.

    FOLDER is created if it is missing; programs in other languages can read the files there. The manifest
    holds the version of the vectors, a digest of each file, and the licence.
    """
    source = shipped_vectors()
    # A schema is not a vector file, so it goes to a folder that `rkde verify --vectors` does not read.
    chosen = {folder / path.name: path for path in sorted(source.glob("*.json"))}
    chosen[folder / "schema" / "manifest.json"] = source.parent / "manifest.json"
    chosen[folder / "schema" / "vectors.schema.json"] = schema_file()
    chosen[folder / "schema" / "protocol.schema.json"] = protocol_schema_file()
    taken = [str(target) for target in chosen if target.exists()]
    if taken and not force:
        raise UnusableError(f"{taken[0]}: the file exists already; use --force to replace it")
    (folder / "schema").mkdir(parents=True, exist_ok=True)
    for target, path in chosen.items():
        write_atomically(target, path.read_bytes())
    count = sum(target.parent == folder for target in chosen)
    click.echo(f"{count} vector files in {folder}, their manifest and schemas in {folder / 'schema'}")


@vectors.command()
@_FOLDER
@click.option(
    "--operation",
    "operations",
    type=click.Choice(list(_OPERATIONS)),
    multiple=True,
    help="Only requests of this operation; may be repeated.  [default: all]",
)
def requests(folder: Path | None, operations: tuple[str, ...]) -> None:
    """Write every request as a line of the adapter protocol.

    A program on any machine reads them and writes its answers to a file; `rkde verify --answers` judges them.
    By default, FOLDER is the shipped one.
    """
    if folder is not None:
        import_module("jsonschema")
    with _refusals():
        cases = load_vectors(folder or shipped_vectors())
    for line in request_lines(case for case in cases if case.op in (operations or _OPERATIONS)):
        click.echo(line)


_REQUEST_FILE = NamedPath(dir_okay=False)
_REQUEST: Final = "A JSON file with the fields of the request, in the form of the adapter protocol."
_FLAG: Final = "What kind of case it is; may be repeated."
_ERROR: Final = "The kind of error that the answer must have"


def _ends(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    """Read the weights near each further end."""
    try:
        return tuple(tuple(float(weight) for weight in text.split(",")) for text in given)
    except ValueError as error:
        raise click.BadParameter("must be numbers separated by commas; write for example 0.2,0.8.") from error


_END = click.option(
    "--end",
    "ends",
    multiple=True,
    callback=_ends,
    help="Weights W1,W2,... near another right answer of fixed_point, on a saddle; may be repeated.",
)
_IN = click.option(
    "--in", "folder", type=NamedPath(file_okay=False, exists=True), required=True,
    help="The folder of vector files.",
)  # fmt: skip


@vectors.command()
@click.argument("operation", type=click.Choice(list(_OPERATIONS)))
@click.option("--request", type=_REQUEST_FILE, required=True, help=_REQUEST)
@click.option("--id", "name", required=True, help="Lower-case letters, digits, hyphens; new in the folder.")
@click.option("--comment", required=True, help="What the case is about.")
@click.option(
    "--to",
    "folder",
    type=NamedPath(file_okay=False),
    required=True,
    help="The folder of vector files; it is created if it is missing.",
)
@click.option("--group", help="The comment of the group that the case joins; created if it is missing.")
@click.option("--flag", "flags", multiple=True, help=f"{_FLAG}  [default: EDGE, or MUST_FAIL with --error]")
@click.option("--error", type=click.Choice(ERROR_KINDS), help=f"{_ERROR}.")
@_END
def add(
    operation: str,
    request: Path,
    name: str,
    comment: str,
    folder: Path,
    group: str | None,
    flags: tuple[str, ...],
    error: str | None,
    ends: tuple[tuple[float, ...], ...],
) -> None:
    """Add a case and compute its answer."""
    _require_extra()
    from rkde.vectors import ADDED, Entry, add_case, read_request

    with _refusals():
        entry = Entry(
            op=operation,
            id=f"{operation}/{name}",
            comment=comment,
            flags=flags or (("MUST_FAIL",) if error else ("EDGE",)),
            request=read_request(request, operation),
            error=error or "",
            ends=ends,
        )
        click.echo(f"{entry.id} in {add_case(folder, entry, group or ADDED)}")


@vectors.command()
@click.argument("case")
@_IN
@click.option("--request", type=_REQUEST_FILE, help=_REQUEST)
@click.option("--comment", help="What the case is about.")
@click.option("--flag", "flags", multiple=True, help=f"{_FLAG} The flags given replace the old ones.")
@click.option("--error", type=click.Choice([*ERROR_KINDS, _NO_ERROR]), help=f"{_ERROR}, or none.")
@_END
def edit(
    case: str,
    folder: Path,
    request: Path | None,
    comment: str | None,
    flags: tuple[str, ...],
    error: str | None,
    ends: tuple[tuple[float, ...], ...],
) -> None:
    """Change a case and compute its answer.

    CASE is its id, such as loss/far-out. Options that are left out keep their values.
    """
    _require_extra()
    from rkde.vectors import edit_case, read_request

    with _refusals():
        changes: dict[str, object] = {"comment": comment, "flags": flags, "ends": ends}
        changes = {name: value for name, value in changes.items() if value}
        if request:
            changes["request"] = read_request(request, case.partition("/")[0])
        if error:
            changes["error"] = "" if error == _NO_ERROR else error
        if not changes:
            raise click.UsageError(
                "No change was given; give --request, --comment, --flag, --error or --end."
            )
        click.echo(f"{case} in {edit_case(folder, case, **changes)}")


@vectors.command("recompute")
@click.argument("cases", metavar="[CASE]...", nargs=-1)
@_IN
def recompute_command(cases: tuple[str, ...], folder: Path) -> None:
    """Recompute cases and write what differs.

    CASE is an id, such as loss/far-out; all cases are recomputed if none is named.
    """
    _require_extra()
    from rkde.vectors import recompute

    _files(folder)
    with _refusals():
        changed = recompute(folder, cases)
    for identity in changed:
        click.echo(identity)
    click.echo(f"{folder}: cases changed: {len(changed)}")


def _require_extra() -> None:
    """Import what the extra brings, so that its absence is told before any work."""
    import_module("jsonschema")
    import_module("flint")


@contextmanager
def _refusals() -> Iterator[None]:
    """Tell what cannot be done with vector files as a failure of the command."""
    try:
        yield
    except VectorsError as failure:
        raise UnusableError(str(failure)) from failure


@vectors.command("lint")
@_FOLDER
def lint_command(folder: Path | None) -> None:
    """Check the form of every file.

    Form means schema, digest, ids, flags, fields and layout. By default, FOLDER is the shipped one.
    """
    import_module("jsonschema")
    _report(folder, lint)


@vectors.command("fmt")
@_FOLDER
@click.option("--check", is_flag=True, help="Write nothing; fail if a file is laid out differently.")
def format_command(folder: Path | None, *, check: bool) -> None:
    """Lay files out with one line for each case.

    A changed case is then a changed line. By default, FOLDER is the shipped one.
    """
    target = folder or shipped_vectors()
    for path in _files(target):
        try:
            text = formatted(path)
        except VectorsError as error:
            raise UnusableError(str(error)) from error
        if text == path.read_text(encoding="utf-8"):
            continue
        if check:
            click.echo(f"{path}: would be laid out differently")
            sys.exit(EXIT_CHECK_FAILED)
        write_atomically(path, text.encode("ascii"))
        click.echo(path)


@vectors.command("verify")
@_FOLDER
def verify_command(folder: Path | None) -> None:
    """Recompute cases and compare all digits.

    By default, FOLDER is the shipped one. Nothing is written.
    """
    from rkde.vectors import differences

    _report(folder, differences)


def _report(folder: Path | None, check: Callable[[Path], list[str]]) -> None:
    target = folder or shipped_vectors()
    _files(target)
    problems = check(target)
    for problem in problems:
        click.echo(problem)
    if problems:
        sys.exit(EXIT_CHECK_FAILED)
    click.echo(f"{target}: in order")


def _files(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.json"))
    if not found:
        raise UnusableError(
            f"{folder}: the folder contains no vector file; choose another, or run rkde vectors export FOLDER"
        )
    return found
