"""The hand-chosen cases of the golden vectors: requests with the reason for each, without their values."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory import (
    bandwidths,
    densities,
    depths,
    fixed_points,
    influences,
    kernels,
    losses,
    medians,
    objectives,
    rankings,
    recipes,
    residuals,
    steps,
    thresholds,
    variable,
)
from rkde.vectors.inventory.model import FLAGS, Entry, Group

# Name of the vector file (without .json), which is its operation, -> its groups.
INVENTORY: Final[dict[str, tuple[Group, ...]]] = {
    "kernel": kernels.GROUPS,
    "loss": losses.GROUPS,
    "bandwidth": bandwidths.GROUPS,
    "residual_norms": residuals.GROUPS,
    "objective": objectives.GROUPS,
    "step": steps.GROUPS,
    "median": medians.GROUPS,
    "thresholds": thresholds.GROUPS,
    "fixed_point": fixed_points.GROUPS,
    "log_density": densities.GROUPS,
    "influence": influences.GROUPS,
    "vkde": variable.GROUPS,
    "depth": depths.GROUPS,
    "signed_rank": rankings.SIGNED_RANK_GROUPS,
    "auc": rankings.AUC_GROUPS,
    "rkde": recipes.GROUPS,
}

__all__ = ["FLAGS", "INVENTORY", "Entry", "Group"]
