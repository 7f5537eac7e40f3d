"""Not in the paper: one-sided derivatives where residuals lie on kinks of the loss.

Theorem 5 needs psi' at each r_i. On a kink psi' has a value from the left and one from
the right, and which one counts depends on where r_i goes: for s decreasing to 0 the right piece holds where
dr_i/ds > 0 and the left one where dr_i/ds < 0; for s increasing to 0 the other way round. So each pattern of
sides gives a candidate, and the candidates whose dr_i/ds agree with their pattern are the derivatives. For a
convex loss there is at most one; Hampel's may have several, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import NotDifferentiable, SingularSystem
from rkde.reference.influence.theorem5 import (
    Coefficients,
    ContaminatingPoint,
    StationaryPoint,
    System,
    norm_changes,
    theorem_5_coefficients,
    theorem_5_system,
)
from rkde.reference.losses import Loss
from rkde.reference.numbers import Row, rounding_level, to_mpf
from rkde.reference.solvers import locations
from rkde.vocabulary import KINK_SLACK, MAX_KINKED_LOCATIONS

LEFT: Final = -1
RIGHT: Final = 1
ABOVE: Final = 1
BELOW: Final = -1

Pattern = tuple[int, ...]
"""LEFT or RIGHT for each location on a kink."""


@dataclass(frozen=True, slots=True)
class KinkedLocation:
    """A location on a kink: its rows, the numbers of the kinks, and q on either side."""

    rows: tuple[int, ...]
    kinks: tuple[int, ...]
    q_left: mpf
    q_right: mpf


@dataclass(frozen=True, slots=True)
class ThresholdMotion:
    """How thresholds move with s: speeds of the kinks, and of phi(r_i) for a pattern of sides."""

    kink_changes: Row
    phi_changes: Callable[[Pattern], Row]


def kinked_locations(ctx: MPContext, loss: Loss, point: StationaryPoint) -> list[KinkedLocation]:
    """Return the locations whose residual lies within `KINK_SLACK` of a kink, relatively."""
    slack = to_mpf(ctx, KINK_SLACK)
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    kinked = []
    for rows in locations(point.distances):
        norm = point.norms[rows[0]]
        near = tuple(k for k, kink in enumerate(kinks) if abs(norm - kink) <= slack * kink)
        if near:
            left, right = loss.q_left(ctx, kinks[near[0]]), loss.q(ctx, kinks[near[-1]])
            kinked.append(KinkedLocation(tuple(rows), near, ctx.mpf(0) if left is None else left, right))
    if len(kinked) > MAX_KINKED_LOCATIONS:
        raise NotDifferentiable(
            f"{len(kinked)} locations have residuals on kinks of the loss, each with two sides to try",
            where="weights",
            value=f"2^{len(kinked)} patterns",
            remedy="move the thresholds slightly, so that the residuals of at most "
            f"{MAX_KINKED_LOCATIONS} locations lie on kinks",
        )
    return kinked


def systems_by_pattern(
    ctx: MPContext, loss: Loss, point: StationaryPoint, kinked: Sequence[KinkedLocation]
) -> dict[Pattern, System | None]:
    """Return Theorem 5's system for each pattern of sides, None where it is singular.

    Without kinks there is one pattern, the empty one, whose `SingularSystem` is raised.
    """
    plain = [loss.q(ctx, norm) for norm in point.norms]
    systems: dict[Pattern, System | None] = {}
    for pattern in product((LEFT, RIGHT), repeat=len(kinked)):
        q_values = list(plain)
        for location, side in zip(kinked, pattern, strict=True):
            for row in location.rows:
                q_values[row] = location.q_left if side == LEFT else location.q_right
        try:
            systems[pattern] = theorem_5_system(ctx, point, q_values)
        except SingularSystem:
            if not kinked:
                raise
            systems[pattern] = None
    return systems


def one_sided_coefficients(
    ctx: MPContext,
    loss: Loss,
    point: StationaryPoint,
    new: ContaminatingPoint,
    kinked: Sequence[KinkedLocation],
    systems: Mapping[Pattern, System | None],
    direction: int,
    motion: ThresholdMotion | None = None,
) -> Coefficients:
    """Return alpha and alpha' for s going to 0 from one side."""
    if None in systems.values() and not loss.facts.convex:
        raise _undetermined("Theorem 5's system is singular for a choice of sides")
    consistent: list[Coefficients] = []
    for pattern, system in systems.items():
        if system is None:
            continue
        phi_change = motion.phi_changes(pattern) if motion else None
        candidate = theorem_5_coefficients(ctx, point, new, system, phi_change)
        if _is_consistent(ctx, point, new, kinked, pattern, direction, candidate, motion):
            consistent.append(candidate)
            if loss.facts.convex:
                break
    if not consistent:
        raise _undetermined("no choice of sides agrees with the direction in which the residuals move")
    if any(_differ(ctx, consistent[0], other) for other in consistent[1:]):
        raise _undetermined(f"{len(consistent)} choices of sides agree with the motion of the residuals")
    return consistent[0]


def _is_consistent(
    ctx: MPContext,
    point: StationaryPoint,
    new: ContaminatingPoint,
    kinked: Sequence[KinkedLocation],
    pattern: Pattern,
    direction: int,
    candidate: Coefficients,
    motion: ThresholdMotion | None,
) -> bool:
    """Tell whether every residual on a kink moves to the side that the pattern gives it, or not at all."""
    changes = norm_changes(ctx, point, new, candidate)
    # A change is a sum of |alpha_i| terms of at most 2/r_i.
    size = ctx.fsum((*candidate.alpha, candidate.alpha_new), absolute=True)
    for location, side in zip(kinked, pattern, strict=True):
        row = location.rows[0]
        change = changes[row] - (motion.kink_changes[location.kinks[0]] if motion else 0)
        allowance = rounding_level(ctx) * candidate.condition * size / point.norms[row]
        if direction * side * change < -allowance:
            return False
    return True


def _differ(ctx: MPContext, one: Coefficients, other: Coefficients) -> bool:
    largest = max(map(abs, one.alpha))
    level = rounding_level(ctx) * max(one.condition, other.condition)
    return any(abs(a - b) > level * largest for a, b in zip(one.alpha, other.alpha, strict=True))


def _undetermined(problem: str) -> SingularSystem:
    return SingularSystem(
        f"residuals lie on kinks of the loss, and {problem}",
        where="weights",
        remedy="move a threshold slightly away from the residuals",
    )
