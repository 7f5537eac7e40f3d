"""The pages of `rkde report combine`: plain HTML without scripts, complete in each file."""

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from rkde.cli.combine_reports import Published
from rkde.conformance import Level
from rkde.files import write_atomically

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top; }
thead th { background: #eee; } td small { color: #444; white-space: nowrap; }
.right { background: #d5f0d5; } .part { background: #fdf3c7; } .wrong { background: #f8d3d0; }
.absent { color: #767676; } pre { overflow-x: auto; background: #f4f4f4; padding: .5rem; }
code { overflow-wrap: anywhere; } .said { min-width: 18rem; }
"""
# What the levels ask, for readers who have not read the documentation.
MEANINGS: Final = {
    Level.CORE: "the main numbers of each answer, on ordinary data",
    Level.EDGES: "the same on other data: ties, underflow, huge scales, no rows and the like",
    Level.EXTENDED: "the other fields of an answer, and further kinds of error",
    Level.ERRORS: "bad input is refused with the right kind of error",
    Level.CERTIFICATES: "what is claimed to be proved about a limit",
}
# Fields of a level in a report, and what their column is called.
_COUNTS: Final = {
    "passed": "passed",
    "failed": "failed",
    "absent": "not given",
    "not_run": "not run",
    "total": "all cases",
}
# Cases that a diagnosis names, and numbers that a failed case shows of a long list.
_SHOWN_CASES: Final = 4
_SHOWN_CHARACTERS: Final = 2000
_LEGEND: Final = (
    "A cell shows how many judged cases of the core and of the edges passed, and the fewest "
    "digits of an ordinary case. Green: everything passed that was judged. Yellow: the core passed, and "
    "something else failed. Red: a case of the core failed. Empty: the program does not offer the operation."
)


def write_pages(found: Sequence[Published], folder: Path) -> None:
    """Write one page that compares the programs, and one for each of them."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "index.html", _overview(found).encode())
    for one in found:
        write_atomically(folder / f"{one.slug}.html", _details(one).encode())


def operations_of(found: Iterable[Published]) -> list[str]:
    """Return the operations that any of the programs offers, in alphabetical order."""
    return sorted({row["op"] for one in found for row in one.operations})


def share(row: dict[str, Any], level: Level, *, of_all: bool = False) -> str:
    """Spell how many cases passed of those that were judged or not run; empty where there are none."""
    count = row["levels"][str(level)]
    judged = count["passed"] + count["failed"] + count["not_run"]
    rest = f" of {count['total']}" if of_all and count["total"] > judged else ""
    return f"{count['passed']}/{judged}{rest}" if judged else ""


def spelt_digits(digits: float | str | None) -> str:
    """Spell the digits of a report with one decimal place."""
    if digits is None:
        return ""
    number = float(digits)
    return ("exact" if number > 0 else "none") if abs(number) == float("inf") else f"{max(0.0, number):.1f}"


def verdict(levels: dict[str, dict[str, int]]) -> str:
    """Return `right`, `part` or `wrong`: how a cell is coloured; `absent` where nothing was judged."""
    bad = {name for name, count in levels.items() if count["failed"] or count["not_run"]}
    if not any(count["passed"] for count in levels.values()) and not bad:
        return "absent"
    return "wrong" if str(Level.CORE) in bad else "part" if bad else "right"


def _overview(found: Sequence[Published]) -> str:
    operations = operations_of(found)
    head = "".join(f"<th>{escape(name)}</th>" for name in ["program", "first diagnosis", *operations])
    rows = "\n".join(_overview_row(one, operations) for one in found)
    return _page(
        "Programs checked with the golden vectors of rkde",
        f"<p>{escape(_LEGEND)}</p>\n<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>",
    )


def _overview_row(one: Published, operations: Sequence[str]) -> str:
    rows = {row["op"]: row for row in one.operations}
    cells = "".join(_cell(rows.get(op)) for op in operations)
    first = one.problem or (one.diagnoses[0]["sentence"] if one.diagnoses else "")
    version = escape(one.about.get("version", ""))
    name = f'<th><a href="{one.slug}.html">{escape(one.name)}</a> <small>{version}</small></th>'
    return f'<tr>{name}<td class="said">{escape(str(first))}</td>{cells}</tr>'


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "<td></td>"
    core, edges = share(row, Level.CORE), share(row, Level.EDGES)
    lines = [core and f"core {core}", edges and f"edges {edges}"]
    digits = spelt_digits(row["ordinary_digits"]).replace("none", "no")
    lines.append(digits and f"{digits} digits")
    text = "<br>".join(f"<small>{escape(str(line))}</small>" for line in lines if line)
    return f'<td class="{verdict(row["levels"])}">{text}</td>'


def _details(one: Published) -> str:
    parts = ['<p><a href="index.html">All programs</a></p>', _about(one)]
    if one.problem:
        parts.append(f"<p>The run did not take place: {escape(one.problem)}</p>")
    else:
        parts += [_levels(one), _operations(one), _diagnoses(one), _failures(one)]
    return _page(one.name, "\n".join(parts))


def _about(one: Published) -> str:
    rows = "".join(
        f"<tr><th>{escape(key)}</th><td>{_text(text)}</td></tr>" for key, text in one.about.items()
    )
    return f"<table>{rows}</table>" if rows else ""


def _text(text: str) -> str:
    """Escape a text; an address becomes a link."""
    safe = escape(text)
    return f'<a href="{safe}">{safe}</a>' if text.startswith(("https://", "http://")) else safe


def _levels(one: Published) -> str:
    rows = []
    for level in Level:
        count = one.levels.get(str(level))
        if count:
            cells = [level, MEANINGS[level], *(str(count[name]) for name in _COUNTS)]
            rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    return _table("By level", ["level", "what is asked", *_COUNTS.values()], rows)


def _operations(one: Published) -> str:
    rows = []
    for row in one.operations:
        cells = [row["op"], *(share(row, level, of_all=True) for level in Level)]
        digits = [spelt_digits(row["ordinary_digits"]), spelt_digits(row["edge_digits"])]
        texts = [*cells, *digits, row.get("sentence", "")]
        rows.append("".join(f"<td>{escape(str(text))}</td>" for text in texts))
    head = ["operation", *Level, "digits, ordinary", "digits, edges", "in words"]
    return _table("By operation: passed/judged of all cases", head, rows)


def _diagnoses(one: Published) -> str:
    if not one.diagnoses:
        return ""
    items = "".join(f"<li>{_diagnosis(diagnosis)}</li>" for diagnosis in one.diagnoses)
    return f"<h2>What the failures look like</h2>\n<ul>{items}</ul>"


def _diagnosis(diagnosis: dict[str, Any]) -> str:
    see = diagnosis.get("see")
    where = see if isinstance(see, str) else "; ".join(see or [])
    cases = ", ".join(f"<code>{escape(case)}</code>" for case in diagnosis["cases"][:_SHOWN_CASES])
    text = f"{escape(diagnosis['sentence'])} (seen in {cases})"
    return f"{text}. See {escape(where)}." if where else text


def _failures(one: Published) -> str:
    if not one.failed:
        return "<p>No case failed.</p>"
    return f"<h2>Failed cases: {len(one.failed)}</h2>\n" + "\n".join(map(_failure, one.failed))


def _failure(case: dict[str, Any]) -> str:
    head = f"<code>{escape(case['id'])}</code> {escape(case['message'])}"
    shown = "".join(_shown(name, case[name]) for name in ("request", "expected", "given") if case.get(name))
    return f"<details><summary>{head}</summary>{shown}</details>" if shown else f"<p>{head}</p>"


def _shown(name: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    short = text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + " ..."
    return f"<p>{name}</p><pre>{escape(short)}</pre>"


def _table(title: str, head: Sequence[str], rows: Sequence[str]) -> str:
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<h2>{title}</h2>\n<table><thead><tr>{names}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def _page(title: str, body: str) -> str:
    return "\n".join(_lines(title, body))


def _lines(title: str, body: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
    yield f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
