"""`rkde score`: the table it writes, and what it refuses."""

from pathlib import Path

import numpy as np
import pytest

from rkde import datasets
from rkde.fast import load_model
from tests.cli.running import assert_refused, fitted, run, run_program, succeeded


@pytest.fixture(scope="module")
def line_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one column: six numbers, bandwidth 1."""
    return fitted(tmp_path_factory, "-", "--bandwidth", "1", stdin=b"-2\n-1\n0\n0.5\n1.5\n6\n")


def scores(text: str) -> list[tuple[float, float]]:
    """Read the output back."""
    lines = text.splitlines()
    assert lines[0] == "log_density,outlier_score"
    return [(float(first), float(second)) for first, second in (line.split(",") for line in lines[1:])]


def test_every_bit_of_the_log_density_is_written_to_a_file_too(iris_model: Path, tmp_path: Path) -> None:
    printed, output = succeeded(run("score", iris_model, "iris")), tmp_path / "scores.csv"
    expected = load_model(iris_model).log_density(np.array(datasets.load("iris").rows)).tolist()
    assert scores(printed) == [(value, -value) for value in expected]
    assert succeeded(run("score", iris_model, "iris", "-o", output)) == ""
    assert output.read_text(encoding="utf-8") == printed


def test_only_data_on_standard_output(line_model: Path) -> None:
    done = run_program("score", line_model, "-", stdin=b"x\n0\n1\n")
    assert done.returncode == 0
    assert len(scores(done.stdout.decode())) == 2
    told = b"rkde: note: standard input: line 1 is the header (--header no would read it as data)\n"
    assert done.stderr == told


def test_too_far_for_any_float_is_infinite(line_model: Path) -> None:
    text = succeeded(run("score", line_model, "-", stdin=b"1e300\n0\n"))
    assert text.splitlines()[1] == "-inf,inf"
    assert all(np.isfinite(scores(text)[1]))


def test_a_log_density_of_zero_has_the_score_zero(line_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.fast.Rkde.log_density", lambda *_, **__: np.zeros(1))
    assert succeeded(run("score", line_model, "-", stdin=b"0\n")).splitlines()[1] == "0,0"


def test_scoring_other_rows_and_columns(iris_model: Path, tmp_path: Path) -> None:
    """Columns are taken in the order asked for, wherever they stand in the table."""
    table = tmp_path / "t.csv"
    table.write_text("label,d,c,b,a\nx,0.2,1.4,3.5,5.1\ny,1.8,5.1,3.0,5.9\n", encoding="utf-8")
    chosen = succeeded(run("score", iris_model, table, "--columns", "a,b,c,d"))
    whole = succeeded(run("score", iris_model, "iris")).splitlines()
    assert chosen.splitlines()[1] == whole[1]
    assert chosen.splitlines()[2] == whole[150]


def flipped(content: bytes) -> bytes:
    """Change one bit in the middle."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda content: content[: len(content) // 2], flipped, lambda _: b"", lambda _: b"a,b\n1,2\n"],
    ids=["cut off", "one bit", "empty", "a table"],
)
def test_a_damaged_model(damage: object, iris_model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.npz"
    broken.write_bytes(damage(iris_model.read_bytes()))
    assert_refused(run("score", broken, "iris"), (str(broken),))


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    model = tmp_path / "model.npz"
    table = b"height,width\n" + b"".join(b"%d,%d\n" % (k, k * k) for k in range(8))
    succeeded(run("fit", "-", "-o", model, stdin=table))
    expected = scores(succeeded(run("score", model, "-", stdin=b"height,width\n1,2\n")))
    reordered = scores(succeeded(run("score", model, "-", stdin=b"width,note,height\n2,7,1\n")))
    assert reordered == expected
    assert scores(succeeded(run("score", model, "-", stdin=b"1,2\n"))) == expected
    refused = run("score", model, "-", stdin=b"width,depth\n2,1\n")
    assert_refused(refused, ("line 1", "height", "width"))
