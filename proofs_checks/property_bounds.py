"""Tolerances of the six properties."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from rkde.proofs_checks.difference_bounds import first_order_band
from rkde.proofs_checks.influence_bounds import influence_bound
from rkde.proofs_checks.roundings import reference_bound, sum_bound, unit_roundoff

# Decimal digits that a step may lose: phi turns an error e of r into |q| e / r^2, for norms down to 1e-5.
_DIGITS_OF_A_STEP: Final = 10
_KERNEL_ROUNDINGS: Final = 64
# See kernel_quadrature.
_SLOWEST: Final = 1 / 100
_OF_A_KERNEL: Final = 1 / 2000


def reference_step_error(digits: int) -> float:
    """Bound of a step, relative to the largest weight, that is due to rounding at many digits.

    Both the weights it starts from and the step that the run itself compared with its tolerance are rounded,
    and the step amplifies that.
    """
    return reference_bound(digits - _DIGITS_OF_A_STEP)


def longest_step(step: float, n_rows: int) -> float:
    """Bound |Tf - f| in tau where no weight moves by more than `step`: n features at norms up to sqrt(2)."""
    return math.sqrt(2) * n_rows * step


def shrunk(error: float, noise: float, ratio: float = 1 / 2) -> float:
    """Bound of the error of a difference quotient at `ratio` times s from that at s.

    The error of a quotient with the right limit is A s + B s^2 + ..., half as large at s/2 where |B/A| s is
    below the band of `first_order_band`, and a quarter where A = 0. Had it another limit it would stay. Both
    are known to within `noise`.
    """
    return (ratio + first_order_band()) * error + 2 * noise


def cancellation(norms: Sequence[float], weights: Sequence[float]) -> float:
    """Factor by which r_i^2 = (Dw)_i - w'Dw/2 amplifies its roundings: max 1 + 2 V / r_i^2, V = sum w r^2."""
    variance = math.fsum(weight * norm * norm for weight, norm in zip(weights, norms, strict=True))
    return max(1 + 2 * variance / (norm * norm) for norm in norms)


def influence_error(
    coefficients: Sequence[float], dim: int, condition: float, factor: float, digits: int | None = None
) -> float:
    """Absolute bound of the sum of the errors of coefficients, hence of the error of their element in tau.

    Each has that of `influence_bound`, where residual norms cancel times the factor of `cancellation`; at so
    many digits the same roundings are smaller by the quotient of the two units. The weights, themselves
    rounded, move the norms by no more.
    """
    size = len(coefficients)
    unit = 1.0 if digits is None else reference_bound(digits) / unit_roundoff()
    return size * factor * unit * influence_bound(size, dim, condition) * max(map(abs, coefficients))


def integral_rounding(n_nodes: int) -> float:
    """Bound of the rounding of a quadrature of that many nodes whose magnitudes integrate to 1.

    Each value is a sum of a few terms with the rounding of a kernel; the nodes are summed.
    """
    return sum_bound(n_nodes + _KERNEL_ROUNDINGS)


def kernel_quadrature(dof: float | None, dim: int) -> float:
    """Bound of a kernel's integral less 1, by Gauss's rules of 16 nodes between neighbouring coordinates.

    Of the kernels the Student kernel with one degree of freedom has the slowest tail in the plane: the mass
    beyond R bandwidths is about 1/R. The last node of a half line is 188 bandwidths out, so 0.0053 of the
    mass lies beyond; about twice that is granted. Every other kernel has at most 0.00003 there (three degrees
    of freedom in the plane: (1 + R^2/3)^(-3/2), far less), and what the nodes miss between neighbouring
    coordinates is below 0.0001 for kernels without a corner inside a piece.
    """
    return _SLOWEST if dof is not None and dof <= 1 and dim > 1 else _OF_A_KERNEL
