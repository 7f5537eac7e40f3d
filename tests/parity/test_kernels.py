"""Kernels: profile, complement and log normaliser, in up to a thousand dimensions."""

from collections.abc import Callable

import pytest

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec
from rkde.reference import make_context
from rkde.reference.numbers import rounded
from tests.support.compare import assert_within
from tests.support.conditioning import normaliser_terms
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


@each_kernel
@each_dimension
def test_log_normaliser(candidate: Implementation, spec: KernelSpec, dim: int) -> None:
    (whole,) = numbers(candidate.method(spec, "log_normaliser", dim))
    bound = tolerances.normaliser_bound(normaliser_terms(spec, dim), dim)
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


def test_a_square_beyond_float64_in_units_of_the_bandwidth_has_its_profile(candidate: Implementation) -> None:
    spec, sqdists = KernelSpec("student", 1e-8, 40.0), [1e300]
    expected = REFERENCE.at_each(spec, "log_profile", sqdists, 2)
    bounds = [BOUNDS["log_profile"](float(value), float(value), 2) for value in expected]
    assert_within(candidate.at_each(spec, "log_profile", sqdists, 2), expected, bounds, "log_profile")


@each_kernel
@pytest.mark.parametrize("name", BOUNDS)
def test_the_last_digit_of_the_reference_is_right(spec: KernelSpec, name: str) -> None:
    coarse, fine = make_context(15), make_context(40)
    kernel = REFERENCE.kernel(spec)
    for scaled in SCALED_SQDISTS:
        sqdist = scaled * float(spec.bandwidth) ** 2
        value, right = (getattr(kernel, name)(context, sqdist, 2) for context in (coarse, fine))
        assert value == rounded(right, coarse)
