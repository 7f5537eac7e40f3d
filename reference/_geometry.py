"""Squared distances in the Hilbert space and the residual norms that they give.

The squared norm of a residual is printed as k(x, x) - 2 <Phi(x), f> + <f, f> (sections 3 and 4). It is
computed here from the squared distances D_ij = |Phi_i - Phi_j|^2 = 2 (1 - kappa_ij), which for weights of sum
1 gives the same number without subtracting nearly equal ones: duplicates have a residual of exactly 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mpmath import MPContext, mpf

from rkde.reference.inputs import Matrix, Row


def norms_from_distances(ctx: MPContext, distances: Matrix, weights: Row) -> Row:
    """Return the residual norms, given D: r_i^2 = (D w)_i - w'D w / 2.

    The difference loses precision only at a location that holds nearly all of the weight; there the norm is
    that of sum_j w_j (Phi_j - Phi_i), in which every term is small (`_norm_at_heavy_row`).

    Parameters
    ----------
    ctx : mpmath.MPContext
    distances : tuple of tuple of mpf, shape (n, n)
        As from `distance_matrix`, in tau^2.
    weights : tuple of mpf, shape (n,)
        Of sum 1.

    Returns
    -------
    tuple of mpf, shape (n,)
        In tau.
    """
    product = [ctx.fdot(row, weights) for row in distances]
    half_form = ctx.fdot(weights, product) / 2
    norms = [ctx.sqrt(max(entry - half_form, ctx.mpf(0))) for entry in product]
    heavy = _heavy_rows(ctx, distances, weights)
    if heavy:
        norm = _norm_at_heavy_row(ctx, distances, weights, heavy)
        for index in heavy:
            norms[index] = norm
    return tuple(norms)


def log_sum_exp(ctx: MPContext, logs: Sequence[mpf]) -> mpf:
    """Return log(sum of exp(entry)) without leaving the logarithm's scale; at least one entry is finite."""
    largest = max(logs)
    return largest + ctx.log(ctx.fsum(ctx.exp(entry - largest) for entry in logs))


def symmetric_matrix(rows: Matrix, diagonal: mpf, entry: Callable[[Row, Row], mpf]) -> Matrix:
    lower = [[entry(row, rows[j]) for j in range(i)] for i, row in enumerate(rows)]
    size = range(len(rows))
    return tuple(tuple(diagonal if i == j else lower[max(i, j)][min(i, j)] for j in size) for i in size)


def _heavy_rows(ctx: MPContext, distances: Matrix, weights: Row) -> list[int]:
    """Return the rows of the one location that weighs more than a half, if there is one."""
    for i, row in enumerate(distances):
        if weights[i] > 0:
            location = [j for j, distance in enumerate(row) if not distance]
            if i == location[0] and ctx.fsum(weights[j] for j in location) > ctx.mpf(1) / 2:
                return location
    return []


def _norm_at_heavy_row(ctx: MPContext, distances: Matrix, weights: Row, location: list[int]) -> mpf:
    """Return |sum_j w_j (Phi_j - Phi_i)| over the rows j off the location of i.

    Its square is S A - B/2, with S = sum w_j, A = sum w_j D_ij and B = sum w_j w_k D_jk, all off the
    location.
    """
    first = distances[location[0]]
    others = [j for j, distance in enumerate(first) if distance]
    shares = [weights[j] for j in others]
    total = ctx.fsum(shares)
    to_location = ctx.fdot(shares, [first[j] for j in others])
    among = ctx.fdot(shares, [ctx.fdot([distances[j][k] for k in others], shares) for j in others])
    return ctx.sqrt(max(total * to_location - among / 2, ctx.mpf(0)))
