"""KIRWLS (section 4): Theorems 1 to 3, the representer (7), the weights (8), the loop, and when it stops.

From weights w^(0) >= 0 of sum 1 the algorithm repeats, for k = 1, 2, ...,

    f^(k)   = sum_i w_i^(k-1) Phi(X_i),
    w_i^(k) = phi(|Phi(X_i) - f^(k)|) / sum_j phi(|Phi(X_j) - f^(k)|).

One such step is T, so that w^(k) = T(w^(k-1)). For rows with masses m_i, the weights of a step are in
proportion to m_i phi(r_i), and uniform weights to m_i; a row of mass m has the weight of its m copies.

Theorem 1 (repaired: `theorems.theorem_1`).
    Under (A1) and (A2),

        f_RKDE(x) = sum_i w_i k(x, X_i),    w_i >= 0,    sum_i w_i = 1,                      (7)
        w_i proportional to phi(|Phi(X_i) - f_RKDE|).                                        (8)

    The theorem also needs a phi that does not increase, and a rho that is not 0 everywhere.

Theorem 2 (repaired: `theorems.theorem_2`).
    Under (A1) and (A2), if J is strictly convex, then (7), (8) and sum_i w_i = 1 are sufficient for f_RKDE to
    be the minimiser of J, equation (6). A convex J is enough for a minimiser; that some phi(r_i) is positive
    has to be assumed.

Theorem 3 (repaired: `theorems.theorem_3`).
    Under (A1) to (A3), with phi non-increasing, let S = {g in H | V(g) = 0}. Then J(f^(k)) decreases at every
    iteration and converges, S is not empty, and |f^(k) - S| = inf_{g in S} |f^(k) - g| tends to 0. For the
    iterates to exist, J(f^(1)) < sup rho has to be assumed, and at a stationary f^(k) J stays as it is.

Corollary (section 4; holds: `theorems.corollary`).
    If J is strictly convex besides, f^(k) converges to f_RKDE in the norm of H.

The surrogate of section 8.4, by which J decreases, stands in `rkhs/objective.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import AllWeightsZero, InvalidInput, InvalidType
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss, checked_loss
from rkde.reference.numbers import (
    Masses,
    Matrix,
    Number,
    Row,
    Rows,
    guarded,
    nonnegative_count,
    normalised_weights,
    positive_number,
    row_masses,
    to_mpf,
    unit_masses,
)
from rkde.reference.rkhs import distance_matrix, mass_phi, mean_loss, norms_from_distances, residual_norms
from rkde.reference.solvers.certificate import certify
from rkde.reference.solvers.geometric_median import largest_change, weights_on
from rkde.reference.solvers.results import Iterate, KirwlsResult, spread_run
from rkde.vocabulary import Certificate, FixedSteps, RelativeObjective, Stationarity, Status, StopRule

DEFAULT_STOP: Final = RelativeObjective()
"""The rule of section 6.1.2."""

KIRWLS_MAX_ITER: Final = 1000
"""Ten times the number of steps that section 4 calls usual."""


@guarded
def kirwls_step(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    *,
    sample_weight: Sequence[Number] | None = None,
) -> Row:
    """Return T(w): phi(r_i) / sum_j phi(r_j) with the residual norms r of f_w (section 4).

    By Theorem 1 the weights of the RKDE satisfy w = T(w).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    tuple of mpf, shape (n,)
        >= 0, of sum 1; with sample weights s_i in proportion to s_i phi(r_i).

    Raises
    ------
    AllWeightsZero
        If phi vanishes at every residual.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the weights break a rule.

    Examples
    --------
    >>> from rkde.reference import Huber, Student, make_context
    >>> ctx = make_context(20)
    >>> print(*kirwls_step(ctx, [[0], [1]], Student(1, 1), Huber("0.5"), [1, 0]))
    0.66666666666666666667 0.33333333333333333333
    """
    checked_loss(loss)
    norms = residual_norms(ctx, X, kernel, weights)
    masses = row_masses(ctx, sample_weight, len(norms))
    return masses.spread(ctx, next_weights(ctx, loss, masses.rows_of(norms), masses))


def next_weights(ctx: MPContext, loss: Loss, norms: Row, masses: Masses | None = None) -> Row:
    """Return w_i = m_i phi(r_i) / sum_j m_j phi(r_j) for residual norms r: equation (8).

    The masses are 1 by default. Where phi(0) is infinite (absolute loss) and norms are exactly 0, those rows
    share the weight in proportion to their masses, the limit from the right.
    """
    masses = masses or unit_masses(ctx, len(norms))
    phis = mass_phi(ctx, loss, norms, masses)
    infinite = [row for row, phi in enumerate(phis) if ctx.isinf(phi)]
    if infinite:
        return weights_on(ctx, infinite, masses)
    phi_sum = ctx.fsum(phis)
    if phi_sum == 0:
        raise AllWeightsZero(
            "phi is 0 at every residual, so the next weights are 0/0",
            where=f"loss {loss!r}",
            value=f"smallest residual {ctx.nstr(min(norms), 6)} tau",
            remedy="start from other weights, such as those of f_med, or raise the threshold c",
        )
    return tuple(phi / phi_sum for phi in phis)


@guarded
def kirwls(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: Sequence[Number] | None = None,
    sample_weight: Sequence[Number] | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
) -> KirwlsResult:
    """Iterate KIRWLS (section 4) until a stopping rule holds.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights_init : sequence of numbers, shape (n,), optional
        Finite, >= 0, of sum 1, and 0 for rows that `sample_weight` removes; uniform by default.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).
    stop : RelativeObjective, FixedSteps or Stationarity
        By default the paper's rule: J changes by less than 1e-8, relatively (section 6.1.2); J = 0 has
        converged.
    max_iter : int, default 1000
        Cap on the number of steps; `FixedSteps` makes its own count of steps whatever the cap.

    Returns
    -------
    KirwlsResult
        Status `max_iter` at the cap; `single_location`, without a step, where all rows are equal.

    Raises
    ------
    AllWeightsZero
        If phi vanishes at every residual before a step.
    InvalidInput, InvalidType
        If an argument breaks a rule.

    Notes
    -----
    n (n - 1)/2 evaluations of the kernel, then n^2 multiplications for each step and some more for the bound.

    Examples
    --------
    >>> from rkde.reference import Absolute, Gaussian, make_context
    >>> ctx = make_context(20)
    >>> result = kirwls(ctx, [[0], [1], [5]], Gaussian(1), Absolute())
    >>> print(result.status, result.n_iter, ctx.nstr(result.weights[2], 6))
    converged 10 0.190737
    """
    checked_loss(loss)
    stop = checked_stop(stop)
    cap = stop.count if isinstance(stop, FixedSteps) else nonnegative_count(max_iter, "max_iter")
    distances = distance_matrix(ctx, X, kernel)
    masses = row_masses(ctx, sample_weight, len(distances))
    start = initial_weights(ctx, weights_init, masses)
    return spread_run(
        ctx, kirwls_from(ctx, masses.block_of(distances), loss, start, masses, stop, cap), distances, masses
    )


def kirwls_from(
    ctx: MPContext, distances: Matrix, loss: Loss, start: Row, masses: Masses, stop: StopRule, cap: int
) -> KirwlsResult:
    """Iterate KIRWLS from weights of sum 1 over the rows that have a mass, given their D."""
    iterates = [iterate_at(ctx, distances, loss, start, masses)]
    if is_single_location(distances):
        iterates = [iterate_at(ctx, distances, loss, masses.shares, masses)]
        return _result(ctx, distances, loss, iterates, masses, Status.SINGLE_LOCATION, stop)
    while not _reached(ctx, loss, masses, stop, iterates):
        if len(iterates) > cap:
            return _result(ctx, distances, loss, iterates, masses, Status.MAX_ITER, stop)
        after = next_weights(ctx, loss, iterates[-1].norms, masses)
        iterates.append(iterate_at(ctx, distances, loss, after, masses))
    return _result(ctx, distances, loss, iterates, masses, Status.CONVERGED, stop)


def _reached(ctx: MPContext, loss: Loss, masses: Masses, stop: StopRule, iterates: list[Iterate]) -> bool:
    """Tell whether a rule stops the loop; the paper's is |J(f^(k+1)) - J(f^(k))| / J(f^(k)) < tol."""
    iterate = iterates[-1]
    if isinstance(stop, FixedSteps):
        return len(iterates) == stop.count + 1
    if isinstance(stop, Stationarity):
        return fixed_point_residual(ctx, loss, iterate, masses) <= to_mpf(ctx, stop.tol)
    if iterate.objective == 0:
        return True
    if len(iterates) == 1:
        return False
    before = iterates[-2].objective
    return abs(iterate.objective - before) < to_mpf(ctx, stop.tol) * before


