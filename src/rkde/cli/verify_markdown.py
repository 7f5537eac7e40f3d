"""What `rkde verify` found as Markdown, for a page or the summary of a job, and as a badge."""

import json
from collections.abc import Iterator
from typing import Final

from rkde.cli.verify_report import Report, verdict
from rkde.cli.verify_tables import known_lines
from rkde.conformance import (
    CaseResult,
    Level,
    LevelCount,
    OperationSummary,
    Outcome,
    count_levels,
    spell_digits,
    summarise,
)

# As many failed cases are named.
_MOST: Final = 50
_SPECIAL: Final = str.maketrans({letter: f"\\{letter}" for letter in "\\`*_[]<>|"})


def to_markdown(report: Report) -> str:
    """Return the report as Markdown: counts by operation and level, sentences, diagnoses, failed cases."""
    found = report.vectors
    failed = [result for result in found.cases if result.outcome is Outcome.FAILED]
    lines = [f"## Golden vectors, {_text(found.name)}", "", _text(verdict(report)), "", *_table(report), ""]
    lines += [f"- {_text(line)}" for line in (*report.troubled, *known_lines(found.balance))]
    if found.diagnoses:
        lines += ["", "### What the failures look like", ""]
        lines += [f"- {_text(str(diagnosis))}" for diagnosis in found.diagnoses]
    if failed:
        lines += ["", f"<details><summary>Failed cases: {len(failed)}</summary>", ""]
        lines += [_failure(result, found.known or {}) for result in failed[:_MOST]]
        lines += [f"- and {len(failed) - _MOST} more"] if len(failed) > _MOST else []
        lines += ["", "</details>"]
    return "\n".join(lines)


def badge_text(report: Report) -> str:
    """Return a badge in the JSON that shields.io reads: the judged cases of the core, and how many passed."""
    levels = report.vectors.levels or (Level.CORE,)
    counts = count_levels(report.vectors.cases)
    passed, judged = (sum(getattr(counts[level], name) for level in levels) for name in ("passed", "judged"))
    colour = "brightgreen" if report.passed else "yellow" if passed == judged else "red"
    message = f"{', '.join(levels)} {passed}/{judged}"
    badge = {"schemaVersion": 1, "label": "rkde vectors", "message": message, "color": colour}
    return json.dumps(badge) + "\n"


def _table(report: Report) -> Iterator[str]:
    """Yield the lines of a table: passed of judged cases, by operation and level."""
    heads = ["operation", *Level, "ordinary digits", "least digits"]
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (len(heads) - 1)}"
    for row in summarise(report.vectors.cases):
        yield _row(row)
    total = count_levels(report.vectors.cases)
    yield f"| all | {' | '.join(_count(total[level]) for level in Level)} | | |"


def _row(row: OperationSummary) -> str:
    counts = [_count(row.levels[level]) for level in Level]
    digits = [spell_digits(row.ordinary_digits), spell_digits(row.worst_digits)]
    return f"| {row.op} | {' | '.join([*counts, *digits])} |"


def _count(count: LevelCount) -> str:
    return f"{count.passed} of {count.judged + count.not_run}" if count.judged or count.not_run else ""


def _failure(result: CaseResult, known: dict[str, str]) -> str:
    reason = f" (known: {_text(known[result.id])})" if result.id in known else ""
    return f"- `{result.id}`: {_text(result.message)}{reason}"


def _text(text: str) -> str:
    return " ".join(text.split()).translate(_SPECIAL)
