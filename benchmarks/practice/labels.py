"""Which rows `contamination="auto"` labels, on clean and on dirty tables, beside an isolation forest's."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np
from sklearn.ensemble import IsolationForest

import rkde
from benchmarks.practice.clean import CLEAN
from benchmarks.practice.signs import DIRTY_SIZE, clean_tables, table
from benchmarks.practice.tables import KEPT_APART, SEEN
from benchmarks.practice.truths import Array
from rkde.errors import RkdeWarning

HEAD: Final = """# Rows that stand out by themselves

`contamination="auto"` of the estimator with its defaults labels the rows whose tail probability stands out at
a false discovery rate of 5 %. Beside it stands scikit-learn's isolation forest with its own "auto".
`python -m benchmarks.practice labels` writes this page.
"""
Labels = np.ndarray[tuple[int], np.dtype[np.bool_]]


def labelled(rows: Array) -> tuple[Labels, Labels]:
    """Return the rows that the default and that an isolation forest label as outliers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        ours: Any = rkde.RobustKernelDensity(contamination="auto").fit_predict(rows)
    theirs = IsolationForest(random_state=0).fit_predict(rows)
    return ours == -1, theirs == -1


def write_labels(seeds: int, output: Path) -> None:
    """Count, and write the page."""
    parts = [HEAD, _clean(seeds), _dirty(seeds)]
    output.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")


def _clean(seeds: int) -> str:
    """Show the share of rows labelled in clean tables, by kind."""
    shares: dict[str, list[tuple[float, float]]] = {name: [] for name in CLEAN}
    for name, _, _, rows in clean_tables(seeds):
        ours, theirs = labelled(rows)
        shares[name].append((float(ours.mean()), float(theirs.mean())))
    every = [share for found in shares.values() for share in found]
    lines = [_line(name, *_means(found)) for name, found in shares.items()]
    return (
        f"## Clean tables\n\nThe share of rows labelled, of {len(every)} tables; each is a false alarm, "
        "except that rows of heavy tails do stand out.\n\n"
        + table(["kind", "auto", "isolation forest"], [*lines, _line("all", *_means(every))])
    )


def _dirty(seeds: int) -> str:
    """Show the share of bad and of good rows labelled in dirty tables, by kind."""
    lines, every = [], []
    for kind in (*SEEN, *KEPT_APART):
        found = list(_of_kind(kind, seeds))
        every += found
        lines.append(_line(kind.name, *_means(found)))
    return (
        f"## Dirty tables\n\nThe kinds of [the other page](RESULTS.md), tables of {DIRTY_SIZE} rows, "
        f"{seeds} for each kind: the share of bad rows that are labelled, and of good ones. Where few bad "
        "rows are labelled, most are a cluster of their own, or a third of the table, or lie among good "
        "rows.\n\n"
        + table(
            ["kind", "bad rows, auto", "isolation forest", "good rows, auto", "isolation forest"],
            [*lines, _line("all", *_means(every))],
        )
    )


def _of_kind(kind: Any, seeds: int) -> Iterator[tuple[float, ...]]:
    for seed in range(seeds):
        made = kind.table(seed, DIRTY_SIZE)
        ours, theirs = labelled(made.rows)
        bad = made.is_bad
        yield tuple(float(labels[part].mean()) for part in (bad, ~bad) for labels in (ours, theirs))


def _means(found: list[Any]) -> list[float]:
    return [fmean(column) for column in zip(*found, strict=True)]


def _line(name: str, *shares: float) -> list[str]:
    return [name, *(f"{share:.1%}" for share in shares)]
