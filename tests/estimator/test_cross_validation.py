"""lscv and lkcv against their definitions, written out pair by pair with an integral by quadrature."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize

import rkde
from rkde.errors import DegenerateBandwidth, InvalidInput, InvalidType
from rkde.fast import BANDWIDTH_RULES, Gaussian, Laplacian, Student, bandwidth, lkcv, lscv
from rkde.fast import rkde as fit_rkde
from rkde.fast._float64.minimise import REFINEMENT, smallest_minimiser
from rkde.fast.kernels import OverlapProfile
from rkde.proofs_checks import tolerances
from tests.support.implementations import Disguised

SEED = 20_120_909
GRID = 64
# Of Gauss's rule, between two rows a few bandwidths apart and on a tail: more change no digit asked for.
NODES = 80
RULES = {"lscv": lscv, "lkcv": lkcv}
KERNELS: dict[str, Callable[[float], Any]] = {
    "gaussian": Gaussian,
    "laplacian": Laplacian,
    "student": lambda h: Student(h, 3.0),
}
each_rule = pytest.mark.parametrize("rule", RULES)
each_kernel = pytest.mark.parametrize("kernel", KERNELS)


def line(n: int = 14) -> np.ndarray:
    return np.random.default_rng(SEED).normal(size=(n, 1))


def plane(n: int = 16) -> np.ndarray:
    return np.random.default_rng(SEED + 1).normal(size=(n, 2)) * [1.0, 2.0]


def kernel_values(kernel: Any, X: np.ndarray) -> np.ndarray:
    return np.exp([kernel.log_kernel(x, X) for x in X])


def likelihood(kernel: Any, X: np.ndarray) -> float:
    values = kernel_values(kernel, X)
    np.fill_diagonal(values, 0.0)
    # Far below the best bandwidth a row's density underflows: that value is then infinite, and not the least.
    with np.errstate(divide="ignore"):
        return -float(np.log(values.sum(axis=1) / (len(X) - 1)).mean())


def squares(kernel: Any, X: np.ndarray) -> float:
    """The integral of f^2 on a line by Gauss's rule between the rows, minus twice the mean of f_(-i)."""
    n = len(X)
    values = kernel_values(kernel, X)
    np.fill_diagonal(values, 0.0)
    nodes, shares = np.polynomial.legendre.leggauss(NODES)
    nodes, shares = (nodes + 1) / 2, shares / 2
    rows = np.sort(X[:, 0])
    # Beyond the outer rows x = row +- h u / (1 - u), so that a tail is an integral over u in (0, 1).
    far, stretch = kernel.bandwidth * nodes / (1 - nodes), kernel.bandwidth / (1 - nodes) ** 2
    pieces = [(a + (b - a) * nodes, (b - a) * shares) for a, b in itertools.pairwise(rows)]
    pieces += [(rows[-1] + far, stretch * shares), (rows[0] - far, stretch * shares)]
    integral = 0.0
    for x, weights in pieces:
        density = np.exp(kernel.log_normaliser(1)) * kernel.profile((x[:, None] - rows) ** 2, dim=1).mean(
            axis=1
        )
        integral += float((density**2 * weights).sum())
    return integral - 2 * float(values.sum()) / (n * (n - 1))


def search_range(X: np.ndarray) -> tuple[float, float]:
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    return distances[distances > 0].min() / 10, math.sqrt(X.var(axis=0, ddof=1).mean())


def by_definition(criterion: Callable[[float], float], X: np.ndarray) -> float:
    grid = np.geomspace(*search_range(X), GRID)
    place = int(np.argmin([criterion(h) for h in grid]))
    low, high = (math.log(grid[min(max(k, 0), GRID - 1)]) for k in (place - 1, place + 1))
    found = optimize.minimize_scalar(
        lambda log: criterion(math.exp(log)), bounds=(low, high), method="bounded", options={"xatol": 1e-9}
    )
    return math.exp(found.x)


def rounding(n: int) -> float:
    """Relative error of a criterion: n^2 terms of like sign, added pairwise, with a dozen roundings each."""
    return tolerances.sum_bound(16 * n)


def flatness(criterion: Callable[[float], float], h: float, error: float) -> float:
    """The error of a value over the second derivative in log h, by differences of a hundredth."""
    step = 2.0**-7
    values = [criterion(h * math.exp(k * step)) for k in (-1, 0, 1)]
    second = (values[0] - 2 * values[1] + values[2]) / step**2
    assert second > 0
    return error * max(abs(value) for value in values) / second


