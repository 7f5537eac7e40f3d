"""The plain kernel density estimate of section 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.fast._float64 import Floats, TableLike, as_table, read_only, read_sample_weight
from rkde.fast._resources import Compute, Limits, checked_resources, counted, summary_html, summary_text
from rkde.fast.kernels import Kernel, checked_kernel, draw_mixture
from rkde.fast.rkhs import exp_log_density, mixture_log_density


@dataclass(frozen=True, slots=True, eq=False)
class Kde:
    """A kernel density estimate (section 2): equal weights, or those of the rows.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        The kernel.
    weights : ndarray, shape (n,)
        1/n each, or the sample weights over their sum.

    Examples
    --------
    >>> from rkde.fast import Gaussian, kde
    >>> estimate = kde([[0.0], [2.0]], Gaussian(1.0))
    >>> estimate.weights, estimate.density([[1.0]]).round(6)
    (array([0.5, 0.5]), array([0.241971]))
    """

    X: Floats
    kernel: Kernel
    weights: Floats

    def __repr__(self) -> str:
        """Say in a few lines what the estimate is; `dataclasses.asdict` holds everything."""
        return summary_text(*_summary(self))

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html(*_summary(self))

    def log_density(
        self,
        queries: TableLike,
        *,
        compute: Compute | None = None,
        **limits: Unpack[Limits],
    ) -> Floats:
        """Return the natural logarithm of the estimate at queries of shape (m, d), shape (m,).

        `compute` and the other keywords are those of `rkde.fast.log_density`.
        """
        with checked_resources(compute, limits).running() as resources:
            return mixture_log_density(self.X, self.kernel, self.weights, queries, resources=resources)

    def density(
        self,
        queries: TableLike,
        *,
        compute: Compute | None = None,
        **limits: Unpack[Limits],
    ) -> Floats:
        """Return the estimate at queries of shape (m, d), shape (m,); infinite or 0 beyond float64.

        `compute` and the other keywords are those of `rkde.fast.log_density`.
        """
        with checked_resources(compute, limits).running() as resources:
            logs = mixture_log_density(self.X, self.kernel, self.weights, queries, resources=resources)
            return exp_log_density(logs)

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        return draw_mixture(self.X, self.kernel, self.weights, n, rng)


def _summary(estimate: Kde) -> tuple[str, list[tuple[str, str]]]:
    """Return title and lines."""
    n, d = estimate.X.shape
    title = f"kernel density estimate of {counted(n, 'row')}, {counted(d, 'column')}"
    weights = estimate.weights
    equal = f"1/{n} each" if weights.min() == weights.max() else f"{weights.min():.4g} to {weights.max():.4g}"
    return title, [("kernel", repr(estimate.kernel)), ("weights", equal)]


def kde(X: TableLike, kernel: Kernel, *, sample_weight: ArrayLike | None = None) -> Kde:
    """Return the kernel density estimate sum_i p_i k(x, X_i), p_i = 1/n by default, of section 2.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    Kde

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers, `kernel` is not a kernel, or the weights break a rule.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> kde([[0.0], [1.0], [2.0]], Gaussian(1e-5)).log_density([[0.0]]).round(9)
    array([9.49537464])
    """
    checked_kernel(kernel)
    rows = read_only(as_table(X))
    given = read_sample_weight(sample_weight, len(rows))
    weights = np.full(len(rows), 1 / len(rows)) if given is None else given.spread(given.counts / given.total)
    return Kde(rows, kernel, read_only(weights))
