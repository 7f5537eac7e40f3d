"""Worked examples of section 5: a singular system and dependent points; more are claims of that section."""

from typing import Final

import pytest

import rkde.reference as reference
from rkde.errors import SingularSystem
from rkde.proofs_checks import quotients
from tests.influence.subjects import CTX
from tests.support.implementations import Implementation, rows

THREE: Final = [[0.0], [1.0], [3.0]]
PAIR: Final = [["-1.2"], ["0"], ["1.2"]]
SINGULAR_C: Final = "1.2726045469299931"


def test_hampel_has_a_singular_system(implementation: Implementation) -> None:
    X = rows([[float(cell) for cell in row] for row in PAIR]) if implementation.context is None else PAIR
    loss = implementation.get("Hampel")(*map(implementation.number, ("0.55", "0.58", SINGULAR_C)))
    kernel, third = implementation.get("Gaussian")(1), [implementation.number(1) / 3] * 3
    limit = implementation.call("fixed_point", X, kernel, loss, weights_init=third)
    with pytest.raises(SingularSystem, match="singular"):
        implementation.call("influence", X, kernel, loss, limit.weights, [[-2]])


@pytest.mark.parametrize("x_new", [[1.0], [3.0]])
def test_the_contaminating_point_may_be_a_row(x_new: list[float]) -> None:
    for loss in (reference.Huber("0.6"), reference.Hampel("0.5", "0.75", "1.1")):
        of = quotients.trial(CTX, [*THREE, THREE[1]], reference.Gaussian(1), loss, x_new)
        assert quotients.is_first_order(quotients.table(CTX, of, quotients.TWO_SHARES))
