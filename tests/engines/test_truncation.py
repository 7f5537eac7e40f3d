"""What leaving out far pairs changes never exceeds its proved bound, however many are left out."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rkde.fast as rk
from rkde.errors import InvalidInput, MemoryLimit
from rkde.fast._resources import Progress
from rkde.fast.operators import DenseOperator, SparseOperator, near_pairs, sparse
from rkde.fast.operators.choose import residual_change, step_change
from rkde.fast.solvers.iteration import next_weights
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec, Problem
from rkde.vocabulary import FixedSteps
from tests.engines.support import can_truncate, contaminated
from tests.support.compare import assert_within
from tests.support.implementations import FAST

# From leaving out most pairs to leaving out what rounding hides.
truncations = st.integers(1, 60).map(lambda power: 2.0**-power)
# Three rows whose middle kernel value lies just below the cutoff of 1/4.
JUST_BELOW = Problem([[0.0], [1.75], [9.0]], KernelSpec("gaussian", 1.0), [0.5, 0.25, 0.25])


def engines(problem: Problem, truncation: float) -> tuple[SparseOperator, DenseOperator]:
    assume(can_truncate(problem.kernel.name))
    kernel = FAST.kernel(problem.kernel)
    return SparseOperator(problem.X, kernel, truncation=truncation), DenseOperator(problem.X, kernel)


def unit(problem: Problem) -> Any:
    return np.array(problem.weights) / np.sum(problem.weights)


@given(problem=strategies.problems(), truncation=truncations)
@example(problem=JUST_BELOW, truncation=0.25)
def test_products(problem: Problem, truncation: float) -> None:
    sparse, dense = engines(problem, truncation)
    c = unit(problem) * np.where(np.arange(sparse.size) % 2, -1.0, 1.0)
    magnitudes = dense.proved_product(np.abs(c)).tolist()
    bounds = tolerances.product_bounds(dense.relative_error, sparse.absolute_error, magnitudes, c.tolist())
    assert_within(sparse.proved_product(c), dense.proved_product(c), bounds, "D c")
    # f loses at most the truncation.
    weights = unit(problem)
    lost = dense.gram_product(weights) - sparse.gram_product(weights)
    rounding = tolerances.product_bounds(
        dense.relative_error, sparse.absolute_error - 2 * truncation, [2.0] * sparse.size, weights.tolist()
    )
    assert (lost <= truncation + np.array(rounding)).all()
    assert (lost >= -np.array(rounding)).all()


@given(problem=strategies.problems(), truncation=truncations)
@example(problem=JUST_BELOW, truncation=0.25)
def test_residual_norms(problem: Problem, truncation: float) -> None:
    sparse, dense = engines(problem, truncation)
    weights = unit(problem)
    computed, right = sparse.residual_norms(weights), dense.residual_norms(weights)
    proved = residual_change(truncation, computed)
    only_rounding = sparse.absolute_error - 2 * truncation
    # Truncation moves the square by less than 2 truncation, rounding by its own bound; the square root of
    # a sum is at most the sum of the square roots.
    rounding = tolerances.residual_bound(right.tolist(), weights.tolist(), sparse.dim, only_rounding)
    roots = np.sqrt(np.array(rounding) * np.maximum(right + computed, np.array(rounding)))
    assert (np.abs(computed - right) <= proved + np.maximum(rounding, roots)).all()


@given(problem=strategies.problems(), truncation=truncations, which=st.sampled_from(["huber", "hampel"]))
@example(problem=JUST_BELOW, truncation=0.25, which="hampel")
def test_weights_of_one_step(problem: Problem, truncation: float, which: str) -> None:
    sparse, dense = engines(problem, truncation)
    loss: Any = rk.Huber(0.5) if which == "huber" else rk.Hampel(0.5, 0.9, 1.3)
    weights = unit(problem)
    norms = sparse.residual_norms(weights)
    right = dense.residual_norms(weights)
    assume(loss.phi(norms).max() > 0 and loss.phi(right).max() > 0)
    proved = step_change(loss, norms, residual_change(truncation, norms))
    assume(math.isfinite(proved))
    rounding = tolerances.residual_bound(
        right.tolist(), weights.tolist(), sparse.dim, sparse.absolute_error - 2 * truncation
    )
    phi = loss.phi(right).tolist()
    steps = tolerances.weight_step_bound(phi, tolerances.phi_error(loss, right.tolist(), phi, rounding))
    assume(all(map(math.isfinite, steps)))
    arguments = (problem.X, sparse.kernel, loss, weights)
    truncated, whole = (rk.kirwls_step(*arguments, operator=one) for one in (sparse, dense))
    assert_within(truncated, whole, [proved + bound for bound in steps], "weights")


@pytest.mark.parametrize("masses", [None, np.array([0.25, *[1.25] * 3])], ids=["equal", "masses"])
@pytest.mark.parametrize("loss", [rk.Huber(0.5), rk.Hampel(0.5, 0.75, 1.1)], ids=["huber", "hampel"])
def test_a_norm_that_falls_or_rises_moves_no_weight_by_more(loss: Any, masses: Any) -> None:
    norms, change = np.array([0.75, *[0.25] * 3]), np.array([0.3, 0.0, 0.0, 0.0])
    proved = step_change(loss, norms, change, masses)
    for moved in (norms - change, norms + change):
        moves = next_weights(loss, moved, masses) - next_weights(loss, norms, masses)
        assert 0 < np.abs(moves).max() <= proved < 1


@pytest.mark.parametrize("power", [6, 10, 20, 53])
@pytest.mark.parametrize("loss", [rk.Absolute(), rk.Huber(0.8)], ids=["absolute", "huber"])
def test_certificates_cover_what_was_left_out(power: int, loss: Any) -> None:
    X = contaminated(80, 2)
    kernel = rk.Gaussian(rk.median_nn(X))
    sparse, dense = SparseOperator(X, kernel, truncation=2.0**-power), DenseOperator(X, kernel)
    truncated, whole = (rk.fixed_point(X, kernel, loss, operator=one) for one in (sparse, dense))
    assert math.isfinite(whole.error_bound)
    bound = tolerances.common_limit_bounds(truncated.error_bound, whole.error_bound)
    change = truncated.weights - whole.weights
    distance = math.sqrt(max(0.0, -float(change @ dense.proved_product(change)) / 2))
    assert distance <= bound
    # The bound says something wherever truncation is small, and owns up to it where it is not.
    assert math.isfinite(bound) or power < 20
    assert truncated.error_bound > whole.error_bound


def test_what_was_left_out_is_reported() -> None:
    X = contaminated(200, 2)
    kernel = rk.Gaussian(rk.median_nn(X))
    sparse = SparseOperator(X, kernel, truncation=2.0**-30)
    result = rk.kirwls(X, kernel, rk.Huber(0.9), stop=FixedSteps(2), operator=sparse)
    report = result.engine_report
    assert (result.engine, report.engine) == ("sparse", "sparse")
    assert (report.truncation, report.truncation_bound) == (2.0**-30, 2.0**-30)
    assert 2.0**-30 < report.residual_bound < 2.0**-27
    assert 0 < report.weights_bound < 2.0**-27
    assert (report.products, report.nonzeros) == (sparse.products, sparse.nonzeros)
    whole = rk.kirwls(X, kernel, rk.Huber(0.9), stop=FixedSteps(2), engine="dense").engine_report
    assert (whole.truncation_bound, whole.residual_bound, whole.weights_bound) == (0.0, 0.0, 0.0)


def test_a_crowd_of_rows_is_built_in_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    X = rng.uniform(0, 1000, (4000, 2))
    X[1::10] = 500 + rng.standard_normal((400, 2)) / 100
    monkeypatch.setattr(near_pairs, "CHUNK_PAIRS", 10_000)
    told: list[Progress] = []
    operator = SparseOperator(X, rk.Gaussian(0.5), report=told.append)
    starts = operator._upper.indptr[[0, *(progress.done for progress in told)]]
    # The crowd alone has 400 * 399 / 2 pairs; a row of it may begin a run of which no other was counted.
    assert np.diff(starts).max() <= 10_000 + near_pairs._RUN * 400
    assert operator.nonzeros > 7 * 10_000
    c = np.linspace(-1, 1, 4000)
    monkeypatch.undo()
    # Each product is off by at most that; a chunk that is lost would change some by more than 1/2.
    bound = 2 * operator.absolute_error * float(np.abs(c).sum())
    assert bound < 2.0**-30
    assert_within(operator.gram_product(c), SparseOperator(X, rk.Gaussian(0.5)).gram_product(c), bound, "K c")


@pytest.mark.parametrize("truncation", [0.0, -0.5, 1.0, math.nan], ids=str)
def test_a_share_to_leave_out_lies_between_0_and_1(truncation: float) -> None:
    with pytest.raises(InvalidInput, match="truncation must be between 0 and 1"):
        SparseOperator([[0.0], [1.0]], rk.Gaussian(1.0), truncation=truncation)


def test_what_is_left_out_may_move_all_weight_to_and_from_a_location() -> None:
    median = rk.median_rkde([[0.0]] * 3 + [[100.0], [101.0]], rk.Gaussian(1.0), engine="sparse")
    assert median.residual_norms.tolist()[:3] == [0.0] * 3
    assert median.engine_report is not None
    assert median.engine_report.truncation > 0
    assert median.engine_report.weights_bound == math.inf


def test_near_pairs_stop_at_the_limit_where_the_estimate_was_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse, "require_sparse", lambda *_: None)
    with pytest.raises(MemoryLimit, match=r"the near pairs of 50 rows need more than the limit of 1 kB"):
        SparseOperator(contaminated(50, 2), rk.Gaussian(1.0), memory_limit=1000)


def test_the_norm_of_a_scaled_matrix_holds_what_was_left_out() -> None:
    """Two rows at kappa = 0.45, which is left out: each bracket off the diagonal is too small by 0.9."""
    X, kernel = [[0.0], [math.sqrt(-2 * math.log(0.45))]], rk.Gaussian(1.0)
    asked = np.arange(2), np.ones(2), np.full(2, 0.75)
    truncated, whole = (
        one.gram_norm(*asked) for one in (SparseOperator(X, kernel, truncation=0.5), DenseOperator(X, kernel))
    )
    assert truncated >= whole * (1 - tolerances.sum_bound(100))
