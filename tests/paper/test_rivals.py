"""What the experiments measure, and their rivals, beside values worked out by hand."""

import math
from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

import rkde.fast as rk
from benchmarks.paper import cells, facts, rivals, sizes, tasks, unit
from benchmarks.paper.cells import BLOCKS, Chosen, Comparison, Layer, gain_over, row
from benchmarks.paper.claims import DISAGREES, MNIST_DECIDES, statements
from benchmarks.paper.methods import Choices, fit
from benchmarks.paper.report import findings
from benchmarks.paper.results import Results
from benchmarks.paper.rivals import Sample
from benchmarks.paper.rivals_page import Place, chosen_on_others, grid
from benchmarks.paper.sensitivity import joint
from benchmarks.paper.sets import SETS
from benchmarks.paper.sizes import Gain, Size, size
from rkde.proofs_checks.tolerances import printed_digits, sum_bound
from tests.paper.test_report import made_up, part


def sample(X: np.ndarray, bandwidth: float = 1.0, outlying: int = 0) -> Sample:
    kernel = rk.Gaussian(bandwidth)
    robust = rk.rkde(X, bandwidth=bandwidth, on_degenerate="warn")
    return Sample(X, kernel, rk.kde(X, kernel), robust, outlying)


def rows(seed: int = 3, count: int = 24, dim: int = 2) -> np.ndarray:
    return np.asarray(np.random.default_rng(seed).normal(size=(count, dim)))


def used_weights(found: rk.Kde, X: np.ndarray) -> np.ndarray:
    """Return the weights of all rows, 0 where a row is left out."""
    weights = np.zeros(len(X))
    for kept, weight in zip(found.X, found.weights, strict=True):
        weights[int(np.flatnonzero((kept == X).all(axis=1))[0])] += weight
    return weights


def optimal(gram: np.ndarray, linear: np.ndarray, weights: np.ndarray) -> bool:
    """Tell whether weights on the simplex minimise w' G w / 2 - w' b, by the conditions for it."""
    assert weights.min() >= 0
    assert abs(weights.sum() - 1) <= sum_bound(len(weights))
    slope = gram @ weights - linear
    level = float(weights @ slope)
    # A projected gradient stops where a step is below REST; the slope is then as near to its level.
    near = len(weights) * rivals.REST
    return bool((slope >= level - near).all() and (np.abs(slope - level)[weights > 0] <= near).all())


def l2_products(X: np.ndarray, bandwidth: float) -> np.ndarray:
    gaps = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return np.asarray(np.exp(-gaps / (4 * bandwidth**2)))


def test_spkde_is_the_projection_of_twice_the_kde() -> None:
    X = np.vstack([rows(), [[9.0, 9.0]]])
    found = rivals.scaled_projection(sample(X, 0.8))
    gram = l2_products(X, 0.8)
    assert optimal(gram, 2 * gram.mean(axis=1), used_weights(found, X))
    # Two equal rows and one far away: their weights W and v have W - 4/3 = v - 2/3 and W + v = 1.
    far = np.array([[0.0], [0.0], [50.0]])
    near, last = used_weights(rivals.scaled_projection(sample(far)), far)[[0, 2]]
    assert near == pytest.approx(1.0 - 1 / 6, abs=printed_digits(6))
    assert last == pytest.approx(1 / 6, abs=printed_digits(6))


def test_the_mixture_of_least_integrated_square_is_the_best_one() -> None:
    X, width = rows(5), 0.8
    found = rivals.least_integrated_square(sample(X, width))
    gram, count = l2_products(X, width), len(X)
    gaps = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    # The kernel over the integral of its square, in two columns: (2 pi h^2)^-1 / (4 pi h^2)^-1 = 2.
    values = 2 * np.exp(-gaps / (2 * width**2)) * (1 - np.eye(count))
    assert optimal(gram, values.sum(axis=1) / (count - 1), used_weights(found, X))


