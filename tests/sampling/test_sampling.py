"""Draws follow the density: each law is judged by its distribution function, on a fixed seed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from rkde.fast import Gaussian, Kde, Laplacian, Student, kde, vkde
from rkde.proofs_checks import tolerances

Floats = NDArray[np.float64]
Law = Callable[[Floats], Floats]

SEED = 20_120_902
DRAWS = 20_000
DOF = 3.0
BANDWIDTH = 0.5
# The norm of a draw about its row over the bandwidth, by kernel and dimension. Student: |Z|^2/d is F(d, nu);
# Laplacian: the density exp(-r) r^(d-1) of the radius is Gamma(d).
RADII: dict[str, tuple[Any, Callable[[int], Law]]] = {
    "gaussian": (Gaussian(BANDWIDTH), lambda d: lambda r: stats.chi(d).cdf(r)),
    "student": (Student(BANDWIDTH, DOF), lambda d: lambda r: stats.f(d, DOF).cdf(r**2 / d)),
    "laplacian": (Laplacian(BANDWIDTH), lambda d: lambda r: stats.gamma(d).cdf(r)),
}

each_kernel = pytest.mark.parametrize(("kernel", "law"), RADII.values(), ids=RADII)


def assert_follows(draws: Floats, law: Law) -> None:
    """The empirical distribution function stays within its band around the law."""
    ordered = np.sort(draws)
    n = len(ordered)
    exact = law(ordered)
    above, below = np.arange(1, n + 1) / n - exact, exact - np.arange(n) / n
    assert max(above.max(), below.max()) <= tolerances.distribution_band(n)


@each_kernel
@pytest.mark.parametrize("dim", [1, 2, 5])
def test_radius_of_one_kernel(kernel: Any, law: Any, dim: int) -> None:
    centre = np.arange(dim) * 10.0
    draws = kde([centre], kernel).sample(DRAWS, SEED)
    assert draws.shape == (DRAWS, dim)
    assert_follows(np.linalg.norm(draws - centre, axis=1) / BANDWIDTH, law(dim))


@each_kernel
def test_direction_of_one_kernel(kernel: Any, law: Any) -> None:
    x, y = kde([[0.0, 0.0]], kernel).sample(DRAWS, SEED).T
    assert_follows(np.arctan2(y, x), lambda angle: (angle + np.pi) / (2 * np.pi))


def _mixture_law(model: Kde) -> Law:
    """The distribution function of a weighted Gaussian mixture in one dimension."""
    centres = model.X[:, 0]
    return lambda x: np.asarray(stats.norm(centres, BANDWIDTH).cdf(x[:, None]) @ model.weights)


DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]


def test_mixture_of_the_kde() -> None:
    model = kde(DATA, Gaussian(BANDWIDTH))
    assert_follows(model.sample(DRAWS, SEED)[:, 0], _mixture_law(model))


def test_mixture_of_variable_bandwidths() -> None:
    model = vkde(DATA, Gaussian(BANDWIDTH))
    centres, widths = np.array(DATA)[:, 0], model.bandwidths
    draws = model.sample(DRAWS, SEED)[:, 0]
    assert_follows(draws, lambda x: np.asarray(stats.norm(centres, widths).cdf(x[:, None]).mean(axis=1)))


@each_kernel
def test_a_seed_decides_the_draws(kernel: Any, law: Any) -> None:
    model = kde(DATA, kernel)
    first = model.sample(50, SEED)
    np.testing.assert_array_equal(model.sample(50, SEED), first)
    np.testing.assert_array_equal(model.sample(50, np.random.default_rng(SEED)), first)
    assert (model.sample(50, SEED + 1) != first).any()
