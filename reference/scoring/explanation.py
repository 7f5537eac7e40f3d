"""Not in the paper: which columns make a row an outlier.

Around a row X_i the estimate f = sum_i w_i k_H(x - X_i) has a kernel with the matrix H = h^2 L L', where L
maps the coordinates of the fit to the units of the data. With q = (x - X_i)' (L L')^(-1) (x - X_i) in the
place of |x - X_i|^2,

    k_H(x - X_i) = k(0, 0) kappa(q) / |det L|.

The marginal of a Gaussian or a multivariate Student kernel for a set S of columns is the same kernel in |S|
dimensions with H_SS; degrees of freedom stay. So the density without column j is a sum of kernels too, and

    log f(x_j | the other columns) = log f(x) - log f_S(x_S),  S = all but j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.reference.estimates import Kde, Rkde
from rkde.reference.kernels import Gaussian, Student, squared_distance
from rkde.reference.numbers import Matrix, Ordered, Row, Rows, guarded, points, rounded, rounding_level
from rkde.reference.numbers import queries as query_points
from rkde.reference.rkhs import log_sum_exp


@dataclass(frozen=True, slots=True)
class Explanation:
    """What each column has to do with the density at m rows (not in the paper); all logarithms are natural.

    Attributes
    ----------
    rows : tuple of int, shape (m,), or None
        The rows of the fit that are explained, from 0; None for new rows.
    log_density : tuple of mpf, shape (m,)
        log f(x). For a row of the fit all densities here are without the row itself: its own kernel is left
        out, and the other weights are divided by their sum. -inf where it holds all of the weight.
    conditional_log_density : tuple of tuple of mpf, shape (m, d)
        log f(x_j | the other columns), per unit of column j.
    marginal_log_density : tuple of tuple of mpf, shape (m, d)
        log f(x_j), the column by itself.
    surprise : tuple of tuple of mpf, shape (m, d)
        By how many nats the conditional log density of a column is below that of a typical row, the median
        over the rows of the fit.
    gradient : tuple of tuple of mpf, shape (m, d)
        The gradient of log f, per unit of each column. 0 where the row holds all of the weight.
    nearest : tuple of int, shape (m,)
        The nearest row of the fit, in its coordinates, among those at least as dense as the one at which the
        densest hold half of the weight.
    nearest_row : tuple of tuple of mpf, shape (m, d)
        The same row, in the units of the data.

    Examples
    --------
    >>> from rkde.reference import Gaussian, explain, kde, make_context
    >>> ctx = make_context(20)
    >>> explanation = explain(ctx, kde(ctx, [[0, 0], [1, 1], [2, 5]], Gaussian(1)), rows=[2])
    >>> print(*(ctx.nstr(value, 6) for value in explanation.gradient[0]))
    -1.00247 -4.00247
    """

    rows: tuple[int, ...] | None
    log_density: Row
    conditional_log_density: Matrix
    marginal_log_density: Matrix
    surprise: Matrix
    gradient: Matrix
    nearest: tuple[int, ...]
    nearest_row: Matrix


@dataclass(frozen=True, slots=True)
class _Mixture:
    """An estimate in the units of the data: rows X = L Z, weights, a kernel, and the matrix L L'."""

    X: Matrix
    weights: Row
    kernel: Gaussian | Student
    square: Matrix

    @property
    def every(self) -> tuple[int, ...]:
        """All columns."""
        return tuple(range(len(self.square)))

    def root(self, ctx: MPContext, columns: Sequence[int]) -> Matrix:
        """Return the lower triangular root of (L L')_SS."""
        return _triangular_root(ctx, [[self.square[i][j] for j in columns] for i in columns])

    def log_terms(
        self, ctx: MPContext, x: Row, columns: Sequence[int], own: int | None
    ) -> list[tuple[int, mpf]]:
        """Return i and log w_i k_(H_SS)(x_S - X_iS) for each row of positive weight, but for row `own`."""
        root, dim = self.root(ctx, columns), len(columns)
        constant = self.kernel.log_normaliser(ctx, dim) - ctx.fsum(ctx.log(root[i][i]) for i in range(dim))
        terms = []
        for i, (row, weight) in enumerate(zip(self.X, self.weights, strict=True)):
            if weight > 0 and i != own:
                step = _solved(ctx, root, [x[j] - row[j] for j in columns])
                q = ctx.fsum(step, squared=True)
                terms.append((i, ctx.log(weight) + constant + self.kernel.log_profile(ctx, q, dim)))
        return terms

    def log_density(self, ctx: MPContext, x: Row, columns: Sequence[int], own: int | None) -> mpf:
        """Return log f_S(x_S), without the row `own`; the density of no columns is 1."""
        if not columns:
            return ctx.mpf(0)
        terms = [term for _, term in self.log_terms(ctx, x, columns, own)]
        if not terms:
            return ctx.ninf
        rest = ctx.fsum(weight for i, weight in enumerate(self.weights) if i != own)
        return log_sum_exp(ctx, terms) - ctx.log(rest)

    def log_conditional(self, ctx: MPContext, x: Row, own: int | None) -> Row:
        """Return log f(x_j | the other columns) for each column j."""
        joint = self.log_density(ctx, x, self.every, own)
        if joint == ctx.ninf:
            return (joint,) * len(self.every)
        return tuple(
            joint - self.log_density(ctx, x, [i for i in self.every if i != j], own) for j in self.every
        )

    def gradient(self, ctx: MPContext, x: Row, own: int | None) -> Row:
        """Return sum_i p_i c_i (L L')^(-1) (X_i - x), p_i being the share of row i in f(x).

        c_i is 1 / h^2 for the Gaussian and (nu + d) / (nu h^2 + q_i) for the Student kernel.
        """
        terms, root = self.log_terms(ctx, x, self.every, own), self.root(ctx, self.every)
        total = [ctx.mpf(0)] * len(x)
        if not terms:
            return tuple(total)
        log_total = log_sum_exp(ctx, [term for _, term in terms])
        h_squared = ctx.convert(self.kernel.bandwidth) ** 2
        for i, term in terms:
            step = _solved(ctx, root, [cell - at for cell, at in zip(self.X[i], x, strict=True)])
            factor = ctx.exp(term - log_total) / h_squared
            if isinstance(self.kernel, Student):
                nu = ctx.convert(self.kernel.dof)
                factor *= (nu + len(x)) / (nu + ctx.fsum(step, squared=True) / h_squared)
            total = [
                old + factor * new for old, new in zip(total, _solved_back(ctx, root, step), strict=True)
            ]
        return tuple(total)


