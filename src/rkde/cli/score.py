"""`rkde score`: log density and outlier score of each row of a table under a fitted model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import check_output, deliver, load_table, output_option, table_options, tell_header
from rkde.cli.models import load_model_file, refuse_other_width
from rkde.cli.resources import Allowance, resource_options
from rkde.cli.scoring import NUMBER, log_densities
from rkde.tables import TableOptions, files_of_rows

if TYPE_CHECKING:
    from rkde.fast._float64 import Floats

_HEADER: Final = "log_density,outlier_score"


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
@output_option
@table_options
@resource_options
def score(model: str, data: str, output: str | None, reading: TableOptions, allowance: Allowance) -> None:
    """Write the log density and the outlier score of each row of DATA under MODEL.

    MODEL is a file that rkde fit wrote. DATA is a CSV file, - for standard input, or a shipped table (iris,
    faithful; write dataset:iris if a file has that name). If the model was fitted to named columns and DATA
    has a header, columns are found by name, in any order; otherwise they are taken in their order.

    The output is CSV with the header log_density,outlier_score, one line per row in the order of DATA, with
    17 significant digits. The log density is a natural logarithm and may be positive, since a density is not
    a probability. The outlier score is its negative, so higher is more outlying; where the log density is
    below the range of float64, it is written as -inf.
    """
    check_output(output, [model, data, *files_of_rows(reading.drop_rows)])
    held = load_model_file(model)
    table = load_table(data, reading, expected=held.columns)
    refuse_other_width(table, held.model.X.shape[1])
    text = _scores(log_densities(held.model, table, allowance))
    tell_header(table, reading)
    deliver(text, output)


def _scores(logs: Floats) -> str:
    # 0 - x and not -x: the score of a log density 0 is 0, not -0.
    lines = (f"{value:{NUMBER}},{0 - value:{NUMBER}}\n" for value in logs.tolist())
    return f"{_HEADER}\n" + "".join(lines)