def iterate_at(ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, masses: Masses) -> Iterate:
    """Return the iterate with given weights of sum 1, at the cost of one product with D."""
    norms = norms_from_distances(ctx, distances, weights)
    return Iterate(weights, norms, mean_loss(ctx, loss, norms, masses))


def fixed_point_residual(ctx: MPContext, loss: Loss, iterate: Iterate, masses: Masses) -> mpf:
    """Return max|T(w) - w| / max w over copies of mass 1, infinite where T is undefined."""
    try:
        after = next_weights(ctx, loss, iterate.norms, masses)
    except AllWeightsZero:
        return ctx.inf
    return largest_change(iterate.weights, after, masses)


def initial_weights(
    ctx: MPContext, weights_init: Sequence[Number] | None, masses: Masses, where: str = "weights_init"
) -> Row:
    """Return the given initial weights divided by their sum; uniform ones where none are given."""
    if weights_init is None:
        return masses.shares
    weights = normalised_weights(ctx, weights_init, masses.size, where)
    for row in sorted({*range(masses.size)} - {*masses.kept}):
        if weights[row]:
            raise InvalidInput(
                "must be 0 where sample_weight is 0",
                where=f"{where}, row {row}",
                value=weights_init[row],
                remedy="set the entry to 0, or pass a positive sample weight for the row",
            )
    return masses.rows_of(weights)


