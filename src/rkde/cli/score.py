"""`rkde score`: log density and outlier score of each row of a table under a fitted model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import check_output, load_table, table_options, tell_header, write_atomically
from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from rkde.fast.results import Rkde
    from rkde.table_columns import HeaderMode
    from rkde.tables import Table

_HEADER: Final = "log_density,outlier_score"
# Enough significant digits to give back every float64.
_NUMBER: Final = ".17g"


@click.command(
    "score",
    epilog=(
        "\b\nExample:\n"
        "  rkde fit iris -o model.npz\n"
        "  rkde score model.npz iris -o scores.csv\n"
        "  rkde score model.npz - < new.csv"
    ),
)
@click.argument("model")
@click.argument("data")
@click.option("-o", "--output", help="File to write, replaced as a whole.  [default: standard output]")
@table_options
def score(
    model: str, data: str, output: str | None, columns: str | None, header: HeaderMode, delimiter: str
) -> None:
    """Write the log density and the outlier score of each row of DATA under MODEL.

    MODEL is a file that rkde fit wrote. DATA is a CSV file, - for standard input, or a shipped table (iris,
    faithful; dataset:iris even where a file has that name). Where the model was fitted to named columns and
    DATA has a header, columns are found by name, in any order; else they are taken as they stand.

    The output is CSV with the header log_density,outlier_score, one line a row in the order of DATA, 17
    significant digits. The log density is natural and may be positive: it is no probability. The outlier
    score is its negative, so higher is more outlying; a row too far for any float64 has log density -inf.
    """
    if output is not None:
        check_output(output, [model, data])
    fitted, names = _loaded(model)
    table = load_table(data, columns=columns, header=header, delimiter=delimiter, expected=names)
    _refuse_other_width(table, fitted.X.shape[1])
    text = _scores(fitted, table)
    tell_header(table, header)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)


def _loaded(path: str) -> tuple[Rkde, tuple[str, ...]]:
    if Path(path).is_dir():
        raise InvalidInput("this is a folder", where=path, remedy="name a model file that rkde fit wrote")
    if not Path(path).exists():
        raise InvalidInput("no such model file", where=path, remedy="write one with rkde fit DATA -o MODEL")
    from rkde.fast import load_columns, load_model

    return load_model(path), load_columns(path)


def _refuse_other_width(table: Table, width: int) -> None:
    found = len(table.positions)
    if found == width:
        return
    counted = f"{found} column{'s' if found > 1 else ''}"
    remedy = f"choose the model's {width} with --columns, in the order of the fit"
    where = f"{table.source}, line {table.lines[0]}"
    raise InvalidInput(f"{counted} where the model has {width}", where=where, remedy=remedy)


def _scores(fitted: Rkde, table: Table) -> str:
    import numpy as np

    log_density = fitted.log_density(np.array(table.rows))
    # 0 - x and not -x: the score of a log density 0 is 0, not -0.
    lines = (f"{value:{_NUMBER}},{0 - value:{_NUMBER}}\n" for value in log_density.tolist())
    return f"{_HEADER}\n" + "".join(lines)
