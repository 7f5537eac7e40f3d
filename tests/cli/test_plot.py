"""`rkde plot`: which picture comes, in which file, and what it refuses."""

from pathlib import Path

import pytest

from rkde.cli.failures import EXIT_BAD_INPUT
from tests.cli.running import assert_refused, fitted, names_in, run, succeeded
from tests.support.selection import one_in

SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}


@pytest.fixture(autouse=True)
def _matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")


@pytest.fixture(scope="module")
def iris_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fitted(tmp_path_factory, "iris", "--bandwidth", "0.5", "--loss", "huber")


@pytest.mark.parametrize("ending", sorted(SIGNATURES))
def test_the_ending_chooses_the_format_and_equal_pictures_are_equal_files(
    ending: str, iris_model: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / f"a.{ending}", tmp_path / f"b.{ending.upper()}"
    for path in (first, second):
        assert succeeded(run("plot", iris_model, "--columns", "petal_length", "-o", path)) == ""
    assert first.read_bytes().startswith(SIGNATURES[ending])
    assert first.read_bytes() == second.read_bytes()
    assert names_in(tmp_path) == [f"a.{ending}", f"b.{ending.upper()}"]


@pytest.mark.parametrize("kind", ["density", "loss", "path"])
@pytest.mark.parametrize("source", ["table", "model"])
def test_every_kind_of_picture(kind: str, source: str, iris_model: Path) -> None:
    given = (iris_model,) if source == "model" else ("iris", "--bandwidth", "0.5", "--loss", "huber")
    result = run("plot", *given, "--columns", "1,3", "--kind", kind, "-o", "-")
    assert result.exit_code == 0, result.output
    assert result.stdout_bytes.startswith(SIGNATURES["png"])


def test_the_axes_are_named_with_their_units(iris_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.svg"
    succeeded(run("plot", iris_model, "--columns", "4,1", "--units", "cm, mm", "-o", path))
    for text in ("<!-- petal_width [cm] -->", "<!-- sepal_length [mm] -->", "marginal of 4 columns"):
        assert text in path.read_text("utf-8")
    succeeded(run("plot", "-", "--bandwidth", "1", "--units", "s", "-o", path, stdin=b"1\n2\n2.5\n4\n9\n"))
    for text in ("<!-- column 1 [s] -->", "<!-- density [1/s] -->", "<!-- plain density (equal weights) -->"):
        assert text in path.read_text("utf-8")


def test_a_model_says_what_it_does_not_show(tmp_path: Path) -> None:
    model, path = tmp_path / "m.npz", tmp_path / "p.svg"
    succeeded(run("fit", "faithful", "--recipe", "paper", "-o", model))
    succeeded(run("plot", model, "-o", path))
    assert "32% of the rows had weight 0 and are not shown" in path.read_text("utf-8")
    assert "plain density (equal weights)" not in path.read_text("utf-8")
    succeeded(run("plot", "faithful", "--recipe", "paper", "-o", path))
    assert "<!-- 88 rows of weight 0 (labels may differ) -->" in path.read_text("utf-8")
    assert "are not shown" not in path.read_text("utf-8")


def test_text_columns_are_left_out_with_a_note(tmp_path: Path) -> None:
    table, picture = tmp_path / "mine.csv", tmp_path / "p.svg"
    rows = "".join(f"S{k:03},{k * 7 % 11},{k * k % 17},{'f' if k % 2 else 'm'}\n" for k in range(30))
    table.write_text("id,height,mass,sex\n" + rows)
    result = run("plot", table, "-o", picture)
    assert result.exit_code == 0, result.output
    assert "mine.csv: text columns left out: 'id', 'sex'" in result.stderr
    for text in ("<!-- height -->", "<!-- mass -->"):
        assert text in picture.read_text("utf-8")
    # A column with a number among text is a column with mistakes, not one of text.
    table.write_text("height,mass\n" + "".join(f"{k},{k if k == 4 else 'x'}\n" for k in range(9)))
    assert_refused(run("plot", table, "-o", picture), ("line 2, column 2", "'mass'", "must be a number"))


@pytest.mark.parametrize("columns", one_in(2, ["1-3", None]))
def test_every_pair_of_more_than_two_columns(columns: str | None, iris_model: Path, tmp_path: Path) -> None:
    for source, options in ((iris_model, ()), ("iris", ("--bandwidth", "0.5", "--loss", "huber"))):
        path = tmp_path / "p.svg"
        chosen = () if columns is None else ("--columns", columns)
        succeeded(run("plot", source, *options, *chosen, "--filled", "-o", path))
        assert "<!-- sepal_length -->" in path.read_text("utf-8")
        assert path.read_text("utf-8").count("<!-- around 50% of the probability -->") == 1


def test_columns_of_a_model_without_names(tmp_path: Path) -> None:
    model, path = tmp_path / "m.npz", tmp_path / "p.svg"
    rows = b"0,1,2\n1,0,3\n2,2,1\n4,1,0\n3,3,3\n"
    succeeded(run("fit", "-", "--bandwidth", "1", "--loss", "huber", "-o", model, stdin=rows))
    succeeded(run("plot", model, "--columns", "3,1", "-o", path))
    assert "<!-- column 3 -->" in path.read_text("utf-8")
    assert_refused(run("plot", model, "--columns", "a", "-o", path), ("--columns", "1-based numbers"))


def test_the_whole_of_a_laplacian_model_is_drawn(tmp_path: Path) -> None:
    model = tmp_path / "laplacian.npz"
    succeeded(run("fit", "faithful", "--kernel", "laplacian", "--bandwidth", "2", "-o", model))
    assert run("plot", model, "--columns", "2,1", "-o", "-").exit_code == 0


def test_a_table_as_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "p.svg"
    told = ("--delimiter", ";", "--decimal", ",", "--trailing-delimiter", "--columns", "Breite")
    table = "Länge;Breite;\n" + "".join(f"{k},5;{k * k},25;\n" for k in range(9))
    succeeded(run("plot", "-", *told, "-o", path, stdin=b"\xef\xbb\xbf" + table.encode()))
    assert "<!-- Breite -->" in path.read_text("utf-8")


@pytest.mark.parametrize("columns", ["petal_length", "petal_length,petal_width"])
def test_rows_that_lost_their_weight_stay_in_the_frame(columns: str, tmp_path: Path) -> None:
    """The recipe drops two of the three species: that is what the picture is there to show."""
    picture = tmp_path / "iris.svg"
    result = run("plot", "iris", "--columns", columns, "--bandwidth", "0.05", "-o", picture)
    assert result.exit_code == 0, result.output
    assert "rows of weight 0" in picture.read_text("utf-8")
    assert "beyond the frame" not in picture.read_text("utf-8")


def test_a_picture_is_called_after_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.csv").write_text("x\n1\n2\n2.5\n4\n9\n")
    drawn = run("plot", "data/mine.csv")
    assert succeeded(drawn) == ""
    assert drawn.stderr.endswith("rkde: note: picture written to mine-density.png\n")
    assert (tmp_path / "mine-density.png").stat().st_size > 0
    succeeded(run("plot", "iris", "--kind", "loss"))
    assert (tmp_path / "iris-loss.png").stat().st_size > 0


@pytest.mark.parametrize("power", [-320, 305])
def test_columns_too_narrow_or_wide_for_a_picture_end_with_a_line(power: int, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("".join(f"{row}e{power}\n" for row in (0, 1, 2, 4, 7, 11)), encoding="utf-8")
    result = run("plot", table, "-o", tmp_path / "p.png")
    assert result.exit_code == EXIT_BAD_INPUT
    line = result.stderr.splitlines()[-1]
    assert line.startswith(f"rkde: error: {table} must have columns between 1e-100 and 1e+100 wide for a pic")
    assert names_in(tmp_path) == ["t.csv"]
