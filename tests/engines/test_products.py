"""Every engine against the exact matrix, within the bounds that it states itself."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from scipy.sparse.linalg import LinearOperator
from scipy.spatial.distance import pdist

import rkde.fast as rk
from rkde.errors import InvalidInput
from rkde.fast._float64 import ENTRY_ROUNDINGS
from rkde.fast.operators import (
    DenseOperator,
    ForeignOperator,
    SparseOperator,
    TiledOperator,
    as_linear_operator,
    common,
)
from rkde.fast.operators.tiled import tiled_bytes
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import Problem, examples
from rkde.proofs_checks.tolerances import (
    ELEMENTARY_ULP,
    common_limit_bounds,
    gram_bounds,
    product_bounds,
    residual_bound,
    sum_bound,
)
from tests.engines.support import BUILDERS, Array, contaminated, each_engine, serves
from tests.support.compare import assert_relative, assert_within
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import FAST, REFERENCE

each_set = pytest.mark.parametrize("data", SMALL, ids=repr)


def built(engine: str, X: Any, spec: Any) -> Any:
    if not serves(engine, spec.name, len(X[0])):
        pytest.skip("the engine refuses this kernel, or so many columns")
    return BUILDERS[engine](X, FAST.kernel(spec))


@each_engine
@each_set
def test_products_with_the_exact_matrix(engine: str, data: NamedData) -> None:
    operator = built(engine, data.X, data.kernel)
    exact = REFERENCE.call("distance_matrix", data.X, data.kernel)
    coefficients = [(-1.0) ** index * (index + 1) / 8 for index in range(len(data.X))]
    wanted = [sum(entry * c for entry, c in zip(row, coefficients, strict=True)) for row in exact]
    sizes = [float(sum(e * abs(c) for e, c in zip(row, coefficients, strict=True))) for row in exact]
    bounds = product_bounds(operator.relative_error, operator.absolute_error, sizes, coefficients)
    assert_within(operator.proved_product(np.array(coefficients)), wanted, bounds, f"{engine} D c")
    loose = product_bounds(operator.relative_error, operator.product_error, sizes, coefficients)
    loose = [a + b for a, b in zip(bounds, loose, strict=True)]
    assert_within(operator.product(np.array(coefficients)), wanted, loose, f"{engine} fast D c")
    total = sum(coefficients)
    gram = [total - value / 2 for value in wanted]
    rounded = gram_bounds(loose, coefficients)
    assert_within(operator.gram_product(np.array(coefficients)), gram, rounded, f"{engine} K c")


@each_engine
@examples(0.5)
@given(problem=strategies.problems())
def test_residual_norms_on_adversarial_data(engine: str, problem: Problem) -> None:
    assume(serves(engine, problem.kernel.name, len(problem.X[0])))
    operator = BUILDERS[engine](problem.X, FAST.kernel(problem.kernel))
    expected = REFERENCE.call("residual_norms", problem.X, problem.kernel, problem.weights)
    norms = [float(norm) for norm in expected]
    error = operator.absolute_error + operator.product_error
    bound = residual_bound(norms, problem.weights, len(problem.X[0]), error)
    weights = np.array(problem.weights) / np.sum(problem.weights)
    assert_within(operator.residual_norms(weights), expected, bound, engine)


@each_engine
@each_set
def test_locations_and_blocks_are_those_of_the_dense_matrix(engine: str, data: NamedData) -> None:
    operator, dense = built(engine, data.X, data.kernel), DenseOperator(data.X, FAST.kernel(data.kernel))
    assert operator.locations.tolist() == dense.locations.tolist()
    assert operator.has_ties == dense.has_ties
    assert operator.is_single_location == dense.is_single_location
    everything = np.arange(dense.size)
    # The same bits, but for distances by products of centred rows.
    roundings = operator.distance_roundings
    slack = 0.0 if roundings == dense.dim else sum_bound(2 * (roundings + ENTRY_ROUNDINGS))
    block, D = operator.block(everything, everything), dense.differences
    assert (np.abs(block - D) <= slack * D).all()
    assert (np.abs(operator.row(0) - D[0]) <= slack * D[0]).all()


@each_engine
@each_set
@pytest.mark.parametrize("largest", [0.25, 0.75])
def test_sums_over_near_rows_are_those_of_the_matrix(engine: str, data: NamedData, largest: float) -> None:
    operator, dense = built(engine, data.X, data.kernel), DenseOperator(data.X, FAST.kernel(data.kernel))
    coefficients = np.arange(1.0, dense.size + 1)
    close, number = operator.close_sums(largest, coefficients)
    is_near = dense.differences <= largest
    # Whole numbers, whose sums are exact.
    assert np.array_equal(number, is_near.astype(float) @ coefficients)
    expected = (is_near * (1 - dense.differences / 2)) @ coefficients
    # 1 - D/2 of two computed D, and two sums of as many terms.
    bound = operator.absolute_error + sum_bound(2 * (dense.size + dense.dim) + 2 * ELEMENTARY_ULP)
    assert (np.abs(close - expected) <= bound * coefficients.sum()).all()


@each_engine
@pytest.mark.parametrize("dim", [1, 2, 9, 300])
def test_the_norm_of_a_scaled_matrix_is_an_upper_bound(
    engine: str, dim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not serves(engine, "gaussian", dim):
        pytest.skip("the engine refuses so many columns")
    X = contaminated(120, dim)
    kernel = rk.Gaussian(rk.median_nn(X))
    operator, D = BUILDERS[engine](X, kernel), DenseOperator(X, kernel).differences
    rows = np.arange(3, 117, 2)
    squares, shares = np.linspace(0.1, 1.9, len(rows)), np.linspace(1.0, 0.0, len(rows))
    brackets = squares[:, None] + squares - D[np.ix_(rows, rows)]
    # The norm to 64 bits and more: what is claimed is that no rounding lowers the bound below it.
    norm = float(np.sqrt((shares[:, None] * shares * brackets.astype(np.longdouble) ** 2).sum()))
    # In one tile, and in several, of which the last are shorter.
    for height, width in ((common.TILE_ROWS, common.TILE_COLUMNS), (10, 25)):
        monkeypatch.setattr(common, "TILE_ROWS", height)
        monkeypatch.setattr(common, "TILE_COLUMNS", width)
        bound = operator.gram_norm(rows, squares, shares)
        assert norm <= bound
        assert bound <= norm * (1 + 2.0**-20)


@each_engine
def test_an_engine_is_a_linear_operator_of_scipy(engine: str) -> None:
    X = contaminated(40, 2)
    operator = BUILDERS[engine](X, rk.Gaussian(1.0))
    linear = as_linear_operator(operator)
    before = operator.products
    columns = linear.matmat(np.eye(40)[:, :3])
    assert operator.products == before + 3
    assert linear.shape == (40, 40)
    assert (columns == np.column_stack([operator.gram_product(row) for row in np.eye(40)[:3]])).all()
    assert (np.diag(columns[:3]) == 1).all()


def test_the_norm_at_f_itself_is_none_below_0() -> None:
    """|Phi(x) - f|^2 at f, near two rows whose distance underflows when it is squared, may round below 0."""
    operator = DenseOperator(np.array([[0.0], [1e-8]]), rk.Gaussian(1.0))
    between = np.linspace(0, 1e-8, 41)[:, np.newaxis]
    for share in np.arange(1, 10) / 10:
        assert (operator.norms_at(between, np.array([share, 1 - share])) >= 0).all()


def test_counters_are_exact() -> None:
    X = contaminated(60, 2)
    kernel = rk.Gaussian(0.5)
    pairs = 60 * 59 // 2
    dense, sparse, tiled = (build(X, kernel) for build in (DenseOperator, SparseOperator, TiledOperator))
    assert (dense.kernel_evaluations, dense.nonzeros, dense.nbytes) == (pairs, pairs, 8 * 60 * 60)
    assert BUILDERS["triangle"](X, kernel).nonzeros == pairs
    logs = kernel.log_profile(pdist(X, "sqeuclidean"))
    # A tree's radius is wider by 2^-20, in which no pair of these lies.
    assert sparse.nonzeros == int((logs >= np.log(sparse.truncation)).sum()) < pairs
    assert sparse.kernel_evaluations == sparse.nonzeros
    # A value and a column of each pair, where rows begin, and their order.
    assert sparse.nbytes == (8 + 4) * sparse.nonzeros + 4 * 61 + 8 * 60
    tiled.product(np.ones(60))
    # One tile holds all of the matrix.
    assert (tiled.kernel_evaluations, tiled.nonzeros, tiled.products) == (60 * 60, 0, 1)


def test_tiles_of_many_strips_cover_each_pair_once() -> None:
    X = contaminated(1100, 2)
    kernel = rk.Laplacian(0.3)
    dense, tiled = DenseOperator(X, kernel), TiledOperator(X, kernel, threads=2)
    c = np.linspace(-1, 1, 1100)
    magnitudes = dense.proved_product(np.abs(c))
    bounds = product_bounds(dense.relative_error + tiled.relative_error, 0.0, magnitudes.tolist(), c.tolist())
    assert_within(tiled.product(c), dense.proved_product(c), bounds, "tiles")


def far_from_the_median(dim: int, seed: int, share: float) -> Array:
    """Return rows in two crowds on both sides of their median, so far that products nearly are refused."""
    rng = np.random.default_rng(seed)
    towards = np.eye(dim)[0] + 1e-3
    radius = np.sqrt(share * 2**12 / (3 * dim + 4))
    crowd = radius * towards / np.linalg.norm(towards) + rng.uniform(-1e-3, 1e-3, (24, dim))
    return np.vstack([crowd, -crowd, np.zeros((1, dim))])


@pytest.mark.parametrize(("dim", "seed"), [(1, 0), (2, 56), (3, 236), (20, 0), (200, 0)])
def test_products_of_factors_are_off_by_what_is_stated(dim: int, seed: int) -> None:
    X = far_from_the_median(dim, seed, 0.9)
    dense, tiled = DenseOperator(X, rk.Gaussian(1.0)), TiledOperator(X, rk.Gaussian(1.0), threads=1)
    # Next to 0 the entries of the dense matrix are exact beside what a product of factors loses; in one
    # column that is more than an eighth of what is stated, so that a statement much smaller would not pass.
    D = dense.differences
    products = np.column_stack([tiled.product(one) for one in np.eye(dense.size)])
    assert (np.abs(products - D) <= tiled.product_error + dense.relative_error * D).all()
    assert (products != D).any()


@pytest.mark.parametrize("dim", [1, 5, 40, 1000])
@pytest.mark.parametrize("share", [1e-3, 0.9])
@pytest.mark.parametrize("n_rows", [2, 700])
def test_the_stated_error_of_products_counts_all_roundings(dim: int, n_rows: int, share: float) -> None:
    X = np.random.default_rng(dim).standard_normal((n_rows, dim))
    X -= np.median(X, axis=0)
    square = share * 2**12 / (3 * dim + 4)
    X *= np.sqrt(square / (X * X).sum(axis=1).max())
    operator = TiledOperator(X, rk.Gaussian(1.0), threads=1)
    # The product z_i z_j: d + 2; each square: d, then d + 1 more. The slope of D is 2.
    exponents = 2 * square * sum_bound(dim + 2) + 2 * square * sum_bound(2 * dim + 1)
    # A coordinate: its difference from the median and its quotient by h; s exp(-s^2/2) <= exp(-1/2).
    coordinates = 2 * np.exp(-1 / 2) * 2 * np.sqrt(square) * sum_bound(2)
    # exp, the product with c, the additions in a tile and of tiles; sum c in halves; their difference.
    entries = 2 * ELEMENTARY_ULP + min(n_rows, 512) + -(-n_rows // 256)
    sums = 2 * (sum_bound(entries) + sum_bound(int(np.log2(n_rows)) + 16) + 2 * sum_bound(1))
    assert operator.product_error >= exponents + coordinates + sums


@pytest.mark.parametrize("n_rows", [2, 700])
def test_the_stated_error_of_dense_products_counts_all_roundings(n_rows: int) -> None:
    dim = 3
    operator = DenseOperator(np.random.default_rng(dim).standard_normal((n_rows, dim)), rk.Gaussian(1.0))
    # D: two roundings of each difference, its square, the sum of these. The product with c, the additions in
    # a block of 64 columns and of blocks.
    entries = 3 + dim + 2 * ELEMENTARY_ULP + min(n_rows, 64) + -(-n_rows // 64)
    assert operator.relative_error >= sum_bound(entries)


@pytest.mark.parametrize("dim", [1, 5, 40])
def test_the_stated_error_of_near_pairs_counts_all_roundings(dim: int) -> None:
    X = np.random.default_rng(dim).standard_normal((60, dim))
    operator = SparseOperator(X, rk.Gaussian(4.0 * dim), truncation=2.0**-60)
    # An exponent t: d squares of rounded differences, their sum, the quotient by 2 h^2; t exp(-t) <= 1/e.
    entries = np.exp(-1) * sum_bound(dim + 5) + sum_bound(2 * ELEMENTARY_ULP)
    # All others are near: the sums above and below the diagonal, their sum, and the diagonal.
    sums = sum_bound(len(X) - 1 + 3)
    assert operator.absolute_error >= 2 * (operator.truncation + entries + sums + 3 * sum_bound(1))


@pytest.mark.parametrize(
    "lie",
    [lambda c: c * np.nan, lambda c: c * np.inf, lambda c: c * 1j, lambda c: c.astype(str)],
    ids=["nan", "infinite", "complex", "text"],
)
def test_what_is_no_product_is_refused(lie: Any) -> None:
    X = contaminated(40, 2)
    foreign = ForeignOperator(X, rk.Gaussian(1.0), LinearOperator((40, 40), matvec=lie, dtype=np.float64))
    with np.errstate(invalid="ignore"), pytest.raises(InvalidInput, match="linear must return products"):
        rk.median_rkde(X, rk.Gaussian(1.0), operator=foreign)


def test_a_foreign_operator_cannot_change_the_weights() -> None:
    X, kernel = contaminated(40, 2), rk.Gaussian(1.0)
    honest = as_linear_operator(DenseOperator(X, kernel))

    def careless(c: np.ndarray) -> np.ndarray:
        product = honest.matvec(c)
        c[:] = 0
        return product

    linear = LinearOperator((40, 40), matvec=careless, dtype=np.float64)
    limits = [rk.median_rkde(X, kernel, operator=ForeignOperator(X, kernel, one)) for one in (honest, linear)]
    assert (limits[0].weights == limits[1].weights).all()


@pytest.mark.parametrize("linear", [None, "K", 3.0, object()])
def test_what_is_no_operator(linear: Any) -> None:
    with pytest.raises(InvalidInput, match="linear must be a linear operator"):
        ForeignOperator(contaminated(40, 2), rk.Gaussian(1.0), linear)
    product = ForeignOperator([[0.0], [9.0]], rk.Gaussian(1.0), np.eye(2)).product(np.ones(2))
    assert product.tolist() == [2.0, 2.0]


@each_engine
@pytest.mark.parametrize("gap", [3e-160, 7e-200, 5e-324])
def test_distances_whose_squares_underflow_keep_their_digits(engine: str, gap: float) -> None:
    if not serves(engine, "laplacian", 1):
        pytest.skip("the engine refuses this kernel")
    operator = BUILDERS[engine]([[0.0], [gap], [1.0]], rk.Laplacian(1.0))
    both = np.arange(2)
    bound = tolerances.bandwidth_bound(1, 2)
    assert_relative(operator.block(both, both)[0, 1] / 2, gap, bound, engine)


@pytest.mark.parametrize("limit", [None, tiled_bytes(12, 2, 1)], ids=["as much as is free", "no block"])
def test_an_operator_that_rounds_more_ends_in_the_same_minimum(limit: int | None) -> None:
    X, kernel = np.random.default_rng(0).standard_normal((12, 2)), rk.Gaussian(1.0)
    loss = rk.Hampel(0.6, 0.75, 0.95)
    exact, rng = as_linear_operator(DenseOperator(X, kernel)), np.random.default_rng(1)

    def rough(c: np.ndarray) -> np.ndarray:
        return np.asarray(exact.matvec(c) * (1 + rng.uniform(-1, 1, 12) * 2.0**-46))

    linear = LinearOperator((12, 12), matvec=rough, dtype=np.float64)
    operator = ForeignOperator(X, kernel, linear, entry_error=2.0**-40, memory_limit=limit)
    found, wanted = rk.fixed_point(X, kernel, loss, operator=operator), rk.fixed_point(X, kernel, loss)
    assert found.certificate == wanted.certificate == "local_minimum"
    bound = common_limit_bounds(found.weights_error_bound, wanted.weights_error_bound)
    assert_within(found.weights, wanted.weights, bound, "weights")
