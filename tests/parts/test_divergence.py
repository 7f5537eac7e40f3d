"""The sample mean of log density ratios: infinite ratios, and a divergence known exactly."""

import math
from typing import Final

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import rkde.fast
from rkde.proofs_checks.tolerances import mean_ratio_bound, normal_mean_band, standard_error_bound
from tests.support.compare import assert_within
from tests.support.implementations import FAST, REFERENCE, Implementation

INF: Final = math.inf
N_DRAWS: Final = 4000
SEED: Final = 20120912

logarithms = st.floats(-800.0, 800.0)
pairs = st.lists(st.tuples(logarithms, logarithms), min_size=2, max_size=9)


@example(draws=[(0.0, 0.0), (0.0, 3.738274785440545e-155)])
@example(draws=[(0.0, 0.0), (0.0, 2.0**-1074)])
@example(draws=[(0.0, 0.0), (0.0, 0.0), (0.0, 2.0**-1073)])
@given(draws=pairs)
def test_both_implementations_agree(draws: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*draws, strict=True))
    wanted = REFERENCE.call("kl_divergence", first, second)
    found = FAST.call("kl_divergence", first, second)
    ratios = [left - right for left, right in draws]
    mean_bound, spread_bound = mean_ratio_bound(ratios), standard_error_bound(ratios)
    assert_within(found.kl_divergence, wanted.kl_divergence, mean_bound, "mean")
    assert_within(found.finite_mean, wanted.finite_mean, mean_bound, "finite mean")
    assert_within(found.standard_error, wanted.standard_error, spread_bound, "standard error")
    assert (found.n_draws, found.n_infinite) == (wanted.n_draws, wanted.n_infinite) == (len(draws), 0)


def test_infinite_ratios_are_counted(implementation: Implementation) -> None:
    found = implementation.call("kl_divergence", [0.0, 0.0, 0.0], [-1.0, -INF, -2.0])
    assert (float(found.kl_divergence), float(found.standard_error)) == (INF, INF)
    assert (found.finite_mean, found.n_draws, found.n_infinite) == (1.5, 3, 1)
    nowhere = implementation.call("kl_divergence", [0.0], [-INF])
    assert (nowhere.finite_mean, nowhere.n_infinite) == (None, 1)
    assert float(nowhere.kl_divergence) == INF


def test_one_draw_has_no_standard_error(implementation: Implementation) -> None:
    found = implementation.call("kl_divergence", [0.0], [-3.0])
    assert (found.kl_divergence, float(found.standard_error)) == (3, INF)


def test_a_divergence_that_is_known() -> None:
    """Two Gaussians of one row each: D_KL = d |x - y|^2 / (2 h^2); here 1/2 (1 + 4)."""
    from_here = rkde.fast.kde([[0.0, 0.0]], rkde.fast.Gaussian(1.0))
    to_there = rkde.fast.kde([[1.0, 2.0]], rkde.fast.Gaussian(1.0))
    draws = from_here.sample(N_DRAWS, np.random.default_rng(SEED))
    found = rkde.fast.kl_divergence(from_here.log_density(draws), to_there.log_density(draws))
    # The ratio is normal with variance |x - y|^2 / h^2 = 5.
    assert abs(found.kl_divergence - 5 / 2) < normal_mean_band(math.sqrt(5), N_DRAWS)
    assert found.n_infinite == 0
