"""Sample weights, in both packages: counts are repeated rows, others are relative, and 0 removes a row."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rkde.fast
from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.fast._float64 import read_sample_weight
from rkde.proofs_checks import tolerances
from rkde.reference.numbers import QUANTILE_RULES
from rkde.vocabulary import Certificate, Stationarity, Status
from tests.support.compare import assert_relative, assert_relative_to_largest, assert_within
from tests.support.implementations import (
    CANDIDATES,
    CASE_DIGITS,
    EXACT,
    FAST,
    FINE_REFERENCE,
    REFERENCE,
    REFERENCE_DIGITS,
    exact,
    numbers,
)
from tests.support.selection import one_in

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::rkde.errors.{name}Warning")
    for name in ("ModeCollapse", "DegenerateThresholds")
]

ROWS = [[0, 0], [1, "0.25"], [3, 1], ["3.5", -1], [0, 0], [9, "2.5"], ["-1.5", 2]]
COUNTS = [2, 1, 3, 1, 2, 1, 4]
UNEVEN = [1, 9, 1, 1, 1, 1, 30]
RELATIVE = ["0.75", "0.3", "1.1", "0.2", "0.55", "0.4", "0.9"]
BANDWIDTH = 2
LOSSES = ("Quadratic", "Absolute", "Huber", "Hampel")
RECIPES = ("paper", "authors-program")
BY_PLACE = ("closest_observation", "lower", "higher", "midpoint", "nearest")
CONTINUOUS = sorted({*QUANTILE_RULES} - {*BY_PLACE, "inverted_cdf", "averaged_inverted_cdf"})
# (alpha, beta) of Hyndman and Fan, whose position among n numbers is n p + alpha + p (1 - alpha - beta).
PARAMETERS = {
    "interpolated_inverted_cdf": ((0, 1), (1, 1)),
    "hazen": ((1, 2), (1, 2)),
    "weibull": ((0, 1), (0, 1)),
    "linear": ((1, 1), (1, 1)),
    "median_unbiased": ((1, 3), (1, 3)),
    "normal_unbiased": ((3, 8), (3, 8)),
}
RULES = ("median_nn", "median_nn_distinct", "scott", "silverman")

each_loss = pytest.mark.parametrize("loss", LOSSES)


def _repeated(values: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    return [value for value, count in zip(values, counts, strict=True) for _ in range(count)]


def _gathered(weights: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    """The sum over the copies of each row."""
    rest = iter(weights)
    return [sum(itertools.islice(rest, count), exact(0)) for count in counts]


def _fit(X: Any, loss: str, implementation: Any = REFERENCE, **named: Any) -> Any:
    options = {"bandwidth": BANDWIDTH, "on_degenerate": "warn", **named}
    return implementation.call("rkde", X, loss=implementation.get(loss), **options)


def _bound(counts: Sequence[int]) -> float:
    """Both ways are right to the digits of the context, but for the sums over the copies."""
    return tolerances.reference_bound(REFERENCE_DIGITS, 2 * sum(counts))


def _fine_bound(counts: Sequence[int]) -> float:
    return tolerances.reference_bound(CASE_DIGITS, 2 * sum(counts))


def _assert_repetition(counted: Any, repeated: Any, counts: Sequence[int]) -> None:
    bound = _bound(counts)
    kept = [row for row, count in enumerate(counts) if count]
    assert_relative_to_largest(counted.weights, _gathered(repeated.weights, counts), bound, "weights")
    firsts = [sum(counts[:row]) for row in kept]
    norms = [counted.residual_norms[row] for row in kept]
    assert_relative_to_largest(norms, [repeated.residual_norms[row] for row in firsts], bound, "norms")
    for name in ("objective", "bandwidth", "effective_sample_size", "zero_weight_share"):
        assert_relative(getattr(counted, name), getattr(repeated, name), bound, name)
    assert_relative(counted.thresholds or (), repeated.thresholds or (), bound, "thresholds")
    assert (counted.status, counted.n_iter) == (repeated.status, repeated.n_iter)
    assert counted.certificate == repeated.certificate
    assert counted.median.certificate == repeated.median.certificate


@each_loss
@pytest.mark.parametrize("recipe", RECIPES)
def test_counts_are_repeated_rows(loss: str, recipe: str) -> None:
    for stop in ({}, {"stop": Stationarity(1e-10)}):
        counted = _fit(ROWS, loss, recipe=recipe, sample_weight=COUNTS, **stop)
        _assert_repetition(counted, _fit(_repeated(ROWS, COUNTS), loss, recipe=recipe, **stop), COUNTS)


@given(
    places=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=6),
    ends=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    loss=st.sampled_from(["Huber", "Hampel", "Absolute"]),
)
def test_counts_of_rows_with_ties(places: list[tuple[int, int]], ends: tuple[int, int], loss: str) -> None:
    """Rows of a grid coincide, and some counts are 0; the first and the last row differ and stay."""
    rows = [[-1], *([place] for place, _ in places), [7]]
    counts = [ends[0], *(count for _, count in places), ends[1]]
    repeated = _fit(_repeated(rows, counts), loss)
    _assert_repetition(_fit(rows, loss, sample_weight=counts), repeated, counts)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("largest", [2.5, 1e6, 1e17, 1e60, 1e300])
def test_rules_with_a_row_of_nearly_all_weight(candidate: Any, rule: str, largest: float) -> None:
    X, weights = [[0.0, 1.0], [2.5, 0.0], [3.0, 7.0], [9.0, 2.0]], [1.5, largest, 0.75, 1.25]
    found, expected = (each.call(rule, X, sample_weight=weights) for each in (candidate, REFERENCE))
    assert_relative(found, expected, tolerances.bandwidth_bound(2, 4), rule)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize(
    "weights", [[1.5, 0.75, 2.5], [1.5, 1e17, 2.5], [1.5, 1e60, 2.5], [1e-300, 1, 2e-300]]
)
def test_rules_by_the_spread_are_means_over_pairs(
    implementation: Any, rule: str, weights: list[float]
) -> None:
    """With the divisor N - 1, s^2 is the mean of |x - y|^2 / (2 d) over the pairs, by products of weights."""
    X, pairs = [[0, 1], [2.5, 0], [3, 7]], list(itertools.combinations(range(3), 2))
    products = [exact(weights[i]) * weights[j] for i, j in pairs]
    squares = [EXACT.fsum((exact(x) - y) ** 2 for x, y in zip(X[i], X[j], strict=True)) for i, j in pairs]
    mean_square = EXACT.fdot(products, squares) / EXACT.fsum(products) / 4
    number = EXACT.fsum(weights) ** 2 / EXACT.fsum(weights, squared=True)
    # For two columns the factors of both rules are n^(-1/6).
    expected = EXACT.sqrt(mean_square) * number ** (-exact(1) / 6)
    bound = tolerances.bandwidth_bound(2, 3) if implementation in CANDIDATES else _fine_bound([1] * 3)
    assert_relative(implementation.call(rule, X, sample_weight=weights), expected, bound, rule)


@pytest.mark.parametrize(("rule", "expected"), [*zip(RULES, (5, 5, 2.5, 2.5), strict=True)])
def test_two_rows_are_two_however_little_one_weighs(implementation: Any, rule: str, expected: float) -> None:
    found = implementation.call(rule, [[0, 0], [3, 4]], sample_weight=[1e-300, 1])
    bound = tolerances.bandwidth_bound(2, 2) if implementation in CANDIDATES else _fine_bound([1] * 2)
    assert_relative(found, expected, bound, rule)


@pytest.mark.parametrize("rule", RULES)
def test_equal_rows_are_counted(implementation: Any, rule: str) -> None:
    """With their copies, but by their number where the weights are relative."""
    for weights, count in (([2, 1, 0], 3), ([1.5, 1e17, 0], 2), ([0.5, 0.5, 1.25], 3)):
        with pytest.raises(DegenerateBandwidth, match=f"got {count} equal rows"):
            implementation.call(rule, [[1, 2]] * 3, sample_weight=weights)


@pytest.mark.parametrize("rule", RULES)
def test_rules_do_not_change_with_the_weight_of_a_row_of_nearly_all(candidate: Any, rule: str) -> None:
    X = [[98.0, 101.0], [102.5, 100.0], [103.0, 107.0], [109.0, 102.0]]
    few, many = (
        candidate.call(rule, X, sample_weight=[1.5, 1.3 * power, 0.75, 1.25]) for power in (1e30, 1e200)
    )
    assert_relative(many, few, 2 * tolerances.bandwidth_bound(2, 4), rule)


@pytest.mark.parametrize("k", [1, 3, 10**4, 10**7, 2**50])
def test_the_size_of_counts_does_not_matter(implementation: Any, k: int) -> None:
    """Nothing is as long as the counts are large: a list of 4 10^7 rows would not fit beside the test."""
    options = {"implementation": implementation, "bandwidth": 1, "sample_weight": [2 * k, k, k]}
    found = _fit([[0.0], [1.0], [3.0]], "Huber", **options)
    printed = ["0.64902625", "0.22723335", "0.12374040"]
    assert_within(found.weights, printed, tolerances.printed_digits(8), "weights")
    assert_within(found.thresholds[0], "0.443547821710", tolerances.printed_digits(12), "a")
    assert all(len(row) == 3 for row in (found.weights, found.residual_norms, found.median.weights))
    two, *ones = numbers(found.weights)
    size = k / (two**2 / 2 + sum(one**2 for one in ones))
    bound = _bound([1] * 3) if implementation is REFERENCE else tolerances.sum_bound(8)
    assert_relative(found.effective_sample_size, size, bound, "copies of weight w / m")


@pytest.mark.parametrize("tol", ["1e-2", "1e-3", "1e-4"])
def test_counts_are_repeated_rows_for_the_rule_of_the_fixed_point(implementation: Any, tol: str) -> None:
    """The residual is over copies: the sum of a row's copies would weigh heavier than theirs."""
    X = np.array(ROWS, dtype=float).tolist()
    options = {"implementation": implementation, "stop": Stationarity(float(tol))}
    for loss, counts in itertools.product(("Huber", "Hampel"), (COUNTS, COUNTS[::-1], UNEVEN)):
        counted = _fit(X, loss, sample_weight=counts, **options)
        repeated = _fit(_repeated(X, counts), loss, **options)
        assert (counted.n_iter, counted.status) == (repeated.n_iter, repeated.status)


