"""J over a grid of all weights of three rows: where the lowest point lies, as far as a grid can tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from rkde.proofs_checks import bridge
from rkde.proofs_checks.strategies import KernelSpec, LossSpec

_PARTS: Final = 60
# Steps away from a point: from one outer row to the other, and from the middle row to both.
_ASIDE: Final = (0.1, 0.03, 0.01)
_INWARD: Final = (-0.5, -0.25, -0.1, 0.0, 0.1, 0.25, 0.5)


def lowest_value(rows: Sequence[float], kernel: KernelSpec, loss: LossSpec, around: Sequence[float]) -> float:
    """Return the least J of three rows in one dimension, in tau^2, over a grid and near given weights.

    The grid has 61 * 62 / 2 points and those around the given weights are 21; `around` itself is left out.
    """
    outer, middle, last = around
    grid = [(i, j, _PARTS - i - j) for i in range(_PARTS + 1) for j in range(_PARTS + 1 - i)]
    near = [
        (outer + aside * (inward + 1), middle - 2 * aside * inward, last + aside * (inward - 1))
        for aside in _ASIDE
        for inward in _INWARD
    ]
    weights = np.vstack([np.array(grid) / _PARTS, np.array(near)])
    gaps = np.subtract.outer(np.array(rows), np.array(rows))
    inner = weights @ bridge.fast_kernel(kernel).profile(gaps**2, 1)
    squares = 1 - 2 * inner + (inner * weights).sum(axis=1, keepdims=True)
    values = bridge.fast_loss(loss).rho(np.sqrt(np.maximum(squares, 0)))
    return float(values.mean(axis=1).min())
