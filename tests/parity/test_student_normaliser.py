"""The Student kernel's log normaliser for degrees of freedom of any size, where two huge terms cancel."""

import math
import time
from typing import Final

import pytest

from rkde.fast._float64 import log_constants
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec
from rkde.reference import Gaussian, Student, make_context
from tests.support.compare import assert_within
from tests.support.implementations import EXACT, FAST

COARSE_DIGITS: Final = 30
FINE_DIGITS: Final = 60
# Around the size from which the limit is used at 30 digits and at 60, and far on either side of it.
DOFS: Final = ("1e20", "1e40", "1e50", "1e60", "1e80", "1e90", "1e300", "1e99999")
BANDWIDTHS: Final = ("0.75", "1e-8")
SECONDS: Final = 5

each_dof = pytest.mark.parametrize("dof", DOFS)
each_bandwidth = pytest.mark.parametrize("bandwidth", BANDWIDTHS)
each_dimension = pytest.mark.parametrize("dim", [1, 2, 3, 1000])


def _terms(bandwidth: str, dof: str, dim: int) -> object:
    """The sum of the magnitudes of the terms that are left when the log Gammas have cancelled."""
    half = EXACT.mpf(dim) / 2
    context = make_context(FINE_DIGITS)
    return 1 + half * (context.log(context.mpf(dof)) + 2 * abs(context.log(context.mpf(bandwidth))) + 4)


def _at(digits: int, bandwidth: str, dof: str, dim: int) -> object:
    return EXACT.convert(Student(bandwidth, dof).log_normaliser(make_context(digits), dim))


@each_dof
@each_bandwidth
@each_dimension
def test_two_precisions_agree(bandwidth: str, dof: str, dim: int) -> None:
    coarse, fine = (_at(digits, bandwidth, dof, dim) for digits in (COARSE_DIGITS, FINE_DIGITS))
    # The answer has its last digit rounded, and the parameters theirs.
    assert abs(coarse - fine) <= _terms(bandwidth, dof, dim) * EXACT.mpf(10) ** -COARSE_DIGITS


@each_dof
@each_bandwidth
@each_dimension
def test_it_tends_to_that_of_the_gaussian(bandwidth: str, dof: str, dim: int) -> None:
    gaussian = EXACT.convert(Gaussian(bandwidth).log_normaliser(make_context(FINE_DIGITS), dim))
    # log Gamma(a + d/2) - log Gamma(a) is within d^2/(4 a) of (d/2) log a, a = nu/2.
    rounding = _terms(bandwidth, dof, dim) * EXACT.mpf(10) ** -FINE_DIGITS
    assert abs(_at(FINE_DIGITS, bandwidth, dof, dim) - gaussian) <= dim**2 / (2 * EXACT.mpf(dof)) + rounding


@each_dof
def test_the_next_term_of_the_expansion_is_there_while_it_counts(dof: str) -> None:
    # For d = 1: log Gamma(a + 1/2) - log Gamma(a) = (log a)/2 - 1/(8 a) + O(a^-3).
    context = make_context(FINE_DIGITS)
    gaussian = EXACT.convert(Gaussian(1).log_normaliser(context, 1))
    difference = _at(FINE_DIGITS, "1", dof, 1) - gaussian + 1 / (4 * EXACT.mpf(dof))
    assert abs(difference) <= _terms("1", dof, 1) * EXACT.mpf(10) ** -FINE_DIGITS


@each_dimension
def test_a_huge_dof_takes_no_time(dim: int) -> None:
    before = time.perf_counter()
    Student(1, "1e99999").log_normaliser(make_context(FINE_DIGITS), dim)
    assert time.perf_counter() - before < SECONDS


@pytest.mark.parametrize("dof", ["1e20", "1e60", "1e300"])
@each_dimension
def test_fast_computes_the_same(dof: str, dim: int) -> None:
    given = float(dof)
    expected = Student(1, given).log_normaliser(make_context(FINE_DIGITS), dim)
    actual = FAST.method(KernelSpec("student", 1.0, given), "log_normaliser", dim)
    bound = tolerances.normaliser_bound(float(_terms("1", dof, dim)), dim)
    assert_within(actual, expected, bound, "log k(0,0)")


def test_the_series_has_the_coefficients_of_bernoulli_polynomials() -> None:
    """(B_(m+1)(1/2) - B_(m+1)(0)) / (m (m + 1)) for odd m, from Stirling's series of log Gamma(a + 1/2)."""
    powers = range(1, 2 * len(log_constants._HALF_STEP), 2)
    differences = [EXACT.bernpoly(m + 1, EXACT.mpf(1) / 2) - EXACT.bernpoly(m + 1, 0) for m in powers]
    wanted = [float(change / (m * (m + 1))) for m, change in zip(powers, differences, strict=True)]
    assert list(log_constants._HALF_STEP) == wanted
    terms = [EXACT.mpf(factor) / 20**power for power, factor in zip(powers, wanted, strict=True)]
    # Horner's rule rounds each term in its own sum, the last division, and for each factor 1/a^2 in the two
    # divisions of that, the product and the next sum.
    roundings = [tolerances.sum_bound(2 + 4 * factors) for factors in range(len(terms))]
    bound = math.fsum(share * abs(float(term)) for share, term in zip(roundings, terms, strict=True))
    assert_within(log_constants._half_step(20.0), EXACT.fsum(terms), bound, "the sum of the series")
