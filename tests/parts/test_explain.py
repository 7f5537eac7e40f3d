"""Explanations of rows: closed forms, integrals, slopes, units, rows left out, and planted outliers."""

import math
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
import rkde.reference
from rkde.errors import InvalidInput, InvalidType
from rkde.fast import Gaussian, Kde, Student, explain, kde
from rkde.fast.bandwidth import Scaling
from rkde.fast.scoring.dense import DenseRows
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within
from tests.support.implementations import Implementation

# The name in the package is the function.
explain_module: Final = import_module("rkde.fast.scoring.explanation")
KERNELS: Final = (Gaussian(0.75), Student(0.75, 3.0), Student(0.75, 1.0))
each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)
ROOT: Final = np.array([[2.0, 0.0], [50.0, 3.0]])
CLOUD: Final = np.array([[0.0, 0.5], [1.0, -1.0], [-0.5, 0.25], [2.0, 1.5], [0.25, 0.0], [-1.0, 3.0]])
# Nodes of the double exponential rule, up to 10^18 widths from the middle.
NODES: Final = np.linspace(-4, 4, 2**12 + 1)
INNER: Final = np.abs(NODES) < 1


def scaled(Z: Any, kernel: Gaussian | Student, scale: np.ndarray[Any, Any]) -> rkde.fast.Rkde:
    """Return an estimate of equal weights with a scaling of one's own."""
    fitted = rkde.fast.rkde(Z, bandwidth=kernel.bandwidth, kernel=lambda _: kernel, loss=rkde.fast.Quadratic)
    return replace(fitted, scaling=Scaling("numbers", np.zeros(scale.shape[-1]), scale))


def close(kernel: Gaussian | Student, value: float, n: int, dim: int, condition: float = 1.0) -> float:
    """Bound the error of a log density of a few rows within ten bandwidths of each other."""
    dof = kernel.dof if isinstance(kernel, Student) else math.inf
    moved = tolerances.coordinate_bound(dim, condition, farthest := 2**5)
    terms = abs(kernel.log_normaliser(dim)) + 2 * dim * math.log(2**8)
    bound = tolerances.log_density_bound(abs(value) + terms, terms, n, dim)
    return bound + tolerances.moved_bound(moved, farthest, dim, dof)


def test_one_row_is_a_normal_law_with_its_conditionals() -> None:
    h, x = 0.5, np.array([[1.5, 30.0], [-1.0, 2.0]])
    found = explain(scaled([[0.0, 0.0]], Gaussian(h), ROOT), x)
    covariance = h**2 * ROOT @ ROOT.T
    precision = np.linalg.inv(covariance)
    # The mean of a column given the others is linear in them, and its variance is 1 over the precision.
    variances = 1 / np.diagonal(precision)
    deviations = (x @ precision) * variances
    conditional = -(deviations**2) / (2 * variances) - np.log(2 * np.pi * variances) / 2
    alone = np.diagonal(covariance)
    marginal = -(x**2) / (2 * alone) - np.log(2 * np.pi * alone) / 2
    bound = close(Gaussian(h), float(np.abs(conditional).max()), 1, 2, float(np.linalg.cond(ROOT)) ** 2)
    assert_within(found.conditional_log_density, conditional, bound)
    assert_within(found.marginal_log_density, marginal, bound)
    assert_within(found.gradient, -x @ precision, bound)
    assert found.nearest.tolist() == [0, 0]


@pytest.mark.parametrize("name", ["Gaussian", "Student"])
def test_one_column_is_given_nothing(implementation: Implementation, name: str) -> None:
    kernel = implementation.get(name)(*[0.75, 3.0][: 1 + (name == "Student")])
    estimate = implementation.call("kde", [[0.0], [1.0]], kernel)
    found = implementation.call("explain", estimate, [[0.5], [7.0]])
    for densities in (found.conditional_log_density, found.marginal_log_density):
        assert [density for (density,) in densities] == list(found.log_density)


def test_columns_of_a_product_do_not_inform_each_other() -> None:
    grid = np.array([[a, b] for a in (0.0, 0.5, 3.0) for b in (-1.0, 0.25)])
    found = explain(kde(grid, Gaussian(0.5)), [[1.0, 0.0], [3.0, 3.0]])
    bound = close(Gaussian(0.5), float(np.abs(found.log_density).max()), 6, 2)
    assert_within(found.conditional_log_density, found.marginal_log_density, 3 * bound)


