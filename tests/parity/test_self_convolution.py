"""(k*k)(z) / (k*k)(0) and 1 minus it, against the reference."""

from typing import Any, Final

import numpy as np
import pytest

from rkde.fast._float64 import at_many
from rkde.fast.kernels.convolution import laplacian_self, laplacian_self_complement, student_self
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec
from tests.support.compare import assert_within
from tests.support.implementations import FAST, FINE_REFERENCE, Implementation, numbers

SQUARES: Final = (0.0, 1e-24, 1e-9, 1e-3, 0.5, 3.0, 40.0, 1e3, 1e6)
DIMENSIONS: Final = (1, 2, 10, 301)
BANDWIDTH: Final = 0.75
SPECS: Final = (
    KernelSpec("gaussian", BANDWIDTH),
    KernelSpec("laplacian", BANDWIDTH),
    *(KernelSpec("student", BANDWIDTH, dof) for dof in (0.5, 3.0, 30.0, 1e6)),
)
MANY: Final = 50_000
SEED: Final = 20120906


def expected(spec: KernelSpec, dim: int) -> list[Any]:
    kernel = FINE_REFERENCE.kernel(spec)
    return FINE_REFERENCE.at_each(kernel, "self_convolution", SQUARES, dim)


def label(spec: KernelSpec) -> str:
    return f"{spec.name}-{spec.dof}"


@pytest.mark.parametrize("dim", DIMENSIONS)
@pytest.mark.parametrize("spec", SPECS, ids=label)
def test_self_convolution(candidate: Implementation, spec: KernelSpec, dim: int) -> None:
    exact = expected(spec, dim)
    found = candidate.at_each(spec, "self_convolution", SQUARES, dim)
    floats = [float(value) for value in exact]
    smallest = float(np.finfo(np.float64).tiny)
    bounds = [
        tolerances.self_convolution_bound(value, dim) * value + (smallest if value < smallest else 0)
        for value in floats
    ]
    assert_within(found, exact, bounds, "S")


@pytest.mark.parametrize("dim", DIMENSIONS)
@pytest.mark.parametrize("spec", SPECS, ids=label)
def test_complement(spec: KernelSpec, dim: int) -> None:
    """1 - S has all its digits down to the smallest distances."""
    kernel: Any = FAST.kernel(spec)
    apart = np.array(SQUARES) / BANDWIDTH**2
    found = kernel.unit_self_complement(apart if kernel.squared else np.sqrt(apart), dim)
    exact = [1 - value for value in numbers(expected(spec, dim))]
    relative = tolerances.self_complement_bound(dim)
    assert_within(found, exact, [relative * float(value) for value in exact], "1 - S")


@pytest.mark.parametrize("dim", [1, 2, 60])
@pytest.mark.parametrize("function", ["student", "laplacian"])
def test_table(function: str, dim: int) -> None:
    """For very many arguments a table stands for the function."""
    calls = []

    def direct(t: Any) -> Any:
        calls.append(t.size)
        if function == "student":
            return student_self(t, 3.0, dim, complement=True)
        return laplacian_self_complement(np.sqrt(t), dim)

    t = np.exp(np.random.default_rng(SEED).uniform(-90, 20, MANY))
    t[:3] = 0.0, np.inf, 1e-300
    tabulated = at_many(direct, t)
    assert sum(calls) < MANY / 2
    chosen = slice(0, 500)
    exact = direct(t[chosen])
    relative = tolerances.self_complement_bound(dim)
    assert_within(tabulated[chosen], exact, (relative * exact).tolist(), "1 - S")


def test_very_many_degrees_of_freedom_lose_no_digits() -> None:
    """There S is the Gaussian kernel's, exp(-t/4), however small t / dof is."""
    found = student_self(np.array([1e-300, 1e-3]), 2.0**60, 1, complement=True)
    exact = -np.expm1(np.array([-1e-300, -1e-3]) / 4)
    assert_within(found, exact, (tolerances.self_complement_bound(1) * exact).tolist(), "1 - S")


def test_ends() -> None:
    ends = np.array([0.0, np.inf])
    assert student_self(ends, 0.1, 1, complement=False).tolist() == [1, 0]
    assert student_self(ends, 0.1, 1, complement=True).tolist() == [0, 1]
    for dim in (1, 2, 300):
        assert laplacian_self(ends, dim).tolist() == [1, 0]
        assert laplacian_self_complement(ends, dim).tolist() == [0, 1]
