"""`rkde outliers`: the order, the labels, and what it refuses."""

import csv
from pathlib import Path

import numpy as np
import pytest

from rkde import RobustKernelDensity, datasets, fit
from rkde.fast import Huber, Rkde, explain, load_model, rkde, save_model
from rkde.proofs_checks import tolerances
from tests.cli.running import names_in, object_of, rows_of, run, run_program, succeeded, write_table

Row = dict[str, str]


def ranked(*arguments: str | Path, stdin: bytes | None = None) -> list[Row]:
    """Run the command and read its table."""
    return rows_of(run("outliers", *arguments, stdin=stdin))


def column(rows: list[Row], name: str) -> list[float]:
    return [float(row[name]) for row in rows]


@pytest.fixture(scope="module")
def plain() -> Rkde:
    """The fit of `faithful` by the paper's recipe."""
    return rkde(np.array(datasets.load("faithful").rows))


def labels_of(rows: list[Row]) -> dict[int, int]:
    return {int(row["row"]): int(row["label"]) for row in rows}


def test_rows_come_by_falling_score_and_each_once() -> None:
    rows = ranked("faithful")
    scores = column(rows, "outlier_score")
    assert scores == sorted(scores, reverse=True)
    assert [int(row["rank"]) for row in rows] == list(range(1, 273))
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 273))
    assert all(int(row["line"]) == int(row["row"]) + 1 for row in rows)
    assert column(rows, "log_density") == [-score for score in scores]


def test_scores_and_weights_are_those_of_the_fit(plain: Rkde) -> None:
    logs = plain.log_density(plain.X)
    for row in ranked("faithful", "--recipe", "paper", "--digits", "17"):
        place = int(row["row"]) - 1
        assert (float(row["log_density"]), float(row["weight"])) == (logs[place], plain.weights[place])


@pytest.mark.parametrize("contamination", ["0.02", "0.1", "0.5"])
def test_labels_are_those_of_scikit_learns_rule(contamination: str, plain: Rkde) -> None:
    logs = plain.log_density(plain.X)
    right = np.where(logs < np.quantile(logs, float(contamination), method="linear"), -1, 1).tolist()
    rows = ranked("faithful", "--recipe", "paper", "--contamination", contamination)
    assert labels_of(rows) == dict(enumerate(right, start=1))


def test_labels_agree_with_the_estimator() -> None:
    pytest.importorskip("sklearn", reason="needs the extra sklearn")
    X = np.array(datasets.load("faithful").rows)
    labels = RobustKernelDensity(contamination=0.05).fit(X).predict(X)
    rows = ranked("faithful", "--contamination", "0.05")
    assert labels_of(rows) == dict(enumerate(labels.tolist(), start=1))


