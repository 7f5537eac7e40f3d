"""The tests inside the proofs: definiteness, Krawczyk's operator on kinks, groups of equal standing."""

import numpy as np
import pytest

from rkde.proofs_checks import tolerances
from rkde.reference import Gaussian
from tests.certify.holding import SEED, location_groups, scattered, with_duplicates
from tests.support.balls import certify, flint

BITS = 128


# The squares add up to 64, so that the entries of the reflection along this vector are multiples of 1/32.
MIRROR = [3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1]


def symmetric(size: int, shift: float, seed: int) -> tuple[flint.arb_mat, np.ndarray]:
    """A symmetric matrix and its eigenvalues, up to the rounding of a solver."""
    factor = np.random.default_rng([SEED, seed]).normal(size=(size, size))
    matrix = factor @ factor.T / size + shift * np.eye(size)
    return flint.arb_mat(matrix.tolist()), np.linalg.eigvalsh(matrix)


def with_eigenvalues(eigenvalues: list[int]) -> flint.arb_mat:
    """A matrix without rounding that has exactly these eigenvalues, twelve in all."""
    count = len(MIRROR)
    unit = flint.fmpz_mat(count, count, [int(i == j) for i in range(count) for j in range(count)])
    along = flint.fmpz_mat(count, 1, MIRROR)
    reflection = 32 * unit - along * along.transpose()
    diagonal = [eigenvalues[i] if i == j else 0 for i in range(count) for j in range(count)]
    entries = (reflection * flint.fmpz_mat(count, count, diagonal) * reflection).entries()
    return flint.arb_mat(count, count, [flint.arb(int(entry)) / 2**10 for entry in entries])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("shift", [1.0, 0.125, -0.125, -1.0])
def test_definiteness_is_that_of_the_eigenvalues(size, shift) -> None:
    matrix, eigenvalues = symmetric(size, shift, seed=size)
    assert abs(eigenvalues[0]) > tolerances.eigenvalue_bound(size, 0.0, float(abs(eigenvalues).max()))
    assert certify.curvature.positive_definite(matrix) == (eigenvalues[0] > 0)


def test_definiteness_is_not_claimed_for_a_ball_that_holds_a_singular_matrix() -> None:
    wide = flint.arb(1, 1)
    assert not certify.curvature.positive_definite(flint.arb_mat([[wide, 0], [0, 1]]))
    assert not certify.curvature.positive_definite(flint.arb_mat([[1, wide], [wide, 1]]))


def test_definiteness_is_not_claimed_where_elimination_finds_no_pivot() -> None:
    off, last = flint.arb(3, 2), flint.arb(30, 3)
    assert certify.curvature.positive_definite(flint.arb_mat([[1, off], [off, last]]))
    twice = flint.arb_mat([[1, off, 0, 0], [off, last, 0, 0], [0, 0, 1, off], [0, 0, off, last]])
    assert not certify.curvature.positive_definite(twice)


@pytest.mark.parametrize("eigenvalues", [range(1, 13), [0] * 6 + [3] * 4 + [11, 12], [0] * 11 + [12]])
@pytest.mark.parametrize("gamma", [12.5, 11.5, 12 + 2.0**-13, 12 - 2.0**-13])
def test_bounds_of_the_smallest_eigenvalue(eigenvalues, gamma) -> None:
    form = certify.curvature.HessianForm(flint.arb(gamma), with_eigenvalues(list(eigenvalues)))
    lower, negative = form.lower_bound(), form.negative_bound()
    with certify.working_bits(BITS):
        exact = 1 - flint.arb(12) / flint.arb(gamma)
        if exact > 0:
            assert 0 < lower < exact
            assert negative is None
        else:
            assert exact < negative < 0
            assert lower is None


def test_a_form_without_bent_rows_is_the_identity() -> None:
    form = certify.curvature.HessianForm(flint.arb(3), flint.arb_mat(0, 0))
    assert form.lower_bound() == 1
    assert form.negative_bound() is None


def test_a_form_without_weights_has_no_bounds() -> None:
    form = certify.curvature.HessianForm(flint.arb(0), flint.arb_mat(0, 0))
    assert form.lower_bound() is None
    assert form.negative_bound() is None


def test_a_residual_on_a_kink_takes_the_hull_of_both_pieces() -> None:
    # With a at the largest residual norm of the KDE, Huber's estimate is the KDE, and one row is on the kink.
    with certify.working_bits(BITS):
        _, groups = location_groups([[0], [1], [3]], Gaussian(1))
        uniform = groups.uniform()
        norms = certify.weight_state.evaluate(groups, certify.BallLoss("quadratic", ()), uniform).norms
        loss = certify.BallLoss("huber", (norms[2],))
        assert [len(loss.pieces(norm)) for norm in norms] == [1, 1, 2]
        enclosed = certify.krawczyk.enclose_zero(groups, loss, uniform)
        assert all(3 * ball == 1 or (3 * ball).contains(1) for ball in enclosed)
        assert certify.balls.magnitude(ball.rad() for ball in enclosed) < flint.arb("1e-30")


