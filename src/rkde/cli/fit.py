"""`rkde fit`: a robust density of a numeric table, what decided it, and its most outlying rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, get_args

import click

from rkde.cli.data import check_output, load_table, table_options, tell_header
from rkde.cli.failures import complain, warnings_told
from rkde.cli.report import FitReport, most_outlying, print_report, to_json
from rkde.errors import InvalidInput
from rkde.table_columns import HeaderMode
from rkde.tables import Table
from rkde.vocabulary import BandwidthRule, QuantileRule, RecipeName, RelativeObjective, Start, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rkde.fast import Rkde
    from rkde.fast.kernels import Kernel

_KERNELS: Final = ("gaussian", "student", "laplacian")
_LOSSES: Final = ("hampel", "huber", "absolute", "quadratic")
# The paper's: stop when J changes by less, relatively; and a cap that no published data set comes near.
_DEFAULT_TOL: Final = RelativeObjective().tol
_DEFAULT_MAX_ITER: Final = 1000
_DEFAULT_TOP: Final = 5


# More rows than this without weight is more than outliers can explain: the method assumes fewer than half.
_MANY_ZEROS: Final = 1 / 2


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user chose for a fit, beside the kernel."""

    bandwidth: float | BandwidthRule
    loss: str
    recipe: RecipeName
    quantiles: tuple[float, float, float] | None
    quantile_rule: QuantileRule | None
    start: Start | None
    tol: float
    max_iter: int


def _read_bandwidth(ctx: click.Context, param: click.Parameter, text: str) -> float | BandwidthRule:
    """Read a positive number or the name of a rule."""
    rules: tuple[BandwidthRule, ...] = get_args(BandwidthRule)
    for rule in rules:
        if text == rule:
            return rule
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        problem = f"{text!r} is neither a positive number nor one of {', '.join(rules)}."
        raise click.BadParameter(problem, ctx=ctx, param=param)
    return number


@click.command(
    "fit",
    epilog=(
        "\b\nExamples:\n"
        "  rkde fit iris -o iris.npz\n"
        "  rkde fit measurements.csv --delimiter ';' --columns width,height -o model.npz\n"
        "  rkde fit data.csv --kernel student --dof 3 --loss huber --json -o model.npz\n\n"
        "After a fit, rkde score MODEL DATA scores any rows."
    ),
)
@click.argument("data")
@click.option("-o", "--output", "model", required=True, help="Model file to write, replaced as a whole.")
@table_options
@click.option("--kernel", type=click.Choice(_KERNELS), default="gaussian", show_default=True, help="Kernel.")
@click.option("--dof", type=float, help="Degrees of freedom; needed for, and only for, the student kernel.")
@click.option(
    "--bandwidth",
    metavar="NUMBER|RULE",
    callback=_read_bandwidth,
    default="median_nn",
    show_default=True,
    help=f"A number in the unit of the data, or a rule: {', '.join(get_args(BandwidthRule))}.",
)
@click.option("--loss", type=click.Choice(_LOSSES), default="hampel", show_default=True, help="Loss.")
@click.option(
    "--recipe",
    type=click.Choice(get_args(RecipeName)),
    default="paper",
    show_default=True,
    help="Where the thresholds and the start come from.",
)
@click.option(
    "--quantiles",
    type=(float, float, float),
    metavar="A B C",
    help="Levels of the thresholds among the distances from f_med.  [default: the recipe's, .5 .75 .85]",
)
@click.option(
    "--quantile-rule",
    type=click.Choice(get_args(QuantileRule)),
    metavar="RULE",
    help="How quantiles are interpolated, by numpy's name.  [default: the recipe's]",
)
@click.option(
    "--start",
    type=click.Choice(get_args(Start)),
    help="Where the iteration starts.  [default: the recipe's, median]",
)
@click.option(
    "--tol",
    type=float,
    default=_DEFAULT_TOL,
    show_default=True,
    help="Stop when J changes by less, relatively.",
)
@click.option(
    "--max-iter",
    type=click.IntRange(min=1),
    default=_DEFAULT_MAX_ITER,
    show_default=True,
    help="Cap on the iterations.",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=_DEFAULT_TOP,
    show_default=True,
    help="How many outlying rows to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of the tables.")
