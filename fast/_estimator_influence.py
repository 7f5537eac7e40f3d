"""The influence function of a fitted estimator, one coefficient a given row."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast._estimator_fit import Fitted
from rkde.fast.fixed_point import fixed_point
from rkde.fast.influence import influence
from rkde.fast.inputs import Floats
from rkde.fast.results import Influence

# Weights that a step moves by no more than this share of the largest are a limit as they are.
_SETTLED: Final = 1e-12


def influence_of(fitted: Fitted, x_new: Floats, queries: Floats | None) -> Influence:
    """Return the influence of contaminating points on the limit of a fit, thresholds and bandwidth fixed.

    Parameters
    ----------
    fitted : Fitted
        The fit.
    x_new : ndarray, shape (m, d)
        The points.
    queries : ndarray, shape (q, d), optional
        Where the change of the density is wanted.

    Returns
    -------
    Influence
        `if_coef` of shape (m, n), one entry a given row.

    Raises
    ------
    InvalidInput
        The rows have masses of which no copies were made.
    NotConverged, NotDifferentiable, SingularSystem
        As `rkde.fast.influence` and `rkde.fast.fixed_point`.
    """
    model = fitted.model
    if fitted.sample_weight is not None and not fitted.is_copied:
        raise InvalidInput(
            "is defined for rows that count once, or for their copies",
            where="influence",
            remedy="fit without sample_weight, or with small whole numbers",
        )
    weights = model.weights
    if model.fixed_point_residual > _SETTLED:
        # A stopping rule leaves the weights short of the limit that Theorem 5 is about.
        weights = fixed_point(model.X, model.kernel, model.loss, weights_init=weights).weights
    return _gathered(fitted, influence(model.X, model.kernel, model.loss, weights, x_new, queries))


def _gathered(fitted: Fitted, found: Influence) -> Influence:
    if fitted.sample_weight is None:
        return found
    below = found.from_below
    coefficients = np.stack([fitted.summed(row) for row in found.if_coef])
    return replace(
        found, if_coef=coefficients, from_below=None if below is None else _gathered(fitted, below)
    )
