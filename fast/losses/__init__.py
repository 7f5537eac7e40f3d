"""The losses of section 2: rho, psi, phi and q."""

from rkde.fast.losses.protocol import Loss, checked_loss
from rkde.fast.losses.robust import Absolute, Hampel, Huber, Quadratic

__all__ = [
    "Absolute",
    "Hampel",
    "Huber",
    "Loss",
    "Quadratic",
    "checked_loss",
]
