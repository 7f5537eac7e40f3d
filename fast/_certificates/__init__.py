"""Proofs in float64: what is known about a stationary point, with every rounding error bounded."""

from rkde.fast._certificates.certificate import (
    STATIONARY_RESIDUAL,
    certify,
    exactly_minimal,
)
from rkde.fast._certificates.geometric_median import (
    VertexTest,
    largest_change,
    resultant,
    weights_along_resultant,
    weights_on,
)
from rkde.fast._certificates.residuals import CANCELLED, LocalFrame, enclose_residuals, local_frame

__all__ = [
    "CANCELLED",
    "STATIONARY_RESIDUAL",
    "LocalFrame",
    "VertexTest",
    "certify",
    "enclose_residuals",
    "exactly_minimal",
    "largest_change",
    "local_frame",
    "resultant",
    "weights_along_resultant",
    "weights_on",
]
