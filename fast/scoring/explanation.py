"""Which columns make a row an outlier: its log density given the other columns, by exact marginals.

The columns other than j have the density of the same kernels in one dimension less (`marginals`), so that
log f(x) - log f(x without x_j) = log f(x_j | the others) takes no integral.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_queries,
    check_column_names,
    linear_quantile,
    read_sample_weight,
    scale_rows,
    separations,
    weighted_quantile,
)
from rkde.fast._resources import summary_html
from rkde.fast.bandwidth import Scaling
from rkde.fast.estimates import Kde, Rkde
from rkde.fast.kernels import Gaussian, Student, log_profiles
from rkde.fast.operators import BLOCK_PAIRS
from rkde.fast.rkhs import leave_one_out
from rkde.fast.scoring.dense import DenseRows
from rkde.fast.scoring.marginals import marginal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The typical row is the median over at most so many rows of the fit, spread evenly over their order; its
# error, some 1/25 of a standard deviation, is nothing beside a surprise, and its cost stays that of a fit.
TYPICAL_ROWS: Final = 2**10
# What a summary shows: rows, and columns a row.
_SHOWN_ROWS: Final = 10
_SHOWN_COLUMNS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """What each column has to do with the density at m rows; all logarithms are natural.

    Attributes
    ----------
    rows : ndarray of int, shape (m,), or None
        The rows of the fit that are explained, from 0; None for new rows.
    log_density : ndarray, shape (m,)
        log f(x). For a row of the fit all densities here are without the row itself: its own kernel is left
        out, and the other weights are divided by their sum. -inf where it holds all of the weight.
    conditional_log_density : ndarray, shape (m, d)
        log f(x_j | the other columns), per unit of column j.
    marginal_log_density : ndarray, shape (m, d)
        log f(x_j), the column by itself.
    surprise : ndarray, shape (m, d)
        By how many nats the conditional log density of a column is below that of a typical row, the median
        over the rows of the fit: free of units, large where the column does not go with the others.
    gradient : ndarray, shape (m, d)
        The gradient of log f, per unit of each column: uphill. 0 where the row holds all of the weight.
    nearest : ndarray of int, shape (m,)
        The nearest row of the fit, in its coordinates, among those at least as dense as the one at which the
        densest hold half of the weight.
    nearest_row : ndarray, shape (m, d)
        The same row, in the units of the data.
    columns : tuple of str, shape (d,) or (0,)
        Names of the columns, where the fit has them.

    Examples
    --------
    >>> from rkde.fast import Gaussian, explain, kde
    >>> estimate = kde([[0.0, 0.0], [0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.1, 2.0]], Gaussian(0.2))
    >>> explanation = explain(estimate, rows=[4])
    >>> explanation
    row 4: column 1 (surprise 37.2 nats) given the others, then 0 (surprise 0.1 nats)
    >>> explanation.order, explanation.nearest_row
    (array([[1, 0]]), array([[0.3, 0.3]]))
    """

    rows: NDArray[np.intp] | None
    log_density: Floats
    conditional_log_density: Floats
    marginal_log_density: Floats
    surprise: Floats
    gradient: Floats
    nearest: NDArray[np.intp]
    nearest_row: Floats
    columns: tuple[str, ...] = ()

    @property
    def order(self) -> NDArray[np.intp]:
        """The columns of each row, the most surprising first, shape (m, d)."""
        return np.argsort(-self.surprise, axis=1, kind="stable")

    def plot(self, **options: Any) -> Figure:
        """Draw the surprises as bars; the options are those of `rkde.plotting.plot_explanation`."""
        from rkde.plotting import plot_explanation

        return plot_explanation(self, **options)

    def __repr__(self) -> str:
        """Name the columns of each row that surprise most."""
        count = len(self.log_density)
        lines = [_line(self, index) for index in range(min(count, _SHOWN_ROWS))]
        if count > _SHOWN_ROWS:
            lines.append(f"... and {count - _SHOWN_ROWS} more rows")
        return "\n".join(lines) or "no rows"

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        told = [line.split(": ", 1) for line in repr(self).splitlines() if ": " in line]
        return summary_html("surprise of the columns, by row", [(place, text) for place, text in told])


def _line(explanation: Explanation, index: int) -> str:
    place = f"query {index}" if explanation.rows is None else f"row {explanation.rows[index]}"
    count = explanation.surprise.shape[1]
    names = [repr(name) for name in explanation.columns] or [str(j) for j in range(count)]
    told = [
        f"{names[j]} (surprise {_rounded(explanation.surprise[index, j])} nats)"
        for j in explanation.order[index, :_SHOWN_COLUMNS]
    ]
    given = " given the others" if len(names) > 1 else ""
    then = f", then {', '.join(told[1:])}" if told[1:] else ""
    return f"{place}: column {told[0]}{given}{then}"


def _rounded(surprise: float) -> str:
    # Adding 0 turns -0 into 0.
    return f"{round(float(surprise), 1) + 0.0:.1f}"


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """An estimate as a mixture, in its coordinates; the first n points are its rows.

    Where rows are counted, one copy of each comes first, which can be left out, and then the others.
    """

    X: Floats
    points: Floats
    weights: Floats
    kernel: Gaussian | Student
    scaling: Scaling | None
    sample_weight: SampleWeight | None

    @property
    def dim(self) -> int:
        return int(self.X.shape[1])

    def log_marginal(self, columns: NDArray[np.intp], places: Floats, own: NDArray[np.intp]) -> Floats:
        """Return the log density of some columns at places (m, d), without the points `own` (m,)."""
        if not len(columns):
            return np.zeros(len(places))
        chosen = marginal(self.scaling, columns)
        logs = leave_one_out(chosen.of(self.points), self.kernel, self.weights, chosen.of(places), own)
        return logs - chosen.log_volume

    def log_conditional(self, joint: Floats, places: Floats, own: NDArray[np.intp]) -> Floats:
        """Return the log density of each column given the others, shape (m, d); `joint` is that of all."""
        every = np.arange(self.dim)
        result = np.empty((len(places), self.dim))
        for column in every:
            others = self.log_marginal(np.delete(every, column), places, own)
            # Both are -inf where nothing but the row itself has a weight.
            result[:, column] = joint - np.where(np.isfinite(joint), others, 0.0)
        return result


def explain(
    estimate: Rkde | Kde,
    queries: TableLike | None = None,
    *,
    rows: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> Explanation:
    """Say which columns make new rows, or rows of the fit, unlikely.

    Parameters
    ----------
    estimate : Rkde or Kde
        With a Gaussian or a Student kernel.
    queries : array_like, shape (m, d), optional
        New rows, in the units of the data; may be empty.
    rows : array_like of int, shape (m,), optional
        Rows of the fit instead, from 0; each is explained without itself. A saved model holds the rows of
        positive weight only, so that their numbers are others than those of the table.
    sample_weight : array_like, shape (n,), optional
        The weights that the rows of a `Kde` were given: of a counted row one copy is left out. An `Rkde` has
        its own.

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
    (2 d + 2) m n + (d + 1) N n kernel evaluations, N being the number of rows of the fit or 1024 if there are
    more: the median of `surprise`, and the density from which on a row is dense, are those of so many rows,
    spread evenly. For `nearest` the density is computed at the rows nearby until one is dense enough.

    Examples
    --------
    >>> from rkde.fast import Gaussian, kde
    >>> line = np.linspace(-1.0, 1.0, 21)
    >>> estimate = kde(np.column_stack([line, line]), Gaussian(0.1))
    >>> explain(estimate, [[0.0, 0.0], [0.5, -0.5]]).surprise.round(1)
    array([[-0.3, -0.3],
           [24.7, 24.7]])
    """
    fit = _read(estimate, sample_weight)
    names = estimate.columns if isinstance(estimate, Rkde) else ()
    if queries is not None and rows is None:
        check_column_names(queries, names)
        chosen, places = None, _queries(fit, queries)
        own = np.full(len(places), -1)
    elif rows is not None and queries is None:
        chosen = _row_numbers(rows, len(fit.X))
        places, own = fit.X[chosen], _own(fit, chosen)
    else:
        raise InvalidInput(
            "must not be given together with rows"
            if queries is not None
            else "must be given unless rows are",
            where="queries",
            remedy="pass new rows as queries, or row numbers of the fit as rows",
        )
    return _explained(fit, places, own, chosen, names)


def _explained(
    fit: _Fit,
    places: Floats,
    own: NDArray[np.intp],
    chosen: NDArray[np.intp] | None,
    names: tuple[str, ...],
) -> Explanation:
    every = np.arange(fit.dim)
    joint = fit.log_marginal(every, places, own)
    conditional = fit.log_conditional(joint, places, own)
    alone = [fit.log_marginal(every[j : j + 1], places, own) for j in every]
    nearest = _nearest_dense(fit, places)
    data = fit.X[nearest]
    return Explanation(
        rows=chosen,
        log_density=joint,
        conditional_log_density=conditional,
        marginal_log_density=np.column_stack(alone),
        surprise=_typical(fit) - conditional,
        gradient=_gradient(fit, places, own),
        nearest=nearest,
        nearest_row=data if fit.scaling is None else fit.scaling.undo(data),
        columns=names,
    )


def _queries(fit: _Fit, queries: TableLike) -> Floats:
    return as_queries(queries, fit.dim) if fit.scaling is None else fit.scaling.apply(queries)


def _read(estimate: Rkde | Kde, sample_weight: ArrayLike | None) -> _Fit:
    if not isinstance(estimate, (Rkde, Kde)):
        raise InvalidType(
            f"must be an estimate with one bandwidth, got an object of type {type(estimate).__name__}",
            where="estimate",
            remedy="pass what rkde.fit or rkde.fast.kde returned",
        )
    kernel = estimate.kernel
    if not isinstance(kernel, (Gaussian, Student)):
        raise InvalidInput(
            "must have a kernel whose marginals are known in closed form, Gaussian or Student",
            where="estimate",
            value=kernel,
            remedy="fit with the Gaussian or a Student kernel",
        )
    X, weights = estimate.X, estimate.weights
    scaling = estimate.scaling if isinstance(estimate, Rkde) else None
    if sample_weight is None and isinstance(estimate, Rkde):
        sample_weight = estimate.sample_weight
    given = read_sample_weight(sample_weight, len(X))
    if given is None or not given.is_counted:
        return _Fit(X, X, weights, kernel, scaling, given)
    one = weights / np.maximum(given.given, 1.0)
    others = one * np.maximum(given.given - 1, 0.0)
    return _Fit(X, np.concatenate((X, X)), np.concatenate((one, others)), kernel, scaling, given)


def _row_numbers(rows: ArrayLike, count: int) -> NDArray[np.intp]:
    raw = np.asarray(rows)
    if raw.ndim != 1 or (raw.size and raw.dtype.kind not in "iu"):
        raise InvalidType(
            "must be a sequence of whole numbers",
            where="rows",
            value=rows,
            remedy="pass a list such as [3, 17]",
        )
    beyond = np.flatnonzero((raw < 0) | (raw >= count))
    if len(beyond):
        raise InvalidInput(
            f"must be below the number of rows of the fit ({count}) and at least 0",
            where=f"rows, index {beyond[0]}",
            value=int(raw[beyond[0]]),
            remedy="pass row numbers counted from 0",
        )
    return raw.astype(np.intp)


def _own(fit: _Fit, chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    if fit.sample_weight is None:
        return chosen
    # A removed row has no copy to leave out.
    return np.where(fit.sample_weight.given[chosen] > 0, chosen, -1)


def _typical(fit: _Fit) -> Floats:
    """Return the median of each conditional log density over rows of the fit, shape (d,).

    A row that holds all of the weight has none; where there is no other, the result is 0.
    """
    kept = np.arange(len(fit.X)) if fit.sample_weight is None else fit.sample_weight.kept
    # Whole numbers times a ratio of at least 1: no row comes twice.
    count = min(len(kept), TYPICAL_ROWS)
    sampled = np.arange(count) * len(kept) // count
    own = kept[sampled]
    places = fit.X[own]
    joint = fit.log_marginal(np.arange(fit.dim), places, own)
    conditional = fit.log_conditional(joint, places, own)
    finite = np.isfinite(joint)
    if not finite.any():
        return np.zeros(fit.dim)
    if fit.sample_weight is None:
        return np.array([linear_quantile(values[finite], 1 / 2) for values in conditional.T])
    is_chosen = np.zeros(len(kept), dtype=np.bool_)
    is_chosen[sampled[finite]] = True
    among = fit.sample_weight.among(is_chosen)
    return np.array([weighted_quantile(values[finite], among, 1 / 2, "linear") for values in conditional.T])


def _gradient(fit: _Fit, places: Floats, own: NDArray[np.intp]) -> Floats:
    """Return the gradient of log f, per unit of the data, shape (m, d).

    Notes
    -----
    In the coordinates of the fit it is sum_i p_i c_i (Z_i - z), where p_i are the shares of the points in the
    density and c_i = 1 / h^2 for the Gaussian, (nu + d) / (nu h^2 + |z - Z_i|^2) for the Student kernel. The
    shares come from logarithms less their largest, so that they do not underflow together.
    """
    kept = np.flatnonzero(fit.weights > 0)
    column = np.full(len(fit.weights) + 1, -1)
    column[kept] = np.arange(len(kept))
    points, logs_of_weights = fit.points[kept], np.log(fit.weights[kept])
    step = max(1, BLOCK_PAIRS // len(kept))
    result = np.empty((len(places), fit.dim))
    for start in range(0, len(places), step):
        block = places[start : start + step]
        shares = _shares(fit, block, points, logs_of_weights, column[own[start : start + step]])
        result[start : start + step] = _pull(fit, block, points, shares)
    return _per_unit(fit.scaling, result)


def _shares(
    fit: _Fit, places: Floats, points: Floats, logs_of_weights: Floats, column: NDArray[np.intp]
) -> Floats:
    h = fit.kernel.bandwidth
    logs = log_profiles(fit.kernel, scale_rows(places, h), scale_rows(points, h)) + logs_of_weights
    with_own = np.flatnonzero(column >= 0)
    logs[with_own, column[with_own]] = -math.inf
    largest = logs.max(axis=1, keepdims=True)
    with np.errstate(under="ignore"):
        shares = np.exp(logs - np.where(np.isfinite(largest), largest, 0.0))
        total = shares.sum(axis=1, keepdims=True)
        return np.asarray(shares / np.where(total > 0, total, 1.0))


def _pull(fit: _Fit, places: Floats, points: Floats, shares: Floats) -> Floats:
    kernel = fit.kernel
    h = kernel.bandwidth
    with np.errstate(under="ignore", over="ignore"):
        if isinstance(kernel, Student):
            squares = separations(scale_rows(places, h), scale_rows(points, h), h, squared=True)
            shares = shares * ((kernel.dof + fit.dim) / (kernel.dof + squares))
        # Differences first: a mean of the points less the place would cancel.
        pulls = [(shares * ((points[:, j] - places[:, j : j + 1]) / h)).sum(axis=1) for j in range(fit.dim)]
        return np.column_stack(pulls) / h


def _per_unit(scaling: Scaling | None, gradient: Floats) -> Floats:
    """Return L'^(-1) times each row."""
    if scaling is None:
        return gradient
    if scaling.scale.ndim == 1:
        return gradient / scaling.scale
    return np.asarray(np.linalg.solve(scaling.scale.T, gradient.T).T, dtype=np.float64)


def _nearest_dense(fit: _Fit, places: Floats) -> NDArray[np.intp]:
    weights = fit.weights[: len(fit.X)]
    if len(fit.points) > len(fit.X):
        weights = weights + fit.weights[len(fit.X) :]
    return DenseRows(fit.X, weights, fit.kernel, TYPICAL_ROWS).nearest(places)
