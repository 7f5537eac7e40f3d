"""Planted faults of the claims about the influence function of the KDE."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated
from rkde.proofs_checks.faults import _influence as planted

FAULTS: Final = (
    Fault(
        name="the influence of the mean counts E X twice",
        claims=("influence_kde.mean",),
        plant=restated("influence_kde", "mixed.diff(s) - (new - mean))", "mixed.diff(s) - (new - 2 * mean))"),
        caught_by=("check_mean",),
    ),
    Fault(
        name="alpha_i of the KDE is -1",
        claims=("influence_kde.kde",),
        plant=restated("influence_kde", "-n * phi * weight / gamma", "-n * phi / gamma"),
        caught_by=("check_kde_is_linear",),
    ),
    Fault(
        name="the influence of the KDE is bounded by half of k(0, 0)",
        claims=("influence_kde.bounded",),
        plant=restated("influence_kde", "value - mean > top,", "2 * (value - mean) > top,"),
        caught_by=("check_difference_of_two_kernel_values",),
    ),
    Fault(
        name="the mass stays at a finite distance",
        claims=("influence_kde.integral_of_any_estimator",),
        plant=restated(
            "influence_kde",
            "far = sympy.exp(-((x - 1 / s) ** 2) / 2)",
            "far = sympy.exp(-((x - 1 - s) ** 2) / 2)",
        ),
        caught_by=("check_mass_escapes",),
    ),
    Fault(
        name="the mean of F does not move",
        claims=("influence_kde.bounded_for_any_estimator",),
        plant=restated("influence_kde", "(1 - s) * mean - s * new) ** 2", "(1 - s) * mean - s * mean) ** 2"),
        caught_by=("check_normal_with_the_mean_of_f",),
    ),
    Fault(
        name="alpha' of the reference divides by n + 1 for the quadratic loss",
        claims=("influence_kde.kde",),
        plant=planted.alpha_new_changed("reference", lambda new, size: new / (size + 1)),
        caught_by=("check_quadratic_loss_gives_the_kde",),
    ),
    Fault(
        name="alpha' of the fast code divides by n + 1 for the quadratic loss",
        claims=("influence_kde.kde",),
        plant=planted.alpha_new_changed("fast", lambda new, size: new / (size + 1)),
        caught_by=("check_quadratic_loss_gives_the_kde",),
    ),
)
