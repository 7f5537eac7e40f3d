"""Not in the paper: the influence function of the whole recipe of section 6.1.2, whose thresholds move.

Theorem 5 holds the thresholds fixed; here they are estimated from the contaminated data too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.errors import NotDifferentiable
from rkde.reference import estimates
from rkde.reference.estimates import PAPER_QUANTILES, THRESHOLD_COUNTS, check_thresholds
from rkde.reference.influence.one_sided import (
    ABOVE,
    BELOW,
    LEFT,
    KinkedLocation,
    Pattern,
    ThresholdMotion,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.reference.influence.results import Influence
from rkde.reference.influence.sensitivity import influence_of
from rkde.reference.influence.stationary_point import (
    InfluenceInputs,
    check_differentiable,
    linearisation_point,
)
from rkde.reference.influence.theorem5 import (
    Coefficients,
    ContaminatingPoint,
    StationaryPoint,
    System,
    norm_changes,
)
from rkde.reference.kernels import Kernel, checked_kernel
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.reference.numbers import (
    QUANTILE_RULES,
    Matrix,
    Number,
    Ordered,
    Row,
    Rows,
    guarded,
    points,
    to_mpf,
    uniform_weights,
)
from rkde.reference.numbers import queries as query_points
from rkde.reference.rkhs import distance_matrix
from rkde.reference.solvers import LIMIT_MAX_ITER, limit_from, locations
from rkde.settings import DEFAULT_QUANTILE_RULE, loss_class
from rkde.vocabulary import KINK_SLACK, LossName, QuantileRule


@guarded
def influence_total(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    x_new: Rows,
    queries: Rows | None = None,
    *,
    loss: type[Loss] | LossName = Hampel,
    quantiles: Sequence[Number] | None = None,
    quantile_rule: QuantileRule = DEFAULT_QUANTILE_RULE,
) -> Influence:
    """Return the influence function of the recipe of section 6.1.2: thresholds move with the data.

    Theorem 5 holds a, b, c fixed. Here f_med is an estimate from (1 - s) F_n + s delta_x' too, and a, b, c
    are quantiles of its n residual norms at the rows of X, so d/ds f has a second source. The kernel, with
    its bandwidth, stays.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    x_new : sequence of rows, shape (m, d)
    queries : sequence of rows, shape (q, d), optional
    loss : class or str
        `Hampel`, `Huber`, `Absolute` or `Quadratic`, or its name; the last two have no thresholds.
    quantiles : sequence of three numbers, optional
        By default 0.5, 0.75, 0.85.
    quantile_rule : str, default "linear"

    Returns
    -------
    Influence
        `one_sided` also where a quantile picks one of several equal norms.

    Raises
    ------
    DegenerateThresholds
        If a = 0, or there is no ramp between b and c.
    NotDifferentiable
        If a residual lies on two kinks at once.
    SingularSystem, NotConverged, InvalidInput, InvalidType
        As `influence` and `fixed_point`; the first also if an arbitrarily small mass drives f_med away from a
        data location.

    Notes
    -----
    A quantile is a fixed combination of order statistics d_(k), and d/ds d_i = -<d/ds f_med, u_i>/d_i, where
    d/ds f_med is Theorem 5's for the absolute loss; a data location that is f_med holds it with force to
    spare, so it stays. Equal norms are taken in the order that their derivatives give them. The change of
    phi(r_i) by way of the thresholds adds P' times itself to the right side of Theorem 5's system. The mass s
    of x' itself takes no part in the quantiles: it would matter only through the convention of a weighted
    quantile.

    Costs `median_rkde`, `fixed_point` and `influence` twice.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> result = influence_total(ctx, [[-2], [-1], [0], ["0.5"], ["1.5"], [6]], Gaussian(1), [[1]])
    >>> abs(sum(result.if_coef[0]) + result.if_coef_new[0]) < ctx.mpf("1e-18")
    True
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    dim = len(rows[0])
    new_rows = query_points(ctx, x_new, dim, "x_new")
    query_rows = query_points(ctx, () if queries is None else queries, dim)
    inputs = InfluenceInputs(kernel, rows, new_rows, query_rows)
    levels = PAPER_QUANTILES if quantiles is None else tuple(quantiles)
    recipe = recipe_limits(ctx, distance_matrix(ctx, rows, kernel), loss, levels, quantile_rule)
    one_sided, above, below = total_derivatives(ctx, inputs, recipe)
    from_below = influence_of(ctx, inputs, below, None, one_sided=True) if one_sided else None
    return influence_of(ctx, inputs, above, from_below, one_sided=one_sided)


