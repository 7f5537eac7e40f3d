"""Planted faults of the claims about f_med."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _halved(right: Callable[..., Any]) -> Callable[..., Any]:
    def pull(*given: Any) -> Any:
        size, shares = right(*given)
        return size / 2, shares

    return pull


FAULTS: Final = (
    Fault(
        name="the derivative along h has the wrong sign",
        claims=("median.location_rule",),
        plant=restated("median", 'norm.diff(s), s, 0, "+") + cosine', 'norm.diff(s), s, 0, "+") - cosine'),
        caught_by=("check_derivative_at_a_location",),
    ),
    Fault(
        name="the length of the pull is halved",
        claims=("median.location_rule",),
        plant=replaced("rkde.proofs_checks.check_median._pull", _halved),
        caught_by=(
            "check_descent_along_the_pull",
            "check_the_median_obeys_the_rule",
        ),
    ),
    Fault(
        name="the critical polynomial is q^3 + q^2 + q - 1",
        claims=("median.never_a_data_point",),
        plant=restated("median", "(q - 1) * (q**3 + q**2 + q - 2)", "(q - 1) * (q**3 + q**2 + q - 1)"),
        caught_by=("check_three_points_polynomial",),
    ),
    Fault(
        name="the critical ratio is below 0.8104",
        claims=("median.never_a_data_point",),
        plant=restated("median", '_ABOVE: Final = "0.8106"', '_ABOVE: Final = "0.8104"'),
        caught_by=("check_three_points_on_both_sides",),
    ),
    Fault(
        name="a third of the rows is a majority",
        claims=("median.majority",),
        plant=restated("median", "2 * count >= total, size", "3 * count >= total, size"),
        caught_by=("check_a_majority_outweighs_the_rest",),
    ),
    Fault(
        name="J of the absolute loss is that of Huber's loss",
        claims=("median.majority",),
        plant=restated(
            "median",
            'bridge.reference_loss(LossSpec("absolute"))\n    alone',
            'bridge.reference_loss(LossSpec("huber", (0.5,)))\n    alone',
        ),
        caught_by=("check_half_of_the_rows",),
    ),
    Fault(
        name="the direction is of length 2",
        claims=("median.location_rule",),
        plant=restated(
            "median", "along * along + across * across == 1", "along * along + across * across == 4"
        ),
        caught_by=("check_the_pull_is_the_steepest_direction",),
    ),
)
