"""KIRWLS, its limit, methods that reach it sooner, and what is proved about it."""

from rkde.fast.solvers.cancellation_free import feature_products
from rkde.fast.solvers.certificate import STATIONARY_RESIDUAL, certify
from rkde.fast.solvers.curvature import enclose_residuals
from rkde.fast.solvers.fixed_point import LIMIT_MAX_ITER, fixed_point, limit_from
from rkde.fast.solvers.geometric_median import resultant
from rkde.fast.solvers.iteration import (
    checked_solver,
    fixed_point_residual,
    iterate_at,
    next_weights,
    read_start,
    shares_of,
)
from rkde.fast.solvers.kirwls import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    checked_stop,
    iterate,
    kirwls,
    kirwls_from,
    kirwls_step,
)
from rkde.fast.solvers.newton import distance_between
from rkde.fast.solvers.results import FixedPoint, Iterate, KirwlsResult, for_given_rows

__all__ = [
    "DEFAULT_STOP",
    "KIRWLS_MAX_ITER",
    "LIMIT_MAX_ITER",
    "STATIONARY_RESIDUAL",
    "FixedPoint",
    "Iterate",
    "KirwlsResult",
    "certify",
    "checked_solver",
    "checked_stop",
    "distance_between",
    "enclose_residuals",
    "feature_products",
    "fixed_point",
    "fixed_point_residual",
    "for_given_rows",
    "iterate",
    "iterate_at",
    "kirwls",
    "kirwls_from",
    "kirwls_step",
    "limit_from",
    "next_weights",
    "read_start",
    "resultant",
    "shares_of",
]
