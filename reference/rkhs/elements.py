"""Elements of the Hilbert space (section 2; Lemmas 3 to 5): inner products, residual norms, values (7).

Everything is in units of tau = |Phi(x)|: the kernel matrix is K/tau^2, and norms are multiples of tau.

Section 2: Phi(x) = k(., x), and H is the completion of the span of these functions. For all g in H,

    g(x) = <Phi(x), g>,    k(x, x') = <Phi(x), Phi(x')>,    |Phi(x)|^2 = k(x, x) = k(0, 0) = tau^2.

The KDE is the mean (1/n) sum_i Phi(X_i), and solves min_g sum_i |Phi(X_i) - g|^2.

Three lemmas from the beginning of section 8, which nothing computes:

Lemma 3 (holds: `theorems.lemma_3`).
    Let z_1, ..., z_m be distinct points in R^d. If K = (k(z_i, z_j)) is positive definite, then the
    Phi(z_i) = k(., z_i) are linearly independent.

Lemma 4 (holds: `theorems.lemma_4`).
    Let x_1, x_2, x_3 be distinct points with K = (k(x_i, x_j)) positive definite. For any g, h in H with
    g != h, Phi(x_i) - g and Phi(x_i) - h are linearly independent for some i.

Lemma 5 (holds: `theorems.lemma_5`).
    D_n = {g | g = sum_i w_i Phi(X_i), w_i >= 0, sum_i w_i = 1} is compact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.kernels import Kernel, checked_kernel, squared_distance
from rkde.reference.numbers import Matrix, Number, Row, Rows, guarded, normalised_weights, points, to_mpf
from rkde.reference.numbers import queries as query_points


@guarded
def gram(ctx: MPContext, X: Rows, kernel: Kernel) -> Matrix:
    """Return the kernel matrix K / tau^2 of section 5: kappa at each pair of rows.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel

    Returns
    -------
    tuple of tuple of mpf, shape (n, n)
        Symmetric, 1 on the diagonal, no unit.

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers.

    Notes
    -----
    Costs n (n - 1)/2 evaluations of the kernel.

    Examples
    --------
    >>> from rkde.reference import Student, make_context
    >>> ctx = make_context(20)
    >>> print(*gram(ctx, [[0], [1]], Student(1, 1))[1])
    0.5 1.0
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    dim = len(rows[0])
    return symmetric_matrix(
        rows, ctx.mpf(1), lambda x, y: kernel.profile(ctx, squared_distance(ctx, x, y), dim)
    )


@guarded
def distance_matrix(ctx: MPContext, X: Rows, kernel: Kernel) -> Matrix:
    """Return D_ij = |Phi(X_i) - Phi(X_j)|^2 = 2 (1 - kappa_ij), in tau^2 (section 2).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel

    Returns
    -------
    tuple of tuple of mpf, shape (n, n)
        Symmetric, exactly 0 for equal rows, each entry with full relative precision.

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers.

    Notes
    -----
    Costs n (n - 1)/2 evaluations of the kernel.

    Examples
    --------
    >>> from rkde.reference import Student, make_context
    >>> ctx = make_context(20)
    >>> print(*distance_matrix(ctx, [[0], [1]], Student(1, 1))[1])
    1.0 0.0
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    dim = len(rows[0])
    return symmetric_matrix(
        rows, ctx.mpf(0), lambda x, y: 2 * kernel.complement(ctx, squared_distance(ctx, x, y), dim)
    )


@guarded
def residual_norms(ctx: MPContext, X: Rows, kernel: Kernel, weights: Sequence[Number]) -> Row:
    """Return r_i = |Phi(X_i) - f_w| with f_w = sum_j w_j Phi(X_j), in tau.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.

    Returns
    -------
    tuple of mpf, shape (n,)
        Between 0 and sqrt(2).

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the weights break a rule.

    References
    ----------
    Section 3 for any element of the space, and section 4, the formula that follows the KIRWLS iteration.
    `printed_residual_norm` is the printed form.

    Examples
    --------
    >>> from rkde.reference import Student, make_context
    >>> ctx = make_context(20)
    >>> print(*residual_norms(ctx, [[0], [1]], Student(1, 1), [1, 0]))
    0.0 1.0
    """
    distances = distance_matrix(ctx, X, kernel)
    return norms_from_distances(ctx, distances, normalised_weights(ctx, weights, len(distances)))


def printed_residual_norm(ctx: MPContext, K: Matrix, weights: Row, j: int) -> mpf:
    """Return |Phi(X_j) - f| by the formula of section 3 and section 4 as printed, given the kernel matrix.

    |Phi(X_j) - f|^2 = <Phi(X_j), Phi(X_j)> - 2 <Phi(X_j), f> + <f, f>, where f = sum_i w_i Phi(X_i), so that

        <Phi(X_j), Phi(X_j)> = k(X_j, X_j),
        <Phi(X_j), f> = sum_i w_i k(X_j, X_i),
        <f, f> = sum_i sum_l w_i w_l k(X_i, X_l).

    The difference cancels where f is close to Phi(X_j), which is why `norms_from_distances` computes it in
    another way. A test asserts that the two agree.

    Shapes: K (n, n), as from `gram`, in tau^2; weights (n,).
    """
    rows = range(len(weights))
    phi_j_phi_j = K[j][j]
    phi_j_f = ctx.fsum(weights[i] * K[j][i] for i in rows)
    f_f = ctx.fsum(weights[i] * weights[m] * K[i][m] for i in rows for m in rows)
    return ctx.sqrt(max(phi_j_phi_j - 2 * phi_j_f + f_f, ctx.mpf(0)))


def norms_from_distances(ctx: MPContext, distances: Matrix, weights: Row) -> Row:
    """Return the residual norms, given D: r_i^2 = (D w)_i - w'D w / 2.

    This is the formula of `printed_residual_norm`, since K = 1 1' - D/2 and the weights sum to 1. Its
    difference loses precision only at a location that holds nearly all of the weight; there the norm is that
    of sum_j w_j (Phi_j - Phi_i), in which every term is small (`_norm_at_heavy_row`).

    Shapes: distances (n, n), as from `distance_matrix`, in tau^2; weights (n,), of sum 1; result (n,).
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


