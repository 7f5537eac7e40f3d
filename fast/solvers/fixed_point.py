"""The limit of KIRWLS, as exactly as float64 allows, without a stopping rule."""

from __future__ import annotations

import math
from typing import Final, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import NotConverged
from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, TableLike, as_count, read_only
from rkde.fast._resources import Compute, Limits, Progress, Report, Stage, checked_resources, silent
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss, checked_loss
from rkde.fast.operators import KernelOperator, engine_report, weighted_operator
from rkde.fast.rkhs import mean_loss
from rkde.fast.solvers.certificate import STATIONARY_RESIDUAL, certify, exactly_minimal
from rkde.fast.solvers.curvature import CANCELLED, LocalFrame, local_frame
from rkde.fast.solvers.geometric_median import VertexTest, resultant, weights_along_resultant, weights_on
from rkde.fast.solvers.iteration import (
    fixed_point_residual,
    next_weights,
    read_start,
    shares_of,
)
from rkde.fast.solvers.newton import (
    NewtonSchedule,
    TrustRegion,
    active_rows,
    curvature,
    distance_between,
    newton_weights,
    trust_region,
)
from rkde.fast.solvers.results import FixedPoint, Iterate, for_given_rows
from rkde.vocabulary import Certificate, Stationarity, Status

# Cap on the steps of one limit: far more than any branch that is not nearly singular needs.
LIMIT_MAX_ITER: Final = 10_000
# No argument sets the number of steps to the median of a fit.
_MEDIAN_REMEDY: Final = "round the rows, so that rows that nearly coincide are equal"
# Weights that a step moves by no more than this many roundings of the largest are a fixed point as they are.
_LAST_DIGITS: Final = 2
# Roundings in an entry of D and in phi, beside one a row and one a coordinate in the sums.
_FIXED_ROUNDINGS: Final = 32
# Steps without a new smallest residual after which rounding is all that is left.
_PATIENCE: Final = 4
# A residual that grows past this multiple of its smallest is not rounding: the iteration leaves a saddle.
_GROWTH: Final = 8.0
# Trials of a Newton step, each half as long: J bends little over a thousandth of a step.
_MOST_HALVINGS: Final = 10


