"""Rules for the bandwidth, from nearest neighbours, from a scale, or by cross-validation."""

from rkde.fast.bandwidth.choose import CROSS_VALIDATION_RULES, bandwidth
from rkde.fast.bandwidth.cross_validation import lkcv, lscv
from rkde.fast.bandwidth.pairs import chi_squared_quantile, pairwise, robust_scales, varying_columns
from rkde.fast.bandwidth.rules import BANDWIDTH_RULES, median_nn, median_nn_distinct, scott, silverman
from rkde.fast.bandwidth.scaling import SCALES, ScaleName, Scaling, ScalingName, read_scaling

__all__ = [
    "BANDWIDTH_RULES",
    "CROSS_VALIDATION_RULES",
    "SCALES",
    "ScaleName",
    "Scaling",
    "ScalingName",
    "bandwidth",
    "chi_squared_quantile",
    "lkcv",
    "lscv",
    "median_nn",
    "median_nn_distinct",
    "pairwise",
    "read_scaling",
    "robust_scales",
    "scott",
    "silverman",
    "varying_columns",
]
