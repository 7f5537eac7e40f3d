"""The same influence by every way that the fast code has: engines, blocks, factorizations, iterations."""

from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
from rkde.errors import InvalidInput, MemoryLimit, NotConverged
from rkde.fast._float64 import conjugate_gradients, krylov, largest_eigenvalue, scale_rows
from rkde.fast.influence import one_sided, sensitivity, stationary_point, theorem5
from rkde.fast.influence import total as fast_total
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.reference.influence import total as reference_total
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.implementations import FAST, FINE_REFERENCE, REFERENCE, numbers

FIELDS: Final = ("if_coef", "if_coef_new", "influence", "if_at_new", "if_l2_norm")
SIZE: Final = 90
SEED: Final = 20120907
KERNEL: Final = rkde.fast.Gaussian(1.0)
LOSSES: Final = (rkde.fast.Absolute(), rkde.fast.Huber(0.75), rkde.fast.Hampel(0.7, 0.8, 1.1))
# Two pairs of close rows; nearly uniform weights are a saddle of J.
PAIRS: Final = [[-2.1], [-1.9], [1.9], [2.1]]


def problem(loss: Any) -> tuple[Any, ...]:
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((SIZE, 2))
    weights = rkde.fast.fixed_point(X, KERNEL, loss).weights
    return X, KERNEL, loss, weights, 2 * rng.standard_normal((7, 2)), rng.standard_normal((5, 2))


