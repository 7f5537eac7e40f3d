"""Not in the paper: distinct locations of the rows, and when one of them is f_med (the vertex test).

With rho(t) = t the objective has a corner at every data location, so its minimiser may be one of them.
The location Phi_j of rows of mass m in all is the minimiser if and only if |R_j| <= m, where the resultant
R_j is the sum of m_i (Phi_i - Phi_j)/|Phi_i - Phi_j| over the other rows: the rows at the location hold the
minimiser with a force of at most m, and the others pull with R_j.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.reference.numbers import Masses, Matrix, Row, rounding_level, unit_masses


def locations(distances: Matrix) -> list[list[int]]:
    """Return the rows at each distinct location, in the order of first appearance.

    Shapes: distances (n, n), D, with exact zeros between equal rows.

    Examples
    --------
    >>> from rkde.reference import Gaussian, distance_matrix, make_context
    >>> ctx = make_context(20)
    >>> locations(distance_matrix(ctx, [[3], [1], [3]], Gaussian(1)))
    [[0, 2], [1]]
    """
    groups = [[j for j, distance in enumerate(row) if not distance] for row in distances]
    return [group for i, group in enumerate(groups) if group[0] == i]


@dataclass(frozen=True, slots=True)
class VertexTest:
    """The resultant R_j at a location: its coefficients, |R_j|^2 with its rounding, and the mass there."""

    inverse_norms: Row
    square: mpf
    slack: mpf
    held: mpf


def resultant(
    ctx: MPContext, distances: Matrix, location: list[int], masses: Masses | None = None
) -> VertexTest:
    """Return R_j = sum of m_i (Phi_i - Phi_j)/|Phi_i - Phi_j| over the rows i off a location j.

    With v_i = m_i/|Phi_i - Phi_j| off the location and 0 on it, R_j = sum_i v_i (Phi_i - Phi_j), and
    |R_j|^2 = (sum v)(v'D_j) - v'D v / 2: one product.

    Shapes: distances (n, n). Result: with v, |R_j|^2, a bound on the rounding of the latter, and the mass at
    the location.
    """
    masses = masses or unit_masses(ctx, len(distances))
    to_location = distances[location[0]]
    inverse_norms = tuple(
        mass / ctx.sqrt(distance) if distance else ctx.mpf(0)
        for mass, distance in zip(masses.values, to_location, strict=True)
    )
    spread = ctx.fsum(inverse_norms) * ctx.fdot(inverse_norms, to_location)
    among = ctx.fdot(inverse_norms, [ctx.fdot(row, inverse_norms) for row in distances])
    slack = (
        rounding_level(ctx)
        * ctx.fsum(inverse_norms, absolute=True)
        * ctx.fdot([abs(entry) for entry in inverse_norms], to_location)
    )
    return VertexTest(inverse_norms, spread - among / 2, slack, masses.at(ctx, location))


def is_minimiser(ctx: MPContext, distances: Matrix, location: list[int], masses: Masses) -> bool:
    """Tell whether |R_j| <= m is proved at a location of the mass m, rounding included."""
    test = resultant(ctx, distances, location, masses)
    return test.held > 0 and test.square + test.slack <= test.held**2


def weights_on(ctx: MPContext, location: list[int], masses: Masses) -> Row:
    """Return weights in proportion to the masses on the rows of a location, 0 elsewhere."""
    held = masses.at(ctx, location)
    members = set(location)
    return tuple(mass / held if i in members else ctx.mpf(0) for i, mass in enumerate(masses.values))


def largest_change(weights: Row, others: Row, masses: Masses) -> mpf:
    """Return max|w - v| / max w over copies of mass 1, each of weight w_i / m_i."""
    changes = [abs((new - old) / mass) for old, new, mass in zip(weights, others, masses.values, strict=True)]
    return max(changes) / max(weight / mass for weight, mass in zip(weights, masses.values, strict=True))


def weights_along_resultant(
    ctx: MPContext, distances: Matrix, location: list[int], step: mpf, masses: Masses
) -> Row:
    """Return the weights of Phi_j + t R_j, with t = step / sum v so that a step in (0, 1) keeps them >= 0."""
    inverse_norms = resultant(ctx, distances, location, masses).inverse_norms
    total = ctx.fsum(inverse_norms)
    remaining = weights_on(ctx, location, masses)
    return tuple(
        step * inverse / total + (1 - step) * share
        for inverse, share in zip(inverse_norms, remaining, strict=True)
    )