@each_kernel
@pytest.mark.parametrize("X", [line(), plane(), plane(20) * 1e-3], ids=["line", "plane", "small"])
def test_likelihood_by_its_definition(kernel: str, X: np.ndarray) -> None:
    def criterion(h: float) -> float:
        return likelihood(KERNELS[kernel](h), X)

    expected = by_definition(criterion, X)
    error = flatness(criterion, expected, rounding(len(X)))
    assert abs(math.log(lkcv(X, kernel=KERNELS[kernel]) / expected)) <= tolerances.search_bound(error)


@each_kernel
def test_least_squares_by_their_definition(kernel: str) -> None:
    X = line(9)
    found = lscv(X, kernel=KERNELS[kernel])

    def criterion(h: float) -> float:
        return squares(KERNELS[kernel](h), X)

    low, high = search_range(X)
    grid = np.geomspace(low, high, 5)
    assert all(criterion(found) <= criterion(h) for h in grid)
    step = math.log(high / low) / (GRID - 1)
    best = optimize.minimize_scalar(
        lambda log: criterion(math.exp(log)),
        bounds=(math.log(found) - step, math.log(found) + step),
        method="bounded",
        options={"xatol": 1e-6},
    )
    # The error of the quadrature is the largest of a value.
    error = flatness(criterion, found, tolerances.quadrature_request())
    assert abs(best.x - math.log(found)) <= tolerances.search_bound(error)


def test_least_squares_of_the_gaussian_in_closed_form() -> None:
    X = plane(30)

    def criterion(h: float) -> float:
        n = len(X)
        values = kernel_values(Gaussian(h), X)
        overlaps = kernel_values(Gaussian(h * math.sqrt(2)), X)
        return float(overlaps.sum() / n**2 - 2 * (values.sum() - np.trace(values)) / (n * (n - 1)))

    expected = by_definition(criterion, X)
    bound = tolerances.search_bound(flatness(criterion, expected, rounding(len(X))))
    assert abs(math.log(lscv(X) / expected)) <= bound


def test_least_squares_with_a_row_of_nearly_all_weight() -> None:
    # Few rows far away, so that the best bandwidth is well below the spread.
    X = np.append(line(), [-60.0, 70.0]).reshape(-1, 1)
    raw = np.arange(16.0) + 1.5
    raw[3] = 1e15
    shares = raw / raw.sum()
    left = 1 - shares
    left[3] = np.delete(shares, 3).sum()

    def criterion(h: float) -> float:
        values = kernel_values(Gaussian(h), X)
        np.fill_diagonal(values, 0.0)
        overlaps = kernel_values(Gaussian(h * math.sqrt(2)), X)
        return float(shares @ overlaps @ shares - 2 * (shares / left) @ values @ shares)

    found = lscv(X, sample_weight=raw)
    bound = tolerances.search_bound(flatness(criterion, found, rounding(len(X))))
    low, high = (math.log(found) + step for step in (-1 / 8, 1 / 8))
    best = optimize.minimize_scalar(
        lambda log: criterion(math.exp(log)), bounds=(low, high), method="bounded", options={"xatol": 1e-9}
    )
    assert abs(best.x - math.log(found)) <= bound


def test_least_squares_where_hardly_anything_is_left_of_the_weights() -> None:
    """The criterion depends on the ratio of the others alone, and on next to no digit of the largest."""
    found, expected = (
        lscv([[0.3], [2.8], [9.0]], sample_weight=[tiny, 1, 2 * tiny]) for tiny in (1e-310, 1e-200)
    )
    assert abs(found / expected - 1) <= tolerances.printed_digits(10)


@each_rule
@each_kernel
@pytest.mark.parametrize("power", [-300, -7, 40])
def test_the_data_s_unit_is_the_bandwidth_s(rule: str, kernel: str, power: int) -> None:
    X = plane()
    base = RULES[rule](X, kernel=KERNELS[kernel])
    assert RULES[rule](np.ldexp(X, power), kernel=KERNELS[kernel]) == math.ldexp(base, power)


@each_rule
def test_a_factor_that_is_no_power_of_two(rule: str) -> None:
    X = plane()
    expected = 3 * RULES[rule](X)
    assert abs(math.log(RULES[rule](3 * X) / expected)) <= tolerances.search_bound(rounding(len(X)))


@each_rule
@each_kernel
def test_the_order_of_the_rows_does_not_matter(rule: str, kernel: str) -> None:
    X = plane()
    flipped = RULES[rule](X[::-1], kernel=KERNELS[kernel])
    expected = RULES[rule](X, kernel=KERNELS[kernel])
    assert abs(math.log(flipped / expected)) <= tolerances.search_bound(rounding(len(X)))


