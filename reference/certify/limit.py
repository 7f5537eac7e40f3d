"""The limit of KIRWLS from a stated start, enclosed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import DEFAULT_BITS, exact_ball, working_bits
from rkde.reference.certify.convex_limit import settle
from rkde.reference.certify.exact import exact_weights
from rkde.reference.certify.groups import Groups, location_groups, symmetric_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.losses import BallLoss, ball_loss
from rkde.reference.certify.median import median_of
from rkde.reference.certify.path import follow
from rkde.reference.certify.results import Enclosure, Solution, UnprovedError, equal_shares, undecided
from rkde.reference.certify.results_from_weights import assemble
from rkde.reference.certify.sample import Sample, read_sample
from rkde.reference.certify.weight_state import evaluate, kirwls_step
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows
from rkde.vocabulary import Start

# Precision is doubled this often, at most, where the given one does not carry the path of KIRWLS to its end.
MAX_DOUBLINGS: Final = 3

Result = TypeVar("Result")


def certify_limit(
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    start: Start | Sequence[Number] = "uniform",
    *,
    bits: int = DEFAULT_BITS,
) -> Enclosure:
    """Enclose the point that KIRWLS converges to from a stated start.

    Shapes: X (n, d); start (n,). Result: `branch_proved` says whether the path is proved to converge to it:
    always for a convex loss; for Hampel's unless the path ends at a point that is not a local minimum among
    the elements with its symmetry, or needs more than eight times the precision.

    Notes
    -----
    Rows that the symmetry of data and start cannot tell apart share their weight along the whole path, so a
    path that stays on a symmetric saddle in exact arithmetic ends there. Cost: some tens of steps at n^2 ball
    products each, and the cost of `certify_fixed_point`.
    """
    sample = read_sample(X)
    given = None if isinstance(start, str) else exact_weights(start, sample.n_rows)
    if given is None and start not in ("uniform", "median"):
        raise InvalidInput(
            "must be the name of a start, or weights",
            where="start",
            value=start,
            remedy='pass "uniform", "median" or weights',
        )

    def attempt(precision: int) -> Enclosure:
        with working_bits(precision):
            locations = location_groups(sample, ball_kernel(kernel))
            decided = ball_loss(loss)
            if decided.name == "absolute":
                return median_of(sample, locations, precision)
            if given is not None:
                return _from_weights(sample, locations, decided, given, precision)
            median = median_of(sample, locations, precision) if start == "median" else None
            return limit_of(sample, locations, decided, median, precision)

    return with_enough_bits(attempt, lambda enclosure: enclosure.branch_proved, bits)


def with_enough_bits(attempt: Callable[[int], Result], proved: Callable[[Result], bool], bits: int) -> Result:
    """Repeat a proof with doubled precision until it succeeds or the doublings are used up."""
    result = attempt(bits)
    for doubling in range(1, MAX_DOUBLINGS + 1):
        if proved(result):
            break
        result = attempt(bits << doubling)
    return result


def limit_of(
    sample: Sample, locations: Groups, loss: BallLoss, median: Enclosure | None, bits: int
) -> Enclosure:
    """Enclose the limit from f_med, or from uniform weights where `median` is None."""
    groups = symmetric_groups(sample, locations, [0] * locations.count)
    if median is None:
        return _limit(groups, locations, loss, groups.uniform(), bits)
    if not median.weights:
        return undecided(median.reason, bits)
    start = [arb(0)] * groups.count
    for row, group in enumerate(groups.group_of):  # f_med is constant on the groups: any row of one will do
        start[group] = groups.size[group] * median.weights[row]
    return _limit(groups, locations, loss, start, bits)


def _from_weights(
    sample: Sample, locations: Groups, loss: BallLoss, weights: Sequence[Fraction], bits: int
) -> Enclosure:
    groups, start = grouped_start(sample, locations, weights)
    return _limit(groups, locations, loss, [exact_ball(weight) for weight in start], bits)


def grouped_start(
    sample: Sample, locations: Groups, weights: Sequence[Fraction]
) -> tuple[Groups, list[Fraction]]:
    """Join the locations that data and weights cannot tell apart; give the total weight of each group.

    Only the total over the rows of a location matters: the first step makes their weights equal.
    """
    totals = sample.per_location(weights)
    shares = [total / size for total, size in zip(totals, locations.size, strict=True)]
    groups = symmetric_groups(sample, locations, shares)
    start = [Fraction(0)] * groups.count
    for group, weight in zip(groups.group_of, weights, strict=True):
        start[group] += weight
    return groups, start


def _limit(groups: Groups, locations: Groups, loss: BallLoss, start: Sequence[arb], bits: int) -> Enclosure:
    try:
        solution, proved = _solve(groups, loss, start)
    except UnprovedError as failure:
        return undecided(str(failure), bits)
    return assemble(groups, locations, loss, solution, branch_proved=proved, bits=bits)


def _solve(groups: Groups, loss: BallLoss, start: Sequence[arb]) -> tuple[Solution, bool]:
    """Enclose the weights of the groups at the limit; tell whether they are proved to be the limit."""
    if groups.count == 1:
        kirwls_step(groups, loss, evaluate(groups, loss, groups.uniform()))  # phi may be 0 at every residual
    if groups.count == 1 or loss.name == "quadratic":
        return equal_shares(groups), True
    if loss.convex:
        return settle(groups, loss, start), True
    reached = follow(groups, loss, start)
    return Solution(reached.weights), reached.proved
