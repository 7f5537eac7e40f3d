"""What the balls refuse, and proofs that are tried again with more bits."""

import pytest

from rkde.errors import InvalidInput
from rkde.reference import Gaussian, Huber
from tests.support.balls import certify
from tests.support.implementations import Disguised

X = [["0"], ["1"], ["3"]]


def test_only_kernels_of_the_package_are_enclosed() -> None:
    with pytest.raises(InvalidInput, match=r"^kernel must be Gaussian, Student or Laplacian to be enclosed"):
        certify.enclose_depth(X, Disguised(Gaussian(1)), X)


def test_only_losses_of_the_package_are_enclosed() -> None:
    with pytest.raises(
        InvalidInput, match=r"^loss must be Quadratic, Absolute, Huber or Hampel to be enclosed"
    ):
        certify.enclose_objective(X, Gaussian(1), Disguised(Huber(1)), ["0.5", "0.25", "0.25"])


def test_the_rule_of_bandwidths_has_a_name() -> None:
    with pytest.raises(InvalidInput, match=r"^rule must be the name of a rule, got 'x'; use one of abramson"):
        certify.enclose_vkde(X, Gaussian(1), X, "x")


def test_the_depth_at_a_row_without_others_is_one() -> None:
    assert certify.enclose_depth([["2"]], Gaussian(1), [["2"]]) == [1]


def test_a_proof_that_never_succeeds_ends_with_the_last_try() -> None:
    tried: list[int] = []

    def attempt(bits: int) -> int:
        tried.append(bits)
        return bits

    last = certify.limit.with_enough_bits(attempt, lambda _: False, 64)
    assert tried == [64 << doubling for doubling in range(certify.limit.MAX_DOUBLINGS + 1)]
    assert last == tried[-1]
