"""Kernels: profile, complement, log normaliser and log kernel, in up to a thousand dimensions."""

from collections.abc import Callable

import pytest
from hypothesis import given

from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec
from tests.support.compare import assert_within
from tests.support.implementations import REFERENCE, Implementation, numbers

KERNELS = (
    KernelSpec("gaussian", 0.75),
    KernelSpec("gaussian", 1e-8),
    KernelSpec("gaussian", 1e8),
    KernelSpec("student", 0.75, 1.0),
    KernelSpec("student", 2.5, 3.5),
    KernelSpec("student", 1e-8, 40.0),
    KernelSpec("laplacian", 0.75),
    KernelSpec("laplacian", 1e8),
)
DIMENSIONS = (1, 2, 3, 8, 100, 1000)
# Squared distances in units of the squared bandwidth: 0, the smallest, near and far, where kappa underflows.
SCALED_SQDISTS = (0.0, 1e-280, 1e-30, 1e-9, 0.3, 1.0, 7.5, 40.0, 1400.0, 1e5)

each_kernel = pytest.mark.parametrize("spec", KERNELS, ids=str)
each_dimension = pytest.mark.parametrize("dim", DIMENSIONS)


def _normaliser_terms(spec: KernelSpec, dim: int) -> float:
    """Sum of the magnitudes of the terms of log k(0,0), from the reference's own context."""
    context = REFERENCE.context
    half, bandwidth = context.mpf(dim) / 2, context.mpf(spec.bandwidth)
    terms = [dim * context.log(bandwidth)]
    if spec.name == "gaussian":
        terms += [half * context.log(2 * context.pi)]
    elif spec.name == "student":
        dof = context.mpf(spec.dof)
        terms += [
            context.loggamma(dof / 2 + half),
            context.loggamma(dof / 2),
            half * context.log(dof * context.pi),
        ]
    else:
        terms += [context.loggamma(half), half * context.log(context.pi), context.loggamma(context.mpf(dim))]
    return float(sum(abs(term) for term in terms)) + 1


@each_kernel
@each_dimension
def test_log_normaliser(candidate: Implementation, spec: KernelSpec, dim: int) -> None:
    (whole,) = numbers(candidate.method(spec, "log_normaliser", dim))
    bound = tolerances.normaliser_bound(_normaliser_terms(spec, dim), dim)
    assert_within(whole, REFERENCE.method(spec, "log_normaliser", dim), bound, "log k(0,0)")
    assert numbers(candidate.method(spec, "log_feature_norm", dim)) == [whole / 2]


# What a value may be off, from itself, log kappa and the dimension. The complement keeps its digits near 0.
BOUNDS: dict[str, Callable[[float, float, int], float]] = {
    "profile": lambda value, log, dim: value * tolerances.profile_bound(log, dim),
    "log_profile": lambda value, _, dim: abs(value) * tolerances.log_profile_bound(dim),
    "complement": lambda value, _, dim: value * tolerances.complement_bound(dim),
}


@each_kernel
@each_dimension
@pytest.mark.parametrize("name", BOUNDS)
def test_profile(candidate: Implementation, spec: KernelSpec, dim: int, name: str) -> None:
    sqdists = [scaled * float(spec.bandwidth) ** 2 for scaled in SCALED_SQDISTS]
    expected, logs = (REFERENCE.at_each(spec, each, sqdists, dim) for each in (name, "log_profile"))
    bounds = [
        BOUNDS[name](float(value), float(log), dim) + tolerances.least_positive()
        for value, log in zip(expected, logs, strict=True)
    ]
    assert_within(candidate.at_each(spec, name, sqdists, dim), expected, bounds, name)


@each_kernel
@pytest.mark.parametrize("dim", [1, 3, 1000])
def test_log_kernel(candidate: Implementation, spec: KernelSpec, dim: int) -> None:
    scale = float(spec.bandwidth)
    x = [0.25 * scale] * dim
    Y = [
        [factor * scale + 0.01 * scale * column for column in range(dim)]
        for factor in (0.25, 0.0, 1.0, -3.5, 60.0)
    ]
    _assert_log_kernel(candidate, spec, x, Y)


@given(problem=strategies.problems())
def test_log_kernel_on_adversarial_data(candidate: Implementation, problem: strategies.Problem) -> None:
    _assert_log_kernel(candidate, problem.kernel, problem.X[0], problem.X)


def _assert_log_kernel(
    candidate: Implementation, spec: KernelSpec, x: list[float], Y: list[list[float]]
) -> None:
    dim = len(x)
    expected = REFERENCE.method(spec, "log_kernel", x, Y)
    log_normaliser = float(REFERENCE.method(spec, "log_normaliser", dim))
    terms = _normaliser_terms(spec, dim)
    bound = [
        abs(float(value) - log_normaliser) * tolerances.log_profile_bound(dim)
        + tolerances.normaliser_bound(terms, dim)
        for value in expected
    ]
    actual = candidate.method(spec, "log_kernel", x, Y)
    assert_within(actual, expected, bound, "log k")
