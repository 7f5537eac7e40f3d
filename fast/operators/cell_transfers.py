"""From the moments of cells to values at their nodes: axis by axis, by matrices that all cells share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.operators.cell_rows import Places
from rkde.fast.operators.protocol import Indices

# Numbers of a group of cells that are handled at once: 1 MiB.
_GROUP_ENTRIES: Final = 2**17


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The moves along one axis.

    Attributes
    ----------
    size : int
        Number of cells after it.
    moves : list of (int, ndarray of int, ndarray of int)
        A number of cells, the cells before that are moved by so many, and where they come to lie.
    """

    size: int
    moves: list[tuple[int, Indices, Indices]]


def steps_between(places: Places, reach: int) -> list[Step]:
    """Return the moves along the axes, one after the other, from occupied cells to occupied cells.

    Cells passed between two axes are those that lie ahead of some cell and before another.
    """
    shifts = [np.arange(-reach, reach + 1) * stride for stride in places.strides]
    before = [places.keys]
    for shift in reversed(shifts[1:]):
        before.append(np.unique(before[-1][:, None] + shift))
    steps, keys = [], places.keys
    for shift, wanted in zip(shifts, reversed(before), strict=True):
        after = np.intersect1d(np.unique(keys[:, None] + shift), wanted, assume_unique=True)
        moves = []
        for offset, by in zip(range(-reach, reach + 1), shift.tolist(), strict=True):
            at = np.minimum(np.searchsorted(after, keys + by), len(after) - 1)
            sources = np.flatnonzero(after[at] == keys + by)
            if len(sources):
                moves.append((offset, sources, at[sources]))
        steps.append(Step(len(after), moves))
        keys = after
    return steps


def transfer(steps: list[Step], moments: Floats, matrices: dict[int, Floats]) -> Floats:
    """Return at every node of every cell the sum of all moments times the product of the axes' kernels.

    Shapes: moments (C, p^d); result (C, p^d).
    """
    count, dim = len(matrices[0]), len(steps)
    values = moments
    for axis, step in enumerate(steps):
        inner = count ** (dim - axis - 1)
        after = np.zeros((step.size, count**dim))
        group = max(1, _GROUP_ENTRIES // count**dim)
        for offset, sources, targets in step.moves:
            for start in range(0, len(sources), group):
                part = slice(start, start + group)
                taken = values[sources[part]]
                moved = _along(matrices[offset], taken.reshape(-1, count, inner))
                after[targets[part]] += moved.reshape(taken.shape)
        values = after
    return values


def _along(matrix: Floats, values: Floats) -> Floats:
    """Return a matrix times the middle axis of values; of the last axis in one product."""
    if values.shape[2] == 1:
        return np.asarray(values[..., 0] @ matrix.T)
    return np.asarray(np.matmul(matrix, values))


def rows_in_reach(steps: list[Step], counts: Floats) -> Floats:
    """Return for each cell how many rows all cells within its reach have, shape (C,).

    Shapes: counts (C,), the rows of each cell.
    """
    offsets = {offset for step in steps for offset, _, _ in step.moves} | {0}
    return transfer(steps, counts[:, None], dict.fromkeys(offsets, np.ones((1, 1))))[:, 0]
