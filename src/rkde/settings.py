"""What decides the recipe, read from its arguments: the same words for both implementations, no numerics."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeVar

from rkde.errors import DegenerateThresholds, InvalidInput, InvalidType
from rkde.vocabulary import RECIPES, FrontRecipe, OnDegenerate, QuantileRule, RecipeName, Start

Level = TypeVar("Level")
Weights = TypeVar("Weights")
LossType = TypeVar("LossType", bound=type)

STARTS: Final[tuple[Start, ...]] = ("uniform", "median")
FALL_BACKS: Final[tuple[OnDegenerate, ...]] = ("raise", "warn")
# How the errors about thresholds of 0 begin, and about those that are all equal.
_ZERO: Final = "a = 0"
_FLAT: Final = "a = "
DEFAULT_QUANTILE_RULE: Final[QuantileRule] = "linear"
# The authors' program takes the floor(n/2)-th and the max(1, floor(n/20))-th largest distance as a and b.
AUTHORS_A_DIVISOR: Final = 2
AUTHORS_B_DIVISOR: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class Settings(Generic[Level, Weights]):
    """What decides thresholds and start, after defaults and overrides.

    `quantiles` are the levels of a, b, c; None, with `quantile_rule`, for the order statistics of the
    authors' program. `start` is a name, or the weights that were given.
    """

    recipe: FrontRecipe | Literal["custom"]
    quantiles: tuple[Level, ...] | None
    quantile_rule: QuantileRule | None
    start: Start | Weights


def recipe_settings(
    recipe: RecipeName,
    quantiles: tuple[Level, ...] | None,
    quantile_rule: QuantileRule | None,
    start: Start | Weights | None,
    number: Callable[[str], Level],
) -> Settings[Level, Weights]:
    """Return the settings of a recipe with what overrides them; any override makes it `custom`.

    `number` reads a level that stands in the recipe as a decimal.
    """
    check_choice(recipe, tuple(RECIPES), "recipe")
    if isinstance(start, str):
        check_choice(start, STARTS, "start")
    base = RECIPES[recipe]
    rule = quantile_rule or base.quantile_rule
    levels = quantiles
    if levels is None and rule is not None:
        levels = tuple(map(number, base.quantiles or RECIPES["paper"].quantiles or ()))
    if levels is not None:
        rule = rule or DEFAULT_QUANTILE_RULE
    custom = not (quantiles is None and quantile_rule is None and start is None)
    return Settings("custom" if custom else recipe, levels, rule, base.start if start is None else start)


def check_choice(value: str, choices: Sequence[str], where: str) -> None:
    """Refuse a name that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidInput(
            "must be a known name", where=where, value=value, remedy=f"use one of {', '.join(choices)}"
        )


def loss_class(loss: LossType | str, known: Iterable[LossType]) -> LossType:
    """Return the loss class that is meant, itself or its name; refuse a loss object and other classes."""
    for kind in known:
        if loss is kind or loss == kind.name:  # type: ignore[attr-defined]
            return kind
    raise InvalidType(
        "must be one of the classes Quadratic, Absolute, Huber and Hampel, or its name",
        where="loss",
        value=loss,
        remedy='pass the class itself or a name such as "huber": the recipe supplies the thresholds',
    )


def refinement(error: DegenerateThresholds) -> str:
    """Return what may give other thresholds; where half of the rows coincide, no bandwidth does."""
    if error.problem.startswith(_ZERO):
        return "larger quantiles"
    return f"a larger bandwidth{'' if error.problem.startswith(_FLAT) else ' or other quantiles'}"


def degenerate_thresholds(*, zero: bool, flat: bool, last: str) -> DegenerateThresholds:
    """Return the error for thresholds that are 0, or whose last two leave Hampel's psi without a ramp.

    Where they are flat, a is equal to them as well, and other quantiles are hardly different.
    """
    problem, remedy = (
        f"{_FLAT if flat else ''}b = c = {last} up to rounding, so Hampel's psi has no descending part",
        f"use a larger bandwidth, {'' if flat else 'other quantiles, '}the loss Huber",
    )
    if zero:
        problem = f"{_ZERO}, because at least half of the rows coincide with f_med"
        remedy = "use larger quantiles, the loss Absolute, the loss Quadratic"
    return DegenerateThresholds(problem, where="thresholds", remedy=f'{remedy}, or on_degenerate="warn"')
