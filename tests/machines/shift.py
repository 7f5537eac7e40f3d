"""Run rows one after the other; each leaves a record, so that an interrupted run goes on where it was."""

import datetime as dt
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from rkde.conformance import load_vectors
from tests.machines import running
from tests.machines.rows import Row
from tests.machines.settings import SkipError, probe, variables_of
from tests.machines.store import Record, Store, is_green
from tests.machines.workshop import NoEnvironmentError, Workshop, clean_variables

# The folder of pickles, for `test_pickles`.
PICKLES: Final = "RKDE_PICKLES"


@dataclass(frozen=True, slots=True)
class Shift:
    """What all rows of a run share."""

    store: Store
    workshop: Workshop
    selection: Sequence[str]  # what pytest is asked to run; empty for everything
    limit: float  # seconds that a program may take
    own_kernel: bool  # whether a kernel that the environment has chosen already is overridden
    again: bool  # whether rows are run again that the store has
    console: Console

    def run(self, rows: Sequence[Row]) -> None:
        """Run what the store lacks, and say what happens."""
        for number, row in enumerate(rows, start=1):
            self._tell(f"[{number}/{len(rows)}] {row.name}")
            if not self.again and self._is_there(row):
                self._tell("  is in the store")
                continue
            record = self.record(row)
            self.store.write(record)
            self._tell(f"  {said(record)}")

    def _tell(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    def _is_there(self, row: Row) -> bool:
        record = self.store.read(row.name)
        if record is None or record["tree"] != self.workshop.tree.digest or record["problem"]:
            return False
        # A setting that could not be had before may be had now, and trying is cheap.
        return record["skipped"] is None and record["tests"]["selection"] == list(self.selection)

    def record(self, row: Row) -> Record:
        """Run one row; whatever goes wrong becomes a part of its record."""
        begin = time.monotonic()
        tree = self.workshop.tree
        date = dt.datetime.now(dt.UTC).date().isoformat()
        record: Record = {"row": row.name, "revision": tree.revision, "tree": tree.digest, "date": date}
        record |= {
            "variables": {},
            "machine": {},
            "verify": None,
            "tests": None,
            "skipped": None,
            "problem": "",
        }
        try:
            python = self.workshop.python(row.versions)
            variables = variables_of(row.settings, python, own_kernel=self.own_kernel)
            record |= {"variables": variables, "machine": probe(python, variables)["machine"]}
            record |= self._checks(row, python, {**clean_variables(), **variables})
        except SkipError as reason:
            record["skipped"] = str(reason)
        except NoEnvironmentError as reason:
            record["problem"] = str(reason)
        return {**record, "seconds": round(time.monotonic() - begin)}

    def _checks(self, row: Row, python: Path, variables: Mapping[str, str]) -> dict[str, Any]:
        tree = self.workshop.tree.copy(self.workshop.folder / "tree")
        away = self.workshop.folder / "elsewhere"
        away.mkdir(exist_ok=True)
        if not row.versions.extras:
            return {"tests": running.run_bare(python, away, variables, self.limit)}
        cases = load_vectors(tree / "reference" / "vectors" / "v1")
        verified = running.run_verify(python, away, variables, self.limit, cases)
        self._tell(f"  rkde verify {'passed' if verified['passed'] else 'FAILED'}")
        # What rows of the same tree pickle is read by those after them.
        pickles = self.workshop.folder / f"pickles-{self.workshop.tree.digest}"
        variables = {**variables, PICKLES: str(pickles)}
        tests = running.run_tests(python, tree, variables, self.limit, self.selection)
        return {"verify": verified, "tests": tests}


def said(record: Record) -> str:
    """Return a line about how a row ended."""
    if record["skipped"] is not None:
        return f"skipped: {record['skipped']}"
    if record["problem"]:
        return f"not installed: {record['problem']}"
    tests = record["tests"]
    counts = ", ".join(f"{tests[name]} {name}" for name in ("passed", "failed", "skipped"))
    verdict = "everything passed" if is_green(record) else "FAILED"
    return f"{verdict}: {counts} ({record['seconds']} s)"
