"""The L2 norm of the derivative of f for many contaminating points, in closed form.

The square of the L2 norm of sum z_i k(., Z_i) is z'B z, B the self-convolution of the kernel at Z_i - Z_j
over its value at 0. The coefficients z of a derivative have sum 0, so it is -z'C z with C = 1 - B, whose
entries keep all their digits among close points; and beside a multiple of the weights, which is the same for
all x', z is 0 off the active rows. So C w, n^2 / 2 values once, and C on the active rows are all that is
needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rkde.fast._distances import ScaledRows, separations
from rkde.fast._influence import Coefficients, Indices
from rkde.fast.inputs import Floats
from rkde.fast.kernels import Kernel

# Entries of C formed at once: 2^19 float64 are 4 MiB.
_TILE_ENTRIES: Final = 2**19
# Entries of C that are kept for the next block of x': 256 MiB.
_KEPT_ENTRIES: Final = 2**25


@dataclass(slots=True, eq=False)
class L2Norms:
    """Squares of L2 norms of derivatives, in units of that of one kernel.

    Attributes
    ----------
    kernel : Kernel
        The kernel.
    rows : ScaledRows
        The data.
    weights : ndarray, shape (n,)
        w.
    active : ndarray of int, shape (k,)
        The active rows.
    evaluations : int
        Values of the self-convolution so far.
    """

    kernel: Kernel
    rows: ScaledRows
    weights: Floats
    active: Indices
    evaluations: int = 0
    _mean: Floats = field(init=False)
    _tiles: list[tuple[slice, Floats]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._mean = self._product_with_weights()

    def squares(self, found: Coefficients, apart_new: Floats) -> Floats:
        """Return -z'C z for each x'.

        Parameters
        ----------
        found : Coefficients
            The derivatives.
        apart_new : ndarray, shape (m, n)
            1 minus the self-convolution between x' and the rows.

        Returns
        -------
        ndarray, shape (m,)
        """
        mass, pulls = found.mass, found.pulls
        total = self._among_active(pulls) - 2 * mass * (pulls @ self._mean[self.active])
        total += mass * mass * float((self.weights * self._mean).sum())
        to_new = np.einsum("ij,ij->i", pulls, apart_new[:, self.active]) - mass * (apart_new @ self.weights)
        return np.asarray(np.maximum(-total - 2 * found.new * to_new, 0.0))

    def to_points(self, points: ScaledRows) -> Floats:
        """Return 1 minus the self-convolution between points and all rows, shape (m, n)."""
        return self._complement(points, self.rows)

    def _complement(self, left: ScaledRows, right: ScaledRows) -> Floats:
        apart = separations(left, right, self.kernel.bandwidth, squared=self.kernel.squared)
        self.evaluations += apart.size
        return self.kernel.unit_self_complement(apart, self.rows.rows.shape[1])

    def _product_with_weights(self) -> Floats:
        """Return C w on the rows with weight and the active ones, 0 elsewhere."""
        others = self.weights > 0
        others[self.active] = False
        # The active rows first, so that the first tiles are those of C among them.
        chosen = np.concatenate([self.active, np.flatnonzero(others)])
        shares = self.weights[chosen]
        result = np.zeros(len(chosen))
        kept: list[tuple[slice, Floats]] | None = [] if len(self.active) ** 2 <= 2 * _KEPT_ENTRIES else None
        for part, tile in self._lower(chosen):
            result[part] += tile @ shares[: part.stop]
            result[: part.start] += shares[part] @ tile[:, : part.start]
            if kept is not None and part.stop <= len(self.active):
                kept.append((part, tile))
        self._tiles = kept
        mean = np.zeros(len(self.weights))
        mean[chosen] = result
        return mean

    def _among_active(self, pulls: Floats) -> Floats:
        """Return p'C p for each row p of the pulls."""
        total = np.zeros(len(pulls))
        for part, tile in self._lower(self.active) if self._tiles is None else self._tiles:
            # Entries left of the diagonal block stand for their mirror images too.
            product = pulls[:, : part.start] @ tile[:, : part.start].T
            product *= 2
            product += pulls[:, part] @ tile[:, part.start :].T
            total += np.einsum("ij,ij->i", product, pulls[:, part])
        return total

    def _lower(self, chosen: Indices) -> Iterator[tuple[slice, Floats]]:
        """Yield C between some rows and all before them, and among them, for all of the chosen rows."""
        rows = self.rows
        picked = ScaledRows(rows.rows[chosen], rows.scaled[chosen], rows.may_overflow, rows.may_underflow)
        step = max(1, _TILE_ENTRIES // max(1, len(chosen)))
        # No tile has both active rows and others.
        edge = min(len(self.active), len(chosen))
        starts = [*range(0, edge, step), *range(edge, len(chosen), step)]
        for start, stop in zip(starts, [*starts[1:], len(chosen)], strict=True):
            yield slice(start, stop), self._complement(picked.part(start, stop), picked.part(0, stop))
