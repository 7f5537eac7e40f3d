"""The recipe of section 6.1.2, enclosed from the rows to the final weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import DEFAULT_BITS, exact_ball, working_bits
from rkde.reference.certify.bandwidths import RULES, bandwidth_of
from rkde.reference.certify.groups import Groups, location_groups
from rkde.reference.certify.kernels import KernelFamily, ball_kernel_family
from rkde.reference.certify.limit import limit_of, with_enough_bits
from rkde.reference.certify.losses import PIECES, BallLoss
from rkde.reference.certify.median import median_of
from rkde.reference.certify.recipe_plan import LossClass, Plan, checked_thresholds, make_plan
from rkde.reference.certify.results import Enclosure, RecipeEnclosure, UnprovedError, undecided
from rkde.reference.certify.sample import Sample, read_sample
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Hampel
from rkde.reference.numbers import Number, Rows, exact_value, is_decimal, positive_number
from rkde.vocabulary import BandwidthRule, QuantileRule, RecipeName, Start

QUADRATIC: Final = BallLoss("quadratic", ())


def certify_recipe(
    X: Rows,
    *,
    kernel: KernelFamily = Gaussian,
    bandwidth: BandwidthRule | Number = "median_nn",
    loss: LossClass = Hampel,
    recipe: RecipeName = "paper",
    quantiles: Sequence[Number] | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | None = None,
    bits: int = DEFAULT_BITS,
) -> RecipeEnclosure:
    """Enclose bandwidth, f_med, thresholds and final weights of the paper's recipe.

    Shapes: X (n, d). Result: `final` is the point that KIRWLS from `start` converges to, proved where
    `final.branch_proved`.

    Notes
    -----
    Rows that the symmetry of the data cannot tell apart share their weight along the whole path, so data on a
    symmetric saddle are followed to the saddle, as in exact arithmetic.

    Examples
    --------
    >>> result = certify_recipe([["0.1"], ["0.4"], ["0.5"], ["0.9"], ["1.6"], ["7"]])
    >>> print(result.final.status, result.final.certificate, result.final.branch_proved)
    enclosed local_minimum True
    >>> from rkde.reference.certify import decimal_ball
    >>> print(*(decimal_ball(threshold, 6).midpoint for threshold in result.thresholds))
    0.793887 1.06209 1.13539
    """
    sample = read_sample(X)
    plan = make_plan(loss, recipe, quantiles, quantile_rule, start)
    return with_enough_bits(
        lambda precision: _run(sample, kernel, bandwidth, plan, precision),
        lambda enclosed: enclosed.final.branch_proved,
        bits,
    )


def _run(
    sample: Sample, family: KernelFamily, bandwidth: BandwidthRule | Number, plan: Plan, bits: int
) -> RecipeEnclosure:
    with working_bits(bits):
        width, rule = _bandwidth(sample, bandwidth)
        locations = location_groups(sample, ball_kernel_family(family, width))
        median = median_of(sample, locations, bits)
        thresholds, final = _second_stage(sample, locations, plan, median, bits)
        return RecipeEnclosure(
            bandwidth=width,
            bandwidth_rule=rule,
            thresholds=thresholds,
            recipe=plan.name,
            quantiles=plan.quantile_texts,
            quantile_rule=plan.quantile_rule,
            start=plan.start,
            median=median,
            final=final,
        )


def _bandwidth(sample: Sample, bandwidth: BandwidthRule | Number) -> tuple[arb, BandwidthRule | None]:
    for rule in RULES:
        if bandwidth == rule:
            return bandwidth_of(sample, rule), rule
    if isinstance(bandwidth, str) and not is_decimal(bandwidth):
        raise InvalidInput(
            "must be a number or the name of a bandwidth rule",
            where="bandwidth",
            value=bandwidth,
            remedy=f"pass a number, or one of {', '.join(RULES)}",
        )
    positive_number(bandwidth, "bandwidth")
    return exact_ball(exact_value(bandwidth)), None


def _second_stage(
    sample: Sample, locations: Groups, plan: Plan, median: Enclosure, bits: int
) -> tuple[tuple[arb, ...], Enclosure]:
    """Enclose thresholds and final weights."""
    if plan.loss == "absolute":
        return (), median
    if plan.loss == "quadratic" or locations.count == 1:
        zeros = (arb(0),) * (len(PIECES[plan.loss]) - 1)
        return zeros, limit_of(sample, locations, QUADRATIC, None, bits)
    try:
        thresholds = checked_thresholds(plan, median)
    except UnprovedError as failure:
        return (), undecided(str(failure), bits)
    begin = median if plan.start == "median" else None
    return thresholds, limit_of(sample, locations, BallLoss(plan.loss, thresholds), begin, bits)
