"""The objective J of equation (6), its differential (Lemma 1), convexity (Lemma 2), surrogate (section 8.4).

Everything is in units of tau: J in tau^2 (absolute loss: in tau). The RKDE, equation (3), is the g in H at
which J(g) = (1/n) sum_i rho(|Phi(X_i) - g|) is least; J_mu of a distribution mu, equation (24), stands in
`influence/contaminated.py`, and the assumptions (A1) to (A5) in `losses.py`.

The Gateaux differential of T at x along h (section 3) is

    delta T(x; h) = lim_{alpha -> 0} (T(x + alpha h) - T(x))/alpha.

If it is defined for all h, a necessary condition for a minimum of T at x_0 is delta T(x_0; h) = 0 for all h
(holds: `gateaux.necessary`).

Lemma 1 (holds: `theorems.lemma_1`).
    Under (A1) and (A2), delta J(g; h) = -<V(g), h>, where

        V(g) = (1/n) sum_i phi(|Phi(X_i) - g|) (Phi(X_i) - g).

    A necessary condition for g = f_RKDE is V(g) = 0.

Lemma 2 (holds: `theorems.lemma_2`).
    J is strictly convex if either (i) rho is strictly convex and non-decreasing, or (ii) rho is convex and
    strictly increasing, n >= 3, and K = (k(X_i, X_j)) is positive definite. For (ii) three distinct rows are
    enough, whatever K is (repaired: `convergence.three_distinct_rows`).
"""

from __future__ import annotations

from collections.abc import Sequence

from mpmath import MPContext, mpf

from rkde.errors import NotDifferentiable
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss, checked_loss
from rkde.reference.numbers import Masses, Number, Row, Rows, guarded, row_masses, to_mpf
from rkde.reference.rkhs.elements import RkhsElement, residual_norms


@guarded
def objective(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    *,
    sample_weight: Sequence[Number] | None = None,
) -> mpf:
    """Return J(f_w) = (1/n) sum_i rho(|Phi(X_i) - f_w|), equation (6).

    With sample weights s_i it is the sum of s_i rho(|Phi(X_i) - f_w|) over the sum of s_i: equation (24) for
    the distribution of these masses.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Only their ratios matter here.

    Returns
    -------
    mpf
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or weights of either kind break a rule.

    Examples
    --------
    >>> from rkde.reference import Quadratic, Student, make_context
    >>> ctx = make_context(20)
    >>> print(objective(ctx, [[0], [1]], Student(1, 1), Quadratic(), [0.5, 0.5]))
    0.125
    """
    checked_loss(loss)
    norms = residual_norms(ctx, X, kernel, weights)
    masses = row_masses(ctx, sample_weight, len(norms))
    return mean_loss(ctx, loss, masses.rows_of(norms), masses)


def mean_loss(ctx: MPContext, loss: Loss, norms: Row, masses: Masses) -> mpf:
    """Return (1/M) sum_i m_i rho(r_i) for residual norms in tau: equation (6), (24) for unequal masses."""
    return ctx.fdot(masses.values, [loss.rho(ctx, norm) for norm in norms]) / masses.total


def mass_phi(ctx: MPContext, loss: Loss, norms: Row, masses: Masses) -> list[mpf]:
    """Return m_i phi(r_i) for each row."""
    return [mass * loss.phi(ctx, norm) for mass, norm in zip(masses.values, norms, strict=True)]


@guarded
def neg_gradient(ctx: MPContext, X: Rows, kernel: Kernel, loss: Loss, weights: Sequence[Number]) -> Row:
    """Return the coefficients of V(f_w) = (1/n) sum_i phi(r_i) (Phi(X_i) - f_w) of Lemma 1.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.

    Returns
    -------
    tuple of mpf, shape (n,)
        v with V = sum_i v_i Phi(X_i), the definition of V in Lemma 1; of sum 0,
        v_i = (phi(r_i) - w_i sum_j phi(r_j)) / n.

    Raises
    ------
    NotDifferentiable
        For the absolute loss where a residual is 0.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the weights break a rule.

    Examples
    --------
    >>> from rkde.reference import Huber, Student, make_context
    >>> ctx = make_context(20)
    >>> print(*neg_gradient(ctx, [[0], [1]], Student(1, 1), Huber(1), [0.5, 0.5]))
    0.0 0.0
    """
    checked_loss(loss)
    norms = residual_norms(ctx, X, kernel, weights)
    phis = [loss.phi(ctx, norm) for norm in norms]
    if any(ctx.isinf(phi) for phi in phis):
        raise NotDifferentiable(
            "J is not differentiable where a residual is 0 and phi(0) is infinite",
            where=f"row {norms.index(ctx.mpf(0))}",
            remedy="spread the weights over several locations, or use another loss",
        )
    total = ctx.fsum(to_mpf(ctx, weight) for weight in weights)
    phi_sum = ctx.fsum(phis)
    return tuple(
        (phi - phi_sum * to_mpf(ctx, weight) / total) / len(phis)
        for phi, weight in zip(phis, weights, strict=True)
    )


