"""`--sample`: a fit to some rows of a table, and answers about all of them."""

from pathlib import Path

import numpy as np
import pytest

import rkde
from rkde.datasets import load
from rkde.signs import spelled_rows
from tests.cli.running import object_of, rows_of, run, succeeded, write_table

COUNT = 60
SEED = 5


def drawn(total: int, seed: int) -> np.ndarray:
    """The documented draw: without replacement, then in the order of the table."""
    return np.sort(np.random.default_rng(seed).choice(total, COUNT, replace=False))


@pytest.fixture
def rows() -> np.ndarray:
    return np.array(load("faithful").rows)


def test_the_scores_are_those_of_a_fit_to_the_drawn_rows(rows: np.ndarray) -> None:
    shown = run("outliers", "faithful", "--sample", str(COUNT), "--seed", str(SEED), "--digits", "17")
    ranked = sorted(rows_of(shown), key=lambda row: int(row["row"]))
    assert f"rkde: note: fitted to {COUNT} of {len(rows)} rows (seed {SEED})\n" in shown.stderr
    part = drawn(len(rows), SEED)
    fitted = rkde.fit(rows[part])
    np.testing.assert_array_equal([float(row["log_density"]) for row in ranked], fitted.log_density(rows))
    weights = {place: row["weight"] for place, row in enumerate(ranked) if row["weight"]}
    assert list(weights) == part.tolist()
    np.testing.assert_array_equal([float(weight) for weight in weights.values()], fitted.weights)


def test_the_seed_is_0_unless_it_is_given_and_decides_the_rows() -> None:
    first = run("outliers", "faithful", "--sample", str(COUNT))
    assert "(seed 0)" in first.stderr
    assert succeeded(first) == succeeded(run("outliers", "faithful", "--sample", str(COUNT), "--seed", "0"))
    other = run("outliers", "faithful", "--sample", str(COUNT), "--seed", "1")
    assert succeeded(first) != succeeded(other)


def test_a_fit_reports_the_part_and_keeps_log_densities_of_all_rows(rows: np.ndarray, tmp_path: Path) -> None:
    model = tmp_path / "m.npz"
    arguments = ("fit", "faithful", "--sample", str(COUNT), "--top", str(len(rows)), "-o", model)
    report = object_of(run(*arguments, "--json"))
    assert (report["n"], report["sample"], report["seed"]) == (len(rows), COUNT, 0)
    shown = {item["row"] - 1 for item in report["most_outlying"] if item["weight"] is not None}
    assert sorted(shown) == drawn(len(rows), 0).tolist()
    assert f"{COUNT}, drawn with seed 0" in succeeded(run(*arguments))
    ranked = succeeded(run("outliers", model, "faithful"))
    here = succeeded(run("outliers", "faithful", "--sample", str(COUNT)))
    there, alone = ([line.split(",")[:6] for line in text.splitlines()] for text in (ranked, here))
    assert there == alone


def test_a_sample_as_large_as_the_table_is_the_table(rows: np.ndarray) -> None:
    for count in (len(rows), 10 * len(rows)):
        shown = run("outliers", "faithful", "--sample", str(count), "--seed", "3")
        assert succeeded(shown) == succeeded(run("outliers", "faithful"))
        note = f"fitted to all {len(rows)} rows, because --sample {count} asks for at least as many"
        assert note in shown.stderr


def test_a_picture_of_some_rows(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = run("plot", "faithful", "--sample", str(COUNT), "-o", tmp_path / "p.svg")
    succeeded(shown)
    assert f"fitted to {COUNT} of" in shown.stderr


def test_signs_name_the_rows_of_the_table(tmp_path: Path) -> None:
    """Some drawn rows are equal and far from the others: the sign counts as the table does, not the draw."""
    whole = np.random.default_rng(1).normal(size=(2 * COUNT, 2))
    part = drawn(len(whole), 0)
    copies = part[-12:]
    whole[copies] = -999.0
    path = write_table(tmp_path / "t.csv", "", whole.tolist())
    shown = run("outliers", path, "--sample", str(COUNT))
    succeeded(shown)
    assert "--drop-rows " + ",".join(spelled_rows([row + 1 for row in copies])) in shown.stderr


def test_weights_go_with_the_drawn_rows(tmp_path: Path) -> None:
    """The fit uses the weights of the drawn rows, the offset those of all rows, here and from the model."""
    whole = np.random.default_rng(2).normal(size=(2 * COUNT, 1))
    counts = np.arange(2 * COUNT) % 3 + 1
    rows = zip(whole[:, 0].tolist(), counts.tolist(), strict=True)
    path, model = write_table(tmp_path / "t.csv", "x,count", rows), tmp_path / "m.npz"
    options = ("--weights", "count", "--sample", str(COUNT))
    here = run("outliers", path, *options, "--digits", "17")
    ranked = sorted(rows_of(here), key=lambda row: int(row["row"]))
    part = drawn(len(whole), 0)
    fitted = rkde.fit(whole[part], sample_weight=counts[part])
    np.testing.assert_array_equal([float(row["log_density"]) for row in ranked], fitted.log_density(whole))
    succeeded(run("fit", path, *options, "-o", model))
    there = run("outliers", model, path, "--columns", "x")
    succeeded(there)
    assert there.stderr.splitlines()[-1] == here.stderr.splitlines()[-1]
