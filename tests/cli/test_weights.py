"""`--weights COLUMN`: what each row counts, the same as the row repeated, in a model file too."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rkde
from rkde.fast.influence import estimate_influence
from rkde.fast.io import read_model_file
from rkde.proofs_checks import tolerances
from tests.cli.running import object_of, rows_of, run, succeeded, write_table

NEAR = tolerances.contracting_path_bound()
SEED = 20_261_129
# X = 0, 1, 3 with weights 2k, k, k, bandwidth 1, Huber: every whole k has the same weights.
TWICE = (0.64902625, 0.22723335, 0.12374040)


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """Write a table with a column of counts, and one that repeats its rows."""
    rng = np.random.default_rng(SEED)
    rows = [*rng.normal(size=79).tolist(), 6.0]
    counts = rng.integers(0, 6, len(rows)).tolist()
    weighted = write_table(tmp_path / "weighted.csv", "count,x", zip(counts, rows, strict=True))
    repeated = write_table(tmp_path / "repeated.csv", "x", [[x] for x in np.repeat(rows, counts).tolist()])
    return weighted, repeated


def fitted(table: Path, *options: str) -> Path:
    """Fit a table and return the model file."""
    model = table.with_suffix(".npz")
    succeeded(run("fit", table, "-o", model, *options))
    return model


@pytest.mark.parametrize(
    "options", [(), ("--recipe", "paper", "--bandwidth", "scott"), ("--loss", "huber", "--bandwidth", "0.7")]
)
def test_a_count_is_a_repeated_row_for_influence_scores_and_labels(
    tables: tuple[Path, Path], options: tuple[str, ...]
) -> None:
    models = fitted(tables[0], "--weights", "count", *options), fitted(tables[1], *options)
    at = ("--at", "0.3", "--at", "1.1", "--json")
    ours, theirs = (object_of(run("influence", model, *at)) for model in models)
    for field in ("if_coef_new", "if_at_new", "if_l2_norm"):
        assert ours[field] == pytest.approx(theirs[field], rel=NEAR)
    offsets = [object_of(run("outliers", model, tables[1], "--json"))["offset"] for model in models]
    assert offsets[0] == pytest.approx(offsets[1], rel=NEAR)
    direct = object_of(run("outliers", tables[0], "--weights", "count", "--json", *options))
    assert direct["offset"] == pytest.approx(offsets[1], rel=NEAR)
    assert direct["columns"] == ["x"]


def test_a_model_file_holds_what_each_row_counts(tables: tuple[Path, Path]) -> None:
    held = read_model_file(fitted(tables[0], "--weights", "count"))
    cells = list(csv.DictReader(tables[0].open()))
    counts = np.array([float(row["count"]) for row in cells])
    rows = np.array([[float(row["x"])] for row in cells])
    model = rkde.fit(rows, sample_weight=counts)
    kept = model.weights > 0
    assert (held.model.sample_weight == counts[kept]).all()
    assert held.training_weights.sum() == counts.sum()
    from_file = estimate_influence(held.model, [[0.3]]).if_coef[:, :] / (1 - model.zero_weight_share) ** -1
    in_memory = estimate_influence(model, [[0.3]]).if_coef[:, kept]
    assert from_file == pytest.approx(in_memory, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("k", [1, 1000, 10**7])
def test_counts_of_any_size_give_the_same_at_once(tmp_path: Path, k: int) -> None:
    table = write_table(tmp_path / "counted.csv", "x,n", [(0, 2 * k), (1, k), (3, k)])
    options = ("--loss", "huber", "--recipe", "paper", "--bandwidth", "1", "--weights", "n", "--digits", "17")
    weights = {int(row["row"]): float(row["weight"]) for row in rows_of(run("outliers", table, *options))}
    assert [weights[i] for i in (1, 2, 3)] == pytest.approx(TWICE, abs=tolerances.printed_digits(8))


def test_relative_weights_have_no_scale(tmp_path: Path) -> None:
    answers = []
    for scale in (1e-6, 1.0, 1e6):
        # No scale makes whole numbers of them: these would be counts.
        masses = [mass * scale for mass in (1 / 2, 1 / 3, 10 / 7, 2 / 3, 3 / 11)]
        cells = zip((0.0, 0.4, 1.1, 2.5, 7.0), masses, strict=True)
        table = write_table(tmp_path / "relative.csv", "x,mass", cells)
        found = object_of(run("outliers", table, "--weights", "2", "--json"))
        answers.append([found["offset"], *(row["log_density"] for row in found["rows"])])
    assert answers[0] == pytest.approx(answers[1], rel=NEAR)
    assert answers[2] == pytest.approx(answers[1], rel=NEAR)


def test_the_summary_counts_rows_and_copies() -> None:
    shown = str(rkde.fit([[0.0], [1.0], [2.0], [4.0]], sample_weight=[2, 1, 3, 1], bandwidth=1.0))
    assert "of 7 rows (copies counted)" in shown
    shown = str(rkde.fit([[0.0], [1.0], [2.0], [4.0]], sample_weight=[0.5, 1, 3, 1], bandwidth=1.0))
    assert "(by sample weight)" in shown


def test_a_drawn_part_keeps_its_counts_and_its_explanations(tables: tuple[Path, Path]) -> None:
    options = ("--weights", "count", "--sample", "40", "--explain", "--digits", "17")
    found = {int(row["row"]) - 1: row for row in rows_of(run("outliers", tables[0], *options))}
    drawn = sorted(np.random.default_rng(0).choice(80, 40, replace=False).tolist())
    assert [row for row in sorted(found) if found[row]["weight"]] == drawn
    cells = list(csv.DictReader(tables[0].open()))
    rows = np.array([[float(row["x"])] for row in cells])
    model = rkde.fit(rows[drawn], sample_weight=[float(cells[row]["count"]) for row in drawn])
    assert [float(found[row]["weight"]) for row in drawn] == model.weights.tolist()
    own = rkde.explain(model, rows=range(40)).surprise[:, 0]
    assert [float(found[row]["surprise"]) for row in drawn] == pytest.approx(own, rel=NEAR)


@pytest.mark.parametrize("name", ["count", "Weight", "freq", "n"])
def test_a_column_that_looks_like_counts_is_told_and_the_remedy_takes_it(tmp_path: Path, name: str) -> None:
    rows = [(k * k % 7, k, 1 + k % 4) for k in range(20)]
    table, model = write_table(tmp_path / "t.csv", f"x,y,{name}", rows), tmp_path / "m.npz"
    hint = f"column {name!r} is read as data; if it says how often each row counts, use --weights {name}"
    commands = (("outliers", table), ("fit", table, "-o", model), ("plot", table, "-o", tmp_path / "p.svg"))
    for command in commands:
        assert hint in run(*command).stderr
        for option in (("--weights", name), ("--columns", f"x,{name}")):
            assert "--weights" not in run(*command, *option).stderr
    counted = object_of(run("outliers", table, "--weights", name, "--json"))
    assert counted["columns"] == ["x", "y"]


@pytest.mark.parametrize(
    ("name", "value"), [("count", "1.5"), ("count", "0"), ("weight", "-3"), ("height", "3")]
)
def test_other_columns_are_no_counts(tmp_path: Path, name: str, value: str) -> None:
    rows = [*((k * k % 7, 1 + k % 4) for k in range(20)), (4, value)]
    table = write_table(tmp_path / "t.csv", f"x,{name}", rows)
    assert "--weights" not in run("outliers", table).stderr
