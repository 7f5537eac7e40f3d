"""Planted faults for the claims of the conclusions."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="Huber's phi beyond a is 1/r^2",
        claims=("conclusions.radial_needed",),
        plant=restated("conclusions", "else _HUBER / residual for", "else _HUBER / residual**2 for"),
        caught_by=("check_linear_kernel_ranks_the_outlier_first",),
    ),
    Fault(
        name="The middle height of a trapezoid is subtracted",
        claims=("conclusions.detector",),
        plant=restated("conclusions", "heights[0] + 2 * heights[1]", "heights[0] - 2 * heights[1]"),
        caught_by=("check_dominance_orders_areas",),
    ),
    Fault(
        name="The RKDE's weights are the KDE's",
        claims=("conclusions.figure_2",),
        plant=replaced("rkde.fast.losses.Hampel.phi", lambda right: lambda self, t: 0 * right(self, t) + 1),
        caught_by=("check_low_density_regions",),
    ),
)
