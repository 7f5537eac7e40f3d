"""Elements sum_i w_i Phi(x_i) of the Hilbert space of section 2, in units of tau, and their densities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    Floats,
    TableLike,
    as_queries,
    as_table,
    as_vector,
    as_weights,
    left_without,
    scale_rows,
)
from rkde.fast._resources import Compute, Limits, Resources, checked_resources
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators import (
    BLOCK_PAIRS,
    DenseOperator,
    KernelMixture,
    KernelOperator,
    log_densities,
    log_sum_exp,
    operator_for,
)


def gram(X: TableLike, kernel: Kernel) -> Floats:
    """Return the kernel matrix K / tau^2 of section 5: kappa at each pair of rows.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.

    Returns
    -------
    ndarray, shape (n, n)
        Symmetric, 1 on the diagonal, no unit.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    n^2 kernel evaluations and 8 n^2 bytes, outside `DenseOperator`, which never forms this matrix.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> gram([[0.0], [1.0]], Student(1.0, 1.0))
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    return _cross_gram(as_table(X), as_table(X), kernel)


def distance_matrix(X: TableLike, kernel: Kernel) -> Floats:
    """Return D_ij = |Phi(X_i) - Phi(X_j)|^2 = 2 (1 - kappa_ij), in tau^2.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.

    Returns
    -------
    ndarray, shape (n, n)
        Read-only, symmetric, exactly 0 for equal rows, accurate relative to each entry.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    n^2 kernel evaluations, 8 n^2 bytes.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> distance_matrix([[0.0], [1.0]], Student(1.0, 1.0))[0]
    array([0., 1.])
    """
    return DenseOperator(X, kernel).differences


