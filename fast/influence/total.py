"""The derivative of the recipe of section 6.1.2, in which the thresholds are estimated from the data too.

Not in the paper, whose Theorem 5 holds the thresholds fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rkde.errors import NotDifferentiable
from rkde.fast import estimates
from rkde.fast._float64 import Floats, OrderStatistic, quantile_terms
from rkde.fast.influence.one_sided import (
    ABOVE,
    BELOW,
    LEFT,
    KinkedLocation,
    Pattern,
    Systems,
    ThresholdMotion,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.fast.influence.results import Influence
from rkde.fast.influence.sensitivity import InfluenceAccumulator, L2Norms, require_results
from rkde.fast.influence.stationary_point import InfluenceInputs, linearisation_point
from rkde.fast.influence.theorem5 import ContaminatingPoints, StationaryPoint, norm_changes
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers import LIMIT_MAX_ITER, limit_from, resultant
from rkde.settings import loss_class
from rkde.vocabulary import LossName, QuantileRule


@dataclass(frozen=True, slots=True, eq=False)
class RecipeLimits:
    """Both stages of the recipe at their limits.

    Attributes
    ----------
    median, point : StationaryPoint
        f_med, and the second stage's limit.
    loss : Loss
    terms : sequence of sequences of OrderStatistic
        What each threshold is made of.
    """

    median: StationaryPoint | None
    point: StationaryPoint
    loss: Loss
    terms: Sequence[Sequence[OrderStatistic]]


def recipe_limits(
    operator: KernelOperator, loss: type[Loss] | LossName, quantiles: Floats, quantile_rule: QuantileRule
) -> RecipeLimits:
    """Run the recipe to its limits.

    `median` is None where a data location holds f_med, whose residual norms then stay, and where the loss has
    no thresholds.
    """
    kind = loss_class(loss, estimates.THRESHOLD_COUNTS)
    count = estimates.THRESHOLD_COUNTS[kind]
    median = estimates.median_from(operator)
    norms, weights = median.residual_norms, median.weights
    abc = estimates.thresholds(norms, quantiles=quantiles, quantile_rule=quantile_rule)[:count]
    if abc:
        estimates.check_thresholds(abc)
    loss_abc = _loss_of(kind, abc)
    if not isinstance(loss_abc, Absolute):
        start = median.weights / median.weights.sum()
        weights = limit_from(operator, loss_abc, start, LIMIT_MAX_ITER).weights
    held = np.flatnonzero(norms == 0)
    if len(held) and abc:
        _check_held(operator, int(held[0]))
    return RecipeLimits(
        None if len(held) or not abc else linearisation_point(operator, Absolute(), median.weights),
        linearisation_point(operator, loss_abc, weights),
        loss_abc,
        [quantile_terms(norms, operator.locations, level, quantile_rule) for level in quantiles[:count]],
    )


def total_influence(recipe: RecipeLimits, inputs: InfluenceInputs, memory_limit: int) -> Influence:
    """Return the influence of all contaminating points on the recipe, within so many bytes."""
    point, loss = recipe.point, recipe.loss
    kinked = kinked_locations(loss, point)
    if any(len(location.kinks) > 1 for location in kinked):
        raise NotDifferentiable(
            "must differ, because a residual lies on two thresholds that move apart, got equal thresholds",
            where="quantiles",
            remedy="pass quantiles that are further apart",
        )
    one_sided = bool(kinked) or any(term.is_tied for terms in recipe.terms for term in terms)
    sides = (ABOVE, BELOW) if one_sided else (ABOVE,)
    require_results(inputs, memory_limit, sides=len(sides))
    accumulators = [InfluenceAccumulator.of(inputs) for _ in sides]
    slopes = _Slopes(loss, point, kinked)
    systems = systems_by_pattern(loss, point, kinked, inputs.count, slopes.moving())
    norms = L2Norms(inputs.kernel, inputs.rows, point.weights, systems.active)
    median_systems = _median_systems(recipe, inputs.count)
    for block in inputs.blocks():
        new = inputs.new_points(loss, point, block)
        apart_new = norms.to_points(inputs.x_new.part(block.start, block.stop))
        change_of = _median_norm_changes(recipe, median_systems, inputs, block)
        everything = np.ones(len(new.phi), dtype=bool)
        for side, accumulator in zip(sides, accumulators, strict=True):
            motion = slopes.motion(_threshold_changes(recipe, change_of, side, len(new.phi)))
            coefficients = one_sided_coefficients(loss, point, new, systems, side, motion)
            accumulator.fill(block, everything, point, new, coefficients, norms, apart_new)
    below = accumulators[1].finish(inputs, point, None, one_sided=True) if one_sided else None
    return accumulators[0].finish(inputs, point, below, one_sided=one_sided)


def _loss_of(loss: type[Loss], abc: tuple[float, ...]) -> Loss:
    if loss is Hampel:
        return Hampel(*abc)
    return Huber(*abc) if loss is Huber else Quadratic() if loss is Quadratic else Absolute()


def _check_held(operator: KernelOperator, row: int) -> None:
    """Refuse a location that holds f_med with |R_j| = m, no force to spare."""
    test = resultant(operator, row)
    if test.square + test.slack >= test.mass**2:
        raise NotDifferentiable(
            "f_med lies at a data location, and any additional mass may move it away",
            where=f"row {row}",
            remedy="change the bandwidth slightly",
        )


def _median_systems(recipe: RecipeLimits, count: int) -> Systems | None:
    return None if recipe.median is None else systems_by_pattern(Absolute(), recipe.median, [], count)


def _median_norm_changes(
    recipe: RecipeLimits, systems: Systems | None, inputs: InfluenceInputs, block: slice
) -> Callable[[int], Floats]:
    """Return a function from a row to d/ds of its residual norm at f_med, for the x' of a block."""
    if recipe.median is None or systems is None:
        return lambda _: np.zeros(block.stop - block.start)
    median = recipe.median
    new: ContaminatingPoints = inputs.new_points(Absolute(), median, block)
    coefficients = one_sided_coefficients(Absolute(), median, new, systems, ABOVE)
    return lambda row: norm_changes(median, new, coefficients, row)


