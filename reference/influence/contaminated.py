"""The estimate f_mu of section 5 for mu = (1 - s) F_n + s delta_x', whose derivative in s is the influence.

The objective of a probability measure mu, equation (24) (`eqn:extended_J`), and its Gateaux differential
(`eqn:delta_J`) are

    J_mu(g) = int rho(|Phi(x) - g|) dmu(x),                                                  (24)
    delta J_mu(g; h) = -int <phi(|Phi(x) - g|) (Phi(x) - g), h> dmu(x) = -<V_mu(g), h>,

where V_mu(g) = int phi(|Phi(x) - g|) (Phi(x) - g) dmu(x), and V_mu(f_mu) = 0. The differential may be taken
under the integral, because |d/dalpha rho(|Phi(x) - (g + alpha h)|)| <= B'' (tau + |g| + |h|) |h| for
|alpha| < 1, where B'' bounds phi (holds: `influence_proofs.exchange`).

For this mu the integral is the sum J_mu(g) = sum_i m_i rho(|Phi(x_i) - g|) over the n + 1 points x_i with
their masses m_i. KIRWLS applies, with weights in proportion to m_i phi(r_i).

With masses the stationary points solve G(w) = gamma w - m phi(r(w)) = 0, gamma = sum m_i phi(r_i), and the
derivative of G is Theorem 5's matrix with m_i q(r_i) for q(r_i). A Newton step is taken where n times the
Hessian of J is positive definite, no residual passes a kink on the way and the step at least halves the
residual of the fixed point; else KIRWLS goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.errors import AllWeightsZero, NotConverged
from rkde.reference.influence.theorem5 import StationaryPoint, System, factored_system, projection_gram
from rkde.reference.losses import Loss
from rkde.reference.numbers import Matrix, Row, rounding_level, to_mpf
from rkde.reference.rkhs import norms_from_distances
from rkde.reference.solvers import FixedPoint, locations, negative_direction
from rkde.vocabulary import Certificate, Stationarity, Status


@dataclass(frozen=True, slots=True)
class MassIterate:
    """Weights, their residual norms, and the weights after one step."""

    weights: Row
    norms: Row
    after: Row

    @property
    def residual(self) -> mpf:
        """max|T(w) - w| / max w."""
        moved = max(abs(new - old) for new, old in zip(self.after, self.weights, strict=True))
        return moved / max(self.weights)


@dataclass(frozen=True, slots=True)
class MassProblem:
    """Data with a mass for each row, and the loss."""

    distances: Matrix
    masses: Row
    loss: Loss

    def iterate_at(self, ctx: MPContext, weights: Row) -> MassIterate:
        """Return the iterate at weights of sum 1."""
        norms = norms_from_distances(ctx, self.distances, weights)
        phis = self.mass_phi(ctx, norms)
        total = ctx.fsum(phis)
        if total == 0:
            raise AllWeightsZero(
                "phi is 0 at every residual, so the next weights are 0/0",
                where=f"loss {self.loss!r}",
                remedy="raise the threshold c, or start elsewhere",
            )
        after = weights if ctx.isinf(total) else tuple(phi / total for phi in phis)
        return MassIterate(weights, norms, after)

    def mass_phi(self, ctx: MPContext, norms: Row) -> list[mpf]:
        """Return m_i phi(r_i)."""
        return [mass * self.loss.phi(ctx, norm) for mass, norm in zip(self.masses, norms, strict=True)]

    def objective(self, ctx: MPContext, norms: Row) -> mpf:
        """Return J = sum m_i rho(r_i)."""
        return ctx.fdot(self.masses, [self.loss.rho(ctx, norm) for norm in norms])


def mass_limit(ctx: MPContext, problem: MassProblem, start: Row, cap: int) -> FixedPoint:
    """Return the limit of KIRWLS with masses from given weights.

    Raises
    ------
    NotConverged
        If the cap is reached.
    AllWeightsZero
        If phi vanishes at every residual before a step.
    """
    iterates = [problem.iterate_at(ctx, start)]
    tested: set[int] = set()
    while iterates[-1].residual > rounding_level(ctx) or _on_corner(ctx, problem, iterates[-1]):
        if len(iterates) > cap:
            raise NotConverged(
                f"KIRWLS did not settle within {cap} steps",
                where="s",
                value=f"max|T(w) - w| / max w = {ctx.nstr(iterates[-1].residual, 6)}",
                remedy="take another s; the contaminated objective is nearly flat here",
            )
        corner = _minimal_corner(ctx, problem, iterates[-1], tested)
        if corner is not None:
            # All norms are measured from the location itself: it is the limit, exactly.
            return _result(ctx, problem, [*iterates, corner])
        iterates.append(_newton(ctx, problem, iterates[-1]) or problem.iterate_at(ctx, iterates[-1].after))
    return _result(ctx, problem, [*iterates, problem.iterate_at(ctx, iterates[-1].after)])


def _newton(ctx: MPContext, problem: MassProblem, iterate: MassIterate) -> MassIterate | None:
    phis = problem.mass_phi(ctx, iterate.norms)
    point = StationaryPoint(problem.distances, iterate.weights, iterate.norms, ctx.fsum(phis))
    q_values = [
        mass * problem.loss.q(ctx, norm) for mass, norm in zip(problem.masses, iterate.norms, strict=True)
    ]
    if not ctx.isfinite(point.gamma) or not _is_convex(ctx, point, q_values):
        return None
    try:
        # Positive definite but for rounding, which may hide that a flat valley makes it singular.
        weights = _newton_weights(ctx, point, factored_system(ctx, point, q_values, ctx.inf), phis)
        moved = problem.iterate_at(ctx, weights)
    except (AllWeightsZero, ZeroDivisionError):
        return None
    same = _pieces(ctx, problem.loss, iterate.norms) == _pieces(ctx, problem.loss, moved.norms)
    return moved if same and moved.residual <= iterate.residual / 2 else None


def _newton_weights(ctx: MPContext, point: StationaryPoint, system: System, phis: list[mpf]) -> Row:
    """Return w - DG^-1 G, divided by its sum."""
    right = [phi - point.gamma * weight for phi, weight in zip(phis, point.weights, strict=True)]
    step = ctx.U_solve(system.factors, ctx.L_solve(system.factors, ctx.matrix(right), system.pivots))
    moved = [weight + entry for weight, entry in zip(point.weights, step, strict=True)]
    total = ctx.fsum(moved)
    return tuple(entry / total for entry in moved)


def _is_convex(ctx: MPContext, point: StationaryPoint, q_values: list[mpf]) -> bool:
    """Tell whether n times the Hessian of J is positive definite there."""
    return negative_direction(ctx, projection_gram(ctx, point, q_values), point.gamma) is None


def _pieces(ctx: MPContext, loss: Loss, norms: Row) -> list[int]:
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    return [sum(1 for kink in kinks if kink < norm) for norm in norms]


def _on_corner(ctx: MPContext, problem: MassProblem, iterate: MassIterate) -> bool:
    return not min(iterate.norms) and bool(ctx.isinf(problem.loss.phi(ctx, 0)))


def _minimal_corner(
    ctx: MPContext, problem: MassProblem, iterate: MassIterate, tested: set[int]
) -> MassIterate | None:
    """Return the iterate on the nearest location if J has its minimum there (absolute loss), else None.

    The rows of a location j pull with a force of at most their masses, all others with R_j = sum m_i (Phi_i -
    Phi_j)/|Phi_i - Phi_j|, whose square is (sum v)(v'D_j) - v'D v/2 with v_i = m_i/|Phi_i - Phi_j|.
    """
    if not ctx.isinf(problem.loss.phi(ctx, 0)):
        return None
    nearest = min(locations(problem.distances), key=lambda rows: iterate.norms[rows[0]])
    if nearest[0] in tested:
        return None
    tested.add(nearest[0])
    to_location = problem.distances[nearest[0]]
    inverse_norms = [
        mass / ctx.sqrt(distance) if distance else ctx.mpf(0)
        for mass, distance in zip(problem.masses, to_location, strict=True)
    ]
    spread = ctx.fsum(inverse_norms) * ctx.fdot(inverse_norms, to_location)
    square = spread - ctx.fdot(inverse_norms, [ctx.fdot(row, inverse_norms) for row in problem.distances]) / 2
    held = ctx.fsum(problem.masses[row] for row in nearest)
    if square + rounding_level(ctx) * spread > held**2:
        return None
    weights = tuple(
        problem.masses[row] / held if row in nearest else ctx.mpf(0) for row in range(len(iterate.weights))
    )
    return problem.iterate_at(ctx, weights)


def _result(ctx: MPContext, problem: MassProblem, iterates: list[MassIterate]) -> FixedPoint:
    """Return the last iterate; nothing is proved of it but its residual."""
    return FixedPoint(
        weights=iterates[-1].weights,
        residual_norms=iterates[-1].norms,
        objective=problem.objective(ctx, iterates[-1].norms),
        objective_path=tuple(problem.objective(ctx, iterate.norms) for iterate in iterates),
        status=Status.CONVERGED,
        n_iter=len(iterates) - 1,
        stop=Stationarity(ctx.nstr(rounding_level(ctx), 3)),
        weights_init=iterates[0].weights,
        fixed_point_residual=iterates[-1].residual,
        certificate=Certificate.STATIONARY,
        error_bound=ctx.inf,
        weights_error_bound=ctx.inf,
        gap=None,
        curvature_margin=None,
    )
