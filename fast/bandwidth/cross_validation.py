"""Bandwidths by cross-validation: least squares and likelihood, for the plain kernel density estimate.

Both criteria leave one row out at a time, and both depend on the kernel. Squared distances are taken once, in
units of the spread's power of two, so a criterion is equivariant and never leaves the range of float64: its
factor h^-d enters as a logarithm.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist, pdist

from rkde.errors import InvalidType, MemoryLimit
from rkde.fast._float64 import (
    Floats,
    Ordered,
    SampleWeight,
    TableLike,
    left_without,
    nearest_distances,
    ordered,
    smallest_minimiser,
    student_log_constant,
)
from rkde.fast._resources import memory_budget, require
from rkde.fast.bandwidth.rules import pooled_deviation, spread_rows, tied
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, OverlapProfile, Student, checked_kernel
from rkde.fast.operators import log_sum_exp

KernelOfBandwidth = Callable[[float], Kernel]
# From the rows, their weights, the kernel at the smallest bandwidth of the search, and the bytes that may be
# allocated, to a function of the kernel whose minimum is wanted.
_Criterion = Callable[[Floats, SampleWeight | None, Kernel, int], Callable[[Kernel], Ordered]]

# The smallest bandwidth tried is this share of the smallest positive distance between rows: below it a row's
# estimate without the row itself is nothing but the tail of its nearest neighbour's kernel.
NEAREST_SHARE: Final = 1 / 10
# Pairs handled at once: 2**18 float64 are 2 MiB, which stay in the cache.
_BLOCK_PAIRS: Final = 2**18


def lscv(
    X: TableLike,
    *,
    kernel: KernelOfBandwidth = Gaussian,
    memory_limit: float | str | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the bandwidth of least-squares cross-validation.

    The smallest minimiser of integral f^2 - (2/n) sum_i f_(-i)(X_i), an unbiased estimate of the integrated
    squared error up to a constant:

        (1/n^2) sum_ij (k*k)(X_i - X_j) - 2 / (n (n - 1)) sum_(i != j) k(X_i, X_j),

    over 64 values, evenly spaced in the logarithm, from a tenth of the smallest positive distance between
    rows to the spread s (s^2 the mean of the columns' variances, divisor n - 1), refined to 1e-6.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.
    kernel : callable
        From a bandwidth to a kernel: `Gaussian`, `Laplacian`, or `lambda h: Student(h, 3.0)`.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        The least value is that of the smallest bandwidth, which ties bring about: with many of them the
        criterion falls without bound as h goes to 0. Also where all rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or the kernel is not one of the paper's three.
    MemoryLimit
        The distances, 4 n^2 bytes, or 12 n^2 with weights, exceed the limit; nothing is allocated then.

    Notes
    -----
    About 94 times n^2 / 2 evaluations of k and of k * k.

    Examples
    --------
    >>> round(lscv([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]), 4)
    1.9541
    """
    return _minimiser(X, kernel, "lscv", _least_squares, memory_budget(memory_limit), sample_weight)


