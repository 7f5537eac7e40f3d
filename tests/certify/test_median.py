"""f_med: exact where it is a data point, enclosed elsewhere, undecided where balls cannot tell."""

from fractions import Fraction

import pytest
from hypothesis import given

import rkde.reference
from rkde.proofs_checks.strategies import Problem, build_kernel, examples, mild_problems
from rkde.reference import Gaussian, Laplacian, Student, make_context
from rkde.reference.estimates import median_rkde, thresholds
from rkde.vocabulary import Certificate
from tests.certify.holding import BITS, REFERENCE_DIGITS, hold_all, scattered, two_clusters, with_duplicates
from tests.support.balls import certify

CTX = make_context(REFERENCE_DIGITS)
KERNELS = [Gaussian("0.5"), Student("0.5", 3), Laplacian("0.5"), Gaussian(4)]
# X = -h, 0, h: f_med is the middle point exactly if exp(-h^2 / 2) is at least the root of q^3 + q^2 + q = 2.
JUST_OUTSIDE = "0.6482"
JUST_INSIDE = "0.6481"
# Eight directions at 60 degrees to each other: |R|^2 = 8 + 8 * 7 / 2 = 6^2, and the first row occurs 6 times.
BALANCED = [[1] + [0] * 8] * 6 + [[int(i == j) for j in range(9)] for i in range(1, 9)]


@pytest.mark.parametrize("make", [scattered, two_clusters, with_duplicates])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_enclosure_holds_the_reference(make, kernel) -> None:
    X = make(10, 2)
    enclosed = certify.certify_median(X, kernel, bits=BITS)
    exact = median_rkde(CTX, X, kernel)
    assert enclosed.certificate is Certificate.GLOBAL
    assert enclosed.branch_proved
    assert hold_all(enclosed.weights, exact.weights)
    assert hold_all(enclosed.residual_norms, exact.residual_norms)
    assert hold_all([enclosed.objective], [exact.objective])


@examples(0.5)
@given(problem=mild_problems())
def test_random_data(problem: Problem) -> None:
    kernel = build_kernel(rkde.reference, problem.kernel)
    enclosed = certify.certify_median(problem.X, kernel, bits=BITS)
    assert enclosed.status is not certify.ProofStatus.UNDECIDED, enclosed.reason
    assert hold_all(enclosed.weights, median_rkde(CTX, problem.X, kernel).weights)


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        ([[0]], ["1"]),
        ([[2, 3], [2, 3]], ["1/2", "1/2"]),
        ([[0], [1]], ["1/2", "1/2"]),
        ([[0], [1], [0], [1]], ["1/4"] * 4),
        ([[0], [1], [1]], ["0", "1/2", "1/2"]),
        ([[0]] * 3 + [[1], [2]], ["1/3"] * 3 + ["0"] * 2),
        ([["-0.5"], [0], ["0.5"]], ["0", "1", "0"]),
        ([["-" + JUST_INSIDE], [0], [JUST_INSIDE]], ["0", "1", "0"]),
        ([[0, 0], [1, 0], [0, 1], [1, 1]], ["1/4"] * 4),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ["1/3"] * 3),
    ],
)
def test_exact_answers(X, expected) -> None:
    enclosed = certify.certify_median(X, Gaussian(1))
    assert enclosed.status is certify.ProofStatus.EXACT
    assert enclosed.exact_weights == tuple(Fraction(text) for text in expected)
    assert enclosed.certificate is Certificate.GLOBAL
    assert all(
        ball.contains(0) == (weight == 0)
        for ball, weight in zip(enclosed.weights, enclosed.exact_weights, strict=True)
    )


def test_residuals_at_a_data_point_are_exactly_zero() -> None:
    enclosed = certify.certify_median([[0]] * 6 + [[1], [2], [3.5], [4], [5]], Gaussian(1))
    assert all(norm.is_zero() for norm in enclosed.residual_norms[:6])
    assert all(norm > 0 for norm in enclosed.residual_norms[6:])
    assert enclosed.phi_sum is None


def test_beside_the_limit_the_minimiser_leaves_the_data_point() -> None:
    X = [["-" + JUST_OUTSIDE], [0], [JUST_OUTSIDE]]
    enclosed = certify.certify_median(X, Gaussian(1))
    assert enclosed.status is certify.ProofStatus.ENCLOSED
    assert all(weight > 0 for weight in enclosed.weights)


@pytest.mark.parametrize("rule", ["linear", "hazen", "nearest"])
def test_thresholds_hold_the_reference(rule) -> None:
    X, kernel = scattered(11, 2), Gaussian(1)
    exact = thresholds(CTX, median_rkde(CTX, X, kernel).residual_norms, quantile_rule=rule)
    assert hold_all(certify.enclose_thresholds(X, kernel, quantile_rule=rule, bits=BITS), exact)


def test_few_bits_cannot_tell_and_say_so() -> None:
    # The largest spacing of 40 decimals at which the middle of three points is f_med.
    ctx = make_context(60)
    spacing = ctx.sqrt(-2 * ctx.log(ctx.findroot(lambda q: q**3 + q**2 + q - 2, "0.81")))
    close = ctx.nstr(ctx.floor(spacing * 10**40) / ctx.mpf(10) ** 40, 40)
    X = [["-" + close], [0], [close]]
    few = certify.certify_median(X, Gaussian(1), bits=64)
    assert few.status is certify.ProofStatus.UNDECIDED
    assert "undecided" in few.reason
    assert few.weights == ()
    assert not few.radius.is_finite()
    assert certify.certify_median(X, Gaussian(1), bits=256).status is certify.ProofStatus.EXACT


def test_no_precision_decides_a_location_that_is_exactly_on_the_limit() -> None:
    assert certify.certify_median(BALANCED, Gaussian(1)).status is certify.ProofStatus.UNDECIDED
    with pytest.raises(certify.UnprovedError, match=r"\|R\| = m"):
        certify.enclose_thresholds(BALANCED, Gaussian(1))


def test_a_minimiser_too_close_to_a_location_is_undecided() -> None:
    # |R| > m by some 1e-20: KIRWLS takes more steps to the minimiser than it is given.
    X = [["-0.64816645224479914963"], [0], ["0.64816645224479914963"]]
    assert certify.certify_median(X, Gaussian(1)).status is certify.ProofStatus.UNDECIDED
