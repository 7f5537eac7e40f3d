"""Planted faults of the influence function: plausible misreadings of Theorem 5 and of section 5."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

from rkde.fast.influence import theorem_5_coefficients
from rkde.fast.influence.theorem5 import Coefficients, System, theorem_5_system
from tests.faults.fault import Fault, replace_everywhere
from tests.parity import test_influence
from tests.support.implementations import FAST

GAUSSIAN: Final = test_influence.KERNELS[0]
QUADRATIC, ABSOLUTE, HUBER, HAMPEL = test_influence.LOSSES


def _with_q(patch: pytest.MonkeyPatch, change: Callable[[Any, Any], Any]) -> None:
    """Change q(r_i), given r_i, where the system is made."""
    right = theorem_5_system

    def system(operator: Any, active: Any, norms: Any, q_values: Any, *rest: Any) -> System:
        return right(operator, active, norms, change(q_values, norms), *rest)

    replace_everywhere(patch, right, system)


def _sign_of_q(patch: pytest.MonkeyPatch) -> None:
    _with_q(patch, lambda q_values, _: -q_values)


def _without_the_cube(patch: pytest.MonkeyPatch) -> None:
    _with_q(patch, lambda q_values, norms: q_values * norms**3)


def _centring_exchanged(patch: pytest.MonkeyPatch) -> None:
    def fill(self: Coefficients, weights: Any, rows: np.ndarray) -> None:
        swept = self.unprojected @ weights[self.active]
        rows[:] = -self.new[:, None] * weights - swept[:, None]
        rows[:, self.active] += self.unprojected

    patch.setattr(Coefficients, "fill", fill)


def _scaled(patch: pytest.MonkeyPatch, factor: Callable[[int], float]) -> None:
    right = theorem_5_coefficients

    def coefficients(point: Any, *rest: Any) -> Coefficients:
        found, scale = right(point, *rest), factor(len(point.weights))
        return Coefficients(found.active, scale * found.unprojected, scale * found.new, found.condition)

    replace_everywhere(patch, right, coefficients)


def _without_n(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, lambda size: 1 / size)


def _mean_for_sum(patch: pytest.MonkeyPatch) -> None:
    _scaled(patch, float)


def _checks(*losses: Any) -> tuple[Callable[[], object], ...]:
    return tuple(partial(test_influence.test_influence, FAST, GAUSSIAN, loss) for loss in losses)


INFLUENCE_FAULTS: Final[tuple[Fault, ...]] = (
    Fault("sign of q", "-q(r_i) stands for q(r_i)", _sign_of_q, _checks(ABSOLUTE, HUBER, HAMPEL)),
    Fault("Q without r^3", "Q_ii is q(r_i), not q(r_i) / r_i^3", _without_the_cube, _checks(HUBER, HAMPEL)),
    Fault(
        "w and 1 exchanged",
        "the solution is centred by P instead of its transpose: v - 1 (w'v) for v - w (1'v)",
        _centring_exchanged,
        _checks(ABSOLUTE, HUBER, HAMPEL),
    ),
    Fault("factor n missing", "alpha' is phi(r') / gamma", _without_n, _checks(QUADRATIC, HAMPEL)),
    Fault(
        "mean for sum",
        "alpha' is n phi(r') over the mean of phi(r_i), not over their sum",
        _mean_for_sum,
        _checks(QUADRATIC, HUBER),
    ),
)
