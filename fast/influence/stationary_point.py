"""From given weights to the point at which derivatives are taken, and what is refused there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.errors import InvalidInput, NotDifferentiable
from rkde.fast._float64 import Floats, ScaledRows, TableLike, as_queries, scale_rows, separations
from rkde.fast.influence.theorem5 import ContaminatingPoints, StationaryPoint
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers import feature_products, next_weights
from rkde.vocabulary import INFLUENCE_RESIDUAL

# Distances from x' to rows held at once: 2^21 float64 are 16 MiB, a few such arrays at a time.
_BLOCK_ENTRIES: Final = 2**21
# From so many smallest residual norms on r' counts as far: below, a rounding of D'_i, which is at most some
# r'^2, is worth at most 2^8 roundings of a product of residuals.
_FAR: Final = 2.0**4
# Rows up to this D_ij are near j: kappa is at least 1/2. For a row farther off kappa(X_i, x') may be large
# where kappa(X_j, x') underflows, and `feature_products` would lose it.
_NEAR: Final = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class InfluenceInputs:
    """The kernel, the rows, the contaminating points and the queries.

    Attributes
    ----------
    kernel : Kernel
    rows, x_new, queries : ScaledRows
        n, m and q points of d coordinates.
    """

    kernel: Kernel
    rows: ScaledRows
    x_new: ScaledRows
    queries: ScaledRows

    @classmethod
    def of(cls, operator: KernelOperator, x_new: TableLike, queries: TableLike | None) -> InfluenceInputs:
        """Check the points and scale them."""
        kernel, dim = operator.kernel, operator.dim
        new = as_queries(x_new, dim, where="x_new")
        places = np.empty((0, dim)) if queries is None else as_queries(queries, dim)
        return cls(kernel, *(scale_rows(table, kernel.bandwidth) for table in (operator.X, new, places)))

    @property
    def dim(self) -> int:
        """Number of columns d."""
        return int(self.rows.rows.shape[1])

    @property
    def count(self) -> int:
        """Number of contaminating points m."""
        return len(self.x_new.rows)

    def blocks(self) -> Iterator[slice]:
        """Yield slices of the contaminating points, so that memory is bounded."""
        step = max(1, _BLOCK_ENTRIES // len(self.rows.rows))
        for start in range(0, self.count, step):
            yield slice(start, min(start + step, self.count))

    def query_blocks(self) -> Iterator[slice]:
        """Yield slices of the queries, likewise."""
        step = max(1, _BLOCK_ENTRIES // max(1, len(self.rows.rows), self.count))
        for start in range(0, len(self.queries.rows), step):
            yield slice(start, min(start + step, len(self.queries.rows)))

    def complement(self, left: ScaledRows, right: ScaledRows) -> Floats:
        """Return 1 - kappa."""
        apart = separations(left, right, self.kernel.bandwidth, squared=self.kernel.squared)
        return self.kernel.unit_complement(apart, self.dim)

    def profile(self, left: ScaledRows, right: ScaledRows) -> Floats:
        """Return kappa."""
        apart = separations(left, right, self.kernel.bandwidth, squared=self.kernel.squared)
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(self.kernel.unit_log_profile(apart, self.dim)))

    def new_points(self, loss: Loss, point: StationaryPoint, block: slice) -> ContaminatingPoints:
        """Measure some contaminating points."""
        distances = self.complement(self.x_new.part(block.start, block.stop), self.rows)
        distances *= 2
        means = distances @ point.weights
        norms = np.sqrt(np.maximum(means - point.spread, 0.0))
        # A point at a row has that row's residual norm, to its last bit.
        points, rows = np.nonzero(distances == 0)
        norms[points] = point.norms[rows]
        phi = loss.phi(norms)
        if not np.isfinite(phi).all():
            raise _not_differentiable("x_new")
        return ContaminatingPoints(
            distances, means, norms, phi, self._excess(point, block, distances, means, norms)
        )

    def _excess(
        self, point: StationaryPoint, block: slice, distances: Floats, means: Floats, norms: Floats
    ) -> Floats | None:
        """Return D'_i less its mean where some x' are far from rows close to f, None where none is."""
        far = are_far(point.norms, norms)
        if not far.any():
            return None
        result = distances - means[:, np.newaxis]
        base = int(point.norms.argmin())
        result[far] = excess_distances(
            self.kernel,
            self.rows.rows,
            self.x_new.rows[block][far],
            point.weights,
            base,
            point.operator.row(base),
            distances[far],
        )
        return np.asarray(result)


def linearisation_point(operator: KernelOperator, loss: Loss, weights: Floats) -> StationaryPoint:
    """Return the point that weights of sum 1 stand for.

    Shapes: weights (n,), of sum 1.
    """
    norms = operator.residual_norms(weights)
    after = next_weights(loss, norms)
    moved = float(np.abs(after - weights).max() / weights.max())
    if not moved <= float(INFLUENCE_RESIDUAL):
        raise InvalidInput(
            "must be a fixed point of KIRWLS, where the influence is defined, "
            f"got max|T(w) - w| / max w = {moved:.3g}",
            where="weights",
            remedy="pass the weights of fixed_point, or of kirwls with a Stationarity rule",
        )
    phi = loss.phi(norms)
    if not np.isfinite(phi).all():
        raise _not_differentiable("weights")
    return StationaryPoint(operator, weights, norms, float(phi.sum()), operator.product(weights))


def _not_differentiable(where: str) -> NotDifferentiable:
    return NotDifferentiable(
        "a residual is 0, where phi is infinite",
        where=where,
        remedy="use a loss with a finite phi(0), such as Huber",
    )


def are_far(norms: Floats, new_norms: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell for each x' whether r' is large beside the smallest residual norm above 0.

    Shapes: norms (n,), r_i; new_norms (m,), r'; result (m,).
    """
    return np.asarray(new_norms > _FAR * norms.min(where=norms > 0, initial=np.inf))


def excess_distances(
    kernel: Kernel,
    rows: Floats,
    points: Floats,
    weights: Floats,
    base: int,
    base_distances: Floats,
    distances: Floats,
) -> Floats:
    """Return D'_i less their mean with weights w.

    Shapes: rows (n, d); points (m, d), the x'; weights (n,), w, of sum 1; base_distances (n,), D_ij;
    distances (m, n), D'_i; result (m, n). Result: with an error of some roundings of the distance from Phi_i
    to Phi_j and to f.

    Notes
    -----
    A kernel value for each x' and each row near j, of d operations.
    """
    centre = rows[base]
    changes = distances - distances[:, [base]]
    for i in np.flatnonzero(base_distances <= _NEAR):
        changes[:, i] = base_distances[i] - 2 * feature_products(kernel, centre, rows[i], points)
    return np.asarray(changes - (changes @ weights)[:, np.newaxis])
