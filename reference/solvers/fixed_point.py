"""The limit of KIRWLS (Theorem 3): its definition by plain steps, and the same limit sooner.

No stopping rule enters: the answer is right to the working precision. `iterate_until_rest` is the definition.
Theorem 3, which `kirwls.py` states, says that f^(k) approaches the set S = {g in H | V(g) = 0} of stationary
points, not that it converges (repaired: `theorems.theorem_3`). Where J is strictly convex, S is the RKDE
alone and f^(k) converges to it: the corollary of section 4 (holds: `theorems.corollary`).

The rest of the file is not in the paper: `fixed_point` replaces KIRWLS steps by Newton steps where these
provably end in the same limit, and says what is proved of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import NotConverged
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
    rounding_level,
    row_masses,
    to_mpf,
    unit_masses,
)
from rkde.reference.rkhs import distance_matrix, norms_from_distances
from rkde.reference.solvers.certificate import CertificateBounds, certify
from rkde.reference.solvers.geometric_median import (
    is_minimiser,
    locations,
    weights_along_resultant,
    weights_on,
)
from rkde.reference.solvers.kirwls import (
    fixed_point_residual,
    initial_weights,
    is_single_location,
    iterate_at,
    next_weights,
)
from rkde.reference.solvers.newton import (
    TrustRegion,
    curvature,
    distance_between,
    newton_weights,
    trust_region,
)
from rkde.reference.solvers.results import FixedPoint, Iterate, spread_run
from rkde.vocabulary import Certificate, Stationarity, Status

LIMIT_MAX_ITER: Final = 10_000
"""Cap on the steps of one limit: far more than any branch that is not nearly singular needs."""

FIRST_TRIAL: Final = 3
"""Iterates before the first trial of Newton's method: two steps tell how fast KIRWLS is by itself."""

MOST_HALVINGS: Final = 10
"""Trials of a Newton step, each half as long: J bends little over a thousandth of a step."""

LONGEST_PAUSE: Final = 64
"""Most KIRWLS steps between two trials of Newton's method, which then cost about as much as the steps."""


def iterate_until_rest(ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, max_iter: int) -> Row:
    """Return lim T^k(w) for k to infinity, T being one step of KIRWLS: the definition of a limit.

    Plain steps are taken until one of them changes no weight by more than `rounding_level` times the largest.
    With the absolute loss an iterate that falls exactly on a data location stays there, even if the location
    is not the minimiser.

    `fixed_point` ends in the same limit after fewer steps; a test asserts that the two agree.

    Shapes: distances (n, n), D_ij = |Phi(X_i) - Phi(X_j)|^2, in tau^2; weights (n,), where to start: >= 0, of
    sum 1; result (n,).
    """
    for _ in range(max_iter):
        after = next_weights(ctx, loss, norms_from_distances(ctx, distances, weights))
        change = max(abs(new - old) for new, old in zip(after, weights, strict=True))
        if change <= rounding_level(ctx) * max(weights):
            return after
        weights = after
    raise NotConverged(
        f"plain KIRWLS did not converge within {max_iter} steps", where="max_iter", remedy="raise max_iter"
    )


@guarded
def fixed_point(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: Sequence[Number] | None = None,
    sample_weight: Sequence[Number] | None = None,
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
        Finite, >= 0, of sum 1, and 0 for rows that `sample_weight` removes; uniform by default.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).
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
    (Phi_i - Phi_j)/|Phi_i - Phi_j| over the rows i that do not coincide with row j, times their masses. The
    location Phi_j of mass m is the minimiser if and only if |R_j| <= m; otherwise J decreases along R_j.

    The cost is n (n - 1)/2 evaluations of the kernel, n^2 multiplications for each KIRWLS step, and |A|^3/6
    more for each Newton step, where A is the set of rows beyond the quadratic piece of the loss.

    References
    ----------
    Equation (3) defines the RKDE, which KIRWLS seeks. Theorem 3 is about
    convergence; Newton's matrix is that of Theorem 5.

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
    masses = row_masses(ctx, sample_weight, len(distances))
    start = initial_weights(ctx, weights_init, masses)
    limit = limit_from(ctx, masses.block_of(distances), loss, start, cap, masses)
    return spread_run(ctx, limit, distances, masses)


