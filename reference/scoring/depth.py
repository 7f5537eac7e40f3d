"""The kernelized spatial depth, with which section 6.2.3 compares."""

from __future__ import annotations

from mpmath import MPContext, mpf

from rkde.reference.kernels import Kernel, checked_kernel, squared_distance
from rkde.reference.numbers import Matrix, Row, Rows, guarded, points
from rkde.reference.numbers import queries as query_points
from rkde.reference.rkhs import distance_matrix


@guarded
def depth(ctx: MPContext, X: Rows, kernel: Kernel, queries: Rows) -> Row:
    """Return 1 - |sum of the unit vectors from the rows to a query| / m in the Hilbert space.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    queries : sequence of rows, shape (m, d)
        May be empty.

    Returns
    -------
    tuple of mpf, shape (m,)
        Between 0 (outside, in one direction from all rows) and 1 (in the middle). Rows equal to the query
        have no direction and are left out; m is n - 1 if there are any, else n, and m = 0 gives 1.

    Raises
    ------
    InvalidInput, InvalidType
        If a table breaks a rule, or `kernel` is not a kernel.

    Notes
    -----
    With D_i the squared distance |Phi(x) - Phi(X_i)|^2 and v_i = D_i^(-1/2), the squared length of the sum is
    (sum v) (sum v_i D_i) - v'D v / 2. Its terms cancel where the query is in the middle, or so near to a row
    that v is large; so it is computed with twice the digits and those that the size of v costs. Costs
    n (n - 1)/2 kernel values and n^2 products for each query.

    Examples
    --------
    >>> from rkde.reference import Laplacian, make_context
    >>> ctx = make_context(20)
    >>> print(*depth(ctx, [[-1], [1]], Laplacian(1), [[1], [5]]))
    0.0 0.11593456154783686582
    """
    checked_kernel(kernel)
    nearest = min(
        (value for row in _to_queries(ctx, X, kernel, queries) for value in row if value), default=ctx.mpf(1)
    )
    with ctx.workprec(2 * ctx.prec + max(0, -ctx.mag(nearest))):
        among = distance_matrix(ctx, X, kernel)
        depths = [_depth_at(ctx, to_query, among) for to_query in _to_queries(ctx, X, kernel, queries)]
    return tuple(ctx.mpf(value) for value in depths)


def _to_queries(ctx: MPContext, X: Rows, kernel: Kernel, queries: Rows) -> Matrix:
    """Return the squared feature distance of each query to each row, in tau^2; shape (m, n)."""
    rows = points(ctx, X)
    dim = len(rows[0])
    return tuple(
        tuple(2 * kernel.complement(ctx, squared_distance(ctx, query, row), dim) for row in rows)
        for query in query_points(ctx, queries, dim)
    )


def _depth_at(ctx: MPContext, to_query: Row, among: Matrix) -> mpf:
    others = [index for index, distance in enumerate(to_query) if distance]
    count = len(to_query) - (len(others) < len(to_query))
    if not count:
        return ctx.mpf(1)
    if not any(among[i][j] for i in others for j in others):
        # All at one place: the unit vectors are equal.
        return ctx.mpf(count - len(others)) / count
    norms = [ctx.sqrt(to_query[index]) for index in others]
    inverses = [1 / norm for norm in norms]
    spread = ctx.fdot(inverses, [ctx.fdot(inverses, [among[i][j] for j in others]) for i in others])
    square = ctx.fsum(inverses) * ctx.fsum(norms) - spread / 2
    return 1 - ctx.sqrt(max(square, ctx.mpf(0))) / count