def test_four_residuals_on_a_kink_are_not_decided() -> None:
    with certify.working_bits(BITS):
        _, square = location_groups([[0, 0], [1, 0], [0, 1], [1, 1]], Gaussian(1))
        norm = certify.weight_state.evaluate(
            square, certify.BallLoss("quadratic", ()), square.uniform()
        ).norms[0]
        with pytest.raises(certify.UnprovedError, match="Krawczyk"):
            certify.krawczyk.enclose_zero(square, certify.BallLoss("huber", (norm,)), square.uniform())


def test_the_matrix_of_theorem_5_is_the_derivative() -> None:
    X, kernel, loss = scattered(6, 2), Gaussian(1), certify.BallLoss("huber", (flint.arb(0.5),))
    with certify.working_bits(BITS):
        _, groups = location_groups(X, kernel)
        weights = [flint.arb(i + 1) / 21 for i in range(6)]
        evaluate, gap = certify.weight_state.evaluate, certify.weight_state.stationarity_gap
        here = gap(groups, loss, evaluate(groups, loss, weights))
        step = flint.arb(2) ** -40
        for j in range(6):
            moved = [weight + step if i == j else weight for i, weight in enumerate(weights)]
            box = [weight.union(shifted) for weight, shifted in zip(weights, moved, strict=True)]
            slopes = certify.weight_state.jacobian(groups, loss, evaluate(groups, loss, box))
            there = gap(groups, loss, evaluate(groups, loss, moved))
            # The mean value theorem, row by row: the difference quotient lies in the ball of slopes.
            for i in range(6):
                assert slopes[i, j].overlaps((there[i] - here[i]) / step)


def test_the_slope_ball_is_narrow() -> None:
    X, loss = scattered(6, 2), certify.BallLoss("absolute", ())
    with certify.working_bits(BITS):
        _, groups = location_groups(X, Gaussian(1))
        slopes = certify.weight_state.jacobian(
            groups, loss, certify.weight_state.evaluate(groups, loss, groups.uniform())
        )
        widest = max(float(entry.rad()) for entry in slopes.entries())
    assert widest < 2.0**-100


def test_data_without_symmetry_keep_their_locations() -> None:
    sample, locations = location_groups(with_duplicates(10, 2), Gaussian(1))
    assert certify.groups.symmetric_groups(sample, locations, [0] * locations.count) is locations
    assert locations.count == 8
    assert sum(locations.size) == 10


def test_groups_of_a_symmetric_set() -> None:
    X = [[-2], [-1], [0], [1], [2], [2], [-2]]
    sample, locations = location_groups(X, Gaussian(1))
    groups = certify.groups.symmetric_groups(sample, locations, [0] * locations.count)
    assert groups.group_of == (0, 1, 2, 1, 0, 0, 0)
    assert groups.size == (4, 2, 1)
    assert groups.is_location == (False, False, True)


def test_a_start_can_break_the_symmetry() -> None:
    sample, locations = location_groups([[-1], [0], [1]], Gaussian(1))
    assert certify.groups.symmetric_groups(sample, locations, [0, 1, 2]) is locations


def test_groups_and_locations_agree() -> None:
    X = [[-2], [-1], [0], [1], [2], [2], [-2]]
    loss = certify.BallLoss("quadratic", ())
    with certify.working_bits(BITS):
        sample, locations = location_groups(X, Gaussian(1))
        groups = certify.groups.symmetric_groups(sample, locations, [0] * locations.count)
        totals = {0: 0.75, 1: 0.125, 2: 0.125}
        joined = certify.weight_state.evaluate(groups, loss, [flint.arb(totals[i]) for i in range(3)])
        shares = [0.375, 0.0625, 0.125, 0.0625, 0.375]
        apart = certify.weight_state.evaluate(locations, loss, [flint.arb(share) for share in shares])
        pairs = zip(groups.per_row(joined.norms), locations.per_row(apart.norms), strict=True)
        assert all(p.overlaps(q) for p, q in pairs)


def test_squared_distances_are_exact() -> None:
    sample = certify.sample.read_sample([["0.1", "1e-300"], ["0.1", "-1e-300"], ["1e300", 0]])
    assert sample.sqdist(0, 1) == 4 / certify.exact.exact_points([["1e600"]])[0][0]
    assert sample.location_of == (0, 1, 2)
