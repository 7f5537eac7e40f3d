"""What the signs look at: both densities, of large tables by some rows; weights, permutations, extremes."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from benchmarks.practice.planted import PLANTED, Planted
from benchmarks.practice.signs import fitted
from benchmarks.practice.truths import Array
from rkde.fast import Gaussian, Laplacian, Quadratic, Student
from rkde.fast._float64 import read_sample_weight
from rkde.fast.kernels import Kernel
from rkde.fast.signs.evidence import (
    Choices,
    Densities,
    Evidence,
    densities,
    kernel_values,
    read_evidence,
    some,
)
from rkde.fast.signs.ranking import _cause, _far_rows, drained, isolated_rows, mode_collapse, modes
from rkde.fast.signs.repeated import _grouped, _nearby, _sign, shown_value
from rkde.proofs_checks import tolerances
from rkde.signs import Sign

# Whether a column ascends or stays at a value is a matter of the order of the rows.
OF_THE_ORDER = ("counter-column", "stuck-column")
NEAR = tolerances.contracting_path_bound()


def signs_of(rows: Array, sample_weight: Array | None = None, **settings: object) -> dict[str, Sign]:
    """Return the signs of a fit by name."""
    return {**fitted(rows, {**settings, "sample_weight": sample_weight})[1]}


@pytest.mark.parametrize("planted", PLANTED[::4], ids=lambda planted: f"{planted.sign}: {planted.words}")
def test_signs_follow_the_rows_when_these_are_permuted(planted: Planted) -> None:
    rows = planted.table(1)[0]
    if planted.sign in OF_THE_ORDER:
        rows = np.random.default_rng(0).permutation(rows)
    order = np.random.default_rng(1).permutation(len(rows))
    before = signs_of(rows, **planted.settings)
    after = signs_of(rows[order], **planted.settings)
    assert before.keys() == after.keys()
    for name, sign in before.items():
        assert sorted(order[list(after[name].rows)].tolist()) == sorted(sign.rows)


def test_counts_are_copies_for_signs() -> None:
    rng = np.random.default_rng(3)
    good = rng.normal(size=(200, 2))
    rows = np.vstack([good, [[0.4, 0.4]]])
    counts = np.append(np.ones(200), 12.0)
    weighted = signs_of(rows, counts)
    copied = signs_of(np.vstack([good, np.tile([0.4, 0.4], (12, 1))]))
    assert weighted["repeated-rows"].rows == (200,)
    assert copied["repeated-rows"].rows == tuple(range(200, 212))


def test_rows_of_sample_weight_0_are_not_looked_at() -> None:
    rng = np.random.default_rng(4)
    rows = np.vstack([np.tile([0.4, 0.4], (12, 1)), rng.normal(size=(100, 2)), np.tile([1.0, 0.0], (9, 1))])
    present = np.repeat([0.0, 1.0], [12, 109])
    assert signs_of(rows, present)["repeated-rows"].rows == tuple(range(112, 121))


def test_relative_weights_of_any_size_give_the_same_signs() -> None:
    planted = next(kind for kind in PLANTED if kind.sign == "mode-collapse")
    rows = planted.table(0)[0]
    weights = np.random.default_rng(5).uniform(0.5, 1.5, len(rows))
    settings = {"recipe": "paper", "bandwidth": 1.0}
    first, second = (signs_of(rows, scale * weights, **settings) for scale in (1.1, 1e6 / 3))
    assert first == second
    assert "mode-collapse" in first


@pytest.mark.slow
def test_a_large_table_is_looked_at_through_some_of_its_rows() -> None:
    rng = np.random.default_rng(6)
    rows = np.vstack([rng.normal(size=(40_000, 1)), np.full((900, 1), 0.25)])
    found = signs_of(rows, bandwidth=0.1)
    assert found.keys() == {"repeated-rows"}
    assert found["repeated-rows"].rows == tuple(range(40_000, 40_900))


@pytest.mark.parametrize("sample_weight", [None, np.repeat([2.0, 1.0, 3.0], 40)])
def test_the_plain_density_is_that_of_the_estimate(sample_weight: Array | None) -> None:
    rows = np.random.default_rng(7).normal(size=(120, 3))
    model, _ = fitted(rows, {"loss": Quadratic, "sample_weight": sample_weight})
    weights = read_sample_weight(sample_weight, len(rows))
    found = densities(read_evidence(rows, model.X, model.kernel, model.weights, weights))
    peak = model.kernel.log_normaliser(3)
    expected = np.exp(model.log_density(rows) + model.scaling.log_volume - peak)
    assert found.plain == pytest.approx(expected[found.chosen], rel=NEAR)
    assert found.robust == pytest.approx(found.plain, rel=NEAR)


@pytest.mark.parametrize(
    "rows",
    [
        [[0.0]],
        [[3.0, 4.0]] * 30,
        [[0.0]] * 29 + [[1.0]],
        [[1.7e308], [-1.7e308], [0.0], [1.0], [2.0], [4.0], [7.0], [11.0], [16.0], [22.0]],
        [[2.0**-1060 * i, 1.0] for i in range(20)],
        [[1e300 * (i % 7), 1e-300 * (i % 5)] for i in range(40)],
        [[1e-161 * i] for i in range(20)] + [[1e308]],
        [[-1.7e308]] * 3 + [[1.7e308 - 1e306 * i] for i in range(12)],
    ],
    ids=[
        *("one row", "equal rows", "two places", "the ends of float64", "subnormal", "wide"),
        *("the finest grid", "a filler farther than float64 reaches"),
    ],
)
def test_extreme_tables_have_signs_without_an_accident(rows: list[list[float]]) -> None:
    signs = signs_of(np.array(rows), bandwidth=1.0)
    assert ("few-rows" in signs) == (len(rows) < 10)
    for sign in signs.values():
        assert sign.text() == sign.text(first_row=0)


def test_places_are_shown_without_the_rounding_of_the_scaling() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 3)) * [3, 1, 1] + [5, 0, 0]
    rows[:30] = [0.0, 0.1, 1_004_500.0]
    assert "at (0, 0.1, 1004500)" in signs_of(rows)["repeated-rows"].text()


def test_what_scaling_leaves_of_rounding_is_shown_as_zero() -> None:
    column = np.array([1e3, -7.0, 1e-13])
    assert [shown_value(value, column) for value in column.tolist()] == ["1000", "-7", "0"]
    assert shown_value(1e-13, np.array([1e-13, 2e-13])) == "1e-13"


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Student(1.0, 3.0), Laplacian(1.0)])
def test_kernel_values_are_those_of_the_profile(kernel: Kernel) -> None:
    rng = np.random.default_rng(20121)
    left = rng.standard_normal((300, 2)) * 10.0 ** rng.uniform(-3, 4, (300, 1))
    right = np.vstack([left[:40], rng.standard_normal((500, 2))])
    expected = kernel.profile(cdist(left, right, "sqeuclidean"), 2)
    found = kernel_values(kernel, left, right)
    assert (found[:40, :40].diagonal() == 1).all()
    assert ((found == 0) == (expected < np.exp(-700))).all()
    # An exponent down to -700, a few roundings off, and one rounding of the result.
    unit = np.finfo(np.float64).eps / 2
    assert (np.abs(found - expected) <= 4 * 700 * unit * expected + np.exp(-700)).all()


@pytest.mark.parametrize(("size", "found"), [(6, 0), (7, 7)])
def test_half_of_the_rows_is_no_exception(size: int, found: int) -> None:
    """Where all are far from each other, none is isolated if as many as may stay alone are half of them."""
    places = 1e3 * np.arange(size)[:, np.newaxis]
    numbers, ones = np.arange(size), np.ones(size)
    evidence = Evidence(places, places, numbers, ones, ones / size, Gaussian(1.0))
    assert len(_far_rows(evidence, 3)) == found


def test_isolated_rows_are_found_among_many() -> None:
    places = np.random.default_rng(20120911).normal(size=(5000, 2))
    places[[7, 4000]] += [[1e3, 0.0], [0.0, -1e3]]
    numbers, ones = np.arange(5000), np.ones(5000)
    evidence = Evidence(places, places, numbers, ones, ones / 5000, Gaussian(1.0))
    assert _far_rows(evidence, 16).tolist() == [7, 4000]
    near = Evidence(places, places / 1e3, numbers, ones, ones / 5000, Gaussian(1.0))
    assert not len(_far_rows(near, 16))
    # Nor where most are far from each other.
    line = 1e3 * numbers[:, np.newaxis]
    assert not len(_far_rows(Evidence(line, line, numbers, ones, ones / 5000, Gaussian(1.0)), 16))


@pytest.mark.parametrize(
    ("counts", "decides"),
    [
        ([1.0] * 10, False),
        ([2.0] * 10, False),
        ([3.0] * 10, True),
        ([0.5, 1.5] * 5, False),
        ([0.4, 1.6] * 5, True),
    ],
    ids=["none", "two of each", "three of each", "four fifths are effective", "fewer are effective"],
)
def test_sample_weights_decide_much_where_they_vary_or_are_many_copies(
    counts: list[float], decides: bool
) -> None:
    places = np.arange(10.0)[:, np.newaxis]
    numbers = np.arange(10)
    evidence = Evidence(places, places, numbers, np.array(counts), np.full(10, 0.1), Gaussian(1.0))
    assert evidence.is_weighted == decides


@pytest.mark.parametrize(("size", "most"), [(100, 7), (29, 28), (4096, 1024), (5, 5), (3, 5)])
def test_some_rows_are_evenly_spaced_from_the_first_to_the_last(size: int, most: int) -> None:
    places = np.arange(float(size))[::-1, np.newaxis]
    chosen = places[some(places, most), 0] if most < size else np.sort(places[some(places, most), 0])
    assert len(chosen) == min(size, most)
    assert (chosen[0], chosen[-1]) == (0, size - 1)
    assert np.ptp(np.diff(chosen)) <= 1


@pytest.mark.parametrize("size", [1, 2, 7, 12])
def test_places_are_seen_from_the_middle_row_of_each_column(size: int) -> None:
    """So that rows far off take no digits from the others."""
    places = np.random.default_rng(size).normal([1e3, -1e6], size=(size, 2))
    found = read_evidence(places, places, Gaussian(2.0), np.full(size, 1 / size), None).places
    assert np.array_equal(np.sort(found, axis=0)[(size - 1) // 2], [0.0, 0.0])


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1], "1 row is too few"),
        ([1, 1, 1], "3 rows are too few"),
        ([1e9, 1.5, 1], "1 row is too few"),
        ([*[1] * 9, 0.95], "9.99 rows are too few"),
    ],
)
def test_too_few_rows_are_counted(weights: list[float], words: str) -> None:
    rows = np.arange(float(len(weights)))[:, np.newaxis]
    assert words in signs_of(rows, np.array(weights), bandwidth=1.0)["few-rows"].text()


def test_isolated_rows_are_said_to_outrank_rows_of_hardly_any_weight() -> None:
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(200, 4)), rng.normal([140, 0, 0, 0], 0.5, (2, 4))])
    (sign,) = signs_of(rows).values()
    told = sign.text()
    assert told.startswith(
        "rows 200, 201 (counted from 0) lie 20 bandwidths or more from all but a few others"
    )
    assert "of the others, which have hardly any weight themselves; look at these rows" in told


def test_isolated_rows_are_at_most_one_in_twenty() -> None:
    """Three groups of six: all together they are more than the sixteen that may be in one."""
    rng = np.random.default_rng(0)
    middles = np.repeat([[140, 0, 0, 0], [-140, 0, 0, 0], [0, 140, 0, 0]], 6, axis=0)
    rows = np.vstack([rng.normal(size=(400, 4)), rng.normal(middles, 0.5)])
    assert signs_of(rows)["isolated-rows"].rows == tuple(range(400, 418))


def test_one_isolated_row_is_told_as_one() -> None:
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(150, 2)), [[200, 0]]])
    people = np.append(np.round(np.exp(1.5 * rng.normal(size=150)) * 1000), 20_000)
    told = signs_of(rows, people, loss="huber")["isolated-rows"].text(first_row=1)
    assert told.startswith("row 151 lies 20 bandwidths or more from all but a few others, and yet ranks as ")
    assert "because its sample weight is large" in told
    assert told.endswith("or look at this row, and remove it if it is wrong")


def test_a_row_that_is_all_that_keeps_weight_is_compared_with_no_other() -> None:
    rows = np.vstack([np.random.default_rng(0).normal(size=(30, 2)) / 4, [[50.0, 50.0]]])
    assert list(signs_of(rows, bandwidth=1.0, start=np.eye(31)[30])) == ["zero-weight", "mode-collapse"]


def test_a_row_alone_ties_with_others_under_equal_weights() -> None:
    # The rows of the lattice are as lonely, but within reach of more than a few others.
    lattice = np.array([[60 + 9 * i, 9 * j] for i in range(5) for j in range(5)])
    rows = np.vstack([np.random.default_rng(0).normal(size=(74, 2)), lattice, [[1000.0, 1000.0]]])
    assert signs_of(rows, bandwidth=1.0, loss="quadratic") == {}


def test_copies_hold_up_the_density_of_an_isolated_row() -> None:
    rows = np.vstack([np.random.default_rng(1).normal(size=(80, 2)), [[300.0, 300.0]] * 3])
    model, told = fitted(rows, {"bandwidth": 0.15, "loss": "huber"})
    evidence = read_evidence(rows, model.X, model.kernel, model.weights, None)
    sign = isolated_rows(evidence, densities(evidence), Choices("huber", None, is_scaled=False))
    assert sign is not None
    assert sign.seen.endswith("of the others, because some are equal")
    # They are told once.
    assert list(told) == ["repeated-rows"]


@pytest.mark.parametrize(("total", "number"), [(4, 1), (16, 2), (10_000, 2)])
def test_hills_twice_as_high_as_the_saddle_are_two_modes_of_many_rows(total: int, number: int) -> None:
    """The deviation of the logarithm of that ratio is 0.9 for four rows, and 0.4 for sixteen."""
    places = np.linspace(-2, 2, 41)[:, np.newaxis]
    plain = 0.5 ** np.square(np.square(places[:, 0]) - 1)
    values = kernel_values(Gaussian(1.0), places, places)
    labels = modes(Densities(np.arange(41), plain, plain, values), total)
    assert len(np.unique(labels)) == number


@pytest.mark.parametrize(
    ("neighbours", "counts", "expected"),
    [([0.5, 0.5], [1, 1], 1.0), ([0.5], [2], 1.0), ([9.0, 9.0], [1, 1], 0.0)],
    ids=["two", "a row that counts twice", "far off"],
)
def test_two_equal_neighbours_of_a_group_have_one_copy_each(
    neighbours: list[float], counts: list[int], expected: float
) -> None:
    places = np.array([0.0, 0.0, 0.0, *neighbours])[:, np.newaxis]
    numbers, ones = np.arange(len(places)), np.ones(len(places))
    copies = np.array([1.0, 1.0, 1.0, *counts])
    evidence = Evidence(places, places, numbers, copies, ones / len(places), Gaussian(1.0))
    groups = _grouped(places, copies, (numbers > 2).astype(np.intp), 0.0)
    assert _nearby(evidence, groups, 0) == expected


@pytest.mark.parametrize(("size", "found"), [(4, 0), (5, 1)])
def test_a_mode_that_lost_its_weight_has_five_rows(size: int, found: int) -> None:
    places = np.concatenate([np.linspace(0, 1, 20), 100 + np.linspace(0, 1 / 4, size)])[:, np.newaxis]
    numbers, ones = np.arange(20 + size), np.ones(20 + size)
    evidence = Evidence(places, places, numbers, ones, np.where(numbers < 20, 1 / 20, 0.0), Gaussian(1.0))
    assert [rows.tolist() for rows in drained(evidence, densities(evidence)).values()] == [
        list(range(20, 20 + size))
    ] * found


def test_the_shares_of_a_mode_are_those_of_the_rows_that_are_looked_at() -> None:
    """Of 40 rows every other one is, of these the first five are the mode, and a hundredth of the weight."""
    places, chosen, ones = np.arange(40.0)[:, np.newaxis], np.arange(0, 40, 2), np.ones(40)
    weights = np.where(np.arange(40) < 10, 3.0, 99.0)
    evidence = Evidence(places, places, np.arange(40), ones, weights / weights.sum(), Gaussian(1.0))
    looked_at = Densities(chosen, ones[chosen], ones[chosen], np.eye(20))
    sign = mode_collapse(evidence, looked_at, {2: np.arange(5)}, Choices("hampel", None, is_scaled=False))
    assert sign is not None
    assert sign.seen == "a cluster around (4), with 25% of the rows, holds 1% of the weight"
    assert sign.rows == (0, 2, 4, 6, 8)


def test_densities_of_a_large_table_take_a_bounded_number_of_kernel_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []

    def flat(_: Kernel, left: Array, right: Array) -> Array:
        taken.append(len(left) * len(right))
        return np.broadcast_to(1.0, (len(left), len(right)))

    monkeypatch.setattr("rkde.fast.signs.evidence.kernel_values", flat)
    places, ones = np.arange(40_000.0)[:, np.newaxis], np.ones(40_000)
    densities(Evidence(places, places, np.arange(40_000), ones, ones / 40_000, Gaussian(1.0)))
    assert sum(taken) == 1024 * 32768 + 1024 * 1024


@pytest.mark.parametrize(
    ("values", "cause"),
    [
        ([1.0, 0.3, 0.3, 0.3], "which have hardly any weight themselves"),
        ([1.0, 1.0, 1.0, 0.9], "because some are equal"),
        ([1.0, 1.0, 0.9, 0.9], "since a few lie near it"),
    ],
    ids=["itself", "two copies", "one copy and two neighbours"],
)
def test_the_cause_of_a_density_is_what_makes_more_than_half_of_it(values: list[float], cause: str) -> None:
    numbers, ones = np.arange(4), np.ones(4)
    evidence = Evidence(np.eye(4), np.eye(4), numbers, ones, ones / 4, Gaussian(1.0))
    assert _cause(evidence, numbers[:1], numbers, np.array([values]))[0] == cause


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([2], "a row counts 4 times, at (2): {rows}; it holds 12.5% of the weight, which"),
        ([2, 3], "2 rows are nearly equal, at (2): {rows}; together they hold 25.0% of the weight, which"),
    ],
)
def test_repeated_rows_are_told_as_one_or_as_several(rows: list[int], told: str) -> None:
    places, counts = np.arange(8.0)[:, np.newaxis], np.full(8, 4.0)
    evidence = Evidence(places, places, np.arange(8), counts, counts / 32, Gaussian(1.0))
    assert _sign(evidence, np.array(rows), len(rows) / 8).seen.startswith(told)
