"""1 - exp(-x) by both ways against many digits: on the grid of the table, beside it, between, at the ends."""

from typing import Any

import mpmath
import numpy as np
import pytest

from rkde.fast._float64 import SATURATION, exponential, neg_expm1
from rkde.fast._float64.exponential import by_functions, by_table
from rkde.proofs_checks.tolerances import ELEMENTARY_ULP, elementwise
from tests.support.compare import assert_relative

GRID = np.arange(0, int(SATURATION) * 256 + 1, 61) / 256
HALFWAY = GRID + 1 / 512
# Halfway between 0 or 2^-8 and the next the table is used farthest from itself, relative to the result.
CORNER = np.concatenate([np.linspace(1 - 2e-3, 1 + 2e-3, 500) / 512, np.linspace(2.99, 3.01, 200) / 512])
RANDOM = np.random.default_rng(11).uniform(0, 40, 500)
TINY = np.array([0.0, 5e-324, 1e-310, 1e-300, 1e-20, 2.0**-54, 1e-9, 2.0**-10, 2.0**-9])
POINTS = np.concatenate([
    GRID, np.nextafter(GRID, 0), HALFWAY, np.nextafter(HALFWAY, 0), np.nextafter(HALFWAY, 99), CORNER,
    RANDOM, TINY, [SATURATION, np.nextafter(SATURATION, 0), np.nextafter(SATURATION, 99), 700.0, 1e17, 1e308],
])  # fmt: skip


def functions(exponent: Any) -> Any:
    return by_functions(exponent, int((exponent < SATURATION).sum()))


@pytest.mark.parametrize("way", [by_table, functions, neg_expm1])
def test_against_many_digits(way: Any) -> None:
    with mpmath.workprec(120):
        exact = [-mpmath.expm1(-mpmath.mpf(float(x))) for x in POINTS]
    assert_relative(way(POINTS.copy()), exact, elementwise(ELEMENTARY_ULP), way.__name__)


def test_entries_of_the_table_are_off_by_a_unit_at_most() -> None:
    """What the bound of the whole is derived from; it is nearest to that where the entries are smallest."""
    places = [*range(64), *range(64, len(exponential._GRID), 61)]
    with mpmath.workprec(120):
        for place in places:
            exact = mpmath.exp(-mpmath.mpf(float(exponential._GRID[place])))
            unit = float(np.spacing(exponential._COMPLEMENTS[place]))
            assert abs(mpmath.mpf(float(exponential._COMPLEMENTS[place])) - (1 - exact)) <= unit
            unit = float(np.spacing(exponential._PROFILES[place]))
            assert abs(mpmath.mpf(float(exponential._PROFILES[place])) - exact) <= unit


@pytest.mark.parametrize("way", [by_table, functions, neg_expm1])
def test_ends_of_the_range(way: Any) -> None:
    assert way(np.array([np.inf, SATURATION, 0.0])).tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("has_vectors", [False, True])
def test_many_entries_few_of_them_near(has_vectors: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exponential, "_HAS_VECTORS", has_vectors)
    x = np.full(40_000, 50.0)
    x[::5] = np.linspace(0, 37, 8000)
    wanted = neg_expm1(x[::5].copy())
    result = neg_expm1(x)
    assert result is x
    assert np.array_equal(x[::5], wanted)
    assert (np.delete(x, slice(None, None, 5)) == 1).all()


def test_the_value_depends_on_the_argument_alone() -> None:
    x = np.linspace(0, 40, 50_000)
    whole = by_table(x.copy())
    assert np.array_equal(np.concatenate([by_table(part.copy()) for part in np.split(x, 10)]), whole)
    assert np.array_equal(by_table(x.reshape(100, 500).copy(order="F")), whole.reshape(100, 500))
