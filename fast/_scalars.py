"""Checks of single numbers, behind `rkde.fast.inputs`."""

from __future__ import annotations

import math
import numbers
from typing import Final

import numpy as np

from rkde.errors import InvalidInput, InvalidType

_NUMBER_REMEDY: Final = "give a float or an int; text, None and bool are not read as numbers"


def as_positive(value: object, *, where: str) -> float:
    """Check a parameter that must be a finite number above 0.

    Parameters
    ----------
    value : int or float
        The parameter; bool and text are refused.
    where : str
        The name that messages use.

    Returns
    -------
    float
        The nearest float64.

    Raises
    ------
    InvalidType
        Not a real number.
    InvalidInput
        Not finite, not above 0, or not representable as a float64.

    Examples
    --------
    >>> as_positive(2, where="bandwidth")
    2.0
    """
    number = as_number(value, where=where)
    if not (math.isfinite(number) and number > 0):
        raise InvalidInput(
            "must be a finite number above 0", where=where, value=value, remedy="give such a number"
        )
    return number


def as_number(value: object, *, where: str) -> float:
    """Check that `value` is a real number (not a bool, not text) and return the nearest float64.

    Parameters
    ----------
    value : int or float
        The number; infinity and NaN pass, since only the caller knows their meaning.
    where : str
        The name that messages use.

    Returns
    -------
    float

    Raises
    ------
    InvalidType
        Not a real number.
    InvalidInput
        A number beyond the range of float64.

    Examples
    --------
    >>> as_number(3, where="a")
    3.0
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        shown = ", not None" if value is None else ""
        raise InvalidType(f"must be a number{shown}", where=where, value=value, remedy=_NUMBER_REMEDY)
    try:
        return float(value)
    except OverflowError:
        raise InvalidInput(
            "is too large for a float64", where=where, remedy="divide the data by a constant"
        ) from None


def as_count(value: object, *, where: str, minimum: int) -> int:
    """Check a whole number of at least `minimum`.

    Parameters
    ----------
    value : int
        The number; bool is refused.
    where : str
        The name that messages use.
    minimum : int
        The smallest value allowed.

    Returns
    -------
    int

    Raises
    ------
    InvalidType
        Not an integer.
    InvalidInput
        Below the minimum.

    Examples
    --------
    >>> as_count(5, where="max_iter", minimum=1)
    5
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise InvalidType("must be a whole number", where=where, value=value, remedy="give an int")
    if value < minimum:
        raise InvalidInput(
            f"must be at least {minimum}", where=where, value=int(value), remedy=f"give {minimum} or more"
        )
    return int(value)
