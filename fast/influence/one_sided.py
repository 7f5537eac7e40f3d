"""One-sided derivatives where residuals lie on kinks of the loss.

On a kink psi' has a value from the left and one from the right. For s decreasing to 0 the right piece counts
where the residual grows with s and the left one where it falls; for s increasing to 0 the other way round. So
each pattern of sides gives a candidate, and for each x' those count that agree with their own pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from rkde.errors import NotDifferentiable, SingularSystem
from rkde.fast._float64 import Floats
from rkde.fast.influence.theorem5 import (
    Coefficients,
    ContaminatingPoints,
    Indices,
    Mask,
    StationaryPoint,
    System,
    norm_changes,
    theorem_5_coefficients,
    theorem_5_system,
)
from rkde.fast.losses import Loss
from rkde.vocabulary import KINK_SLACK, MAX_KINKED_LOCATIONS

LEFT: Final = -1
RIGHT: Final = 1
ABOVE: Final = 1
BELOW: Final = -1
Pattern = tuple[int, ...]  # LEFT or RIGHT for each location on a kink
_ROUNDING: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class KinkedLocation:
    """A location on a kink: its rows, the numbers of the kinks, and q on either side."""

    rows: Indices
    kinks: Indices
    q_left: float
    q_right: float


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdMotion:
    """How thresholds move with s.

    Attributes
    ----------
    kink_changes : ndarray, shape (m, number of kinks)
        Speeds of the kinks, for each x'.
    phi_changes : callable
        From a pattern of sides to the speeds of phi(r_i), shape (m, n).
    """

    kink_changes: Floats
    phi_changes: Callable[[Pattern], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Systems:
    """Theorem 5's systems at a point.

    Attributes
    ----------
    active : ndarray of int, shape (k,)
        The rows of all of them.
    kinked : sequence of KinkedLocation
        The locations on kinks.
    by_pattern : dict
        A system for each pattern of sides, None where it is singular.
    """

    active: Indices
    kinked: Sequence[KinkedLocation]
    by_pattern: dict[Pattern, System | None]


def kinked_locations(loss: Loss, point: StationaryPoint) -> list[KinkedLocation]:
    """Return the locations whose residual lies within `KINK_SLACK` of a kink, relatively."""
    kinks = np.asarray(loss.kinks, dtype=np.float64)
    near = np.abs(point.norms[:, None] - kinks[None, :]) <= float(KINK_SLACK) * kinks[None, :]
    heads = [int(row) for row in np.flatnonzero(near.any(axis=1)) if point.operator.locations[row] == row]
    if len(heads) > MAX_KINKED_LOCATIONS:
        raise NotDifferentiable(
            f"{len(heads)} locations have residuals on kinks of the loss, each with two sides to try",
            where="weights",
            value=f"2^{len(heads)} patterns",
            remedy="move the thresholds slightly, so that the residuals of at most "
            f"{MAX_KINKED_LOCATIONS} locations lie on kinks",
        )
    locations = []
    for row in heads:
        numbers = np.flatnonzero(near[row])
        met = kinks[numbers]
        # NaN stands for a limit from the left that does not exist, at 0 only.
        left, right = np.nan_to_num(loss.q_left(met[:1])), loss.q(met[-1:])
        rows = np.flatnonzero(point.operator.locations == row)
        locations.append(KinkedLocation(rows, numbers, float(left[0]), float(right[0])))
    return locations


def systems_by_pattern(
    loss: Loss,
    point: StationaryPoint,
    kinked: Sequence[KinkedLocation],
    count: int,
    moved: Indices | None = None,
) -> Systems:
    """Return Theorem 5's system for each pattern of sides."""
    plain = loss.q(point.norms)
    # phi is constant near 0, or not differentiable there: nothing is active where r_i is 0.
    involved = (plain != 0) & (point.norms > 0)
    for location in kinked:
        involved[location.rows] = (location.q_left != 0) | (location.q_right != 0)
    if moved is not None:
        involved[moved] = True
    active = np.flatnonzero(involved)
    systems: dict[Pattern, System | None] = {}
    patterns = list(product((LEFT, RIGHT), repeat=len(kinked)))
    for pattern in patterns:
        q_values = plain.copy()
        for location, side in zip(kinked, pattern, strict=True):
            q_values[location.rows] = location.q_left if side == LEFT else location.q_right
        try:
            systems[pattern] = theorem_5_system(
                point.operator,
                active,
                point.norms[active],
                q_values[active],
                point.gamma,
                count,
                len(patterns),
            )
        except SingularSystem:
            if not kinked:
                raise
            systems[pattern] = None
    return Systems(active, kinked, systems)


def one_sided_coefficients(
    loss: Loss,
    point: StationaryPoint,
    new: ContaminatingPoints,
    systems: Systems,
    direction: int,
    motion: ThresholdMotion | None = None,
) -> Coefficients:
    """Return alpha and alpha' for s going to 0 from one side."""
    if None in systems.by_pattern.values() and not loss.facts.convex:
        raise _undetermined("the system of Theorem 5 is singular for one choice of sides")
    result: Coefficients | None = None
    open_points = np.ones(len(new.phi), dtype=bool)
    for pattern, system in systems.by_pattern.items():
        if system is None:
            continue
        change = None if motion is None else motion.phi_changes(pattern)
        candidate = theorem_5_coefficients(point, systems.active, system, new, change)
        if not systems.kinked:
            return candidate
        agrees = _consistent(point, new, systems.kinked, pattern, direction, candidate, motion)
        if result is None:
            result = candidate
        fresh = agrees & open_points
        if not loss.facts.convex and _differ(result, candidate, agrees & ~open_points):
            raise _undetermined("several choices of sides agree with the motion of the residuals")
        result.unprojected[fresh] = candidate.unprojected[fresh]
        result.condition[fresh] = candidate.condition[fresh]
        open_points &= ~agrees
    if result is None or open_points.any():
        raise _undetermined("no choice of sides agrees with the direction in which the residuals move")
    return result


def _consistent(
    point: StationaryPoint,
    new: ContaminatingPoints,
    kinked: Sequence[KinkedLocation],
    pattern: Pattern,
    direction: int,
    candidate: Coefficients,
    motion: ThresholdMotion | None,
) -> Mask:
    """Tell for each x' whether every residual on a kink moves to the side that the pattern gives it."""
    agrees = np.ones(len(new.phi), dtype=bool)
    for location, side in zip(kinked, pattern, strict=True):
        row = int(location.rows[0])
        change = norm_changes(point, new, candidate, row)
        if motion is not None:
            change -= motion.kink_changes[:, location.kinks[0]]
        # A change is a sum of n + 1 terms of at most 2 |alpha_i| / r_i.
        allowance = _ROUNDING * len(point.norms) * candidate.condition * candidate.sizes() / point.norms[row]
        agrees &= direction * side * change >= -allowance
    return agrees


def _differ(one: Coefficients, other: Coefficients, mask: Mask) -> bool:
    """Tell whether two derivatives differ by more than rounding for some x' of a mask."""
    level = _ROUNDING * one.unprojected.shape[1] * np.maximum(one.condition, other.condition)
    apart = np.abs(one.unprojected - other.unprojected).max(axis=1, initial=0.0)
    return bool((apart > level * np.maximum(one.sizes(), other.sizes()))[mask].any())


def _undetermined(problem: str) -> SingularSystem:
    return SingularSystem(
        f"residuals lie on kinks of the loss, and {problem}",
        where="weights",
        remedy="move a threshold slightly away from the residuals",
    )
