"""What the machine can do at best: the yardsticks beside which times are printed."""

from pathlib import Path

import numpy as np
from scipy.linalg.blas import ddot
from scipy.spatial import cKDTree

from benchmarks.speed.timing import Action, processor_seconds

# An array of so many times the last cache comes from memory, whatever of it was cached before.
CACHES = 8
# Where the system does not tell the size of the last cache.
USUAL_CACHE = 2**25
REPETITIONS = 9
TILE = (256, 512)


def last_cache_bytes() -> int:
    """Return the size of the largest cache that the system tells of."""
    units = {"K": 2**10, "M": 2**20}
    sizes = []
    for described in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        text = described.read_text("ascii").strip()
        sizes.append(int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text))
    return max(sizes, default=USUAL_CACHE)


def read_bandwidth() -> float:
    """Return the bytes a second at which BLAS reads an array from memory on one thread, best of some."""
    array = np.ones(CACHES * last_cache_bytes() // np.dtype(np.float64).itemsize)
    times = []
    for _ in range(REPETITIONS):
        # Seconds of the processor: those of the clock count other processes in.
        times.append(processor_seconds(lambda: ddot(array, array)))
    return float(array.nbytes / min(times))


def half_matrix_action(n: int, dim: int) -> Action:
    """Return one matrix product and one exponential for each of n^2 / 2 entries, tile by tile, in cache."""
    left, right = np.ones((TILE[0], dim + 2)), np.ones((dim + 2, TILE[1]))
    tile = np.empty(TILE)
    arguments = -np.linspace(0, 40, tile.size).reshape(TILE)
    count = max(1, round(n * n / 2 / tile.size))

    def work() -> None:
        for _ in range(count):
            np.matmul(left, right, out=tile)
            np.exp(arguments, out=tile)

    return work


def neighbour_action(X: np.ndarray) -> Action:
    """Return the search of each row's nearest other row by a k-d tree."""
    return lambda: cKDTree(X).query(X, k=2)


def symmetric_read_action(n: int) -> Action:
    """Return reading n^2 / 2 numbers: what a product with a stored symmetric matrix must do."""
    array = np.ones(n * n // 2)
    return lambda: ddot(array, array)