def fit(
    data: str,
    model: str,
    columns: str | None,
    header: HeaderMode,
    delimiter: str,
    kernel: str,
    dof: float | None,
    bandwidth: float | BandwidthRule,
    loss: str,
    recipe: RecipeName,
    quantiles: tuple[float, float, float] | None,
    quantile_rule: QuantileRule | None,
    start: Start | None,
    tol: float,
    max_iter: int,
    top: int,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Fit a robust kernel density to the rows of DATA and write it to a model file.

    DATA is a CSV file, - for standard input, or a shipped table (iris, faithful; dataset:iris even where a
    file has that name). Of iris the four lengths are read, not the species.

    One bandwidth serves all columns, so bring columns of different units to a comparable scale first.

    The model file holds numbers only, no code. Rows are counted from 1, lines as in the file. Thresholds and
    residuals are in units of tau = sqrt(k(0,0)), the objective J in tau^2 (tau for the absolute loss); the
    outlier score is minus the natural log density, so higher is more outlying.
    """
    check_output(model, [data])
    table = load_table(data, columns=columns, header=header, delimiter=delimiter)
    make_kernel = _kernel_maker(kernel, dof)
    choices = _Choices(bandwidth, loss, recipe, quantiles, quantile_rule, start, tol, max_iter)
    with warnings_told():
        fitted = _fitted(table, make_kernel, choices)
    _save(model, fitted, table.names)
    tell_header(table, header)
    if fitted.status is Status.MAX_ITER:
        complain(f"stopped after {max_iter} iterations without convergence; raise --max-iter", kind="warning")
    if fitted.zero_weight_share > _MANY_ZEROS:
        complain(
            f"{fitted.zero_weight_share:.0%} of the rows have no weight; compare with --bandwidth scott, "
            "--loss huber or larger --quantiles",
            kind="warning",
        )
    report = _report(fitted, table, model, top)
    if as_json:
        click.echo(to_json(report))
    else:
        print_report(report)


def _kernel_maker(name: str, dof: float | None) -> Callable[[float], Kernel]:
    """Return the function bandwidth -> kernel."""
    from rkde.fast import Gaussian, Laplacian, Student

    if name == "student":
        if dof is None:
            raise InvalidInput(
                "the student kernel needs its degrees of freedom", where="--dof", remedy="give --dof"
            )
        return partial(Student, dof=dof)
    if dof is not None:
        raise InvalidInput(
            "only the student kernel has degrees of freedom", where="--dof", remedy="leave it out"
        )
    return Gaussian if name == "gaussian" else Laplacian


def _fitted(table: Table, make_kernel: Callable[[float], Kernel], choices: _Choices) -> Rkde:
    import numpy as np

    from rkde.fast import Absolute, Hampel, Huber, Quadratic, rkde

    losses = {"hampel": Hampel, "huber": Huber, "absolute": Absolute, "quadratic": Quadratic}
    return rkde(
        np.array(table.rows),
        kernel=make_kernel,
        bandwidth=choices.bandwidth,
        loss=losses[choices.loss],
        recipe=choices.recipe,
        quantiles=choices.quantiles,
        quantile_rule=choices.quantile_rule,
        start=choices.start,
        stop=RelativeObjective(choices.tol),
        max_iter=choices.max_iter,
    )


def _save(path: str, fitted: Rkde, names: Sequence[str]) -> None:
    from rkde.fast import save_model

    save_model(path, fitted, columns=names)


def _report(fitted: Rkde, table: Table, model: str, top: int) -> FitReport:
    return FitReport(
        source=table.source,
        model=model,
        columns=table.names or table.positions,
        n=len(table.rows),
        d=len(table.positions),
        kernel=fitted.kernel.name,
        dof=getattr(fitted.kernel, "dof", None),
        bandwidth=fitted.bandwidth,
        bandwidth_rule=fitted.bandwidth_rule,
        loss=fitted.loss.name,
        thresholds=dict(zip("abc", fitted.thresholds or (), strict=False)),
        log_tau=fitted.kernel.log_feature_norm(len(table.positions)),
        recipe=fitted.recipe,
        quantiles=tuple(float(level) for level in fitted.quantiles or ()),
        quantile_rule=fitted.quantile_rule,
        start=fitted.start if isinstance(fitted.start, str) else "given weights",
        iterations=fitted.n_iter,
        status=str(fitted.status),
        objective=fitted.objective,
        effective_sample_size=fitted.effective_sample_size,
        zero_weight_share=fitted.zero_weight_share,
        most_outlying=most_outlying(fitted, table, top),
    )
