"""Given weights over balls: residual norms, J, a fixed number of steps, and distances to enclosed weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from flint import arb

from rkde.reference.certify.balls import DEFAULT_BITS, exact_ball, magnitude, square_root, working_bits
from rkde.reference.certify.exact import exact_weights
from rkde.reference.certify.groups import Groups, location_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.losses import BallLoss, ball_loss
from rkde.reference.certify.path import sq_distance
from rkde.reference.certify.sample import read_sample
from rkde.reference.certify.weight_state import evaluate, kirwls_step, objective
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows, nonnegative_count

# Residual norms do not depend on the loss; evaluating them needs one without kinks.
_ANY_LOSS: Final = BallLoss("quadratic", ())


@dataclass(frozen=True, slots=True)
class Steps:
    """A fixed number of steps of KIRWLS.

    Attributes
    ----------
    weights : tuple of flint.arb, shape (n,)
        After the last step.
    objectives : tuple of flint.arb, shape (count + 1,)
        J at the given weights and after each step.
    """

    weights: tuple[arb, ...]
    objectives: tuple[arb, ...]


def enclose_residual_norms(
    X: Rows, kernel: Kernel, weights: Sequence[Number], *, bits: int = DEFAULT_BITS
) -> tuple[arb, ...]:
    """Enclose |Phi(X_i) - f| for each row, in tau, at weights that are divided by their sum.

    Shapes: X (n, d); weights (n,); result (n,).
    """
    with working_bits(bits):
        groups, totals, _ = _problem(X, kernel, weights)
        return groups.per_row(evaluate(groups, _ANY_LOSS, totals).norms)


def enclose_objective(
    X: Rows, kernel: Kernel, loss: Loss, weights: Sequence[Number], *, bits: int = DEFAULT_BITS
) -> arb:
    """Enclose J, eq. (6), in tau^2 (absolute loss: tau); arguments as for `enclose_steps`."""
    return enclose_steps(X, kernel, loss, weights, 0, bits=bits).objectives[0]


def enclose_steps(
    X: Rows, kernel: Kernel, loss: Loss, weights: Sequence[Number], count: int, *, bits: int = DEFAULT_BITS
) -> Steps:
    """Enclose the weights after exactly `count` steps of KIRWLS (section 4), and J on the way.

    Shapes: X (n, d); weights (n,), divided by their sum first.
    """
    nonnegative_count(count, "count")
    with working_bits(bits):
        groups, totals, given = _problem(X, kernel, weights)
        decided = ball_loss(loss)
        state = evaluate(groups, decided, totals)
        objectives = [objective(groups, decided, state)]
        for _ in range(count):
            state = evaluate(groups, decided, kirwls_step(groups, decided, state))
            objectives.append(objective(groups, decided, state))
        final = groups.row_weights(state.weights) if count else tuple(exact_ball(weight) for weight in given)
        return Steps(final, tuple(objectives))


def enclose_distance(
    X: Rows, kernel: Kernel, weights: Sequence[Number], target: Sequence[arb], *, bits: int = DEFAULT_BITS
) -> tuple[arb, arb]:
    """Enclose how far given weights are from enclosed ones.

    Shapes: X (n, d); weights (n,), divided by their sum first; target (n,), enclosed weights, such as
    `Enclosure.weights`. Result: |f_w - f*| in tau: what an ``error_bound`` bounds. An upper bound of max |w_i
    - w_i*|: what a ``weights_error_bound`` bounds.
    """
    with working_bits(bits):
        groups, totals, given = _problem(X, kernel, weights)
        aims = [arb(0)] * groups.count
        for row, group in enumerate(groups.group_of):
            aims[group] += target[row]
        squared = sq_distance(groups, totals, aims)
        largest = magnitude(exact_ball(share) - aim for share, aim in zip(given, target, strict=True))
        return square_root(squared), largest


def _problem(X: Rows, kernel: Kernel, weights: Sequence[Number]) -> tuple[Groups, list[arb], list[Fraction]]:
    """Read data and weights: the locations, the total weight of each, and the weights a row."""
    sample = read_sample(X)
    given = exact_weights(weights, sample.n_rows)
    groups = location_groups(sample, ball_kernel(kernel))
    return groups, [exact_ball(total) for total in sample.per_location(given)], given
