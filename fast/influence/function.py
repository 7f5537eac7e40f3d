"""The influence function of the robust estimate (section 5), at given weights or of a fit at its limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.fast import solvers
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_number,
    as_table,
    as_vector,
    as_weights,
    read_sample_weight,
)
from rkde.fast._resources import Compute, Limits, checked_resources
from rkde.fast.estimates import Rkde
from rkde.fast.influence.one_sided import (
    ABOVE,
    BELOW,
    Systems,
    kinked_locations,
    one_sided_coefficients,
    systems_by_pattern,
)
from rkde.fast.influence.results import Influence
from rkde.fast.influence.sensitivity import InfluenceAccumulator, L2Norms, require_results
from rkde.fast.influence.stationary_point import InfluenceInputs, linearisation_point
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.losses import Loss, checked_loss
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers import LIMIT_MAX_ITER, FixedPoint, limit_from

# Weights that a step moves by no more than this share of the largest are a limit as they are.
_SETTLED: Final = 1e-12


def influence_at(
    operator: KernelOperator, inputs: InfluenceInputs, loss: Loss, weights: Floats, memory_limit: int
) -> Influence:
    """Return the influence of all contaminating points at weights of sum 1, within so many bytes."""
    point = linearisation_point(operator, loss, weights)
    kinked = kinked_locations(loss, point)
    sides = (ABOVE, BELOW) if kinked else (ABOVE,)
    require_results(inputs, memory_limit, sides=len(sides))
    accumulators = [InfluenceAccumulator.of(inputs) for _ in sides]
    prepared: tuple[Systems, L2Norms] | None = None
    for block in inputs.blocks():
        new = inputs.new_points(loss, point, block)
        moving = new.phi > 0
        if not moving.any():
            continue
        if prepared is None:
            systems = systems_by_pattern(loss, point, kinked, inputs.count)
            prepared = systems, L2Norms(inputs.kernel, inputs.rows, point.weights, systems.active)
        systems, norms = prepared
        part = new.part(moving)
        apart_new = norms.to_points(inputs.x_new.part(block.start, block.stop))
        apart_new = apart_new if moving.all() else apart_new[moving]
        for side, accumulator in zip(sides, accumulators, strict=True):
            coefficients = one_sided_coefficients(loss, point, part, systems, side)
            accumulator.fill(block, moving, point, part, coefficients, norms, apart_new)
    below = accumulators[1].finish(inputs, point, None, one_sided=True) if kinked else None
    return accumulators[0].finish(inputs, point, below, one_sided=bool(kinked))


def influence(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    x_new: TableLike,
    queries: TableLike | None = None,
    *,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Influence:
    """Return the influence function of the estimate at contaminating points: Theorem 5.

    IF(x, x') is the derivative at s = 0 of the estimate at x from (1 - s) F_n + s delta_x', thresholds and
    bandwidth held fixed. For the quadratic loss it is that of the KDE, equations (10) and (11).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, thresholds in tau.
    weights : array_like, shape (n,)
        Of a fixed point of KIRWLS: finite, at least 0, of sum 1. They are divided by their sum and not
        polished.
    x_new : array_like, shape (m, d)
        Contaminating points x'; rows of X are allowed.
    queries : array_like, shape (q, d), optional
        Where IF(x, x') is wanted.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    Influence

    Raises
    ------
    InvalidInput, InvalidType
        An argument breaks a rule, or a step moves a weight by more than 1e-6 of the largest.
    AllWeightsZero
        phi vanishes at every residual.
    NotDifferentiable
        For the absolute loss where a residual or r' is 0; where more than 8 locations lie on kinks.
    SingularSystem
        The system's condition number reaches 1e12; or residuals lie on kinks and not exactly one choice of
        sides agrees with the direction in which they move.
    MemoryLimit
        The results, m (n + k + q) numbers for k rows with q(r_i) != 0, do not fit, or the system does not.

    Notes
    -----
    One factorization of those k rows, k^3 / 3 multiplications, serves all x', which are one block of right
    sides: m k^2 for the solutions and half of that for the L2 norms. Where the k rows are too many to factor,
    conjugate gradients take a few products with the kernel matrix for each x' instead. Where phi(r') = 0 the
    influence is exactly 0, and nothing is solved. m (n + q) evaluations of the kernel; for the L2 norm
    n^2 / 2 + m n of its self-convolution. Beside the results memory is bounded, whatever m.

    Relative to the largest coefficient the error is the condition number times about n + d roundings; so IF,
    alpha(x') and beta have fewer digits where large coefficients of close rows cancel in them.

    References
    ----------
    Theorem 5 and equation (11); alpha(x') and beta(x') of section 6.2.1.

    Examples
    --------
    >>> from rkde.fast import Gaussian, Quadratic
    >>> found = influence([[0.0], [1.0]], Gaussian(1.0), Quadratic(), [0.5, 0.5], [[3.0]])
    >>> found.if_coef, found.if_coef_new, found.if_at_new.round(10)
    (array([[-0.5, -0.5]]), array([1.]), array([0.92677786]))
    """
    checked_kernel(kernel)
    checked_loss(loss)
    with checked_resources(compute, limits).running() as resources:
        operator = operator_for(X, kernel, operator, resources)
        inputs = InfluenceInputs.of(operator, x_new, queries)
        shares = as_weights(weights, operator.size)
        return influence_at(operator, inputs, loss, shares, resources.memory_limit)


def contaminate(
    X: TableLike, kernel: Kernel, loss: Loss, weights: ArrayLike, s: float, x_new: ArrayLike
) -> FixedPoint:
    """Return the estimate from (1 - s) F_n + s delta_x' itself, whose derivative at s = 0 is the influence.

    The limit of KIRWLS over the n + 1 rows (X, x') with masses ((1 - s)/n, ..., s), started from
    ((1 - s) weights, s), thresholds and bandwidth held fixed (section 5).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss.
    weights : array_like, shape (n,)
        Finite, at least 0, of sum 1; they are divided by their sum.
    s : float
        The share of x', -1 < s < 1. A small negative share takes mass away: for derivatives from below.
    x_new : array_like, shape (d,)
        The point x'.

    Returns
    -------
    FixedPoint
        Over the n + 1 rows, with what is proved about it; for s < 0 nothing is except its residual.

    Raises
    ------
    NotConverged
        The limit is not reached.
    AllWeightsZero
        phi vanishes at every residual before a step.
    InvalidInput, InvalidType
        An argument breaks a rule.

    Notes
    -----
    In float64 a quotient of differences has about half of the digits; `rkde.reference` has as many as wanted.
    n^2/2 evaluations of the kernel, one product with the matrix for each step.

    Examples
    --------
    >>> from rkde.fast import Gaussian, Quadratic
    >>> contaminate([[0.0], [1.0]], Gaussian(1.0), Quadratic(), [0.5, 0.5], 0.5, [3.0]).weights
    array([0.25, 0.25, 0.5 ])
    """
    checked_kernel(kernel)
    checked_loss(loss)
    rows = as_table(X)
    point = as_vector(x_new, where="x_new")
    if len(point) != rows.shape[1]:
        raise InvalidInput(
            f"must have as many coordinates as the data have columns ({rows.shape[1]})",
            where="x_new",
            value=len(point),
            remedy="pass one number for each column",
        )
    shares = as_weights(weights, len(rows))
    share = as_number(s, where="s")
    if not -1 < share < 1:
        raise InvalidInput(
            "must be between -1 and 1", where="s", value=share, remedy="pass a share of the mass"
        )
    masses = np.append(np.full(len(rows), (1 - share) / len(rows)), share)
    points, start = np.vstack([rows, point]), np.append((1 - share) * shares, share)
    if share >= 0:
        return solvers.fixed_point(points, kernel, loss, weights_init=start, sample_weight=masses)
    operator = operator_for(points, kernel).with_masses(masses * len(masses))
    return limit_from(operator, loss, start, LIMIT_MAX_ITER)


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
    X, loss, weights = estimate.X, estimate.loss, estimate.weights
    if given is not None:
        # Theorem 5 is about rows that count once: about the copies.
        weights = given.copied(weights / np.maximum(given.given, 1.0))
        X = given.copied(X)
    with checked_resources(compute).running() as resources:
        operator = operator_for(X, estimate.kernel, None, resources)
        inputs = InfluenceInputs.of(operator, x_new, queries)
        weights = as_weights(weights, operator.size)
        if estimate.fixed_point_residual > _SETTLED:
            # A stopping rule leaves the weights short of the limit that Theorem 5 is about.
            limit = limit_from(operator, loss, weights, LIMIT_MAX_ITER, report=resources.report)
            weights = as_weights(limit.weights, operator.size)
        result = influence_at(operator, inputs, loss, weights, resources.memory_limit)
    return result if given is None else _gathered(given, result)


def _gathered(given: SampleWeight, result: Influence) -> Influence:
    """Add up the coefficients of the copies of each row."""
    below = None if result.from_below is None else _gathered(given, result.from_below)
    return replace(result, if_coef=given.gathered(result.if_coef), from_below=below)
