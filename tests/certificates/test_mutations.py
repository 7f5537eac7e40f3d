"""Mistakes planted in the proofs of the fast implementation: the tests of the bounds must notice each."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from rkde.fast._float64 import rounding
from rkde.fast.operators import dense
from rkde.fast.solvers import certificate, curvature
from tests.certificates import test_bounds, test_saddles
from tests.certificates.instances import Instance
from tests.support.implementations import FAST

# The first problems of the series are enough for each mistake to show.
SHOWN: Final = test_bounds.SERIES[:72]


def _halve_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = certificate._distance_bound

    def halved(*arguments: Any) -> Any:
        bound, margin = original(*arguments)
        return bound / 2, margin

    monkeypatch.setattr(certificate, "_distance_bound", halved)


def _forget_the_distance_in_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = certificate._weights_bound
    monkeypatch.setattr(certificate, "_weights_bound", lambda *arguments: original(*arguments[:-1], 0.0))


def _forget_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (certificate, curvature, rounding):
        monkeypatch.setattr(module, "sum_factor", lambda _: 0.0)
    monkeypatch.setattr(dense, "product_factor", lambda *_: 0.0)
    monkeypatch.setattr(rounding, "product_factor", lambda *_: 0.0)
    monkeypatch.setattr(rounding, "UNIT_ROUNDOFF", 0.0)


def _turn_the_sign_of_the_projections(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = curvature.BallCurvature._largest_eigenvalue
    monkeypatch.setattr(
        curvature.BallCurvature, "_largest_eigenvalue", lambda *arguments: -original(*arguments)
    )


def _turn_the_sign_of_the_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Any = certificate._gradient
    monkeypatch.setattr(
        certificate,
        "_gradient",
        lambda *arguments: replace(found := original(*arguments), frank_wolfe=-found.frank_wolfe),
    )


def _take_saddles_for_minima(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curvature, "eigenvalue_upper_bound", lambda *_: 0.0)
    monkeypatch.setattr(dense.DenseOperator, "gram_norm", lambda *_: 0.0)


def _gap(instance: Instance) -> None:
    if instance.loss.name != "hampel":
        test_bounds.test_the_gap_is_at_least_what_j_can_fall(instance)


# What is planted, and the test that notices it: of one problem of the series, but for the saddle.
MISTAKES: Final[tuple[tuple[Callable[[pytest.MonkeyPatch], None], Callable[[Instance], None]], ...]] = (
    (_halve_the_bound, test_bounds.test_a_stopped_run_is_as_near_as_it_says),
    (_forget_the_distance_in_the_weights, test_bounds.test_weights_of_an_early_iterate_are_as_near_as_proved),
    (_forget_rounding, test_bounds.test_a_limit_is_as_near_as_it_says),
    (_turn_the_sign_of_the_projections, test_bounds.test_a_stopped_run_is_as_near_as_it_says),
    (_turn_the_sign_of_the_gap, _gap),
    (_take_saddles_for_minima, lambda _: test_saddles.test_the_saddle_is_certified_as_one(FAST)),
)


@pytest.mark.parametrize(("plant", "check"), MISTAKES, ids=lambda part: part.__name__.strip("_<>"))
def test_a_mistake_is_noticed(plant: Any, check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        list(map(check, SHOWN))
