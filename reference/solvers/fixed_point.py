"""The limit of KIRWLS (Theorem 3): its definition by plain steps, and the same limit sooner.

No stopping rule enters: the answer is right to the working precision.
"""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext

from rkde.errors import NotConverged
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss, checked_loss
from rkde.reference.numbers import Matrix, Number, Row, Rows, guarded, nonnegative_count, rounding_level
from rkde.reference.rkhs import distance_matrix, norms_from_distances
from rkde.reference.solvers.kirwls import initial_weights, next_weights
from rkde.reference.solvers.limit import LIMIT_MAX_ITER, limit_from
from rkde.reference.solvers.results import FixedPoint


def iterate_until_rest(ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, max_iter: int) -> Row:
    """Return lim T^k(w) for k to infinity, T being one step of KIRWLS: the definition of a limit.

    Plain steps are taken until one of them changes no weight by more than `rounding_level` times the largest.
    With the absolute loss an iterate that falls exactly on a data location stays there, even if the location
    is not the minimiser.

    `fixed_point` ends in the same limit after fewer steps; a test asserts that the two agree.

    Parameters
    ----------
    ctx : mpmath.MPContext
        Inside a `guarded` call.
    distances : tuple of tuple of mpf, shape (n, n)
        D_ij = |Phi(X_i) - Phi(X_j)|^2, in tau^2.
    loss : Loss
    weights : tuple of mpf, shape (n,)
        Where to start: >= 0, of sum 1.
    max_iter : int
        Cap on the number of steps.

    Returns
    -------
    tuple of mpf, shape (n,)

    Raises
    ------
    NotConverged
        If the cap is reached.
    AllWeightsZero
        If phi vanishes at every residual before a step.
    """
    for _ in range(max_iter):
        after = next_weights(ctx, loss, norms_from_distances(ctx, distances, weights))
        change = max(abs(new - old) for new, old in zip(after, weights, strict=True))
        if change <= rounding_level(ctx) * max(weights):
            return after
        weights = after
    raise NotConverged(
        f"plain KIRWLS did not settle within {max_iter} steps", where="max_iter", remedy="raise max_iter"
    )


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

    It is the limit that `iterate_until_rest` defines, reached by KIRWLS steps that are replaced by Newton
    steps where these provably end in the same limit; the last step is KIRWLS's. With the absolute loss J has
    corners at the data locations (see Notes). A location is the answer if and only if it is the minimiser; an
    iterate that falls on another location leaves it in the direction in which J decreases.

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
    With rho(t) = t the objective has a corner at each data location. Let R_j be the sum of the unit vectors
    (Phi_i - Phi_j)/|Phi_i - Phi_j| over the rows i that do not coincide with row j. The location Phi_j of m
    rows is the minimiser if and only if |R_j| <= m; otherwise J decreases along R_j.

    The cost is n (n - 1)/2 evaluations of the kernel, n^2 multiplications for each KIRWLS step, and |A|^3/6
    more for each Newton step, where A is the set of rows beyond the quadratic piece of the loss.

    References
    ----------
    Equation (3) (`eqn:rkde`) defines the RKDE, which KIRWLS seeks. Theorem 3 (`thm:convergence_bm`) is about
    convergence; Newton's matrix is that of Theorem 5 (`thm:influence_emp`).

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
