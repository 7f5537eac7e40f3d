"""An explicit start is checked whatever becomes of it: also where no second stage runs."""

import math
from typing import Any

import pytest

from rkde.errors import InvalidInput, InvalidType
from tests.errors.expected import Refusal, assert_refused
from tests.support.implementations import Implementation, each_implementation

SPREAD = [[0.0], [1.0], [3.0]]
ALONE = [[1.0]] * 3
BAD_STARTS: dict[str, tuple[Any, type[InvalidInput], tuple[str, ...]]] = {
    "another sum": ([1, 0, 7], InvalidInput, ("sum",)),
    "negative": ([-1, 1, 1], InvalidInput, ("0",)),
    "too few": ([0.5, 0.5], InvalidInput, ("2", "3")),
    "NaN": ([math.nan, 0, 1], InvalidInput, ("0",)),
    "text": (["x", 0, 1], InvalidType, ()),
    "a number": (1.0, InvalidType, ()),
}

each_loss = pytest.mark.parametrize("loss", ["Quadratic", "Absolute", "Huber", "Hampel"])
each_table = pytest.mark.parametrize("X", [SPREAD, ALONE], ids=["spread", "one location"])


@each_implementation
@each_loss
@each_table
@pytest.mark.parametrize("bad", BAD_STARTS)
def test_a_bad_start_is_refused(
    implementation: Implementation, loss: str, X: list[list[float]], bad: str
) -> None:
    start, kind, says = BAD_STARTS[bad]

    def attempt(m: Implementation) -> object:
        return m.call("rkde", X, bandwidth=1.0, loss=m.get(loss), start=start)

    assert_refused(implementation, Refusal(bad, attempt, kind, ("start", *says)))


@each_implementation
@each_loss
@each_table
def test_a_good_start_is_taken(implementation: Implementation, loss: str, X: list[list[float]]) -> None:
    result = implementation.call(
        "rkde", X, bandwidth=1.0, loss=implementation.get(loss), start=[0.5, 0.25, 0.25]
    )
    assert result.recipe == "custom"
