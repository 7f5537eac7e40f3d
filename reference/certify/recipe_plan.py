"""What a recipe asks for: loss, levels, rule and start; and the thresholds that it gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from flint import arb

from rkde.errors import DegenerateThresholds, InvalidInput
from rkde.reference.certify.balls import exact_ball
from rkde.reference.certify.losses import PIECES, LossName
from rkde.reference.certify.quantiles import enclose_quantile, order_statistic
from rkde.reference.certify.results import Enclosure, UnprovedError
from rkde.reference.losses import Absolute, Hampel, Huber, Quadratic
from rkde.reference.numbers import Number, exact_value
from rkde.vocabulary import MIN_RAMP, RECIPES, QuantileRule, RecipeName, Start

LossClass = type[Quadratic] | type[Absolute] | type[Huber] | type[Hampel]

LOSS_NAMES: Final[dict[LossClass, LossName]] = {
    Quadratic: "quadratic",
    Absolute: "absolute",
    Huber: "huber",
    Hampel: "hampel",
}
# One row of the authors' program: each threshold as a rank among the n median distances, 0 for the smallest.
AUTHORS_RANKS: Final[tuple[Callable[[int], int], ...]] = (
    lambda count: count - count // 2,
    lambda count: count - max(1, count // 20),
    lambda count: count - 1,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A resolved recipe.

    Attributes
    ----------
    loss : {"quadratic", "absolute", "huber", "hampel"}
    name : {"paper", "authors-program", "custom"}
    levels : tuple of fractions.Fraction or None
        Levels of the thresholds that the loss has; None where ranks are named instead.
    quantile_texts : tuple of str or None
        The levels as they were given.
    quantile_rule : str or None
    start : {"uniform", "median"}
    """

    loss: LossName
    name: RecipeName | Literal["custom"]
    levels: tuple[Fraction, ...] | None
    quantile_texts: tuple[str, ...] | None
    quantile_rule: QuantileRule | None
    start: Start


def make_plan(
    loss: LossClass,
    recipe: RecipeName,
    quantiles: Sequence[Number] | None,
    quantile_rule: QuantileRule | None,
    start: Start | None,
) -> Plan:
    """Resolve a recipe and what overrides it."""
    if loss not in LOSS_NAMES:
        raise InvalidInput(
            "must be Quadratic, Absolute, Huber or Hampel to be enclosed",
            where="loss",
            value=loss,
            remedy="use one of these losses",
        )
    if recipe not in RECIPES:
        raise InvalidInput(
            "must be the name of a recipe",
            where="recipe",
            value=recipe,
            remedy=f"use one of {', '.join(RECIPES)}",
        )
    if start not in (None, "uniform", "median"):
        raise InvalidInput(
            "must be the name of a start", where="start", value=start, remedy='use "uniform" or "median"'
        )
    named = RECIPES[recipe]
    custom = (quantiles, quantile_rule, start) != (None, None, None)
    if custom and named.quantiles is None:
        named = RECIPES["paper"]
    given = named.quantiles if quantiles is None else quantiles
    levels = None if given is None else tuple(exact_value(level, "quantiles") for level in given)
    if levels is not None and list(levels) != sorted(levels):
        raise InvalidInput(
            "must be levels in increasing order",
            where="quantiles",
            value=tuple(map(float, levels)),
            remedy="sort them",
        )
    return Plan(
        loss=LOSS_NAMES[loss],
        name="custom" if custom else recipe,
        levels=levels,
        quantile_texts=None if given is None else tuple(str(level) for level in given),
        quantile_rule=quantile_rule or named.quantile_rule,
        start=start or named.start,
    )


def checked_thresholds(plan: Plan, median: Enclosure) -> tuple[arb, ...]:
    """Enclose the thresholds that a plan takes from the residual norms of f_med."""
    if not median.residual_norms:
        raise UnprovedError(median.reason)
    thresholds = _thresholds(plan, median.residual_norms)
    first = thresholds[0]
    if first.is_zero():  # any other norm of an enclosed f_med is positive
        raise DegenerateThresholds(
            "a = 0, because the share of rows that coincide with f_med reaches the quantile level of a",
            where="thresholds",
            remedy="raise the quantile levels, or remove duplicates",
        )
    if plan.loss == "hampel":
        _check_ramp(thresholds[1], thresholds[2])
    return thresholds


def _thresholds(plan: Plan, norms: Sequence[arb]) -> tuple[arb, ...]:
    count = len(PIECES[plan.loss]) - 1
    if plan.levels is None or plan.quantile_rule is None:
        return tuple(order_statistic(norms, rank(len(norms))) for rank in AUTHORS_RANKS[:count])
    if len(plan.levels) < count:
        raise InvalidInput(
            f"must have at least {count} levels",
            where="quantiles",
            value=plan.quantile_texts,
            remedy=f"pass {count} levels",
        )
    return tuple(enclose_quantile(norms, level, plan.quantile_rule) for level in plan.levels[:count])


def _check_ramp(b: arb, c: arb) -> None:
    least = exact_ball(Fraction(MIN_RAMP)) * c
    if c - b <= least:
        raise DegenerateThresholds(
            "b = c, so Hampel's psi has no descending part",
            where="thresholds",
            remedy="use other quantile levels, or pass thresholds",
        )
    if not c - b > least:
        raise UnprovedError("it could not be decided whether b = c; try more bits")