def test_trimmed_estimates_leave_out_the_rows_of_lowest_density() -> None:
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [7.0], [0.5], [9.0]])
    assert rivals.trimmed(0.25)(sample(X)).X.ravel().tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_kept_rows_are_those_with_weight() -> None:
    X = np.vstack([rows(7), [[40.0, 40.0]]])
    given = sample(X)
    assert (given.robust.weights == 0).any()
    found = rivals.kept(given)
    assert found.X.tolist() == X[given.robust.weights > 0].tolist()
    assert set(found.weights) == {1 / len(found.X)}


def test_median_of_means_is_the_median_over_blocks() -> None:
    X, queries = rows(9, 11), rows(10, 4)
    stream = np.random.SeedSequence(rivals.SEED, spawn_key=(len(X),))
    order = np.random.default_rng(stream).permutation(len(X))
    blocks = np.array_split(order, 5)
    assert sorted(map(len, blocks)) == [2, 2, 2, 2, 3]
    parts = [rk.kde(X[block], rk.Gaussian(1.0)).log_density(queries) for block in blocks]
    expected = -np.sort(parts, axis=0)[2]
    # Two contaminating rows ask for five blocks; 21 blocks of 11 rows become five of two.
    assert rivals.median_of_means(None)(sample(X, outlying=2))(queries).tolist() == expected.tolist()
    assert rivals.median_of_means(21)(sample(X))(queries).tolist() == expected.tolist()


def test_the_fifth_neighbour() -> None:
    X = np.arange(7.0)[:, None]
    assert rivals.neighbour_distance(sample(X))(np.array([[0.0], [3.0], [-2.0]])).tolist() == [4.0, 2.0, 6.0]


def test_detection_rates_lie_on_the_roc_curve() -> None:
    fitted = fit(rows(), ("kde",), Choices())
    fitted.densities["kde"] = Mock(log_density=lambda queries: -queries[:, 0])
    # Scores 1 to 20; foreign rows at 20.5, at 19, which is a tie, and at 0.
    nominal, foreign = np.arange(1.0, 21.0)[:, None], np.array([[20.5], [19.0], [0.0]])
    found = tasks.detection(fitted, nominal, foreign, ("kde",))["kde"]
    assert found["detected_01"] == pytest.approx(1 / 3, rel=sum_bound(60))
    assert found["detected_05"] == pytest.approx(1 / 3, rel=sum_bound(60))
    # From (1/20, 1/3) the tie leads to (2/20, 2/3) in one step.
    assert found["detected_10"] == pytest.approx(2 / 3, rel=sum_bound(60))
    assert found["held_out"] == -10.5
    # 20.5 beats 20 rows, 19 beats 18 and ties with one.
    assert found["auc"] == pytest.approx((20 + 18.5) / 60, rel=sum_bound(60))


def test_shares_of_rows_with_little_weight() -> None:
    found = unit._weight_of(np.array([0.5, 0.25, 0.0, 0.25, 0.0]), 3)
    shares = {"contaminating": 0.25, "below_uniform": 0.5, "zero": 0.5}
    assert found == {**shares, "below_uniform_nominal": 1 / 3, "zero_nominal": 1 / 3}
    assert unit._weight_of(np.array([0.5, 0.5]), 2)["zero"] is None


def test_a_choice_is_judged_on_the_set_that_had_no_part_in_it() -> None:
    def place(**gains: float) -> Place:
        won = tuple(Gain(name, gain, 0.0) for name, gain in gains.items())
        one = Size(Comparison("auc", "rkde", "kde", "0.10"), won, 0, 0)
        sizes = dict.fromkeys(("0.00", "0.10", "0.30"), one)
        return Place("1", "rkde", sizes, sizes)

    # The first is the best but for iris, the second without heart: each is chosen by the others.
    places = [place(iris=9.0, heart=1.0, pima=1.0), place(iris=0.0, heart=4.0, pima=3.0)]
    assert chosen_on_others(places) == pytest.approx((0.0 + 1.0 + 1.0) / 3, rel=sum_bound(60))


