"""`rkde sample`: the rows it draws, their header, and the seed."""

import csv
import io
import re
from pathlib import Path

import numpy as np

from rkde.fast import Student, load_model, rkde, save_model
from tests.cli.running import names_in, run, run_program, succeeded

N = 50


def test_the_rows_are_those_of_the_model_with_that_seed(faithful_model: Path) -> None:
    lines = succeeded(run("sample", faithful_model, "-n", str(N), "--seed", "7")).splitlines()
    assert lines[0] == "eruptions,waiting"
    rows = [[float(cell) for cell in line.split(",")] for line in lines[1:]]
    assert np.array_equal(rows, load_model(faithful_model).sample(N, 7))


def test_a_seed_draws_the_same_and_another_does_not(faithful_model: Path) -> None:
    first, again, other = (succeeded(run("sample", faithful_model, "-n", "5", "--seed", s)) for s in "112")
    assert first == again != other


def test_a_seed_that_nobody_gave_is_told(faithful_model: Path) -> None:
    result = run("sample", faithful_model, "-n", "3")
    drawn = succeeded(result)
    told = re.fullmatch(r"rkde: note: drawn with --seed (\d+)\n", result.stderr)
    repeated = run("sample", faithful_model, "-n", "3", "--seed", told[1])
    assert (repeated.stdout, repeated.stderr) == (drawn, "")


def test_names_are_quoted_where_they_must_be(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    save_model(path, rkde([[0.0, 1], [1, 0], [2, 2], [4, 1]], bandwidth=1.0), columns=("a, b", 'say "c"'))
    text = succeeded(run("sample", path, "-n", "2", "--seed", "0"))
    assert next(csv.reader(io.StringIO(text))) == ["a, b", 'say "c"']
    assert succeeded(run("score", path, "-", stdin=text.encode())).count("\n") == 3


def test_without_names_there_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    save_model(path, rkde([[0.0], [1], [2], [5]], bandwidth=1.0))
    lines = succeeded(run("sample", path, "-n", "2", "--seed", "0")).splitlines()
    assert len([float(line) for line in lines]) == 2


def test_drawn_rows_can_be_scored_in_a_pipe(faithful_model: Path) -> None:
    drawn = run_program("sample", faithful_model, "-n", str(N), "--seed", "3")
    assert (drawn.returncode, drawn.stderr) == (0, b"")
    scored = succeeded(run("score", faithful_model, "-", stdin=drawn.stdout)).splitlines()
    assert len(scored) == N + 1


def test_to_a_file(faithful_model: Path, tmp_path: Path) -> None:
    command, output = ("sample", faithful_model, "-n", "4", "--seed", "1", "-o"), tmp_path / "drawn.csv"
    assert succeeded(run(*command, output)) == ""
    assert output.read_text("utf-8") == succeeded(run(*command, "-"))
    assert names_in(tmp_path) == ["drawn.csv"]


def test_draws_beyond_float64_are_told(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    save_model(path, rkde([[0.0], [1], [2], [5]], kernel=lambda h: Student(h, 1e-3), bandwidth=1.0))
    result = run("sample", path, "-n", "100", "--seed", "1")
    infinite = sum(not np.isfinite(float(line)) for line in succeeded(result).splitlines())
    assert infinite > 0
    assert result.stderr.startswith(f"rkde: warning: {infinite} rows exceed the range of float64")
