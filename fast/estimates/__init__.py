"""The estimates: plain, with varying bandwidths, and robust by the recipe of section 6.1.2."""

from rkde.fast.estimates.fit import (
    FrontBandwidth,
    FrontChoices,
    default_scale,
    fit,
    fit_places,
    front_bandwidth,
    in_units,
    resolve_front_bandwidth,
)
from rkde.fast.estimates.fixed_thresholds import FixedThresholds, fit_fixed_thresholds, loss_thresholds
from rkde.fast.estimates.kde import Kde, kde
from rkde.fast.estimates.practical import practical_start, practical_thresholds
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import checked_second_stage, rkde
from rkde.fast.estimates.thresholds import (
    PAPER_QUANTILES,
    THRESHOLD_COUNTS,
    check_thresholds,
    median_from,
    median_rkde,
    resolve_bandwidth,
    thresholds,
)
from rkde.fast.estimates.variable import NearestVkde, Vkde, nearest_vkde, vkde

__all__ = [
    "PAPER_QUANTILES",
    "THRESHOLD_COUNTS",
    "FixedThresholds",
    "FrontBandwidth",
    "FrontChoices",
    "Kde",
    "NearestVkde",
    "Rkde",
    "Vkde",
    "check_thresholds",
    "checked_second_stage",
    "default_scale",
    "fit",
    "fit_fixed_thresholds",
    "fit_places",
    "front_bandwidth",
    "in_units",
    "kde",
    "loss_thresholds",
    "median_from",
    "median_rkde",
    "nearest_vkde",
    "practical_start",
    "practical_thresholds",
    "resolve_bandwidth",
    "resolve_front_bandwidth",
    "rkde",
    "thresholds",
    "vkde",
]
