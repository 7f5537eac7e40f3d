"""The objective J of equation (6), its gradient (Lemma 1) and its quadratic surrogate (section 8.4).

All in units of tau: J in tau^2 (absolute loss: in tau).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput, NotDifferentiable
from rkde.fast._float64 import Floats, TableLike, as_arguments, as_vector, as_weights, read_sample_weight
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss, checked_loss
from rkde.fast.operators import KernelOperator, operator_for


def objective(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    operator: KernelOperator | None = None,
) -> float:
    """Return J(f_w) = sum_i p_i rho(|Phi(X_i) - f_w|), equation (6) with row masses p_i, 1/n by default.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, its thresholds in tau.
    weights : array_like, shape (n,)
        Finite, at least 0, of sum 1; they are divided by their sum. A removed row may have one.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.

    Returns
    -------
    float
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    InvalidType, InvalidInput
        X or the weights break a rule.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.losses import Quadratic
    >>> objective([[0.0], [1.0]], Student(1.0, 1.0), Quadratic(), [0.5, 0.5])
    0.125
    """
    checked_loss(loss)
    operator = operator_for(X, kernel, operator)
    given = read_sample_weight(sample_weight, operator.size)
    norms = operator.residual_norms(as_weights(weights, operator.size))
    if given is None:
        return mean_loss(loss, norms, operator.masses)
    return mean_loss(loss, given.rows_of(norms), given.masses)


def mean_loss(loss: Loss, norms: Floats, masses: Floats | None = None) -> float:
    """Return (1/n) sum_i m_i rho(r_i): equation (6) where the residual norms are known.

    Shapes: norms (n,), residual norms in tau; masses (n,).

    Examples
    --------
    >>> from rkde.fast.losses import Absolute
    >>> mean_loss(Absolute(), np.array([0.5, 1.5]))
    1.0
    """
    losses = loss.rho(norms)
    return float((losses if masses is None else masses * losses).mean())


def neg_gradient(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    *,
    operator: KernelOperator | None = None,
) -> Floats:
    """Return the coefficients of V(f_w) = (1/n) sum_i phi(r_i) (Phi(X_i) - f_w) of Lemma 1.

    Parameters
    ----------
    X, kernel, loss, weights, operator
        As in `objective`.

    Returns
    -------
    ndarray, shape (n,)
        v with V = sum_i v_i Phi(X_i), of sum 0: v_i = (phi(r_i) - w_i sum_j phi(r_j)) / n.

    Raises
    ------
    NotDifferentiable
        The absolute loss where a residual is 0.
    InvalidType, InvalidInput
        X or the weights break a rule.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.losses import Huber
    >>> neg_gradient([[0.0], [1.0]], Student(1.0, 1.0), Huber(1.0), [1.0, 0.0])
    array([-0.5,  0.5])
    """
    checked_loss(loss)
    operator = operator_for(X, kernel, operator)
    shares = as_weights(weights, operator.size)
    phi = loss.phi(operator.residual_norms(shares))
    infinite = np.flatnonzero(np.isinf(phi))
    if len(infinite):
        raise NotDifferentiable(
            "J is not differentiable where a residual is 0 and phi(0) is infinite",
            where=f"row {int(infinite[0])}",
            remedy="spread the weights over several locations, or use another loss",
        )
    return np.asarray((phi - phi.sum() * shares) / operator.size)


def objective_differential(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    direction: ArrayLike,
    *,
    operator: KernelOperator | None = None,
) -> float:
    """Return the Gateaux differential of J at f_w in the direction h: -<V(f_w), h>, Lemma 1.

    Parameters
    ----------
    X, kernel, loss, weights, operator
        As in `objective`.
    direction : array_like, shape (n,)
        Coefficients of h = sum_i direction_i Phi(X_i).

    Returns
    -------
    float
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    NotDifferentiable
        The absolute loss where a residual is 0.
    InvalidType, InvalidInput
        An argument breaks a rule.

    Notes
    -----
    The coefficients v of V have sum 0, so -<V, h> = v'D h / 2: two products with D.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.losses import Quadratic
    >>> objective_differential([[0.0], [1.0]], Student(1.0, 1.0), Quadratic(), [1.0, 0.0], [-1.0, 1.0])
    -0.5
    """
    operator = operator_for(X, kernel, operator)
    coefficients = as_vector(direction, where="direction")
    if len(coefficients) != operator.size:
        raise InvalidInput(
            f"must have as many entries as there are rows ({operator.size})",
            where="direction",
            value=len(coefficients),
            remedy="pass one number for each row",
        )
    gradient = neg_gradient(X, kernel, loss, weights, operator=operator)
    return float((gradient * operator.product(coefficients)).sum() / 2)


def surrogate_loss(loss: Loss, t: ArrayLike, anchor: ArrayLike) -> Floats:
    """Return u(t; r) = rho(r) - r psi(r) / 2 + phi(r) t^2 / 2, which touches rho at r and lies above it.

    Parameters
    ----------
    loss : Loss
        The loss.
    t : array_like, any shape
        Arguments, at least 0, in tau.
    anchor : array_like, a shape that broadcasts with that of t
        The points r of contact, at least 0, in tau.

    Returns
    -------
    ndarray
        In tau^2 (absolute loss: in tau); infinite for the absolute loss with anchor 0 and t > 0.

    Raises
    ------
    InvalidType, InvalidInput
        An argument is not a number of at least 0.

    References
    ----------
    Section 8.4, equations (19) and (20).

    Examples
    --------
    >>> from rkde.fast.losses import Huber
    >>> surrogate_loss(Huber(1.0), [2.0, 4.0], 2.0)
    array([1.5, 4.5])
    """
    argument, contact = as_arguments(t, where="t"), as_arguments(anchor, where="anchor")
    touching = loss.rho(contact) - contact * loss.psi(contact) / 2
    # At t = 0 the quadratic term vanishes whatever phi is, also where phi(0) is infinite.
    with np.errstate(invalid="ignore", over="ignore"):
        raised = touching + loss.phi(contact) * (argument * argument / 2)
    return np.where(argument == 0, touching, raised)


def surrogate_objective(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    anchor_weights: ArrayLike,
    *,
    operator: KernelOperator | None = None,
) -> float:
    """Return Q(g; f) = (1/n) sum_i u(|Phi(X_i) - g|; |Phi(X_i) - f|) of section 8.4.

    Parameters
    ----------
    X, kernel, loss, operator
        As in `objective`.
    weights, anchor_weights : array_like, shape (n,)
        The weights of g and of f; each finite, at least 0, of sum 1.

    Returns
    -------
    float
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    InvalidType, InvalidInput
        An argument breaks a rule.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.losses import Quadratic
    >>> surrogate_objective([[0.0], [1.0]], Student(1.0, 1.0), Quadratic(), [0.5, 0.5], [1.0, 0.0])
    0.125
    """
    checked_loss(loss)
    operator = operator_for(X, kernel, operator)
    norms = operator.residual_norms(as_weights(weights, operator.size))
    anchors = operator.residual_norms(as_weights(anchor_weights, operator.size, where="anchor_weights"))
    return float(surrogate_loss(loss, norms, anchors).mean())
