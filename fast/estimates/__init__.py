"""The estimates: plain, with varying bandwidths, and robust by the recipe of section 6.1.2."""

from rkde.fast.estimates.fixed_thresholds import Given, fit_given, loss_thresholds
from rkde.fast.estimates.kde import Kde, kde
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import rkde
from rkde.fast.estimates.thresholds import (
    DEFAULT_QUANTILE_RULE,
    PAPER_QUANTILES,
    THRESHOLD_COUNTS,
    check_choice,
    check_thresholds,
    is_start_name,
    median_rkde,
    resolve_bandwidth,
    settings,
    threshold_count,
    thresholds,
)
from rkde.fast.estimates.variable import NearestVkde, Vkde, nearest_vkde, vkde

__all__ = [
    "DEFAULT_QUANTILE_RULE",
    "PAPER_QUANTILES",
    "THRESHOLD_COUNTS",
    "Given",
    "Kde",
    "NearestVkde",
    "Rkde",
    "Vkde",
    "check_choice",
    "check_thresholds",
    "fit_given",
    "is_start_name",
    "kde",
    "loss_thresholds",
    "median_rkde",
    "nearest_vkde",
    "resolve_bandwidth",
    "rkde",
    "settings",
    "threshold_count",
    "thresholds",
    "vkde",
]
