"""Planted faults for the claims about the cost of KIRWLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated

_TOO_MANY: Final = 30


def _late(right: Callable[..., Any]) -> Callable[..., Any]:
    # The last argument holds the states, or the values of J, so far.
    return lambda *given: len(given[-1]) > _TOO_MANY and right(*given)


FAULTS: Final = (
    Fault(
        name="|f|^2 is computed anew for each row",
        claims=("iterates.cost",),
        plant=restated(
            "iterates", "value + square for j, value", "value + _dot(weights, inner) for j, value"
        ),
        caught_by=("check_products_of_an_iteration",),
    ),
    Fault(
        name="each pair of rows is met twice",
        claims=("iterates.cost",),
        plant=restated("iterates", "sympy.summation(d, (i, 1, j - 1))", "sympy.summation(d, (i, 1, n))"),
        caught_by=("check_products_in_symbols",),
    ),
    Fault(
        name="the inner products are those of the rows with twice f",
        claims=("iterates.cost",),
        plant=restated("iterates", "inner_products = gram * weights", "inner_products = 2 * gram * weights"),
        caught_by=("check_reuse_gives_the_same_square",),
    ),
    Fault(
        name="the stopping rule of the fast code is not looked at for 30 steps",
        claims=("iterates.fewer_than_100",),
        plant=replaced("rkde.fast.solvers.kirwls._reached", _late),
        caught_by=("check_number_of_iterations",),
    ),
    Fault(
        name="the stopping rule of the reference is not looked at for 30 steps",
        claims=("iterates.fewer_than_100",),
        plant=replaced("rkde.reference.solvers.kirwls._reached", _late),
        caught_by=("check_number_of_iterations",),
    ),
)
