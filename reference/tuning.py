"""The paper's tuning (section 6.1.2): f_med, its distances d_i, and the thresholds a, b, c among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference._kernel import Kernel
from rkde.reference._limit import DEFAULT_MAX_ITER, limit_from
from rkde.reference._quantiles import QUANTILE_RULES
from rkde.reference.context import Number, guarded
from rkde.reference.inputs import Row, Rows, number_list, uniform_weights
from rkde.reference.losses import Absolute
from rkde.reference.results import FixedPoint
from rkde.reference.rkhs import distance_matrix
from rkde.vocabulary import QuantileRule

PAPER_QUANTILES: Final = ("0.5", "0.75", "0.85")
"""Section 6.1.2: a is the median of the d_i, b their 75th and c their 85th percentile."""


@guarded
def median_rkde(ctx: MPContext, X: Rows, kernel: Kernel) -> FixedPoint:
    """Return f_med, the limit of KIRWLS for the absolute loss from uniform weights (section 6.1.2).

    It is the minimiser of J, which is unique for three distinct locations or more. Between two locations of
    equal multiplicity J is constant and the uniform weights are their own limit; of two others the larger is
    the answer.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel

    Returns
    -------
    FixedPoint
        Its `residual_norms` are the distances d_i, in tau.

    Raises
    ------
    NotConverged
        If the limit is not reached; only data within rounding of a degenerate configuration come to this.
    InvalidInput, InvalidType
        If X is no table of finite numbers.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> median = median_rkde(ctx, [[0], [0], [0], [1], [5]], Gaussian(1))
    >>> print(median.certificate, *(ctx.nstr(weight, 5) for weight in median.weights))
    global 0.33333 0.33333 0.33333 0.0 0.0
    """
    distances = distance_matrix(ctx, X, kernel)
    return limit_from(ctx, distances, Absolute(), uniform_weights(ctx, len(distances)), DEFAULT_MAX_ITER)


@guarded
def thresholds(
    ctx: MPContext,
    residual_norms: Sequence[Number],
    *,
    quantiles: Sequence[Number] = PAPER_QUANTILES,
    quantile_rule: QuantileRule = "linear",
) -> tuple[mpf, mpf, mpf]:
    """Return quantiles of the distances d_i, by default a, b, c of section 6.1.2.

    Parameters
    ----------
    ctx : mpmath.MPContext
    residual_norms : sequence of numbers, shape (n,)
        The d_i, in tau, >= 0.
    quantiles : sequence of three numbers
        Levels in [0, 1], not decreasing.
    quantile_rule : str, default "linear"
        One of the 13 definitions, by numpy's names: nine of Hyndman and Fan (1996), and "lower", "higher",
        "midpoint", "nearest", which round the position of "linear".

    Returns
    -------
    tuple of three mpf
        a, b, c in tau; equal or zero thresholds are returned as they are.

    Raises
    ------
    InvalidInput
        If there is no distance, a distance is negative or not finite, a level lies outside [0, 1], levels
        decrease, or the rule is unknown.
    InvalidType
        If an entry is no number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(*thresholds(ctx, [1, 2, 4, 8, 16]))
    4.0 8.0 11.2
    """
    ordered = sorted(_distances(ctx, residual_norms))
    levels = _levels(ctx, quantiles)
    if quantile_rule not in QUANTILE_RULES:
        raise InvalidInput(
            "unknown quantile rule",
            where="quantile_rule",
            value=quantile_rule,
            remedy=f"use one of {', '.join(QUANTILE_RULES)}",
        )
    rule = QUANTILE_RULES[quantile_rule]
    a, b, c = (rule(ctx, ordered, level) for level in levels)
    return a, b, c


def _distances(ctx: MPContext, residual_norms: Sequence[Number]) -> Row:
    norms = number_list(ctx, residual_norms, "residual_norms")
    if not norms:
        raise InvalidInput("no distances", where="residual_norms", remedy="pass at least one")
    for index, norm in enumerate(norms):
        if norm < 0:
            raise InvalidInput(
                "a negative distance",
                where=f"residual_norms, row {index}",
                value=residual_norms[index],
                remedy="pass norms",
            )
    return norms


def _levels(ctx: MPContext, quantiles: Sequence[Number]) -> Row:
    levels = number_list(ctx, quantiles, "quantiles")
    increasing = len(levels) == 3 and 0 <= levels[0] <= levels[1] <= levels[2] <= 1
    if not increasing:
        raise InvalidInput(
            "quantiles are three levels in [0, 1] that do not decrease",
            where="quantiles",
            value=tuple(quantiles),
            remedy="pass three levels such as (0.5, 0.75, 0.85)",
        )
    return levels
