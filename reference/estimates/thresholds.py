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
)
from rkde.reference.bandwidth import BANDWIDTH_RULES, median_nn_distinct
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.reference.numbers import (
    QUANTILE_RULES,
    Masses,
    Matrix,
    Number,
    Ordered,
    Row,
    Rows,
    check_rule_for,
    guarded,
    is_decimal,
    number_list,
    positive_number,
    row_masses,
    to_mpf,
)
from rkde.reference.rkhs import distance_matrix
from rkde.reference.solvers import LIMIT_MAX_ITER, FixedPoint, limit_from, spread_run
from rkde.settings import (
    AUTHORS_A_DIVISOR,
    AUTHORS_B_DIVISOR,
    Settings,
    check_choice,
    degenerate_thresholds,
)
from rkde.vocabulary import MIN_RAMP, BandwidthRule, OnDegenerate, QuantileRule

PAPER_QUANTILES: Final = ("0.5", "0.75", "0.85")
"""Section 6.1.2: a is the median of the d_i, b their 75th and c their 85th percentile."""


@guarded
def median_rkde(
    ctx: MPContext, X: Rows, kernel: Kernel, *, sample_weight: Sequence[Number] | None = None
) -> FixedPoint:
    """Return f_med, the limit of KIRWLS for the absolute loss from uniform weights (section 6.1.2).

    It is the minimiser of J, which is unique for three distinct locations or more. Between two locations of
    equal mass J is constant and the uniform weights are their own limit; of two others the larger is the
    answer.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    FixedPoint
        Its `residual_norms` are the distances d_i, in tau.

    Raises
    ------
    NotConverged
        If the limit is not reached; this happens only for data within rounding of a degenerate configuration.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> median = median_rkde(ctx, [[0], [0], [0], [1], [5]], Gaussian(1))
    >>> print(median.certificate, *(ctx.nstr(weight, 5) for weight in median.weights))
    global 0.33333 0.33333 0.33333 0.0 0.0
    """
    distances = distance_matrix(ctx, X, kernel)
    masses = row_masses(ctx, sample_weight, len(distances))
    block = masses.block_of(distances)
    limit = limit_from(ctx, block, Absolute(), masses.shares, LIMIT_MAX_ITER, masses)
    return spread_run(ctx, limit, distances, masses)