def residual_norms(
    X: TableLike,
    kernel: Kernel,
    weights: ArrayLike,
    *,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Floats:
    """Return |Phi(X_i) - f_w| for f_w = sum_j w_j Phi(X_j), in tau.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    weights : array_like, shape (n,)
        Finite, at least 0, of sum 1; they are divided by their sum.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    ndarray, shape (n,)
        Between 0 and sqrt(2); exactly 0 at a location that holds all of the weight.

    Raises
    ------
    InvalidType, InvalidInput
        X or the weights break a rule.

    Notes
    -----
    r_i^2 = (D w)_i - w'D w / 2 with D = 2 (1 - kappa), equal to the printed k(x, x) - 2 f(x) + |f|^2 of
    section 4 for weights of sum 1. One product with D; the absolute error of r_i^2 is at most n roundings of
    (D w)_i, the relative error as small at a location that holds more than half of the weight.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> residual_norms([[0.0], [1.0]], Student(1.0, 1.0), [1.0, 0.0])
    array([0., 1.])
    """
    with checked_resources(compute, limits).running() as resources:
        operator = operator_for(X, kernel, operator, resources)
        return operator.residual_norms(as_weights(weights, operator.size))


def log_density(
    X: TableLike,
    kernel: Kernel,
    weights: ArrayLike,
    queries: TableLike,
    *,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Floats:
    """Return the natural logarithm of the weighted density estimate (equation 7) at query points.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    weights : array_like, shape (n,)
        Finite, at least 0, of sum 1; they are divided by their sum.
    queries : array_like, shape (m, d)
        Where to evaluate; may be empty.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    ndarray, shape (m,)
        -inf only where the logarithm itself is below the range of float64.

    Raises
    ------
    InvalidType, InvalidInput
        X, the weights or the queries break a rule.
    MemoryLimit
        Not even one query at a time fits into the limit.

    Notes
    -----
    Log-sum-exp over the rows of positive weight, in blocks: m n kernel evaluations. By near rows, of which
    there are few, everything left out is together below 2^-53 of the density at every query, however far out
    it is. So the answer is the same for every engine, block size and number of threads, up to the rounding of
    a sum of n terms.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> log_density([[0.0], [1.0]], Gaussian(0.1), [0.5, 0.5], [[10.0]]).round(6)
    array([-4049.309501])
    """
    points = as_table(X)
    with checked_resources(compute, limits).running() as resources:
        shares = as_weights(weights, len(points))
        return mixture_log_density(points, kernel, shares, queries, resources=resources)


def mixture_log_density(
    points: Floats,
    kernel: Kernel,
    weights: Floats,
    queries: TableLike,
    *,
    stretch: Floats | None = None,
    block_pairs: int = BLOCK_PAIRS,
    resources: Resources | None = None,
) -> Floats:
    """Return log sum_i w_i k(x, X_i) for points and weights that are known to be right.

    Shapes: points (n, d); weights (n,); queries (m, d), where to evaluate; stretch (n,), factors on the
    bandwidth, one a row (variable bandwidths); result (m,).
    """
    dim = points.shape[1]
    places = scale_rows(as_queries(queries, dim), kernel.bandwidth)
    kept = weights > 0
    rows = scale_rows(points[kept], kernel.bandwidth)
    offsets = np.log(weights[kept]) + kernel.log_normaliser(dim)
    if stretch is not None:
        stretch = stretch[kept]
        offsets -= dim * np.log(stretch)
    resources = resources or checked_resources()
    mixture = KernelMixture(kernel, rows, offsets, stretch)
    return log_densities(mixture, places, resources, block_pairs)


def exp_log_density(log_density: Floats) -> Floats:
    """Return exp of log densities; infinity and 0 where the density itself is beyond float64."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(log_density))


@dataclass(frozen=True, slots=True, eq=False)
class RkhsElement:
    """An element sum_i weights_i Phi(points_i) of the Hilbert space of a kernel, in units of tau.

    Parameters
    ----------
    points : array_like, shape (m, d)
        The points.
    weights : array_like, shape (m,)
        Any finite numbers: coefficients, not necessarily of sum 1.
    kernel : Kernel
        The kernel.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> difference = RkhsElement([[0.0], [1.0]], [1.0, -1.0], Student(1.0, 1.0))
    >>> difference.norm(), difference.evaluate([0.0])
    (1.0, 0.5)
    """

    points: TableLike
    weights: ArrayLike
    kernel: Kernel

    def evaluate(self, x: ArrayLike) -> float:
        """Return g(x) = <Phi(x), g> at a point x of shape (d,), in tau^2: the reproducing property."""
        return self.inner(RkhsElement(as_vector(x, where="x").reshape(1, -1), [1.0], self.kernel))

    def inner(self, other: RkhsElement) -> float:
        """Return the inner product with another element of the same space, in tau^2."""
        rows, coefficients = self._read()
        other_rows, other_coefficients = other._read()
        if other.kernel != self.kernel or rows.shape[1] != other_rows.shape[1]:
            raise InvalidInput(
                "must belong to the same space, got an element of another kernel or dimension",
                where="other",
                remedy="use the same kernel and dimension for both",
            )
        cross = _cross_gram(rows, other_rows, self.kernel)
        return math.fsum(coefficients * (cross * other_coefficients).sum(axis=1))

    def norm(self) -> float:
        """Return the norm, in tau; absolute error about the root of the sum of |weights| roundings."""
        return math.sqrt(max(self.inner(self), 0.0))

    def _read(self) -> tuple[Floats, Floats]:
        rows = as_table(self.points, where="points")
        coefficients = as_vector(self.weights, where="weights")
        if len(coefficients) != len(rows):
            raise InvalidInput(
                f"must have as many entries as there are points ({len(rows)})",
                where="weights",
                value=len(coefficients),
                remedy="pass one number for each point",
            )
        return rows, coefficients


def _cross_gram(X: Floats, Y: Floats, kernel: Kernel) -> Floats:
    logs = log_profiles(kernel, scale_rows(X, kernel.bandwidth), scale_rows(Y, kernel.bandwidth))
    with np.errstate(under="ignore"):
        np.exp(logs, out=logs)
    return logs


def leave_one_out(
    points: Floats, kernel: Kernel, weights: Floats, queries: Floats, own: NDArray[np.intp]
) -> Floats:
    """Return log of sum over j != i of w_j k(X_i, X_j) / (1 - w_i); nothing is estimated again.

    Shapes: points (n, d), the rows of the fit; weights (n,), at least 0, of sum 1; queries (m, d), the rows
    X_i of which the log density is wanted; own (m,); result (m,). Result: -inf where the row holds all of the
    weight.

    Notes
    -----
    m n kernel evaluations. The row's own term is left out of the sum, never subtracted from it; nor is a
    weight of more than half subtracted from 1.
    """
    positive = np.flatnonzero(weights > 0)
    place = np.full(len(weights) + 1, -1)
    place[positive] = np.arange(len(positive))
    column = place[own]
    places = scale_rows(queries, kernel.bandwidth)
    rows = scale_rows(points[positive], kernel.bandwidth)
    offsets = np.log(weights[positive]) + kernel.log_normaliser(points.shape[1])
    result = np.empty(len(queries))
    step = max(1, BLOCK_PAIRS // len(positive))
    for start in range(0, len(queries), step):
        logs = log_profiles(kernel, places.part(start, start + step), rows)
        logs += offsets
        here = column[start : start + step]
        with_own = np.flatnonzero(here >= 0)
        logs[with_own, here[with_own]] = -math.inf
        result[start : start + step] = log_sum_exp(logs)
    rest = np.append(left_without(weights), 1.0)[own]
    # Where there are no others, their density is 0 whatever it is divided by.
    rest[rest == 0] = 1.0
    return np.asarray(result - np.log(rest))
