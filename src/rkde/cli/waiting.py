"""What a command says about long work: how long it will take, and which --sample would be faster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rkde.cli.failures import complain

if TYPE_CHECKING:
    from rkde.fast._resources import Report, Stage

# What a fit to a part of the rows should take, in seconds.
_SHORT_SECONDS: Final = 5.0
# A density of fewer rows says little about a large table.
_FEWEST_ROWS: Final = 1000


def display(fitted_rows: int | None = None) -> Report:
    """Return what shows the advances of a fit or of scores on standard error.

    `fitted_rows` is the number of rows of the fit, where --sample could be given; None elsewhere.
    """
    from rkde.fast._resources import display_for

    def advise(stage: Stage, seconds: float) -> str:
        return "" if fitted_rows is None else sample_advice(fitted_rows, seconds, is_score=stage == "score")

    return display_for(complain, advise)


def sample_advice(rows: int, seconds: float, *, is_score: bool) -> str:
    """Return the end of a forecast: a number for --sample, and what it would take; empty where none helps.

    A fit grows with the square of its rows, the scores of a given table with the rows of the fit.

    Examples
    --------
    >>> sample_advice(20_000, 60.0, is_score=False)
    '; --sample 5000 would take about 4 s'
    >>> sample_advice(20_000, 60.0, is_score=True), sample_advice(800, 60.0, is_score=False)
    ('; --sample 1000 would take about 3 s', '')
    """
    from rkde.fast._resources import duration

    power = 1 if is_score else 2
    wanted = rows * (_SHORT_SECONDS / seconds) ** (1 / power)
    unit = 10 ** math.floor(math.log10(wanted))
    sample = max(_FEWEST_ROWS, int(wanted / unit) * unit)
    if sample >= rows:
        return ""
    return f"; --sample {sample} would take about {duration(seconds * (sample / rows) ** power)}"
