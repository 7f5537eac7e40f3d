"""The derivative of the recipe of section 6.1.2, in which the thresholds are estimated from the data too.

Not in the paper, whose Theorem 5 holds the thresholds fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rkde.errors import NotDifferentiable
from rkde.fast._certificates import pull
from rkde.fast._float64 import Floats, OrderStatistic, quantile_terms
from rkde.fast.estimates import check_thresholds, median_rkde, threshold_count, thresholds
from rkde.fast.influence.one_sided import (
    ABOVE,
    BELOW,
    LEFT,
    Drift,
    Kinked,
    Pattern,
    Systems,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.fast.influence.report import Draft, L2Norms, require_results
from rkde.fast.influence.results import Influence
from rkde.fast.influence.stationary_point import Tables, stationary_site
from rkde.fast.influence.theorem5 import NewPoints, Site, norm_changes
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers import fixed_point
from rkde.vocabulary import QuantileRule


@dataclass(frozen=True, slots=True, eq=False)
class RecipeAt:
    """Both stages of the recipe at their limits.

    Attributes
    ----------
    median, site : Site
        f_med, and the second stage's limit.
    loss : Loss
    terms : sequence of sequences of OrderStatistic
        What each threshold is made of.
    """

    median: Site | None
    site: Site
    loss: Loss
    terms: Sequence[Sequence[OrderStatistic]]


def recipe_at(
    operator: KernelOperator, loss: type[Loss], quantiles: Floats, quantile_rule: QuantileRule
) -> RecipeAt:
    """Run the recipe to its limits.

    Parameters
    ----------
    operator : KernelOperator
        Of X and the kernel.
    loss : class
    quantiles : ndarray, shape (3,)
    quantile_rule : str

    Returns
    -------
    RecipeAt
        `median` is None where a data location holds f_med, whose residual norms then stay.

    Raises
    ------
    DegenerateThresholds, NotConverged, NotDifferentiable
    """
    count = threshold_count(loss)
    start = median_rkde(operator.X, operator.kernel, operator=operator)
    abc = thresholds(start.residual_norms, quantiles=quantiles, quantile_rule=quantile_rule)[:count]
    if abc:
        check_thresholds(abc)
    fitted = _fitted(loss, abc)
    weights = start.weights
    if not isinstance(fitted, Absolute):
        limit = fixed_point(
            operator.X, operator.kernel, fitted, weights_init=start.weights, operator=operator
        )
        weights = limit.weights
    norms = start.residual_norms
    held = np.flatnonzero(norms == 0)
    if len(held) and abc:
        _check_held(operator, int(held[0]))
    return RecipeAt(
        None if len(held) or not abc else stationary_site(operator, Absolute(), start.weights),
        stationary_site(operator, fitted, weights),
        fitted,
        [quantile_terms(norms, operator.locations, level, quantile_rule) for level in quantiles[:count]],
    )


def total_influence(recipe: RecipeAt, tables: Tables, memory_limit: int) -> Influence:
    """Return the influence of all contaminating points on the recipe.

    Parameters
    ----------
    recipe : RecipeAt
    tables : Tables
    memory_limit : int
        Bytes.

    Returns
    -------
    Influence

    Raises
    ------
    NotDifferentiable, SingularSystem, MemoryLimit
    """
    site, loss = recipe.site, recipe.loss
    kinked = kinked_locations(loss, site)
    if any(len(location.kinks) > 1 for location in kinked):
        raise NotDifferentiable(
            "a residual lies on two thresholds at once, which move apart",
            where="quantiles",
            remedy="pass quantiles that differ",
        )
    one_sided = bool(kinked) or any(term.is_tied for terms in recipe.terms for term in terms)
    sides = (ABOVE, BELOW) if one_sided else (ABOVE,)
    require_results(tables, memory_limit, sides=len(sides))
    drafts = [Draft.of(tables) for _ in sides]
    slopes = _Slopes(loss, site, kinked)
    systems = systems_by_pattern(loss, site, kinked, tables.count, slopes.moving())
    norms = L2Norms(tables.kernel, tables.rows, site.weights, systems.active)
    median_systems = _median_systems(recipe, tables.count)
    for block in tables.blocks():
        new = tables.new_points(loss, site, block)
        apart_new = norms.to_points(tables.x_new.part(block.start, block.stop))
        change_of = _median_norm_changes(recipe, median_systems, tables, block)
        everything = np.ones(len(new.phi), dtype=bool)
        for side, draft in zip(sides, drafts, strict=True):
            drift = slopes.drift(_threshold_changes(recipe, change_of, side, len(new.phi)))
            found = one_sided_coefficients(loss, site, new, systems, side, drift)
            draft.fill(block, everything, site, new, found, norms, apart_new)
    below = drafts[1].finish(tables, site, None, one_sided=True) if one_sided else None
    return drafts[0].finish(tables, site, below, one_sided=one_sided)


def _fitted(loss: type[Loss], abc: tuple[float, ...]) -> Loss:
    if loss is Hampel:
        return Hampel(*abc)
    return Huber(*abc) if loss is Huber else Quadratic() if loss is Quadratic else Absolute()


def _check_held(operator: KernelOperator, row: int) -> None:
    """Refuse a location that holds f_med with |R_j| = m, no force to spare."""
    found = pull(operator, row)
    if found.square + found.slack >= found.count**2:
        raise NotDifferentiable(
            "f_med is a data location that any further mass may drive it from",
            where=f"row {row}",
            remedy="change the bandwidth slightly",
        )


def _median_systems(recipe: RecipeAt, count: int) -> Systems | None:
    return None if recipe.median is None else systems_by_pattern(Absolute(), recipe.median, [], count)


def _median_norm_changes(
    recipe: RecipeAt, systems: Systems | None, tables: Tables, block: slice
) -> Callable[[int], Floats]:
    """Return a function from a row to d/ds of its residual norm at f_med, for the x' of a block."""
    if recipe.median is None or systems is None:
        return lambda _: np.zeros(block.stop - block.start)
    median = recipe.median
    new: NewPoints = tables.new_points(Absolute(), median, block)
    found = one_sided_coefficients(Absolute(), median, new, systems, ABOVE)
    return lambda row: norm_changes(median, new, found, row)