def limit_from(
    ctx: MPContext,
    distances: Matrix,
    loss: Loss,
    start: Row,
    cap: int,
    masses: Masses | None = None,
    *,
    follows: bool = True,
) -> FixedPoint:
    """Return the limit of KIRWLS from weights of sum 1, given D of the rows that have a mass.

    Shapes: distances (n, n); start (n,).
    """
    masses = masses or unit_masses(ctx, len(distances))
    if is_single_location(distances):
        uniform = iterate_at(ctx, distances, loss, masses.shares, masses)
        return _exact(ctx, loss, [uniform], Status.SINGLE_LOCATION, masses)
    iteration = LimitIteration(ctx, distances, loss, start, masses, follows=follows)
    while True:
        if iteration.is_at_minimiser():
            return _exact(ctx, loss, iteration.iterates, Status.CONVERGED, masses)
        if len(iteration.iterates) > cap:
            raise NotConverged(
                f"KIRWLS did not converge within {cap} steps",
                where="max_iter",
                value=f"max|T(w) - w| / max w = {ctx.nstr(iteration.residual(), 6)}",
                remedy="raise max_iter, or change the thresholds or the bandwidth if J is nearly flat",
            )
        if iteration.is_settled():
            break
        iteration.advance()
    iteration.kirwls_step()
    return _stationary(ctx, distances, loss, iteration.iterates, masses)


