"""``python -m rkde.proofs_checks.formal``: check every formal proof, and print theorem, file and axioms."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from rkde.errors import RkdeError
from rkde.proofs_checks.formal import coq, record, sources
from rkde.proofs_checks.formal.definitions import definitions_of

_PIPE_WIDTH: Final = 160
_REMEDY: Final = (
    "install Coq 8.16 with Mathematical Components, Coquelicot and Flocq: on Debian 12, "
    "apt-get install coq libcoq-mathcomp-algebra libcoq-coquelicot libcoq-flocq"
)


def check(folder: Path, store: Path) -> tuple[record.Record, list[str]]:
    """Check a folder's proofs, compiled into `store`; return what was found and what is wrong."""
    listed = sources.theorems(folder)
    problems = sources.audit(folder, listed)
    if problems:
        raise RkdeError("the formal proofs are not in order: " + "; ".join(problems))
    coq.compile_files(folder, store)
    axioms = coq.axioms_of(listed, store)
    statements = coq.statements_of(folder, listed, store)
    coq.check_again(folder, store)
    found = record.made(coq.version(), folder, listed, axioms, statements)
    return replace(found, definitions=definitions_of(folder, listed, store)), coq.forbidden(axioms)


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit status."""
    options = _options(arguments)
    reason = coq.unusable()
    if reason and options.skip:
        sys.stdout.write(f"skipped: {reason}\n")
        return 0
    if reason:
        raise RkdeError(f"the formal proofs cannot be checked here: {reason}", remedy=_REMEDY)
    with tempfile.TemporaryDirectory() as scratch:
        found, problems = check(sources.FOLDER, options.store or Path(scratch))
    if options.write and not problems:
        record.write(found, sources.FOLDER)
    problems += record.differences(record.shipped(), found)
    _report(found, problems)
    return int(bool(problems) or not found.theorems)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m rkde.proofs_checks.formal", description=__doc__)
    parser.add_argument(
        "--store", type=Path, help="keep what is compiled here; only changes are compiled again"
    )
    parser.add_argument("--write", action="store_true", help="record what was found (in a checkout)")
    parser.add_argument(
        "--skip", action="store_true", help="where Coq 8.16 is missing, say so and end without an error"
    )
    return parser.parse_args(arguments)


def _report(found: record.Record, problems: Sequence[str]) -> None:
    """Print the table of theorems, what each axiom says, and what is wrong."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    table = Table("claim", "theorem", "file", "axioms")
    for each in found.theorems:
        table.add_row(each.claim, each.name, each.file, "\n".join(each.axioms) or "none")
    console.print(table)
    for axiom in sorted({axiom for each in found.theorems for axiom in each.axioms}):
        console.print(f"{axiom}: {coq.ALLOWED_AXIOMS.get(axiom, 'not allowed')}", markup=False)
    claims = len({each.claim for each in found.theorems})
    console.print(
        f"Coq {found.coq}: {len(found.theorems)} theorems for {claims} claims, {len(problems)} problems",
        *problems,
        sep="\n",
        markup=False,
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RkdeError as error:
        sys.exit(f"error: {error}")
