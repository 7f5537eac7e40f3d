"""What the timings were made on, and what that machine could do at best."""

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

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


def processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text("utf-8").splitlines() if described.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def describe() -> list[str]:
    """Return lines that name the processor, the versions and the threads of the linear algebra."""
    libraries = [
        f"{info['internal_api']} {info.get('version')} with {info['num_threads']} threads"
        for info in threadpool_info()
    ]
    found = "; ".join(libraries) or "no BLAS found"
    return [
        f"{processor()}, {os.cpu_count()} processors seen, {platform.system()}",
        f"python {platform.python_version()}, numpy {np.__version__}, {found}",
    ]
