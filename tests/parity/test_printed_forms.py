"""The reference computes what the paper prints: residual norms of section 4, the system of Theorem 5."""

from typing import Any, Final

import pytest

import rkde.reference as rr
from rkde.proofs_checks import tolerances
from rkde.reference.rkhs import norms_from_distances, printed_residual_norm

DIGITS: Final = 40
CTX: Final = rr.make_context(DIGITS)
# The printed formulas are evaluated with these, so that their own rounding does not matter.
MORE_DIGITS: Final = 80

ROWS: Final = {
    "line": [[-2], [-1], [0], ["0.5"], ["1.5"], [6]],
    "ties": [[0], [0], [1], [3], [3], ["7.25"]],
    "plane": [[0, 0], [1, "0.3"], ["0.2", 1], [1, "1.1"], [5, 5], [-3, 2]],
}
KERNELS: Final = (rr.Gaussian("0.9"), rr.Laplacian(1), rr.Student("1.1", 3))
LOSSES: Final = (rr.Quadratic(), rr.Huber("0.5"), rr.Hampel("0.3", "0.6", "1.2"))
each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
each_table = pytest.mark.parametrize("X", ROWS.values(), ids=ROWS)
# Roundings of a term of either formula: kernel value, two products, sum, difference; then root and square.
NORM_ROUNDINGS: Final = 8
# The magnitudes of all terms: 1, 2 <Phi, f> <= 2, <f, f> <= 1 as printed; (D w)_i <= 2, w'D w/2 <= 1 from D.
NORM_MAGNITUDE: Final = 7
# alpha is right to its last digit, which rounding it may move by one more.
COEFFICIENT_ROUNDINGS: Final = 2


def rising(ctx: Any, count: int) -> tuple[Any, ...]:
    """Unequal weights of sum 1."""
    return tuple(ctx.mpf(2 * (index + 1)) / (count * (count + 1)) for index in range(count))


@each_kernel
@each_table
def test_residual_norms_are_those_that_section_4_prints(kernel: Any, X: Any) -> None:
    weights = rising(CTX, len(X))
    K = rr.gram(CTX, X, kernel)
    computed = norms_from_distances(CTX, rr.distance_matrix(CTX, X, kernel), weights)
    bound = tolerances.amplified(tolerances.reference_bound(DIGITS, NORM_ROUNDINGS), NORM_MAGNITUDE)
    for j, norm in enumerate(computed):
        printed = printed_residual_norm(CTX, K, weights, j)
        assert abs(printed**2 - norm**2) <= bound, j


def test_the_printed_form_cancels_at_a_heavy_row_and_the_computed_one_does_not() -> None:
    # At distance 100 the Gaussian of bandwidth 1/4 is 0 to all these digits, so r = 2^(1/2) s at row 0.
    share = CTX.mpf(2) ** -100 / 3
    weights, X, kernel = (1 - share, share), [[0], [100]], rr.Gaussian("0.25")
    expected = CTX.sqrt(2) * share
    (computed, _) = rr.residual_norms(CTX, X, kernel, weights)
    assert abs(computed / expected - 1) <= tolerances.reference_bound(DIGITS, NORM_ROUNDINGS)
    printed = printed_residual_norm(CTX, rr.gram(CTX, X, kernel), weights, 0)
    assert abs(printed / expected - 1) > tolerances.reference_bound(DIGITS // 2)


def printed_system(ctx: Any, X: Any, kernel: Any, loss: Any, weights: Any, x_new: Any) -> tuple[Any, Any]:
    """The matrix and the right side of Theorem 5, written out with its letters; K and k' in tau^2."""
    n = len(X)
    total = ctx.fsum(weights)
    w = ctx.matrix([weight / total for weight in weights])
    extended = rr.gram(ctx, [*X, x_new], kernel)
    K = ctx.matrix([row[:n] for row in extended[:n]])
    k_new = ctx.matrix(extended[n][:n])
    r = [printed_residual_norm(ctx, extended, (*w, ctx.mpf(0)), j) for j in range(n + 1)]
    gamma = ctx.fsum(loss.phi(ctx, norm) for norm in r[:n])
    Q = ctx.diag([loss.q(ctx, norm) / norm**3 for norm in r[:n]])
    P = ctx.eye(n) - ctx.matrix([1] * n) * w.T
    n_phi_new = n * loss.phi(ctx, r[n])
    left = gamma * ctx.eye(n) + P.T * Q * P * K
    return left, -n_phi_new * w - n_phi_new / gamma * (P.T * Q * P * k_new)


@each_kernel
@each_table
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_alpha_solves_the_system_that_theorem_5_prints(kernel: Any, X: Any, loss: Any) -> None:
    more = rr.make_context(MORE_DIGITS)
    weights = rr.fixed_point(CTX, X, kernel, loss).weights
    x_new = ["0.7"] * len(X[0])
    alpha = rr.influence(CTX, X, kernel, loss, weights, [x_new]).if_coef[0]
    exact = more.matrix([more.convert(entry) for entry in alpha])
    left, right = printed_system(more, X, kernel, loss, [more.convert(w) for w in weights], x_new)
    residual = left * exact - right
    level = tolerances.reference_bound(DIGITS, COEFFICIENT_ROUNDINGS)
    for i in range(len(X)):
        size = more.fsum((left[i, j] * exact[j] for j in range(len(X))), absolute=True)
        assert abs(residual[i]) <= level * size, i
