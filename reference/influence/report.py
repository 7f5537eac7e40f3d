"""What is reported of a derivative of the estimate: its values and its L2 norm (sections 5 and 6.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.reference.influence.results import Influence
from rkde.reference.influence.theorem5 import Coefficients, NewPoint
from rkde.reference.kernels import Kernel, squared_distance
from rkde.reference.losses import Loss
from rkde.reference.numbers import Matrix, Row
from rkde.reference.rkhs import norms_from_distances


@dataclass(frozen=True, slots=True)
class Tables:
    """The points that enter: data, contaminating points, queries, and the kernel."""

    kernel: Kernel
    rows: Matrix
    x_new: Matrix
    queries: Matrix


def new_points(ctx: MPContext, tables: Tables, loss: Loss, distances: Matrix, weights: Row) -> list[NewPoint]:
    """Return each x' with its distances and phi(r'); r' is its norm as one more row of weight 0."""
    dim = len(tables.rows[0])
    found = []
    for point in tables.x_new:
        to_rows = tuple(
            2 * tables.kernel.complement(ctx, squared_distance(ctx, point, row), dim) for row in tables.rows
        )
        extended = tuple((*row, entry) for row, entry in zip(distances, to_rows, strict=True))
        norms = norms_from_distances(ctx, (*extended, (*to_rows, ctx.mpf(0))), (*weights, ctx.mpf(0)))
        found.append(NewPoint(to_rows, loss.phi(ctx, norms[-1])))
    return found


def report(
    ctx: MPContext,
    tables: Tables,
    found: Sequence[Coefficients],
    from_below: Influence | None,
    *,
    one_sided: bool,
) -> Influence:
    """Return the influence that coefficients stand for, one `Coefficients` for each x'."""
    pairs = list(zip(tables.x_new, found, strict=True))
    return Influence(
        if_coef=tuple(each.rows for each in found),
        if_coef_new=tuple(each.new for each in found),
        influence=tuple(
            tuple(_value(ctx, tables, point, each, x) for x in tables.queries) for point, each in pairs
        ),
        if_at_new=tuple(_value(ctx, tables, point, each, point) for point, each in pairs),
        if_l2_norm=tuple(_l2_norm(ctx, tables, point, each) for point, each in pairs),
        one_sided=one_sided,
        from_below=from_below,
        condition=max((each.condition for each in found), default=ctx.mpf(1)),
    )


def _value(ctx: MPContext, tables: Tables, point: Row, found: Coefficients, x: Row) -> mpf:
    """Return IF(x, x') = sum_i alpha_i k(x, X_i) + alpha' k(x, x'), in tau^2 (`thm:influence_emp`)."""
    dim = len(x)
    row = [tables.kernel.profile(ctx, squared_distance(ctx, x, y), dim) for y in (*tables.rows, point)]
    return ctx.fdot((*found.rows, found.new), row)


def _l2_norm(ctx: MPContext, tables: Tables, point: Row, found: Coefficients) -> mpf:
    """Return beta(x') = (z'B z)^(1/2) with z = (alpha, alpha') and B_ij = (k*k)(Z_i - Z_j)/(k*k)(0).

    The coefficients sum to 0, so z'B z = -z'(1 1' - B) z, which is exactly 0 where all Z_i coincide.
    """
    dim = len(point)
    z = [
        (y, entry) for y, entry in zip((*tables.rows, point), (*found.rows, found.new), strict=True) if entry
    ]
    terms = [
        2 * left * right * (tables.kernel.self_convolution(ctx, squared_distance(ctx, x, y), dim) - 1)
        for i, (x, left) in enumerate(z)
        for y, right in z[:i]
    ]
    return ctx.sqrt(max(ctx.fsum(terms), ctx.mpf(0)))
