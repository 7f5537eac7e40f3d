"""`rkde vectors`: export, check, format and recompute the golden vectors."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Final

import click

from rkde.adapter import ERROR_KINDS, OPERATIONS
from rkde.cli.failures import EXIT_BAD_INPUT, EXIT_CHECK_FAILED
from rkde.conformance import VectorsError, formatted, lint, schema_file, shipped_vectors

_EPILOG: Final = """\b
No value is ever typed: the reference computes it, encloses it where an enclosure exists, and
derives the tolerance. `add` writes into a folder of your own; the shipped vectors are written
from rkde.conformance.inventory by python -m rkde.vectors.generate.

\b
Exit codes: 0 nothing to complain about, 1 a file is not as it should be, 2 there is nothing to check
or nothing that could be added"""


_OPERATIONS: Final = tuple(name for name in OPERATIONS if name != "hello")


class NothingToCheckError(click.ClickException):
    """The folder holds no vector file, or cannot be written, or a case cannot be added to it."""

    exit_code: ClassVar[int] = EXIT_BAD_INPUT


@click.group(epilog=_EPILOG)
def vectors() -> None:
    """Work with the golden vectors: requests of the adapter protocol with their right answers."""


_FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)


@vectors.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Replace files of the same names.")
def export(folder: Path, *, force: bool) -> None:
    """Copy the shipped vector files and their schema to FOLDER, for programs in other languages."""
    source = shipped_vectors()
    # The schema is no vector file: it stands beside those that `rkde verify --vectors` reads.
    chosen = {folder / path.name: path for path in sorted(source.glob("*.json"))}
    chosen[folder / "schema" / "vectors.schema.json"] = schema_file()
    taken = [str(target) for target in chosen if target.exists()]
    if taken and not force:
        raise NothingToCheckError(f"already there: {taken[0]}; --force replaces it")
    (folder / "schema").mkdir(parents=True, exist_ok=True)
    for target, path in chosen.items():
        shutil.copyfile(path, target)
    click.echo(f"{len(chosen) - 1} vector files in {folder}, their schema in {folder / 'schema'}")


@vectors.command()
@click.argument("operation", type=click.Choice(list(_OPERATIONS)))
@click.option(
    "--request",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="A JSON file with the fields of the request, as the adapter protocol has them.",
)
@click.option("--id", "name", required=True, help="Lower-case letters, digits, hyphens; new in the folder.")
@click.option("--comment", required=True, help="What the case is about.")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder of vector files; is made if it is missing.",
)
@click.option(
    "--flag", "flags", multiple=True, help="What kind of case it is; may be repeated.  [default: EDGE]"
)
@click.option("--error", type=click.Choice(ERROR_KINDS), help="The kind of error that must be answered.")
def add(
    operation: str,
    request: Path,
    name: str,
    comment: str,
    folder: Path,
    flags: tuple[str, ...],
    error: str | None,
) -> None:
    """Compute the right answer to a request and add the case to a folder."""
    import_module("jsonschema")
    import_module("flint")
    from rkde.vectors import NewCase, add_case, read_request
    from rkde.vectors.inventory import FLAGS, Entry

    unknown = [flag for flag in flags if flag not in FLAGS]
    if unknown:
        raise click.UsageError(f"--flag {unknown[0]} is not one of {', '.join(FLAGS)}.")
    chosen = flags or (("MUST_FAIL",) if error else ("EDGE",))
    try:
        entry = Entry(name, comment, chosen, read_request(request, operation), error or "")
        click.echo(f"{operation}/{name} in {add_case(folder, NewCase(operation, entry))}")
    except VectorsError as failure:
        raise NothingToCheckError(str(failure)) from failure


@vectors.command("lint")
@_FOLDER
def lint_command(folder: Path | None) -> None:
    """Check schema, digests, ids, flags and decimals of every file in FOLDER (default: the shipped ones)."""
    import_module("jsonschema")
    _report(folder, lint)


@vectors.command("fmt")
@_FOLDER
@click.option("--check", is_flag=True, help="Write nothing; fail if a file is laid out differently.")
def format_command(folder: Path | None, *, check: bool) -> None:
    """Lay the files out with one line a case, so that a change of a case is a change of a line."""
    target = folder or shipped_vectors()
    for path in _files(target):
        try:
            text = formatted(path)
        except VectorsError as error:
            raise NothingToCheckError(str(error)) from error
        if text == path.read_text(encoding="utf-8"):
            continue
        if check:
            click.echo(f"{path}: would be laid out differently")
            sys.exit(EXIT_CHECK_FAILED)
        path.write_text(text, encoding="ascii", newline="\n")
        click.echo(path)


@vectors.command("verify")
@_FOLDER
def verify_command(folder: Path | None) -> None:
    """Recompute every case of FOLDER (default: the shipped ones) and compare all digits."""
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
        raise NothingToCheckError(f"{folder}: holds no vector file")
    return found
