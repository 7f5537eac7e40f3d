"""The engine by cells: what it states about its errors, against sums to 50 digits, and what it counts."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

import rkde.fast as rk
from rkde.errors import InvalidInput
from rkde.fast._float64 import split_bandwidth
from rkde.fast.operators import CellsOperator, DenseOperator, cell_plan, choose_engine, near_pairs
from rkde.fast.operators.cell_rows import _by_runs, _cells_of, place_rows
from rkde.fast.operators.chebyshev import (
    basis_roundings,
    chebyshev_nodes,
    interpolation_error,
    lagrange_basis,
    lebesgue_constant,
    transfer_matrix,
    transfer_roundings,
)
from rkde.fast.operators.cutoff import DEFAULT_TRUNCATION
from rkde.proofs_checks.tolerances import common_limit_bounds, product_bounds, sum_bound, unit_roundoff
from tests.engines.support import Array, contaminated
from tests.support.compare import assert_within
from tests.support.selection import one_in

DIGITS = 50
# Half sides and nodes that plans take: the widest cells of one, two and three columns, and narrow ones.
SIDES = [(2.15, 30, 1), (2.15, 30, 2), (1.45, 24, 2), (1.1, 21, 3), (0.73, 18, 2)]
# A stated error that is larger than the largest that is seen by more than this says nothing.
VACUOUS = 10_000


@pytest.fixture(params=["crowded", "as planned"])
def way(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """All rows by moments, which small tables would never take, or as the plan has it."""
    if request.param == "crowded":
        monkeypatch.setattr(cell_plan, "READS_A_VALUE", math.inf)
    return str(request.param)


def problem(seed: int) -> tuple[Array, float]:
    """Return rows of one of six kinds in one to three columns, and a bandwidth."""
    rng = np.random.default_rng(seed)
    dim, size = 1 + seed % 3, (1, 2, 40, 41, 130)[seed % 5]
    X = rng.standard_normal((size, dim)) * rng.choice([0.1, 1.0, 30.0])
    kind = seed // 3 % 6
    if kind == 1:  # clusters far apart, one of them farther from 0 than a grid reaches
        X[::2] += 3e13
        X[::3] -= 5e5
    elif kind == 2:  # ties
        X = X.round(0)
    elif kind == 3:  # an offset
        X += 1e6
    elif kind == 4:  # edges of cells
        X = np.floor(4 * X) / 4
    elif kind == 5 and size > 2:  # all rows near each other but one, at the end of the range
        X[:] = X[0] + 1e-3 * X
        X[-1] = 1e300
    return X, float(np.exp(rng.uniform(-2, 3)))


def exact_sum(X: Array, row: int, h: float, coefficients: Array) -> Any:
    with mp.workdps(DIGITS):
        squares = [sum((mpf(a) - mpf(b)) ** 2 for a, b in zip(X[row], other, strict=True)) for other in X]
        return sum(
            mpf(c) * mp.exp(-s / (2 * mpf(h) ** 2)) for c, s in zip(coefficients, squares, strict=True)
        )


@pytest.mark.parametrize("first", one_in(5, range(0, 150, 10)))
def test_products_are_within_the_stated_error_of_sums_to_fifty_digits(way: str, first: int) -> None:
    for seed in range(first, first + 10):
        X, h = problem(seed)
        operator = CellsOperator(X.tolist(), rk.Gaussian(h))
        rng = np.random.default_rng(seed)
        signed, one = rng.standard_normal(len(X)), np.zeros(len(X))
        one[rng.integers(len(X))] = 1.0
        rows = rng.integers(len(X), size=3)
        for c in (signed, one):
            wanted = [exact_sum(X, int(row), h, c) for row in rows]
            bound = [operator.absolute_error / 2 * math.fsum(np.abs(c))] * len(rows)
            assert_within(operator.gram_product(c)[rows], wanted, bound, f"K c, {way}, {seed}")
            doubled = [2 * (math.fsum(c) - value) for value in wanted]
            bounds = product_bounds(0.0, operator.absolute_error, [0.0] * len(rows), c.tolist())
            assert_within(operator.proved_product(c)[rows], doubled, bounds, f"D c, {way}, {seed}")


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_the_stated_error_is_not_vacuous(dim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cell_plan, "READS_A_VALUE", math.inf)
    X = np.random.default_rng(dim).standard_normal((300, dim))
    operator, dense = (build(X, rk.Gaussian(0.5)) for build in (CellsOperator, DenseOperator))
    worst = 0.0
    for one in np.eye(300)[:20]:
        worst = max(worst, float(np.abs(operator.product(one) - dense.product(one)).max()))
    assert operator.absolute_error / VACUOUS < worst <= operator.absolute_error
    # What lies beyond the cutoff is a part of what a value is off.
    assert operator.truncation > DEFAULT_TRUNCATION


@pytest.mark.parametrize("count", [2, 3, 5])
def test_an_entry_of_the_basis_is_off_by_the_roundings_that_are_counted(count: int) -> None:
    positions = np.random.default_rng(0).uniform(-1, 1, 100)
    nodes = [Fraction(node) for node in chebyshev_nodes(count).tolist()]
    for x, entries in zip(positions.tolist(), lagrange_basis(positions, count).tolist(), strict=True):
        for node, entry in zip(nodes, entries, strict=True):
            others = [other for other in nodes if other != node]
            right = math.prod((Fraction(x) - other) / (node - other) for other in others)
            assert abs(Fraction(entry) - right) <= sum_bound(basis_roundings(count)) * abs(right)


@pytest.mark.parametrize(("half_side", "count", "dim"), SIDES)
def test_the_bound_of_a_factor_is_that_of_cauchy_and_cramer(half_side: float, count: int, dim: int) -> None:
    one = 2 * (half_side / 2) ** count / math.sqrt(math.factorial(count))
    assert interpolation_error(count, half_side, dim) >= dim * (1 + lebesgue_constant(count)) * one


@pytest.mark.parametrize(("half_side", "count", "dim"), SIDES)
def test_interpolation_is_within_its_bound_and_below_that_of_bernstein(
    half_side: float, count: int, dim: int
) -> None:
    positions = np.linspace(-1, 1, 41)
    basis = lagrange_basis(positions, count)
    constant, bound = lebesgue_constant(count), interpolation_error(count, half_side, dim)
    assert np.abs(basis).sum(axis=1).max() <= constant * (1 + sum_bound(count + basis_roundings(count)))
    rounding = constant**2 * sum_bound(2 * count + 2 * basis_roundings(count))
    rounding += constant**2 * transfer_roundings(half_side) * unit_roundoff()
    for offset in (0, 1, -2):
        matrix = transfer_matrix(count, half_side, offset)
        t = half_side * (2 * offset + positions[:, None] - positions)
        # In one column; what is compared with is rounded as an entry of the matrix is.
        wrong = np.abs(basis @ matrix @ basis.T - np.exp(-t * t / 2)).max()
        assert wrong <= bound / dim + rounding + transfer_roundings(half_side) * unit_roundoff()
    radii = np.exp(np.linspace(0.01, 4, 400))
    with np.errstate(over="ignore"):
        sizes = np.exp(half_side**2 * (radii - 1 / radii) ** 2 / 8)
        ellipse = (4 * sizes * radii ** (1.0 - count) / (radii - 1)).min()
    assert bound <= dim * (1 + constant) * ellipse


@pytest.mark.parametrize("dim", [2, 3, 5])
def test_the_bound_of_a_product_follows_from_that_of_a_factor(dim: int) -> None:
    """With factors 1 + e instead of 1 it is off by (1 + e)^d - 1, which is at most d e (1 + e)^(d - 1)."""
    one = interpolation_error(2, 2.0, 1)  # so few nodes that it is not small
    off = interpolation_error(2, 2.0, dim)
    slack = 1 + sum_bound(2 * dim)
    assert (1 + one) ** dim - 1 <= off * slack
    assert off <= dim * one * (1 + one) ** (dim - 1) * slack


def test_too_few_nodes_are_seen() -> None:
    """The bound of interpolation is near what is seen: with half of the nodes nothing else is left."""
    count, half_side = 14, 2.15
    positions = np.linspace(-1, 1, 201)
    basis = lagrange_basis(positions, count)
    t = half_side * (positions[:, None] - positions)
    seen = np.abs(basis @ transfer_matrix(count, half_side, 0) @ basis.T - np.exp(-t * t / 2)).max()
    assert interpolation_error(count, half_side, 1) / 100 < seen <= interpolation_error(count, half_side, 1)


@pytest.mark.parametrize("count", [2, 4, 8])
def test_interpolation_in_one_variable_is_within_its_part_of_the_bound(count: int) -> None:
    """In narrow cells the derivative is the same everywhere, and the bound within a factor of two or so."""
    positions, half_side = np.linspace(-1, 1, 201), 0.3
    values = lagrange_basis(positions, count) @ np.exp(-((half_side * chebyshev_nodes(count)) ** 2) / 2)
    seen = np.abs(values - np.exp(-((half_side * positions) ** 2) / 2)).max()
    bound = interpolation_error(count, half_side, 1) / (1 + lebesgue_constant(count))
    assert bound / 3 < seen <= bound


def test_nodes_are_those_of_chebyshev() -> None:
    for count in (2, 18, 31):
        with mp.workdps(DIGITS):
            exact = [mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
        # The slack of bounds allows for one rounding of 1, and for the angle's.
        assert_within(chebyshev_nodes(count), exact, [4 * unit_roundoff()] * count, "nodes")


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_fits_by_cells_and_by_the_matrix_agree_within_their_certificates(way: str, dim: int) -> None:
    X = contaminated(300, dim)
    kernel = rk.Gaussian(0.7 * rk.scott(X))
    limits = [
        rk.fixed_point(X, kernel, rk.Huber(0.5), operator=build(X, kernel))
        for build in (CellsOperator, DenseOperator)
    ]
    assert [limit.engine for limit in limits] == ["cells", "dense"]
    assert math.isfinite(limits[0].weights_error_bound)
    bound = common_limit_bounds(*(limit.weights_error_bound for limit in limits))
    assert_within(limits[0].weights, limits[1].weights, [bound] * len(X), way)
    assert limits[0].certificate == limits[1].certificate


def test_a_norm_allows_for_the_roundings_of_a_sum_over_all_rows() -> None:
    size, square = 200, 2.0**60
    operator = CellsOperator(np.linspace(0, 1, size)[:, np.newaxis], rk.Gaussian(1.0))
    norm = operator.gram_norm(np.arange(size), np.full(size, square), np.ones(size))
    assert norm >= 2 * square * size * (1 + sum_bound(size) / 2)


def test_counters_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(5).standard_normal((200, 2))
    scattered = CellsOperator(X, rk.Gaussian(0.001))
    assert scattered.nonzeros >= 200
    monkeypatch.setattr(cell_plan, "READS_A_VALUE", math.inf)
    operator = CellsOperator(X, rk.Gaussian(1.0))
    plan = cell_plan.plan_cells(operator.X, operator.kernel)
    evaluations = (2 * plan.reach + 1) * plan.count**2
    assert (operator.nonzeros, operator.kernel_evaluations, operator.products) == (0, evaluations, 0)
    operator.product(np.ones(200))
    operator.gram_norm(np.arange(200), np.ones(200), np.ones(200))
    assert (operator.kernel_evaluations, operator.products) == (2 * evaluations, 2)


def test_a_result_says_what_interpolation_may_have_changed() -> None:
    X = np.random.default_rng(1).standard_normal((200, 2))
    estimate = rk.rkde(X, engine="cells", bandwidth="scott", loss=rk.Huber)
    report = estimate.engine_report
    # The cutoff, and interpolation.
    assert 2.0**-53 < report.truncation == report.truncation_bound <= 2.0**-46 + 2.0**-53
    assert report.residual_bound > 0


@pytest.mark.parametrize(("kernel", "dim"), [(rk.Laplacian(1.0), 2), (rk.Gaussian(1.0), 4)])
def test_what_cells_do_not_serve_is_refused_by_name_and_never_chosen(kernel: Any, dim: int) -> None:
    X = np.random.default_rng(0).standard_normal((5000, dim))
    with pytest.raises(InvalidInput, match="cells") as caught:
        rk.median_rkde(X[:50], kernel, engine="cells")
    assert 'engine="auto"' in caught.value.remedy
    assert rk.median_rkde(X[:50], kernel, engine="auto").engine == "dense"
    assert choose_engine(X, kernel, 10**10).engine != "cells"


def test_cells_with_too_many_numbers_are_not_numbered() -> None:
    X, kernel = np.eye(3), rk.Gaussian(0.01)
    assert [place_rows(X, kernel, 1.0, reach) is None for reach in (2**19, 2**20)] == [False, True]


@pytest.mark.parametrize("side", [1.4500000000000002, 2.15, 0.1])
def test_positions_in_cells_are_on_the_interval_where_quotients_are_rounded(side: float) -> None:
    edges = np.concatenate([np.arange(-100, 101), 2.0 ** np.arange(40), -(3.0 ** np.arange(20))]) * side
    column = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf)])
    cells, positions = _cells_of(column, side)
    assert (np.abs(positions) <= 1).all()
    places = (cells + (positions + 1) / 2) * side
    assert (np.abs(places - column) <= sum_bound(4) * (np.abs(column) + side)).all()


def test_differences_within_a_run_are_exact() -> None:
    """A row far from 0 gives its own run an origin, and takes no digits from the rows near 0."""
    column = np.array([-30.0, -20.0, -10.0, -1.0, 1e-20, 1e13, 1e13 + 5])
    placed, runs = _by_runs(column, 1.0, column / 2)
    assert runs.tolist() == [0] * 5 + [1] * 2
    assert (placed[:5] == np.ldexp(column[:5], -split_bandwidth(1.0)[1])).all()
    assert placed[6] - placed[5] == np.ldexp(5.0, -split_bandwidth(1.0)[1])


def test_a_plan_counts_the_pairs_of_rows_that_are_not_crowded() -> None:
    """500 cells of two rows each, 100 bandwidths apart: four stored values a cell, on top of the tables."""
    X = np.repeat(100.0 * np.arange(500), 2)[:, np.newaxis] + 0.5
    plan = cell_plan.plan_cells(X, rk.Gaussian(1.0))
    assert plan is not None
    assert plan.nbytes == 8 * 1000 * (32 + 8) + near_pairs.BUILD_BYTES * 4 * 500