@guarded
def explain(
    ctx: MPContext,
    estimate: Kde | Rkde,
    queries: Rows | None = None,
    *,
    rows: Sequence[int] | None = None,
    scale: Rows | None = None,
) -> Explanation:
    """Say which columns make new rows, or rows of the fit, unlikely (not in the paper).

    Parameters
    ----------
    ctx : mpmath.MPContext
    estimate : Kde or Rkde
        With a Gaussian or a Student kernel.
    queries : sequence of rows, shape (m, d), optional
        New rows, in the units of the data; may be empty.
    rows : sequence of int, shape (m,), optional
        Rows of the fit instead, from 0; each is explained without itself.
    scale : sequence of rows, shape (d, d), optional
        L, lower triangular: the rows z of the estimate are L z in the units of the data. By default the
        estimate is in these units.

    Returns
    -------
    Explanation

    Raises
    ------
    InvalidInput, InvalidType
        Both or none of `queries` and `rows` are given, one of them breaks a rule, or the kernel has no
        marginal of its own kind.

    Notes
    -----
    2 (d + 1) (m + n) n kernel evaluations. -inf is left out of the median, and is 0 where there is nothing
    else. For the dense rows, rows are taken by falling density until they hold half of the weight.

    Examples
    --------
    >>> from rkde.reference import Gaussian, kde, make_context
    >>> ctx = make_context(20)
    >>> estimate = kde(ctx, [[0, 0], [1, 1], [2, 2]], Gaussian("0.5"))
    >>> [ctx.nstr(value, 6) for value in explain(ctx, estimate, [[0, 2]]).surprise[0]]
    ['2.08878', '2.08878']
    """
    mixture = _mixture(ctx, estimate, scale)
    if rows is not None and queries is None:
        chosen = _row_numbers(rows, len(mixture.X))
        asked: list[tuple[Row, int | None]] = [(mixture.X[i], i) for i in chosen]
    elif queries is not None and rows is None:
        asked = [(x, None) for x in query_points(ctx, queries, len(mixture.square))]
    else:
        raise InvalidInput(
            "must not be given together with rows"
            if queries is not None
            else "must be given unless rows are",
            where="queries",
            remedy="pass new rows as queries, or row numbers of the fit as rows",
        )
    conditional = tuple(mixture.log_conditional(ctx, x, own) for x, own in asked)
    typical = _typical(ctx, mixture)
    dense = _dense(ctx, mixture)
    nearest = tuple(_nearest(ctx, mixture, dense, x) for x, _ in asked)
    return Explanation(
        rows=None if rows is None else chosen,
        log_density=tuple(mixture.log_density(ctx, x, mixture.every, own) for x, own in asked),
        conditional_log_density=conditional,
        marginal_log_density=tuple(
            tuple(mixture.log_density(ctx, x, [j], own) for j in mixture.every) for x, own in asked
        ),
        surprise=tuple(
            tuple(usual - value for usual, value in zip(typical, values, strict=True))
            for values in conditional
        ),
        gradient=tuple(mixture.gradient(ctx, x, own) for x, own in asked),
        nearest=nearest,
        nearest_row=tuple(mixture.X[i] for i in nearest),
    )


