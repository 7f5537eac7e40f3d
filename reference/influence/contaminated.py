"""The estimate f_mu of section 5 for mu = (1 - s) F_n + s delta_x', whose derivative in s is the influence.

The objective of a probability measure mu, equation (24), and its Gateaux differential, which the paper prints
as the differential after equation (24), are

    J_mu(g) = int rho(|Phi(x) - g|) dmu(x),                                                  (24)
    delta J_mu(g; h) = -int <phi(|Phi(x) - g|) (Phi(x) - g), h> dmu(x) = -<V_mu(g), h>,

where V_mu(g) = int phi(|Phi(x) - g|) (Phi(x) - g) dmu(x), and V_mu(f_mu) = 0. The differential may be taken
under the integral, because |d/dalpha rho(|Phi(x) - (g + alpha h)|)| <= B'' (tau + |g| + |h|) |h| for
|alpha| < 1, where B'' bounds phi (holds: `influence_proofs.exchange`).

For this mu the integral is the sum J_mu(g) = sum_i m_i rho(|Phi(x_i) - g|) over the n + 1 points x_i with
their masses m_i, so that f_mu is the limit of KIRWLS over rows with masses. The model of a contaminated
sample, equation (1), stands in `estimates/robust.py`.
"""

from __future__ import annotations

from mpmath import MPContext, mpf

from rkde.reference.losses import Loss
from rkde.reference.numbers import Masses, Matrix, Row
from rkde.reference.solvers import LIMIT_MAX_ITER, FixedPoint, limit_from, spread_run


def contaminated_limit(ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, share: mpf) -> FixedPoint:
    """Return f_mu, started from ((1 - s) weights, s).

    Shapes: distances (n + 1, n + 1), D of the rows and x', which comes last; weights (n,), of sum 1.
    """
    size = len(distances)
    values = (*((1 - share) * size / (size - 1) for _ in weights), share * size)
    kept = tuple(place for place, value in enumerate(values) if value)
    present = tuple(values[place] for place in kept)
    masses = Masses(present, ctx.mpf(size), ctx.mpf(size - 1), is_counted=False, kept=kept, size=size)
    start = masses.rows_of((*((1 - share) * weight for weight in weights), share))
    block = masses.block_of(distances)
    limit = limit_from(ctx, block, loss, start, LIMIT_MAX_ITER, masses, follows=False)
    return spread_run(ctx, limit, distances, masses)
