"""`rkde fit`: what it reports, where tables come from, and what it leaves behind."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rkde import datasets
from rkde.cli.failures import EXIT_NO_ANSWER
from rkde.fast import Huber, Student, load_model, rkde
from tests.cli.running import assert_refused, names_in, object_of, run, run_program, succeeded, write_table

SEED = 2012
N_CLEAN = 200
PLANTED = [(20.0, -30.0), (24.0, -31.0), (28.0, -32.0), (32.0, -33.0), (36.0, -34.0)]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tmp_path / "model.npz"


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A semicolon table with a header, a text column, and outliers on known lines in its midst."""
    rng = np.random.default_rng(SEED)
    rows = [(x, y) for x, y in rng.normal((0, 5), (1, 2), (N_CLEAN, 2)).tolist()]
    for place, outlier in zip((10, 50, 90, 130, 170), PLANTED, strict=True):
        rows.insert(place, outlier)
    cells = [[f"{x};plant {i};{y}"] for i, (x, y) in enumerate(rows)]
    return write_table(tmp_path / "planted.csv", "width;label;height", cells)


def report(*arguments: str | Path, stdin: bytes | None = None) -> dict[str, Any]:
    """Fit with --json and return the object that was printed."""
    return object_of(run("fit", *arguments, "--json", stdin=stdin))


@pytest.mark.parametrize(("name", "shape"), [("iris", (150, 4)), ("faithful", (272, 2))])
def test_shipped_tables_by_name(name: str, shape: tuple[int, int], model: Path) -> None:
    shown = report(name, "--recipe", "paper", "-o", model)
    fitted = rkde(np.array(datasets.load(name).rows))
    assert (shown["n"], shown["d"]) == shape
    assert (shown["source"], shown["model"]) == (f"dataset:{name}", str(model))
    assert shown["columns"] == list(datasets.DATASETS[name].measurements)
    assert (shown["bandwidth"], shown["bandwidth_rule"]) == (fitted.bandwidth, "median_nn")
    assert shown["thresholds"] == dict(zip("abc", fitted.thresholds, strict=True))
    assert (shown["recipe"], shown["start"], shown["quantile_rule"]) == ("paper", "median", "linear")
    assert shown["quantiles"] == [0.5, 0.75, 0.85]
    assert (shown["iterations"], shown["status"]) == (fitted.n_iter, "converged")
    for field in ("objective", "effective_sample_size", "zero_weight_share"):
        assert shown[field] == getattr(fitted, field)


def test_the_report_for_people(model: Path) -> None:
    result = run("fit", "iris", "--recipe", "paper", "-o", model)
    page = succeeded(result)
    labels = ("rows (n), columns (d)", "150, 4", "bandwidth", "(median_nn)", "a = ", "b = ", "c = ")
    labels += ("iterations", "converged", "objective J", "tau^2", "effective sample size")
    for label in (*labels, "share of zero weights", "Most outlying rows", f"Model written to {model}"):
        assert label in page
    told = result.stderr.splitlines()
    assert told[0].startswith("rkde: warning: 77% of the rows have weight 0; look at rows ")
    assert "use --loss huber, which gives each row some weight" in told[0]
    assert "with 65% of the rows, has no weight; look at rows 5" in told[1]
    assert len(told) == 2


def test_nothing_is_said_where_nothing_is_amiss(model: Path) -> None:
    result = run("fit", "faithful", "-o", model)
    succeeded(result)
    assert result.stderr == ""


def test_quantiles_and_start_are_passed_on(model: Path) -> None:
    succeeded(run("fit", "iris", "--quantiles", ".5", ".9", ".95", "--start", "uniform", "-o", model))
    fitted = load_model(model)
    assert fitted.quantiles == (0.5, 0.9, 0.95)
    assert (fitted.start, fitted.recipe) == ("uniform", "custom")


@pytest.mark.parametrize("spelled", [("--quantiles", "0.5,0.9,.95"), ("--quantiles=0.5, 0.9, 0.95",)])
def test_quantiles_may_have_commas_between(spelled: tuple[str, ...], model: Path) -> None:
    succeeded(run("fit", "iris", *spelled, "-o", model))
    assert load_model(model).quantiles == (0.5, 0.9, 0.95)


