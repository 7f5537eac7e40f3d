"""Detection by a score: the ROC curve and the area under it (section 6.2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, as_extended, doubled_ranks, read_only


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve:
    """A receiver operating characteristic (section 6.2.3), from the strictest detector to the laxest.

    Attributes
    ----------
    thresholds : ndarray, shape (k + 1,)
        Infinity, where nothing is called positive, then the k distinct scores, falling: a score at or above
        the threshold is called positive.
    false_positive_rate : ndarray, shape (k + 1,)
        Share of the labels 0 that are called positive; rises from 0 to 1.
    true_positive_rate : ndarray, shape (k + 1,)
        Share of the labels 1 that are called positive; rises from 0 to 1.

    Examples
    --------
    >>> from rkde.fast import roc_curve
    >>> curve = roc_curve([3.0, 1.0, 2.0], [1, 0, 0])
    >>> curve.thresholds, curve.false_positive_rate
    (array([inf,  3.,  2.,  1.]), array([0. , 0. , 0.5, 1. ]))
    """

    thresholds: Floats
    false_positive_rate: Floats
    true_positive_rate: Floats


def roc_curve(scores: ArrayLike, labels: ArrayLike) -> RocCurve:
    """Return the rates of all detectors that call a row positive at or above a threshold on its score.

    Parameters
    ----------
    scores : array_like, shape (m,)
        Higher means more positive; infinities allowed.
    labels : array_like of 0 and 1, or boolean array, shape (m,)
        Both must occur.

    Returns
    -------
    RocCurve
        Its area, by the trapezoidal rule, is `auc`.

    Raises
    ------
    InvalidType, InvalidInput
        An argument is not a flat list of numbers, a score is NaN, a label is neither 0 nor 1, one class is
        missing, or the lengths differ.

    Notes
    -----
    One sort.

    References
    ----------
    Section 6.2.3.

    Examples
    --------
    >>> roc_curve([3.0, 1.0, 2.0, 2.0], [1, 0, 0, 1]).true_positive_rate
    array([0. , 0.5, 1. , 1. ])
    """
    values, positive = _read(scores, labels)
    rising, inverse = np.unique(values, return_inverse=True)
    counts = [np.bincount(inverse.reshape(-1)[side], minlength=len(rising)) for side in (~positive, positive)]
    false_rate, true_rate = (
        read_only(np.concatenate([[0], np.cumsum(count[::-1])]) / count.sum()) for count in counts
    )
    return RocCurve(read_only(np.concatenate([[np.inf], rising[::-1]])), false_rate, true_rate)


def auc(scores: ArrayLike, labels: ArrayLike) -> float:
    """Return the chance that a row of label 1 scores higher than one of label 0, ties counted half.

    Parameters
    ----------
    scores : array_like, shape (m,)
        Higher means more positive; infinities allowed, equal ones tie.
    labels : array_like of 0 and 1, or boolean array, shape (m,)
        Both must occur.

    Returns
    -------
    float
        Between 0 and 1; 1/2 where the scores tell nothing.

    Raises
    ------
    InvalidType, InvalidInput
        As for `roc_curve`.

    Notes
    -----
    With mid-ranks, 2 n_1 n_0 auc is twice the rank sum of the positives less n_1 (n_1 + 1): an integer, so
    the quotient is the only rounding. One sort.

    References
    ----------
    Section 6.2.3.

    Examples
    --------
    >>> auc([3.0, 1.0, 2.0, 2.0], [1, 0, 0, 1])
    0.875
    """
    values, positive = _read(scores, labels)
    n_positive = int(np.count_nonzero(positive))
    wins = int(doubled_ranks(values)[positive].sum()) - n_positive * (n_positive + 1)
    return wins / (2 * n_positive * (len(values) - n_positive))


def _read(scores: ArrayLike, labels: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    values = as_extended(scores, where="scores")
    # A mask, as comparisons of arrays make it, is fine; a list of truth values is refused like everywhere.
    is_mask = getattr(labels, "dtype", None) == np.bool_
    classes = as_extended(np.asarray(labels, dtype=np.float64) if is_mask else labels, where="labels")
    if len(values) != len(classes):
        raise InvalidInput(
            f"must have as many entries as there are scores ({len(values)})",
            where="labels",
            value=len(classes),
            remedy="pass one label for each score",
        )
    wrong = np.flatnonzero((classes != 0) & (classes != 1))
    if len(wrong):
        index = int(wrong[0])
        raise InvalidInput(
            "must be 0 or 1",
            where=f"labels, index {index}",
            value=float(classes[index]),
            remedy="pass 0 for an ordinary row and 1 for an outlier",
        )
    for label in (0, 1):
        if not (classes == label).any():
            raise InvalidInput(
                f"must contain both 0 and 1, got no {label}",
                where="labels",
                remedy="pass scores and labels of rows of both classes",
            )
    return values, classes == 1
