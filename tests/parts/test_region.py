"""Highest-density regions against closed forms, nested, in any unit; and what is refused."""

import math

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput
from rkde.fast import highest_density_region
from rkde.proofs_checks import tolerances

DRAWS = 20_000
BAND = tolerances.distribution_band(DRAWS)
SEED = 20_261_129


@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
def test_the_region_of_one_gaussian_kernel_is_a_disc(level: float) -> None:
    # P(|Z|^2 <= r^2) = 1 - exp(-r^2 / 2) in the plane: the density at its edge is (1 - level) / (2 pi h^2).
    model = rkde.fast.rkde([[3.0, -1.0]] * 3, bandwidth=2.0, loss="quadratic")
    found = highest_density_region(model, level, n_draws=DRAWS, rng=SEED)
    held = 1 - math.exp(found.log_threshold) * 2 * math.pi * 4
    assert abs(held - level) <= BAND
    assert found.contains([[3.0, -1.0]]).all()
    assert not found.contains([[30.0, -1.0]]).any()


def test_regions_are_nested_and_hold_their_share_of_new_draws() -> None:
    rng = np.random.default_rng(SEED)
    rows = np.vstack([rng.normal(size=(150, 2)), rng.normal(size=(100, 2)) + 7])
    model = rkde.fit(rows)
    new = model.sample(DRAWS, rng)
    before = np.zeros(DRAWS, dtype=bool)
    for level in (0.2, 0.6, 0.9, 0.99):
        inside = highest_density_region(model, level, n_draws=DRAWS).contains(new)
        assert abs(inside.mean() - level) <= 2 * BAND
        assert inside[before].all()
        before = inside


def test_units_do_not_matter() -> None:
    rows = np.random.default_rng(SEED).normal(size=(80, 2))
    factors = np.array([1024.0, 1 / 8])
    one, two = rkde.fit(rows), rkde.fit(rows * factors)
    found = highest_density_region(one, 0.7), highest_density_region(two, 0.7)
    queries = np.random.default_rng(1).normal(size=(500, 2)) * 2
    assert (found[0].contains(queries) == found[1].contains(queries * factors)).all()


@pytest.mark.parametrize(
    ("level", "n_draws", "where"),
    [(0.0, 10, "level"), (1.0, 10, "level"), (math.nan, 10, "level"), (0.5, 0, "n_draws")],
)
def test_refusals(level: float, n_draws: int, where: str) -> None:
    model = rkde.fast.rkde([[0.0], [1.0]], bandwidth=1.0, loss="quadratic")
    with pytest.raises(InvalidInput) as caught:
        highest_density_region(model, level, n_draws=n_draws)
    assert caught.value.where == where
