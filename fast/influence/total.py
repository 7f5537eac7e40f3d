"""The derivative of the recipe of section 6.1.2, in which the thresholds are estimated from the data too.

Not in the paper, whose Theorem 5 holds the thresholds fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import NotDifferentiable
from rkde.fast import estimates
from rkde.fast._float64 import Floats, OrderStatistic, TableLike, as_vector, quantile_terms
from rkde.fast._resources import Compute, Limits, checked_resources
from rkde.fast.estimates import PAPER_QUANTILES
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
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers import LIMIT_MAX_ITER, limit_from, resultant
from rkde.settings import DEFAULT_QUANTILE_RULE, loss_class
from rkde.vocabulary import LossName, QuantileRule


def influence_total(
    X: TableLike,
    kernel: Kernel,
    x_new: TableLike,
    queries: TableLike | None = None,
    *,
    loss: type[Loss] | LossName = Hampel,
    quantiles: ArrayLike | None = None,
    quantile_rule: QuantileRule = DEFAULT_QUANTILE_RULE,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Influence:
    """Return the influence function of the recipe of section 6.1.2: thresholds move with the data.

    Theorem 5 holds a, b, c fixed. Here f_med is an estimate from (1 - s) F_n + s delta_x' too, and a, b, c
    are quantiles of its n residual norms at the rows of X, so d/ds f has a second source. The kernel, with
    its bandwidth, stays.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    x_new : array_like, shape (m, d)
        Contaminating points x'.
    queries : array_like, shape (q, d), optional
        Where IF(x, x') is wanted.
    loss : class or str
        `Hampel`, `Huber`, `Absolute` or `Quadratic`, or its name; the last two have no thresholds.
    quantiles : array_like, shape (3,), optional
        By default 0.5, 0.75, 0.85.
    quantile_rule : str
        One of numpy's 13 names of a quantile's definition.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    Influence
        `one_sided` also where a quantile picks one of several equal norms.

    Raises
    ------
    DegenerateThresholds
        a = 0, or there is no ramp between b and c.
    NotDifferentiable
        f_med sits on a data location from which an arbitrarily small mass drives it away; a residual lies on
        two kinks at once.
    SingularSystem, MemoryLimit, NotConverged, InvalidInput, InvalidType
        As `influence` and `fixed_point`.

    Notes
    -----
    A quantile is a fixed combination of order statistics d_(k), and d/ds d_i = -<d/ds f_med, u_i>/d_i, where
    d/ds f_med is Theorem 5's for the absolute loss; where f_med is a data location that holds it, it stays.
    Equal norms are taken in the order that their derivatives give them. The mass s of x' itself takes no part
    in the quantiles. Costs `median_rkde`, `fixed_point` and `influence` twice, and a product with the kernel
    matrix for each x'.

    `condition` is that of the second stage. Where rows lie much closer than the bandwidth, the thresholds
    and residual norms move almost together and their effects cancel: the coefficients then carry an error of
    about n roundings over the square of the residual norms, whatever the condition number. With the rows
    (-1, -.3, .4, 1.2) times 10^-4 and bandwidth 1 no digit is left; `rkde.reference` has them.

    Examples
    --------
    >>> from rkde.fast import Gaussian
    >>> found = influence_total([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], Gaussian(1.0), [[1.0]])
    >>> bool(abs(found.if_coef.sum() + found.if_coef_new[0]) < 1e-15)
    True
    """
    checked_kernel(kernel)
    levels = as_vector(PAPER_QUANTILES if quantiles is None else quantiles, where="quantiles")
    with checked_resources(compute, limits).running() as resources:
        operator = operator_for(X, kernel, operator, resources)
        inputs = InfluenceInputs.of(operator, x_new, queries)
        recipe = recipe_limits(operator, loss, levels, quantile_rule)
        return total_influence(recipe, inputs, resources.memory_limit)


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
