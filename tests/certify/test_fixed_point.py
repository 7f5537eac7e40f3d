"""Stationary points near given weights: enclosed, told apart, or refused."""

import pytest

from rkde.errors import InvalidInput
from rkde.reference import Absolute, Gaussian, Hampel, Huber, Laplacian, Quadratic, Student, make_context
from rkde.reference.solvers import fixed_point
from rkde.vocabulary import Certificate
from tests.certify.holding import (
    BITS,
    REFERENCE_DIGITS,
    disjoint,
    hold_all,
    scattered,
    two_clusters,
    with_duplicates,
    with_outliers,
)
from tests.support.balls import certify, flint

CTX = make_context(REFERENCE_DIGITS)
KERNELS = [Gaussian("0.8"), Student("0.8", 3), Laplacian("0.8")]
LOSSES = [Quadratic(), Absolute(), Huber("0.5"), Hampel("0.5", "0.6", "0.9")]
# Two pairs far apart: either pair alone is a minimum of Hampel's J, and between them lies a saddle.
TWO_PAIRS = [["-2.1"], ["-1.9"], ["1.9"], ["2.1"]]
TWO_PAIRS_LOSS = Hampel("0.3", "0.6", "1.2")
# What a proof leaves of its precision on data as mild as here is more than all but so many bits.
SPARE_BITS = 32


def uniform(X) -> list[float]:
    return [1 / len(X)] * len(X)


@pytest.mark.parametrize("make", [scattered, two_clusters, with_duplicates, with_outliers])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_the_enclosure_holds_the_reference(make, kernel, loss) -> None:
    X = make(10, 2)
    exact = fixed_point(CTX, X, kernel, loss)
    enclosed = certify.certify_fixed_point(
        X, kernel, loss, [float(weight) for weight in exact.weights], bits=BITS
    )
    assert enclosed.status is not certify.ProofStatus.UNDECIDED, enclosed.reason
    assert hold_all(enclosed.weights, exact.weights)
    assert hold_all(enclosed.residual_norms, exact.residual_norms)
    assert hold_all([enclosed.objective], [exact.objective])
    expected = Certificate.LOCAL_MINIMUM if loss.name == "hampel" else Certificate.GLOBAL
    assert enclosed.certificate is expected


def test_a_ball_is_not_wide_enough_for_its_neighbours() -> None:
    X, loss = two_clusters(12, 2), Huber("0.5")
    enclosed = certify.certify_fixed_point(X, Gaussian(1), loss, uniform(X), bits=BITS)
    exact = fixed_point(CTX, X, Gaussian(1), loss).weights
    moved = [weight * (1 + CTX.mpf(2) ** (8 - BITS)) for weight in exact]
    assert not any(hold_all([ball], [weight]) for ball, weight in zip(enclosed.weights, moved, strict=True))


@pytest.mark.parametrize("make", [scattered, with_duplicates])
@pytest.mark.parametrize("loss", LOSSES[1:], ids=str)
def test_the_radius_at_256_bits(make, loss) -> None:
    X = make(30, 2)
    enclosed = certify.certify_limit(X, Gaussian(1), loss, bits=256)
    assert enclosed.status is certify.ProofStatus.ENCLOSED
    assert enclosed.radius < flint.arb("1e-60")


def test_two_minima_and_a_saddle_on_the_same_data() -> None:
    starts = {"left": [0.5, 0.5, 0, 0], "right": [0, 0, 0.5, 0.5], "between": [0.25] * 4}
    found = {
        name: certify.certify_fixed_point(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, start)
        for name, start in starts.items()
    }
    for name in ("left", "right"):
        assert found[name].certificate is Certificate.LOCAL_MINIMUM
        assert found[name].objective.overlaps(flint.arb("0.11498", "5e-6"))
        assert found[name].curvature_margin > 0
    assert found["between"].certificate is Certificate.SADDLE
    assert found["between"].objective.overlaps(flint.arb("0.16509", "5e-6"))
    assert found["between"].curvature_margin < 0
    assert disjoint(found["left"].weights, found["right"].weights)
    assert disjoint(found["left"].weights, found["between"].weights)
    assert found["left"].objective.overlaps(found["right"].objective)
    assert not any(point.branch_proved for point in found.values())


def test_the_pieces_are_told() -> None:
    left = certify.certify_fixed_point(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, [0.5, 0.5, 0, 0])
    piece = certify.Piece
    assert left.pieces == ((piece.QUADRATIC,),) * 2 + ((piece.REJECTED,),) * 2
    assert all(weight.is_zero() for weight in left.weights[2:])


def test_equal_rows_share_their_weight() -> None:
    X = [[0], [0], [1], [3], [3], [3]]
    enclosed = certify.certify_fixed_point(X, Gaussian(1), Huber("0.4"), uniform(X))
    first, second = enclosed.weights[:2]
    assert first.mid() == second.mid()
    assert enclosed.pieces[3] == enclosed.pieces[5]


def test_a_continuum_of_fixed_points_is_not_enclosed() -> None:
    enclosed = certify.certify_fixed_point([[0], [1]], Gaussian(1), Huber("0.1"), [0.5, 0.5])
    assert enclosed.status is certify.ProofStatus.UNDECIDED
    assert "singular" in enclosed.reason
    assert enclosed.certificate is None
    assert enclosed.objective is None


def test_weights_that_lead_nowhere_are_refused_with_a_reason() -> None:
    X = [[0.0], [1.0], [2.5], [3.7], [4.1], [5.9], [6.1]]
    enclosed = certify.certify_fixed_point(X, Gaussian(1), Hampel(0.5, 0.6, 0.9), [0.9, 0.1, 0, 0, 0, 0, 0])
    assert enclosed.status is certify.ProofStatus.UNDECIDED
    assert enclosed.reason


def test_a_single_location_is_exact() -> None:
    enclosed = certify.certify_fixed_point([[3], [3]], Gaussian(1), TWO_PAIRS_LOSS, [0.5, 0.5])
    assert enclosed.status is certify.ProofStatus.EXACT
    assert enclosed.certificate is Certificate.GLOBAL
    assert enclosed.objective.is_zero()


@pytest.mark.parametrize("weights", [[0.5, 0.6, 0, 0], [1.5, -0.5, 0, 0], [1.0], [0.5, 0.5, 0, float("nan")]])
def test_weights_that_are_refused(weights) -> None:
    with pytest.raises(InvalidInput):
        certify.certify_fixed_point(TWO_PAIRS, Gaussian(1), TWO_PAIRS_LOSS, weights)


def test_objects_of_another_kind_are_refused() -> None:
    with pytest.raises(InvalidInput, match="kernel"):
        certify.certify_fixed_point(TWO_PAIRS, "gaussian", TWO_PAIRS_LOSS, [0.25] * 4)
    with pytest.raises(InvalidInput, match="loss"):
        certify.certify_fixed_point(TWO_PAIRS, Gaussian(1), "hampel", [0.25] * 4)


def test_more_bits_than_steps_with_one_matrix_gain() -> None:
    bits = 2048
    enclosed = certify.certify_fixed_point(
        [[0], [1], [3]], Gaussian(1), Huber("0.3"), ["0.354", "0.346", "0.3"], bits=bits
    )
    assert enclosed.radius < flint.arb(2) ** (SPARE_BITS - bits)
