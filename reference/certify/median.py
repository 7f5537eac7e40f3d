"""f_med: the limit of KIRWLS for the absolute loss from uniform weights, found exactly or enclosed.

With three or more distinct locations J has one minimiser. A location of multiplicity m is it exactly if
|R| <= m, where R sums the unit vectors from the location to all other rows: the subdifferential of the m
terms that vanish there is the ball of radius m. Otherwise the minimiser has no residual 0 and Krawczyk's test
applies. With two locations the majority is the limit; with equal numbers of rows the uniform weights are, by
symmetry.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from flint import arb

from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, column, entries, square_root, working_bits
from rkde.reference.certify.convex_limit import settle
from rkde.reference.certify.groups import Groups, location_groups, symmetric_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.quantiles import enclose_quantile
from rkde.reference.certify.results import (
    Enclosure,
    Solution,
    UnprovedError,
    equal_shares,
    exact_solution,
    undecided,
)
from rkde.reference.certify.results_from_weights import assemble
from rkde.reference.certify.sample import Sample, read_sample
from rkde.reference.certify.weight_state import State
from rkde.reference.kernels import Kernel
from rkde.reference.numbers import Number, Rows, exact_value
from rkde.vocabulary import QuantileRule

ABSOLUTE: Final = BallLoss("absolute", ())
# Section 6.1.2: the median, the 75th and the 85th percentile.
PAPER_LEVELS: Final = ("0.5", "0.75", "0.85")


def certify_median(X: Rows, kernel: Kernel, *, bits: int = DEFAULT_BITS) -> Enclosure:
    """Enclose f_med of section 6.1.2.

    Shapes: X (n, d). Result: certificate ``global`` unless it is undecided, that is, a location has |R| = m
    to within the precision, or the minimiser is too close to a location for the precision.

    Examples
    --------
    >>> from rkde.reference import Gaussian
    >>> median = certify_median([[0], [0], [0], [1], [5]], Gaussian(1))
    >>> print(median.status, median.certificate, *median.exact_weights)
    exact global 1/3 1/3 1/3 0 0
    """
    with working_bits(bits):
        sample = read_sample(X)
        locations = location_groups(sample, ball_kernel(kernel))
        return median_of(sample, locations, bits)


def enclose_thresholds(
    X: Rows,
    kernel: Kernel,
    *,
    quantiles: Sequence[Number] = PAPER_LEVELS,
    quantile_rule: QuantileRule = "linear",
    bits: int = DEFAULT_BITS,
) -> tuple[arb, ...]:
    """Enclose quantiles of the distances of the rows from f_med: a, b, c of section 6.1.2.

    Shapes: X (n, d). Result: in tau, one a level; not checked for degeneracy.
    """
    levels = [exact_value(level, "quantiles") for level in quantiles]
    median = certify_median(X, kernel, bits=bits)
    if not median.residual_norms:
        raise UnprovedError(median.reason)
    with working_bits(bits):
        return tuple(enclose_quantile(median.residual_norms, level, quantile_rule) for level in levels)


def median_of(sample: Sample, locations: Groups, bits: int) -> Enclosure:
    """Enclose f_med of a sample at the current working precision (as `certify_median`)."""
    groups = symmetric_groups(sample, locations, [0] * locations.count)
    try:
        solution = _median_weights(groups)
    except UnprovedError as failure:
        return undecided(str(failure), bits)
    return assemble(groups, locations, ABSOLUTE, solution, branch_proved=True, bits=bits)


def _median_weights(groups: Groups) -> Solution:
    """Settle KIRWLS, with a look at each location that comes nearest on the way."""
    if groups.count == 1:
        return equal_shares(groups)
    tested: set[int] = set()

    def exact_answer(state: State) -> Solution | None:
        nearest = _nearest_location(groups, state.norms)
        if nearest is None or nearest in tested:
            return None
        tested.add(nearest)
        if not _is_minimiser(groups, nearest):
            return None
        return exact_solution([Fraction(int(i == nearest)) for i in range(groups.count)])

    return settle(groups, ABSOLUTE, groups.uniform(), exact_answer)


def _nearest_location(groups: Groups, norms: list[arb]) -> int | None:
    """Give the single location with the smallest residual norm; None where a cell of several has it."""
    nearest = min(range(groups.count), key=lambda i: norms[i].mid())
    return nearest if groups.is_location[nearest] else None


def _is_minimiser(groups: Groups, location: int) -> bool:
    """Decide |R| against m for a location.

    Notes
    -----
    With v_i = 1 / |Phi_i - Phi_j|: |R|^2 = (sum v) (v'D_j) - v'Dv / 2.
    """
    gaps = [groups.sqdist[location, i] for i in range(groups.count)]
    inverse_norms = [
        arb(0) if i == location else size / square_root(gap)
        for i, (size, gap) in enumerate(zip(groups.size, gaps, strict=True))
    ]
    spread = ball_sum(
        inverse * mean
        for inverse, mean in zip(inverse_norms, entries(groups.sqdist * column(inverse_norms)), strict=True)
    )
    gap_sum = ball_sum(inverse * gap for inverse, gap in zip(inverse_norms, gaps, strict=True))
    squared = ball_sum(inverse_norms) * gap_sum - spread / 2
    bound = arb(groups.size[location]) ** 2
    if squared < bound:
        return True
    if squared > bound:
        return False
    raise UnprovedError(
        "a location has |R| = m to within the precision, so whether it is f_med is undecided; try more bits"
    )