@guarded
def objective_differential(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    direction: Sequence[Number],
) -> mpf:
    """Return the Gateaux differential delta J(f_w; h) = -<V(f_w), h> of Lemma 1.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.
    direction : sequence of numbers, shape (n,)
        Coefficients of h = sum_i direction_i Phi(X_i).

    Returns
    -------
    mpf
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    NotDifferentiable
        For the absolute loss where a residual is 0.
    InvalidInput, InvalidType
        If an argument breaks a rule.

    References
    ----------
    Section 3 defines it as lim (J(f_w + alpha h) - J(f_w))/alpha for alpha to 0; Lemma 1 says what that is.

    Examples
    --------
    >>> from rkde.reference import Quadratic, Student, make_context
    >>> ctx = make_context(20)
    >>> print(objective_differential(ctx, [[0], [1]], Student(1, 1), Quadratic(), [1, 0], [-1, 1]))
    -0.5
    """
    gradient = RkhsElement(X, neg_gradient(ctx, X, kernel, loss, weights), kernel)
    return -gradient.inner(ctx, RkhsElement(X, direction, kernel))


@guarded
def surrogate_loss(ctx: MPContext, loss: Loss, t: Number, anchor: Number) -> mpf:
    """Return u(t; r) = rho(r) - r psi(r)/2 + phi(r) t^2/2, which touches rho at r and lies above it.

    Parameters
    ----------
    ctx : mpmath.MPContext
    loss : Loss
    t : int, float, str or mpf
        The argument, >= 0, in tau.
    anchor : int, float, str or mpf
        The point r of contact, >= 0, in tau.

    Returns
    -------
    mpf
        In tau^2 (absolute loss: in tau); infinite for the absolute loss with anchor 0 and t > 0.

    Raises
    ------
    InvalidInput, InvalidType
        If an argument is not a number >= 0.

    References
    ----------
    Section 8.4, equations (19) and (20).

    Examples
    --------
    >>> from rkde.reference import Huber, make_context
    >>> ctx = make_context(20)
    >>> print(surrogate_loss(ctx, Huber(1), 2, 2), surrogate_loss(ctx, Huber(1), 4, 2))
    1.5 4.5
    """
    checked_loss(loss)
    touching = loss.rho(ctx, anchor) - to_mpf(ctx, anchor) * loss.psi(ctx, anchor) / 2
    # At t = 0 the quadratic term vanishes whatever phi is, also where phi(0) is infinite.
    return touching if to_mpf(ctx, t) == 0 else touching + loss.phi(ctx, anchor) * to_mpf(ctx, t) ** 2 / 2


@guarded
def surrogate_objective(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number],
    anchor_weights: Sequence[Number],
) -> mpf:
    """Return Q(g; f) = (1/n) sum_i u(|Phi(X_i) - g|; |Phi(X_i) - f|) of section 8.4.

    Its properties are equations (21), (22) and (23).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Weights of g.
    anchor_weights : sequence of numbers, shape (n,)
        Weights of f, where Q touches J.

    Returns
    -------
    mpf
        In tau^2 (absolute loss: in tau).

    Raises
    ------
    InvalidInput, InvalidType
        If an argument breaks a rule.

    Examples
    --------
    >>> from rkde.reference import Quadratic, Student, make_context
    >>> ctx = make_context(20)
    >>> print(surrogate_objective(ctx, [[0], [1]], Student(1, 1), Quadratic(), [0.5, 0.5], [1, 0]))
    0.125
    """
    checked_loss(loss)
    norms = residual_norms(ctx, X, kernel, weights)
    anchors = residual_norms(ctx, X, kernel, anchor_weights)
    terms = [surrogate_loss(ctx, loss, norm, anchor) for norm, anchor in zip(norms, anchors, strict=True)]
    return ctx.fsum(terms) / len(terms)
