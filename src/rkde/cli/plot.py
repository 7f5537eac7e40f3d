"""`rkde plot`: a picture of a density with its rows, of its loss, or of the descent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from rkde.cli.data import STREAM, deliver, load_table, table_options, tell_header
from rkde.cli.drawing import part_for
from rkde.cli.failures import complain
from rkde.cli.fitting import FitChoices, check_outputs, fit_options, fit_part, refuse_fit_options, tell_doubts
from rkde.cli.models import is_model, load_model_file
from rkde.cli.parsing import FitCommand
from rkde.cli.picture import FORMATS, Shown, picture
from rkde.cli.resources import Allowance, resource_options
from rkde.errors import InvalidInput
from rkde.plotting import MOST_COLUMNS, require_matplotlib
from rkde.tables import TableOptions, choose_columns

if TYPE_CHECKING:
    from rkde.fast.io import ModelFile

Kind = Literal["density", "loss", "path"]
# Of more columns, every pair is drawn as a marginal.
_ONE_PANEL: Final = 2


@click.command(
    "plot",
    cls=FitCommand,
    epilog=(
        "\b\nExamples:\n"
        "  rkde plot mine.csv\n"
        "  rkde plot iris --columns sepal_length,sepal_width --units cm,cm --bandwidth scott -o iris.png\n"
        "  rkde plot iris --columns petal_length --bandwidth scott -o petals.pdf\n"
        "  rkde plot model.npz --columns 1,3 -o marginal.svg\n"
        "  rkde plot model.npz --kind loss -o loss.png"
    ),
)
@click.argument("source", metavar="DATA|MODEL")
@click.option(
    "-o",
    "--output",
    help=f"Picture to write, replaced atomically; its name ends in .{' or .'.join(FORMATS)}; - writes PNG.  "
    "[default: the name of DATA or MODEL and -density.png, in the current folder]",
)
@click.option(
    "--kind",
    type=click.Choice(["density", "loss", "path"]),
    default="density",
    show_default=True,
    help="Draw the density with its rows; rho, psi and phi of the loss; or J after each step.",
)
@click.option(
    "--units", help="Units of the columns shown, for the axes, such as cm or min,cm.  [default: none]"
)
@click.option("--filled", is_flag=True, help="Fill the areas between contours.")
@table_options
@fit_options
@resource_options
@click.pass_context
def plot(
    ctx: click.Context,
    source: str,
    output: str | None,
    kind: Kind,
    units: str | None,
    reading: TableOptions,
    choices: FitChoices,
    allowance: Allowance,
    *,
    filled: bool,
) -> None:
    """Draw a robust density with its rows; needs the extra plot (matplotlib).

    DATA (a CSV file, - for standard input, or a shipped table) is fitted with the options of rkde fit,
    and drawn beside the density that gives all rows the same weight. MODEL is a file that rkde fit wrote; it
    holds the rows of positive weight only.

    For one column, the picture shows the curve, and for each row a line whose length shows its weight. For
    two, it shows contours, which the legend names by the probability inside, and for each row a circle whose
    area shows its weight. For three to six, it shows every column and every pair of columns. Crosses mark
    rows of weight 0. The frame shows the rows that carry the weight; rows far from them are counted in the
    legend. With --sample, the rows are those that were drawn.

    Without --columns, all columns of a table are read and fitted except those that hold text. For a model,
    --columns chooses the marginal density to draw, which has no closed form for a Laplacian kernel.
    """
    path = _default_name(source, kind) if output is None else output
    check_outputs(path, [source], reading, choices)
    _check_format(path)
    if is_model(source):
        refuse_fit_options(ctx, source)
        shown = _of_model(source, load_model_file(source), reading.columns, kind)
    else:
        shown = _of_table(source, reading, choices, allowance, kind, units)
    named = _units(units, len(shown.names))
    try:
        content = picture(shown, kind, named, _format(path), filled=filled)
    except InvalidInput as error:
        raise (error.restated(where=source) if error.where == "X" else error) from error
    deliver(content, path)
    if output is None:
        complain(f"picture written to {path}")


def _default_name(source: str, kind: Kind) -> str:
    """Return a name that the table suggests and no other file is likely to have."""
    if source == STREAM:
        raise InvalidInput(
            "must be given if the table comes from standard input",
            where="--output",
            remedy="name a picture, such as -o picture.png",
        )
    return f"{Path(source.removeprefix('dataset:')).name.partition('.')[0] or 'table'}-{kind}.{FORMATS[0]}"


def _format(output: str) -> str:
    return FORMATS[0] if output == STREAM else output.rpartition(".")[2].lower()


def _check_format(output: str) -> None:
    if _format(output) not in FORMATS:
        remedy = f"choose a name that ends in .{' or .'.join(FORMATS)}"
        raise InvalidInput(
            "must end with the name of a picture format", where="--output", value=output, remedy=remedy
        )
    if output == STREAM and sys.stdout.isatty():
        raise InvalidInput(
            "must not be a terminal, because a picture is binary", where="--output", remedy="name a file"
        )


def _units(units: str | None, columns: int) -> tuple[str, ...]:
    if units is None:
        return ("",) * columns
    given = tuple(unit.strip() for unit in units.split(","))
    if len(given) != columns:
        raise InvalidInput(
            f"must have as many entries as there are columns shown ({columns})",
            where="--units",
            value=units,
            remedy="give one unit for each column shown",
        )
    return given


def _of_table(
    source: str,
    reading: TableOptions,
    choices: FitChoices,
    allowance: Allowance,
    kind: Kind,
    units: str | None,
) -> Shown:
    table = load_table(source, reading, weights=choices.weights)
    width = len(table.positions)
    if kind == "density":
        _check_width(width, f"{table.source}, line {table.lines[0]}")
    # Before the work, and after what is wrong with the table.
    _units(units, width)
    require_matplotlib()
    part = part_for(table, choices.sample, choices.seed)
    fitted = fit_part(part, choices, reading, allowance)
    tell_header(table, reading)
    part.tell()
    tell_doubts(fitted, choices, table, reading)
    names = table.names or tuple(f"column {position}" for position in table.positions)
    return Shown(fitted, tuple(range(width)), names, complete=True)


def _of_model(source: str, held: ModelFile, columns: str | None, kind: Kind) -> Shown:
    width = held.model.X.shape[1]
    names = held.columns or ("",) * width
    header: Literal["yes", "no"] = "yes" if held.columns else "no"
    positions = tuple(range(1, width + 1))
    if columns is not None:
        positions = choose_columns([names], source, header, columns, ())[1]
    if kind == "density":
        _check_marginal(source, held, len(positions))
    shown = tuple(names[position - 1] or f"column {position}" for position in positions)
    return Shown(held.model, tuple(position - 1 for position in positions), shown, complete=False)


def _check_width(width: int, where: str) -> None:
    if width > MOST_COLUMNS:
        remedy = f"choose up to {MOST_COLUMNS} with --columns"
        problem = f"must have 1 to {MOST_COLUMNS} columns to be plotted"
        raise InvalidInput(problem, where=where, value=width, remedy=remedy)


def _check_marginal(source: str, held: ModelFile, shown: int) -> None:
    width = held.model.X.shape[1]
    _check_width(shown, source)
    if (shown < width or shown > _ONE_PANEL) and held.model.kernel.name == "laplacian":
        remedy = "fit these columns alone: rkde plot DATA --columns ... --kernel laplacian"
        raise InvalidInput(
            "must have a Gaussian or Student kernel, whose marginals have closed forms",
            where=source,
            value="laplacian",
            remedy=remedy,
        )