def fixed_point(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_iter: int = LIMIT_MAX_ITER,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> FixedPoint:
    """Return the limit of KIRWLS from given weights, to the last digits that float64 can tell.

    The steps are KIRWLS's, replaced by Newton steps where these end in the same limit (both in
    `rkde.fast.solvers.newton`); the last one is KIRWLS's. For the absolute loss a data location is the answer
    exactly if |R_j| <= m (`rkde.fast.solvers.geometric_median`), and an iterate on another location
    leaves it along R_j, towards lower J.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, its thresholds in tau.
    weights_init : array_like, shape (n,), optional
        Finite, at least 0, of sum 1; the row masses by default, uniform where these are equal.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    max_iter : int
        Cap on the number of steps, Newton's included.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    FixedPoint
        `stop` records the level, relative to the largest weight, below which a step is rounding alone.

    Raises
    ------
    NotConverged
        The cap is reached.
    AllWeightsZero
        phi is 0 at every residual before a step.
    MemoryLimit
        No engine, or not the one requested, keeps within the limit; raised before anything is allocated.
    InvalidType, InvalidInput
        An argument breaks a rule.

    Notes
    -----
    Rounding moves r_i^2 by at most (n + d + 32) u e_i, with u = 2^-53 and e_i the size of the terms whose
    difference it is, hence phi(r_i) by |q(r_i)| / (2 r_i^3) times that; the largest such move over the
    largest phi is the level. It grows with a / (c - b), the slope of Hampel's ramp. The iteration ends when a
    step moves no weight by more than 2 u of the largest, or when the residual is below the level and has
    stopped falling: at a positive definite Hessian, or with 8 for n + d + 32 where it is not (a saddle).

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> from rkde.fast.losses import Hampel
    >>> limit = fixed_point([[0.0], [0.0], [1.0], [5.0]], Gaussian(1.0), Hampel(0.3, 0.5, 0.9))
    >>> limit.fixed_point_residual < 1e-15, limit.weights.round(6)
    (True, array([0.495636, 0.495636, 0.008728, 0.      ]))
    """
    checked_loss(loss)
    cap = as_count(max_iter, where="max_iter", minimum=0)
    with checked_resources(compute, limits).running() as resources:
        weights, operator = weighted_operator(X, kernel, sample_weight, operator, resources)
        size = operator.size if weights is None else len(weights.given)
        start = shares_of(operator) if weights_init is None else read_start(weights_init, size, weights)
        limit = limit_from(operator, loss, start, cap, report=resources.report)
        return for_given_rows(limit, operator, weights, X)


def limit_from(
    operator: KernelOperator,
    loss: Loss,
    start: Floats,
    cap: int,
    *,
    stage: Stage = "kirwls",
    report: Report = silent,
) -> FixedPoint:
    """Return the limit of KIRWLS from weights of sum 1.

    Shapes: start (n,), weights of sum 1.
    """
    if operator.is_single_location:
        return LimitIteration(operator, loss, shares_of(operator)).result(Status.SINGLE_LOCATION)
    iteration = LimitIteration(operator, loss, start)
    iteration.run(cap, stage, report)
    return iteration.result(Status.CONVERGED)


class LimitIteration:
    """KIRWLS from given weights, with Newton steps where they keep to its branch.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    start : ndarray, shape (n,)
        Weights of sum 1.
    """

    def __init__(self, operator: KernelOperator, loss: Loss, start: Floats) -> None:
        self._operator = operator
        self._loss = loss
        self._start = start
        count = len(np.unique(operator.locations))
        masses = np.bincount(operator.locations, operator.masses)
        # Under a negative mass, by which `contaminate` takes mass away, nothing is convex or minimal.
        is_signed = operator.masses is not None and float(operator.masses.min()) <= 0
        has_corners = bool(np.isinf(loss.phi([0.0])[0])) and not is_signed
        # Between two locations of equal mass J is constant: every point of the segment is a limit.
        self._is_flat = has_corners and count == 2 and len(np.unique(masses[masses > 0])) == 1
        self._has_corners = has_corners and not self._is_flat
        # Lemma 2 (ii): with three distinct locations J is strictly convex, and any descent ends in one point.
        self._is_unique = loss.facts.convex and loss.facts.strictly_increasing and count > 2 and not is_signed
        self._roundings = operator.size + operator.distance_roundings + _FIXED_ROUNDINGS
        self._tested = -1
        self._region: TrustRegion | None = None
        self._frame: LocalFrame | None = None
        self._schedule = NewtonSchedule(operator, loss, is_unique=self._is_unique)
        self._last_move = math.inf
        self._best = math.inf
        self._since_best = 0
        self._objectives: list[float] = []
        self._residuals: list[float] = []
        self._accept(*self._iterate_at(start))

    def run(self, cap: int, stage: Stage, report: Report) -> None:
        """Step until the last iterate is a limit as far as rounding lets one see; the last step is plain.

        A step leaves a corner, is Newton's where that is trusted, else one of KIRWLS.
        """
        if self._is_flat_limit:
            return
        while not self._is_settled():
            vertex = self._minimising_location()
            if vertex is not None:
                weights = weights_on(vertex.rows, self._operator.masses)
                if not np.array_equal(weights, self._state.weights):
                    self._move_to(weights)
                return
            if len(self._residuals) > cap:
                raise NotConverged(
                    f"KIRWLS did not converge within {cap} steps",
                    where="X" if stage == "median" else "max_iter",
                    value=f"max|T(w) - w| / max w = {self._residuals[-1]:.3g}",
                    remedy=_MEDIAN_REMEDY
                    if stage == "median"
                    else "raise max_iter, or change the thresholds or the bandwidth if J is nearly flat",
                )
            if self._on_corner and not self._take_local_frame():
                self._leave_corner()
            elif not self._step_by_newton():
                self._move_to()
            report(Progress(stage, len(self._residuals) - 1, objective=self._state.objective))
        self._move_to()

    def _is_settled(self) -> bool:
        """Tell whether the last iterate is a limit as far as rounding lets one see."""
        if self._on_corner:
            return False
        is_fixed, level = self._residuals[-1] <= _LAST_DIGITS * UNIT_ROUNDOFF, self._level
        is_noise = self._since_best >= _PATIENCE and self._residuals[-1] <= level * self._roundings
        if not (is_fixed or is_noise) or self._take_local_frame():
            return False
        # Off a minimum a standstill may be the start of an escape, unless it is rounding in the last digits.
        is_still = is_fixed or self._loss.facts.convex or self._residuals[-1] <= _GROWTH * level
        return is_still or self._is_at_minimum()

    def _minimising_location(self) -> VertexTest | None:
        """Return the location nearest to f if it is the minimiser; tested whenever another gets nearest."""
        if not self._has_corners:
            return None
        nearest = int(self._operator.locations[int(np.argmin(self._state.norms))])
        if nearest == self._tested and not self._on_corner:
            return None
        self._tested = nearest
        vertex = resultant(self._operator, nearest)
        # Where rounding hides the answer, a location on which the iteration lands is as good as any nearby.
        is_stuck = vertex.verdict == "undecided" and self._on_corner
        return vertex if vertex.verdict in ("minimiser", "borderline") or is_stuck else None

    def result(self, status: Status) -> FixedPoint:
        """Return the last iterate, with all that is proved about it."""
        weights = self._state.weights
        is_exact = self._is_flat_limit and self._operator.is_resolved
        if is_exact:
            bounds = exactly_minimal(weights, self._operator.masses)
        else:
            bounds = certify(self._operator, self._loss, weights, self._frame)
        certificate = bounds.certificate
        if certificate is None and self._residuals[-1] <= STATIONARY_RESIDUAL:
            # Nothing is proved, not even that rounding leaves the point where it is computed to be.
            certificate = Certificate.STATIONARY
        if certificate is None:
            raise NotConverged(
                "rounding moves the weights by more than a stationary point allows",
                where="weights",
                value=f"max|T(w) - w| / max w = {self._residuals[-1]:.3g}",
                remedy="use rkde.reference with more digits, or a loss with a wider ramp from b to c",
            )
        return FixedPoint(
            weights=read_only(self._state.weights),
            residual_norms=read_only(self._state.norms),
            objective=self._state.objective,
            objective_path=read_only(np.array(self._objectives)),
            status=status,
            n_iter=len(self._residuals) - 1,
            stop=Stationarity(max(_LAST_DIGITS * UNIT_ROUNDOFF, self._level * self._roundings)),
            weights_init=read_only(self._start),
            fixed_point_residual=self._residuals[-1],
            certificate=certificate,
            error_bound=bounds.error_bound,
            weights_error_bound=bounds.weights_error_bound,
            gap=bounds.gap,
            curvature_margin=bounds.curvature_margin,
            engine=self._operator.engine,
            engine_report=engine_report(self._operator, self._loss, self._state.norms),
        )

    def _rounding_of_weights(self) -> float:
        """Return what one rounding of the terms of r_i^2 does to the weights over the largest.

        phi(r_i) moves by |q(r_i)| / (2 r_i^3) times the move of r_i^2.
        """
        norms = self._state.norms
        # Over copies of one mass, as the residual of the fixed point.
        phi, q = self._loss.phi(norms), self._loss.q(norms)
        steep = (q != 0) & (norms > 0)
        if not steep.any() or not 0 < phi.max() < math.inf:
            return UNIT_ROUNDOFF
        with np.errstate(over="ignore"):
            moves = -q[steep] / norms[steep] / 2 * (self._terms[steep] / norms[steep] / norms[steep])
            return UNIT_ROUNDOFF * (1 + float(moves.max()) / float(phi.max()))

    def _iterate_at(self, weights: Floats) -> tuple[Iterate, Floats]:
        """Return the state at some weights, and the size of the terms of its squared residual norms."""
        norms, terms = self._operator.residuals(weights)
        if self._frame is not None:
            norms, terms = self._frame.recompute_residuals(self._operator, weights, norms, terms)
        return Iterate(weights, norms, mean_loss(self._loss, norms, self._operator.masses)), terms

    def _take_local_frame(self) -> bool:
        """Measure from the row nearest to f if rounding hides where in a cluster f lies; tell if it does."""
        nearest = int(np.argmin(self._state.norms))
        base = int(self._operator.locations[nearest])
        is_done = self._frame is not None and self._frame.base == base
        if is_done or not self._state.norms[nearest] ** 2 < CANCELLED * self._terms[nearest]:
            return False
        frame = local_frame(self._operator, base)
        if frame is None:
            return False
        self._frame = frame
        self._best, self._since_best = math.inf, 0
        # The same point, seen more sharply: no step.
        self._objectives.pop()
        self._residuals.pop()
        self._accept(*self._iterate_at(self._state.weights))
        return True

    def _is_shared(self, weights: Floats) -> bool:
        """Tell whether the weights are the rows' shares of the mass."""
        if self._operator.masses is None:
            return bool(np.ptp(weights) == 0)
        return np.array_equal(weights, shares_of(self._operator))

    def _move_to(self, weights: Floats | None = None) -> None:
        """Take a step that is not Newton's: to some weights, or KIRWLS's own."""
        before = self._pieces
        if weights is None:
            weights = next_weights(self._loss, self._state.norms, self._operator.masses)
        self._accept(*self._iterate_at(weights))
        self._schedule.record(keeps_pieces=np.array_equal(before, self._pieces))

    def _accept(self, state: Iterate, terms: Floats) -> None:
        """Make a state the last iterate."""
        self._state, self._terms = state, terms
        # For each row the piece of the loss that its residual norm lies on.
        self._pieces = np.searchsorted(np.array(self._loss.kinks), state.norms, side="right")
        self._on_corner = self._has_corners and not state.norms.all()
        # Equal weights on two equal locations are their own limit, on a segment of minimisers.
        self._is_flat_limit = self._is_flat and self._is_shared(state.weights)
        self._level = self._rounding_of_weights()
        residual = fixed_point_residual(self._loss, state, self._operator.masses)
        self._objectives.append(state.objective)
        self._residuals.append(residual)
        noise = self._level * self._roundings
        if residual < self._best or residual > max(_GROWTH * self._best, noise):
            self._best = residual
            self._since_best = 0
        else:
            self._since_best += 1

    def _leave_corner(self) -> None:
        """Go from a location that is not the minimiser along R_j, so little that J is lower than there.

        With the share 1 - m / |R_j| of the weight J is lower in exact arithmetic (Vardi and Zhang 2000).
        """
        corner = self._state.objective
        vertex = resultant(self._operator, int(np.argmin(self._state.norms)))
        share = 1 - vertex.mass / math.sqrt(vertex.square)
        while True:
            weights = weights_along_resultant(vertex, share, self._operator.masses)
            if self._iterate_at(weights)[0].objective < corner or share < UNIT_ROUNDOFF:
                self._move_to(weights)
                return
            share /= 2

    def _is_at_minimum(self) -> bool:
        if len(active_rows(self._loss, self._state.norms)) > self._schedule.largest_order:
            return False
        at = curvature(self._operator, self._loss, self._state)
        return at is not None and at.factor() is not None

    def _step_by_newton(self) -> bool:
        """Take Newton's step where it is due, keeps to the branch and makes progress; tell whether it did."""
        if not self._schedule.should_try(self._residuals, self._state.norms):
            return False
        before = self._state
        weights = self._newton_proposal()
        if weights is not None:
            # Newton's direction lowers a strictly convex J, if the step is short enough.
            for _ in range(_MOST_HALVINGS if self._is_unique else 1):
                if weights.min() >= 0:
                    after, terms = self._iterate_at(weights)
                    if self._is_progress(before, after):
                        self._accept(after, terms)
                        return True
                weights = (before.weights + weights) / 2
        self._region = None
        self._schedule.failed(len(self._residuals) - 1)
        return False

    def _is_progress(self, before: Iterate, after: Iterate) -> bool:
        """Tell whether a Newton step is to be taken; J may not rise, but for rounding."""
        rounding = self._roundings * UNIT_ROUNDOFF
        if after.objective > before.objective * (1 + rounding):
            return False
        # Where J is strictly convex any descent leads to the one minimiser; on the way through a flat valley
        # the residual may rise, and at its bottom J no longer tells, but Newton's own steps still shrink.
        move = float(np.abs(after.weights - before.weights).max())
        descends = after.objective < before.objective * (1 - rounding) or move <= self._last_move / 2
        if self._is_unique and descends:
            self._last_move = move
            return True
        return fixed_point_residual(self._loss, after, self._operator.masses) <= self._residuals[-1] / 2

    def _newton_proposal(self) -> Floats | None:
        """Return Newton's next weights where they keep to the branch that KIRWLS follows."""
        at = curvature(self._operator, self._loss, self._state)
        if at is None:
            return None
        if not self._is_unique and self._region is None:
            # The observed rate tells how much curvature to expect; half of that is asked for, and proved.
            margin = at.phi_sum * (1 - self._residuals[-1] / self._residuals[-2]) / 2
            if at.factor(margin) is None:
                return None
            after = next_weights(self._loss, self._state.norms, self._operator.masses)
            self._region = trust_region(self._operator, self._loss, self._state, after, at, margin)
            if self._region is None:
                return None
        factor = at.factor()
        if factor is None:
            return None
        weights = newton_weights(self._operator, self._loss, self._state, at, factor)
        if not math.isfinite(float(weights.sum())) or (weights.min() < 0 and not self._is_unique):
            return None  # pragma: no cover (no problem is known where a branch of KIRWLS has such a step)
        weights /= weights.sum()
        region = self._region
        if region is not None and distance_between(self._operator, weights, region.weights) > region.radius:
            return None
        return weights
