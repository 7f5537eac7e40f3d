"""`rkde fit`: a robust density of a numeric table, what decided it, and its most outlying rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import STREAM, load_table, table_options, tell_header
from rkde.cli.drawing import Part, counts_of, part_for
from rkde.cli.fitting import FitChoices, check_outputs, fit_options, fit_part, tell_doubts
from rkde.cli.parsing import FitCommand
from rkde.cli.report import FitReport, most_outlying, print_report, to_json
from rkde.cli.resources import Allowance, resource_options
from rkde.cli.scoring import log_densities
from rkde.errors import InvalidInput
from rkde.tables import TableOptions

if TYPE_CHECKING:
    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats

_DEFAULT_TOP: Final = 5


@click.command(
    "fit",
    cls=FitCommand,
    epilog=(
        "\b\nExamples:\n"
        "  rkde fit iris -o iris.npz\n"
        "  rkde fit measurements.csv --delimiter ';' --columns width,height -o model.npz\n"
        "  rkde fit data.csv --kernel student --dof 3 --loss huber --json -o model.npz\n\n"
        "After a fit, rkde score MODEL DATA scores any rows."
    ),
)
@click.argument("data")
@click.option("-o", "--output", "model", required=True, help="Model file to write, replaced atomically.")
@table_options
@fit_options
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=_DEFAULT_TOP,
    show_default=True,
    help="Number of outlying rows to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the tables.")
@resource_options
def fit(
    data: str,
    model: str,
    reading: TableOptions,
    choices: FitChoices,
    top: int,
    allowance: Allowance,
    *,
    as_json: bool,
) -> None:
    """Fit a robust kernel density to the rows of DATA and write it to a model file.

    DATA is a CSV file, - for standard input, or a shipped table (iris, faithful; write dataset:iris if a
    file has that name). Without --columns, all columns are read except those that hold text.

    One bandwidth serves all columns, so they are scaled first (--scale); densities, samples and pictures are
    in the units of the data.

    The model file holds numbers only, no code. Rows and lines of the file are counted from 1. Thresholds and
    residuals are in units of tau = sqrt(k(0,0)), the objective J in tau^2 (tau for the absolute loss); the
    outlier score is minus the natural log density, so higher is more outlying. The file also keeps
    the log densities of all rows, from which rkde outliers MODEL DATA derives its labels. With --sample the
    fit uses some of the rows, but the log densities and the most outlying rows still cover all rows.
    """
    if model == STREAM:
        raise InvalidInput(
            "must be a file, because standard output holds the report",
            where="--output",
            value=model,
            remedy="name a file for the model",
        )
    check_outputs(model, [data], reading, choices)
    table = load_table(data, reading, weights=choices.weights)
    part = part_for(table, choices.sample, choices.seed)
    fitted = fit_part(part, choices, reading, allowance)
    logs = log_densities(fitted, table, allowance, fitted_rows=len(part.table.rows))
    _save(model, fitted, part, logs)
    tell_header(table, reading)
    part.tell()
    tell_doubts(fitted, choices, table, reading)
    report = _report(fitted, part, model, logs, top)
    if as_json:
        click.echo(to_json(report))
    else:
        print_report(report)


def _save(path: str, fitted: Rkde, part: Part, logs: Floats) -> None:
    from rkde.fast import save_model

    save_model(
        path,
        fitted,
        columns=part.whole.names,
        training_log_densities=logs,
        training_weights=counts_of(part.whole),
    )


def _report(fitted: Rkde, part: Part, model: str, logs: Floats, top: int) -> FitReport:
    table = part.whole
    return FitReport(
        source=table.source,
        model=model,
        columns=table.names or table.positions,
        n=len(table.rows),
        sample=None if part.rows is None else len(part.rows),
        seed=part.seed,
        d=len(table.positions),
        kernel=fitted.kernel.name,
        dof=getattr(fitted.kernel, "dof", None),
        scaling=None if fitted.scaling is None else fitted.scaling.name,
        scales=() if fitted.scaling is None else tuple(fitted.scaling.sides.tolist()),
        bandwidth=fitted.bandwidth,
        bandwidth_rule=fitted.bandwidth_rule,
        loss=fitted.loss.name,
        thresholds=dict(zip("abc", fitted.thresholds or (), strict=False)),
        log_tau=fitted.kernel.log_feature_norm(len(table.positions)),
        recipe=fitted.recipe,
        quantiles=tuple(float(level) for level in fitted.quantiles or ()),
        quantile_rule=fitted.quantile_rule,
        start=_start(fitted),
        iterations=fitted.n_iter,
        status=str(fitted.status),
        objective=fitted.objective,
        effective_sample_size=fitted.effective_sample_size,
        zero_weight_share=fitted.zero_weight_share,
        most_outlying=most_outlying(part.weights_of(fitted), table, logs, top),
    )


def _start(fitted: Rkde) -> str:
    if isinstance(fitted.start, str):
        return fitted.start
    return "rows with neighbours" if fitted.recipe == "practical" else "given weights"