@each_kernel
@pytest.mark.parametrize("scale", [np.ones(2), np.array([2.0, 0.25]), ROOT], ids=["none", "diagonal", "root"])
@pytest.mark.parametrize("column", [0, 1])
def test_the_others_have_the_integral_over_the_column(
    kernel: Gaussian | Student, scale: np.ndarray[Any, Any], column: int
) -> None:
    """Where f goes along a column, its sum is f without the column; and the sum of that is 1."""
    matrix = np.diag(scale) if scale.ndim == 1 else scale
    estimate = scaled(CLOUD, kernel, scale)
    rows = estimate.rows()
    widths = kernel.bandwidth * np.linalg.norm(matrix, axis=1)
    x = np.median(rows, axis=0) + np.outer(np.sinh(np.pi / 2 * np.sinh(NODES)), widths)
    slopes = np.pi / 2 * np.cosh(NODES) * np.cosh(np.pi / 2 * np.sinh(NODES)) * (NODES[1] - NODES[0])
    for other in np.quantile(rows[:, 1 - column], [0, 1 / 2, 1]):
        line = x.copy()
        line[:, 1 - column] = other
        found = explain(estimate, line)
        total = np.exp(found.log_density - found.marginal_log_density[:, 1 - column]) @ slopes
        assert abs(total * widths[column] - 1) <= tolerances.quadrature_bound(16)
        without = (found.log_density - found.conditional_log_density[:, column])[INNER]
        largest = float(np.abs(found.log_density[INNER]).max())
        bound = 3 * close(kernel, largest, 6, 2, float(np.linalg.cond(matrix)))
        assert_within(without, found.marginal_log_density[INNER, 1 - column], bound)
    masses = slopes @ np.exp(explain(estimate, x).marginal_log_density) * widths
    assert (np.abs(masses - 1) <= tolerances.quadrature_bound(16)).all()


@each_kernel
@pytest.mark.parametrize("place", [[0.3, 0.1], [4.0, -2.0]])
def test_the_gradient_is_the_slope_of_the_log_density(kernel: Gaussian | Student, place: list[float]) -> None:
    ctx = rkde.reference.make_context(60)
    given = [kernel.bandwidth, kernel.dof] if isinstance(kernel, Student) else [kernel.bandwidth]
    twin = getattr(rkde.reference, type(kernel).__name__)(*given)
    weights = [ctx.mpf(1) / 6] * 6
    found = explain(kde(CLOUD, kernel), [place])
    step = ctx.mpf(10) ** -15
    slopes = []
    for column in range(2):
        ends = [
            [ctx.mpf(cell) + side * step * (j == column) for j, cell in enumerate(place)] for side in (1, -1)
        ]
        up, down = rkde.reference.log_density(ctx, CLOUD.tolist(), twin, weights, ends)
        slopes.append((up - down) / (2 * step))
    # Within 2^4 of all rows the pulls are below 2^4 (nu + d) / (nu h^2); the step costs 2^20 of its square.
    terms = abs(kernel.log_normaliser(2)) + 4
    bound = tolerances.gradient_bound(2**7, float(found.log_density[0]), terms, 6, 2)
    assert_within(found.gradient[0], slopes, bound)


@each_kernel
def test_a_row_is_explained_as_by_an_estimate_without_it(kernel: Gaussian | Student) -> None:
    weights = np.array([3.0, 1.0, 0.0, 2.0, 0.5, 1.0])
    whole = Kde(CLOUD, kernel, weights / weights.sum())
    found = explain(whole, rows=range(6))
    for row in range(6):
        rest = np.delete(weights, row)
        alone = explain(Kde(np.delete(CLOUD, row, axis=0), kernel, rest / rest.sum()), CLOUD[[row]])
        bound = 2 * close(kernel, float(np.abs(found.log_density).max()), 6, 2)
        for name in ("log_density", "conditional_log_density", "marginal_log_density"):
            assert_within(getattr(found, name)[row], getattr(alone, name)[0], 2 * bound)
        assert_within(found.gradient[row], alone.gradient[0], 2**7 * bound)


def test_units_change_densities_and_no_surprise() -> None:
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(40, 3))
    plain = scaled(Z, Student(0.5, 3.0), np.array([1.0, 2.0, 0.5]))
    moved = replace(plain, scaling=Scaling("numbers", np.zeros(3), np.array([1.0, 2000.0, 0.5])))
    before, after = explain(plain, rows=range(40)), explain(moved, rows=range(40))
    change = before.conditional_log_density - after.conditional_log_density
    bound = close(Student(0.5, 3.0), float(np.abs(before.log_density).max()), 40, 3)
    assert_within(change, np.tile([0.0, math.log(1000), 0.0], (40, 1)), bound)
    assert_within(after.surprise, before.surprise, bound)
    assert_within(after.gradient * [1.0, 1000.0, 1.0], before.gradient, 2**7 * bound)
    assert after.nearest.tolist() == before.nearest.tolist()


