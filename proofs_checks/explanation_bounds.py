"""Tolerances of explanations: marginal and conditional log densities of an estimate, and its gradient."""

from __future__ import annotations

import math

from rkde.proofs_checks.roundings import LAST_ROUNDINGS, sum_bound
from rkde.proofs_checks.tolerances import log_density_bound


def left_out_bound(n_samples: int, rest: float) -> float:
    """Absolute bound of log(1 - w_i), by which a density without row i is divided, where 1 - w_i = `rest`.

    A weight has n + 1 roundings of at most 1, the difference one; the logarithm divides by `rest`.
    """
    return sum_bound(n_samples + 2 + LAST_ROUNDINGS) / rest


def coordinate_bound(dim: int, condition: float, farthest: float) -> float:
    """Bound of the error of a row's coordinates, over h, where an L that is not diagonal makes them.

    A triangular solve, the orthogonal axes of some columns and the product with them are backward stable:
    each is off by some d roundings, four of them d + 2 each, of the longest row, times the condition of L.
    """
    return condition * farthest * sum_bound(4 * (dim + 2))


def moved_bound(moved: float, farthest: float, dim: int, dof: float = math.inf) -> float:
    """Absolute bound of the change of log f where coordinates over h move by `moved`.

    log kappa changes by at most c r dr, with c = 1 for the Gaussian and c <= (nu + d) / nu for the Student
    kernel, where both rows move and no distance r over h is above `farthest`; log f by no more than that.
    |det L| has the relative error of one row for each column, so its logarithm changes by d times `moved`.
    """
    step = 2 * moved
    return (1 + dim / dof) * step * (farthest + step) + dim * moved


def gradient_bound(
    largest_pull: float, log_density: float, term_magnitude: float, n_samples: int, dim: int
) -> float:
    """Absolute bound of an entry of the gradient sum_i p_i g_i, |g_i| at most `largest_pull`, to first order.

    With errors e_i of log(w_i kappa_i), the shares p_i = exp(..) change by p_i (e_i - sum_j p_j e_j), and
    sum_i p_i |e_i| is at most `log_density_bound`. The terms g_i have d + 10 roundings, their sum n.
    """
    shares = 2 * log_density_bound(log_density, term_magnitude, n_samples, dim)
    return largest_pull * (shares + sum_bound(n_samples + dim + 10))
