"""The kernels convolved with themselves, against quadrature in one and two dimensions."""

import itertools
import math
from typing import Any, Final

import numpy as np
import pytest
from scipy.integrate import dblquad

from rkde import fast
from rkde.errors import InvalidInput
from rkde.fast._float64.distances import scale_rows
from rkde.fast.influence import sensitivity
from rkde.proofs_checks import tolerances
from rkde.reference import Gaussian, Laplacian, Student, make_context
from rkde.reference.kernels import convolution
from tests.support.compare import assert_relative, assert_within

KERNELS: Final = (Gaussian("0.75"), Laplacian("0.75"), Student("0.75", 1), Student("0.75", "2.5"))
DIGITS: Final = 20
CTX: Final = make_context(DIGITS)
SHIFT: Final = 1.25
RANGE: Final = (0, 1, 10, "1e4")


def label(kernel: Any) -> str:
    return f"{kernel.name}-{getattr(kernel, 'dof', '')}"


@pytest.mark.parametrize("kernel", KERNELS, ids=label)
def test_one_dimension(kernel: Any) -> None:
    shift = CTX.mpf(SHIFT)

    def product(x: Any, by: Any) -> Any:
        return kernel.profile(CTX, x * x, 1) * kernel.profile(CTX, (x - by) ** 2, 1)

    ends = [CTX.ninf, 0, shift / 2, shift, CTX.inf]
    moved, still = (CTX.quad(lambda x, by=by: product(x, by), ends) for by in (shift, CTX.mpf(0)))
    found = kernel.self_convolution(CTX, shift**2, 1)
    assert_relative(found, moved / still, tolerances.quadrature_bound(DIGITS), "k * k")


@pytest.mark.parametrize("kernel", KERNELS, ids=label)
def test_two_dimensions(kernel: Any) -> None:
    """Integrate in polar coordinates around the first centre; scipy says how far it may be off."""
    width = float(kernel.bandwidth)

    def profile(square: float) -> float:
        if kernel.name == "gaussian":
            return math.exp(-square / (2 * width**2))
        if kernel.name == "laplacian":
            return math.exp(-math.sqrt(square) / width)
        nu = float(kernel.dof)
        return (1 + square / (nu * width**2)) ** (-(nu + 2) / 2)

    def integral(by: float) -> tuple[float, float]:
        # r = t/(1 - t) maps the half line to (0, 1); twice the upper half plane.
        def integrand(t: float, angle: float) -> float:
            r = t / (1 - t)
            away = max(r * r - 2 * r * by * math.cos(angle) + by * by, 0.0)
            return 2 * profile(r * r) * profile(away) * r / (1 - t) ** 2

        return dblquad(integrand, 0, math.pi, 0, 1)

    (moved, error), (still, base_error) = integral(SHIFT), integral(0.0)
    ratio = moved / still
    found = kernel.self_convolution(CTX, SHIFT**2, 2)
    assert_within(found, ratio, (error + ratio * base_error) / still, "k * k")


@pytest.mark.parametrize("kernel", KERNELS, ids=label)
def test_is_one_at_zero_and_falls(kernel: Any) -> None:
    for dim in (1, 2, 7):
        values = [kernel.self_convolution(CTX, square, dim) for square in RANGE]
        assert values[0] == 1
        assert all(0 < after < before for before, after in itertools.pairwise(values))


def test_cauchy_kernels_add_their_bandwidths() -> None:
    for dim in (1, 2, 5):
        for square in RANGE:
            doubled = Student("1.5", 1).profile(CTX, square, dim)
            found = Student("0.75", 1).self_convolution(CTX, square, dim)
            assert_relative(found, doubled, tolerances.reference_bound(DIGITS, 2), "Cauchy")


@pytest.mark.parametrize("order", [1, 2, 9, 60])
def test_bessel_functions_of_integer_order(order: int) -> None:
    """Compare the trapezoidal rule with mpmath's series."""
    ctx = make_context(2 * DIGITS)
    for z in map(ctx.mpf, ("0.01", 2, 40, 3000)):
        found = convolution.bessel_k(ctx, order, z)
        bound = tolerances.reference_bound(2 * DIGITS, 2)
        assert_relative(found, ctx.besselk(order, z), bound, "K")


def test_student_series_and_quadrature_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond nu + d/2 = 2000 another formula takes over; below it both answer."""
    cases = [(Student(1, 3), 2, "7.5"), (Student(1, 200), 3, "900"), (Student(1, 1500), 1, "1e7")]
    series = [kernel.self_convolution(CTX, square, dim) for kernel, dim, square in cases]
    monkeypatch.setattr(convolution, "LARGEST_PARAMETER", 0)
    monkeypatch.setattr(convolution, "LARGEST_CANCELLATION", 0)
    integrals = [kernel.self_convolution(CTX, square, dim) for kernel, dim, square in cases]
    assert_relative(integrals, series, tolerances.reference_bound(DIGITS, 2), "Student")


@pytest.mark.parametrize("square", ["1e-6", "3", "1e3", "1e5"])
def test_student_with_many_degrees_of_freedom_is_nearly_gaussian(square: str) -> None:
    """With nu = 1e30 the logarithms differ by less than (|z|^2/sigma^2 + d)^2/nu."""
    found = Student(1, "1e30").self_convolution(CTX, square, 1)
    gaussian = Gaussian(1).self_convolution(CTX, square, 1)
    gap = (CTX.mpf(square) + 1) ** 2 / CTX.mpf("1e30")
    assert_relative(found, gaussian, gap + tolerances.reference_bound(DIGITS, 2), "limit")


@pytest.mark.parametrize("kernel", KERNELS, ids=label)
def test_bad_arguments(kernel: Any) -> None:
    for square, dim in ((-1, 1), (1, 0), (float("nan"), 1)):
        with pytest.raises(InvalidInput):
            kernel.self_convolution(CTX, square, dim)


@pytest.mark.parametrize("size", [3, 10])
def test_no_more_entries_are_kept_than_stated(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a symmetric matrix half is kept, where it fits; what is not kept is computed again."""
    monkeypatch.setattr(sensitivity, "_KEPT_ENTRIES", 20)
    monkeypatch.setattr(sensitivity, "_TILE_ENTRIES", 1)
    rows = np.arange(12.0)[:, None]
    norms = sensitivity.L2Norms(
        fast.Gaussian(1.0), scale_rows(rows, 1.0), np.full(12, 1 / 12), np.arange(size)
    )
    kept = sum(tile.size for _, tile in norms._tiles or ())
    assert kept == (size * (size + 1) // 2 if size == 3 else 0)
