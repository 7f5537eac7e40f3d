"""Run `rkde verify` and the tests in many environments, and print one line about each.

A row that was run already is not run again before a file other than a page of text has changed. Exit code: 0
if everything passed that ran, 1 if something failed, 2 if nothing ran.
"""

import argparse
import platform
import signal
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from packaging.specifiers import SpecifierSet
from rich.console import Console

from tests.machines.pythons import minor_of, pythons, version_of
from tests.machines.rows import Row, kernels, rows
from tests.machines.running import LIMIT
from tests.machines.shift import Shift
from tests.machines.store import Store, default_folder, is_green
from tests.machines.table import markdown, replaced, show
from tests.machines.workshop import ROOT, Workshop, tree

PAGE = ROOT / "docs" / "reproducibility.md"
# How wide the tables are where there is no terminal to ask.
WIDTH = 180


def parser() -> argparse.ArgumentParser:
    """Return the options."""
    options = argparse.ArgumentParser(prog="python -m tests.machines", description=__doc__)
    add = options.add_argument
    for name, says in (
        ("short", "only the rows for a check of every change: a quarter of an hour"),
        ("list", "name the rows and end"),
        ("report", "run nothing; show what the store has, of this tree or an older one"),
        ("write", f"write the tables into {PAGE.name}"),
        ("again", "run rows again that are in the store"),
        ("override-coretype", "override an OPENBLAS_CORETYPE that is set already"),
    ):
        add(f"--{name}", action="store_true", help=says)
    store, kept = default_folder("machines"), "where environments and results are kept [%(default)s]"
    add("--only", action="append", default=[], metavar="ROW", help="only this row; may be repeated")
    add("--store", type=Path, default=store, help=kept)
    add("--python", type=Path, action="append", default=[], metavar="PATH", help="a further Python")
    add("--limit", type=float, default=LIMIT, metavar="SECONDS", help="most time for a program [%(default)s]")
    add("tests", nargs="*", help="only these tests, for a trial: such results are not written into the page")
    return options


def chosen(known: Sequence[Row], *, only: Sequence[str], short: bool) -> list[Row]:
    """Return the rows that are asked for."""
    unknown = set(only) - {row.name for row in known}
    if unknown:
        raise SystemExit(f"unknown rows: {', '.join(sorted(unknown))}; --list shows all")
    return [row for row in known if (not only or row.name in only) and (row.short or not short)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, show, write."""
    asked = parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if useless := [str(path) for path in asked.python if version_of(path) is None]:
        raise SystemExit(f"not a CPython that answers: {', '.join(useless)}")
    found = pythons(SpecifierSet(project["requires-python"]), [path.absolute() for path in asked.python])
    version = version_of(Path(sys.executable))
    main_python = minor_of(version) if version and minor_of(version) in found else next(iter(found))
    known = rows(list(found), main_python, kernels(platform.machine()))
    wanted = chosen(known, only=asked.only, short=asked.short)
    if asked.list:
        for row in wanted:
            console.print(f"{row.name}{' (short)' if row.short else ''}")
        return 0
    store = Store(asked.store.absolute())
    if not asked.report:
        workshop = Workshop(store.folder, tree(), found)
        progress = Console(stderr=True, highlight=False)
        settings = (asked.tests, asked.limit, asked.override_coretype, asked.again)
        Shift(store, workshop, *settings, progress).run(wanted)
    records = [record for row in wanted if (record := store.read(row.name)) is not None]
    show(records, console)
    if asked.write:
        if partial := [record["row"] for record in records if (record["tests"] or {}).get("selection")]:
            raise SystemExit(f"not written: only a selection of the tests was run in {', '.join(partial)}")
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), markdown(records)), "utf-8")
    ran = [record for record in records if record["skipped"] is None]
    return 2 if not ran else int(not all(is_green(record) for record in ran))


if __name__ == "__main__":
    # As an interruption does, an end from outside unwinds the program, so that its children end too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    sys.exit(main())
