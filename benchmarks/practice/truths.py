"""Laws of good rows whose density is known in closed form."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import stats
from scipy.special import logsumexp

Array = np.ndarray[Any, np.dtype[np.float64]]


class Truth(Protocol):
    """A law that can be drawn from and whose density is known."""

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        """Return rows, shape (size, d)."""
        ...

    def log_density(self, rows: Array) -> Array:
        """Return the natural log density at rows of shape (m, d), shape (m,)."""
        ...


@dataclass(frozen=True, slots=True)
class Normals:
    """A mixture of normal laws: shares, shape (k,), means, (k, d), and covariances, (k, d, d)."""

    shares: Array
    means: Array
    covariances: Array

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        parts = rng.choice(len(self.shares), size, p=self.shares)
        roots = np.linalg.cholesky(self.covariances)
        noise = rng.normal(size=(size, self.means.shape[1]))
        moved: Array = self.means[parts] + np.einsum("nij,nj->ni", roots[parts], noise)
        return moved

    def log_density(self, rows: Array) -> Array:
        roots = np.linalg.cholesky(self.covariances)
        moved = rows[np.newaxis] - self.means[:, np.newaxis]
        standard = np.linalg.solve(roots, moved.transpose(0, 2, 1))
        sizes = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        logs = stats.norm.logpdf(standard).sum(axis=1) - sizes[:, np.newaxis]
        return np.asarray(logsumexp(logs + np.log(self.shares)[:, np.newaxis], axis=0))


@dataclass(frozen=True, slots=True)
class Columns:
    """Independent columns, each with a law of scipy's."""

    laws: tuple[Any, ...]

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        return np.column_stack([law.rvs(size, random_state=rng) for law in self.laws])

    def log_density(self, rows: Array) -> Array:
        return np.asarray(sum(law.logpdf(rows[:, j]) for j, law in enumerate(self.laws)))


@dataclass(frozen=True, slots=True)
class Banana:
    """A standard normal column x and a second one, x^2 and noise of the given deviation."""

    noise: float

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        first = rng.normal(size=size)
        return np.column_stack([first, first**2 + self.noise * rng.normal(size=size)])

    def log_density(self, rows: Array) -> Array:
        second = stats.norm(0, self.noise).logpdf(rows[:, 1] - rows[:, 0] ** 2)
        return np.asarray(stats.norm.logpdf(rows[:, 0]) + second)


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring of radius 1: a uniform angle, and a radius normal about 1, which never comes near to 0."""

    noise: float

    def draw(self, rng: np.random.Generator, size: int) -> Array:
        angle = rng.uniform(0, 2 * np.pi, size)
        radius = 1 + self.noise * rng.normal(size=size)
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

    def log_density(self, rows: Array) -> Array:
        radius = np.hypot(rows[:, 0], rows[:, 1])
        return np.asarray(stats.norm(1, self.noise).logpdf(radius) - np.log(2 * np.pi * radius))


def normal(scales: list[float], correlation: float = 0.0) -> Normals:
    """Return one normal law about 0 with these deviations and one correlation between all columns."""
    spread = np.asarray(scales)
    matrix = np.full((len(spread), len(spread)), correlation)
    np.fill_diagonal(matrix, 1.0)
    return Normals(np.ones(1), np.zeros((1, len(spread))), (matrix * np.outer(spread, spread))[np.newaxis])


def round_clusters(shares: list[float], means: list[list[float]], scales: list[float]) -> Normals:
    """Return round normal clusters."""
    dim = len(means[0])
    covariances = np.array([scale**2 * np.eye(dim) for scale in scales])
    return Normals(np.asarray(shares), np.asarray(means, dtype=float), covariances)
