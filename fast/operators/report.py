"""What a result records of the engine that computed it, and what leaving out far pairs can have changed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rkde.fast._float64 import Floats, sum_factor
from rkde.fast.losses import Loss
from rkde.fast.operators.protocol import EngineName, KernelOperator


@dataclass(frozen=True, slots=True)
class EngineReport:
    """How the kernel matrix was applied.

    Attributes
    ----------
    engine : {"dense", "sparse", "tiled", "foreign"}
        The engine.
    reason : str
        Why it was taken.
    fill : float or None
        Estimated share of all pairs within the cutoff, where one was looked for.
    memory_limit : int or None
        Bytes that the choice had to keep to.
    nbytes : int
        Bytes that the matrix takes.
    nonzeros : int
        Stored kernel values.
    products, kernel_evaluations : int
        How often the matrix was applied, and how many kernel values were computed for that.
    truncation : float
        Kernel values up to this, relative to k(0, 0), were left out; 0 for none.
    truncation_bound : float
        At least |f - the computed f| anywhere, in tau^2, from what was left out.
    residual_bound : float
        The same for the residual norms, in tau.
    weights_bound : float
        The same for the weights of one step of KIRWLS from the weights of the result; infinite where a
        residual is so near a point of infinite phi that nothing can be said.
    """

    engine: EngineName
    reason: str
    fill: float | None
    memory_limit: int | None
    nbytes: int
    nonzeros: int
    products: int
    kernel_evaluations: int
    truncation: float
    truncation_bound: float
    residual_bound: float
    weights_bound: float


def engine_report(operator: KernelOperator, loss: Loss, norms: Floats) -> EngineReport:
    """Return the record of an operator after a computation that ended with these residual norms.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    norms : ndarray, shape (n,)
        Residual norms, in tau.

    Returns
    -------
    EngineReport
    """
    change = residual_change(operator.truncation, norms)
    return EngineReport(
        engine=operator.engine,
        reason=operator.choice.reason,
        fill=operator.choice.fill,
        memory_limit=operator.choice.memory_limit,
        nbytes=operator.nbytes,
        nonzeros=operator.nonzeros,
        products=operator.products,
        kernel_evaluations=operator.kernel_evaluations,
        truncation=operator.truncation,
        truncation_bound=operator.truncation,
        residual_bound=float(change.max()),
        weights_bound=step_change(loss, norms, change),
    )


def residual_change(truncation: float, norms: Floats) -> Floats:
    """Bound what leaving out kernel values up to eps changes in each residual norm.

    Parameters
    ----------
    truncation : float
        eps.
    norms : ndarray, shape (n,)
        Computed residual norms s, in tau.

    Returns
    -------
    ndarray, shape (n,)
        In tau; rounding not included.

    Notes
    -----
    0 <= K - K' < eps entry by entry, so D' - D lies in [0, 2 eps). For weights of sum 1 that moves (D w)_i by
    a number in [0, 2 eps), w'D w / 2 by one in [0, eps), and r_i^2, their difference, by less than 2 eps.
    Then |s - r| = |s^2 - r^2| / (s + r) is at most 2 eps / s, and at most (2 eps)^(1/2).

    Examples
    --------
    >>> residual_change(0.0, np.array([0.0, 1.0]))
    array([0., 0.])
    """
    square = 2 * truncation * (1 + sum_factor(8))
    root = math.sqrt(square)
    if not root or math.isinf(root):
        return np.full(len(norms), root)
    return np.minimum(root, square / np.maximum(norms, root))


def step_change(loss: Loss, norms: Floats, change: Floats) -> float:
    """Bound how much the weights phi(r_i) / sum phi(r_j) move when each r_i moves by at most `change`.

    Parameters
    ----------
    loss : Loss
        The loss: its phi is non-increasing, so its values at r_i -+ change_i bracket every other.
    norms, change : ndarray, shape (n,)
        In tau.

    Returns
    -------
    float
        With phi off by e_i and E = sum e, a weight moves by at most (e_i + w_i E) / (sum phi - E).
    """
    if not change.any() or not np.isfinite(change).all():
        return float(change.max())
    phi = loss.phi(norms)
    inner, outer = loss.phi(np.maximum(norms - change, 0.0)), loss.phi(norms + change)
    if not np.isfinite(inner).all():
        return math.inf
    moved = np.maximum(inner - phi, phi - outer)
    total, phi_sum = float(moved.sum()), float(phi.sum())
    if total >= phi_sum:
        return math.inf
    return float((moved + phi / phi_sum * total).max()) / (phi_sum - total) * (1 + sum_factor(len(phi) + 8))
