"""Tables that come through scikit-learn: its checks of shape and names of columns, then our own."""

from __future__ import annotations

import numpy as np
from numpy.exceptions import DTypePromotionError
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from rkde.errors import InvalidInput
from rkde.fast.inputs import Floats, TableLike, as_table


def read_rows(estimator: BaseEstimator, X: TableLike, *, reset: bool) -> Floats:
    """Check a table and return it as float64, with the names and the number of its columns compared or kept.

    Parameters
    ----------
    estimator : BaseEstimator
        Whose table it is.
    X : array_like, shape (n, d)
        Rows are observations; data frames are welcome.
    reset : bool
        True where the estimator is fitted: it then keeps number and names of the columns.

    Returns
    -------
    ndarray of float64, shape (n, d)

    Raises
    ------
    InvalidType, InvalidInput
        An entry that is no finite number; the first one is named by row and column.
    ValueError, TypeError
        What scikit-learn refuses by itself: another number of dimensions, sparse or complex tables, no row or
        column, and columns that differ in number or in name from those of the fit.
    """
    try:
        raw = check_array(X, dtype=None, ensure_all_finite=False, estimator=estimator, input_name="X")
    except DTypePromotionError:
        # Columns of dates beside numbers: scikit-learn's words would name neither row nor column.
        return as_table(np.asarray(X, dtype=object))
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    try:
        return as_table(X)
    except InvalidInput as error:
        try:
            check_array(raw, estimator=estimator, input_name="X")
        except (TypeError, ValueError) as reason:
            # Both say something: one the place, the other what users of scikit-learn look for.
            told = str(reason).partition("\n")[0]
            raise type(error)(
                f"{error.problem}: {told}", where=error.where, value=error.value, remedy=error.remedy
            ) from error
        raise
