"""Log densities of the rows of a table, and how numbers are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rkde.cli.fitting import named_after
from rkde.cli.waiting import display

if TYPE_CHECKING:
    from rkde.cli.resources import Allowance
    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats
    from rkde.tables import Table

# Enough significant digits to reproduce every float64.
NUMBER: Final = ".17g"


def log_densities(
    fitted: Rkde, table: Table, allowance: Allowance, *, fitted_rows: int | None = None
) -> Floats:
    """Return the natural log density at each row of a table, shape (m,).

    `fitted_rows` is the number of rows of a fit that the same command made.
    """
    import numpy as np

    with named_after(table):
        return fitted.log_density(
            np.array(table.rows),
            memory_limit=allowance.memory_limit,
            threads=allowance.threads,
            progress=display(fitted_rows),
        )