class LimitIteration:
    """The iterates so far, with the rules that choose between a KIRWLS step and a Newton step."""

    def __init__(
        self, ctx: MPContext, distances: Matrix, loss: Loss, start: Row, masses: Masses, *, follows: bool
    ) -> None:
        self._ctx = ctx
        self._distances = distances
        self._loss = loss
        self._masses = masses
        self._follows = follows
        self._locations = locations(distances)
        self._has_corners = ctx.isinf(loss.phi(ctx, 0))
        convex = loss.facts.convex and loss.facts.strictly_increasing
        # Lemma 2 (ii): three distinct locations make J strictly convex, so that any descent ends in the
        # minimiser.
        self._is_unique = convex and len(self._locations) > 2 and masses.are_positive
        self._tested: list[int] | None = None
        self._region: TrustRegion | None = None
        self._contraction = ctx.mpf(1)
        self._pause = 1
        self._next_trial = FIRST_TRIAL
        self.iterates = [iterate_at(ctx, distances, loss, start, masses)]

    def residual(self) -> mpf:
        """Return max|T(w) - w| / max w at the last iterate."""
        return fixed_point_residual(self._ctx, self._loss, self.iterates[-1], self._masses)

    def is_settled(self) -> bool:
        """Tell whether a further step would change the last iterate by rounding only."""
        return self.residual() <= rounding_level(self._ctx) and not self._nearest_on_corner()

    def is_at_minimiser(self) -> bool:
        """Test the location nearest to f whenever that changes, and go there if it is the minimiser."""
        if not self._has_corners:
            return False
        if self._is_flat():
            return self.iterates[-1].weights == self._masses.shares
        nearest = self._nearest_location()
        if nearest == self._tested:
            return False
        self._tested = nearest
        if not is_minimiser(self._ctx, self._distances, nearest, self._masses):
            return False
        weights = weights_on(self._ctx, nearest, self._masses)
        if weights != self.iterates[-1].weights:
            self._append(weights)
        return True

    def advance(self) -> None:
        """Append the next iterate: off a corner, by a Newton step if one is proved, or by KIRWLS."""
        if self._nearest_on_corner():
            self._leave_corner()
        elif len(self.iterates) < self._next_trial or not self._newton_pays() or not self._step_by_newton():
            self.kirwls_step()

    def kirwls_step(self) -> None:
        """Append KIRWLS's next iterate and note by how much the step shrank the residual."""
        before = self.residual()
        self._append(next_weights(self._ctx, self._loss, self.iterates[-1].norms, self._masses))
        self._contraction = self.residual() / before if before else self._ctx.mpf(0)

    def _append(self, weights: Row) -> None:
        self.iterates.append(self._at(weights))

    def _at(self, weights: Row) -> Iterate:
        return iterate_at(self._ctx, self._distances, self._loss, weights, self._masses)

    def _newton_pays(self) -> bool:
        """Tell whether Newton's method costs less than the KIRWLS steps still needed at the last rate."""
        ctx, level, residual = self._ctx, rounding_level(self._ctx), self.residual()
        if not 0 < self._contraction < 1 or residual >= 1:
            return True
        plain_steps = ctx.log(level / residual) / ctx.log(self._contraction)
        # Newton's method doubles the number of right bits with each step; one step more to be sure.
        doublings = (ctx.mag(level) // min(ctx.mag(residual), -1)).bit_length()
        newton_steps = doublings + 1
        size = sum(1 for norm in self.iterates[-1].norms if self._loss.q(ctx, norm))
        product = len(self._distances) ** 2
        return newton_steps * (product + size**3 // 6) < plain_steps * product

    def _step_by_newton(self) -> bool:
        iterate, masses = self.iterates[-1], self._masses
        free = self._is_unique or not self._follows
        weights = self._newton_proposal(iterate, unique=free)
        if weights is not None:
            # Newton's direction lowers a strictly convex J, if the step is short enough.
            for _ in range(MOST_HALVINGS if self._is_unique else 1):
                if min(weight / mass for weight, mass in zip(weights, masses.values, strict=True)) >= 0:
                    after = self._at(weights)
                    if self._is_progress(iterate, after):
                        self.iterates.append(after)
                        return True
                weights = tuple((old + new) / 2 for old, new in zip(iterate.weights, weights, strict=True))
        self._region = None
        self._next_trial = len(self.iterates) + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return False

    def _newton_proposal(self, iterate: Iterate, *, unique: bool) -> Row | None:
        """Return Newton's next weights, within a trust region; None where KIRWLS has to go on."""
        ctx, distances, loss, masses = self._ctx, self._distances, self._loss, self._masses
        at = curvature(ctx, distances, loss, iterate.norms, masses)
        if at is None:
            return None
        region = self._region
        if not unique and region is None:
            after = next_weights(ctx, loss, iterate.norms, masses)
            region = trust_region(ctx, distances, loss, iterate, after, at, masses)
            if region is None:
                return None
        weights = newton_weights(ctx, distances, loss, iterate, at, masses)
        self._region = region
        if region is None:
            return weights
        stays = distance_between(ctx, distances, weights, region.weights) <= region.radius
        return weights if stays else None

    def _is_progress(self, before: Iterate, after: Iterate) -> bool:
        # Where J is strictly convex any descent leads to the one minimiser; on the way through a flat valley
        # the residual may rise.
        if self._is_unique and after.objective < before.objective:
            return True
        residuals = [
            fixed_point_residual(self._ctx, self._loss, iterate, self._masses) for iterate in (before, after)
        ]
        keeps = (
            after.objective <= before.objective * (1 + rounding_level(self._ctx))
            if self._follows
            else self._pieces(before) == self._pieces(after)
        )
        return keeps and residuals[1] <= residuals[0] / 2

    def _pieces(self, iterate: Iterate) -> list[int]:
        """Return the number of kinks of the loss below each residual norm."""
        kinks = [to_mpf(self._ctx, kink) for kink in self._loss.kinks]
        return [sum(1 for kink in kinks if kink < norm) for norm in iterate.norms]

    def _nearest_location(self) -> list[int]:
        norms = self.iterates[-1].norms
        return min(self._locations, key=lambda location: norms[location[0]])

    def _nearest_on_corner(self) -> bool:
        """Tell whether f lies on a data location that is not known to be a limit, where J has a corner."""
        return self._has_corners and not self._is_flat() and not min(self.iterates[-1].norms)

    def _is_flat(self) -> bool:
        """Tell whether J is constant, as it is between two locations of equal mass."""
        held = {self._masses.at(self._ctx, location) for location in self._locations}
        return len(self._locations) == 2 and len(held) == 1

    def _leave_corner(self) -> None:
        """Go from a location along R_j, halving the step until J is lower than there."""
        corner = self.iterates[-1]
        step = 1 / self._ctx.mpf(2)
        while True:
            weights = weights_along_resultant(
                self._ctx, self._distances, self._nearest_location(), step, self._masses
            )
            after = self._at(weights)
            if after.objective < corner.objective or step < rounding_level(self._ctx):
                self.iterates.append(after)
                return
            step /= 2


def _exact(ctx: MPContext, loss: Loss, iterates: list[Iterate], status: Status, masses: Masses) -> FixedPoint:
    """Return a global minimiser that the masses of some rows express without error."""
    zero = ctx.mpf(0)
    gap = zero if loss.facts.convex else None
    bounds = CertificateBounds(Certificate.GLOBAL, zero, zero, zero, gap, ctx.mpf(1))
    return _fixed_point(ctx, loss, iterates, masses, status, Certificate.GLOBAL, bounds)


def _stationary(
    ctx: MPContext, distances: Matrix, loss: Loss, iterates: list[Iterate], masses: Masses
) -> FixedPoint:
    """Return a settled end with what is proved of it; to the working precision it is stationary anyway."""
    bounds = certify(ctx, distances, loss, iterates[-1].weights, masses)
    certificate = bounds.certificate or Certificate.STATIONARY
    return _fixed_point(ctx, loss, iterates, masses, Status.CONVERGED, certificate, bounds)


def _fixed_point(
    ctx: MPContext,
    loss: Loss,
    iterates: list[Iterate],
    masses: Masses,
    status: Status,
    certificate: Certificate,
    bounds: CertificateBounds,
) -> FixedPoint:
    last = iterates[-1]
    return FixedPoint(
        weights=last.weights,
        residual_norms=last.norms,
        objective=last.objective,
        objective_path=tuple(iterate.objective for iterate in iterates),
        status=status,
        n_iter=len(iterates) - 1,
        stop=Stationarity(ctx.nstr(rounding_level(ctx), 3)),
        weights_init=iterates[0].weights,
        fixed_point_residual=fixed_point_residual(ctx, loss, last, masses),
        certificate=certificate,
        error_bound=bounds.error_bound,
        weights_error_bound=bounds.weights_error_bound,
        gap=bounds.gap,
        curvature_margin=bounds.curvature_margin,
    )
