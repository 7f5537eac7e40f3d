"""The point of Theorem 5 for given weights and x': what is refused there, and what is exactly 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpmath import MPContext

from rkde.errors import InvalidInput, NotDifferentiable
from rkde.reference.influence.one_sided import (
    ABOVE,
    BELOW,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.reference.influence.theorem5 import Coefficients, ContaminatingPoint, StationaryPoint
from rkde.reference.kernels import Kernel, squared_distance
from rkde.reference.losses import Loss
from rkde.reference.numbers import Matrix, Row, to_mpf
from rkde.reference.rkhs import norms_from_distances
from rkde.reference.solvers import next_weights
from rkde.vocabulary import INFLUENCE_RESIDUAL


@dataclass(frozen=True, slots=True)
class InfluenceInputs:
    """The points that enter the influence function, with the kernel.

    Attributes
    ----------
    kernel : Kernel
    rows : tuple of tuple of mpf, shape (n, d)
        X.
    x_new : tuple of tuple of mpf, shape (m, d)
        Contaminating points x'.
    queries : tuple of tuple of mpf, shape (q, d)
    """

    kernel: Kernel
    rows: Matrix
    x_new: Matrix
    queries: Matrix

    def contaminating_points(
        self, ctx: MPContext, loss: Loss, point: StationaryPoint
    ) -> list[ContaminatingPoint]:
        """Return each x' with its distances and phi(r'); r' is its norm as one more row of weight 0."""
        dim = len(self.rows[0])
        result = []
        for x_new in self.x_new:
            to_rows = tuple(
                2 * self.kernel.complement(ctx, squared_distance(ctx, x_new, row), dim) for row in self.rows
            )
            extended = tuple((*row, entry) for row, entry in zip(point.distances, to_rows, strict=True))
            norms = norms_from_distances(
                ctx, (*extended, (*to_rows, ctx.mpf(0))), (*point.weights, ctx.mpf(0))
            )
            result.append(ContaminatingPoint(to_rows, loss.phi(ctx, norms[-1])))
        return result


def linearisation_point(ctx: MPContext, loss: Loss, distances: Matrix, weights: Row) -> StationaryPoint:
    """Return the estimate that weights of sum 1 stand for; raise if a KIRWLS step changes them too much."""
    norms = norms_from_distances(ctx, distances, weights)
    after = next_weights(ctx, loss, norms)
    moved = max(abs(new - old) for new, old in zip(after, weights, strict=True)) / max(weights)
    if moved > to_mpf(ctx, INFLUENCE_RESIDUAL):
        raise InvalidInput(
            "must be a fixed point of KIRWLS, where the influence is defined, "
            f"got max|T(w) - w| / max w = {ctx.nstr(moved, 3)}",
            where="weights",
            remedy="pass the weights of fixed_point, or of kirwls with a Stationarity rule",
        )
    return StationaryPoint(distances, weights, norms, ctx.fsum(loss.phi(ctx, norm) for norm in norms))


def check_differentiable(ctx: MPContext, point: StationaryPoint, new: Sequence[ContaminatingPoint]) -> None:
    """Refuse residuals of 0 where phi(0) is infinite."""
    at_corner = ctx.isinf(point.gamma)
    if at_corner or any(ctx.isinf(each.phi) for each in new):
        raise NotDifferentiable(
            "a residual is 0, where phi is infinite",
            where="weights" if at_corner else "x_new",
            remedy="use a loss with a finite phi(0), such as Huber",
        )


def derivatives(
    ctx: MPContext, loss: Loss, point: StationaryPoint, new: Sequence[ContaminatingPoint]
) -> tuple[bool, list[Coefficients], list[Coefficients]]:
    """Return whether residuals lie on kinks, and the derivatives from above and from below."""
    kinked = kinked_locations(ctx, loss, point)
    nothing = Coefficients((ctx.mpf(0),) * len(point.norms), ctx.mpf(0), ctx.mpf(1))
    if not any(each.phi for each in new):
        return bool(kinked), [nothing] * len(new), [nothing] * len(new)
    systems = systems_by_pattern(ctx, loss, point, kinked)

    def from_side(side: int) -> list[Coefficients]:
        return [
            one_sided_coefficients(ctx, loss, point, each, kinked, systems, side) if each.phi else nothing
            for each in new
        ]

    return bool(kinked), from_side(ABOVE), from_side(BELOW) if kinked else []
