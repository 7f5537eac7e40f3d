"""Theorem 5 (`thm:influence_emp`) for many contaminating points at once, in its symmetric form.

With u_i = Phi_i - f, gamma = sum phi(r_i) and the active rows A = {i: q(r_i) != 0}, the derivative g of f
solves

    gamma g - sum_A |q_i|/r_i^3 <g, u_i> u_i = n phi(r') (Phi(x') - f).

Its products y_i = (|q_i|/r_i^3)^(1/2) <g, u_i> solve (gamma I - G) y = n phi(r') b with the Gram matrix G of
the scaled u_i over A and b_i = (|q_i|/r_i^3)^(1/2) <u', u_i>. So one factorization of order |A| serves every
x', and none is needed where phi(r') = 0 or nothing is active. Inner products come from distances:
2 <u_i, u_j> = r_i^2 + r_j^2 - D_ij.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigvalsh, solve
from scipy.sparse.linalg import eigsh

from rkde.errors import SingularSystem
from rkde.fast.inputs import Floats
from rkde.fast.operators import KernelOperator
from rkde.vocabulary import MAX_CONDITION

# Orders up to which all eigenvalues cost no more than a few products of the Lanczos iteration for one.
_SMALL: Final = 256
# A relative distance of the largest eigenvalue of G from gamma below which all eigenvalues are computed: the
# iteration's own error, some roundings of gamma, is far below it.
_NEARLY_SINGULAR: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The point at which the derivative is taken.

    Attributes
    ----------
    operator : KernelOperator
        Of X and the kernel.
    weights, norms, phi : ndarray, shape (n,)
        w, of sum 1, the residual norms r in tau, and phi(r).
    mean_distances : ndarray, shape (n,)
        D w.
    """

    operator: KernelOperator
    weights: Floats
    norms: Floats
    phi: Floats
    mean_distances: Floats

    @property
    def phi_sum(self) -> float:
        """Gamma."""
        return float(self.phi.sum())

    @property
    def spread(self) -> float:
        """Half of w'D w, so that r_i^2 = (D w)_i - spread."""
        return float(self.weights @ self.mean_distances) / 2


@dataclass(frozen=True, slots=True, eq=False)
class NewPoints:
    """Contaminating points x'.

    Attributes
    ----------
    distances : ndarray, shape (m, n)
        |Phi(x') - Phi_i|^2, in tau^2.
    norms, phi : ndarray, shape (m,)
        r' = |Phi(x') - f| in tau, and phi(r').
    """

    distances: Floats
    norms: Floats
    phi: Floats

    def part(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool]]) -> NewPoints:
        """Return some of the points, chosen by a mask."""
        return NewPoints(self.distances[chosen], self.norms[chosen], self.phi[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """gamma I - G for one choice of q.

    Attributes
    ----------
    active : ndarray of int, shape (k,)
        The rows with q != 0.
    scale : ndarray, shape (k,)
        (|q_i| / r_i)^(1/2), which multiplies u_i / r_i.
    solve : callable
        From right sides, shape (k, m), to solutions of the same shape.
    condition : float
        Of n times the Hessian of J.
    """

    active: np.ndarray[tuple[int], np.dtype[np.intp]]
    scale: Floats
    solve: Callable[[Floats], Floats]
    condition: float


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """alpha, shape (m, n), alpha', shape (m,), and the condition number behind each, shape (m,)."""

    rows: Floats
    new: Floats
    condition: Floats


def theorem_5_system(site: Site, q_values: Floats) -> System:
    """Factor Theorem 5's system.

    Parameters
    ----------
    site : Site
    q_values : ndarray, shape (n,)
        q(r_i) <= 0, each from the side that is wanted at a kink.

    Returns
    -------
    System

    Raises
    ------
    SingularSystem
        If the condition number reaches `MAX_CONDITION`.

    Notes
    -----
    k^3 / 3 multiplications and a few products for k active rows; some k^3 where the estimate is near or at a
    saddle.
    """
    # phi is constant near 0, or not differentiable there: nothing is active where r_i is 0.
    active = np.flatnonzero((q_values != 0) & (site.norms > 0))
    norms = site.norms[active]
    scale = np.sqrt(-q_values[active] / norms)
    if not len(active):
        return System(active, scale, lambda right: right, 1.0)
    squares = norms * norms
    products = squares[:, None] + squares[None, :] - site.operator.block(active, active)
    hessian = products * (scale / norms)[:, None] * (scale / norms)[None, :] / -2
    largest = _largest_eigenvalue(-hessian)
    hessian[np.diag_indices_from(hessian)] += site.phi_sum
    if largest < (1 - _NEARLY_SINGULAR) * site.phi_sum:
        factor = cho_factor(hessian, lower=True)
        condition = site.phi_sum / (site.phi_sum - largest)
        return System(active, scale, lambda right: np.asarray(cho_solve(factor, right)), condition)
    sizes = np.abs(eigvalsh(hessian))
    smallest, biggest = float(sizes.min()), max(float(sizes.max()), site.phi_sum)
    if not smallest * float(MAX_CONDITION) > biggest:
        raise SingularSystem(
            "Theorem 5's system is singular: f has no derivative, or any",
            where="weights",
            value=f"smallest eigenvalue {smallest:.3g} beside {biggest:.3g}",
            remedy="move a threshold or the bandwidth slightly; near here the influence is very large",
        )
    return System(
        active, scale, lambda right: np.asarray(solve(hessian, right, assume_a="sym")), biggest / smallest
    )


def _largest_eigenvalue(gram: Floats) -> float:
    if len(gram) <= _SMALL:
        return float(eigvalsh(gram)[-1])
    start = np.ones(len(gram))
    return float(eigsh(gram, k=1, which="LA", v0=start, return_eigenvectors=False)[0])


def theorem_5_coefficients(site: Site, system: System, new: NewPoints) -> Coefficients:
    """Return alpha and alpha' of Theorem 5 for each x'; exactly 0 where phi(r') is.

    Parameters
    ----------
    site : Site
    system : System
    new : NewPoints

    Returns
    -------
    Coefficients
        alpha = -alpha' w + P'(scaled y) / gamma, of sum -alpha'.
    """
    size, gamma = len(site.weights), site.phi_sum
    alpha_new = size * new.phi / gamma
    active, norms = system.active, site.norms[system.active]
    products = new.norms[:, None] ** 2 + norms[None, :] ** 2 - new.distances[:, active]
    right = (size * new.phi)[:, None] * products * (system.scale / norms / 2)[None, :]
    pulled = system.solve(right.T).T * (system.scale / norms / gamma)[None, :]
    rows = -(alpha_new + pulled.sum(axis=1))[:, None] * site.weights[None, :]
    rows[:, active] += pulled
    # A product with 0 may be -0.
    return Coefficients(rows + 0.0, alpha_new, np.where(new.phi > 0, system.condition, 1.0))


def norm_changes(site: Site, new: NewPoints, found: Coefficients, row: int) -> Floats:
    """Return dr_i/ds = -<d/ds f, u_i> / r_i for one row i with r_i > 0, shape (m,)."""
    distances = site.operator.row(row)
    at_row = found.rows @ distances + found.new * new.distances[:, row]
    at_mean = found.rows @ site.mean_distances + found.new * (new.distances @ site.weights)
    return np.asarray((at_row - at_mean) / 2 / site.norms[row])
