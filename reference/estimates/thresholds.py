"""The recipe of section 6.1.2: f_med, the thresholds from its residual norms, and the bandwidth."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import (
    DegenerateBandwidth,
    DegenerateBandwidthWarning,
    InvalidInput,
    ModeCollapseWarning,
)
from rkde.reference.bandwidth import BANDWIDTH_RULES, median_nn_distinct
from rkde.reference.kernels import Kernel, squared_distance
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.reference.numbers import (
    QUANTILE_RULES,
    Matrix,
    Number,
    Row,
    Rows,
    guarded,
    is_decimal,
    number_list,
    positive_number,
    to_mpf,
    uniform_weights,
)
from rkde.reference.rkhs import distance_matrix
from rkde.reference.solvers import LIMIT_MAX_ITER, FixedPoint, limit_from
from rkde.settings import (
    AUTHORS_A_DIVISOR,
    AUTHORS_B_DIVISOR,
    Settings,
    check_choice,
    degenerate_thresholds,
    mode_collapse,
)
from rkde.vocabulary import MIN_RAMP, BandwidthRule, OnDegenerate, QuantileRule

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
        If X is not a table of finite numbers.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> median = median_rkde(ctx, [[0], [0], [0], [1], [5]], Gaussian(1))
    >>> print(median.certificate, *(ctx.nstr(weight, 5) for weight in median.weights))
    global 0.33333 0.33333 0.33333 0.0 0.0
    """
    distances = distance_matrix(ctx, X, kernel)
    return limit_from(ctx, distances, Absolute(), uniform_weights(ctx, len(distances)), LIMIT_MAX_ITER)


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
        If there are no distances, a distance is negative or not finite, a level lies outside [0, 1], levels
        decrease, or the rule is unknown.
    InvalidType
        If an entry is not a number.

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


# How many of a, b, c each loss takes.
THRESHOLD_COUNTS: Final[dict[type[Loss], int]] = {Quadratic: 0, Absolute: 0, Huber: 1, Hampel: 3}


def resolve_bandwidth(
    ctx: MPContext, rows: Matrix, bandwidth: Number | BandwidthRule, on_degenerate: OnDegenerate
) -> tuple[mpf, BandwidthRule | None]:
    """Return the bandwidth and the rule that gave it, None for a number.

    Raises
    ------
    DegenerateBandwidth
        If the rule gives 0 and no fall-back was asked for.
    InvalidInput, InvalidType
        If it is neither a rule nor a finite number > 0.
    """
    for rule, apply in BANDWIDTH_RULES.items():
        if bandwidth != rule:
            continue
        try:
            return apply(ctx, rows), rule
        except DegenerateBandwidth as error:
            if rule != "median_nn" or on_degenerate != "warn" or all(row == rows[0] for row in rows):
                raise
            warnings.warn(
                f"{error.problem}; used median_nn_distinct instead", DegenerateBandwidthWarning, stacklevel=2
            )
            return median_nn_distinct(ctx, rows), "median_nn_distinct"
    if isinstance(bandwidth, str) and not is_decimal(bandwidth):
        check_choice(bandwidth, tuple(BANDWIDTH_RULES), "bandwidth")
    positive_number(bandwidth, "bandwidth")
    return to_mpf(ctx, bandwidth), None


def recipe_thresholds(
    ctx: MPContext, norms: Row, settings: Settings[Number, Sequence[Number]]
) -> tuple[mpf, mpf, mpf]:
    """Return a, b, c among the distances d_i: quantiles, or the order statistics of the authors' program."""
    if settings.quantiles is not None and settings.quantile_rule is not None:
        return thresholds(ctx, norms, quantiles=settings.quantiles, quantile_rule=settings.quantile_rule)
    largest_first = sorted(norms, reverse=True)
    a = largest_first[max(1, len(norms) // AUTHORS_A_DIVISOR) - 1]
    b = largest_first[max(1, len(norms) // AUTHORS_B_DIVISOR) - 1]
    return a, b, largest_first[0]


def check_thresholds(ctx: MPContext, abc: Row) -> None:
    """Refuse thresholds, (a,) or (a, b, c), that leave the loss undefined: a = 0, or c - b <= MIN_RAMP c."""
    if not abc[0] or (len(abc) > 1 and abc[2] - abc[1] <= to_mpf(ctx, MIN_RAMP) * abc[2]):
        raise degenerate_thresholds(zero=not abc[0], shown=tuple(ctx.nstr(one, 17) for one in abc))


def warn_of_mode_collapse(ctx: MPContext, rows: Matrix, kernel: Kernel, weights: Row) -> None:
    """Warn where a cluster, two rows and a tenth of all rows at least, holds no weight at all.

    Rows of weight 0 are joined where kappa >= 1/2: their square in evaluations of the kernel.
    """
    left = [row for row, weight in zip(rows, weights, strict=True) if not weight]
    largest = 0
    while left:
        cluster, frontier = 0, [left.pop()]
        while frontier:
            cluster += 1
            row = frontier.pop()
            near = [
                2 * kernel.profile(ctx, squared_distance(ctx, row, other), len(row)) >= 1 for other in left
            ]
            frontier += [other for other, is_near in zip(left, near, strict=True) if is_near]
            left = [other for other, is_near in zip(left, near, strict=True) if not is_near]
        largest = max(largest, cluster)
    if (message := mode_collapse(largest, len(rows))) is not None:
        warnings.warn(message, ModeCollapseWarning, stacklevel=4)
