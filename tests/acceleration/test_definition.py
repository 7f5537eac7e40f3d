"""The limit of the reference is the one that its definition gives: plain KIRWLS until nothing changes."""

from typing import Any, Final

import pytest

import rkde.reference as rr
from rkde.errors import NotConverged
from rkde.reference.numbers import guarded, uniform_weights
from rkde.reference.solvers import iterate_until_rest
from rkde.reference.solvers.certificate import CertificateBounds, certify

DIGITS: Final = 20
CTX: Final = rr.make_context(DIGITS)
PLENTY: Final = 5000
TABLES: Final = {
    "line": [[-2], [-1], [0], ["0.5"], ["1.5"], [6]],
    "ties": [[0], [0], [1], [3], [3], ["7.25"]],
    "plane": [[0, 0], [1, "0.3"], ["0.2", 1], [1, "1.1"], [5, 5], [-3, 2]],
}
KERNELS: Final = (rr.Gaussian("0.9"), rr.Laplacian(1))
LOSSES: Final = (
    rr.Quadratic(),
    rr.Absolute(),
    rr.Huber("0.5"),
    rr.Huber("0.05"),
    rr.Hampel("0.3", "0.6", "1.2"),
)


@guarded
def plain_limit(ctx: Any, X: Any, kernel: Any, loss: Any, cap: int) -> tuple[Any, CertificateBounds]:
    """The weights of the definition from uniform ones, and what is proved of them."""
    distances = rr.distance_matrix(ctx, X, kernel)
    weights = iterate_until_rest(ctx, distances, loss, uniform_weights(ctx, len(X)), cap)
    return weights, certify(ctx, distances, loss, weights)


@pytest.mark.parametrize("X", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: type(kernel).__name__)
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_both_ways_end_in_the_same_weights(X: Any, kernel: Any, loss: Any) -> None:
    weights, bounds = plain_limit(CTX, X, kernel, loss, PLENTY)
    limit = rr.fixed_point(CTX, X, kernel, loss)
    # Each of the two is proved to lie within its bound of a stationary point, which is the only one there.
    bound = bounds.weights_error_bound + limit.weights_error_bound
    assert bound <= CTX.eps ** (CTX.mpf(1) / 2)
    differences = [abs(one - other) for one, other in zip(weights, limit.weights, strict=True)]
    assert max(differences) <= bound


def test_fewer_steps_are_needed_than_by_the_definition() -> None:
    X, kernel, loss = TABLES["plane"], rr.Gaussian("0.9"), rr.Huber("0.05")
    steps = rr.fixed_point(CTX, X, kernel, loss).n_iter
    with pytest.raises(NotConverged):
        plain_limit(CTX, X, kernel, loss, steps)


def test_a_start_on_a_location_that_nearly_holds_the_median_leaves_it_by_a_short_step() -> None:
    X = [["-0.65"], [0], ["0.65"]]
    whole, short = (
        rr.fixed_point(CTX, X, rr.Gaussian(1), rr.Absolute(), weights_init=start)
        for start in (None, [0, 1, 0])
    )
    bound = whole.weights_error_bound + short.weights_error_bound
    assert max(abs(one - other) for one, other in zip(whole.weights, short.weights, strict=True)) <= bound
    assert short.objective_path[1] < short.objective_path[0]
