"""The influence function of a fitted estimate: at its limit, in its coordinates, with its sample weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from rkde.fast import solvers
from rkde.fast._float64 import SampleWeight, TableLike, read_sample_weight
from rkde.fast._resources import Compute, checked_resources
from rkde.fast.estimates import Rkde
from rkde.fast.influence.function import influence
from rkde.fast.influence.results import Influence
from rkde.fast.operators import operator_for

# Weights that a step moves by no more than this share of the largest are a limit as they are.
_SETTLED: Final = 1e-12


def estimate_influence(
    estimate: Rkde,
    x_new: TableLike,
    queries: TableLike | None = None,
    *,
    compute: Compute | None = None,
) -> Influence:
    """Return the influence of contaminating points on a fitted estimate, by Theorem 5.

    Thresholds and bandwidth are held fixed. The influence refers to the limit of the fit: the iteration is
    first run to convergence if a stopping rule ended it early.

    Parameters
    ----------
    estimate : Rkde
        The fit. Its sample weights are respected where they are whole numbers, of a sum up to 50 000.
    x_new : array_like, shape (m, d)
        Where the contamination lies, in the units of the data.
    queries : array_like, shape (q, d), optional
        Where the change of the density is wanted.
    compute : Compute, optional
        Engine, memory, threads and progress.

    Returns
    -------
    Influence
        `if_coef` has shape (m, n), one entry for each row of the fit; `influence`, shape (m, q), is in tau^2
        in the coordinates of the fit.

    Raises
    ------
    InvalidInput
        A table breaks a rule, or the sample weights are relative or of a larger sum.
    NotDifferentiable, SingularSystem, NotConverged, MemoryLimit
        As `influence`.

    Notes
    -----
    Cost: that of `influence` with each row as often as it counts.

    Examples
    --------
    >>> from rkde.fast import Gaussian, rkde
    >>> estimate = rkde([[0.0], [1.0], [3.0]], bandwidth=1.0, loss="quadratic", sample_weight=[2, 1, 1])
    >>> estimate_influence(estimate, [[9.0]]).if_coef_new
    array([1.])
    """
    given = read_sample_weight(estimate.sample_weight, len(estimate.X))
    if estimate.scaling is not None:
        x_new = estimate.scaling.apply(x_new)
        queries = None if queries is None else estimate.scaling.apply(queries)
    X, kernel, loss, weights = estimate.X, estimate.kernel, estimate.loss, estimate.weights
    if given is not None:
        # Theorem 5 is about rows that count once: about the copies.
        weights = given.copied(weights / np.maximum(given.given, 1.0))
        X = given.copied(X)
    with checked_resources(compute).running() as resources:
        # One bar for all that follows.
        shared = replace(compute or Compute(), progress=resources.report)
        operator = operator_for(X, kernel, None, resources)
        if estimate.fixed_point_residual > _SETTLED:
            # A stopping rule leaves the weights short of the limit that Theorem 5 is about.
            limit = solvers.fixed_point(
                X, kernel, loss, weights_init=weights, operator=operator, compute=shared
            )
            weights = limit.weights
        result = influence(X, kernel, loss, weights, x_new, queries, operator=operator, compute=shared)
    return result if given is None else _gathered(given, result)


def _gathered(given: SampleWeight, result: Influence) -> Influence:
    """Add up the coefficients of the copies of each row."""
    below = None if result.from_below is None else _gathered(given, result.from_below)
    return replace(result, if_coef=given.gathered(result.if_coef), from_below=below)