@pytest.mark.parametrize("loss", ["Huber", "Hampel", "Absolute"])
def test_bounds_with_masses_cover_the_exact_limit(loss: str) -> None:
    for weights in (COUNTS, RELATIVE):
        options = {"sample_weight": weights}
        coarse = _limit(REFERENCE, loss, **options)
        fine = _limit(FINE_REFERENCE, loss, **options)
        assert coarse.certificate is fine.certificate
        changes = [abs(one - other) for one, other in _pairs(coarse, fine)]
        # The finer limit has a bound of its own.
        assert max(changes) <= exact(coarse.weights_error_bound) + exact(fine.weights_error_bound)
        assert exact(coarse.weights_error_bound) <= exact(tolerances.reference_bound(REFERENCE_DIGITS // 2))
        assert coarse.certificate in {Certificate.GLOBAL, Certificate.LOCAL_MINIMUM}


def _pairs(one: Any, other: Any) -> list[tuple[Any, Any]]:
    return list(zip(numbers(one.weights), numbers(other.weights), strict=True))


def _limit(implementation: Any, loss: str, X: Any = ROWS, **named: Any) -> Any:
    thresholds = {"Huber": (0.5,), "Hampel": (0.5, 0.75, 1.25)}.get(loss, ())
    made = implementation.get(loss)(*thresholds)
    return implementation.call("fixed_point", X, implementation.get("Gaussian")(BANDWIDTH), made, **named)


@each_loss
@pytest.mark.parametrize("recipe", RECIPES)
def test_equal_weights_are_the_rows_alone(loss: str, recipe: str) -> None:
    plain = _fit(ROWS, loss, recipe=recipe, bandwidth="silverman")
    for weight in ("1e-6", "0.3", 1, "1234567.5"):
        equal = _fit(ROWS, loss, recipe=recipe, bandwidth="silverman", sample_weight=[weight] * len(ROWS))
        assert equal == plain


@each_loss
@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("bandwidth", one_in(4, RULES, str))
def test_relative_weights_have_no_scale(loss: str, recipe: str, bandwidth: str) -> None:
    rows = ROWS[:4] + ROWS[5:]
    weights = [exact(weight) / 7 for weight in RELATIVE[:4] + RELATIVE[5:]]
    options = {"recipe": recipe, "bandwidth": bandwidth}
    plain = _fit(rows, loss, sample_weight=weights, **options)
    for scale in ("1e-6", "1e6"):
        scaled = _fit(rows, loss, sample_weight=[exact(scale) * weight for weight in weights], **options)
        bound = _bound([1] * len(rows))
        assert_relative_to_largest(scaled.weights, plain.weights, bound, "weights")
        assert_relative(scaled.thresholds or (), plain.thresholds or (), bound, "thresholds")
        for name in ("bandwidth", "objective", "effective_sample_size"):
            assert_relative(getattr(scaled, name), getattr(plain, name), bound, name)


def test_a_weight_of_zero_removes_a_row() -> None:
    kept = [0, 1, 2, 3, 6]
    for weights in ([2, 1, 3, 1, 0, 0, 4], ["0.75", "0.3", "1.1", "0.2", 0, "0.0", "0.9"]):
        given_rows = _fit(ROWS, "Hampel", bandwidth="scott", sample_weight=weights)
        options = {"bandwidth": "scott", "sample_weight": [weights[row] for row in kept]}
        alone = _fit([ROWS[row] for row in kept], "Hampel", **options)
        assert [given_rows.weights[row] for row in kept] == list(alone.weights)
        assert [given_rows.weights[row] for row in (4, 5)] == [0, 0]
        assert [given_rows.residual_norms[row] for row in kept] == list(alone.residual_norms)
        assert (given_rows.thresholds, given_rows.bandwidth) == (alone.thresholds, alone.bandwidth)
        at_all = REFERENCE.call("residual_norms", ROWS, given_rows.kernel, given_rows.weights)
        bound = _bound([1] * len(ROWS))
        assert_relative_to_largest(given_rows.residual_norms, at_all, bound, "norms of all rows")


@pytest.mark.parametrize("rule", CONTINUOUS)
def test_quantiles_change_as_little_as_the_masses(rule: str) -> None:
    """|change| <= range * (largest change of a cumulated mass + that of h), which holds for any masses."""
    norms, weights = ["0.5", "0.25", "1", "0.125", "0.75"], ["0.3", "0.1", "0.2", "0.15", "0.25"]
    options = {"quantiles": ("0.3", "0.5", "0.9"), "quantile_rule": rule}
    before = REFERENCE.call("thresholds", norms, sample_weight=weights, **options)
    for row, step in itertools.product(range(len(norms)), ("1e-3", "-1e-9", "1e-15")):
        moved = [exact(weight) + (exact(step) if place == row else 0) for place, weight in enumerate(weights)]
        after = REFERENCE.call("thresholds", norms, sample_weight=moved, **options)
        old, new = _cumulated(norms, weights), _cumulated(norms, moved)
        # h moves by at most the change of N; that is the last of the cumulated masses.
        shift = max(abs(one - other) for one, other in zip(old, new, strict=True)) + abs(old[-1] - new[-1])
        width = max(numbers(norms)) - min(numbers(norms))
        assert_within(after, before, width * shift + exact(_bound([1] * 5)), rule)


def _cumulated(norms: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
    shares = numbers(weights)
    scale = sum(shares) / sum(share * share for share in shares)
    order = np.argsort([float(norm) for norm in norms])
    return list(itertools.accumulate(scale * shares[row] for row in order))


@pytest.mark.parametrize("rule", CONTINUOUS)
@pytest.mark.parametrize("light", [0.75, 1e-6, 1e-17, 1e-60, 1e-300])
def test_quantiles_with_a_row_of_nearly_all_weight(implementation: Any, rule: str, light: float) -> None:
    """Its own norm is next to nothing then, and each digit of a quantile comes from the other rows."""
    norms, weights = [0.5, 0.0, 1.0, 0.25], [light, 1.5, 2 * light, 3 * light]
    levels = [0.625, 0.75, 0.875]
    found = implementation.call(
        "thresholds", norms, quantiles=levels, quantile_rule=rule, sample_weight=weights
    )
    reached = _cumulated(norms, weights)
    number, values = reached[-1], numbers(sorted(norms))
    first, last = (exact(top) / bottom for top, bottom in PARAMETERS[rule])
    for value, level in zip(found, numbers(levels), strict=True):
        end = min(max(number * level + first + level * (1 - first - last), 1), number)
        overlaps = [
            max(min(upper, end) - max(lower, end - 1), 0)
            for lower, upper in itertools.pairwise([exact(0), *reached])
        ]
        expected = EXACT.fdot(overlaps, values)
        # The others have N - 1 of the mass at most; the window's ends are known to roundings of that.
        roundings = (number - 1) * max(norms) * 4 * len(norms)
        unit = tolerances.unit_roundoff() if implementation in CANDIDATES else _fine_bound([1])
        assert_within(value, expected, roundings * exact(unit), rule)


@pytest.mark.parametrize("rule", BY_PLACE)
def test_rules_by_place_refuse_relative_weights(implementation: Any, rule: str) -> None:
    norms, relative = [0.5, 0.25, 1.0], [0.5, 1.0, 0.25]
    with pytest.raises(InvalidInput) as caught:
        implementation.call("thresholds", norms, quantile_rule=rule, sample_weight=relative)
    assert caught.value.where == "quantile_rule"
    for remedy in ("linear", "inverted_cdf", "averaged_inverted_cdf"):
        assert implementation.call("thresholds", norms, quantile_rule=remedy, sample_weight=relative)
    assert implementation.call("thresholds", norms, quantile_rule=rule, sample_weight=[2, 4, 1])


@pytest.mark.parametrize(
    ("weights", "named"), [([1, 1], "sample_weight"), ([1, -1, 2], "index 1"), ([0, 0, 0], "sample_weight")]
)
def test_weights_that_are_refused(implementation: Any, weights: list[int], named: str) -> None:
    X, kernel = [[0.0], [1.0], [3.0]], implementation.get("Gaussian")(1.0)
    with pytest.raises(InvalidInput, match=named):
        implementation.call("kde", X, kernel, sample_weight=weights)
    with pytest.raises(InvalidInput, match=named):
        implementation.call("scott", X, sample_weight=weights)


def test_a_start_on_a_removed_row_is_refused_and_the_remedy_works() -> None:
    third = ["0.25", "0.25", "0.5"]
    options = {"X": [[0], [1], [3]], "sample_weight": [1, 1, 0]}
    with pytest.raises(InvalidInput, match="must be 0 where sample_weight is 0"):
        _limit(REFERENCE, "Huber", weights_init=third, **options)
    assert _limit(REFERENCE, "Huber", weights_init=["0.5", "0.5", 0], **options).status is Status.CONVERGED


@pytest.mark.parametrize("weights", [[2, 2, 2], [0.3, 0, 0.3]])
def test_equal_weights_are_no_masses(weights: list[float]) -> None:
    read = read_sample_weight(weights, 3)
    assert read is not None
    assert read.masses is None


def test_two_locations_of_equal_mass_keep_the_masses() -> None:
    median = REFERENCE.call(
        "median_rkde", [[0], [0], [1]], REFERENCE.get("Gaussian")(1), sample_weight=[1, 2, 3]
    )
    assert_within(median.weights, [exact(1) / 6, exact(2) / 6, exact(3) / 6], _bound([6]), "weights")


def test_a_contaminated_sample_is_a_sample_with_masses() -> None:
    kernel, new = REFERENCE.get("Gaussian")(BANDWIDTH), ["2.25", 0]
    uniform = [exact(1) / len(ROWS)] * len(ROWS)
    for loss in ("Huber", "Hampel", "Absolute"):
        thresholds = {"Huber": (0.5,), "Hampel": (0.5, 0.75, 1.25)}.get(loss, ())
        made = REFERENCE.get(loss)(*thresholds)
        moved = REFERENCE.call("contaminate", ROWS, kernel, made, uniform, "0.125", new)
        masses = [exact("0.875") / len(ROWS)] * len(ROWS) + [exact("0.125")]
        found = _limit(REFERENCE, loss, [*ROWS, new], sample_weight=masses)
        assert_relative_to_largest(found.weights, moved.weights, _bound([1] * 8), loss)
        assert moved.certificate is found.certificate is not Certificate.STATIONARY
        assert exact(moved.weights_error_bound) <= exact(tolerances.reference_bound(REFERENCE_DIGITS // 2))


@pytest.mark.parametrize(
    "weights", [COUNTS, RELATIVE, [0, *RELATIVE[1:]]], ids=["counts", "relative", "zero"]
)
@pytest.mark.parametrize("loss", ["Quadratic", "Huber", "Hampel", "Absolute"])
def test_limits_in_both_packages(loss: str, weights: list[Any]) -> None:
    X, masses = np.array(ROWS, dtype=float), np.array(weights, dtype=float)
    expected = _limit(REFERENCE, loss, X.tolist(), sample_weight=masses.tolist())
    actual = _limit(FAST, loss, X, sample_weight=masses)
    # The fast limit is certified to 1e-12 at least; the reference's own error is nothing beside it.
    margin = expected.curvature_margin
    bound = tolerances.limit_bound(
        float(actual.fixed_point_residual) + tolerances.sum_bound(len(X) ** 2), float(margin)
    )
    assert_relative_to_largest(actual.weights, expected.weights, bound, "weights")
    assert_relative(actual.objective, expected.objective, bound, "J")
    assert actual.certificate is expected.certificate
    changes = [abs(one - two) for one, two in _pairs(actual, expected)]
    assert max(changes) <= exact(actual.weights_error_bound) + exact(expected.weights_error_bound)


@given(
    places=st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.75, 3.0])), max_size=6),
    ends=st.tuples(st.sampled_from([0.3, 1.0, 2.0]), st.sampled_from([0.3, 1.0, 2.0])),
    loss=st.sampled_from(["Huber", "Absolute"]),
)
def test_limits_of_any_rows_with_ties(
    places: list[tuple[int, float]], ends: tuple[float, float], loss: str
) -> None:
    """Both are global minimisers: J of the one exceeds J of the other by no more than its proved gap."""
    X = [[-1.0], *([float(place)] for place, _ in places), [7.0]]
    masses = [ends[0], *(mass for _, mass in places), ends[1]]
    expected = _limit(REFERENCE, loss, X, sample_weight=masses)
    actual = _limit(FAST, loss, np.array(X), sample_weight=np.array(masses))
    assert actual.certificate is expected.certificate is Certificate.GLOBAL
    assert not any(weight for weight, mass in zip(actual.weights, masses, strict=True) if not mass)
    made = REFERENCE.get(loss)(*((0.5,) if loss == "Huber" else ()))
    # Weights of a float64 sum to 1 but for rounding; the reference divides them by their sum.
    arguments = (X, REFERENCE.get("Gaussian")(BANDWIDTH), made, actual.weights.tolist())
    reached = REFERENCE.call("objective", *arguments, sample_weight=masses)
    rounding = exact(tolerances.sum_bound(len(X) ** 2)) * exact(expected.objective)
    assert exact(reached) - exact(expected.objective) <= exact(actual.gap) + rounding


@pytest.mark.parametrize("weights", [COUNTS, RELATIVE], ids=["counts", "relative"])
@pytest.mark.parametrize("rule", RULES)
def test_bandwidths_in_both_packages(rule: str, weights: list[Any]) -> None:
    rows = np.array(ROWS, dtype=float)[[0, 1, 2, 3, 5, 6]]
    masses = np.array(weights, dtype=float)[[0, 1, 2, 3, 5, 6]]
    if rule == "median_nn" and weights is COUNTS:
        masses = np.array([2.0, 1, 1, 1, 1, 1])
    expected = REFERENCE.call("bandwidth", rows.tolist(), rule, sample_weight=masses.tolist())
    actual = FAST.call("bandwidth", rows, rule, sample_weight=masses)
    assert_relative(actual, expected, tolerances.bandwidth_bound(2, len(rows)), rule)


@pytest.mark.parametrize("rule", CONTINUOUS)
def test_thresholds_in_both_packages(rule: str) -> None:
    norms, weights = [0.5, 0.25, 1.0, 0.125, 0.75], [0.3, 0.1, 0.2, 0.15, 0.25]
    options: dict[str, Any] = {"sample_weight": weights, "quantile_rule": rule}
    expected = REFERENCE.call("thresholds", norms, **options)
    actual = FAST.call("thresholds", np.array(norms), **options)
    # A cumulated mass is off by the roundings of its terms, and moves the quantile by as much.
    error = tolerances.sum_bound(2 * len(norms)) * len(norms)
    assert_within(actual, expected, tolerances.quantile_bound(1.0, error), rule)


@pytest.mark.parametrize("weights", [COUNTS, RELATIVE], ids=["counts", "relative"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_in_both_packages(recipe: str, weights: list[Any]) -> None:
    X, masses = np.array(ROWS, dtype=float), np.array(weights, dtype=float)
    options: dict[str, Any] = {"recipe": recipe, "loss": "Huber", "stop": Stationarity(1e-12)}
    expected = _fit(X.tolist(), sample_weight=masses.tolist(), **options)
    actual = _fit(X, implementation=FAST, sample_weight=masses, **options)
    # A mean of norms moves by no more than they do, and a norm by no more than f_med does.
    reach = float(actual.median.error_bound) + float(expected.median.error_bound)
    rounding = tolerances.quantile_bound(tolerances.largest(actual.median.residual_norms), reach)
    assert_within(actual.thresholds, expected.thresholds, rounding, "a")
    arguments = (X.tolist(), REFERENCE.get("Gaussian")(BANDWIDTH), REFERENCE.get("Huber")(*actual.thresholds))
    limit = REFERENCE.call("fixed_point", *arguments, sample_weight=masses.tolist())
    residual = float(actual.fixed_point_residual) + tolerances.sum_bound(len(X) ** 2)
    bound = tolerances.limit_bound(residual, float(limit.curvature_margin))
    assert_relative_to_largest(actual.weights, limit.weights, bound, "weights")
    found = [float(weight) for weight in actual.weights]
    counts = masses if weights is COUNTS else masses * masses.sum() / (masses**2).sum()
    size = 1 / sum(weight**2 / count for weight, count in zip(found, counts.tolist(), strict=True))
    assert_relative(actual.effective_sample_size, size, tolerances.sum_bound(4 * len(X)), "copies")
    assert actual.zero_weight_share == expected.zero_weight_share == 0


def test_the_objective_of_counts_is_that_of_repeated_rows() -> None:
    arguments = (rkde.fast.Gaussian(1.0), rkde.fast.Huber(0.25))
    once = rkde.fast.objective([[0.0], [1.0]], *arguments, [0.25, 0.75], sample_weight=[1, 3])
    assert once == rkde.fast.objective([[0.0], [1.0], [1.0], [1.0]], *arguments, [0.25] * 4)
