"""Kernel estimates whose bandwidth varies from row to row (section 6.1.1)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, TableLike, as_count, as_table, read_only
from rkde.fast._resources import counted, summary_html, summary_text
from rkde.fast.estimates.kde import kde
from rkde.fast.kernels import Kernel, checked_kernel, draw_mixture
from rkde.fast.operators import log_sum_exp
from rkde.fast.rkhs import exp_log_density, mixture_log_density
from rkde.vocabulary import VkdeRule


@dataclass(frozen=True, slots=True, eq=False)
class VariableEstimate(ABC):
    """The mean of kernels of different bandwidths.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        With the bandwidth that the others are multiples of.
    bandwidths : ndarray, shape (n,)
        h_i, in units of the data.
    """

    X: Floats
    kernel: Kernel
    bandwidths: Floats

    def __repr__(self) -> str:
        """Say in a few lines what the estimate is; `dataclasses.asdict` holds everything."""
        return summary_text(*self._summary())

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html(*self._summary())

    def log_density(self, queries: TableLike) -> Floats:
        """Return log of (1/n) sum_i k_{h_i}(x, X_i) at queries of shape (m, d), shape (m,)."""
        return mixture_log_density(self.X, self.kernel, self._weights(), queries, stretch=self._stretch())

    def density(self, queries: TableLike) -> Floats:
        """Return the estimate at queries of shape (m, d), shape (m,); infinite or 0 beyond float64."""
        return exp_log_density(self.log_density(queries))

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        return draw_mixture(self.X, self.kernel, self._weights(), n, rng, self._stretch())

    def _summary(self) -> tuple[str, list[tuple[str, str]]]:
        n, d = self.X.shape
        title = f"variable kernel density estimate of {counted(n, 'row')}, {counted(d, 'column')}"
        widths = f"{self.bandwidths.min():.4g} to {self.bandwidths.max():.4g}"
        return title, [("kernel", repr(self.kernel)), ("bandwidths", widths), *self._rule()]

    @abstractmethod
    def _rule(self) -> list[tuple[str, str]]:
        """Return the line that says where the bandwidths come from."""

    def _weights(self) -> Floats:
        return np.full(len(self.X), 1 / len(self.X))

    def _stretch(self) -> Floats:
        return self.bandwidths / self.kernel.bandwidth


VKDE_RULES: Final[tuple[VkdeRule, ...]] = ("abramson", "geometric")


@dataclass(frozen=True, slots=True, eq=False)
class Vkde(VariableEstimate):
    """A variable kernel density estimate (section 6.1.2): equal weights, a bandwidth for each row.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        The pilot's kernel; the estimate uses it with each of `bandwidths`.
    rule : {"abramson", "geometric"}
        The mean in `log_eta`.
    bandwidths : ndarray, shape (n,)
        h_i, in units of the data.
    log_eta : float
        Natural logarithm of eta, the rule's mean of the pilot densities at the rows.

    Examples
    --------
    >>> from rkde.fast import Gaussian, vkde
    >>> estimate = vkde([[0.0], [0.5], [4.0]], Gaussian(1.0))
    >>> bool(estimate.bandwidths[2] > estimate.bandwidths[0])
    True
    >>> estimate.density([[0.0]]).shape
    (1,)
    """

    rule: VkdeRule
    log_eta: float

    # A dataclass would write each row.
    __repr__ = VariableEstimate.__repr__

    def _rule(self) -> list[tuple[str, str]]:
        return [("rule", f"{self.rule}, log eta = {self.log_eta:.4g}")]


def vkde(X: TableLike, kernel: Kernel, *, rule: VkdeRule = "abramson") -> Vkde:
    """Return the estimate of section 6.1.2 with bandwidths h_i = h (eta / f_KDE(X_i))^(1/2).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        Its bandwidth h is the pilot's; the pilot is the KDE at the rows, each row itself included.
    rule : {"abramson", "geometric"}
        eta is the arithmetic mean of the pilot densities (the paper's), or their geometric mean.

    Returns
    -------
    Vkde

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers, `kernel` is not a kernel, or the rule is unknown.

    Notes
    -----
    n^2 kernel evaluations. Since n k(0,0) bounds the pilot densities' ratios, h_i / h lies between
    n^(-1/2) and n^(1/2); everything else stays in logarithms.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> vkde([[0.0], [1.0], [5.0]], Gaussian(1.0)).bandwidths.round(6)
    array([0.935036, 0.934939, 1.184949])
    """
    if rule not in VKDE_RULES:
        raise InvalidInput(
            "must be the name of a rule",
            where="rule",
            value=rule,
            remedy=f"use one of {', '.join(VKDE_RULES)}",
        )
    pilot = kde(X, kernel)
    log_pilot = pilot.log_density(pilot.X)
    if rule == "geometric":
        log_eta = float(log_pilot.mean())
    else:
        log_eta = float(log_sum_exp(log_pilot[np.newaxis].copy())[0]) - math.log(len(log_pilot))
    bandwidths = kernel.bandwidth * np.exp((log_eta - log_pilot) / 2)
    return Vkde(pilot.X, kernel, read_only(bandwidths), rule, log_eta)


# Pairs compared at once: 2**20 float64 are 8 MiB.
_BLOCK_PAIRS: Final = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class NearestVkde(VariableEstimate):
    """Equal weights, bandwidths in proportion to distances to the k-th neighbour (section 6.1.2).

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        Its bandwidth is the median of `bandwidths`.
    neighbours : int
        k.
    bandwidths : ndarray, shape (n,)
        h_i, in units of the data.

    Examples
    --------
    >>> from rkde.fast import Gaussian, nearest_vkde
    >>> estimate = nearest_vkde([[0.0], [1.0], [5.0]], Gaussian(2.0), 1)
    >>> estimate.neighbours, estimate.density([[0.5]]).round(6)
    (1, array([0.14308]))
    """

    neighbours: int

    # A dataclass would write each row.
    __repr__ = VariableEstimate.__repr__

    def _rule(self) -> list[tuple[str, str]]:
        return [("rule", f"distance to neighbour {self.neighbours}")]


def nearest_vkde(X: TableLike, kernel: Kernel, neighbours: int) -> NearestVkde:
    """Return the estimate with bandwidths h_i = h d_i / median(d), d_i the k-th nearest distance.

    Section 6.1.2 mentions such a variant and gives no formula. With this one k = 1 and the paper's bandwidth
    rule give each row the distance to its own nearest neighbour.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        Its bandwidth h becomes the median of the bandwidths.
    neighbours : int
        k: d_i is the k-th smallest of the positive distances from row i to the others, so that rows at the
        same place do not count and no bandwidth is 0.

    Returns
    -------
    NearestVkde

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers, `kernel` is not a kernel, or some row has fewer than k others at a
        positive distance.

    Notes
    -----
    n^2 d operations. Distances are square roots of sums of squared differences; the data must not be so
    large or small that these overflow or vanish.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> nearest_vkde([[0.0], [1.0], [5.0]], Gaussian(2.0), 1).bandwidths
    array([2., 2., 8.])
    """
    checked_kernel(kernel)
    count = as_count(neighbours, where="neighbours", minimum=1)
    rows = read_only(as_table(X))
    distances = _neighbour_distances(rows, count)
    lacking = np.flatnonzero(~np.isfinite(distances))
    if len(lacking):
        raise InvalidInput(
            f"must be at most the number of rows that differ from row {int(lacking[0])}",
            where="neighbours",
            value=count,
            remedy="pass a smaller number",
        )
    bandwidths = kernel.bandwidth * (distances / np.median(distances))
    return NearestVkde(rows, kernel, read_only(bandwidths), count)


def _neighbour_distances(rows: Floats, count: int) -> Floats:
    """Return the `count`-th smallest positive distance of each row to the others; inf where there is none.

    Rows that share a place other than the row's own count each.
    """
    if count >= len(rows):
        return np.full(len(rows), np.inf)
    distances = np.empty(len(rows))
    step = max(1, _BLOCK_PAIRS // len(rows))
    for start in range(0, len(rows), step):
        block = cdist(rows[start : start + step], rows)
        block[block == 0] = np.inf
        block.partition(count - 1, axis=1)
        distances[start : start + step] = block[:, count - 1]
    return distances
