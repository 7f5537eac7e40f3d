"""The dense matrix where few pairs are near: the others have D = 2 to the last bit, and are not looked at."""

from __future__ import annotations

from typing import Final

import numpy as np

from rkde.fast._complement import SATURATION
from rkde.fast._distances import ScaledRows
from rkde.fast._kernel import Kernel
from rkde.fast._progress import Progress, Report
from rkde.fast.inputs import Floats
from rkde.fast.operators._cutoff import estimate_fill, log_radius, tree_radius, tree_rows
from rkde.fast.operators._near_search import CHUNK_BYTES, NearSearch
from rkde.fast.operators.protocol import Indices

# In fewer rows looking at all pairs is as fast as looking for the near ones.
_LEAST_ROWS: Final = 1024
# In more columns few data have few near pairs, and a tree finds them slowly.
_MOST_COLUMNS: Final = 8
# Up to this share of near pairs: measured, the two ways take the same time at shares of 0.15 to 0.3 on one
# thread, and threads share the evaluation of all pairs, but not the search.
_MOST_FILL: Final = 0.1


def search_of_few(rows: ScaledRows, kernel: Kernel, spare_bytes: int) -> NearSearch | None:
    """Return a search for all pairs with D < 2 if that is cheaper than to evaluate every pair, else None.

    Parameters
    ----------
    rows : ScaledRows
        n rows, scaled for the kernel's bandwidth.
    kernel : Kernel
        The kernel.
    spare_bytes : int
        Memory beside the matrix.

    Returns
    -------
    NearSearch or None
        None for heavy tails, few rows, many columns, many near pairs, squares that may underflow, or too
        little memory for a chunk.
    """
    size, dim = rows.rows.shape
    radius = log_radius(kernel, -SATURATION)
    if radius is None or size < _LEAST_ROWS or dim > _MOST_COLUMNS or spare_bytes < CHUNK_BYTES:
        return None
    if rows.may_underflow:
        # A search measures squares, which may be 0 where the distance is not.
        return None
    table, reach = tree_rows(rows), tree_radius(kernel, radius)
    if estimate_fill(table, reach).share > _MOST_FILL:
        return None
    return NearSearch(rows, table, reach, kernel)


def fill_near(matrix: Floats, search: NearSearch, kernel: Kernel, report: Report) -> int:
    """Write D: 2 everywhere, 0 on the diagonal, and what the near pairs have.

    Parameters
    ----------
    matrix : ndarray, shape (n, n)
        Overwritten.
    search : NearSearch
        Of the n rows.
    kernel : Kernel
        The kernel.
    report : callable
        Takes a `Progress` after every chunk.

    Returns
    -------
    int
        Pairs that were evaluated.

    Notes
    -----
    16 bytes written a pair, and some 150 ns a near pair.
    """
    matrix.fill(2.0)
    np.fill_diagonal(matrix, 0.0)
    count = 0
    for chunk in search.chunks():
        _write(matrix, search.order[chunk.i], search.order[chunk.j], chunk.square, kernel)
        count += len(chunk.i)
        report(Progress("matrix", chunk.stop, len(matrix)))
    return count


def _write(matrix: Floats, i: Indices, j: Indices, square: Floats, kernel: Kernel) -> None:
    """Write D of some pairs into both triangles; overwrites the squares."""
    separation = square if kernel.squared else np.sqrt(square, out=square)
    values = kernel.unit_complement(separation, 1)
    values *= 2
    size, entries = len(matrix), matrix.reshape(-1)
    entries[i * size + j] = values
    entries[j * size + i] = values
