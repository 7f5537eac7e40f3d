"""The limit of KIRWLS itself, to working precision: no stopping rule enters."""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext

from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss, checked_loss
from rkde.reference.numbers import Number, Rows, guarded, nonnegative_count
from rkde.reference.rkhs import distance_matrix
from rkde.reference.solvers.kirwls import initial_weights
from rkde.reference.solvers.limit import LIMIT_MAX_ITER, limit_from
from rkde.reference.solvers.results import FixedPoint


@guarded
def fixed_point(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: Sequence[Number] | None = None,
    max_iter: int = LIMIT_MAX_ITER,
) -> FixedPoint:
    """Return the limit of KIRWLS from given weights, to the working precision.

    KIRWLS steps, replaced by Newton steps where these provably end in the same limit; the last step is
    KIRWLS's. For the absolute loss a data location is the answer exactly if |R_j| <= m (see Notes), and
    an iterate that falls on another location leaves it along R_j, towards lower J.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights_init : sequence of numbers, shape (n,), optional
        Finite, >= 0, of sum 1; uniform by default.
    max_iter : int, default 10000

    Returns
    -------
    FixedPoint

    Raises
    ------
    NotConverged
        If the cap is reached.
    AllWeightsZero
        If phi vanishes at every residual before a step.
    InvalidInput, InvalidType
        If an argument breaks a rule.

    Notes
    -----
    With rho(t) = t the objective has a corner at each data location. The location Phi_j of m rows is the
    minimiser exactly if |R_j| <= m, R_j being the sum over the other rows of the unit vectors (Phi_i -
    Phi_j)/|Phi_i - Phi_j|: the m rows pull with a force of at most m, all others together with R_j.

    n (n - 1)/2 evaluations of the kernel, n^2 multiplications a KIRWLS step, and |A|^3/6 more a Newton step,
    where A are the rows that Newton's matrix involves (those beyond the quadratic piece of the loss).

    References
    ----------
    Theorem 3 (`thm:convergence_bm`) for convergence; Theorem 5 (`thm:influence_emp`) for the matrix.

    Examples
    --------
    >>> from rkde.reference import Gaussian, Hampel, make_context
    >>> ctx = make_context(30)
    >>> limit = fixed_point(ctx, [[0], [0], [1], [5]], Gaussian(1), Hampel("0.3", "0.5", "0.9"))
    >>> limit.fixed_point_residual < ctx.mpf("1e-29"), limit.n_iter < 40
    (True, True)
    """
    checked_loss(loss)
    cap = nonnegative_count(max_iter, "max_iter")
    distances = distance_matrix(ctx, X, kernel)
    return limit_from(ctx, distances, loss, initial_weights(ctx, weights_init, len(distances)), cap)