def is_single_location(distances: Matrix) -> bool:
    """Tell whether all rows lie at one location."""
    return not any(distances[0])


def checked_stop(stop: StopRule) -> StopRule:
    """Return a stopping rule whose parameter is admissible."""
    if isinstance(stop, FixedSteps):
        return FixedSteps(nonnegative_count(stop.count, "stop, count"))
    if isinstance(stop, (RelativeObjective, Stationarity)):
        positive_number(stop.tol, "stop.tol")
        return stop
    raise InvalidType(
        "must be a stopping rule",
        where="stop",
        value=stop,
        remedy="pass RelativeObjective(tol), FixedSteps(count) or Stationarity(tol)",
    )


def _result(
    ctx: MPContext,
    distances: Matrix,
    loss: Loss,
    iterates: list[Iterate],
    masses: Masses,
    status: Status,
    stop: StopRule,
) -> KirwlsResult:
    certificate, error_bound = _proved(ctx, distances, loss, iterates[-1], masses, stop)
    return KirwlsResult(
        weights=iterates[-1].weights,
        residual_norms=iterates[-1].norms,
        objective=iterates[-1].objective,
        objective_path=tuple(iterate.objective for iterate in iterates),
        status=status,
        n_iter=len(iterates) - 1,
        stop=stop,
        weights_init=iterates[0].weights,
        fixed_point_residual=fixed_point_residual(ctx, loss, iterates[-1], masses),
        error_bound=error_bound,
        certificate=certificate,
    )


def _proved(
    ctx: MPContext, distances: Matrix, loss: Loss, iterate: Iterate, masses: Masses, stop: StopRule
) -> tuple[Certificate | None, mpf | None]:
    """Return the certificate, where the rule asks for one, and a bound on the distance to a limit.

    A fixed number of steps claims no nearness to a limit, so nothing is looked for.
    """
    if isinstance(stop, FixedSteps):
        return None, None
    bounds = certify(ctx, distances, loss, iterate.weights, masses)
    certificate = bounds.certificate if isinstance(stop, Stationarity) else None
    return certificate, bounds.error_bound if ctx.isfinite(bounds.error_bound) else None
