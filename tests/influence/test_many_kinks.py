"""Several locations on a kink: as many systems as patterns of sides, within the memory limit."""

import tracemalloc
from itertools import product
from typing import Final

import numpy as np
import pytest

from rkde.fast import Gaussian, Huber, fixed_point, influence
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_relative_to_largest

KERNEL: Final = Gaussian(1.0)
SEED: Final = 20120909
# 2^4 systems of some 240 rows are 7 MB, one of them is 0.5 MB.
ORBITS: Final = 60
LIMIT: Final = 5 * 10**6
# Steps by which a threshold on a residual comes to lie on the residual of its own fit.
SETTLED: Final = 20


@pytest.mark.slow
def test_systems_of_all_patterns_keep_within_the_limit() -> None:
    """Four mirror images share each residual norm; a is one of them."""
    signs = np.array(list(product((1.0, -1.0), repeat=2)))
    base = np.abs(np.random.default_rng(SEED).standard_normal((ORBITS, 2)))
    X = (base[:, np.newaxis, :] * signs).reshape(-1, 2)
    a = 0.5
    for _ in range(SETTLED):
        limit = fixed_point(X, KERNEL, Huber(a))
        a = float(limit.residual_norms[np.abs(limit.residual_norms - a).argmin()])
    points = [[0.5, 0.25], [2.0, 1.0]]
    arguments = (X, KERNEL, Huber(a), limit.weights, points)
    free = influence(*arguments)
    assert free.one_sided
    tracemalloc.start()
    bounded = influence(*arguments, memory_limit=LIMIT)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= LIMIT
    bound = tolerances.influence_bound(len(X), 2, free.condition)
    assert_relative_to_largest(bounded.if_coef, free.if_coef, bound, "alpha")