@each_rule
@pytest.mark.parametrize("dim", [30, 1000])
def test_dimensions_in_which_no_density_is_a_float(rule: str, dim: int) -> None:
    X = np.random.default_rng(SEED).normal(size=(20, dim))
    found = RULES[rule](X)
    low, high = search_range(X)
    # The spread is a sum of squares, rounded once a term.
    assert min(low, high) <= found <= max(low, high) * (1 + tolerances.sum_bound(X.size))


@each_rule
def test_rows_that_all_have_a_tie(rule: str) -> None:
    X = np.repeat(line(6), 2, axis=0)
    with pytest.raises(DegenerateBandwidth) as caught:
        RULES[rule](X)
    assert f"{rule} prefers the smallest bandwidth tried, because 12 of 12 rows are tied" in str(caught.value)
    assert caught.value.remedy


@each_rule
def test_one_tie_among_many_rows_does_no_harm(rule: str) -> None:
    X = plane(60)
    X[0] = X[1]
    low, high = search_range(X)
    assert low < RULES[rule](X) < high


def test_two_rows_end_at_the_spread() -> None:
    # With two rows the likelihood grows up to h = |x - y|, which is more than the spread |x - y| / sqrt 2.
    assert lkcv([[0.0], [2.0]]) == math.sqrt(2)


@each_rule
def test_by_name(rule: Any) -> None:
    X = plane()
    assert rule not in BANDWIDTH_RULES
    assert bandwidth(X, rule) == RULES[rule](X)
    assert bandwidth(X, rule, kernel=Laplacian) == RULES[rule](X, kernel=Laplacian)
    model = fit_rkde(X, bandwidth=rule, kernel=Laplacian, loss=rkde.fast.Huber)
    assert (model.bandwidth, model.bandwidth_rule) == (RULES[rule](X, kernel=Laplacian), rule)
    settings = {"kernel": "student", "dof": 3.0, "loss": "huber", "recipe": "paper"}
    estimator = rkde.RobustKernelDensity(bandwidth=rule, **settings).fit(X)
    assert estimator.bandwidth_ == RULES[rule](X, kernel=KERNELS["student"])


@each_rule
def test_a_single_row_and_bad_tables(rule: str) -> None:
    with pytest.raises(DegenerateBandwidth, match="n_samples = 1"):
        RULES[rule]([[1.0]])
    with pytest.raises(DegenerateBandwidth, match="got 3 equal rows"):
        RULES[rule]([[1.0]] * 3)
    with pytest.raises(InvalidInput):
        RULES[rule]([[1.0], [math.nan]])
    with pytest.raises(InvalidType):
        RULES[rule](plane(), kernel=lambda h: h)


def test_the_integral_of_another_kernel_s_square_is_not_known() -> None:
    class Other(Gaussian):
        pass

    assert lscv(plane(), kernel=Other) == lscv(plane())
    with pytest.raises(InvalidType):
        lscv(plane(), kernel=lambda h: Disguised(Gaussian(h)))


@pytest.mark.parametrize("kernel", [Laplacian(0.5), Student(0.5, 0.25), Student(0.5, 100.0)], ids=repr)
@pytest.mark.parametrize("dim", [1, 30])
def test_the_table_of_overlaps(kernel: Any, dim: int) -> None:
    squares = np.geomspace(1e-18, 1e10, 2000)
    other = kernel.with_bandwidth(0.03)
    table = OverlapProfile(kernel, dim, squares.max() / 0.03**2)
    exact = other.self_convolution(squares, dim)
    seen = exact > tolerances.table_end()
    assert seen.sum() > 800
    found = table.at(squares, other)
    np.testing.assert_allclose(found[seen], exact[seen], rtol=tolerances.table_bound(), atol=0)
    assert (found[~seen] <= 2 * tolerances.table_end()).all()
    assert abs(table.at(np.zeros(1), other)[0] - 1) <= tolerances.table_bound()


@pytest.mark.parametrize(("share", "place"), [(0.2, 0), (62.8, 63)])
def test_a_minimum_beside_an_end_is_followed(share: float, place: int) -> None:
    low, high = 0.1, 10.0
    wanted = math.log(low) + share / 63 * math.log(high / low)
    found = smallest_minimiser(lambda h: (1.0, abs(math.log(h) - wanted)), low, high)
    assert found[1] == place
    assert abs(math.log(found[0]) - wanted) <= REFINEMENT
