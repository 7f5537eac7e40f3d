"""Drawing from a weighted mixture of kernels."""

from __future__ import annotations

import sys

import numpy as np

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, as_count
from rkde.fast.kernels.protocol import Kernel


def draw_mixture(
    points: Floats,
    kernel: Kernel,
    weights: Floats,
    n: int,
    rng: np.random.Generator | int,
    stretch: Floats | None = None,
) -> Floats:
    """Draw from sum_i w_i k(., X_i): a row by its weight, then a displacement from the kernel.

    Shapes: points (m, d), the rows X_i; weights (m,); stretch (m,), factors on the bandwidth, one a row;
    result (n, d).
    """
    count = as_count(n, where="n", minimum=0)
    most = sys.maxsize // (points.shape[1] * points.itemsize)
    if count > most:
        raise InvalidInput(
            f"must be at most {most}", where="n", value=count, remedy="draw fewer points at a time"
        )
    generator = _generator(rng)
    kept = np.flatnonzero(weights > 0)
    shares = weights[kept] / weights[kept].sum()
    centres = kept[generator.choice(len(kept), size=count, p=shares)]
    scale = np.full(count, kernel.bandwidth) if stretch is None else kernel.bandwidth * stretch[centres]
    noise = kernel.unit_noise(generator, count, points.shape[1])
    # A kernel with heavy tails can throw a draw beyond float64; infinity is then the nearest answer.
    with np.errstate(over="ignore", under="ignore"):
        return points[centres] + scale[:, np.newaxis] * noise


def _generator(rng: np.random.Generator | int) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    try:
        return np.random.default_rng(as_count(rng, where="rng", minimum=0))
    except InvalidType:
        raise InvalidType(
            "must be a numpy.random.Generator or a seed",
            where="rng",
            value=rng,
            remedy="pass numpy.random.default_rng(seed), or the seed",
        ) from None