def test_most_outlying_rows_say_row_line_score_and_weight(model: Path) -> None:
    shown = report("iris", "--recipe", "paper", "-o", model, "--top", "3")["most_outlying"]
    table = datasets.load("iris")
    fitted = rkde(np.array(table.rows))
    scores = -fitted.log_density(np.array(table.rows))
    order = np.argsort(-scores, kind="stable")[:3]
    assert [item["row"] for item in shown] == [int(i) + 1 for i in order]
    assert [item["line"] for item in shown] == [int(i) + 2 for i in order]
    assert [item["outlier_score"] for item in shown] == [float(scores[i]) for i in order]
    assert [item["weight"] for item in shown] == [float(fitted.weights[i]) for i in order]


@pytest.mark.parametrize(("top", "count"), [("0", 0), ("1", 1), ("1000", 150)])
def test_how_many_outlying_rows(top: str, count: int, model: Path) -> None:
    assert len(report("iris", "-o", model, "--top", top)["most_outlying"]) == count
    page = succeeded(run("fit", "iris", "-o", model, "--top", top))
    assert ("Most outlying rows" in page) is (count > 0)


def test_planted_outliers_come_out_on_top(planted: Path, model: Path) -> None:
    shown = report(planted, "--delimiter", ";", "--columns", "width,height", "-o", model)
    assert sorted(item["row"] for item in shown["most_outlying"]) == [11, 51, 91, 131, 171]
    assert sorted(item["line"] for item in shown["most_outlying"]) == [12, 52, 92, 132, 172]
    assert all(item["weight"] == 0 for item in shown["most_outlying"])
    assert shown["columns"] == ["width", "height"]


def test_the_header_decision_is_told(planted: Path, model: Path) -> None:
    result = run("fit", planted, "--delimiter", ";", "--columns", "1,3", "-o", model)
    note = f"rkde: note: {planted}: line 1 is the header (--header no would read it as data)\n"
    assert (result.exit_code, result.stderr) == (0, note)
    common = ("fit", "-", "--bandwidth", "1", "-o", model)
    plain = run(*common, stdin=b"0\n1\n3\n7\n")
    assert "standard input: there is no header and line 1 is data" in plain.stderr
    assert "no header" not in run(*common, "--header", "no", stdin=b"0\n1\n3\n7\n").stderr


def test_an_existing_path_beats_a_shipped_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("iris").write_text("0\n1\n3\n7\n12\n", encoding="utf-8")
    assert report("iris", "-o", "m.npz")["n"] == 5
    assert report("dataset:iris", "-o", "m.npz")["n"] == 150
    Path("dataset:iris").write_text("0\n1\n3\n7\n12\n", encoding="utf-8")
    assert report("dataset:iris", "-o", "m.npz")["n"] == 150


@pytest.mark.parametrize("columns", ["sepal_length,petal_length", "1,3"])
def test_columns_of_a_shipped_table(columns: str, model: Path) -> None:
    shown = report("iris", "--columns", columns, "-o", model)
    assert shown["columns"] == ["sepal_length", "petal_length"]
    assert load_model(model).X.shape[1] == 2


def test_options_reach_the_recipe(model: Path) -> None:
    shown = report(
        *("iris", "-o", model, "--kernel", "student", "--dof", "3", "--loss", "huber"),
        *("--bandwidth", "0.5", "--quantile-rule", "hazen", "--tol", "1e-4", "--max-iter", "50"),
    )
    fitted = load_model(model)
    assert fitted.kernel == Student(0.5, 3)
    assert isinstance(fitted.loss, Huber)
    assert (shown["kernel"], shown["dof"], shown["loss"]) == ("student", 3, "huber")
    assert list(shown["thresholds"]) == ["a"]
    assert (shown["bandwidth"], shown["bandwidth_rule"]) == (0.5, None)
    assert (shown["recipe"], shown["quantile_rule"]) == ("custom", "hazen")


