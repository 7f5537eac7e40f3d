"""What every result must satisfy, whatever the data: finite, nonnegative, of unit sum, with a status."""

from typing import Any

from rkde.proofs_checks import tolerances
from rkde.vocabulary import Status
from tests.support.compare import assert_within, total
from tests.support.implementations import EXACT, exact, numbers


def assert_weights(weights: object) -> None:
    """Weights are finite, >= 0, and their sum is 1 within the rounding of the division by it."""
    entries = numbers(weights)
    assert all(EXACT.isfinite(entry) and entry >= 0 for entry in entries)
    assert_within(total(weights), 1, tolerances.sum_bound(len(entries) + 1), "sum of weights")


def assert_sound(result: Any, max_iter: int | None = None) -> None:
    """A result of `kirwls`, `fixed_point` or `median_rkde` holds no NaN and says how it ended."""
    assert_weights(result.weights)
    assert isinstance(result.status, Status)
    for values in (result.residual_norms, result.objective, result.objective_path):
        assert all(EXACT.isfinite(entry) and entry >= 0 for entry in numbers(values))
    assert len(numbers(result.residual_norms)) == len(numbers(result.weights))
    assert len(numbers(result.objective_path)) >= 1
    (residual,) = numbers(result.fixed_point_residual)
    assert residual >= 0
    assert result.n_iter >= 0
    if max_iter is not None:
        assert result.n_iter <= max_iter


def assert_sound_model(model: Any) -> None:
    """A fitted recipe holds no NaN anywhere and records what decided it."""
    assert_weights(model.weights)
    assert isinstance(model.status, Status)
    (bandwidth,) = numbers(model.bandwidth)
    assert EXACT.isfinite(bandwidth)
    assert bandwidth > 0
    thresholds = numbers(model.thresholds or ())
    assert all(EXACT.isfinite(entry) for entry in thresholds)
    assert thresholds == sorted(thresholds)
    (share,) = numbers(model.zero_weight_share)
    (effective,) = numbers(model.effective_sample_size)
    n = len(numbers(model.weights))
    assert 0 <= share < 1
    assert exact(1) / 2 < effective
    assert_within(min(effective, exact(n)), effective, n * tolerances.sum_bound(3 * n), "effective size")
