"""The influence function at queries, alpha(x') and beta(x') of section 6.2.1, from the coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats, ScaledRows, separations
from rkde.fast._resources import require
from rkde.fast.influence.results import Influence
from rkde.fast.influence.stationary_point import InfluenceInputs
from rkde.fast.influence.theorem5 import Coefficients, ContaminatingPoints, Indices, Mask, StationaryPoint
from rkde.fast.kernels import Kernel

# Entries of C formed at once: 2^19 float64 are 4 MiB.
_TILE_ENTRIES: Final = 2**19
# Entries of C that are kept for the next block of x': 256 MiB.
_KEPT_ENTRIES: Final = 2**25


@dataclass(slots=True, eq=False)
class L2Norms:
    """Squares of L2 norms of derivatives, in units of that of one kernel; C is 1 minus its self-convolution.

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

    def squares(self, coefficients: Coefficients, apart_new: Floats) -> Floats:
        """Return -z'C z for each x', given C between x' and the rows, shape (m, n)."""
        mass, unprojected = coefficients.mass, coefficients.unprojected
        total = self._among_active(unprojected) - 2 * mass * (unprojected @ self._mean[self.active])
        total += mass * mass * float((self.weights * self._mean).sum())
        to_new = np.einsum("ij,ij->i", unprojected, apart_new[:, self.active]) - mass * (
            apart_new @ self.weights
        )
        return np.asarray(np.maximum(-total - 2 * coefficients.new * to_new, 0.0))

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
        order = np.concatenate([self.active, np.flatnonzero(others)])
        shares = self.weights[order]
        result = np.zeros(len(order))
        kept: list[tuple[slice, Floats]] | None = [] if len(self.active) ** 2 <= 2 * _KEPT_ENTRIES else None
        for part, tile in self._lower(order):
            result[part] += tile @ shares[: part.stop]
            result[: part.start] += shares[part] @ tile[:, : part.start]
            if kept is not None and part.stop <= len(self.active):
                kept.append((part, tile))
        self._tiles = kept
        mean = np.zeros(len(self.weights))
        mean[order] = result
        return mean

    def _among_active(self, unprojected: Floats) -> Floats:
        """Return p'C p for each row p of the unprojected coefficients."""
        total = np.zeros(len(unprojected))
        for part, tile in self._lower(self.active) if self._tiles is None else self._tiles:
            # Entries left of the diagonal block stand for their mirror images too.
            product = unprojected[:, : part.start] @ tile[:, : part.start].T
            product *= 2
            product += unprojected[:, part] @ tile[:, part.start :].T
            total += np.einsum("ij,ij->i", product, unprojected[:, part])
        return total

    def _lower(self, indices: Indices) -> Iterator[tuple[slice, Floats]]:
        """Yield C between some rows and all before them, and among them, for all of these rows."""
        rows = self.rows
        picked = ScaledRows(rows.rows[indices], rows.scaled[indices], rows.may_overflow, rows.may_underflow)
        step = max(1, _TILE_ENTRIES // max(1, len(indices)))
        # No tile has both active rows and others.
        edge = min(len(self.active), len(indices))
        starts = [*range(0, edge, step), *range(edge, len(indices), step)]
        for start, stop in zip(starts, [*starts[1:], len(indices)], strict=True):
            yield slice(start, stop), self._complement(picked.part(start, stop), picked.part(0, stop))


_FLOAT_BYTES: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class InfluenceAccumulator:
    """An `Influence` in the making; what no block fills in is exactly 0, the influence where phi(r') = 0."""

    if_coef: Floats
    if_coef_new: Floats
    at_new: Floats
    l2_norm: Floats
    condition: Floats

    @classmethod
    def of(cls, inputs: InfluenceInputs) -> InfluenceAccumulator:
        """Return one of zeros."""
        count = inputs.count
        return cls(
            np.zeros((count, len(inputs.rows.rows))),
            np.zeros(count),
            np.zeros(count),
            np.zeros(count),
            np.ones(count),
        )

    def fill(
        self,
        block: slice,
        mask: Mask,
        point: StationaryPoint,
        new: ContaminatingPoints,
        coefficients: Coefficients,
        norms: L2Norms,
        apart_new: Floats,
    ) -> None:
        """Write down the derivatives of those points of a block that the mask picks.

        `new`, `coefficients` and `apart_new`, which is C between them and the rows, are theirs.
        """
        places = np.arange(block.start, block.stop)[mask]
        if len(places) == block.stop - block.start:
            coefficients.fill(point.weights, self.if_coef[block])
        else:
            rows = np.empty((len(places), len(point.weights)))
            coefficients.fill(point.weights, rows)
            self.if_coef[places] = rows
        self.if_coef_new[places] = coefficients.new
        self.condition[places] = coefficients.condition
        # The coefficients have sum 0, so IF(x', x') is -1/2 their mean of D'_i: no digit is lost.
        at_rows = np.einsum("ij,ij->i", coefficients.unprojected, new.distances[:, coefficients.active])
        self.at_new[places] = (coefficients.mass * new.mean_distances - at_rows) / 2
        self.l2_norm[places] = np.sqrt(norms.squares(coefficients, apart_new))

    def finish(
        self,
        inputs: InfluenceInputs,
        point: StationaryPoint,
        from_below: Influence | None,
        *,
        one_sided: bool,
    ) -> Influence:
        """Return the result, with the influence at the queries."""
        at_queries = np.empty((inputs.count, len(inputs.queries.rows)))
        for part in inputs.query_blocks():
            at_queries[:, part] = self._at_queries(inputs, point, part)
        for values in (self.if_coef, self.if_coef_new, self.at_new, self.l2_norm, at_queries):
            values.flags.writeable = False
        return Influence(
            if_coef=self.if_coef,
            if_coef_new=self.if_coef_new,
            influence=at_queries,
            if_at_new=self.at_new,
            if_l2_norm=self.l2_norm,
            one_sided=one_sided,
            from_below=from_below,
            condition=float(self.condition.max(initial=1.0)),
        )

    def _at_queries(self, inputs: InfluenceInputs, point: StationaryPoint, part: slice) -> Floats:
        queries = inputs.queries.part(part.start, part.stop)
        profile = inputs.profile(inputs.rows, queries)
        at_new = inputs.profile(inputs.x_new, queries)
        # Since the coefficients have sum 0, a constant may be subtracted; 1 where most values are near it.
        near = point.weights @ profile > 1 / 2
        if near.any():
            profile[:, near] = -inputs.complement(inputs.rows, queries)[:, near]
            at_new[:, near] = -inputs.complement(inputs.x_new, queries)[:, near]
        return np.asarray(self.if_coef @ profile + self.if_coef_new[:, np.newaxis] * at_new)


def require_results(inputs: InfluenceInputs, limit: int, *, sides: int) -> None:
    """Refuse results that do not fit; `sides` is 2 where there are derivatives from below, too."""
    needed = _FLOAT_BYTES * sides * inputs.count * (len(inputs.rows.rows) + len(inputs.queries.rows))
    require(
        needed,
        limit,
        purpose=f"the influence of {inputs.count} points on {len(inputs.rows.rows)} rows",
        where="x_new",
        remedy="pass fewer points at a time, or raise memory_limit",
    )
