"""The recipe of section 6.1.2: f_med, the thresholds from its residual norms, and the bandwidth."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import (
    DegenerateBandwidth,
    DegenerateBandwidthWarning,
    InvalidInput,
)
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_arguments,
    as_positive,
    as_vector,
    read_sample_weight,
    value_from_top,
    weighted_quantile,
)
from rkde.fast._resources import Compute, Limits, Report, checked_resources, silent, warn
from rkde.fast.bandwidth import BANDWIDTH_RULES, CROSS_VALIDATION_RULES, median_nn_distinct
from rkde.fast.bandwidth import bandwidth as bandwidth_by_rule
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, weighted_operator
from rkde.fast.solvers import LIMIT_MAX_ITER, FixedPoint, for_given_rows, limit_from, shares_of
from rkde.settings import (
    AUTHORS_A_DIVISOR,
    AUTHORS_B_DIVISOR,
    Settings,
    check_choice,
    degenerate_thresholds,
)
from rkde.vocabulary import (
    MIN_RAMP,
    RECIPES,
    BandwidthRule,
    CrossValidationRule,
    OnDegenerate,
    QuantileRule,
)

# Section 6.1.2: a is the median of the d_i, b their 75th and c their 85th percentile.
PAPER_QUANTILES: Final = tuple(float(level) for level in RECIPES["paper"].quantiles or ())
_QUANTILE_RULES: Final[tuple[QuantileRule, ...]] = get_args(QuantileRule)


def median_rkde(
    X: TableLike,
    kernel: Kernel,
    *,
    sample_weight: ArrayLike | None = None,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> FixedPoint:
    """Return f_med, the limit of KIRWLS for the absolute loss from uniform weights (section 6.1.2).

    It is the minimiser of J, which is unique for three distinct locations or more. Between two locations of
    equal multiplicity J is constant and the uniform weights are their own limit; of two others the larger is
    the answer.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    FixedPoint
        Its `residual_norms` are the distances d_i, in tau. Where f_med is a data location, the weights are
        1/m on its m rows and the residuals there 0, exactly.

    Raises
    ------
    NotConverged
        The limit is not reached: this happens only for data within rounding of a degenerate configuration.
    MemoryLimit
        No engine, or not the one requested, keeps within the limit; raised before anything is allocated.
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> median = median_rkde([[0.0], [0.0], [0.0], [1.0], [5.0]], Gaussian(1.0))
    >>> median.certificate.value, median.weights.round(5)
    ('global', array([0.33333, 0.33333, 0.33333, 0.     , 0.     ]))
    """
    with checked_resources(compute, limits).running() as resources:
        weights, operator = weighted_operator(X, kernel, sample_weight, operator, resources)
        return for_given_rows(median_from(operator, resources.report), operator, weights, X)


def median_from(operator: KernelOperator, report: Report = silent) -> FixedPoint:
    """Return f_med for the rows and the kernel of an operator."""
    return limit_from(
        operator, Absolute(), shares_of(operator), LIMIT_MAX_ITER, stage="median", report=report
    )


def thresholds(
    residual_norms: ArrayLike,
    *,
    quantiles: ArrayLike = PAPER_QUANTILES,
    quantile_rule: QuantileRule = "linear",
    sample_weight: ArrayLike | None = None,
) -> tuple[float, float, float]:
    """Return quantiles of the distances d_i, by default a, b, c of section 6.1.2.

    Parameters
    ----------
    residual_norms : array_like, shape (n,)
        The d_i, in tau, at least 0.
    quantiles : array_like, shape (3,)
        Levels in [0, 1] that do not decrease.
    quantile_rule : str
        One of numpy's 13 names of a quantile's definition.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a distance, others are relative, 0 removes it.

    Returns
    -------
    tuple of three floats
        a, b, c in tau; equal or zero thresholds are returned as they are.

    Raises
    ------
    InvalidType, InvalidInput
        No distance, one that is negative or not finite, unusable levels, or an unknown rule.

    Examples
    --------
    >>> [round(threshold, 6) for threshold in thresholds([1, 2, 4, 8, 16])]
    [4.0, 8.0, 11.2]
    """
    norms = as_arguments(as_vector(residual_norms, where="residual_norms"), where="residual_norms")
    if not len(norms):
        raise InvalidInput(
            "must have at least one entry, got none",
            where="residual_norms",
            remedy="pass at least one distance",
        )
    levels = as_vector(quantiles, where="quantiles")
    if len(levels) != len(PAPER_QUANTILES) or (np.diff(levels, prepend=0.0, append=1.0) < 0).any():
        raise InvalidInput(
            "must be three levels in [0, 1] in increasing order",
            where="quantiles",
            value=levels.tolist(),
            remedy="pass levels such as (0.5, 0.75, 0.85)",
        )
    if quantile_rule not in _QUANTILE_RULES:
        raise InvalidInput(
            "must be the name of a quantile rule",
            where="quantile_rule",
            value=quantile_rule,
            remedy=f"use one of {', '.join(_QUANTILE_RULES)}",
        )
    weights = read_sample_weight(sample_weight, len(norms))
    if weights is None:
        a, b, c = np.quantile(norms, levels, method=quantile_rule).tolist()
    else:
        kept = weights.rows_of(norms)
        a, b, c = (weighted_quantile(kept, weights, level, quantile_rule) for level in levels.tolist())
    return a, b, c


# How many of a, b, c each loss takes.
THRESHOLD_COUNTS: Final[dict[type[Loss], int]] = {Quadratic: 0, Absolute: 0, Huber: 1, Hampel: 3}

_MIN_RAMP: Final = float(MIN_RAMP)


# How an error shows a row, where the fit has it in other coordinates than the table.
RESTATED: Final[ContextVar[Callable[[DegenerateBandwidth], DegenerateBandwidth]]] = ContextVar(
    "restated", default=lambda error: error
)


def resolve_bandwidth(
    X: Floats,
    bandwidth: float | BandwidthRule | CrossValidationRule,
    on_degenerate: OnDegenerate,
    kernel: Callable[[float], Kernel],
    memory_limit: float | str | None = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[float, BandwidthRule | CrossValidationRule | None]:
    """Return the bandwidth and the rule that gave it, None for a number.

    With `on_degenerate` "warn" a bandwidth of 0 from `median_nn` becomes `median_nn_distinct`, with a
    warning; a single location has no bandwidth under any rule.
    """
    if not isinstance(bandwidth, str):
        return as_positive(bandwidth, where="bandwidth"), None
    check_choice(bandwidth, (*BANDWIDTH_RULES, *CROSS_VALIDATION_RULES), "bandwidth")
    if bandwidth not in BANDWIDTH_RULES:
        h = bandwidth_by_rule(
            X, bandwidth, kernel=kernel, memory_limit=memory_limit, sample_weight=sample_weight
        )
        return h, bandwidth
    try:
        return BANDWIDTH_RULES[bandwidth](X, sample_weight=sample_weight), bandwidth
    except DegenerateBandwidth as error:
        if bandwidth != "median_nn" or on_degenerate != "warn" or _is_single_location(X, sample_weight):
            raise
        told = RESTATED.get()(error)
        warn(
            f"{told.problem}. The rule median_nn_distinct was used; pass a bandwidth to override it",
            DegenerateBandwidthWarning,
        )
        return median_nn_distinct(X, sample_weight=sample_weight), "median_nn_distinct"


def _is_single_location(X: Floats, sample_weight: ArrayLike | None) -> bool:
    weights = read_sample_weight(sample_weight, len(X))
    X = X if weights is None else weights.rows_of(X)
    return bool((X.min(axis=0) == X.max(axis=0)).all())


def recipe_thresholds(
    norms: Floats, settings: Settings[float, ArrayLike], weights: SampleWeight | None = None
) -> tuple[float, float, float]:
    """Return a, b, c among the distances d_i: quantiles, or the order statistics of the authors' program."""
    if settings.quantiles is not None and settings.quantile_rule is not None:
        return thresholds(
            norms,
            quantiles=settings.quantiles,
            quantile_rule=settings.quantile_rule,
            sample_weight=None if weights is None else weights.values,
        )
    if weights is not None:
        return _weighted_order_statistics(norms, weights)
    largest_first = np.sort(norms)[::-1]
    a = largest_first[max(1, len(norms) // AUTHORS_A_DIVISOR) - 1]
    b = largest_first[max(1, len(norms) // AUTHORS_B_DIVISOR) - 1]
    return float(a), float(b), float(largest_first[0])


def _weighted_order_statistics(norms: Floats, weights: SampleWeight) -> tuple[float, float, float]:
    """Return the authors' order statistics; between whole N their places are interpolated linearly."""

    def place(total: int, divisor: int) -> int:
        return max(1, total // divisor)

    whole = math.floor(weights.total)
    share = weights.total - whole
    ends = []
    for divisor in (AUTHORS_A_DIVISOR, AUTHORS_B_DIVISOR):
        from_top = (1 - share) * place(whole, divisor) + share * place(whole + 1, divisor)
        ends.append(value_from_top(norms, weights, from_top))
    return ends[0], ends[1], value_from_top(norms, weights, 1.0)


def check_thresholds(abc: tuple[float, ...]) -> None:
    """Refuse thresholds, (a,) or (a, b, c), that leave the loss undefined."""
    if not abc[0] or (len(abc) > 1 and abc[2] - abc[1] <= _MIN_RAMP * abc[2]):
        flat = abc[-1] - abc[0] <= _MIN_RAMP * abc[-1]
        raise degenerate_thresholds(zero=not abc[0], flat=flat, last=f"{abc[-1]:.6g}")