@dataclass(frozen=True, slots=True)
class RecipeLimits:
    """Both stages of the recipe at their limits.

    Attributes
    ----------
    median : StationaryPoint
        f_med.
    median_location : list of int
        The rows of the location that f_med is, empty where it is none.
    loss : Loss
    point : StationaryPoint
        The second stage's limit.
    levels : tuple of mpf
        One for each threshold of the loss.
    quantile_rule : str
    """

    median: StationaryPoint
    median_location: list[int]
    loss: Loss
    point: StationaryPoint
    levels: Row
    quantile_rule: QuantileRule


def recipe_limits(
    ctx: MPContext,
    distances: Matrix,
    loss: type[Loss] | LossName,
    quantiles: Sequence[Number],
    quantile_rule: QuantileRule,
) -> RecipeLimits:
    """Run the recipe to its limits, given D."""
    kind = loss_class(loss, THRESHOLD_COUNTS)
    count = THRESHOLD_COUNTS[kind]
    start = limit_from(ctx, distances, Absolute(), uniform_weights(ctx, len(distances)), LIMIT_MAX_ITER)
    abc = estimates.thresholds(ctx, start.residual_norms, quantiles=quantiles, quantile_rule=quantile_rule)[
        :count
    ]
    if abc:
        check_thresholds(ctx, abc)
    loss_abc = _loss_of(kind, abc)
    median = linearisation_point(ctx, Absolute(), distances, start.weights)
    weights = start.weights
    if not isinstance(loss_abc, Absolute):
        weights = limit_from(ctx, distances, loss_abc, start.weights, LIMIT_MAX_ITER).weights
    return RecipeLimits(
        median=median,
        median_location=[row for row, norm in enumerate(median.norms) if not norm],
        loss=loss_abc,
        point=linearisation_point(ctx, loss_abc, distances, weights),
        levels=tuple(to_mpf(ctx, level) for level in list(quantiles)[:count]),
        quantile_rule=quantile_rule,
    )


def total_derivatives(
    ctx: MPContext, inputs: InfluenceInputs, recipe: RecipeLimits
) -> tuple[bool, list[Coefficients], list[Coefficients]]:
    """Return whether the derivatives are one-sided, those from above, and those from below."""
    point, loss = recipe.point, recipe.loss
    new = inputs.contaminating_points(ctx, loss, point)
    check_differentiable(ctx, point, new)
    kinked = kinked_locations(ctx, loss, point)
    if any(len(location.kinks) > 1 for location in kinked):
        raise NotDifferentiable(
            "must differ, because a residual lies on two thresholds that move apart, got equal thresholds",
            where="quantiles",
            remedy="pass quantiles that are further apart",
        )
    systems = systems_by_pattern(ctx, loss, point, kinked)
    changes = _median_norm_changes(ctx, inputs, recipe)

    def from_side(direction: int) -> list[Coefficients]:
        coefficients = []
        for each, change in zip(new, changes, strict=True):
            motion = _threshold_motion(
                ctx, recipe, kinked, _threshold_changes(ctx, recipe, change, direction)
            )
            coefficients.append(
                one_sided_coefficients(ctx, loss, point, each, kinked, systems, direction, motion)
            )
        return coefficients

    one_sided = bool(kinked) or _picks_among_ties(ctx, recipe)
    return one_sided, from_side(ABOVE), from_side(BELOW) if one_sided else []


def _loss_of(loss: type[Loss], abc: Row) -> Loss:
    if loss is Hampel:
        return Hampel(*abc)
    return Huber(*abc) if loss is Huber else Quadratic() if loss is Quadratic else Absolute()


