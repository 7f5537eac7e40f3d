"""The robust estimate of a checkout of lminvielle/mom-kde, and the same steps by rkde.

The checkout is named by the environment variable MOM_KDE and read, never copied. Its Hampel psi puts the
values of its branches one after another, and so in another order than their arguments; it is repaired in
memory, without which no answer could be compared.
"""

import contextlib
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import rkde.fast as rk
from benchmarks.speed.workloads import Array
from rkde.fast.operators import KernelOperator

Builder = Callable[[Array, rk.Gaussian], KernelOperator]
VARIABLE = "MOM_KDE"
# Its own quantiles, stopping rule, and cap.
LEVELS = (0.5, 0.75, 0.95)
STOP = rk.RelativeObjective(tol=1e-7)
MOST_STEPS = 100
# The same steps differ by rounding, which Hampel's narrow ramp magnifies; another number of steps, or another
# threshold, moves weights by far more.
AGREEMENT = 1e-8
# Used by an estimate that is not asked for here, and seldom installed.
UNUSED = "cvxopt"


@dataclass(frozen=True, eq=False)
class Fit:
    """Density at the queries, in units of the data, and weights of the rows."""

    density: Array
    weights: Array


@dataclass(frozen=True)
class Gap:
    """The largest differences of weights and of densities, over the largest weight and density."""

    weights: float
    density: float

    @property
    def is_closed(self) -> bool:
        """Whether both answer the same question."""
        return max(self.weights, self.density) <= AGREEMENT

    def __str__(self) -> str:
        answers = "" if self.is_closed else "NOT THE SAME ANSWER: "
        return f"{answers}weights off by {self.weights:.1e}, density by {self.density:.1e} of the largest"


def checkout(folder: Path | None = None) -> Path | None:
    """Return the folder given, or that of the environment, if there is one."""
    named = os.environ.get(VARIABLE)
    return folder or (Path(named) if named else None)


def library_in(folder: Path) -> ModuleType | None:
    """Return the checkout's module with its psi repaired, None where the folder holds none."""
    if not (folder / "libs" / "kde_lib.py").is_file():
        return None
    if UNUSED not in sys.modules and importlib.util.find_spec(UNUSED) is None:
        stand_in: Any = ModuleType(UNUSED)
        stand_in.matrix = stand_in.solvers = None
        sys.modules[UNUSED] = stand_in
    sys.path.insert(0, str(folder))
    try:
        library = importlib.import_module("libs.kde_lib")
    finally:
        sys.path.remove(str(folder))
    patched: Any = library
    patched.psi = _psi
    return library


def theirs(library: Any, X: Array, queries: Array, bandwidth: float) -> Callable[[], Fit]:
    """Return their fit with Hampel's loss and their scores."""

    def work() -> Fit:
        # It tells each number of iterations.
        with contextlib.redirect_stdout(io.StringIO()):
            density, weights = library.rkde(X, queries, bandwidth, "hampel", return_model=True)
        return Fit(np.ravel(density), np.ravel(weights))

    return work


def ours(X: Array, queries: Array, bandwidth: float, build: Builder) -> Callable[[], Fit]:
    """Return the same steps by rkde: both stages from uniform weights, by their stopping rule."""
    kernel = rk.Gaussian(bandwidth)

    def work() -> Fit:
        operator = build(X, kernel)
        median = rk.kirwls(X, kernel, rk.Absolute(), stop=STOP, max_iter=MOST_STEPS, operator=operator)
        loss = rk.Hampel(*rk.thresholds(median.residual_norms, quantiles=LEVELS))
        found = rk.kirwls(X, kernel, loss, stop=STOP, max_iter=MOST_STEPS, operator=operator)
        density = rk.log_density(X, kernel, found.weights, queries, threads=1)
        return Fit(np.exp(density), found.weights)

    return work


def gap(first: Fit, second: Fit) -> Gap:
    """Return how far two fits are apart."""
    return Gap(
        float(np.abs(first.weights - second.weights).max() / second.weights.max()),
        float(np.abs(first.density - second.density).max() / second.density.max()),
    )


def _psi(x: Array, typ: str = "hampel", a: float = 0, b: float = 0, c: float = 0) -> Array | int:
    if typ == "abs":
        return 1
    return np.where(x < b, np.minimum(x, a), a * np.clip((c - x) / (c - b), 0, 1))
