"""The Gaussian between two intervals, interpolated at Chebyshev nodes in both variables, and its error.

With positions x, y in [-1, 1] of two intervals of half length a, in bandwidths, the kernel is
g = exp(-(m + a (x - y))^2/2) for some m. Through p nodes in one variable, Cauchy's remainder of
interpolation and Cramer's inequality |He_p(t)| exp(-t^2/4) <= (p!)^(1/2) (DLMF 18.14.9) give

    |g - I g| <= a^p max |He_p(t) exp(-t^2/2)| / p! max |prod (x - x_k)| <= 2 (a/2)^p / (p!)^(1/2) = e_p.

It falls faster than geometrically. For an entire function, Bernstein's ellipses (Trefethen, Approximation
Theory and Approximation Practice, Theorem 8.2) give 4 M r^(1-p) / (r - 1) for every r > 1, here with
M = exp(a^2 (r - 1/r)^2 / 8); at the half sides used here, up to 2.2, its minimum over r is larger than e_p.
In both variables |g - I_x I_y g| <= |g - I_x g| + |I_x (g - I_y g)| <= (1 + L) e_p, L the Lebesgue constant,
and a product of d such factors, each at most 1, is off by at most d times that (1 + that)^(d - 1).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np

from rkde.fast._float64 import UNIT_ROUNDOFF, Floats

# More than what the rounding of p nodes, p below 2**7, adds to the largest value of the product of all
# x - x_k, p^3 roundings of it, and to the Lebesgue constant, p^2 times as many of it (Markov's inequality).
_NODE_SLACK: Final = 2.0**-25
# Ehlich and Zeller: the Lebesgue constant of p Chebyshev nodes is below 2/pi log p + 1.
_LEBESGUE_SLOPE: Final = 2 / math.pi
MOST_NODES: Final = 100
# Positions handled at once: 2**12 rows of some 20 numbers stay in the cache.
_ROWS_AT_ONCE: Final = 2**12


@cache
def chebyshev_nodes(count: int) -> Floats:
    """Return the zeros of the Chebyshev polynomial of this degree, falling, shape (p,)."""
    nodes: Floats = np.cos((2 * np.arange(count) + 1) * (math.pi / (2 * count)))
    nodes.flags.writeable = False
    return nodes


@cache
def _weights(count: int) -> Floats:
    """Return 1 / prod_(j != k) (x_k - x_j) of the nodes as they are in float64, rounded once."""
    exact = [Fraction(node) for node in chebyshev_nodes(count).tolist()]
    products = [math.prod(node - other for other in exact if other != node) for node in exact]
    return np.array([float(1 / product) for product in products])


def lebesgue_constant(count: int) -> float:
    """Return a bound on sum_k |l_k(x)| over [-1, 1] for the nodes as they are in float64.

    Examples
    --------
    >>> round(lebesgue_constant(24), 2)
    3.02
    """
    return (_LEBESGUE_SLOPE * math.log(count) + 1) * (1 + _NODE_SLACK)


def interpolation_error(count: int, half_side: float, dim: int) -> float:
    """Return a bound on what interpolation in both variables changes in a Gaussian of `dim` columns.

    Result: for p nodes an axis and cells of half side `half_side` in bandwidths; rounding not included.

    Examples
    --------
    >>> f"{interpolation_error(30, 2.0, 2):.0e}"
    '1e-15'
    """
    power = count * math.log(half_side / 2) - math.lgamma(count + 1) / 2
    one = 2 * math.exp(power) * (1 + _NODE_SLACK)
    both = (1 + lebesgue_constant(count)) * one
    return dim * both * (1 + both) ** (dim - 1)


def node_count(half_side: float, dim: int, error: float) -> int:
    """Return the least number of nodes an axis whose interpolation error is at most `error`.

    Examples
    --------
    >>> node_count(2.0, 2, 2.0**-46)
    29
    """
    # Where the factors are not small the bound is infinite for few nodes, and falls from some number on.
    least = max(2, math.ceil(half_side * half_side))
    counts = range(least, MOST_NODES)
    return next(count for count in counts if interpolation_error(count, half_side, dim) <= error)


def lagrange_basis(positions: Floats, count: int) -> Floats:
    """Return l_k at positions in [-1, 1], shapes (n,) and (n, p); relative error 2 p roundings.

    l_k is a weight times the product of all x - x_j, j != k: p - 1 differences, p - 1 products, and the
    rounding of the weight. Products of the factors before and behind k spare divisions.
    """
    nodes, weights = chebyshev_nodes(count), _weights(count)
    basis = np.empty((len(positions), count))
    for start in range(0, len(positions), _ROWS_AT_ONCE):
        part = basis[start : start + _ROWS_AT_ONCE]
        factors = positions[start : start + _ROWS_AT_ONCE, None] - nodes
        behind = np.cumprod(factors[:, :0:-1], axis=1)[:, ::-1]
        part[:, 0] = 1.0
        np.cumprod(factors[:, :-1], axis=1, out=part[:, 1:])
        part[:, :-1] *= behind
        part *= weights
    return basis


def basis_roundings(count: int) -> int:
    """Return the roundings in an entry of `lagrange_basis`."""
    return 2 * count


def transfer_matrix(count: int, half_side: float, offset: int, power: int = 1) -> Floats:
    """Return exp(-power t^2 / 2) between the nodes of two cells, the first `offset` cells after the second.

    Shapes: result (p, p). Result: absolute error of an entry at most `transfer_roundings` roundings.
    """
    nodes = chebyshev_nodes(count)
    distances = half_side * (2 * offset + (nodes[:, None] - nodes))
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(distances * distances * (-power / 2)))


def transfer_roundings(half_side: float) -> int:
    """Bound the error of an entry of `transfer_matrix` in roundings of 1.

    A distance t is off by four roundings of itself, and by two of the half side, since the nodes' difference
    may cancel the offset; t exp(-t^2/2) <= 1 and t^2 exp(-t^2/2) <= 1 damp both, and the two roundings of the
    square; the exponential is within 4 ulp, eight roundings.
    """
    return 4 + math.ceil(2 * half_side) + 2 + 8


def coordinate_error(half_side: float) -> float:
    """Bound what the rounding of two positions in their cells, four of the half side each, changes in g.

    The slope of exp(-t^2/2) is below 5/8.
    """
    return 5 * half_side * UNIT_ROUNDOFF
