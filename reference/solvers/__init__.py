"""KIRWLS, equation (8), its limit, and what is proved about it."""

from rkde.reference.solvers.fixed_point import (
    LIMIT_MAX_ITER,
    fixed_point,
    iterate_until_rest,
    limit_from,
)
from rkde.reference.solvers.geometric_median import locations
from rkde.reference.solvers.kirwls import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    checked_stop,
    initial_weights,
    kirwls,
    kirwls_step,
    next_weights,
)
from rkde.reference.solvers.results import (
    FixedPoint,
    KirwlsResult,
    rounded_fixed_point,
    rounded_result,
    rounded_row,
    spread_run,
)

__all__ = [
    "DEFAULT_STOP",
    "KIRWLS_MAX_ITER",
    "LIMIT_MAX_ITER",
    "FixedPoint",
    "KirwlsResult",
    "checked_stop",
    "fixed_point",
    "initial_weights",
    "iterate_until_rest",
    "kirwls",
    "kirwls_step",
    "limit_from",
    "locations",
    "next_weights",
    "rounded_fixed_point",
    "rounded_result",
    "rounded_row",
    "spread_run",
]