def test_a_gain_of_gains_is_tested_set_by_set() -> None:
    def entry(first: float, second: float) -> dict[str, object]:
        ours, theirs = ({"detected_01": a, "detected_10": b} for a, b in ((first, second), (0.5, 0.5)))
        return part("auc", {"rkde": ours, "kde": theirs}, "0.20")

    values = {"iris": (0.9, 0.6), "heart": (0.6, 0.7), "pima": (0.5, 0.5)}
    results = Results({"base": {name: [entry(*pair)] * BLOCKS for name, pair in values.items()}})
    rates = (Comparison(f"detected-{rate}", "rkde", "kde", "0.20") for rate in ("01", "10"))
    found = gain_over(results, *rates)
    # Gains of 0.3, -0.1 and none, which counts for the second.
    assert (found.rank_sum_1, found.rank_sum_2, found.zeros) == (3, 3, 1)
    assert found.block_sums == (3.0,) * BLOCKS


def test_mnist_decides_where_the_answer_is_another_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "RESAMPLES", 8)
    monkeypatch.setattr(sizes, "RESAMPLES", 64)
    found = findings(made_up(), "2000-01-01")
    key = ("auc", "rkde", "kde")

    def verdict(ours: float, without: float) -> str:
        def changed(made: list, first: float) -> list:  # type: ignore[type-arg]
            low = min(first, 120 - first)
            p_value = 0.01 if low < 25 else 0.5
            return [replace(cell, rank_sum_1=first, rank_sum_2=120 - first, p_value=p_value) for cell in made]

        readings = replace(
            found.readings,
            rows={**found.readings.rows, key: changed(found.readings.rows[key], ours)},
            without={**found.readings.without, key: changed(found.readings.without[key], without)},
        )
        (one,) = [one for one in statements(readings) if one.name == "auc_against_kde"]
        return one.verdict

    assert verdict(90, 110) == MNIST_DECIDES
    assert verdict(110, 90) == "agrees"
    assert verdict(90, 90) == "direction agrees"
    assert verdict(40, 90) == DISAGREES
    assert math.isfinite(found.readings.especially[0].p_value)


def test_rows_without_weight_are_flags() -> None:
    # 20 contaminating rows, of which 10 are flagged, and 80 nominal ones, of which 20 are.
    some, none = (
        {"n_nominal": 80, "epsilons": {"0.20": {"n": 100, "weights": {"rkde": shares}}}}
        for shares in ({"zero": 0.5, "zero_nominal": 0.25}, {"zero": 0.0, "zero_nominal": 0.0})
    )
    found = facts.flagged(Results({"base": {"iris": [some, none], "heart": [none]}}), "rkde", "0.20")
    assert found.precision == pytest.approx(1 / 3, rel=sum_bound(2))
    assert found.recall == pytest.approx(0.25 / 2, rel=sum_bound(2))


def test_the_grid_is_compared_with_the_kde_at_the_papers_bandwidth() -> None:
    results = made_up()
    (place,) = [one for one in grid(results) if (one.bandwidth, one.loss) == ("2", "huber")]
    (gained,) = [one.mean for one in place.sizes["0.10"].gains if one.name == "heart"]
    ours = results.average("auc", "huber", "0.10", "heart", "grid-2")
    plain = results.average("auc", "kde", "0.10", "heart", "grid-1")
    assert f"{gained:.9f}" == f"{100 * (ours - plain):.9f}"


def test_an_interval_has_95_per_cent() -> None:
    pairs = [{"rkde": {"auc": place / 100}, "kde": {"auc": 0.0}} for place in range(1, 16)]
    records = {name: [part("auc", pair)] for name, pair in zip(SETS, pairs, strict=True)}
    found = size(Results({"base": records}), Comparison("auc", "rkde", "kde", "0.00"))
    # The mean of fifteen draws from 1 to 15 has the standard deviation 1.115.
    error = math.sqrt((15**2 - 1) / 12 / 15)
    assert 1.8 * error < (found.high - found.low) / 2 < 2.1 * error


def test_the_other_class_and_the_other_kernel_are_taken_together() -> None:
    results, asked = made_up(), ("auc", "rkde", "kde")
    wanted = {"contaminating class": "label 0", "MNIST's kernel": "exp(-t / 30)"}
    (one,) = [one for one in joint(results, asked, ("0.20",)) if wanted.items() <= one.choices.items()]
    both = Chosen((Layer("swap"), Layer("swap-mnist")))
    assert one.cells == row(results, "auc", asked[1:], ("0.20",), both, interval=False)
