"""How often signs are seen: in clean tables, where each is an alarm, and where one was planted."""

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

import rkde
from benchmarks.practice.clean import CLEAN, SIZES, WIDTHS, clean_table
from benchmarks.practice.planted import PLANTED, Made, Planted, Settings, followed
from benchmarks.practice.tables import KEPT_APART, SEEN
from benchmarks.practice.truths import Array
from rkde.errors import RkdeWarning
from rkde.fast import auc
from rkde.signs import WARNINGS, Sign, SignName

# Seeds of each table with a planted sign.
PLANTED_SEEDS: Final = 20
DIRTY_SIZE: Final = 300
HEAD: Final = """# Signs in clean tables, and where one was planted

How often a sign is a false alarm, which it is in a clean table, and how often one is seen where it was
planted. Fits are those of `rkde.fit` with its defaults, unless a table says otherwise.
`python -m benchmarks.practice signs` writes this page.
"""


def fitted(rows: Array, settings: Settings) -> tuple[rkde.fast.Rkde, dict[SignName, Sign]]:
    """Return a fit and its signs by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        model = rkde.fit(rows, **settings)
    return model, {sign.name: sign for sign in model.signs()}


def clean_tables(seeds: int) -> Iterator[tuple[str, int, int, Array]]:
    """Yield every clean table with its kind and shape."""
    for name in CLEAN:
        for size in SIZES:
            for width in WIDTHS:
                for seed in range(seeds):
                    yield name, size, width, clean_table(name, size, width, seed)


def write_signs(seeds: int, output: Path) -> None:
    """Count, and write the page."""
    parts = [HEAD, _alarms(seeds), _hits(), _dirty()]
    output.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [f"| {' | '.join(map(str, cells))} |" for cells in (heads, ["---"] * len(heads), *rows)]
    return "\n".join(lines)


def _alarms(seeds: int) -> str:
    """Count the signs in clean tables, by kind of table."""
    tables: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    signs: Counter[tuple[str, SignName]] = Counter()
    for name, _, _, rows in clean_tables(seeds):
        found = fitted(rows, {})[1]
        tables[name] += 1
        alarms[name] += bool(found)
        signs.update((name, sign) for sign in found)
    rows_of_table: list[list[object]] = [
        [name, tables[name], alarms[name], *(signs[name, sign] for sign in WARNINGS)] for name in CLEAN
    ]
    totals = [sum(int(str(row[i])) for row in rows_of_table) for i in range(1, 3 + len(WARNINGS))]
    rows_of_table.append(["all", *totals])
    return (
        f"## Clean tables\n\n{len(SIZES)} sizes from {SIZES[0]} to {SIZES[-1]} rows, {len(WIDTHS)} widths "
        f"from {WIDTHS[0]} to {WIDTHS[-1]} columns, {seeds} tables of each: {totals[0]} in all, with a sign "
        f"in {totals[1]} of them, {totals[1] / totals[0]:.1%}.\n\n"
        + table(["kind", "tables", "with a sign", *WARNINGS], rows_of_table)
    )


def _hits() -> str:
    """Count planted signs, before and after their remedies."""
    rows = [_hit(planted) for planted in PLANTED]
    heads = ["sign", "table", "seen", "after the remedy", "AUC", "after the remedy"]
    return (
        f"## Where one was planted\n\nOf {PLANTED_SEEDS} tables each: how many have the sign, how many still "
        "have it once its remedy is followed, and the mean area under the ROC curve of the bad rows that are "
        "left, before and after.\n\n" + table(heads, rows)
    )


def _hit(planted: Planted) -> list[object]:
    seen = left = 0
    ranked: list[tuple[float, float]] = []
    for seed in range(PLANTED_SEEDS):
        made = planted.table(seed)
        model, signs = fitted(made[0], planted.settings)
        if planted.sign not in signs:
            continue
        seen += 1
        after, settings = followed(signs[planted.sign], made, planted.settings)
        other, others = fitted(after[0], settings)
        left += planted.sign in others
        if made[1].any() and after[1].any():
            ranked.append((ranking(model, made), ranking(other, after)))
    areas = [f"{fmean(column):.3f}" for column in zip(*ranked, strict=True)] if ranked else ["", ""]
    return [planted.sign, planted.words, seen, left, *areas]


def ranking(model: rkde.fast.Rkde, made: Made) -> float:
    """Return the area under the ROC curve of a fit."""
    rows, is_bad = made
    return float(auc(-model.log_density(rows), is_bad.astype(np.intp)))


def _dirty() -> str:
    """Name the signs that the kinds of dirty table show, where there are any."""
    rows: list[list[object]] = []
    for kind in (*SEEN, *KEPT_APART):
        found: Counter[SignName] = Counter()
        for seed in range(3):
            found.update(fitted(kind.table(seed, DIRTY_SIZE).rows, {})[1].keys())
        rows.append([kind.name, ", ".join(f"{name} {number}" for name, number in sorted(found.items()))])
    return (
        "## On the dirty tables of [the other page](RESULTS.md)\n\nHow many of three tables show which sign "
        "under the defaults. Where there is none, the bad rows have lost their weight already, or nothing "
        "tells them from good ones.\n\n" + table(["kind", "signs"], rows)
    )