def _median_norm_changes(ctx: MPContext, inputs: InfluenceInputs, recipe: RecipeLimits) -> list[Row]:
    """Return d/ds d_i for each x': Theorem 5 for the absolute loss, 0 where a data location holds f_med."""
    median = recipe.median
    if not recipe.levels:
        return [()] * len(inputs.x_new)
    if recipe.median_location:
        return [(ctx.mpf(0),) * len(median.norms)] * len(inputs.x_new)
    new = inputs.contaminating_points(ctx, Absolute(), median)
    check_differentiable(ctx, median, new)
    systems = systems_by_pattern(ctx, Absolute(), median, [])
    return [norm_changes(ctx, median, each, _moved_median(ctx, median, each, systems)) for each in new]


def _moved_median(
    ctx: MPContext, median: StationaryPoint, new: ContaminatingPoint, systems: dict[Pattern, System | None]
) -> Coefficients:
    return one_sided_coefficients(ctx, Absolute(), median, new, [], systems, ABOVE)


def _ordered_ties(ctx: MPContext, norms: Row) -> list[list[int]]:
    """Return the rows in increasing order of their norms, those within `KINK_SLACK` together."""
    slack = to_mpf(ctx, KINK_SLACK)
    groups: list[list[int]] = []
    for row in sorted(range(len(norms)), key=lambda index: norms[index]):
        if groups and norms[row] - norms[groups[-1][-1]] <= slack * norms[row]:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _threshold_changes(ctx: MPContext, recipe: RecipeLimits, changes: Row, direction: int) -> Row:
    """Return d/ds of each threshold: the quantile's combination of the derivatives, in the norms' order."""
    ordered = [
        changes[row]
        for group in _ordered_ties(ctx, recipe.median.norms)
        for row in sorted(group, key=lambda index: direction * changes[index])
    ] if changes else []  # fmt: skip
    rule = QUANTILE_RULES[recipe.quantile_rule]
    return tuple(rule(ctx, Ordered.in_order(ctx, ordered), level) for level in recipe.levels)


def _picks_among_ties(ctx: MPContext, recipe: RecipeLimits) -> bool:
    """Tell whether a quantile gives unequal coefficients to equal norms of different locations."""
    rule = QUANTILE_RULES[recipe.quantile_rule]
    size = len(recipe.median.norms)
    units = [[ctx.mpf(int(i == k)) for i in range(size)] for k in range(size)]
    home = {row: place[0] for place in locations(recipe.median.distances) for row in place}
    for level in recipe.levels:
        coefficients = iter([rule(ctx, Ordered.in_order(ctx, unit), level) for unit in units])
        for group in _ordered_ties(ctx, recipe.median.norms):
            shares = {next(coefficients) for _ in group}
            if len(shares) > 1 and len({home[row] for row in group}) > 1:
                return True
    return False


def _threshold_motion(
    ctx: MPContext, recipe: RecipeLimits, kinked: Sequence[KinkedLocation], changes: Row
) -> ThresholdMotion | None:
    """Return how kinks and phi(r_i) move with the thresholds; None where there are none."""
    if not changes:
        return None
    kinks = [to_mpf(ctx, kink) for kink in recipe.loss.kinks]
    plain = [sum(1 for kink in kinks if kink < norm) for norm in recipe.point.norms]

    def phi_changes(pattern: Pattern) -> Row:
        pieces = list(plain)
        for location, side in zip(kinked, pattern, strict=True):
            for row in location.rows:
                pieces[row] = location.kinks[0] + (0 if side == LEFT else 1)
        return tuple(
            ctx.fdot(changes, _threshold_slopes(ctx, recipe.loss, norm, piece))
            for norm, piece in zip(recipe.point.norms, pieces, strict=True)
        )

    return ThresholdMotion(changes, phi_changes)


def _threshold_slopes(ctx: MPContext, loss: Loss, t: mpf, piece: int) -> list[mpf]:
    """Return d phi(t)/d a (Huber), d phi(t)/d(a, b, c) (Hampel) on a piece, numbered from 0.

    phi is a/t beyond a; on Hampel's ramp a (c - t)/((c - b) t); elsewhere it does not depend on them.
    """
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    slopes = [ctx.mpf(0)] * len(kinks)
    if piece == 1:
        slopes[0] = 1 / t
    elif piece > 1 and piece < len(kinks):
        a, b, c = kinks
        ramp = c - b
        slopes = [(c - t) / (ramp * t), a * (c - t) / (ramp**2 * t), a * (t - b) / (ramp**2 * t)]
    return slopes
