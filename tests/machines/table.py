"""The tables: what each environment showed, and the worst error of each operation in any of them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.machines.store import Record, is_green

BEGIN: Final = "<!-- What follows is written by `python -m tests.machines --write`. -->"
END: Final = "<!-- What precedes was written by `python -m tests.machines --write`. -->"
ENVIRONMENTS: Final = (
    "environment", "Python", "numpy", "scipy", "BLAS kernel", "threads", "`rkde verify`", "passed", "failed",
    "skipped", "nearest to its bound",
)  # fmt: skip
OPERATIONS: Final = (
    "operation", "cases", "largest difference", "its bound", "where", "nearest to its bound",
)  # fmt: skip
CASE: Final = re.compile(r"(?P<share>\d+(\.\d)?) % \((?P<case>[\w/.-]+)\)")


def environment_rows(records: Iterable[Record]) -> list[list[str]]:
    """Return the cells of each environment that ran."""
    return [_environment(record) for record in records if record["skipped"] is None]


def _environment(record: Record) -> list[str]:
    machine, tests = record["machine"], record["tests"]
    libraries = machine.get("libraries", {})
    pools = machine.get("pools", [])
    counts = ["", "", ""] if tests is None else [str(tests[name]) for name in ("passed", "failed", "skipped")]
    return [
        record["row"],
        machine.get("python", ""),
        libraries.get("numpy", ""),
        libraries.get("scipy", ""),
        " ".join(sorted({pool["kernel"] for pool in pools if pool["kernel"]})),
        " ".join(sorted({str(pool["threads"]) for pool in pools})),
        _verdict(record),
        *counts,
        _nearest(record),
    ]


def _verdict(record: Record) -> str:
    if record["problem"]:
        return "not installed"
    verified = record["verify"]
    if verified is None:
        return "names what is missing" if is_green(record) else ""
    if verified["passed"]:
        return f"{verified['cases']} cases, {verified['claims']} claims"
    return f"{len(verified['failed'])} FAILED" if verified["failed"] else "FAILED"


def _nearest(record: Record) -> str:
    operations = (record["verify"] or {}).get("operations", {})
    found = [one["nearest"] for one in operations.values()]
    return _share(max(found, key=_ratio)) if found else ""


def _ratio(one: dict[str, float]) -> float:
    return one["error"] / one["bound"]


def _share(one: dict[str, float]) -> str:
    if not one["error"]:
        return "exact"
    return f"{100 * _ratio(one):.1f} % ({one['case']})"


def operation_rows(records: Iterable[Record]) -> list[list[str]]:
    """Return the cells of each operation: its worst errors in any environment, beside the bounds."""
    found: dict[str, list[tuple[str, Record]]] = {}
    for record in records:
        for name, one in (record["verify"] or {}).get("operations", {}).items():
            found.setdefault(name, []).append((record["row"], one))
    lines = []
    for name, entries in sorted(found.items()):
        row, one = max(entries, key=lambda entry: entry[1]["largest"]["error"])
        largest = one["largest"]
        nearest = max((entry["nearest"] for _, entry in entries), key=_ratio)
        same = len(entries) > 1 and len({entry["largest"]["error"] for _, entry in entries}) == 1
        where = f"{largest['case']}, {'everywhere' if same else row}" if largest["error"] else ""
        lines.append([
            name, str(one["cases"]), f"{largest['error']:.1e}" if largest["error"] else "0",
            f"{largest['bound']:.1e}", where, _share(nearest),
        ])  # fmt: skip
    return lines


def left_out(records: Iterable[Record]) -> list[str]:
    """Return a line for each row that says nothing on this machine."""
    return [f"{record['row']}: {record['skipped']}" for record in records if record["skipped"] is not None]


def show(records: Sequence[Record], console: Console) -> None:
    """Print both tables, what was left out, and every failure."""
    tables = (
        ("Environments", ENVIRONMENTS, environment_rows(records)),
        ("Largest differences to the reference", OPERATIONS, operation_rows(records)),
    )
    for title, heads, lines in tables:
        table = Table(*(head.strip("`") for head in heads), title=title, title_justify="left")
        for cells in lines:
            table.add_row(*cells)
        console.print(table)
    for line in left_out(records):
        console.print(f"not run: {line}", markup=False)
    for record in records:
        for line in _failures(record):
            console.print(f"FAILED {record['row']}: {line}", markup=False, soft_wrap=True)


def _failures(record: Record) -> list[str]:
    verified, tests = record["verify"] or {}, record["tests"] or {}
    lines = [f"rkde verify: {name}" for name in verified.get("failed", ())]
    lines += [f"{one['test']}: {one['message']}" for one in tests.get("failures", ())]
    return lines + [part["problem"] for part in (record, verified, tests) if part.get("problem")]


def markdown(records: Sequence[Record]) -> str:
    """Return the generated part of the page, between its markers."""
    ran = [record for record in records if record["skipped"] is None]
    parts = [BEGIN, "", _sentence(ran), "", *_grid(ENVIRONMENTS, environment_rows(ran)), ""]
    if skipped := left_out(records):
        parts += ["Not run, since they would show nothing on this machine:", ""]
        parts += [*(f"- {line}" for line in skipped), ""]
    parts += [*_grid(OPERATIONS, operation_rows(ran)), "", END]
    return "\n".join(parts)


def _sentence(ran: Sequence[Record]) -> str:
    if not ran:
        return "No environment has been run yet."
    machines = [one["machine"] for one in ran if one["machine"]]
    processors = sorted({f"{one['processor']}, {one['system']}" for one in machines})
    revisions = sorted({record["revision"] for record in ran})
    dates = sorted({record["date"] for record in ran})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return f"Measured on {'; '.join(processors)}; {when}; revision {' and '.join(revisions)}."


def _grid(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *lines)]


def replaced(page: str, part: str) -> str:
    """Return a page with another generated part."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError("the page must hold each of the two markers once, in their order")
    return page[: page.index(BEGIN)] + part + page[page.index(END) + len(END) :]


def generated(path: Path) -> str:
    """Return the generated part of a page, its markers included."""
    page = path.read_text("utf-8")
    replaced(page, "")
    return page[page.index(BEGIN) : page.index(END) + len(END)]