def _mixture(ctx: MPContext, estimate: Kde | Rkde, scale: Rows | None) -> _Mixture:
    candidate: object = estimate
    if not isinstance(candidate, (Kde, Rkde)):
        raise InvalidType(
            f"must be an estimate with one bandwidth, got an object of type {type(estimate).__name__}",
            where="estimate",
            remedy="pass what kde or rkde returned",
        )
    kernel = estimate.kernel
    if not isinstance(kernel, (Gaussian, Student)):
        raise InvalidInput(
            "must have a kernel whose marginals are known in closed form, Gaussian or Student",
            where="estimate",
            value=kernel,
            remedy="fit with the Gaussian or a Student kernel",
        )
    rows = estimate.X
    dim = len(rows[0])
    L = points(ctx, scale, "scale") if scale is not None else _identity(ctx, dim)
    is_square = len(L) == dim == len(L[0])
    if not is_square or not all(L[i][i] > 0 and not any(L[i][i + 1 :]) for i in range(dim)):
        raise InvalidInput(
            f"must be a lower triangular matrix of {dim} rows with numbers above 0 on the diagonal",
            where="scale",
            value=scale,
            remedy="pass the root that maps the coordinates of the fit to the units of the data",
        )
    data = tuple(tuple(ctx.fdot(line, row) for line in L) for row in rows)
    square = tuple(tuple(ctx.fdot(left, right) for right in L) for left in L)
    return _Mixture(data, estimate.weights, kernel, square)


def _identity(ctx: MPContext, dim: int) -> Matrix:
    return tuple(tuple(ctx.mpf(int(i == j)) for j in range(dim)) for i in range(dim))


def _row_numbers(rows: Sequence[int], count: int) -> tuple[int, ...]:
    for index, row in enumerate(rows):
        if isinstance(row, bool) or not isinstance(row, int):
            raise InvalidType(
                "must be a sequence of whole numbers",
                where="rows",
                value=rows,
                remedy="pass a list such as [3, 17]",
            )
        if not 0 <= row < count:
            raise InvalidInput(
                f"must be below the number of rows of the fit ({count}) and at least 0",
                where=f"rows, index {index}",
                value=row,
                remedy="pass row numbers counted from 0",
            )
    return tuple(rows)