@guarded
def thresholds(
    ctx: MPContext,
    residual_norms: Sequence[Number],
    *,
    quantiles: Sequence[Number] = PAPER_QUANTILES,
    quantile_rule: QuantileRule = "linear",
    sample_weight: Sequence[Number] | None = None,
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
        "midpoint", "nearest", which round the position of "linear". These four and "closest_observation" are
        refused with sample weights that are not whole numbers; `rkde.reference.numbers.quantiles` says why.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    tuple of three mpf
        a, b, c in tau; equal or zero thresholds are returned as they are.

    Raises
    ------
    InvalidInput
        If there are no distances, a distance is negative or not finite, a level lies outside [0, 1], levels
        decrease, the rule is unknown or not defined for the weights, or the weights break a rule.
    InvalidType
        If an entry is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(*thresholds(ctx, [1, 2, 4, 8, 16]))
    4.0 8.0 11.2
    """
    distances = _distances(ctx, residual_norms)
    masses = row_masses(ctx, sample_weight, len(distances))
    levels = _levels(ctx, quantiles)
    if quantile_rule not in QUANTILE_RULES:
        raise InvalidInput(
            "must be the name of a quantile rule",
            where="quantile_rule",
            value=quantile_rule,
            remedy=f"use one of {', '.join(QUANTILE_RULES)}",
        )
    return _quantiles(ctx, masses.rows_of(distances), masses, levels, quantile_rule)


def _quantiles(
    ctx: MPContext, norms: Row, masses: Masses, levels: Row, quantile_rule: QuantileRule
) -> tuple[mpf, mpf, mpf]:
    check_rule_for(masses, quantile_rule)
    ordered = Ordered.of(ctx, norms, masses)
    a, b, c = (QUANTILE_RULES[quantile_rule](ctx, ordered, level) for level in levels)
    return a, b, c


def _distances(ctx: MPContext, residual_norms: Sequence[Number]) -> Row:
    norms = number_list(ctx, residual_norms, "residual_norms")
    if not norms:
        raise InvalidInput(
            "must have at least one entry, got none",
            where="residual_norms",
            remedy="pass at least one distance",
        )
    for index, norm in enumerate(norms):
        if norm < 0:
            raise InvalidInput(
                "must be at least 0",
                where=f"residual_norms, row {index}",
                value=residual_norms[index],
                remedy="pass distances, which are not negative",
            )
    return norms


def _levels(ctx: MPContext, quantiles: Sequence[Number]) -> Row:
    levels = number_list(ctx, quantiles, "quantiles")
    increasing = len(levels) == 3 and 0 <= levels[0] <= levels[1] <= levels[2] <= 1
    if not increasing:
        raise InvalidInput(
            "must be three levels in [0, 1] in increasing order",
            where="quantiles",
            value=tuple(quantiles),
            remedy="pass levels such as (0.5, 0.75, 0.85)",
        )
    return levels


# How many of a, b, c each loss takes.
THRESHOLD_COUNTS: Final[dict[type[Loss], int]] = {Quadratic: 0, Absolute: 0, Huber: 1, Hampel: 3}


def resolve_bandwidth(
    ctx: MPContext,
    rows: Matrix,
    bandwidth: Number | BandwidthRule,
    on_degenerate: OnDegenerate,
    sample_weight: Sequence[Number] | None = None,
) -> tuple[mpf, BandwidthRule | None]:
    """Return the bandwidth and the rule that gave it, None for a number."""
    for rule, apply in BANDWIDTH_RULES.items():
        if bandwidth != rule:
            continue
        try:
            return apply(ctx, rows, sample_weight=sample_weight), rule
        except DegenerateBandwidth as error:
            kept = row_masses(ctx, sample_weight, len(rows)).rows_of(rows)
            if rule != "median_nn" or on_degenerate != "warn" or all(row == kept[0] for row in kept):
                raise
            warnings.warn(
                f"{error.problem}. The rule median_nn_distinct was used; pass a bandwidth to override it",
                DegenerateBandwidthWarning,
                stacklevel=2,
            )
            return median_nn_distinct(ctx, rows, sample_weight=sample_weight), "median_nn_distinct"
    if isinstance(bandwidth, str) and not is_decimal(bandwidth):
        check_choice(bandwidth, tuple(BANDWIDTH_RULES), "bandwidth")
    positive_number(bandwidth, "bandwidth")
    return to_mpf(ctx, bandwidth), None


def recipe_thresholds(
    ctx: MPContext, norms: Row, settings: Settings[Number, Sequence[Number]], masses: Masses
) -> tuple[mpf, mpf, mpf]:
    """Return a, b, c among the distances d_i: quantiles, or the order statistics of the authors' program."""
    if settings.quantiles is not None and settings.quantile_rule is not None:
        levels = _levels(ctx, settings.quantiles)
        return _quantiles(ctx, masses.rows_of(norms), masses, levels, settings.quantile_rule)
    ordered = Ordered.of(ctx, masses.rows_of(norms), masses)

    def largest(divisor: int) -> mpf:
        """Return the floor(N/divisor)-th largest; between whole N the floor is interpolated linearly."""
        below = int(ctx.floor(masses.total))
        low, high = (max(1, number // divisor) for number in (below, below + 1))
        return ordered.mean_from(last - (low - 1 + (masses.total - below) * (high - low)))

    last = masses.total_less_one
    return largest(AUTHORS_A_DIVISOR), largest(AUTHORS_B_DIVISOR), ordered.mean_from(last)


def check_thresholds(ctx: MPContext, abc: Row) -> None:
    """Refuse thresholds, (a,) or (a, b, c), that leave the loss undefined: a = 0, or c - b <= MIN_RAMP c."""
    if not abc[0] or (len(abc) > 1 and abc[2] - abc[1] <= to_mpf(ctx, MIN_RAMP) * abc[2]):
        flat = abc[-1] - abc[0] <= to_mpf(ctx, MIN_RAMP) * abc[-1]
        raise degenerate_thresholds(zero=not abc[0], flat=flat, last=ctx.nstr(abc[-1], 6))