def _threshold_changes(
    recipe: RecipeAt, change_of: Callable[[int], Floats], direction: int, count: int
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
    site: Site
    kinked: Sequence[Kinked]

    def moving(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Return the rows of which some pattern makes phi depend on a threshold."""
        plain = self._of_pieces(self._pieces())
        needed = (plain != 0).max(axis=0, initial=False)
        for location in self.kinked:
            needed[location.rows] = True
        return np.flatnonzero(needed)

    def drift(self, kink_changes: Floats) -> Drift | None:
        """Return how kinks and phi(r_i) move, given the derivatives of the thresholds; None without any."""
        if not self.loss.kinks:
            return None

        def phi_changes(pattern: Pattern) -> Floats:
            pieces = self._pieces()
            for location, side in zip(self.kinked, pattern, strict=True):
                pieces[location.rows] = location.kinks[0] + (0 if side == LEFT else 1)
            return np.asarray(kink_changes @ self._of_pieces(pieces))

        return Drift(kink_changes, phi_changes)

    def _pieces(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        kinks = np.asarray(self.loss.kinks, dtype=np.float64)
        return np.asarray((self.site.norms[:, np.newaxis] > kinks).sum(axis=1))

    def _of_pieces(self, pieces: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
        """Return the derivatives, shape (number of thresholds, n).

        phi is a/t beyond a; on Hampel's ramp a (c - t)/((c - b) t); elsewhere no threshold enters.
        """
        kinks = self.loss.kinks
        slopes = np.zeros((len(kinks), len(pieces)))
        if not kinks:
            return slopes
        t = self.site.norms
        flat = pieces == 1
        slopes[0, flat] = 1 / t[flat]
        if len(kinks) == len("abc"):
            a, b, c = kinks
            on_ramp = pieces == 2
            t, ramp = t[on_ramp], c - b
            left, right = (c - t) / ramp, (t - b) / ramp
            slopes[:, on_ramp] = np.stack([left / t, a * left / (ramp * t), a * right / (ramp * t)])
        return slopes
