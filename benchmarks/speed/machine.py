"""What the timings were made on, and what that machine could do at best."""

import time
from collections.abc import Callable

import numpy as np

from rkde.machine import describe_machine, pool_text, texts

FLOAT64_BYTES = np.dtype(np.float64).itemsize
# Enough that one of them is undisturbed on a machine that others use too.
REPETITIONS = 25
EXPONENTIALS_IN_PROBE = 2**18


def best_seconds(action: Callable[[], object]) -> float:
    """Time an action some times and return the shortest."""
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def reading_seconds(n_bytes: int) -> float:
    """Return how long BLAS takes to read that many bytes once."""
    vector = np.ones(n_bytes // FLOAT64_BYTES)
    # One vector with itself: each byte is read once.
    return best_seconds(lambda: np.dot(vector, vector))


def exponential_seconds() -> float:
    """Return how long numpy takes for one exponential, in a long array of them."""
    arguments = -np.linspace(0, 1, EXPONENTIALS_IN_PROBE)
    answers = np.empty_like(arguments)
    return best_seconds(lambda: np.exp(arguments, out=answers)) / arguments.size


def machine_info() -> dict[str, object]:
    """Return what a stored run is of."""
    found = describe_machine()
    return {**texts(found), "python": found.python, "libraries": found.libraries}


def describe() -> list[str]:
    """Return lines that name the processor, the versions, and the kernel and threads of the BLAS."""
    found = describe_machine()
    libraries = ", ".join(f"{name} {found.libraries[name]}" for name in ("numpy", "scipy"))
    pools = "; ".join(pool_text(pool) for pool in found.pools) or "no BLAS found"
    return [
        f"{found.processor}, {found.processors} processors usable, {found.system}",
        f"rkde {found.rkde}, python {found.python}, {libraries}; {pools}",
        f"instruction sets that numpy uses: {' '.join(found.simd.found) or 'only what it was built with'}",
    ]
