"""The way to a limit of KIRWLS: which step comes next, and when rounding is all that is left."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.errors import NotConverged
from rkde.fast._certificates import (
    STATIONARY_RESIDUAL,
    Appraisal,
    Pull,
    TightCluster,
    appraise,
    exactly_minimal,
    loses_digits,
    pull,
    tight_cluster,
    weights_along_pull,
)
from rkde.fast._float64 import Floats, read_only
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator, engine_report
from rkde.fast.rkhs import mean_loss
from rkde.fast.solvers.iteration import State, fixed_point_residual, next_weights
from rkde.fast.solvers.newton import (
    Ball,
    NewtonTrials,
    active_rows,
    curvature,
    distance_between,
    newton_weights,
    trusted_ball,
)
from rkde.fast.solvers.results import FixedPoint
from rkde.vocabulary import Certificate, Stationarity, Status

_UNIT_ROUNDOFF: Final = 2.0**-53
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


class Path:
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
        multiplicities = np.bincount(operator.locations)
        has_corners = bool(np.isinf(loss.phi([0.0])[0]))
        # Between two locations of equal multiplicity J is constant: every point of the segment is a limit.
        self._is_flat = has_corners and count == 2 and len(np.unique(multiplicities[multiplicities > 0])) == 1
        self._has_corners = has_corners and not self._is_flat
        # Lemma 2 (ii): with three distinct locations J is strictly convex, and any descent ends in one point.
        self._is_unique = loss.facts.convex and loss.facts.strictly_increasing and count > 2
        self._tested = -1
        self._ball: Ball | None = None
        self._cluster: TightCluster | None = None
        self._trials = NewtonTrials(operator, loss, is_unique=self._is_unique)
        self._last_move = math.inf
        self._best = math.inf
        self._since_best = 0
        self._objectives: list[float] = []
        self._residuals: list[float] = []
        self._set_state(start)

    @property
    def steps(self) -> int:
        """Number of steps so far."""
        return len(self._objectives) - 1

    @property
    def objective(self) -> float:
        """J at the last iterate."""
        return self._objectives[-1]

    @property
    def residual(self) -> float:
        """Largest |T(w) - w| over the largest w, at the last iterate."""
        return self._residuals[-1]

    def is_settled(self) -> bool:
        """Tell whether the last iterate is a limit as far as rounding lets one see."""
        if self._on_corner():
            return False
        is_fixed, level = self.residual <= _LAST_DIGITS * _UNIT_ROUNDOFF, self._level()
        is_noise = self._since_best >= _PATIENCE and self.residual <= level * self._roundings()
        if not (is_fixed or is_noise) or self._sharpen():
            return False
        # Off a minimum a standstill may be the start of an escape, unless it is rounding in the last digits.
        is_still = is_fixed or self._loss.facts.convex or self.residual <= _GROWTH * level
        return is_still or self._is_at_minimum()

    def minimising_location(self) -> Pull | None:
        """Return the location nearest to f if it is the minimiser; tested whenever another gets nearest."""
        if not self._has_corners:
            return None
        nearest = int(self._operator.locations[int(np.argmin(self._state.norms))])
        if nearest == self._tested and not self._on_corner():
            return None
        self._tested = nearest
        found = pull(self._operator, nearest)
        # Where rounding hides the answer, a location on which the iteration lands is as good as any nearby.
        is_stuck = found.is_undecided and self._on_corner()
        return found if found.is_minimiser or found.is_borderline or is_stuck else None

    def advance(self) -> None:
        """Take one step: off a corner, by Newton's method where it is trusted, else by KIRWLS."""
        if self._on_corner() and not self._sharpen():
            self._leave_corner()
        elif not (self._trials.is_due(self._residuals, self._state.norms) and self._step_by_newton()):
            self.step_plainly()

    def step_plainly(self) -> None:
        """Take one step of KIRWLS."""
        self._append(next_weights(self._loss, self._state.norms))

    def jump(self, weights: Floats) -> None:
        """Go to weights that are known to be the limit."""
        if not np.array_equal(weights, self._state.weights):
            self._append(weights)

    @property
    def is_flat_limit(self) -> bool:
        """Whether f is its own limit on a segment of minimisers: equal weights on two equal locations."""
        return self._is_flat and bool(np.ptp(self._state.weights) == 0)

    def result(self, status: Status) -> FixedPoint:
        """Return what the path ended in, with all that is proved about it.

        Raises
        ------
        NotConverged
            The end is not stationary to 1e-12 of its largest weight, which rounding can make impossible.
        """
        weights = self._state.weights
        is_exact = self.is_flat_limit and self._operator.is_resolved
        found = exactly_minimal(weights) if is_exact else self._appraise(weights)
        certificate = found.certificate
        if certificate is None and self.residual <= STATIONARY_RESIDUAL:
            # Nothing is proved, not even that rounding leaves the point where it is computed to be.
            certificate = Certificate.STATIONARY
        if certificate is None:
            raise NotConverged(
                "rounding moves the weights by more than a stationary point allows",
                where="weights",
                value=f"max|T(w) - w| / max w = {self.residual:.3g}",
                remedy="use rkde.reference with more digits, or a loss with a wider ramp from b to c",
            )
        return FixedPoint(
            weights=read_only(self._state.weights),
            residual_norms=read_only(self._state.norms),
            objective=self._state.objective,
            objective_path=read_only(np.array(self._objectives)),
            status=status,
            n_iter=self.steps,
            stop=Stationarity(max(_LAST_DIGITS * _UNIT_ROUNDOFF, self._level() * self._roundings())),
            weights_init=read_only(self._start),
            fixed_point_residual=self.residual,
            certificate=certificate,
            error_bound=found.error_bound,
            weights_error_bound=found.weights_error_bound,
            gap=found.gap,
            curvature_margin=found.curvature_margin,
            engine=self._operator.engine,
            engine_report=engine_report(self._operator, self._loss, self._state.norms),
        )

    def _level(self) -> float:
        """Return what one rounding of the terms of r_i^2 does to the weights over the largest.

        phi(r_i) moves by |q(r_i)| / (2 r_i^3) times the move of r_i^2.
        """
        phi, q, norms = self._loss.phi(self._state.norms), self._loss.q(self._state.norms), self._state.norms
        steep = (q != 0) & (norms > 0)
        if not steep.any() or not 0 < phi.max() < math.inf:
            return _UNIT_ROUNDOFF
        with np.errstate(over="ignore"):
            moves = -q[steep] / norms[steep] / 2 * (self._magnitudes[steep] / norms[steep] / norms[steep])
            return _UNIT_ROUNDOFF * (1 + float(moves.max()) / float(phi.max()))

    def _roundings(self) -> int:
        return self._operator.size + self._operator.dim + _FIXED_ROUNDINGS

    def _set_state(self, weights: Floats) -> None:
        norms, self._magnitudes = self._residuals_at(weights)
        self._accept(State(weights, norms, mean_loss(self._loss, norms)))

    def _residuals_at(self, weights: Floats) -> tuple[Floats, Floats]:
        norms, terms = self._operator.residuals(weights)
        if self._cluster is None:
            return norms, terms
        return self._cluster.sharpen(self._operator, weights, norms, terms)

    def _sharpen(self) -> bool:
        """Measure from the row nearest to f if rounding hides where in a cluster f lies; tell if it does."""
        norms = self._state.norms
        base = int(self._operator.locations[int(np.argmin(norms))])
        is_done = self._cluster is not None and self._cluster.base == base
        if is_done or not loses_digits(norms, self._magnitudes):
            return False
        cluster = tight_cluster(self._operator, base)
        if cluster is None:
            return False
        self._cluster = cluster
        self._best, self._since_best = math.inf, 0
        # The same point, seen more sharply: no step.
        self._objectives.pop()
        self._residuals.pop()
        self._set_state(self._state.weights)
        return True

    def _appraise(self, weights: Floats) -> Appraisal:
        return appraise(self._operator, self._loss, weights, self._cluster)

    def _append(self, weights: Floats) -> None:
        before = self._pieces(self._state)
        self._set_state(weights)
        self._trials.saw_step(keeps_pieces=np.array_equal(before, self._pieces(self._state)))

    def _accept(self, state: State) -> None:
        self._state = state
        residual = fixed_point_residual(self._loss, state)
        self._objectives.append(state.objective)
        self._residuals.append(residual)
        noise = self._level() * self._roundings()
        if residual < self._best or residual > max(_GROWTH * self._best, noise):
            self._best = residual
            self._since_best = 0
        else:
            self._since_best += 1

    def _pieces(self, state: State) -> NDArray[np.intp]:
        return np.searchsorted(np.array(self._loss.kinks), state.norms, side="right")

    def _on_corner(self) -> bool:
        return self._has_corners and not self._state.norms.all()

    def _leave_corner(self) -> None:
        """Go from a location that is not the minimiser along R_j, so little that J is lower than there.

        With the share 1 - m / |R_j| of the weight J is lower in exact arithmetic (Vardi and Zhang 2000).
        """
        corner = self._state.objective
        at = pull(self._operator, int(np.argmin(self._state.norms)))
        share = 1 - at.count / math.sqrt(at.square)
        while True:
            weights = weights_along_pull(at, share)
            norms, _ = self._residuals_at(weights)
            if mean_loss(self._loss, norms) < corner or share < _UNIT_ROUNDOFF:
                self._append(weights)
                return
            share /= 2

    def _is_at_minimum(self) -> bool:
        if len(active_rows(self._loss, self._state.norms)) > self._trials.largest_order:
            return False
        at = curvature(self._operator, self._loss, self._state)
        return at is not None and at.factor() is not None

    def _step_by_newton(self) -> bool:
        before = self._state
        weights = self._newton_proposal()
        if weights is not None:
            # Newton's direction lowers a strictly convex J, if the step is short enough.
            for _ in range(_MOST_HALVINGS if self._is_unique else 1):
                if weights.min() >= 0:
                    norms, magnitudes = self._residuals_at(weights)
                    after = State(weights, norms, mean_loss(self._loss, norms))
                    if self._is_progress(before, after):
                        self._magnitudes = magnitudes
                        self._accept(after)
                        return True
                weights = (before.weights + weights) / 2
        self._ball = None
        self._trials.failed(self.steps)
        return False

    def _is_progress(self, before: State, after: State) -> bool:
        """Tell whether a Newton step is to be taken; J may not rise, but for rounding."""
        rounding = self._roundings() * _UNIT_ROUNDOFF
        if after.objective > before.objective * (1 + rounding):
            return False
        # Where J is strictly convex any descent leads to the one minimiser; on the way through a flat valley
        # the residual may rise, and at its bottom J no longer tells, but Newton's own steps still shrink.
        move = float(np.abs(after.weights - before.weights).max())
        descends = after.objective < before.objective * (1 - rounding) or move <= self._last_move / 2
        if self._is_unique and descends:
            self._last_move = move
            return True
        return fixed_point_residual(self._loss, after) <= self.residual / 2

    def _newton_proposal(self) -> Floats | None:
        """Return Newton's next weights where they keep to the branch that KIRWLS follows."""
        at = curvature(self._operator, self._loss, self._state)
        if at is None:
            return None
        if not self._is_unique and self._ball is None:
            # The observed rate tells how much curvature to expect; half of that is asked for, and proved.
            margin = at.phi_sum * (1 - self._residuals[-1] / self._residuals[-2]) / 2
            if at.factor(margin) is None:
                return None
            self._ball = trusted_ball(self._operator, self._loss, self._state, at, margin)
            if self._ball is None:
                return None
        factor = at.factor()
        if factor is None:
            return None
        weights = newton_weights(self._operator, self._loss, self._state, at, factor)
        if not math.isfinite(float(weights.sum())) or (weights.min() < 0 and not self._is_unique):
            return None
        weights /= weights.sum()
        ball = self._ball
        if ball is not None and distance_between(self._operator, weights, ball.weights) > ball.radius:
            return None
        return weights
