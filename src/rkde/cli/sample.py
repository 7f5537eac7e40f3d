"""`rkde sample`: new rows drawn from a fitted density."""

from __future__ import annotations

import csv
import io
import secrets
from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import check_output, deliver, output_option
from rkde.cli.failures import complain
from rkde.cli.models import load_model_file
from rkde.cli.scoring import NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rkde.fast._float64 import Floats

# A seed that is short enough to be typed again.
_SEED_BITS: Final = 32


@click.command(
    "sample",
    epilog=(
        "\b\nExamples:\n"
        "  rkde sample model.npz -n 1000 --seed 7 -o drawn.csv\n"
        "  rkde sample model.npz -n 100 | rkde score model.npz -"
    ),
)
@click.argument("model")
@click.option("-n", "count", type=click.IntRange(min=1), required=True, help="Number of rows to draw.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Random seed; the same seed draws the same rows.  [default: random]",
)
@output_option
def sample(model: str, count: int, seed: int | None, output: str | None) -> None:
    """Draw rows from the density in MODEL, a file that rkde fit wrote.

    The output is CSV with 17 significant digits. Its header holds the names of the model's columns; if they
    have no names, there is no header. Without --seed, a random seed is chosen and printed to standard error.

    Each draw picks a row of the data with its weight as probability, so never a row of weight 0, and adds
    a draw from the kernel. If the bandwidth is small, the drawn rows lie close to rows of the data, so
    sampling does not anonymise them.
    """
    check_output(output, [model])
    held = load_model_file(model)
    chosen = secrets.randbits(_SEED_BITS) if seed is None else seed
    drawn = held.model.sample(count, chosen)
    deliver(_table(held.columns, drawn), output)
    if seed is None:
        complain(f"drawn with --seed {chosen}")
    _tell_overflow(drawn)


def _table(names: Sequence[str], drawn: Floats) -> str:
    text = io.StringIO(newline="")
    if names:
        csv.writer(text, lineterminator="\n").writerow(names)
    for row in drawn.tolist():
        text.write(",".join(f"{value:{NUMBER}}" for value in row) + "\n")
    return text.getvalue()


def _tell_overflow(drawn: Floats) -> None:
    import numpy as np

    beyond = int((~np.isfinite(drawn)).any(axis=1).sum())
    if beyond:
        complain(
            f"{beyond} rows exceed the range of float64 and are written as inf; remove them before use",
            kind="warning",
        )
