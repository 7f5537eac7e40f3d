"""Planted faults for the claims of the conclusions."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _complement(right: Any) -> Any:
    """Make an AUC that of the opposite ranking."""
    return lambda *given: 1 - right(*given)


FAULTS: Final = (
    Fault(
        name="Huber's phi beyond a is 1/r^2",
        claims=("conclusions.radial_needed",),
        plant=restated("conclusions", "else _HUBER / residual for", "else _HUBER / residual**2 for"),
        caught_by=("check_linear_kernel_ranks_the_outlier_first",),
    ),
    Fault(
        name="A residual grows with the value of f",
        claims=("conclusions.normalised_kernels",),
        plant=restated("conclusions", "tau - 2 * value + square", "tau + 2 * value + square"),
        caught_by=("check_residuals_order_densities",),
    ),
    Fault(
        name="A height of a trapezoid is subtracted",
        claims=("conclusions.detector",),
        plant=restated(
            "conclusions", "width * (heights[0] + heights[1])", "width * (heights[0] - heights[1])"
        ),
        caught_by=("check_dominance_orders_areas",),
    ),
    Fault(
        name="The fast AUC is that of the opposite ranking",
        claims=("conclusions.detector",),
        plant=replaced("rkde.fast.scoring.detection.auc", _complement),
        caught_by=("check_a_better_left_end_is_not_enough", "check_auc_counts_pairs"),
    ),
    Fault(
        name="The AUC of the reference is that of the opposite ranking",
        claims=("conclusions.detector",),
        plant=replaced("rkde.reference.scoring.detection.auc", _complement),
        caught_by=("check_a_better_left_end_is_not_enough", "check_auc_counts_pairs"),
    ),
    Fault(
        name="The fast RKDE has the weights of the KDE",
        claims=("conclusions.figure_2",),
        plant=replaced(
            "rkde.fast.losses.robust.Hampel.phi", lambda right: lambda self, t: 0 * right(self, t) + 1
        ),
        caught_by=("check_low_density_regions",),
    ),
    Fault(
        name="The RKDE of the reference has the weights of the KDE",
        claims=("conclusions.figure_2",),
        plant=replaced(
            "rkde.reference.losses.Hampel.phi", lambda right: lambda self, ctx, t: 0 * right(self, ctx, t) + 1
        ),
        caught_by=("check_low_density_regions_in_the_reference",),
    ),
)
