"""One state of KIRWLS and the step to the next, shared by everything that iterates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import AllWeightsZero
from rkde.fast._float64 import Floats, as_weights
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.rkhs import mean_loss


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Weights with what belongs to them.

    Attributes
    ----------
    weights : ndarray, shape (n,)
        At least 0, of sum 1.
    norms : ndarray, shape (n,)
        Residual norms in tau.
    objective : float
        J.
    """

    weights: Floats
    norms: Floats
    objective: float


def state_at(operator: KernelOperator, loss: Loss, weights: Floats) -> State:
    """Return the state at weights of sum 1: one product.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    weights : ndarray, shape (n,)
        Of sum 1.

    Returns
    -------
    State
    """
    norms = operator.residual_norms(weights)
    return State(weights, norms, mean_loss(loss, norms))


def next_weights(loss: Loss, norms: Floats) -> Floats:
    """Return the weights proportional to phi(r_i), equation (8).

    Where phi is infinite (absolute loss, m >= 1 norms of 0), each of those rows gets 1/m: the limit from the
    right.

    Parameters
    ----------
    loss : Loss
        The loss.
    norms : ndarray, shape (n,)
        Residual norms in tau.

    Returns
    -------
    ndarray, shape (n,)
        At least 0, of sum 1.

    Raises
    ------
    AllWeightsZero
        phi is 0 at every norm.

    Examples
    --------
    >>> from rkde.fast.losses import Absolute
    >>> next_weights(Absolute(), np.array([0.0, 1.0, 0.0]))
    array([0.5, 0. , 0.5])
    """
    phi = loss.phi(norms)
    largest = phi.max()
    if largest == 0:
        raise AllWeightsZero(
            "phi is 0 at every residual, so the next weights are 0/0",
            where=f"loss {loss!r}",
            value=f"smallest residual {float(norms.min())!r} tau",
            remedy="start from other weights (f_med), or raise the threshold c",
        )
    # Over the largest, so that the sum stays within range; a share below the range is 0.
    with np.errstate(under="ignore"):
        shares = np.where(np.isinf(phi), 1.0, 0.0) if math.isinf(largest) else phi / largest
        return np.asarray(shares / shares.sum())


def fixed_point_residual(loss: Loss, state: State) -> float:
    """Return max |T(w) - w| / max w, infinite where T is undefined.

    Parameters
    ----------
    loss : Loss
        The loss.
    state : State
        The weights and their residual norms.

    Returns
    -------
    float
    """
    try:
        after = next_weights(loss, state.norms)
    except AllWeightsZero:
        return math.inf
    return float(np.abs(after - state.weights).max() / state.weights.max())


def initial_weights(weights_init: ArrayLike | None, size: int) -> Floats:
    """Return the given initial weights over their sum; uniform ones where none are given.

    Parameters
    ----------
    weights_init : array_like, shape (size,), or None
        Weights, or None.
    size : int
        Number of rows.

    Returns
    -------
    ndarray, shape (size,)
    """
    if weights_init is None:
        return np.full(size, 1 / size)
    return as_weights(weights_init, size, where="weights_init")
