"""`--scale` and the recipe `practical` at the command line."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import rkde
from tests.cli.running import assert_refused, object_of, rows_of, run, succeeded


def filler() -> str:
    """Sixty good rows, and four with -999 in both columns."""
    first = [20 + (7 * i % 11 - 5) * 0.6 + 3 * i % 5 * 0.11 for i in range(60)]
    second = [50 + (5 * i % 13 - 6) * 1.3 + 2 * i % 7 * 0.13 for i in range(60)]
    good = [f"{x:.2f},{y:.2f}" for x, y in zip(first, second, strict=True)]
    return "\n".join(["temp,press", *good, *["-999,-999"] * 4]) + "\n"


def slipped() -> str:
    """Heights and salaries, and one height with a decimal point slipped."""
    first = [1.7 + (7 * i % 11 - 5) * 0.02 for i in range(60)]
    second = [40000 + (5 * i % 13 - 6) * 2100 + 3 * i % 7 * 130 for i in range(60)]
    good = [f"{x},{y}" for x, y in zip(first, second, strict=True)]
    return "\n".join(["height_m,salary", *good, "17.2,41000"]) + "\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "slipped.csv"
    path.write_text(slipped(), encoding="utf-8")
    return path


def numbers(text: str) -> np.ndarray:
    return np.array([[float(cell) for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]])


@pytest.mark.parametrize(
    ("content", "bad"), [(filler(), [61, 62, 63, 64]), (slipped(), [61])], ids=["fillers", "slipped"]
)
def test_the_defaults_find_the_bad_rows(content: str, bad: list[int], tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(content, encoding="utf-8")
    shown = rows_of(run("outliers", path, "--top", len(bad)))
    assert sorted(int(row["row"]) for row in shown) == bad


@pytest.mark.parametrize("scale", ["robust", "robust-covariance", "none", "0.02,2000"])
def test_a_scale_is_that_of_python_and_is_kept_in_the_model(scale: str, data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.npz"
    report = object_of(run("fit", data, "--scale", scale, "-o", model, "--json"))
    rows = numbers(slipped())
    given = [0.02, 2000.0] if "," in scale else scale
    fitted = rkde.fit(rows, scale=given)
    expected = () if fitted.scaling is None else fitted.scaling.sides.tolist()
    assert report["scales"] == list(expected)
    assert report["scaling"] == (None if fitted.scaling is None else fitted.scaling.name)
    scores = numbers(succeeded(run("score", model, data)))
    np.testing.assert_array_equal(scores[:, 0], fitted.log_density(rows))
    drawn = numbers(succeeded(run("sample", model, "-n", "4", "--seed", "1")))
    np.testing.assert_array_equal(drawn, fitted.sample(4, 1))


def test_pictures_and_influence_are_in_units_of_the_data(data: Path, tmp_path: Path) -> None:
    model, path = tmp_path / "m.npz", tmp_path / "p.svg"
    succeeded(run("plot", data, "-o", path))
    assert "<!-- height_m -->" in path.read_text("utf-8")
    # A tick of the salaries, which scaled columns do not have.
    assert "<!-- 40000 -->" in path.read_text("utf-8")
    succeeded(run("fit", data, "-o", model))
    succeeded(run("plot", model, "--columns", "salary", "-o", path))
    assert "<!-- 40000 -->" in path.read_text("utf-8")
    line = succeeded(run("influence", model, "--at", "1.7,40000")).splitlines()[1]
    assert float(line.rsplit(",", 4)[1]) > 0


def test_a_scale_that_mixes_columns_has_no_picture(data: Path, tmp_path: Path) -> None:
    refused = run("plot", data, "--header", "yes", "--scale", "robust-covariance", "-o", tmp_path / "p.svg")
    assert_refused(refused, ("for a picture", "scale robust"))
    # The remedy works.
    succeeded(run("plot", data, "--scale", "robust", "-o", tmp_path / "p.svg"))