def assert_equal(found: Any, expected: Any) -> None:
    bound = tolerances.influence_bound(SIZE, 2, expected.condition)
    for name in FIELDS:
        assert_relative_to_largest(getattr(found, name), getattr(expected, name), bound, name)
    bound = tolerances.condition_bound(expected.condition)
    assert_within(found.condition, expected.condition, bound, "condition")


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_conjugate_gradients(loss: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    request = problem(loss)
    factored = rkde.fast.influence(*request)
    monkeypatch.setattr(theorem5, "_ALWAYS_FACTORED", 0)
    monkeypatch.setattr(theorem5, "_ITERATIONS", 0)
    monkeypatch.setattr(theorem5, "cho_factor", None)
    operator = rkde.fast.DenseOperator(request[0], KERNEL)
    before = operator.products
    iterated = rkde.fast.influence(*request, operator=operator)
    assert operator.products > before + len(request[4])
    assert_equal(iterated, factored)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_small_blocks(loss: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    request = problem(loss)
    at_once = rkde.fast.influence(*request)
    monkeypatch.setattr(stationary_point, "_BLOCK_ENTRIES", 2 * SIZE)
    monkeypatch.setattr(sensitivity, "_TILE_ENTRIES", 4 * SIZE)
    monkeypatch.setattr(sensitivity, "_KEPT_ENTRIES", 0)
    # The first rows are longer than a tile.
    monkeypatch.setattr(theorem5, "_TILE_ENTRIES", SIZE // 2)
    assert_equal(rkde.fast.influence(*request), at_once)


@pytest.mark.parametrize("engine", ["dense", "sparse", "tiled"])
def test_engines(engine: Any) -> None:
    request = problem(LOSSES[2])
    assert_equal(rkde.fast.influence(*request, engine=engine), rkde.fast.influence(*request))


def test_many_points_are_as_good_as_one() -> None:
    request = problem(LOSSES[2])
    together = rkde.fast.influence(*request)
    for index, point in enumerate(request[4]):
        alone = rkde.fast.influence(*request[:4], [point], request[5])
        bound = tolerances.influence_bound(SIZE, 2, together.condition)
        for name in FIELDS:
            values = getattr(together, name)[[index]]
            assert_relative_to_largest(getattr(alone, name), values, bound, name)


def test_counts() -> None:
    """One value of the kernel for each x' and row; of the self-convolution also one for each pair of rows."""
    X, kernel, loss, weights, x_new, _ = problem(LOSSES[0])
    counted: list[int] = []

    class Counting(rkde.fast.Gaussian):
        def unit_self_complement(self, separation: Any, dim: int) -> Any:
            counted.append(separation.size)
            return super().unit_self_complement(separation, dim)

    rkde.fast.influence(X, Counting(kernel.bandwidth), loss, weights, x_new)
    assert sum(counted) <= SIZE * SIZE + len(x_new) * SIZE


def test_blocks_hold_no_more_distances_than_stated() -> None:
    X = np.zeros((3000, 1))
    inputs = stationary_point.InfluenceInputs(KERNEL, *([scale_rows(X, KERNEL.bandwidth)] * 3))
    for blocks in (inputs.blocks(), inputs.query_blocks()):
        assert max(block.stop - block.start for block in blocks) * len(X) <= 2**21


def test_systems_that_are_kept_leave_room_for_no_larger_ones() -> None:
    operator = rkde.fast.DenseOperator(np.zeros((2, 1)), KERNEL)
    room = theorem5.BLOCK_COPIES * operator.block_limit**2
    for kept in (1, 2, 16):
        order = theorem5._largest_order(operator, kept)
        assert order**2 <= room / (theorem5.BLOCK_COPIES + kept - 1) < (order + 2) ** 2


def test_derivatives_differ_where_they_are_apart_by_more_than_rounding() -> None:
    """The size is a bound on the coefficients, and their rounding is in proportion to size and condition."""
    size, condition = np.full((1, 8), 0.5), np.full(1, 16.0)
    one = theorem5.Coefficients(np.arange(8), size, np.ones(1), condition)
    alpha = np.empty((1, 8))
    one.fill(np.full(8, 0.125), alpha)
    assert np.abs(alpha).sum() + one.new[0] <= one.sizes()[0] == 10
    unit = 8 * 16 * 10 * 2.0**-52
    for apart, differs in ((unit / 2, False), (2 * unit, True)):
        other = theorem5.Coefficients(one.active, size + apart, one.new, condition)
        assert one_sided._differ(one, other, np.ones(1, dtype=bool)) is differs


@pytest.mark.parametrize("t", [0.75, 2.0])
def test_slopes_in_the_thresholds(t: float) -> None:
    """On the linear piece and on a ramp that ends beyond 2 b, as difference quotients."""
    ctx, abc, step = rkde.reference.make_context(40), (0.5, 1.0, 3.5), 2.0**-40
    slopes = reference_total._threshold_slopes(
        ctx, rkde.reference.Hampel(*abc), ctx.mpf(t), 1 if t < abc[1] else 2
    )
    point = theorem5.StationaryPoint(
        rkde.fast.DenseOperator(np.zeros((1, 1)), KERNEL), np.ones(1), np.array([t]), 1.0, np.zeros(1)
    )
    fast_slopes = fast_total._Slopes(rkde.fast.Hampel(*abc), point, ())
    assert_relative_to_largest(
        fast_slopes._of_pieces(fast_slopes._pieces())[:, 0],
        slopes,
        tolerances.contracting_path_bound(),
        "fast",
    )
    for index, slope in enumerate(slopes):
        ends = [
            rkde.reference.Hampel(*(v + sign * step * (k == index) for k, v in enumerate(abc))).phi(ctx, t)
            for sign in (-1, 1)
        ]
        assert abs((ends[1] - ends[0]) / ctx.mpf(2 * step) - slope) <= ctx.mpf(step)


def test_no_memory() -> None:
    request = problem(LOSSES[2])
    with pytest.raises(MemoryLimit, match="influence of 7 points"):
        rkde.fast.influence(
            *request[:4], request[4], operator=rkde.fast.DenseOperator(request[0], KERNEL), memory_limit=64
        )


def test_a_saddle() -> None:
    """There gamma I - G is indefinite, and Theorem 5's system regular all the same."""
    spec, loss = KernelSpec("gaussian", 1.0), LossSpec("hampel", (0.3, 0.6, 1.2))
    # The reference stays on the symmetric path; in float64 a last bit may lead away from it.
    limit = REFERENCE.call("fixed_point", PAIRS, spec, loss)
    assert limit.certificate.value == "saddle"
    x_new, weights = [[0.25], [2.0]], [float(weight) for weight in limit.weights]
    found, expected = (
        each.call("influence", PAIRS, spec, loss, weights, x_new, x_new) for each in (FAST, REFERENCE)
    )
    bound = tolerances.influence_bound(len(PAIRS), 1, float(expected.condition))
    for name in FIELDS:
        assert_relative_to_largest(getattr(found, name), getattr(expected, name), bound, name)


def test_a_saddle_needs_its_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conjugate gradients solve no indefinite system, so one that does not fit is refused."""
    spec, loss = KernelSpec("gaussian", 1.0), LossSpec("hampel", (0.3, 0.6, 1.2))
    monkeypatch.setattr(theorem5, "_largest_order", lambda *_: 0)
    weights = [float(weight) for weight in REFERENCE.call("fixed_point", PAIRS, spec, loss).weights]
    with pytest.raises(MemoryLimit, match=r"the system of 4 active rows near a saddle point .*\b128 bytes"):
        FAST.call("influence", PAIRS, spec, loss, weights, [[0.25]])


def test_beyond_c_nothing_moves() -> None:
    """Where phi(r') = 0 all fields are exactly 0, beside points that do move f."""
    X, kernel, loss, weights, x_new, queries = problem(LOSSES[2])
    beside = rkde.fast.influence(X, kernel, loss, weights, [*x_new, [50.0, 0.0]], queries)
    alone = rkde.fast.influence(X, kernel, loss, weights, [[50.0, 0.0]], queries)
    for name in FIELDS:
        assert not getattr(beside, name)[-1].any()
        assert not getattr(alone, name).any()
    assert beside.if_coef[:-1].any()
    assert alone.condition == 1


def test_nothing_is_changed_and_results_are_read_only() -> None:
    request = problem(LOSSES[2])
    copies = [np.array(part) for part in request if isinstance(part, np.ndarray)]
    found = rkde.fast.influence(*request)
    given = [part for part in request if isinstance(part, np.ndarray)]
    assert all(np.array_equal(before, after) for before, after in zip(copies, given, strict=True))
    assert not any(getattr(found, name).flags.writeable for name in FIELDS)
    assert "L2 norm              none" in repr(rkde.fast.influence(*request[:4], []))


@pytest.mark.parametrize("condition", [1.0, 1.5, 100.0])
def test_conjugate_gradients_alone(condition: float) -> None:
    rng = np.random.default_rng(SEED)
    basis = np.linalg.qr(rng.standard_normal((20, 20)))[0]
    matrix = basis @ np.diag(np.linspace(1 / condition, 1, 20)) @ basis.T
    right = rng.standard_normal(20)
    found = conjugate_gradients(lambda vector: matrix @ vector, right, 1.0, condition)
    bound = tolerances.influence_bound(20, 1, condition)
    assert_relative_to_largest(found, np.linalg.solve(matrix, right), bound, "solution")
    assert not conjugate_gradients(lambda vector: matrix @ vector, 0 * right, 1.0, condition).any()


def test_conjugate_gradients_solve_small_systems_as_well() -> None:
    """All powers of two, so that no digit may change with the size of the matrix."""
    spectrum, right = np.linspace(0.01, 1, 20), np.linspace(1, 2, 20)
    whole = conjugate_gradients(lambda vector: spectrum * vector, right, 1.0, 100.0)
    small, size = spectrum * 2.0**-100, 2.0**-100
    assert (conjugate_gradients(lambda vector: small * vector, size * right, size, 100.0) == whole).all()


def test_conjugate_gradients_end_where_the_condition_number_is_wrong() -> None:
    spectrum = np.linspace(1e-3, 1, 20)
    with pytest.raises(NotConverged, match="raise memory_limit"):
        conjugate_gradients(lambda vector: spectrum * vector, np.ones(20), 1.0, 1.0)


def test_the_largest_of_many_close_eigenvalues() -> None:
    """More steps than keep their directions: the restarted iteration goes on from there."""
    spectrum = np.linspace(0, 1, 1000)
    found = largest_eigenvalue(lambda vector: spectrum * vector.reshape(-1), 1000, 0.0)
    assert_within(found, 1.0, krylov._ARPACK_TOLERANCE, "eigenvalue")


def test_the_largest_eigenvalue_of_a_multiple_of_the_identity() -> None:
    """Each direction is invariant, and nothing is left that could be divided by its length."""
    for order in range(2, 40):
        found = largest_eigenvalue(lambda vector: 2 * vector, order, 0.0)
        assert_within(found, 2.0, 2 * tolerances.sum_bound(2 * order), "eigenvalue")


TOTAL_SETS: Final = (
    [[-2.0], [-1.0], [0.0], [0.5], [1.5], [4.0]],
    [[-1.0], [1.0], [0.25], [3.0], [3.25], [0.375], [0.875]],
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
    # The first two hold f_med.
    [[0.0], [0.0], [-1.0], [1.25]],
    # f_med lies between close rows, and x' far from them.
    [[0.0], [0.01], [0.03], [-1.0], [1.25], [1.5]],
)


@pytest.mark.parametrize("X", TOTAL_SETS, ids=["six", "seven", "square", "held", "close"])
@pytest.mark.parametrize("name", ["Huber", "Hampel", "Absolute", "Quadratic"])
@pytest.mark.parametrize("rule", ["linear", "hazen"])
def test_influence_total(X: Any, name: str, rule: str) -> None:
    x_new = [[0.75] * len(X[0]), [9.0] * len(X[0])]
    answers = []
    for each in (FAST, REFERENCE):
        kernel = each.kernel(KernelSpec("student", 1.0, 3.0))
        try:
            options = {"loss": each.get(name), "quantile_rule": rule}
            answers.append(each.call("influence_total", X, kernel, x_new, x_new, **options))
        except rkde.errors.RkdeError as error:
            answers.append(error)
    found, expected = answers
    if isinstance(expected, rkde.errors.RkdeError):
        assert type(found) is type(expected)
        return
    assert found.one_sided == expected.one_sided
    # Two systems, one after the other, and thresholds from the first.
    bound = tolerances.influence_bound(len(X), len(X[0]), float(expected.condition) ** 2)
    for field in FIELDS:
        assert_relative_to_largest(getattr(found, field), getattr(expected, field), bound, field)
        if found.one_sided:
            below = (getattr(each.from_below, field) for each in (found, expected))
            assert_relative_to_largest(*below, bound, field)


@pytest.mark.parametrize("share", [0.25, -0.0625])
@pytest.mark.parametrize(
    "loss", [LossSpec("absolute"), LossSpec("huber", (0.75,)), LossSpec("hampel", (0.7, 0.8, 1.1))], ids=repr
)
def test_contaminate(share: float, loss: LossSpec) -> None:
    X = TOTAL_SETS[1]
    spec = KernelSpec("gaussian", 1.0)
    weights = [float(weight) for weight in FAST.call("fixed_point", X, spec, loss).weights]
    found, expected = (
        each.call("contaminate", X, spec, loss, weights, share, [2.0]) for each in (FAST, FINE_REFERENCE)
    )
    assert_relative_to_largest(found.weights, expected.weights, tolerances.stopped_bound(), "weights")
    assert_within(sum(numbers(found.weights)), 1, tolerances.influence_bound(len(X), 1, 1.0), "sum")


def test_contaminate_refuses() -> None:
    arguments = ([[0.0], [1.0]], KERNEL, rkde.fast.Quadratic(), [0.5, 0.5])
    with pytest.raises(InvalidInput, match=r"as many coordinates as the data have columns \(1\), got 2"):
        rkde.fast.contaminate(*arguments, 0.5, [3.0, 4.0])