def correlated(rng: np.random.Generator, n: int) -> np.ndarray[Any, Any]:
    """Draw five columns that share one part, so that each is told by the others to within a half."""
    return rng.normal(size=(n, 1)) + rng.normal(size=(n, 5)) / 2


@pytest.mark.parametrize("scale", ["robust", pytest.param("robust-covariance", marks=pytest.mark.slow)])
def test_a_planted_outlier_is_found_in_its_column(scale: str) -> None:
    """Five of its standard deviations given the others: no column by itself shows it as clearly."""
    pytest.importorskip("sklearn")
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = correlated(rng, 200)
        row, column = int(rng.integers(200)), int(rng.integers(5))
        # On the other side of the middle than the others are.
        X[row, column] = X[row].mean() - math.copysign(3, X[row].mean())
        found = explain(rkde.fit(X, scale=scale), rows=[row])
        assert found.order[0, 0] == column, (seed, found)


def test_the_nearest_dense_row_is_in_the_densest_half() -> None:
    X = [[0.0], [0.1], [0.2], [5.0], [9.0], [0.15]]
    found = explain(kde(X, Gaussian(0.5)), [[8.9], [-1.0], [0.19]])
    assert found.nearest.tolist() == [2, 1, 2]
    assert found.nearest_row.tolist() == [[0.2], [0.1], [0.2]]


@pytest.mark.parametrize("sampled", [3000, 200])
def test_the_nearest_dense_row_is_found_however_far_the_next_look_goes(sampled: int) -> None:
    """Most rows near the first places are in the sparse cloud; the dense one is beyond it."""
    rng = np.random.default_rng(8)
    X = np.concatenate([rng.normal(size=(2000, 2)) * 0.3, rng.uniform(2, 12, size=(1000, 2))])
    weights = rng.integers(0, 3, size=3000) / 1.0
    weights /= weights.sum()
    places = np.array([[11.0, 11.0], [3.0, 3.0], [0.1, 0.0]])
    dense = DenseRows(X, weights, Gaussian(0.2), sampled)
    logs = Kde(X, Gaussian(0.2), weights).log_density(X)
    kept = np.flatnonzero((weights > 0) & (logs >= dense.lowest))
    # The denser cloud has two thirds of the weight.
    assert 0 < len(kept) < 2000
    assert (kept < 2000).all()
    held = weights[kept].sum()
    assert held >= 1 / 2 if sampled == 3000 else 0 < held < 1
    distances = np.linalg.norm(places[:, np.newaxis] - X[kept], axis=2)
    assert dense.nearest(places).tolist() == kept[distances.argmin(axis=1)].tolist()


def test_counted_copies_are_rows_of_which_one_is_left_out() -> None:
    counts = [2, 1, 0, 3, 1, 1]
    table = np.repeat(CLOUD, counts, axis=0)
    first = [0, 2, 3, 6, 7]
    copied = explain(kde(table, Gaussian(0.75)), rows=first)
    found = explain(
        kde(CLOUD, Gaussian(0.75), sample_weight=counts), rows=[0, 1, 3, 4, 5], sample_weight=counts
    )
    bound = 2 * close(Gaussian(0.75), float(np.abs(found.log_density).max()), 8, 2)
    for name in ("log_density", "conditional_log_density", "marginal_log_density", "surprise"):
        assert_within(getattr(found, name), getattr(copied, name), 2 * bound)
    assert_within(found.gradient, copied.gradient, 2**7 * bound)


def test_a_row_that_holds_all_of_the_weight_has_no_density_without_itself(
    implementation: Implementation,
) -> None:
    kernel = implementation.get("Gaussian")(1.0)
    estimate = implementation.call("kde", CLOUD[:2].tolist(), kernel, sample_weight=[1.0, 0.0])
    found = implementation.call("explain", estimate, rows=[0, 1])
    assert found.log_density[0] == -math.inf
    assert list(found.conditional_log_density[0]) == [-math.inf] * 2
    assert list(found.surprise[0]) == [math.inf] * 2
    assert list(found.gradient[0]) == [0, 0]
    assert all(-math.inf < value < math.inf for value in (found.log_density[1], *found.gradient[1]))
    alone = implementation.call("kde", [[1.0, 2.0]], kernel)
    found = implementation.call("explain", alone, [[1.0, 2.0]])
    assert list(found.surprise[0]) == [-value for value in found.conditional_log_density[0]]


