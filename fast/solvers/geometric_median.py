"""Distinct locations of the rows, and when one of them is the minimiser for the absolute loss.

With rho(t) = t the objective has a corner at every data location, so its minimiser may be one of them: the
location Phi_j of m rows is the minimiser exactly if |R_j| <= m, where R_j is the sum of the unit vectors
(Phi_i - Phi_j) / |Phi_i - Phi_j| over the rows i elsewhere: the m rows hold with a force of at most m.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, accurate_sum, sum_factor
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers.curvature import local_frame

# Roundings in an entry of D beside one a coordinate, in a root, a quotient and the last few sums, generously.
_FIXED_ROUNDINGS: Final = 64
# Of a mass over the mean mass three, one of the sum and one of its square, each with as much to spare.
_MASS_ROUNDINGS: Final = 16
# Up to this share of m^2 the slack is too small for a location to be mistaken for the minimiser.
_NARROW: Final = 2.0**-26
# Proved either way; |R_j| = m but for rounding, which then moves the minimiser by rounding only; or rounding
# hides on which side of m the norm lies, as between nearly equal rows.
Verdict = Literal["minimiser", "not minimiser", "borderline", "undecided"]


@dataclass(frozen=True, slots=True, eq=False)
class VertexTest:
    """The vector R_j at a location, which decides whether the location is the minimiser.

    Attributes
    ----------
    rows : ndarray of bool, shape (n,)
        The rows of the location.
    mass : float
        m, the sum of their masses m_i over the mean mass: their number where all masses are equal.
    inverse_norms : ndarray, shape (n,)
        m_i / |Phi_i - Phi_j| off the location, 0 on it: the coefficients of R_j but for that of Phi_j.
    square : float
        |R_j|^2.
    slack : float
        A bound on the rounding error of `square`.
    """

    rows: NDArray[np.bool_]
    mass: float
    inverse_norms: Floats
    square: float
    slack: float

    @property
    def verdict(self) -> Verdict:
        """What is proved about |R_j| <= m, rounding included."""
        limit = self.mass**2
        if self.square + self.slack <= limit:
            return "minimiser"
        if abs(self.square - limit) <= self.slack:
            return "borderline" if self.slack <= _NARROW * limit else "undecided"
        return "not minimiser"


def resultant(operator: KernelOperator, row: int) -> VertexTest:
    """Return R_j at the location of a row: |R_j|^2 = (sum v)(v'D_j) - v'D v / 2 with v the inverse norms.

    Notes
    -----
    One product with D. The slack counts the roundings of the longest sum, n + d and a few more. Between rows
    so near each other that the slack hides the answer the same square is formed as
    `local_frame` does.
    """
    to_location = operator.row(row)
    rows = operator.locations == operator.locations[row]
    inverse_norms = np.zeros(operator.size)
    inverse_norms[~rows] = 1 / np.sqrt(to_location[~rows])
    inverse_norms = operator.weigh(inverse_norms)
    spread = float(inverse_norms.sum() * (inverse_norms * to_location).sum())
    among = float((inverse_norms * operator.product(inverse_norms)).sum())
    roundings = operator.size + operator.distance_roundings + _FIXED_ROUNDINGS
    slack = roundings * UNIT_ROUNDOFF * (spread + among / 2)
    total = float(inverse_norms.sum())
    slack += operator.absolute_error * total * total
    mass = float(rows.sum())
    # What the masses of the rows and their sum at the location are off.
    of_mass = 0.0
    if operator.masses is not None:
        mass = accurate_sum(operator.masses[rows])
        of_mass = sum_factor(_MASS_ROUNDINGS) * mass * mass
    vertex = VertexTest(rows, mass, inverse_norms, spread - among / 2, slack + of_mass)
    if vertex.verdict == "undecided":
        frame = local_frame(operator, row)
        if frame is not None:
            square, slack = frame.resultant(operator, inverse_norms)
            return replace(vertex, square=square, slack=slack + of_mass)
    return vertex


def weights_on(rows: NDArray[np.bool_], masses: Floats | None = None) -> Floats:
    """Return the weights of the chosen rows in proportion to their masses, 1/m on m equal ones, 0 elsewhere.

    Shapes: rows (n,), at least one is chosen; masses (n,); result (n,).

    Examples
    --------
    >>> weights_on(np.array([True, False, True]))
    array([0.5, 0. , 0.5])
    """
    if masses is None:
        return np.where(rows, 1 / int(rows.sum()), 0.0)
    return np.where(rows, masses / masses[rows].sum(), 0.0)


def largest_change(weights: Floats, others: Floats, masses: Floats | None = None) -> float:
    """Return max |w - v| / max w over copies of one mass, so that counts give what repeated rows give.

    Shapes: weights, others (n,); masses (n,).

    Examples
    --------
    >>> largest_change(np.array([0.5, 0.5]), np.array([0.25, 0.75]), np.array([1.5, 0.5]))
    0.5
    """
    changes = np.abs(others - weights)
    if masses is not None:
        changes, weights = changes / np.abs(masses), weights / masses
    return float(changes.max() / weights.max())


def weights_along_resultant(vertex: VertexTest, share: float, masses: Floats | None = None) -> Floats:
    """Return the weights of Phi_j + t R_j, t such that the given share of the weight leaves the location.

    Shapes: masses (n,); result (n,).
    """
    away = vertex.inverse_norms * (share / vertex.inverse_norms.sum())
    return np.where(vertex.rows, (1 - share) * weights_on(vertex.rows, masses), away)
