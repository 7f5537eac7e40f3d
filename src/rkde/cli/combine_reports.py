"""What runs of `rkde verify --json` found: the part that is published."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from rkde.cli.failures import UnusableError

FORMAT: Final = "rkde-verify"
VERSION: Final = 1
# What a program says of itself, in this order.
ABOUT: Final = ("version", "language", "homepage", "licence", "precision")
_KEPT: Final = ("format", "version", "rkde", "implementation", "error", "levels")
_KEPT_OF_A_CASE: Final = ("id", "op", "outcome", "message")
# The request and the expected numbers stand in the vectors too.
_NUMBERS: Final = ("request", "expected", "given")
_NO_SLUG: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Published:
    """What one run found, as far as a page shows it.

    `slug` is the name of its page, unlike that of any other; `about` what the program says of itself;
    `problem` why the run did not take place, or empty. `levels` count passed, failed, absent and not run
    cases; `operations` are those of which a case was judged or not run, `failed` such cases.
    """

    name: str
    slug: str
    about: dict[str, str]
    problem: str
    levels: dict[str, dict[str, int]]
    operations: list[dict[str, Any]] = field(default_factory=list)
    diagnoses: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)


def read_reports(paths: tuple[Path, ...]) -> list[Published]:
    """Read reports, in the order of the names of the programs."""
    taken: set[str] = set()
    return [_published(report, taken) for report in sorted(map(_read, paths), key=_name)]


def shortened(report: dict[str, Any], *, with_numbers: bool = False) -> dict[str, Any]:
    """Leave out of a report what tells of the machine that it ran on, and what no page needs.

    Result: A report that `read_reports` reads.
    """
    kept = (*_KEPT_OF_A_CASE, *(_NUMBERS if with_numbers else ()))
    about = {name: text for name, text in (report.get("adapter") or {}).items() if name != "command"}
    return {
        **{name: report.get(name) for name in _KEPT},
        "adapter": about or None,
        "operations": [row for row in report["operations"] if row["cases"] > row["unsupported"]],
        "diagnoses": report["diagnoses"],
        "cases": [
            {name: case.get(name) for name in kept}
            for case in report["cases"]
            if case["outcome"] in ("failed", "not run")
        ],
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UnusableError(f"{path} cannot be read ({error}); check the path") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnusableError(f"{path} must be a report; write it with rkde verify --json > {path.name}")
    if content.get("version") != VERSION:
        known = f"version {content.get('version')} of the format, not {VERSION}"
        raise UnusableError(f"{path} has {known}; write it again with rkde verify --json")
    absent = [name for name in ("operations", "cases", "diagnoses", "levels") if name not in content]
    if absent:
        raise UnusableError(f"{path} lacks {', '.join(absent)}; write it again with rkde verify --json")
    counts = [count for row in content["operations"] for count in row.get("levels", {}).values()]
    if not all(isinstance(number, int) for count in counts for number in count.values()):
        raise UnusableError(
            f"{path} must have whole numbers as counts; write it again with rkde verify --json"
        )
    return cast(dict[str, Any], content)


def _name(content: dict[str, Any]) -> str:
    adapter = content.get("adapter") or {}
    return str(adapter.get("name") or content.get("implementation") or adapter.get("command") or "unnamed")


def _published(content: dict[str, Any], taken: set[str]) -> Published:
    name, adapter = _name(content), content.get("adapter") or {}
    short = shortened(content, with_numbers=True)
    return Published(
        name=name,
        slug=_free_slug(name, taken),
        about={key: str(adapter[key]) for key in ABOUT if adapter.get(key)},
        problem=str(content.get("error") or ""),
        levels=content["levels"] or {},
        operations=short["operations"],
        diagnoses=short["diagnoses"],
        failed=short["cases"],
    )


def _free_slug(name: str, taken: set[str]) -> str:
    """Make the name of a page of letters, digits and hyphens; two programs of one name have two pages."""
    plain = _NO_SLUG.sub("-", name.lower()).strip("-") or "unnamed"
    slug, count = plain, 1
    while slug in taken | {"index"}:
        count += 1
        slug = f"{plain}-{count}"
    taken.add(slug)
    return slug