def _threshold_changes(
    recipe: RecipeLimits, change_of: Callable[[int], Floats], direction: int, count: int
) -> Floats:
    """Return d/ds of each threshold, shape (m, number of thresholds)."""
    result = np.zeros((count, len(recipe.terms)))
    for column, terms in zip(result.T, recipe.terms, strict=True):
        for term in terms:
            column += term.share * term.change(change_of, direction)
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Slopes:
    """Derivatives of phi(r_i) in the thresholds, for each pattern of sides."""

    loss: Loss
    point: StationaryPoint
    kinked: Sequence[KinkedLocation]

    def moving(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Return the rows of which some pattern makes phi depend on a threshold."""
        plain = self._of_pieces(self._pieces())
        needed = (plain != 0).max(axis=0, initial=False)
        for location in self.kinked:
            needed[location.rows] = True
        return np.flatnonzero(needed)

    def motion(self, kink_changes: Floats) -> ThresholdMotion | None:
        """Return how kinks and phi(r_i) move, given the derivatives of the thresholds; None without any."""
        if not self.loss.kinks:
            return None

        def phi_changes(pattern: Pattern) -> Floats:
            pieces = self._pieces()
            for location, side in zip(self.kinked, pattern, strict=True):
                pieces[location.rows] = location.kinks[0] + (0 if side == LEFT else 1)
            return np.asarray(kink_changes @ self._of_pieces(pieces))

        return ThresholdMotion(kink_changes, phi_changes)

    def _pieces(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        kinks = np.asarray(self.loss.kinks, dtype=np.float64)
        return np.asarray((self.point.norms[:, np.newaxis] > kinks).sum(axis=1))

    def _of_pieces(self, pieces: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
        """Return the derivatives, shape (number of thresholds, n).

        phi is a/t beyond a; on Hampel's ramp a (c - t)/((c - b) t); elsewhere no threshold enters.
        """
        kinks = self.loss.kinks
        slopes = np.zeros((len(kinks), len(pieces)))
        if not kinks:
            return slopes
        t = self.point.norms
        flat = pieces == 1
        slopes[0, flat] = 1 / t[flat]
        if len(kinks) == len("abc"):
            a, b, c = kinks
            on_ramp = pieces == 2
            t, ramp = t[on_ramp], c - b
            left, right = (c - t) / ramp, (t - b) / ramp
            slopes[:, on_ramp] = np.stack([left / t, a * left / (ramp * t), a * right / (ramp * t)])
        return slopes