def test_equal_scores_keep_their_order_and_a_tie_with_the_offset_is_normal() -> None:
    rows = ranked("-", "--bandwidth", "1", "--loss", "quadratic", stdin=b"0\n5\n5\n0\n5\n0\n")
    assert [int(row["row"]) for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {row["label"] for row in rows} == {"1"}


def test_a_model_gives_the_labels_of_its_own_rows(faithful_model: Path) -> None:
    alone = ranked("faithful", "--contamination", "0.03")
    under_the_model = ranked(faithful_model, "faithful", "--contamination", "0.03")
    for ours, theirs in zip(alone, under_the_model, strict=True):
        assert {name: value for name, value in ours.items() if name != "weight"} == theirs


def test_new_rows_are_judged_by_the_rows_of_the_fit(faithful_model: Path) -> None:
    """The share among the new rows is whatever it is: here all, and none."""
    far = ranked(faithful_model, "-", stdin=b"100,100\n200,-50\n")
    assert [row["label"] for row in far] == ["-1", "-1"]
    assert [row["row"] for row in far] == ["2", "1"]
    assert [row["label"] for row in ranked(faithful_model, "-", stdin=b"4.5,80\n")] == ["1"]


def test_a_row_beyond_float64_is_first_and_an_outlier(faithful_model: Path) -> None:
    rows = ranked(faithful_model, "-", stdin=b"4.5,80\n1e300,0\n")
    assert (rows[0]["row"], rows[0]["log_density"], rows[0]["label"]) == ("2", "-inf", "-1")


def test_an_offset_in_place_of_a_share(faithful_model: Path) -> None:
    rows = ranked(faithful_model, "faithful", "--offset", "-4")
    assert all((float(row["log_density"]) < -4) == (row["label"] == "-1") for row in rows)
    assert {row["label"] for row in rows} == {"-1", "1"}
    everything = ranked(faithful_model, "faithful", "--offset", "inf")
    assert {row["label"] for row in everything} == {"-1"}


def test_how_many_are_written() -> None:
    result = run("outliers", "faithful", "--contamination", "0.05", "--flagged")
    flagged = rows_of(result)
    assert {row["label"] for row in flagged} == {"-1"}
    assert f"rkde: note: {len(flagged)} of 272 rows are labelled -1" in result.stderr
    assert ranked("faithful", "--contamination", "0.05", "--flagged", "--top", "3") == flagged[:3]
    assert ranked("faithful", "--contamination", "0.05", "--top", "0") == []


def test_for_programs(faithful_model: Path) -> None:
    told = object_of(run("outliers", faithful_model, "faithful", "--top", "2", "--json"))
    rows = ranked(faithful_model, "faithful", "--digits", "17")
    assert (told["source"], told["model"], told["n"]) == ("dataset:faithful", str(faithful_model), 272)
    assert told["columns"] == ["eruptions", "waiting"]
    assert told["outliers"] == sum(row["label"] == "-1" for row in rows)
    assert [entry["row"] for entry in told["rows"]] == [int(row["row"]) for row in rows[:2]]
    assert told["rows"][0]["log_density"] == float(rows[0]["log_density"])
    assert told["rows"][0]["weight"] is None
    beyond = object_of(run("outliers", faithful_model, "-", "--json", stdin=b"1e300,0\n"))
    assert beyond["rows"][0]["log_density"] == "-inf"


def test_options_of_the_fit_are_heeded() -> None:
    rows = ranked("faithful", "--loss", "huber", "--bandwidth", "2", "--digits", "17")
    fitted = rkde(np.array(datasets.load("faithful").rows), loss=Huber, bandwidth=2)
    expected = dict(enumerate(fitted.weights.tolist(), start=1))
    assert {int(row["row"]): float(row["weight"]) for row in rows} == expected


def test_a_model_without_the_log_densities_of_its_rows(plain: Rkde, tmp_path: Path) -> None:
    """As the function writes it where nobody hands them over."""
    save_model(tmp_path / "m.npz", plain)
    assert len(ranked(tmp_path / "m.npz", "faithful", "--offset", "-5")) == 272


def test_to_a_file_and_from_a_pipe(tmp_path: Path) -> None:
    content = "".join(f"{x};{y}\n" for x, y in datasets.load("faithful").rows).replace(".", ",").encode()
    # Some scores differ in their last bit, which depends on the number of threads.
    alone = ("--threads", "1")
    told = ("--delimiter", ";", "--decimal", ",", "-o", "ranked.csv", *alone)
    done = run_program("outliers", "-", *told, stdin=content, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert names_in(tmp_path) == ["ranked.csv"]
    written = list(csv.DictReader((tmp_path / "ranked.csv").open(encoding="utf-8")))
    assert [row["row"] for row in written] == [row["row"] for row in ranked("faithful", *alone)]
    assert run("outliers", "faithful", "-o", "-").stdout == run("outliers", "faithful").stdout


def test_log_densities_in_the_model_are_those_of_all_rows(tmp_path: Path) -> None:
    from rkde.fast.io import read_model_file

    path = tmp_path / "paper.npz"
    succeeded(run("fit", "faithful", "--recipe", "paper", "-o", path))
    held = read_model_file(path)
    assert len(held.training_log_densities) == 272 > len(held.model.X)
    expected = load_model(path).log_density(np.array(datasets.load("faithful").rows))
    assert np.array_equal(held.training_log_densities, np.sort(expected))


def test_columns_stand_beside_the_scores(tmp_path: Path) -> None:
    values = np.random.default_rng(3).normal(size=(30, 2)).round(3)
    cells = [(f"S{k}", a, f'"x, {k}"', b) for k, (a, b) in enumerate(values.tolist())]
    table = write_table(tmp_path / "t.csv", "id,a,note,b", cells)
    for row in ranked(table, "--keep", "id,note", "--with-values"):
        place = int(row["row"]) - 1
        assert (row["id"], row["note"]) == (f"S{place}", f"x, {place}")
        assert [float(row["a"]), float(row["b"])] == values[place].tolist()
    # What is kept may be fitted, too, where both are asked for.
    assert "a" in ranked(table, "--keep", "a", "--columns", "a,b")[0]
    held = object_of(run("outliers", table, "--keep", "3,1", "--top", "2", "--json"))
    assert held["beside"]["id"] == [f"S{row['row'] - 1}" for row in held["rows"]]


def test_columns_of_one_name_stay_apart(tmp_path: Path) -> None:
    values = np.random.default_rng(5).normal(size=(30, 2)).round(3).tolist()
    cells = [(f"p{k}", a, f"q{k}") for k, (a, _) in enumerate(values)]
    table = write_table(tmp_path / "t.csv", "rank,a,rank", cells)
    rows = ranked(table, "--keep", "1,3", "--with-values")
    for row in rows:
        place = int(row["row"]) - 1
        assert (row["rank (2)"], row["rank (3)"]) == (f"p{place}", f"q{place}")
        assert float(row["a"]) == values[place][0]
    assert [row["rank"] for row in rows] == [str(k + 1) for k in range(30)]


def test_six_digits_or_as_many_as_are_asked_for() -> None:
    short, whole = ranked("faithful"), ranked("faithful", "--digits", "17")
    for one, other in zip(short, whole, strict=True):
        assert one["log_density"] == f"{float(other['log_density']):.6g}"
    assert any(one["log_density"] != other["log_density"] for one, other in zip(short, whole, strict=True))


@pytest.fixture
def twisted(tmp_path: Path) -> Path:
    """Two columns that go together but in one row, and a third one."""
    rng = np.random.default_rng(5)
    a = rng.normal(size=60)
    values = np.column_stack([a, 10 * a + rng.normal(size=60), rng.normal(size=60)]).round(4)
    values[7, 2] = 9.0
    return write_table(tmp_path / "twisted.csv", "age,income,height", values.tolist())


def test_rows_are_explained_without_themselves(twisted: Path) -> None:
    values = np.loadtxt(twisted, delimiter=",", skiprows=1)
    found = explain(fit(values), rows=range(60))
    names = ("age", "income", "height")
    rows = ranked(twisted, "--explain", "--digits", "17", "--with-values")
    assert list(rows[0])[5:] == ["label", "weight", "column", "surprise", *names]
    for row in rows:
        place = int(row["row"]) - 1
        first = found.order[place, 0]
        assert (row["column"], float(row["surprise"])) == (names[first], found.surprise[place, first])
    assert (rows[0]["row"], rows[0]["column"]) == ("8", "height")


def test_new_rows_are_explained_under_a_model(twisted: Path, tmp_path: Path) -> None:
    model = tmp_path / "twisted.npz"
    succeeded(run("fit", twisted, "-o", model))
    points = [[0, 0, 0], [0, 1, -7], [1.5, -15, 0]]
    new = write_table(tmp_path / "new.csv", "age,income,height", points)
    found = explain(load_model(model), points)
    held = object_of(run("outliers", model, new, "--explain", "--json", "--flagged"))
    told = {row["row"]: (row["column"], row["surprise"]) for row in held["rows"]}
    assert told.keys() == {2, 3}
    for row, (name, surprise) in told.items():
        first = found.order[row - 1, 0]
        assert (name, surprise) == (("age", "income", "height")[first], found.surprise[row - 1, first])
    assert told[2][0] == "height"
    plain = object_of(run("outliers", model, new, "--json"))
    assert "surprise" not in plain["rows"][0]
    assert ranked(model, new, "--explain", "--top", "0") == []


def test_columns_without_names_are_explained_by_their_positions() -> None:
    stdin = b"".join(b"%d,%d\n" % (k, 2 * k) for k in range(20)) + b"3,300\n"
    row = ranked("-", "--explain", "--top", "1", stdin=stdin)[0]
    assert (row["row"], row["column"]) == ("21", "column 2")


def test_auto_labels_what_stands_out_on_a_table_and_by_its_model(tmp_path: Path) -> None:
    rows = np.random.default_rng(11).normal(size=(200, 2))
    rows[:5] += [[9, 9], [-8, 9], [10, -10], [0, 14], [15, 0]]
    table, model = write_table(tmp_path / "t.csv", "a,b", rows.tolist()), tmp_path / "m.npz"
    options = ("--contamination", "auto", "--digits", "17")
    here = ranked(table, *options)
    flagged = {int(row["row"]) for row in here if row["label"] == "-1"}
    assert {1, 2, 3, 4, 5} <= flagged
    assert len(flagged) <= 7
    estimator = RobustKernelDensity(contamination="auto").fit(rows)
    chances = estimator.tail_probabilities()
    for row in here:
        assert float(row["tail_probability"]) == pytest.approx(
            chances[int(row["row"]) - 1], rel=tolerances.contracting_path_bound()
        )
    labels = estimator.predict(rows)
    assert flagged == {place + 1 for place in np.flatnonzero(labels == -1)}
    succeeded(run("fit", table, "-o", model))
    under = ranked(model, table, *options)
    assert {int(row["row"]) for row in under if row["label"] == "-1"} == flagged
    held = object_of(run("outliers", table, "--contamination", "auto", "--json", "--top", "1"))
    assert held["rows"][0]["tail_probability"] < 1e-9
    assert "tail_probability" not in object_of(run("outliers", table, "--json"))["rows"][0]


def test_copied_columns_stand_apart_from_the_explanation(twisted: Path) -> None:
    twisted.write_text(twisted.read_text().replace("age,income", "column,surprise"))
    explained = ranked(twisted, "--explain", "--with-values", "--top", "1")[0]
    assert list(explained)[-5:] == ["column", "surprise", "column (2)", "surprise (2)", "height"]
    assert list(ranked(twisted, "--with-values", "--top", "1")[0])[-3:] == ["column", "surprise", "height"]
