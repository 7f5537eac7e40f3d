"""The hand-chosen cases of the golden vectors: requests with the reason for each, without their values."""

from __future__ import annotations

from typing import Final

from rkde.conformance.inventory import (
    bandwidths,
    densities,
    kernels,
    losses,
    objectives,
    residuals,
    steps,
    thresholds,
    variable,
)
from rkde.conformance.inventory.model import FLAGS, Entry, Group

# Name of the vector file (without .json), which is its operation, -> its groups.
INVENTORY: Final[dict[str, tuple[Group, ...]]] = {
    "kernel": kernels.GROUPS,
    "loss": losses.GROUPS,
    "bandwidth": bandwidths.GROUPS,
    "residual_norms": residuals.GROUPS,
    "objective": objectives.GROUPS,
    "step": steps.GROUPS,
    "thresholds": thresholds.GROUPS,
    "log_density": densities.GROUPS,
    "vkde": variable.GROUPS,
}

__all__ = ["FLAGS", "INVENTORY", "Entry", "Group"]
