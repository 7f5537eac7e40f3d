"""What `rkde fit` reports: one record, printed as tables for people or as JSON for programs."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from rkde.fast._float64 import Floats
    from rkde.tables import Table

# How wide the tables are where there is no terminal to ask, and how many digits they show.
_PIPE_WIDTH: Final = 100
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class OutlyingRow:
    """A row of the table: its number from 1, the line of the file, -log density, weight.

    The weight is None where the fit did not use the row.
    """

    row: int
    line: int
    outlier_score: float
    weight: float | None


@dataclass(frozen=True, slots=True)
class FitReport:
    """What decided a fit and how it ended; what the fit lacks is None or empty.

    Columns have names, or positions from 1 where there is no header. `sample` and `seed` say how many of the
    n rows the fit used and what drew them, if it did not use all. `scales` are those of the columns, or the
    diagonal of their root. The bandwidth is in the unit of the data, or of the scaled columns; thresholds are
    in tau = sqrt(k(0,0)), the objective in tau^2 (absolute loss: tau). The most outlying row comes first,
    equal ones in the order of the table.
    """

    source: str
    model: str
    columns: tuple[str, ...] | tuple[int, ...]
    n: int
    d: int
    sample: int | None
    seed: int | None
    kernel: str
    dof: float | None
    scaling: str | None
    scales: tuple[float, ...]
    bandwidth: float
    bandwidth_rule: str | None
    loss: str
    thresholds: dict[str, float]
    log_tau: float
    recipe: str
    quantiles: tuple[float, ...]
    quantile_rule: str | None
    start: str
    iterations: int
    status: str
    objective: float
    effective_sample_size: float
    zero_weight_share: float
    most_outlying: tuple[OutlyingRow, ...]


def to_json(report: FitReport) -> str:
    """Return the report as one line of strict JSON; a number that is not finite becomes a string."""
    return strict_json(asdict(report))


def strict_json(value: object) -> str:
    """Return one line of JSON without the tokens NaN and Infinity: such a number becomes a string."""
    return json.dumps(_strict(value), allow_nan=False, ensure_ascii=False)


def print_report(report: FitReport) -> None:
    """Print the report to standard output as two tables."""
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
    console.print(_decisions_table(report))
    if report.most_outlying:
        console.print(_outliers_table(report))
    click.echo(f"Model written to {report.model}")


def most_outlying(
    weights: Sequence[float | None], table: Table, logs: Floats, top: int
) -> tuple[OutlyingRow, ...]:
    """Return the rows of the table with the highest outlier scores, highest first."""
    scores: list[float] = (0 - logs).tolist()
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return tuple(OutlyingRow(table.numbers[i], table.lines[i], scores[i], weights[i]) for i in order[:top])


def _decisions_table(report: FitReport) -> RichTable:
    from rich.box import SIMPLE
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=Text(f"Robust density of {report.source}"), title_justify="left", box=SIMPLE)
    drawn.show_header = False
    for label, value in _decisions(report):
        drawn.add_row(label, Text(value))
    return drawn


def _decisions(report: FitReport) -> Iterator[tuple[str, str]]:
    """Yield label and text of each line of the first table."""
    unit = "tau" if report.loss == "absolute" else "tau^2"
    yield "rows (n), columns (d)", f"{report.n}, {report.d}"
    if report.sample is not None:
        yield "rows of the fit", f"{report.sample}, drawn with seed {report.seed}"
    yield (
        "columns",
        ", ".join(column if isinstance(column, str) else f"no. {column}" for column in report.columns),
    )
    yield "kernel", report.kernel + (f", {_number(report.dof)} degrees of freedom" if report.dof else "")
    if report.scaling:
        yield "scale", f"{report.scaling}: " + ", ".join(map(_number, report.scales))
    yield "bandwidth", f"{_number(report.bandwidth)} ({report.bandwidth_rule or 'given'})"
    yield "loss", report.loss
    if report.thresholds:
        values = ", ".join(f"{name} = {_number(value)}" for name, value in report.thresholds.items())
        yield "thresholds", f"{values} (in tau; log tau = {_number(report.log_tau)})"
        yield "recipe", f"{report.recipe}, start {report.start}" + _quantiles(report)
    yield "iterations", str(report.iterations)
    yield "status", report.status
    yield "objective J", f"{_number(report.objective)} {unit}"
    yield "effective sample size", _number(report.effective_sample_size)
    yield "share of zero weights", f"{report.zero_weight_share:.1%}"


def _quantiles(report: FitReport) -> str:
    if not report.quantiles:
        return ""
    levels = ", ".join(_number(level) for level in report.quantiles)
    return f", quantiles {levels} ({report.quantile_rule})"


def _outliers_table(report: FitReport) -> RichTable:
    from rich.box import SIMPLE
    from rich.table import Table as RichTable

    drawn = RichTable(title="Most outlying rows", title_justify="left", box=SIMPLE)
    for heading in ("row", "line", "outlier score", "weight"):
        drawn.add_column(heading, justify="right")
    for item in report.most_outlying:
        weight = "not fitted" if item.weight is None else _number(item.weight)
        drawn.add_row(str(item.row), str(item.line), _number(item.outlier_score), weight)
    return drawn


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}"


def _strict(value: object) -> object:
    if isinstance(value, dict):
        return {key: _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