def residual_inner_product(distances: Matrix, norms: Row, i: int, j: int) -> mpf:
    """Return <Phi_i - f, Phi_j - f> = (r_i^2 + r_j^2 - D_ij)/2 in tau^2, by the law of cosines."""
    return (norms[i] ** 2 + norms[j] ** 2 - distances[i][j]) / 2


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


@guarded
def log_density(ctx: MPContext, X: Rows, kernel: Kernel, weights: Sequence[Number], queries: Rows) -> Row:
    """Return the natural logarithm of the weighted KDE, equation (7), at query points.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.
    queries : sequence of rows, shape (m, d)
        May be empty.

    Returns
    -------
    tuple of mpf, shape (m,)
        Finite at every query, since nothing leaves the logarithm's scale.

    Raises
    ------
    InvalidInput, InvalidType
        If a table or the weights break a rule.

    Notes
    -----
    Costs m n evaluations of the kernel's logarithm.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> print(*log_density(ctx, [[0], [1]], Gaussian("0.1"), ["0.5", "0.5"], [[10]]))
    -4049.3095006207705724
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    dim = len(rows[0])
    shares = normalised_weights(ctx, weights, len(rows))
    log_normaliser = kernel.log_normaliser(ctx, dim)
    kept = [(ctx.log(share), row) for share, row in zip(shares, rows, strict=True) if share > 0]
    return tuple(
        log_normaliser
        + log_sum_exp(
            ctx, [log + kernel.log_profile(ctx, squared_distance(ctx, query, row), dim) for log, row in kept]
        )
        for query in query_points(ctx, queries, dim)
    )


def log_sum_exp(ctx: MPContext, logs: Sequence[mpf]) -> mpf:
    """Return log(sum of exp(entry)) without leaving the logarithm's scale; at least one entry is finite."""
    largest = max(logs)
    return largest + ctx.log(ctx.fsum(ctx.exp(entry - largest) for entry in logs))


@dataclass(frozen=True, slots=True)
class RkhsElement:
    """An element sum_i weights_i Phi(points_i) of the Hilbert space of a kernel (section 2).

    Parameters
    ----------
    points : sequence of rows, shape (m, d)
    weights : sequence of numbers, shape (m,)
        Any finite numbers: coefficients, not necessarily of sum 1.
    kernel : Kernel

    Examples
    --------
    >>> from rkde.reference import Student, make_context
    >>> ctx = make_context(20)
    >>> difference = RkhsElement([[0], [1]], [1, -1], Student(1, 1))
    >>> print(difference.norm(ctx), difference.evaluate(ctx, [0]))
    1.0 0.5
    """

    points: Rows
    weights: Sequence[Number]
    kernel: Kernel

    @guarded
    def evaluate(self, ctx: MPContext, x: Sequence[Number]) -> mpf:
        """Return g(x) = <Phi(x), g> at a point x of shape (d,), in tau^2: the reproducing property."""
        return self.inner(ctx, RkhsElement([x], [1], self.kernel))

    @guarded
    def inner(self, ctx: MPContext, other: RkhsElement) -> mpf:
        """Return the inner product with another element of the same space, in tau^2."""
        rows, coefficients = self._read(ctx)
        other_rows, other_coefficients = other._read(ctx)
        dim = len(rows[0])
        if other.kernel != self.kernel or len(other_rows[0]) != dim:
            raise InvalidInput(
                "must belong to the same space, got an element of another kernel or dimension",
                where="other",
                remedy="use the same kernel and dimension for both",
            )
        return ctx.fdot(
            coefficients,
            [
                ctx.fdot(
                    other_coefficients,
                    [self.kernel.profile(ctx, squared_distance(ctx, x, y), dim) for y in other_rows],
                )
                for x in rows
            ],
        )

    @guarded
    def norm(self, ctx: MPContext) -> mpf:
        """Return the norm, in tau."""
        return ctx.sqrt(max(self.inner(ctx, self), ctx.mpf(0)))

    def _read(self, ctx: MPContext) -> tuple[Matrix, Row]:
        rows = points(ctx, self.points, "points")
        if len(self.weights) != len(rows):
            raise InvalidInput(
                f"must have as many entries as there are points ({len(rows)})",
                where="weights",
                value=len(self.weights),
                remedy="pass one number for each point",
            )
        return rows, tuple(to_mpf(ctx, entry, "weights") for entry in self.weights)


def symmetric_matrix(rows: Matrix, diagonal: mpf, entry: Callable[[Row, Row], mpf]) -> Matrix:
    """Return the matrix of a symmetric function of two rows, each pair computed once."""
    lower = [[entry(row, rows[j]) for j in range(i)] for i, row in enumerate(rows)]
    size = range(len(rows))
    return tuple(tuple(diagonal if i == j else lower[max(i, j)][min(i, j)] for j in size) for i in size)
