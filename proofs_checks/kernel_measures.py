"""What is measured of a kernel in either package: its profile, quadratic forms, integral over the line."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from mpmath import mpf

from rkde.proofs_checks import bridge
from rkde.proofs_checks.strategies import KernelSpec

MESHES: Final = (0.5, 1.0, 1.5, 2.0)
"""Distances of neighbouring points over the bandwidth."""
# The coefficients of the form that refutes the biweight.
_SIGNS: Final = (1, -2, 2, -2, 1)
_NODES: Final = 400

Profile = Callable[[Sequence[float], int], list[mpf | float]]


def implemented(spec: KernelSpec) -> dict[str, tuple[Profile, Callable[[int], float]]]:
    """Return profile and log k(0, 0) of a kernel in each package."""
    slow, fast, ctx = bridge.reference_kernel(spec), bridge.fast_kernel(spec), bridge.context()
    return {
        "reference": (
            lambda sqdists, dim: [slow.profile(ctx, sqdist, dim) for sqdist in sqdists],
            lambda dim: float(slow.log_normaliser(ctx, dim)),
        ),
        "fast": (
            lambda sqdists, dim: [float(value) for value in fast.profile(list(sqdists), dim)],
            fast.log_normaliser,
        ),
    }


def equidistant_forms(profile: Profile, bandwidth: float, dim: int) -> list[float]:
    """Return v'Kv for points on a line, at several meshes in bandwidths; none may be negative."""
    places = range(len(_SIGNS))
    entries = {mesh: profile([(mesh * bandwidth * step) ** 2 for step in places], dim) for mesh in MESHES}
    return [
        float(sum(_SIGNS[i] * _SIGNS[j] * values[abs(i - j)] for i in places for j in places))
        for values in entries.values()
    ]


def mass_on_the_line(profile: Profile, log_normaliser: float, bandwidth: float) -> float:
    """Integrate over x = bandwidth u/(1 - u) by midpoints in v; u = v^2 (3 - 2v) flattens both ends."""
    total = 0.0
    for step in range(_NODES):
        v = (step + 0.5) / _NODES
        u = v * v * (3 - 2 * v)
        x, slope = bandwidth * u / (1 - u), bandwidth * 6 * v * (1 - v) / (1 - u) ** 2
        total += float(profile([x * x], 1)[0]) * slope / _NODES
    return 2 * total * math.exp(log_normaliser)
