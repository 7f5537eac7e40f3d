"""The data and the fits that the timings are made on."""

import numpy as np

import rkde.fast as rk

Array = np.ndarray
SEED = 20120901
# As in the paper's contaminated samples: a tenth of the rows is uniform over a box that holds the others.
CONTAMINATED_SHARE = 0.1
HALF_WIDTH = 6.0
# Three clusters of the mixture, so that the density is uneven.
CENTRES = 3.0


def mixture(n: int, dim: int, seed: int = SEED) -> Array:
    """Return n rows of three normal clusters with a tenth uniform over a box, in random order."""
    rng = np.random.default_rng(seed)
    n_uniform = round(CONTAMINATED_SHARE * n)
    centres = rng.uniform(-CENTRES, CENTRES, (3, dim))
    nominal = centres[rng.integers(3, size=n - n_uniform)] + rng.standard_normal((n - n_uniform, dim))
    rows = np.vstack([nominal, rng.uniform(-HALF_WIDTH, HALF_WIDTH, (n_uniform, dim))])
    return rows[rng.permutation(n)]


def kernel_of(X: Array) -> rk.Gaussian:
    """Return the Gaussian kernel of the paper's bandwidth."""
    return rk.Gaussian(rk.median_nn(X))


def hampel_at(X: Array, operator: object) -> rk.Hampel:
    """Return Hampel's loss with thresholds at the quantiles of the uniform weights' residuals."""
    norms = operator.residual_norms(np.full(len(X), 1 / len(X)))  # type: ignore[attr-defined]
    return rk.Hampel(*rk.thresholds(norms))
