"""Draws from a fitted estimator: their law, their sources of randomness, rows that are never drawn."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import rkde
from rkde.fast.sklearn.random_state import generator_from
from tests.sampling.test_sampling import assert_follows

SEED = 20_120_908
DRAWS = 20_000
DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
RKDE = rkde.RobustKernelDensity
LAWS: dict[str, tuple[dict[str, Any], Any]] = {
    "gaussian": ({"kernel": "gaussian"}, stats.norm()),
    "student": ({"kernel": "student", "dof": 3.0}, stats.t(3.0)),
    "laplacian": ({"kernel": "laplacian"}, stats.laplace()),
}


@pytest.mark.parametrize(("settings", "law"), LAWS.values(), ids=LAWS)
@pytest.mark.parametrize(
    "sample_weight", [None, [1, 3, 0, 1, 2, 1], [0.5, 3.0, 0.0, 1.5, 2.0, 0.25]], ids=str
)
def test_draws_follow_the_density(settings: Any, law: Any, sample_weight: Any) -> None:
    estimator = RKDE(bandwidth=0.5, loss="huber", thresholds=(0.6,), **settings)
    draws = estimator.fit(DATA, sample_weight=sample_weight).sample(DRAWS, SEED)[:, 0]
    centres = np.array(DATA)[:, 0]
    assert_follows(draws, lambda x: law.cdf((x[:, None] - centres) / 0.5) @ estimator.weights_)


@pytest.mark.parametrize(("settings", "law"), LAWS.values(), ids=LAWS)
def test_rows_without_weight_are_never_drawn(settings: Any, law: Any) -> None:
    far = [*DATA[:5], [1e9]]
    estimator = RKDE(bandwidth=1.0, **settings).fit(far)
    assert estimator.weights_[-1] == 0
    assert np.abs(estimator.sample(DRAWS, SEED)).max() < 1e8


def test_sources_of_randomness() -> None:
    estimator = RKDE(bandwidth=1.0).fit(DATA)
    first = estimator.sample(20, random_state=SEED)
    np.testing.assert_array_equal(estimator.sample(20, random_state=SEED), first)
    np.testing.assert_array_equal(estimator.sample(20, random_state=np.random.default_rng(SEED)), first)
    legacy = np.random.RandomState(SEED)
    drawn = estimator.sample(20, random_state=legacy)
    again = estimator.sample(20, random_state=np.random.RandomState(SEED))
    np.testing.assert_array_equal(again, drawn)
    # Both kinds of state go on.
    assert (estimator.sample(20, random_state=legacy) != drawn).any()
    rng = np.random.default_rng(SEED)
    assert (estimator.sample(20, random_state=rng) != estimator.sample(20, random_state=rng)).any()


def test_a_legacy_state_hands_over_whole_words() -> None:
    """Seeds with fewer bits would meet after few draws: of 200 words some are in the upper half."""
    legacy = np.random.RandomState(SEED)
    sequences = [generator_from(legacy).bit_generator.seed_seq for _ in range(50)]
    words = np.array([sequence.entropy for sequence in sequences])  # type: ignore[attr-defined]
    assert words.shape == (50, 4)
    assert np.unique(words).size == words.size
    assert words.min() < 2**31 <= words.max() < 2**32


def test_the_estimator_has_a_source_of_its_own() -> None:
    seeded = RKDE(bandwidth=1.0, random_state=SEED).fit(DATA)
    np.testing.assert_array_equal(seeded.sample(20), seeded.sample(20, random_state=SEED))
    free = RKDE(bandwidth=1.0).fit(DATA)
    assert (free.sample(20) != free.sample(20)).any()


def test_the_global_state_is_neither_read_nor_changed() -> None:
    estimator = RKDE(bandwidth=1.0).fit(DATA)
    np.random.seed(SEED)  # noqa: NPY002 (the state that must be left alone)
    before = np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002
    first = estimator.sample(20)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # type: ignore[index]  # noqa: NPY002
    np.random.seed(SEED)  # noqa: NPY002
    assert (estimator.sample(20) != first).any()


def test_shapes() -> None:
    estimator = RKDE(bandwidth=1.0).fit([[0.0, 1.0], [2.0, 3.0]])
    assert estimator.sample().shape == (1, 2)
    assert estimator.sample(0).shape == (0, 2)
    assert estimator.sample(7, 1).shape == (7, 2)
