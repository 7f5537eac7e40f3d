"""What a sign advises is not in use, and helps the input that caused it."""

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.practice.signs import fitted, ranking
from benchmarks.practice.truths import Array
from rkde.fast import Absolute, Huber, Quadratic
from rkde.fast.signs.repeated import _codes
from tests.cli.running import run, succeeded
from tests.signs.seen import written
from tests.signs.test_surfaces import on_command_line
from tests.support.selection import one_in

SIZES = "fit without the sample weights, if they are sizes such as populations"
TINY = "the bandwidth is so small that"
SEEDS = range(5)
# Of all pairs of a bad row and a good one.
NEARLY_ALL = 1 / 20


def worst(rows: Array, settings: dict[str, Any], number: int) -> set[int]:
    """Return the rows of the least densities."""
    model = fitted(rows, settings)[0]
    return set(np.argsort(model.log_density(rows), kind="stable")[:number].tolist())


def _populations(seed: int, sigma: float) -> tuple[Array, Array]:
    """Return 150 places, of which the first six are far from the others, and how many people live there."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(150, 2))
    rows[:6] = rng.uniform(7, 11, (6, 2)) * rng.choice([-1, 1], (6, 2))
    return rows, np.round(np.exp(sigma * rng.normal(size=150) + 8)) + 1


@pytest.mark.parametrize("seed", one_in(5, SEEDS))
@pytest.mark.parametrize(
    "settings",
    [
        {"loss": Huber},
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param({"recipe": "paper", "bandwidth": "scott"}, marks=pytest.mark.slow),
    ],
)
def test_populations_as_sample_weights_are_to_be_left_out(seed: int, settings: dict[str, Any]) -> None:
    rows, people = _populations(seed, 1.5)
    weighted, signs = fitted(rows, {**settings, "sample_weight": people})
    advice = [sign.remedy for sign in signs.values()]
    assert any(SIZES in remedy for remedy in advice)
    assert not any("Huber" in remedy for remedy in advice)
    made = (rows, np.arange(150) < 6)
    # Far rows may lie near each other.
    area = ranking(fitted(rows, settings)[0], made)
    assert area >= ranking(weighted, made) - NEARLY_ALL
    assert area >= 1 - NEARLY_ALL


@pytest.mark.slow
def test_hubers_loss_ranks_by_populations() -> None:
    rows, people = _populations(0, 1.5)
    assert worst(rows, {"loss": Huber, "sample_weight": people}, 6) != set(range(6))
    isolated = fitted(rows, {"loss": Huber, "sample_weight": people})[1]["isolated-rows"]
    assert "because their sample weights are large" in isolated.seen


@pytest.mark.slow
def test_the_command_line_says_how_to_leave_out_the_weights(tmp_path: Path) -> None:
    rows, people = _populations(0, 1.5)
    table = written(tmp_path, np.column_stack([rows, people]), "x,y,people")
    told = run("outliers", table, "--weights", "people", "--loss", "huber").stderr
    assert "leave out --weights and name the columns of the data with --columns, if they are sizes" in told
    refused = run("outliers", table, "--weights", "people", "--recipe", "paper").stderr
    assert "or leave out --weights and name the columns of the data with --columns" in refused
    assert "--drop-rows" not in refused
    for options in (("--loss", "huber"), ("--recipe", "paper")):
        shown = succeeded(run("outliers", table, "--columns", "x,y", "--top", "6", *options))
        assert {int(line.split(",")[1]) for line in shown.splitlines()[1:]} == set(range(1, 7))


def _unlike_columns() -> Array:
    i = np.arange(60)
    salary = 40000 + ((5 * i) % 13 - 6) * 2100 + ((3 * i) % 7) * 130
    return np.vstack([np.column_stack([1.7 + ((7 * i) % 11 - 5) * 0.02, salary]), [17.2, 41000.0]])


def _course() -> Array:
    i = np.arange(200.0)
    volts = 0.02 * ((7 * i) % 11 - 5)
    volts[100] = 20.0
    return np.column_stack([i, volts])


@pytest.mark.parametrize("loss", one_in(4, ["quadratic", "hampel", "huber", "absolute"]))
@pytest.mark.parametrize(
    ("rows", "bandwidth", "bad"),
    [(_unlike_columns(), 0.5, 60), (_unlike_columns(), 1e-3, 60), (_course(), 0.1, 100)],
    ids=["money", "money, tiny", "course"],
)
def test_a_tiny_bandwidth_is_told_and_the_rule_that_is_advised_helps(
    rows: Array, bandwidth: float, bad: int, loss: str, tmp_path: Path
) -> None:
    settings = {"bandwidth": str(bandwidth), "loss": loss}
    told = [line for line in on_command_line(rows, settings, tmp_path) if TINY in line]
    assert len(told) == 1
    remedy = told[0].rpartition("; ")[2]
    assert remedy == "use --scale robust with --bandwidth scott"
    options = shlex.split(" ".join(re.findall(r"--\S+ \S+", remedy)))
    shown = succeeded(run("outliers", tmp_path / "t.csv", *options, "--loss", loss, "--top", "1"))
    assert int(shown.splitlines()[1].split(",")[1]) == bad + 1


@pytest.mark.parametrize("loss", [Quadratic, Huber, Absolute])
def test_equal_rows_are_not_said_to_lie_near_each_other(loss: type) -> None:
    rng = np.random.default_rng(3)
    rows = np.vstack([np.repeat(rng.normal(size=(50, 2)), 2, axis=0), np.full((2, 2), 9.0)])
    signs = fitted(rows, {"bandwidth": 1e-3, "loss": loss})[1]
    assert "except equal ones" in signs["ranking"].seen
    assert signs["ranking"].remedy == "use the rule scott"
    assert "isolated-rows" not in signs
    after = {"bandwidth": "scott", "loss": loss}
    assert "ranking" not in fitted(rows, after)[1]
    assert worst(rows, after, 2) == {100, 101}


@pytest.mark.slow
def test_no_sign_advises_the_plain_estimate_to_the_plain_estimate() -> None:
    for rows in (_unlike_columns(), _course()):
        for bandwidth in (1e-3, 0.1, 1.0, 1e3):
            for sign in fitted(rows, {"bandwidth": bandwidth, "loss": Quadratic})[1].values():
                assert "Quadratic" not in sign.remedy


@pytest.mark.slow
def test_rows_with_a_tie_each_are_not_to_be_removed(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = np.vstack([np.repeat(rng.normal(size=(50, 2)).round(3), 2, axis=0), np.full((2, 2), 9.0)])
    table = written(tmp_path, rows, "x,y")
    refused = run("outliers", table, "--bandwidth", "lscv")
    assert refused.stderr.endswith("give --bandwidth a number, or use --bandwidth median_nn_distinct\n")
    shown = succeeded(run("outliers", table, "--bandwidth", "median_nn_distinct", "--top", "2"))
    assert {line.split(",")[1] for line in shown.splitlines()[1:]} == {"101", "102"}


# What is measured, with 0 where nothing was, and what may be 0.
LARGE = {
    "pressure": lambda rng, size: np.round(np.clip(rng.normal(72, 12, size), 40, 130)),
    "income": lambda rng, size: np.round(rng.uniform(20_000, 90_000, size)),
    "index": lambda rng, size: np.round(np.clip(rng.normal(32, 7, size), 18, 67), 1),
    "below the largest counts": lambda rng, size: np.round(rng.normal(14, 1.5, size), 1),
}
NATURAL = {
    "rain": lambda rng, size: np.where(rng.random(size) < 0.6, 0, np.round(rng.exponential(5, size), 1)),
    "counts": lambda rng, size: rng.poisson(3, size),
    "visits with days off": lambda rng, size: np.where(rng.random(size) < 0.1, 0, rng.poisson(20, size)),
    "hundreds": lambda rng, size: 100 * rng.poisson(2, size),
    "answers": lambda rng, size: rng.integers(0, 5, size),
    "percent": lambda rng, size: np.round(100 * rng.beta(2, 5, size)),
    "spending": lambda rng, size: np.where(rng.random(size) < 0.4, 0, rng.lognormal(8, 1, size)),
}


@pytest.mark.parametrize("kind", LARGE)
@pytest.mark.parametrize("share", [0.02, 0.3])
def test_a_zero_among_large_values_is_named(kind: str, share: float) -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        column = LARGE[kind](rng, 300)
        assert not list(_codes(column))
        column[rng.permutation(300)[: int(share * 300)]] = 0
        assert [value for value, _ in _codes(column)] == [0]


@pytest.mark.parametrize(("step", "found"), [(9.5, [0.0]), (10.5, [])])
def test_a_zero_is_two_steps_below_the_others(step: float, found: list[float]) -> None:
    column = np.concatenate([np.zeros(9), [20.0], 20 + step + np.arange(40)])
    assert [value for value, _ in _codes(column)] == found


@pytest.mark.parametrize("kind", NATURAL)
@pytest.mark.parametrize("size", [100, 1000])
def test_a_zero_that_is_natural_is_none(kind: str, size: int) -> None:
    alarms = sum(
        bool(list(_codes(NATURAL[kind](np.random.default_rng(seed), size).astype(float))))
        for seed in range(40)
    )
    assert alarms <= 1


def test_a_zero_is_dropped_in_its_column_where_it_is_natural_in_another(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([LARGE["pressure"](rng, 300), rng.poisson(3, 300)]).astype(float)
    rows[::30, 0] = 0
    told = on_command_line(rows, {}, tmp_path, "pressure,children")
    assert any("use --drop-value pressure=0 if that number marks a missing value" in line for line in told)
    followed = run("outliers", tmp_path / "t.csv", "--drop-value", "pressure=0")
    assert "warning" not in followed.stderr
    assert succeeded(followed).count("\n") == 291


@pytest.mark.parametrize("kind", ["stuck", pytest.param("copies", marks=pytest.mark.slow)])
def test_under_a_sample_all_rows_of_the_file_are_named(kind: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(1000, 2)).round(3)
    chosen = np.sort(rng.permutation(1000)[:39]) if kind == "copies" else np.arange(300, 380)
    rows[chosen, 0] = 0.5
    if kind == "copies":
        rows[chosen, 1] = 0.25
    table = written(tmp_path, rows, "x,y")
    told = run("outliers", table, "--sample", "300").stderr
    options = re.findall(r"--drop-rows [\d,-]+", told)
    followed = run("outliers", table, "--sample", "300", *shlex.split(options[-1]))
    assert "--drop-rows" not in followed.stderr
    if kind == "copies":
        assert succeeded(followed).count("\n") == 1 + 1000 - 39
        repeats = run("outliers", table, *shlex.split(options[0]))
        assert succeeded(repeats).count("\n") == 1 + 1000 - 38


def test_a_larger_bandwidth_than_scotts_is_advised_in_many_columns() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 60))
    assert fitted(rows, {"bandwidth": "scott"})[1]["ranking"].remedy == "use a larger bandwidth"
