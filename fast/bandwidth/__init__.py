"""Rules for the bandwidth, from nearest neighbours, from a scale, or by cross-validation."""

from rkde.fast.bandwidth.choose import CROSS_VALIDATION_RULES, bandwidth
from rkde.fast.bandwidth.cross_validation import lkcv, lscv
from rkde.fast.bandwidth.rules import BANDWIDTH_RULES, median_nn, median_nn_distinct, scott, silverman

__all__ = [
    "BANDWIDTH_RULES",
    "CROSS_VALIDATION_RULES",
    "bandwidth",
    "lkcv",
    "lscv",
    "median_nn",
    "median_nn_distinct",
    "scott",
    "silverman",
]
