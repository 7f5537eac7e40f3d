"""The estimates: plain, with varying bandwidths, and robust by the recipe of section 6.1.2."""

from rkde.reference.estimates.kde import Kde, kde
from rkde.reference.estimates.practical import practical_start, practical_thresholds
from rkde.reference.estimates.results import Rkde
from rkde.reference.estimates.robust import rkde
from rkde.reference.estimates.thresholds import (
    PAPER_QUANTILES,
    THRESHOLD_COUNTS,
    check_thresholds,
    median_rkde,
    thresholds,
)
from rkde.reference.estimates.variable import VKDE_RULES, NearestVkde, Vkde, nearest_vkde, vkde

__all__ = [
    "PAPER_QUANTILES",
    "THRESHOLD_COUNTS",
    "VKDE_RULES",
    "Kde",
    "NearestVkde",
    "Rkde",
    "Vkde",
    "check_thresholds",
    "kde",
    "median_rkde",
    "nearest_vkde",
    "practical_start",
    "practical_thresholds",
    "rkde",
    "thresholds",
    "vkde",
]
