"""Coordinates in which columns of different units can share one bandwidth, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    MOST_COPIES,
    Floats,
    TableLike,
    as_queries,
    as_table,
    as_vector,
    read_only,
    read_sample_weight,
)
from rkde.fast.bandwidth.pairs import robust_scales
from rkde.settings import check_choice
from rkde.vocabulary import MAX_CONDITION

# What a scaling is called, and what may be chosen by name.
ScalingName = Literal["robust", "robust-covariance", "numbers"]
ScaleName = Literal["robust", "robust-covariance", "none"]
SCALES: Final[tuple[ScaleName, ...]] = ("robust", "robust-covariance", "none")


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """The map z = (x - centre) / scale, column by column, or z = root^(-1) (x - centre).

    Attributes
    ----------
    name : {"robust", "robust-covariance", "numbers"}
        How it was chosen.
    centre : ndarray, shape (d,)
        The middle of each column, in its unit.
    scale : ndarray, shape (d,) or (d, d)
        The scale of each column, in its unit, above 0; or a lower triangular root of a covariance.

    Examples
    --------
    >>> scaling = Scaling("numbers", np.array([1.0]), np.array([2.0]))
    >>> scaling.apply([[5.0]]), scaling.undo(np.array([[2.0]])), round(scaling.log_volume, 3)
    (array([[2.]]), array([[5.]]), 0.693)
    """

    name: ScalingName
    centre: Floats
    scale: Floats

    @property
    def log_volume(self) -> float:
        """The logarithm of the volume, in units of the data, of a cube of side 1 in the new coordinates."""
        return float(np.log(self.sides).sum())

    @property
    def sides(self) -> Floats:
        """The scale of each column, or the diagonal of the root, shape (d,)."""
        return self.scale if self.scale.ndim == 1 else np.diagonal(self.scale)

    def apply(self, rows: TableLike) -> Floats:
        """Return rows of shape (m, d) in the new coordinates."""
        read = as_queries(rows, len(self.centre))
        with np.errstate(over="ignore", under="ignore"):
            moved = read - self.centre
            scaled: Floats = moved / self.scale if self.scale.ndim == 1 else _solved(self.scale, moved)
        lost = np.argwhere(~np.isfinite(scaled))
        if len(lost):
            row, column = lost[0].tolist()
            raise InvalidInput(
                "must stay within float64 when it is divided by the scale of its column",
                where=f"X, row {row}, column {column}",
                value=float(read[row, column]),
                remedy='correct the entry, leave the row out, or fit with scale="none"',
            )
        return np.ascontiguousarray(scaled)

    def undo(self, rows: Floats) -> Floats:
        """Return rows of shape (m, d) of the new coordinates in units of the data."""
        moved = rows * self.scale if self.scale.ndim == 1 else rows @ self.scale.T
        return moved + self.centre


def _solved(root: Floats, moved: Floats) -> Floats:
    """Return root^(-1) times each row."""
    return np.asarray(np.linalg.solve(root, moved.T).T, dtype=np.float64)


def read_scaling(
    X: TableLike, scale: ScaleName | ArrayLike, *, sample_weight: ArrayLike | None = None
) -> Scaling | None:
    """Return the scaling of a table.

    Shapes: X (n, d); scale (d,); sample_weight (n,).

    Examples
    --------
    >>> read_scaling([[0.0], [1.0], [2.0], [3.0]], "robust").scale.round(2)
    array([2.22])
    """
    rows = as_table(X)
    if not isinstance(scale, str):
        return _by_numbers(rows, as_vector(scale, where="scale"))
    check_choice(scale, SCALES, "scale")
    if scale == "none":
        return None
    weights = read_sample_weight(sample_weight, len(rows))
    scales = robust_scales(rows, sample_weight=sample_weight)
    kept = rows if weights is None else weights.rows_of(rows)
    # An entry of each column, so that differences are exact where those of the rows are.
    centre = np.sort(kept, axis=0)[(len(kept) - 1) // 2]
    if scale == "robust":
        return Scaling("robust", read_only(centre), read_only(scales))
    if weights is not None and not (weights.is_counted and weights.total <= MOST_COPIES):
        raise InvalidInput(
            f"must be whole numbers with a sum of at most {MOST_COPIES} for a robust covariance, "
            f"got {weights.not_copied()}",
            where="sample_weight",
            remedy='use scale="robust", or pass such counts',
        )
    return _by_covariance(rows if weights is None else weights.copied(rows), centre, scales)


def _by_numbers(rows: Floats, scales: Floats) -> Scaling:
    if len(scales) != rows.shape[1]:
        raise InvalidInput(
            f"must have as many entries as there are columns ({rows.shape[1]})",
            where="scale",
            value=len(scales),
            remedy="pass one scale for each column",
        )
    if not (scales > 0).all():
        index = int(np.flatnonzero(scales <= 0)[0])
        raise InvalidInput(
            "must be above 0",
            where=f"scale, index {index}",
            value=float(scales[index]),
            remedy='pass positive numbers in the units of the columns, or "robust"',
        )
    centre = np.sort(rows, axis=0)[(len(rows) - 1) // 2]
    return Scaling("numbers", read_only(centre), read_only(scales))


def _by_covariance(rows: Floats, centre: Floats, scales: Floats) -> Scaling:
    try:
        from sklearn.covariance import MinCovDet
    except ImportError as error:
        raise ImportError(
            'scale="robust-covariance" needs scikit-learn, which is not installed; '
            'run: python -m pip install "rkde[sklearn]"'
        ) from error
    with np.errstate(over="ignore", under="ignore"):
        moved = (rows - centre) / scales
        squares = moved * moved
    if len(rows) == 1 or not np.isfinite(squares).all():
        raise InvalidInput(
            'must be "robust" for a single row, or if the square of a scaled entry exceeds the range of '
            "float64",
            where="scale",
            value="robust-covariance",
            remedy='use scale="robust"',
        )
    estimate = MinCovDet(random_state=0).fit(moved)
    values = np.linalg.eigvalsh(estimate.covariance_)
    if values[0] * float(MAX_CONDITION) <= values[-1]:
        raise InvalidInput(
            'must be "robust" where the robust covariance of the columns is singular',
            where="scale",
            value="robust-covariance",
            remedy='use scale="robust", or leave out columns that the others determine',
        )
    root = scales[:, np.newaxis] * np.linalg.cholesky(estimate.covariance_)
    return Scaling("robust-covariance", read_only(centre), read_only(root))
