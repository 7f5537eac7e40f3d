"""The page of all inputs and outcomes: ``python -m tests.inputs.page`` writes it."""

from collections import Counter
from pathlib import Path
from typing import Final

from tests.cli.broken_tables import BROKEN_TABLES
from tests.errors.test_conversions import CONVERTED
from tests.errors.test_parameters import BAD_POSITIVE, REFUSALS, TAKERS
from tests.errors.test_tables import BAD_QUERIES, BAD_TABLES, BAD_WEIGHTS
from tests.inputs.doors import DOORS, Case, read_cases
from tests.symmetry.test_inputs import FORMS

PAGE: Final = Path(__file__).resolve().parents[1] / "INPUTS.md"
# Tables of inputs elsewhere in the tests: where, and how many.
ELSEWHERE: Final[dict[str, int]] = {
    "tables that every command refuses (`tests/cli/broken_tables.py`)": len(BROKEN_TABLES),
    "tables, queries and weights (`tests/errors/test_tables.py`)": sum(
        map(len, (BAD_TABLES, BAD_QUERIES, BAD_WEIGHTS))
    ),
    "numbers that must be positive, and other parameters (`tests/errors/test_parameters.py`)": len(TAKERS)
    * len(BAD_POSITIVE)
    + len(REFUSALS),
    "tables of times, flags and complex numbers (`tests/errors/test_conversions.py`)": len(CONVERTED),
    "forms of the same numbers (`tests/symmetry/test_inputs.py`)": len(FORMS),
}
_SHOWN: Final = 110


def page() -> str:
    """Return the page."""
    cases = read_cases()
    counts = Counter(case.door for case in cases)
    taken = Counter(case.door for case in cases if not case.error)
    lines = [
        "# Bad and extreme inputs, and what becomes of them",
        "",
        "Made by `python -m tests.inputs.page` from `tests/inputs/cases.toml`, of which",
        "`tests/inputs/test_cases.py` checks each row.",
        "",
        "| door | inputs | refused | taken |",
        "|---|---:|---:|---:|",
        *(f"| {door} | {counts[door]} | {counts[door] - taken[door]} | {taken[door]} |" for door in DOORS),
        f"| **together** | **{len(cases)}** | **{len(cases) - taken.total()}** | **{taken.total()}** |",
        "",
        f"{sum(ELSEWHERE.values())} more stand in tables of other tests:",
        "",
        *(f"- {count} {what}" for what, count in ELSEWHERE.items()),
        "",
    ]
    for door in DOORS:
        lines += [f"## {door.capitalize()}", "", "| input | outcome |", "|---|---|"]
        lines += [f"| {_code(case.input)} | {_outcome(case)} |" for case in cases if case.door == door]
        lines.append("")
    return "\n".join(lines)


def _outcome(case: Case) -> str:
    if not case.error:
        return f"taken: {_code(case.gives)}"
    kind = f"exit code {case.error}" if case.door == "command line" else case.error
    return f"{kind}: {_code(case.says)}"


def _code(text: str) -> str:
    """Return text as code in a cell of a table."""
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
    printable = "".join(one if one.isprintable() else repr(one)[1:-1] for one in shown)
    return "`" + printable.replace("`", "'").replace("|", "\\|") + "`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
