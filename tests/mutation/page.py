"""The page `tests/MUTATION.md`: the score by room, and each mutant that lives or lived, with its class."""

import collections
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

TABLE: Final = Path(__file__).with_name("equivalent.toml")
HEAD: Final = """# Mutants

Written by `python -m tests.mutation --report --write`; do not edit. A mutant is the program with one
operator, number or condition replaced: `tests/mutation/mutants.py` says by what. Each is run against the
tests of the default run that run the changed line, the quickest first, then against others that run its file
or start processes, as far as a budget goes. A mutant that no test ends is a wrong answer that nobody would
notice, or equivalent: whatever is said about the results still holds.
"""
Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Equivalent:
    """An equivalent mutant by its text, and why."""

    file: str
    function: str
    before: str
    after: str
    reason: str


def equivalents(table: Path = TABLE) -> list[Equivalent]:
    """Return the table of equivalent mutants."""
    return [Equivalent(**entry) for entry in tomllib.loads(table.read_text("utf-8")).get("mutant", [])]


def reason_of(result: Result, known: Iterable[Equivalent]) -> str:
    """Return why a mutant is equivalent, or nothing where it is not in the table."""
    for one in known:
        if all(result[part] == getattr(one, part) for part in ("file", "function", "before", "after")):
            return one.reason
    return ""


def alive(results: Iterable[Result], known: Sequence[Equivalent]) -> list[Result]:
    """Return the mutants that no test notices and that are not in the table."""
    return [one for one in results if one["outcome"] == "survived" and not reason_of(one, known)]


def page(results: Sequence[Result], total: int, seed: int, known: Sequence[Equivalent]) -> str:
    """Return the page."""
    rooms = collections.defaultdict(list)
    for one in results:
        rooms[one["room"]].append(one)
    rows = [_row(room, rooms[room], known) for room in sorted(rooms)]
    living = alive(results, known)
    equivalent = [one for one in results if one["outcome"] == "survived" and reason_of(one, known)]
    since = [one for one in results if one["outcome"] != "survived" and one["survived_before"]]
    return "\n".join(
        [
            HEAD,
            f"Of {total} replacements {len(results)} were judged, from the beginning of the random order",
            f"of seed {seed}; {len(living) + len(equivalent) + len(since)} lived at first.",
            "",
            "| room | mutants | a test fails | stopped: no end in sight | equivalent | alive |",
            "|---|---:|---:|---:|---:|---:|",
            *rows,
            _row("all", results, known),
            "",
            "## Alive",
            "",
            *_listing(living, lambda _: "no test notices it"),
            "## Noticed since",
            "",
            *_listing(since, lambda one: f"`{one['test'] or 'the tests as a whole'}` fails"),
            "## Equivalent",
            "",
            *_listing(equivalent, lambda one: reason_of(one, known)),
        ]
    )


def _row(name: str, results: Sequence[Result], known: Sequence[Equivalent]) -> str:
    """Return a row of the table of rooms."""
    counts = collections.Counter(one["outcome"] for one in results)
    living = len(alive(results, known))
    numbers = (len(results), counts["failed"], counts["stopped"], counts["survived"] - living, living)
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def _listing(results: Sequence[Result], says: Any) -> list[str]:
    """Return mutants with their changed lines and a sentence on each."""
    if not results:
        return ["None.", ""]
    lines: list[str] = []
    for one in sorted(results, key=lambda one: (one["file"], one["function"], one["before"], one["after"])):
        function = f", `{one['function']}`" if one["function"] else ""
        lines += [f"`{one['file']}`{function}: {says(one)}", "", "```diff"]
        lines += [f"-{line}" for line in one["before"].splitlines()]
        lines += [f"+{line}" for line in one["after"].splitlines()]
        lines += ["```", ""]
    return lines