def _typical(ctx: MPContext, mixture: _Mixture) -> Row:
    """Return the median of each conditional log density over the rows, each without itself, shape (d,)."""
    values = [mixture.log_conditional(ctx, row, i) for i, row in enumerate(mixture.X)]
    finite = [row for row in values if ctx.ninf not in row]
    if not finite:
        return (ctx.mpf(0),) * len(mixture.square)
    middle = ctx.mpf(len(finite) - 1) / 2
    return tuple(Ordered.of(ctx, column).mean_from(middle) for column in zip(*finite, strict=True))


def _dense(ctx: MPContext, mixture: _Mixture) -> list[int]:
    """Return the rows at least as dense as the one at which the densest hold half of the weight."""
    weights = mixture.weights
    kept = [i for i, weight in enumerate(weights) if weight > 0]
    logs = {i: mixture.log_density(ctx, mixture.X[i], mixture.every, None) for i in kept}
    # Equal weights may reach a half exactly, and equal densities differ by rounding.
    lowest, held, half = ctx.inf, ctx.mpf(0), ctx.fsum(weights) / 2 * (1 - rounding_level(ctx))
    for i in sorted(logs, key=lambda i: -logs[i]):
        if held < half:
            lowest = logs[i]
            held += weights[i]
    lowest -= rounding_level(ctx) * (1 + abs(lowest))
    return [i for i, log in logs.items() if log >= lowest]


def _nearest(ctx: MPContext, mixture: _Mixture, dense: Sequence[int], x: Row) -> int:
    """Return the nearest row to x among the dense ones, the first of ties."""
    root = mixture.root(ctx, mixture.every)
    at = _solved(ctx, root, x)
    return min(dense, key=lambda i: squared_distance(ctx, at, _solved(ctx, root, mixture.X[i])))


def _triangular_root(ctx: MPContext, square: Sequence[Sequence[mpf]]) -> Matrix:
    """Return Cholesky's R, lower triangular, with R R' equal to a matrix."""
    root: list[list[mpf]] = []
    for i, line in enumerate(square):
        row: list[mpf] = []
        for j in range(i):
            row.append((line[j] - ctx.fdot(row, root[j][:j])) / root[j][j])
        row.append(ctx.sqrt(line[i] - ctx.fsum(row, squared=True)))
        root.append(row)
    return tuple(tuple(row) + (ctx.mpf(0),) * (len(square) - len(row)) for row in root)


def _solved(ctx: MPContext, root: Matrix, right: Sequence[mpf]) -> Row:
    """Return R^(-1) times a vector."""
    found: list[mpf] = []
    for i, value in enumerate(right):
        found.append((value - ctx.fdot(found, root[i][:i])) / root[i][i])
    return tuple(found)


def _solved_back(ctx: MPContext, root: Matrix, right: Sequence[mpf]) -> Row:
    """Return R'^(-1) times a vector."""
    last = len(right) - 1
    turned = [[root[last - j][last - i] for j in range(last + 1)] for i in range(last + 1)]
    return _solved(ctx, tuple(map(tuple, turned)), right[::-1])[::-1]


@rounded.register(Explanation)
def _rounded_explanation(explanation: Explanation, ctx: MPContext) -> Explanation:
    def rounded_rows(matrix: Matrix) -> Matrix:
        return tuple(tuple(ctx.mpf(value) for value in row) for row in matrix)

    return replace(
        explanation,
        log_density=tuple(ctx.mpf(value) for value in explanation.log_density),
        conditional_log_density=rounded_rows(explanation.conditional_log_density),
        marginal_log_density=rounded_rows(explanation.marginal_log_density),
        surprise=rounded_rows(explanation.surprise),
        gradient=rounded_rows(explanation.gradient),
        nearest_row=rounded_rows(explanation.nearest_row),
    )
