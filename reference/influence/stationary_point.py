"""From given weights to the derivatives at each x': what is refused, and what is exactly 0."""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext

from rkde.errors import InvalidInput, NotDifferentiable
from rkde.reference.influence.one_sided import (
    ABOVE,
    BELOW,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.reference.influence.theorem5 import Coefficients, NewPoint, Site
from rkde.reference.losses import Loss
from rkde.reference.numbers import Matrix, Row, to_mpf
from rkde.reference.rkhs import norms_from_distances
from rkde.reference.solvers import next_weights
from rkde.vocabulary import INFLUENCE_RESIDUAL


def stationary_site(ctx: MPContext, loss: Loss, distances: Matrix, weights: Row) -> Site:
    """Return the point that weights of sum 1 stand for; raise where a step moves them too far."""
    norms = norms_from_distances(ctx, distances, weights)
    after = next_weights(ctx, loss, norms)
    moved = max(abs(new - old) for new, old in zip(after, weights, strict=True)) / max(weights)
    if moved > to_mpf(ctx, INFLUENCE_RESIDUAL):
        raise InvalidInput(
            "the weights are no fixed point of KIRWLS, where the influence is defined",
            where="weights",
            value=f"max|T(w) - w| / max w = {ctx.nstr(moved, 3)}",
            remedy="pass those of fixed_point, or of kirwls with a Stationarity rule",
        )
    return Site(distances, weights, norms, ctx.fsum(loss.phi(ctx, norm) for norm in norms))


def check_differentiable(ctx: MPContext, site: Site, new: Sequence[NewPoint]) -> None:
    """Refuse residuals of 0 where phi(0) is infinite."""
    at_corner = ctx.isinf(site.phi_sum)
    if at_corner or any(ctx.isinf(point.phi) for point in new):
        raise NotDifferentiable(
            "a residual is 0, where phi is infinite",
            where="weights" if at_corner else "x_new",
            remedy="use a loss with a finite phi(0), such as Huber's",
        )


def derivatives(
    ctx: MPContext, loss: Loss, site: Site, new: Sequence[NewPoint]
) -> tuple[bool, list[Coefficients], list[Coefficients]]:
    """Return whether residuals lie on kinks, and the derivatives from above and from below."""
    kinked = kinked_locations(ctx, loss, site)
    nothing = Coefficients((ctx.mpf(0),) * len(site.norms), ctx.mpf(0), ctx.mpf(1))
    if not any(point.phi for point in new):
        return bool(kinked), [nothing] * len(new), [nothing] * len(new)
    systems = systems_by_pattern(ctx, loss, site, kinked)

    def from_side(side: int) -> list[Coefficients]:
        return [
            one_sided_coefficients(ctx, loss, site, point, kinked, systems, side) if point.phi else nothing
            for point in new
        ]

    return bool(kinked), from_side(ABOVE), from_side(BELOW) if kinked else []
