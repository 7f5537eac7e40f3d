"""Planted faults of the claims about f_med."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated


def _halved(right: Callable[..., Any]) -> Callable[..., Any]:
    def pull(*given: Any) -> Any:
        size, shares = right(*given)
        return size / 2, shares

    return pull


def _reference_reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda ctx, X, kernel: right(ctx, X[::-1], kernel)


def _fast_reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda X, kernel: right(X[::-1], kernel)


def _reference_off_the_rows(right: Callable[..., Any]) -> Callable[..., Any]:
    def median_rkde(ctx: Any, *given: Any) -> Any:
        end = right(ctx, *given)
        return replace(end, residual_norms=tuple(norm or ctx.mpf(1) for norm in end.residual_norms))

    return median_rkde


def _fast_off_the_rows(right: Callable[..., Any]) -> Callable[..., Any]:
    def median_rkde(*given: Any) -> Any:
        end = right(*given)
        return replace(end, residual_norms=np.where(end.residual_norms == 0, 1.0, end.residual_norms))

    return median_rkde


FAULTS: Final = (
    Fault(
        name="the derivative along h has the wrong sign",
        claims=("median.location_rule",),
        plant=restated("median", 'norm.diff(s), s, 0, "+") + cosine', 'norm.diff(s), s, 0, "+") - cosine'),
        caught_by=("check_derivative_at_a_location",),
    ),
    Fault(
        name="the length of the pull is halved",
        claims=("median.location_rule",),
        plant=replaced("rkde.proofs_checks.check_median._pull", _halved),
        caught_by=(
            "check_descent_along_the_pull",
            "check_the_median_obeys_the_rule",
        ),
    ),
    Fault(
        name="f_med of the reference belongs to the rows in reverse order",
        claims=("median.majority",),
        plant=replaced("rkde.reference.estimates.thresholds.median_rkde", _reference_reversed),
        caught_by=("check_majority",),
    ),
    Fault(
        name="f_med of the fast code belongs to the rows in reverse order",
        claims=("median.majority",),
        plant=replaced("rkde.fast.estimates.thresholds.median_rkde", _fast_reversed),
        caught_by=("check_majority",),
    ),
    Fault(
        name="the fast code takes every row for far from f_med",
        claims=("median.never_a_data_point",),
        plant=replaced("rkde.fast.estimates.thresholds.median_rkde", _fast_off_the_rows),
        caught_by=("check_three_points_on_both_sides",),
    ),
    Fault(
        name="the reference takes every row for far from f_med",
        claims=("median.never_a_data_point",),
        plant=replaced("rkde.reference.estimates.thresholds.median_rkde", _reference_off_the_rows),
        caught_by=("check_three_points_on_both_sides",),
    ),
    Fault(
        name="the slope of the cubic lacks its constant",
        claims=("median.never_a_data_point",),
        plant=restated("median", "3 * q * q + 2 * q + 1 <= 0", "3 * q * q + 2 * q <= 0"),
        caught_by=("check_the_cubic_rises",),
    ),
    Fault(
        name="the cubic lacks its linear term",
        claims=("median.never_a_data_point",),
        plant=restated("median", "return q**3 + q**2 + q - 2", "return q**3 + q**2 - 2"),
        caught_by=("check_median_on_both_sides_of_the_root",),
    ),
    Fault(
        name="the critical polynomial is q^3 + q^2 + q - 1",
        claims=("median.never_a_data_point",),
        plant=restated("median", "(q - 1) * (q**3 + q**2 + q - 2)", "(q - 1) * (q**3 + q**2 + q - 1)"),
        caught_by=("check_three_points_polynomial",),
    ),
    Fault(
        name="the critical ratio is below 0.8104",
        claims=("median.never_a_data_point",),
        plant=restated("median", '_ABOVE: Final = "0.8106"', '_ABOVE: Final = "0.8104"'),
        caught_by=("check_three_points_on_both_sides",),
    ),
    Fault(
        name="a third of the rows is a majority",
        claims=("median.majority",),
        plant=restated("median", "2 * count >= total, size", "3 * count >= total, size"),
        caught_by=("check_a_majority_outweighs_the_rest",),
    ),
    Fault(
        name="J of the absolute loss is that of Huber's loss",
        claims=("median.majority",),
        plant=restated(
            "median",
            'bridge.reference_loss(LossSpec("absolute"))\n    alone',
            'bridge.reference_loss(LossSpec("huber", (0.5,)))\n    alone',
        ),
        caught_by=("check_half_of_the_rows",),
    ),
    Fault(
        name="the direction is of length 2",
        claims=("median.location_rule",),
        plant=restated(
            "median", "along * along + across * across == 1", "along * along + across * across == 4"
        ),
        caught_by=("check_the_pull_is_the_steepest_direction",),
    ),
)