def lkcv(
    X: TableLike,
    *,
    kernel: KernelOfBandwidth = Gaussian,
    memory_limit: float | str | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the bandwidth of likelihood cross-validation: the smallest maximiser of sum_i log f_(-i)(X_i).

    f_(-i) is the estimate from the other rows, so the criterion is

        (1/n) sum_i log[1/(n - 1) sum_(j != i) k(X_i, X_j)],

    over the same values as `lscv`. A far outlier forces a large bandwidth with a kernel of light tails.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.
    kernel : callable
        From a bandwidth to a kernel: `Gaussian`, `Laplacian`, or `lambda h: Student(h, 3.0)`.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        The largest value is that of the smallest bandwidth: where every row has a tie the likelihood grows
        without bound as h goes to 0. Also where all rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or `kernel` is not a function from a bandwidth to a kernel.
    MemoryLimit
        The distances, 8 n^2 bytes, exceed the limit; nothing is allocated then.

    Notes
    -----
    About 94 times n^2 kernel evaluations.

    Examples
    --------
    >>> round(lkcv([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]), 4)
    2.8048
    """
    return _minimiser(X, kernel, "lkcv", _likelihood, memory_budget(memory_limit), sample_weight)


def _minimiser(
    X: TableLike,
    kernel: KernelOfBandwidth,
    rule: str,
    criterion: _Criterion,
    limit: int,
    sample_weight: ArrayLike | None,
) -> float:
    distinct, weights = spread_rows(X, rule, sample_weight)
    rows = distinct.rows[distinct.inverse]
    spread = pooled_deviation(rows, 1.0, rule, weights)
    nearest = float(nearest_distances(distinct.rows).min())
    exponent = math.frexp(spread)[1]
    low = max(math.ldexp(nearest, -exponent) * NEAREST_SHARE, sys.float_info.min)
    high = math.ldexp(spread, -exponent)
    # Multiples by a power of two: differences are exact where those of the rows are.
    with np.errstate(under="ignore"):
        scaled = np.ldexp(rows, -exponent)
    value = criterion(scaled, weights, checked_kernel(kernel(min(low, high))), limit)
    bandwidth, place = smallest_minimiser(lambda h: value(checked_kernel(kernel(h))), low, high)
    if place == 0:
        raise tied(distinct, weights, f"the rule {rule} prefers the smallest bandwidth tried")
    return math.ldexp(bandwidth, exponent)


def _least_squares(
    rows: Floats, weights: SampleWeight | None, smallest: Kernel, limit: int
) -> Callable[[Kernel], Ordered]:
    """Return the criterion over k(0, 0) at h = 1.

    It is [R (sum of kk) / n^2 - 2 (sum of kappa) / (n (n - 1))] / h^d, with the sums over all i, j and over
    i != j, R = (k*k)(0) / k(0, 0) and kk the profile of k * k. With weights the first sum becomes one over
    p_i p_j, and the second sum_i p_i f_(-i)(X_i).
    """
    size, dim = rows.shape
    entries = size * (size - 1) // 2 * (1 if weights is None else 3)
    squares = _distances(lambda: pdist(rows, "sqeuclidean"), entries, size, limit)
    terms = None if weights is None else _PairTerms.of(weights)
    overlap = OverlapProfile(smallest, dim, float(squares.max()) / smallest.bandwidth / smallest.bandwidth)

    def value(kernel: Kernel) -> Ordered:
        overlaps, logs = 0.0, []
        for start in range(0, len(squares), _BLOCK_PAIRS):
            here = slice(start, start + _BLOCK_PAIRS)
            block = squares[here]
            at, profile = overlap.at(block, kernel), kernel.log_profile(block, dim)
            if terms is not None:
                at, profile = at * terms.products[here], profile + terms.log_left_out[here]
            overlaps += float(at.sum())
            logs.append(log_sum_exp(profile[np.newaxis]))
        # Each pair once, and the n rows with themselves in the first sum.
        if terms is None:
            first = math.log(size + 2 * overlaps) - 2 * math.log(size)
            pairs = math.log(2) + float(log_sum_exp(np.concatenate(logs)[np.newaxis])[0])
            second = math.log(2) + pairs - math.log(size) - math.log(size - 1)
        else:
            first = math.log(terms.own + 2 * overlaps)
            logs.append(terms.log_copies)
            second = math.log(2) + float(log_sum_exp(np.concatenate(logs)[np.newaxis])[0])
        first += _log_overlap(kernel, dim)
        factor = -dim * math.log(kernel.bandwidth)
        if first == second:  # pragma: no cover (two logarithms are equal only by accident)
            return ordered(0.0, 0.0)
        larger, gap = max(first, second), -abs(first - second)
        return ordered(math.copysign(1.0, first - second), factor + larger + math.log(-math.expm1(gap)))

    return value


@dataclass(frozen=True, slots=True, eq=False)
class _PairTerms:
    """What multiplies the kernel value of each pair i < j, in the order of `pdist`, and of a row with itself.

    `products` are p_i p_j and `own` is the sum of p_i^2; `log_left_out` are the logarithms of the share of
    kappa(X_i, X_j) in sum_i p_i f_(-i)(X_i), and `log_copies` that of the other copies of a row itself.
    """

    products: Floats
    own: float
    log_left_out: Floats
    log_copies: Floats

    @classmethod
    def of(cls, weights: SampleWeight) -> Self:
        shares, total = weights.counts / weights.total, weights.total
        # f_(-i) divides by what is left without the row: one copy less, or its whole share.
        rest = np.full(len(shares), 1 - 1 / total) if weights.is_counted else left_without(shares)
        copies = (shares * (weights.counts - 1)).sum() / (total - 1) if weights.is_counted else 0.0
        with np.errstate(divide="ignore"):
            return cls(
                products=np.concatenate([p * shares[i + 1 :] for i, p in enumerate(shares)]),
                own=float((shares * shares).sum()),
                log_left_out=np.concatenate(
                    [
                        # Shares of what is left, which are at most 1, however little that is.
                        np.log(p * (shares[i + 1 :] / rest[i]) + shares[i + 1 :] * (p / rest[i + 1 :]))
                        for i, p in enumerate(shares)
                    ]
                ),
                log_copies=np.log(np.array([copies])),
            )


def _likelihood(
    rows: Floats,
    weights: SampleWeight | None,
    smallest: Kernel,  # noqa: ARG001 (one form for both criteria)
    limit: int,
) -> Callable[[Kernel], Ordered]:
    """Return minus the likelihood criterion, up to a constant."""
    size, dim = rows.shape
    squares = _distances(lambda: cdist(rows, rows, "sqeuclidean"), size * size, size, limit)
    step = max(1, _BLOCK_PAIRS // size)
    counts, number = (None, float(size)) if weights is None else (weights.counts, weights.total)
    # The other copies of a row are at distance 0 from it.
    with np.errstate(divide="ignore"):
        others = counts - 1 if weights is not None and weights.is_counted and counts is not None else 0.0
        log_copies = np.log(np.broadcast_to(others, size))

    def value(kernel: Kernel) -> Ordered:
        total = 0.0
        for start in range(0, size, step):
            block = kernel.log_profile(squares[start : start + step], dim)
            places = np.arange(len(block))
            block[places, start + places] = -math.inf
            if counts is not None:
                block += np.log(counts)
                block[places, start + places] = log_copies[start : start + step]
            logs = log_sum_exp(block)
            total += float((logs if counts is None else counts[start : start + step] * logs).sum())
        # An ordinary number: its own order is right, as one of sign 1 whose "logarithm" it is.
        return ordered(1.0, dim * math.log(kernel.bandwidth) - total / number)

    return value


def _distances(measure: Callable[[], Floats], entries: int, size: int, limit: int) -> Floats:
    remedy = "raise memory_limit, or use a random sample of the rows or another rule"
    needed = entries * np.dtype(np.float64).itemsize
    require(needed, limit, purpose=f"all distances of {size} rows", where="memory_limit", remedy=remedy)
    try:
        return np.asarray(measure())
    except MemoryError:
        raise MemoryLimit(
            f"the distances between {size} rows need {needed} bytes, which could not be allocated",
            where="X",
            remedy=remedy,
        ) from None


def _log_overlap(kernel: Kernel, dim: int) -> float:
    """Return log of (k*k)(0) / k(0, 0), the integral of kappa^2 over that of kappa.

    kappa^2 is the Gaussian's profile at h / sqrt 2, the Laplacian's at h / 2, and Student's of 2 nu + d
    degrees of freedom at h (nu / (2 nu + d))^(1/2).
    """
    if isinstance(kernel, Gaussian):
        return -dim / 2 * math.log(2)
    if isinstance(kernel, Laplacian):
        return -dim * math.log(2)
    if isinstance(kernel, Student):
        dof = 2 * kernel.dof + dim
        constants = student_log_constant(kernel.dof, dim) - student_log_constant(dof, dim)
        return constants + dim / 2 * math.log(kernel.dof / dof)
    raise InvalidType(
        "must have a known integral of k^2",
        where="kernel",
        value=kernel,
        remedy="use Gaussian, Student or Laplacian, or the rule lkcv",
    )
