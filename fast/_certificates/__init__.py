"""Proofs in float64: what is known about a stationary point, with every rounding error bounded."""

from rkde.fast._certificates.certificate import STATIONARY_RESIDUAL, Appraisal, appraise, exactly_minimal
from rkde.fast._certificates.geometric_median import Pull, pull, weights_along_pull, weights_on
from rkde.fast._certificates.local_frame import TightCluster, loses_digits, tight_cluster

__all__ = [
    "STATIONARY_RESIDUAL",
    "Appraisal",
    "Pull",
    "TightCluster",
    "appraise",
    "exactly_minimal",
    "loses_digits",
    "pull",
    "tight_cluster",
    "weights_along_pull",
    "weights_on",
]
