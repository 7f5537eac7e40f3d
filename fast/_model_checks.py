"""What must hold of the numbers in a model file, beyond being numbers of the right shape.

A digest shows that a file is as somebody wrote it, not that a fit did; a model that breaks one of these rules
would give densities that are none.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast.inputs import Floats, as_weights
from rkde.fast.losses import Absolute, Hampel, Huber
from rkde.fast.results import FixedPoint, Rkde
from rkde.vocabulary import WEIGHT_SUM_SLACK, Status

# How a recipe ends that has thresholds, and yet the absolute loss.
_ENDED_WITH_MEDIAN: Final = (Status.SINGLE_LOCATION, Status.DEGENERATE_THRESHOLDS)
# How many of a, b, c a fit records: those of Huber or of Hampel.
_COUNTS: Final = (1, 3)


def check_model(model: Rkde) -> None:
    """Refuse a model that no fit gives.

    Parameters
    ----------
    model : Rkde
        As read from a file: its rows are those of positive weight.

    Raises
    ------
    InvalidInput
        Weights that are no weights or are 0, a negative distance, objective or bound, thresholds that are not
        those of the loss, levels or shares outside of [0, 1], or no effective sample size.
    """
    as_weights(model.weights, len(model.X))
    _require("weights", "a stored row has no weight", holds=bool((model.weights > 0).all()))
    if not isinstance(model.start, str):
        _check_cut_weights(model.start, "start")
    _check_run(model, "run")
    _check_run(model.median, "median")
    _check_cut_weights(model.median.weights, "median, weights")
    _check_thresholds(model)
    levels = () if model.quantiles is None else model.quantiles
    _require("quantiles", "a level is outside of [0, 1]", holds=all(0 <= level <= 1 for level in levels))
    size = model.effective_sample_size
    _require("effective_sample_size", "it is not finite and positive", holds=math.isfinite(size) and size > 0)
    _require("zero_weight_share", "it is outside of [0, 1]", holds=0 <= model.zero_weight_share <= 1)


def _check_run(run: Rkde | FixedPoint, where: str) -> None:
    _check_cut_weights(run.weights_init, f"{where}, weights_init")
    for name in ("residual_norms", "objective_path"):
        _require(f"{where}, {name}", "an entry is negative", holds=bool((getattr(run, name) >= 0).all()))
    bounds = [run.objective, run.fixed_point_residual, run.error_bound]
    if isinstance(run, FixedPoint):
        bounds += [run.weights_error_bound, run.gap]
    known = [bound for bound in bounds if bound is not None]
    _require(
        where, "an objective, a residual or a bound is negative", holds=all(bound >= 0 for bound in known)
    )


def _check_cut_weights(weights: Floats, where: str) -> None:
    """Check weights of which only those at the stored rows are known: their sum is at most 1."""
    _require(where, "a weight is negative", holds=bool((weights >= 0).all()))
    _require(
        where, "the weights sum to more than 1", holds=float(np.sum(weights)) <= 1 + float(WEIGHT_SUM_SLACK)
    )


def _check_thresholds(model: Rkde) -> None:
    given = model.thresholds
    if isinstance(model.loss, Huber | Hampel):
        _require("thresholds", "they are not those of the loss", holds=given == model.loss.kinks)
    elif given is not None:
        ended = isinstance(model.loss, Absolute) and model.status in _ENDED_WITH_MEDIAN
        _require("thresholds", "the loss has none", holds=ended)
        # Degenerate ones: a may be 0, and b may be c.
        ordered = list(given) == sorted(given) and all(0 <= value < math.inf for value in given)
        _require("thresholds", "they are not a, or a <= b <= c", holds=len(given) in _COUNTS and ordered)


def _require(where: str, problem: str, *, holds: bool) -> None:
    if not holds:
        raise InvalidInput(problem, where=where)
