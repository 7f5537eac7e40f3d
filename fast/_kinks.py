"""One-sided derivatives where residuals lie on kinks of the loss.

On a kink psi' has a value from the left and one from the right. For s decreasing to 0 the right piece counts
where the residual grows with s and the left one where it falls; for s increasing to 0 the other way round. So
each pattern of sides gives a candidate, and for each x' those count that agree with their own pattern.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from rkde.errors import NotDifferentiable, SingularSystem
from rkde.fast._influence import (
    Coefficients,
    NewPoints,
    Site,
    System,
    norm_changes,
    theorem_5_coefficients,
    theorem_5_system,
)
from rkde.fast._loss import Loss
from rkde.fast.inputs import Floats
from rkde.vocabulary import KINK_SLACK, MAX_KINKED_LOCATIONS

LEFT: Final = -1
RIGHT: Final = 1
ABOVE: Final = 1
BELOW: Final = -1
Pattern = tuple[int, ...]
_ROUNDING: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Kinked:
    """A location on a kink: its rows and q on either side."""

    rows: np.ndarray[tuple[int], np.dtype[np.intp]]
    q_left: float
    q_right: float


def kinked_locations(loss: Loss, site: Site) -> list[Kinked]:
    """Return the locations whose residual lies within `KINK_SLACK` of a kink, relatively.

    Raises
    ------
    NotDifferentiable
        If there are more than `MAX_KINKED_LOCATIONS`.
    """
    kinks = np.asarray(loss.kinks, dtype=np.float64)
    near = np.abs(site.norms[:, None] - kinks[None, :]) <= float(KINK_SLACK) * kinks[None, :]
    heads = [int(row) for row in np.flatnonzero(near.any(axis=1)) if site.operator.locations[row] == row]
    if len(heads) > MAX_KINKED_LOCATIONS:
        raise NotDifferentiable(
            f"{len(heads)} locations have residuals on kinks of the loss, each with two sides to try",
            where="weights",
            value=f"2^{len(heads)} patterns",
            remedy="move a threshold slightly, so that at most a few residuals lie on it",
        )
    found = []
    for row in heads:
        met = kinks[near[row]]
        # NaN stands for a limit from the left that does not exist, at 0 only.
        left, right = np.nan_to_num(loss.q_left(met[:1])), loss.q(met[-1:])
        found.append(Kinked(np.flatnonzero(site.operator.locations == row), float(left[0]), float(right[0])))
    return found


def systems_by_pattern(loss: Loss, site: Site, kinked: Sequence[Kinked]) -> dict[Pattern, System | None]:
    """Return Theorem 5's system for each pattern of sides, None where it is singular.

    Without kinks there is one pattern, the empty one, whose `SingularSystem` is raised.
    """
    systems: dict[Pattern, System | None] = {}
    for pattern in product((LEFT, RIGHT), repeat=len(kinked)):
        q_values = loss.q(site.norms).copy()
        for location, side in zip(kinked, pattern, strict=True):
            q_values[location.rows] = location.q_left if side == LEFT else location.q_right
        try:
            systems[pattern] = theorem_5_system(site, q_values)
        except SingularSystem:
            if not kinked:
                raise
            systems[pattern] = None
    return systems


def one_sided_coefficients(
    loss: Loss,
    site: Site,
    new: NewPoints,
    kinked: Sequence[Kinked],
    systems: Mapping[Pattern, System | None],
    direction: int,
) -> Coefficients:
    """Return alpha and alpha' for s going to 0 from one side, for x' with phi(r') > 0.

    Raises
    ------
    SingularSystem
        If for some x' no pattern is consistent, or two are with different derivatives; for a loss that is
        not convex also if the system of some pattern is singular.
    """
    if None in systems.values() and not loss.facts.convex:
        raise _undetermined("Theorem 5's system is singular for a choice of sides")
    chosen: Coefficients | None = None
    open_points = np.ones(len(new.phi), dtype=bool)
    for pattern, system in systems.items():
        if system is None:
            continue
        candidate = theorem_5_coefficients(site, system, new)
        agrees = _consistent(site, new, kinked, pattern, direction, candidate)
        if chosen is None:
            chosen = candidate
        fresh = agrees & open_points
        if not loss.facts.convex and _differ(chosen, candidate, agrees & ~open_points):
            raise _undetermined("several choices of sides agree with the motion of the residuals")
        chosen.rows[fresh] = candidate.rows[fresh]
        chosen.condition[fresh] = candidate.condition[fresh]
        open_points &= ~agrees
    if chosen is None or open_points.any():
        raise _undetermined("no choice of sides agrees with the direction in which the residuals move")
    return chosen


def _consistent(
    site: Site,
    new: NewPoints,
    kinked: Sequence[Kinked],
    pattern: Pattern,
    direction: int,
    candidate: Coefficients,
) -> np.ndarray[tuple[int], np.dtype[np.bool]]:
    """Tell for each x' whether every residual on a kink moves to the side that the pattern gives it."""
    agrees = np.ones(len(new.phi), dtype=bool)
    size = np.abs(candidate.rows).sum(axis=1) + candidate.new
    for location, side in zip(kinked, pattern, strict=True):
        row = int(location.rows[0])
        # A change is a sum of n + 1 terms of at most 2 |alpha_i| / r_i.
        allowance = _ROUNDING * len(site.norms) * candidate.condition * size / site.norms[row]
        agrees &= direction * side * norm_changes(site, new, candidate, row) >= -allowance
    return agrees


def _differ(
    one: Coefficients, other: Coefficients, chosen: np.ndarray[tuple[int], np.dtype[np.bool]]
) -> bool:
    first, second = one.rows[chosen], other.rows[chosen]
    level: Floats = _ROUNDING * first.shape[1] * np.maximum(one.condition, other.condition)[chosen]
    return bool((np.abs(first - second) > (level * np.abs(first).max(axis=1, initial=0.0))[:, None]).any())


def _undetermined(problem: str) -> SingularSystem:
    return SingularSystem(
        f"residuals lie on kinks of the loss, and {problem}",
        where="weights",
        remedy="move a threshold slightly off the residuals",
    )