@each_kernel
def test_nothing_underflows_far_out(kernel: Gaussian | Student) -> None:
    found = explain(kde(CLOUD, kernel), [[1e6, -1e6], [1e100, 0.0]])
    for name in ("log_density", "conditional_log_density", "marginal_log_density", "gradient"):
        assert np.isfinite(getattr(found, name)).all(), name
    assert (found.gradient[0] * [1.0, -1.0] < 0).all()


def test_many_rows_are_compared_with_a_share_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    estimate = kde(CLOUD, Gaussian(0.75))
    every = explain(estimate, rows=range(6))
    monkeypatch.setattr(explain_module, "TYPICAL_ROWS", 3)
    typical = np.median(every.conditional_log_density[[0, 2, 4]], axis=0)
    found = explain(estimate, rows=range(6))
    bound = close(Gaussian(0.75), float(np.abs(every.log_density).max()), 6, 2)
    assert_within(found.surprise, typical - every.conditional_log_density, 2 * bound)


def test_no_rows_and_no_queries() -> None:
    estimate = kde(CLOUD, Gaussian(1.0))
    for found in (explain(estimate, []), explain(estimate, rows=[])):
        assert found.conditional_log_density.shape == found.gradient.shape == (0, 2)
        assert found.nearest_row.shape == found.surprise.shape == (0, 2)
        assert repr(found) == "no rows"


def test_a_summary_names_columns_and_stops() -> None:
    found = explain(kde(CLOUD, Gaussian(1.0)), rows=[1, 0])
    named = replace(found, columns=("age", "income"), surprise=np.array([[0.0, 12.14], [-0.04, -1.0]]))
    assert repr(named).splitlines() == [
        "row 1: column 'income' (surprise 12.1 nats) given the others, then 'age' (surprise 0.0 nats)",
        "row 0: column 'age' (surprise 0.0 nats) given the others, then 'income' (surprise -1.0 nats)",
    ]
    assert named.order.tolist() == [[1, 0], [0, 1]]
    assert "column &#x27;a: b&#x27;" in replace(named, columns=("a: b", "c"))._repr_html_()
    many = explain(kde(CLOUD, Gaussian(1.0)), np.zeros((12, 2)))
    assert repr(many).splitlines()[-1] == "... and 2 more rows"
    assert repr(explain(kde([[0.0], [1.0]], Gaussian(1.0)), [[0.0]])).startswith(
        "query 0: column 0 (surprise "
    )


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        (InvalidInput, {}, "queries must be given unless rows are"),
        (InvalidInput, {"queries": [[0.0]], "rows": [0]}, "queries must not be given together with rows"),
        (InvalidInput, {"rows": [0, 2]}, r"rows, index 1, must be .* got 2"),
        (InvalidInput, {"rows": [-1]}, r"rows, index 0, must be .* got -1"),
        (InvalidType, {"rows": [0.5]}, "rows must be a sequence of whole numbers"),
        (InvalidType, {"rows": [True]}, "rows must be a sequence of whole numbers"),
        (InvalidInput, {"queries": [[0.0, 1.0]]}, "queries must have as many columns"),
    ],
)
def test_refused(
    implementation: Implementation, kind: type[InvalidInput], given: dict[str, Any], says: str
) -> None:
    estimate = implementation.call("kde", [[0.0], [1.0]], implementation.get("Gaussian")(1.0))
    with pytest.raises(kind, match=says):
        implementation.call("explain", estimate, **given)


def test_estimates_without_such_marginals_are_refused(implementation: Implementation) -> None:
    laplacian = implementation.call("kde", [[0.0], [1.0]], implementation.get("Laplacian")(1.0))
    with pytest.raises(InvalidInput, match=r"estimate must have a kernel .* fit with the Gaussian"):
        implementation.call("explain", laplacian, [[0.0]])
    varying = implementation.call("vkde", [[0.0], [1.0]], implementation.get("Gaussian")(1.0))
    with pytest.raises(InvalidType, match="estimate must be an estimate with one bandwidth"):
        implementation.call("explain", varying, [[0.0]])


def test_the_reference_refuses_a_scale_that_is_no_root() -> None:
    ctx = rkde.reference.make_context(20)
    estimate = rkde.reference.kde(ctx, [[0, 0], [1, 2]], rkde.reference.Gaussian(1))
    for scale in ([[1, 1], [0, 1]], [[1, 0], [0, 0]], [[1]]):
        with pytest.raises(InvalidInput, match="scale must be a lower triangular matrix of 2 rows"):
            rkde.reference.explain(ctx, estimate, [[0, 0]], scale=scale)
