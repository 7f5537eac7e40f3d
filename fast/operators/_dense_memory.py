"""What the dense matrix takes, and its refusal where that is too much."""

from __future__ import annotations

from typing import Final

from rkde.fast._memory import require
from rkde.fast.operators._blocks import FLOAT_BYTES

# Tables of n d numbers that the build holds.
_TABLES: Final = 4


def dense_bytes(size: int) -> int:
    """Return the bytes of the dense matrix of so many rows."""
    return FLOAT_BYTES * size * size


def table_bytes(size: int, dim: int) -> int:
    """Return about the bytes of the tables beside the matrix: data, scaled data, and copies of both."""
    return FLOAT_BYTES * size * dim * _TABLES


def require_dense(size: int, dim: int, limit: int) -> None:
    """Refuse a dense matrix that does not fit, alone or beside its rows.

    Parameters
    ----------
    size, dim : int
        Rows and columns.
    limit : int
        Bytes.

    Raises
    ------
    MemoryLimit
    """
    remedy = 'raise memory_limit, use engine="auto" or "tiled", or use fewer rows'
    matrix = f"the dense matrix of {size} rows"
    require(dense_bytes(size), limit, purpose=matrix, where="memory_limit", remedy=remedy)
    require(
        dense_bytes(size) + table_bytes(size, dim),
        limit,
        purpose=f"{matrix} beside tables of {dim} columns",
        where="memory_limit",
        remedy="raise memory_limit, or use fewer rows or columns",
    )
