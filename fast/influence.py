"""The influence function of the robust kernel density estimate (section 5), for many points at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput, NotDifferentiable
from rkde.fast._distances import ScaledRows, scale_rows, separations
from rkde.fast._influence import Coefficients, NewPoints, Site
from rkde.fast._iteration import next_weights
from rkde.fast._kinks import ABOVE, BELOW, kinked_locations, one_sided_coefficients, systems_by_pattern
from rkde.fast._loss import Loss, checked_loss
from rkde.fast.inputs import Floats, TableLike, as_queries, as_weights, read_only
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.results import Influence
from rkde.fast.rkhs import BLOCK_PAIRS
from rkde.vocabulary import INFLUENCE_RESIDUAL


def influence(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    x_new: TableLike,
    queries: TableLike | None = None,
    *,
    operator: KernelOperator | None = None,
) -> Influence:
    """Return the influence function of the estimate at contaminating points: Theorem 5.

    IF(x, x') is the derivative at s = 0 of the estimate at x from (1 - s) F_n + s delta_x', thresholds and
    bandwidth held fixed. For the quadratic loss it is that of the KDE, equations (10) and (11).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, thresholds in tau.
    weights : array_like, shape (n,)
        Of a fixed point of KIRWLS: finite, at least 0, of sum 1. They are divided by their sum and not
        polished.
    x_new : array_like, shape (m, d)
        Contaminating points x'; rows of X are allowed.
    queries : array_like, shape (q, d), optional
        Where IF(x, x') is wanted.
    operator : KernelOperator, optional
        The operator of X and the kernel, where it is built already.

    Returns
    -------
    Influence

    Raises
    ------
    InvalidInput, InvalidType
        An argument breaks a rule, or a step moves a weight by more than 1e-6 of the largest.
    AllWeightsZero
        phi vanishes at every residual.
    NotDifferentiable
        For the absolute loss where a residual or r' is 0; where more than 8 locations lie on kinks.
    SingularSystem
        The system's condition number reaches 1e12; or residuals lie on kinks and not exactly one choice of
        sides agrees with the direction in which they move.
    MemoryLimit
        The matrix does not fit.

    Notes
    -----
    One factorization of the active rows {q(r_i) != 0} for each choice of sides serves all x', none is done
    where phi(r') = 0 for all of them: there the influence is exactly 0. m (n + q) evaluations of the kernel
    and n^2/2 of its self-convolution for the L2 norm, which costs m n^2 multiplications. The error is the
    condition number times some n roundings of the largest coefficient.

    References
    ----------
    Theorem 5 (`thm:influence_emp`) and equation `eqn:emICKDE`; alpha(x') and beta(x') of section 6.2.1.

    Examples
    --------
    >>> from rkde.fast import Gaussian, Quadratic
    >>> found = influence([[0.0], [1.0]], Gaussian(1.0), Quadratic(), [0.5, 0.5], [[3.0]])
    >>> found.if_coef, found.if_coef_new, found.if_at_new.round(10)
    (array([[-0.5, -0.5]]), array([1.]), array([0.92677786]))
    """
    checked_kernel(kernel)
    checked_loss(loss)
    applied = operator_for(X, kernel, operator)
    new_rows = as_queries(x_new, applied.dim, where="x_new")
    query_rows = as_queries(np.empty((0, applied.dim)) if queries is None else queries, applied.dim)
    tables = _Tables(
        kernel,
        scale_rows(applied.X, kernel.bandwidth),
        scale_rows(new_rows, kernel.bandwidth),
        scale_rows(query_rows, kernel.bandwidth),
    )
    site = _stationary_site(applied, loss, as_weights(weights, applied.size))
    new = _new_points(tables, loss, site)
    _check_differentiable(site, new)
    kinked = kinked_locations(loss, site)
    moving = new.phi > 0
    systems = systems_by_pattern(loss, site, kinked) if moving.any() else {}
    above, below = (
        _scattered(
            one_sided_coefficients(loss, site, new.part(moving), kinked, systems, direction),
            moving,
            len(site.norms),
        )
        if moving.any()
        else _unmoved(len(moving), len(site.norms))
        for direction in ((ABOVE, BELOW) if kinked else (ABOVE, ABOVE))
    )
    from_below = _report(tables, below, None, one_sided=True) if kinked else None
    return _report(tables, above, from_below, one_sided=bool(kinked))


@dataclass(frozen=True, slots=True)
class _Tables:
    kernel: Kernel
    rows: ScaledRows
    x_new: ScaledRows
    queries: ScaledRows

    @property
    def dim(self) -> int:
        return int(self.rows.rows.shape[1])

    def squares(self, left: ScaledRows, right: ScaledRows) -> Floats:
        """Return |x - y|^2 / h^2."""
        return separations(left, right, self.kernel.bandwidth, squared=True)

    def profile(self, left: ScaledRows, right: ScaledRows) -> Floats:
        apart = separations(left, right, self.kernel.bandwidth, squared=self.kernel.squared)
        with np.errstate(under="ignore"):
            return np.asarray(np.exp(self.kernel.unit_log_profile(apart, self.dim)))

    def differences(self, left: ScaledRows, right: ScaledRows) -> Floats:
        """Return |Phi(x) - Phi(y)|^2 in tau^2."""
        apart = separations(left, right, self.kernel.bandwidth, squared=self.kernel.squared)
        return 2 * self.kernel.unit_complement(apart, self.dim)


def _stationary_site(operator: KernelOperator, loss: Loss, weights: Floats) -> Site:
    norms = operator.residual_norms(weights)
    after = next_weights(loss, norms)
    moved = float(np.abs(after - weights).max() / weights.max())
    if moved > float(INFLUENCE_RESIDUAL):
        raise InvalidInput(
            "the weights are no fixed point of KIRWLS, where the influence is defined",
            where="weights",
            value=f"max|T(w) - w| / max w = {moved:.3g}",
            remedy="pass those of fixed_point, or of kirwls with a Stationarity rule",
        )
    return Site(operator, weights, norms, loss.phi(norms), operator.product(weights))


def _new_points(tables: _Tables, loss: Loss, site: Site) -> NewPoints:
    distances = tables.differences(tables.x_new, tables.rows)
    norms = np.sqrt(np.maximum(distances @ site.weights - site.spread, 0.0))
    # A point at a row has that row's residual norm, to its last bit.
    points, rows = np.nonzero(distances == 0)
    norms[points] = site.norms[rows]
    return NewPoints(distances, norms, loss.phi(norms))


def _check_differentiable(site: Site, new: NewPoints) -> None:
    at_corner = not np.isfinite(site.phi).all()
    if at_corner or not np.isfinite(new.phi).all():
        raise NotDifferentiable(
            "a residual is 0, where phi is infinite",
            where="weights" if at_corner else "x_new",
            remedy="use a loss with a finite phi(0), such as Huber's",
        )


def _unmoved(count: int, size: int) -> Coefficients:
    return Coefficients(np.zeros((count, size)), np.zeros(count), np.ones(count))


def _scattered(
    found: Coefficients, moving: np.ndarray[tuple[int], np.dtype[np.bool]], size: int
) -> Coefficients:
    """Return the coefficients of all x', those that move nothing being 0."""
    result = _unmoved(len(moving), size)
    result.rows[moving] = found.rows
    result.new[moving] = found.new
    result.condition[moving] = found.condition
    return result


def _report(
    tables: _Tables, found: Coefficients, from_below: Influence | None, *, one_sided: bool
) -> Influence:
    at_queries = found.rows @ tables.profile(tables.rows, tables.queries)
    at_queries += found.new[:, None] * tables.profile(tables.x_new, tables.queries)
    at_new = (found.rows * tables.profile(tables.x_new, tables.rows)).sum(axis=1) + found.new
    return Influence(
        if_coef=read_only(found.rows),
        if_coef_new=read_only(found.new),
        influence=read_only(at_queries),
        if_at_new=read_only(at_new),
        if_l2_norm=read_only(_l2_norms(tables, found)),
        one_sided=one_sided,
        from_below=from_below,
        condition=float(found.condition.max(initial=1.0)),
    )


def _l2_norms(tables: _Tables, found: Coefficients) -> Floats:
    """Return (z'B z)^(1/2), z = (alpha, alpha') of sum 0, B the profile of k * k, by -z'(1 - B) z."""
    unit = tables.kernel.with_bandwidth(1.0)
    total = np.zeros(len(found.new))
    size = len(tables.rows.rows)
    step = max(1, BLOCK_PAIRS // max(1, size))
    for start in range(0, size, step):
        part = tables.rows.part(start, start + step)
        apart = 1 - unit.self_convolution(tables.squares(tables.rows, part), tables.dim)
        total -= ((found.rows @ apart) * found.rows[:, start : start + step]).sum(axis=1)
    to_new = 1 - unit.self_convolution(tables.squares(tables.x_new, tables.rows), tables.dim)
    total -= 2 * found.new * (found.rows * to_new).sum(axis=1)
    return np.sqrt(np.maximum(total, 0.0))
