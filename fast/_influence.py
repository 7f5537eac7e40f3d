"""Theorem 5 (`thm:influence_emp`) for many contaminating points at once, in its symmetric form.

With u_i = Phi_i - f, u' = Phi(x') - f, gamma = sum phi(r_i) and the active rows A = {i: q(r_i) != 0}, the
derivative g of f solves

    gamma g - sum_A |q_i|/r_i^3 <g, u_i> u_i = n phi(r') u'.

So g = alpha' (u' + sum_A p_i u_i) with alpha' = n phi(r')/gamma and p_i = s_i y_i, where s_i is the root of
|q_i|/r_i^3 and (gamma I - G) y = b, G the Gram matrix of the s_i u_i over A and b_i = s_i <u_i, u'>. One
factorization of order |A| serves every x', and a derivative is |A| numbers beside a multiple of the weights.
Inner products come from distances: 2 <u_i, u'> = r_i^2 + r'^2 - D'_i, in which nothing cancels among close
points; where x' is far from close rows it is r_i^2 - w'D w / 2 less the excess of D'_i over its mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rkde.fast._influence_system import System
from rkde.fast.inputs import Floats
from rkde.fast.operators import KernelOperator

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The point at which the derivative is taken.

    Attributes
    ----------
    operator : KernelOperator
        Of X and the kernel.
    weights, norms : ndarray, shape (n,)
        w, of sum 1, and the residual norms r in tau.
    phi_sum : float
        gamma.
    mean_distances : ndarray, shape (n,)
        D w.
    """

    operator: KernelOperator
    weights: Floats
    norms: Floats
    phi_sum: float
    mean_distances: Floats

    @property
    def spread(self) -> float:
        """Half of w'D w, so that r_i^2 = (D w)_i - spread."""
        return float((self.weights * self.mean_distances).sum()) / 2


@dataclass(frozen=True, slots=True, eq=False)
class NewPoints:
    """Contaminating points x'.

    Attributes
    ----------
    distances : ndarray, shape (m, n)
        D'_i = |Phi(x') - Phi_i|^2, in tau^2.
    mean_distances : ndarray, shape (m,)
        Their means with the weights w.
    norms, phi : ndarray, shape (m,)
        r' = |Phi(x') - f| in tau, and phi(r').
    excess : ndarray, shape (m, n), optional
        D'_i less its mean, where some x' are so far from rows close to f that a difference loses digits.
    """

    distances: Floats
    mean_distances: Floats
    norms: Floats
    phi: Floats
    excess: Floats | None = None

    def part(self, chosen: Mask) -> NewPoints:
        """Return some of the points."""
        if chosen.all():
            return self
        return NewPoints(
            self.distances[chosen],
            self.mean_distances[chosen],
            self.norms[chosen],
            self.phi[chosen],
            None if self.excess is None else self.excess[chosen],
        )

    def excess_at(self, row: int) -> Floats:
        """Return D'_i less its mean for one row i, shape (m,)."""
        if self.excess is None:
            return np.asarray(self.distances[:, row] - self.mean_distances)
        return self.excess[:, row]


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The derivatives of f for some x', sum_i alpha_i Phi_i + alpha' Phi(x').

    alpha is -(alpha' + sum of pulls) w, and the pulls beside it on the active rows: of sum -alpha'.

    Attributes
    ----------
    active : ndarray of int, shape (k,)
        The active rows.
    pulls : ndarray, shape (m, k)
        alpha' p.
    new : ndarray, shape (m,)
        alpha'.
    condition : ndarray, shape (m,)
        Of the system behind each; 1 where none was solved.
    """

    active: Indices
    pulls: Floats
    new: Floats
    condition: Floats

    @property
    def mass(self) -> Floats:
        """Return alpha' + sum of pulls, shape (m,): minus what the weights are multiplied by."""
        return np.asarray(self.new + self.pulls.sum(axis=1))

    def fill(self, weights: Floats, rows: Floats) -> None:
        """Write alpha into an array of shape (m, n)."""
        np.multiply(-self.mass[:, np.newaxis], weights, out=rows)
        rows[:, self.active] += self.pulls
        # A product with 0 may be -0.
        rows += 0.0

    def sizes(self) -> Floats:
        """Return a bound on sum |alpha_i| + alpha', shape (m,)."""
        return np.asarray(np.abs(self.pulls).sum(axis=1) + np.abs(self.mass) + self.new)


def no_coefficients(active: Indices, count: int) -> Coefficients:
    """Return derivatives that are exactly 0.

    Parameters
    ----------
    active : ndarray of int, shape (k,)
        The active rows.
    count : int
        Number of x'.

    Returns
    -------
    Coefficients
    """
    return Coefficients(active, np.zeros((count, len(active))), np.zeros(count), np.ones(count))


def theorem_5_coefficients(
    site: Site, active: Indices, system: System, new: NewPoints, phi_change: Floats | None = None
) -> Coefficients:
    """Return the derivatives of Theorem 5.

    Parameters
    ----------
    site : Site
        Where.
    active : ndarray of int, shape (k,)
        The rows of the system.
    system : System
        The system.
    new : NewPoints
        The points, with phi(r') > 0.
    phi_change : ndarray, shape (m, n), optional
        Derivatives of phi(r_i) in s by way of moving thresholds: sum_i phi_change_i u_i is added to the right
        side. The active rows are then all rows with one that is not 0, too. None where the thresholds stay,
        as in the theorem.

    Returns
    -------
    Coefficients
    """
    norms, gamma = site.norms[active], site.phi_sum
    alpha_new = len(site.weights) * new.phi / gamma
    if new.excess is None:
        products = new.distances[:, active]
        np.subtract(new.norms[:, np.newaxis] ** 2 + norms**2, products, out=products)
    else:
        products = norms**2 - site.spread - new.excess[:, active]
    products /= 2
    if phi_change is not None:
        products *= alpha_new[:, np.newaxis]
        products += _products_of(site, active, phi_change) / gamma
    products *= system.scale
    pulls = system.solve(products.T).T * system.scale
    if phi_change is None:
        pulls *= alpha_new[:, np.newaxis]
    else:
        pulls += phi_change[:, active] / gamma
    return Coefficients(active, pulls, alpha_new, np.full(len(alpha_new), system.condition))


def _products_of(site: Site, active: Indices, entries: Floats) -> Floats:
    """Return <sum_j e_j u_j, u_i> for the active i, shape (m, k): (E r_i^2 + sum e_j r_j^2 - (D e)_i) / 2."""
    squares = site.norms * site.norms
    sums = entries.sum(axis=1)[:, np.newaxis] * squares[active] + (entries @ squares)[:, np.newaxis]
    applied = np.stack([site.operator.product(row)[active] for row in entries])
    return np.asarray((sums - applied) / 2)


def norm_changes(site: Site, new: NewPoints, found: Coefficients, row: int) -> Floats:
    """Return dr_i/ds = -<g, u_i> / r_i for one row i with r_i > 0.

    Parameters
    ----------
    site : Site
        Where.
    new : NewPoints
        The points x'.
    found : Coefficients
        Their derivatives.
    row : int
        i.

    Returns
    -------
    ndarray, shape (m,)

    Notes
    -----
    The coefficients of g have sum 0, so <g, u_i> is -1/2 of their mean of D_ij minus that of (D w)_j.
    """
    apart = site.operator.row(row) - site.mean_distances
    total = found.pulls @ apart[found.active] - found.mass * (site.weights * apart).sum()
    total += found.new * new.excess_at(row)
    return np.asarray(total / 2 / site.norms[row])
