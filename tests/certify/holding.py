"""Helpers: data with a seed, and the question whether a ball holds a number of the reference."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from mpmath import mpf

from rkde.proofs_checks.tolerances import reference_bound
from tests.support.balls import certify, flint

SEED: Final = 20_121_101
# The reference runs with forty digits more than are compared, so that its own conditioning is paid for.
REFERENCE_DIGITS: Final = 100
COMPARED_DIGITS: Final = 60
# Balls of this precision are wider than what the reference leaves open, so that the test is one of the ball.
BITS: Final = 128
_EXACT_BITS: Final = 2000

Rows = list[list[float]]


def holds(ball: flint.arb, value: mpf | int) -> bool:
    """Tell whether a ball holds the exact number that a value of the reference stands for."""
    with flint.ctx.workprec(_EXACT_BITS):
        number = flint.arb(value)
        slack = number.abs_upper().max(1) * flint.arb(reference_bound(COMPARED_DIGITS))
        return bool(ball.is_finite() and ball.overlaps(number + flint.arb(0, slack)))


def hold_all(balls: Iterable[flint.arb], values: Iterable[mpf]) -> bool:
    """Tell whether every ball holds its number, and whether there are as many."""
    return all(holds(ball, value) for ball, value in zip(balls, values, strict=True))


def disjoint(left: Iterable[flint.arb], right: Iterable[flint.arb]) -> bool:
    """Tell whether two boxes have no point in common."""
    return any(not p.overlaps(q) for p, q in zip(left, right, strict=True))


def location_groups(X: object, kernel: object) -> tuple[Any, Any]:
    """The sample of some rows, and its locations as groups of a kernel."""
    sample = certify.sample.read_sample(X)
    return sample, certify.groups.location_groups(sample, certify.kernels.ball_kernel(kernel))


def scattered(n_samples: int, dim: int, seed: int = 0) -> Rows:
    """Normal data."""
    return np.random.default_rng([SEED, seed]).normal(size=(n_samples, dim)).tolist()


def two_clusters(n_samples: int, dim: int, seed: int = 0) -> Rows:
    """Sixty percent around the origin, forty around a point four standard deviations away."""
    X = np.random.default_rng([SEED, seed]).normal(size=(n_samples, dim))
    X[: (2 * n_samples) // 5, 0] += 4
    return X.tolist()


def with_outliers(n_samples: int, dim: int, seed: int = 0) -> Rows:
    """A fifth of the rows uniform on a large cube."""
    rng = np.random.default_rng([SEED, seed])
    X = rng.normal(size=(n_samples, dim))
    X[: n_samples // 5] = rng.uniform(-8, 8, size=(n_samples // 5, dim))
    return X.tolist()


def with_duplicates(n_samples: int, dim: int, seed: int = 0) -> Rows:
    """A fifth of the rows equal to others: K is singular."""
    X = np.array(scattered(n_samples, dim, seed))
    X[: n_samples // 5] = X[-(n_samples // 5) :]
    return X.tolist()
