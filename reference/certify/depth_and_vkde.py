"""Small computations over balls: variable bandwidths and the kernelized spatial depth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, exact_ball, square_root, working_bits
from rkde.reference.certify.exact import ExactRow, exact_points, exact_queries
from rkde.reference.certify.kernels import BallKernel, ball_kernel
from rkde.reference.certify.sample import exact_sqdist
from rkde.reference.certify.values import log_sum_exp
from rkde.reference.estimates import VKDE_RULES
from rkde.reference.kernels import Kernel
from rkde.reference.numbers import Rows
from rkde.vocabulary import VkdeRule


@dataclass(frozen=True, slots=True)
class VariableBandwidths:
    """The estimate of section 6.1.2 with one bandwidth for each row, enclosed.

    Attributes
    ----------
    bandwidths : list of flint.arb, shape (n,)
        In the unit of the data.
    log_density : list of flint.arb, shape (m,)
        Natural logarithms at the queries.
    """

    bandwidths: list[arb]
    log_density: list[arb]


def enclose_vkde(
    X: Rows, kernel: Kernel, queries: Rows, rule: VkdeRule = "abramson", *, bits: int = DEFAULT_BITS
) -> VariableBandwidths:
    """Enclose h_i = h (eta / f_KDE(X_i))^(1/2) and the log density that they give.

    Shapes: X (n, d); queries (m, d).
    """
    if rule not in VKDE_RULES:
        raise InvalidInput(
            "must be the name of a rule",
            where="rule",
            value=rule,
            remedy=f"use one of {', '.join(VKDE_RULES)}",
        )
    points = exact_points(X)
    asked = exact_queries(queries, len(points[0]))
    with working_bits(bits):
        pilot = ball_kernel(kernel)
        share = -exact_ball(len(points)).log()
        heights = [_mixture(point, points, [pilot] * len(points), share) for point in points]
        log_eta = ball_sum(heights) / len(points) if rule == "geometric" else share + log_sum_exp(heights)
        kernels = [
            replace(pilot, bandwidth=pilot.bandwidth * ((log_eta - height) / 2).exp()) for height in heights
        ]
        return VariableBandwidths(
            [kernel.bandwidth for kernel in kernels],
            [_mixture(query, points, kernels, share) for query in asked],
        )


def _mixture(x: ExactRow, points: Sequence[ExactRow], kernels: Sequence[BallKernel], share: arb) -> arb:
    """Give the log density at x of one kernel at each point, each of the weight exp(share)."""
    dim = len(x)
    return log_sum_exp(
        [
            share + kernel.log_normaliser(dim) + kernel.log_profile(exact_ball(exact_sqdist(x, point)), dim)
            for kernel, point in zip(kernels, points, strict=True)
        ]
    )


def enclose_depth(X: Rows, kernel: Kernel, queries: Rows, *, bits: int = DEFAULT_BITS) -> list[arb]:
    """Enclose the kernelized spatial depth of each query.

    Shapes: X (n, d); queries (m, d); result (m,). Result: exact where all rows apart from the query are
    equal.

    Notes
    -----
    With v_i = 1 / |Phi(x) - Phi(X_i)|: the squared length of the sum of unit vectors is half of the sum over
    pairs of v_i v_j (D_i + D_j - D_ij).
    """
    points = exact_points(X)
    asked = exact_queries(queries, len(points[0]))
    with working_bits(bits):
        ball = ball_kernel(kernel)
        return [_depth(ball, query, points) for query in asked]


def _depth(kernel: BallKernel, x: ExactRow, points: Sequence[ExactRow]) -> arb:
    apart = [point for point in points if point != x]
    count = len(points) - (len(apart) < len(points))
    if count == 0:
        return arb(1)
    if len(set(apart)) <= 1:
        return exact_ball(1 - Fraction(len(apart), count))
    sqdist = [_feature_sqdist(kernel, x, point) for point in apart]
    inverse = [1 / square_root(value) for value in sqdist]
    squared = exact_ball(len(apart))
    for i, point in enumerate(apart):
        products = (
            inverse[j] * (sqdist[i] + sqdist[j] - _feature_sqdist(kernel, point, apart[j])) for j in range(i)
        )
        squared += inverse[i] * ball_sum(products)
    return 1 - square_root(squared) / count


def _feature_sqdist(kernel: BallKernel, x: ExactRow, y: ExactRow) -> arb:
    return kernel.feature_sqdist(exact_ball(exact_sqdist(x, y)), len(x))
