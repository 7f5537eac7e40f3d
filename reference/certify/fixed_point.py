"""The stationary point near given weights, enclosed."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from rkde.reference.certify.balls import DEFAULT_BITS, exact_ball, working_bits
from rkde.reference.certify.exact import exact_weights
from rkde.reference.certify.groups import Groups, location_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss, ball_loss
from rkde.reference.certify.median import median_of
from rkde.reference.certify.results import Enclosure, Solution, UnprovedError, equal_shares, undecided
from rkde.reference.certify.results_from_weights import assemble
from rkde.reference.certify.sample import read_sample
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows


def certify_fixed_point(
    X: Rows, kernel: Kernel, loss: Loss, weights: Sequence[Number], *, bits: int = DEFAULT_BITS
) -> Enclosure:
    """Enclose the fixed point of KIRWLS near approximate weights, and decide what kind of point it is.

    Shapes: X (n, d); weights (n,). Result: for the absolute loss this is f_med, whatever the weights.

    Notes
    -----
    Cost: one inverse of an m by m matrix at 64 bits for m distinct rows, and m^2 kernel values at `bits`.
    """
    with working_bits(bits):
        sample = read_sample(X)
        start = [exact_ball(total) for total in sample.per_location(exact_weights(weights, sample.n_rows))]
        locations = location_groups(sample, ball_kernel(kernel))
        decided = ball_loss(loss)
        if decided.name == "absolute":
            return median_of(sample, locations, bits)
        try:
            solution = _solve(locations, decided, start)
        except UnprovedError as failure:
            return undecided(str(failure), bits)
        return assemble(locations, locations, decided, solution, branch_proved=decided.convex, bits=bits)


def _solve(locations: Groups, loss: BallLoss, start: Sequence[arb]) -> Solution:
    if locations.count == 1 or loss.name == "quadratic":
        return equal_shares(locations)
    return Solution(enclose_zero(locations, loss, start))