@pytest.mark.parametrize(
    ("kernel", "loss", "thresholds", "rule"),
    [
        (("gaussian",), "hampel", 3, "median_nn_distinct"),
        (("gaussian",), "huber", 1, "scott"),
        (("laplacian",), "absolute", 0, "silverman"),
        (("laplacian",), "hampel", 3, "median_nn"),
        (("student", "--dof", "2.5"), "quadratic", 0, "lscv"),
        (("student", "--dof", "2.5"), "huber", 1, "lkcv"),
    ],
)
def test_every_kernel_loss_and_rule(
    kernel: tuple[str, ...], loss: str, thresholds: int, rule: str, model: Path
) -> None:
    arguments = ("faithful", "-o", model, "--kernel", *kernel, "--loss", loss, "--bandwidth", rule)
    page = succeeded(run("fit", *arguments))
    assert kernel[0] in page
    assert loss in page
    shown = report(*arguments)
    assert (len(shown["thresholds"]), shown["bandwidth_rule"]) == (thresholds, rule)
    assert shown["bandwidth"] > 0


def test_memory_and_threads_are_limited(model: Path) -> None:
    refused = run("fit", "faithful", "-o", model, "--memory-limit", "1kB")
    assert_refused(refused, ("272 rows", "the limit is 1 kB", "give a larger --memory-limit"), EXIT_NO_ANSWER)
    assert not model.exists()
    narrow = report("faithful", "-o", model, "--memory-limit", "64MB", "--threads", "1")
    assert narrow["bandwidth"] == report("faithful", "-o", model)["bandwidth"]


def test_the_authors_program(model: Path) -> None:
    shown = report("iris", "--recipe", "authors-program", "-o", model)
    assert (shown["recipe"], shown["start"], shown["quantiles"]) == ("authors-program", "uniform", [])


def test_a_table_from_a_real_pipe(model: Path) -> None:
    content = "".join(f"{x},{y}\n" for x, y in datasets.load("faithful").rows).encode()
    done = run_program("fit", "-", "-o", model, "--json", stdin=content)
    assert done.returncode == 0
    assert json.loads(done.stdout)["source"] == "standard input"
    assert json.loads(done.stdout)["bandwidth"] == report("faithful", "-o", model)["bandwidth"]


def test_the_cap_is_a_warning_and_a_status(model: Path) -> None:
    result = run("fit", "iris", "--max-iter", "1", "--tol", "1e-15", "-o", model)
    assert "max_iter" in succeeded(result)
    assert result.stderr == "rkde: warning: KIRWLS did not converge within --max-iter 1; raise it\n"
    assert model.exists()


def test_a_single_location_has_an_answer_with_a_bandwidth(model: Path) -> None:
    shown = report("-", "--bandwidth", "1", "-o", model, stdin=b"3\n3\n3\n")
    assert shown["status"] == "single_location"
    assert shown["objective"] == 0


def test_a_collapsed_cluster_is_a_warning(model: Path) -> None:
    # One of the six is nearest to their mean: of two the rounding would choose.
    cluster = [9.0, 9.01, 9.02, 9.021, 9.03, 9.04]
    content = "".join(f"{value}\n" for value in [*np.linspace(0, 1, 40), *cluster])
    options = ("--header", "no", "--bandwidth", "0.5", "--recipe", "paper")
    result = run("fit", "-", *options, "-o", model, stdin=content)
    succeeded(result)
    assert result.stderr.startswith("rkde: warning: ")
    assert "a cluster around (9.02), with 13% of the rows, has no weight" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_failed_fit_leaves_the_older_model(model: Path) -> None:
    model.write_bytes(b"old")
    assert_refused(run("fit", "-", "-o", model, stdin=b"a,b\n1,2\n3,x\n"), ("line 3",))
    assert model.read_bytes() == b"old"
    assert names_in(model.parent) == [model.name]


def test_the_same_fit_prints_the_same(tmp_path: Path) -> None:
    """Two runs differ in nothing, so that a report can be compared."""
    first = report("iris", "-o", tmp_path / "m.npz")
    assert report("iris", "-o", tmp_path / "m.npz") == first
