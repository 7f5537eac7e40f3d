"""Options of a table that are given twice, files that are no tables, encodings: each message is followed."""

import shlex
import zipfile
from pathlib import Path

import pytest

from rkde.cli.failures import EXIT_NO_ANSWER
from tests.cli.running import assert_refused, run, succeeded, write_table
from tests.cli.test_remedies import options_in

ROWS = [(k * 7 % 11 / 2, k * 5 % 13 / 3) for k in range(30)]
TEXT = "größe,y\n" + "".join(f"{x},{y:.4f}\n" for x, y in ROWS)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "t.csv", TEXT)


def test_rows_to_leave_out_add_up(table: Path, tmp_path: Path) -> None:
    listed = written(tmp_path / "rows.txt", "5,7-8  # a sign\n")
    once = run("outliers", table, "--drop-rows", f"2,@{listed},9")
    twice = run("outliers", table, "--drop-rows", "2", "--drop-rows", f"@{listed}", "--drop-rows", "9")
    assert "5 of 30 rows are left out as requested: rows 2, 5, 7-9" in once.stderr
    assert (twice.stdout, twice.stderr) == (succeeded(once), once.stderr)
    assert "1 of 30 rows is left out as requested: row 2" in run("outliers", table, "--drop-rows", "2").stderr


@pytest.mark.parametrize("option", ["--columns", "--keep"])
def test_a_second_list_of_columns_is_refused_rather_than_the_first_one_lost(table: Path, option: str) -> None:
    refused = run("outliers", table, option, "1", option, "2")
    assert_refused(refused, (option, "given once, got '1' and '2'; write one list, with commas"))
    succeeded(run("outliers", table, option, "1" if option == "--keep" else "1,2"))


@pytest.mark.parametrize("member", ["xl/workbook.xml", "a.npy"])
def test_an_archive_that_is_no_model_is_no_table_either(table: Path, tmp_path: Path, member: str) -> None:
    book = tmp_path / "book.xlsx"
    with zipfile.ZipFile(book, "w") as archive:
        archive.writestr(member, "<x/>")
    fitted = run("fit", book, "-o", tmp_path / "m.npz")
    assert_refused(fitted, ("an Excel workbook", "save the table as CSV text in UTF-8"))
    for command in (("outliers", book), ("plot", book, "-o", tmp_path / "p.png")):
        assert run(*command).stderr == fitted.stderr
    for command in (("score", book, table), ("outliers", book, table)):
        assert_refused(run(*command), ("must be a model file", "an Excel workbook", "CSV", "rkde fit DATA"))


def test_a_damaged_model_is_called_one(tmp_path: Path, faithful_model: Path) -> None:
    model = tmp_path / "m.npz"
    model.write_bytes(faithful_model.read_bytes()[:-100])
    assert_refused(run("plot", model, "-o", tmp_path / "p.png"), ("the model file is damaged",))


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_encoding_that_is_advised_reads_the_same_table(table: Path, encoding: str) -> None:
    right = succeeded(run("outliers", table, "--with-values"))
    table.write_bytes(TEXT.encode(encoding))
    refused = run("outliers", table, "--with-values")
    assert_refused(refused, ("must be UTF-8 text", f"--encoding {encoding}"))
    assert succeeded(run("outliers", table, "--with-values", *options_in(refused.stderr)[0])) == right


def test_an_encoding_that_does_not_fit_is_refused(table: Path) -> None:
    assert_refused(run("outliers", table, "--encoding", "ascii"), ("text in ascii", "another --encoding"))
    table.write_bytes(b"\x81\n")
    assert "--encoding" not in run("outliers", table).stderr


MARKED = "x,y\n1,2\n2,3\n3,5\nn.v.,4\n<5,6\n12.2*,7\n4,4\n5,n.v.\n"


def test_markers_are_offered_counted_and_never_read_as_numbers(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", MARKED)
    refused = run("outliers", path)
    offered = refused.stderr.partition("use ")[2].partition(" to leave out")[0]
    assert offered == "--drop-value n.v. --drop-value '<5' --drop-value '12.2*'"
    followed = run("outliers", path, "--with-values", *shlex.split(offered))
    right = sorted(line.split(",")[-2:] for line in succeeded(followed).splitlines()[1:])
    assert right == [["1.0", "2.0"], ["2.0", "3.0"], ["3.0", "5.0"], ["4.0", "4.0"]]
    counted = "rows 4-6, 8 (2 with 'n.v.', 1 with '<5', 1 with '12.2*')"
    assert f"4 of 8 rows are left out as requested: {counted}" in followed.stderr
    in_one = run("outliers", path, "--drop-value", "x=n.v.", *shlex.split(offered)[2:])
    assert_refused(in_one, ("line 9, column 2 ('y')", "'n.v.'"))


def test_a_marker_that_no_cell_holds_is_told(table: Path) -> None:
    told = run("outliers", table, "--drop-value", "<7", "--drop-value", "-999")
    assert "--drop-value leaves out no row: 0 with '<7', 0 with '-999'" in told.stderr


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("name,town\nAnn,Rome\nBob,Oslo\n", "no column holds numbers"),
        ("item,price\na,$4.10\nb,$5.20\nc,$6\n", "remove '$' from the cells"),
        ("mass\n4.10 kg\n5.20 kg\n6 kg\n", "remove 'kg' from the cells"),
    ],
)
def test_a_table_without_a_number_is_not_told_to_choose_the_numeric_columns(
    tmp_path: Path, content: str, advice: str
) -> None:
    path = written(tmp_path / "t.csv", content)
    refused = run("outliers", path)
    assert_refused(refused, (advice,))
    assert "numeric columns" not in refused.stderr
    for sign in ("$", " kg"):
        content = content.replace(sign, "")
    path.write_text(content, encoding="utf-8")
    assert (run("outliers", path).exit_code == 0) == ("numbers" not in advice)


def test_the_columns_besides_a_counter_are_listed_to_paste(tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", "x,id,y", [(x, k, y) for k, (x, y) in enumerate(ROWS)])
    told = run("outliers", path)
    assert "choose the others with --columns 1,3" in told.stderr
    assert "warning" not in run("outliers", path, "--columns", "1,3").stderr


@pytest.mark.parametrize(("count", "ending"), [(30, "30 equal rows"), (1, "n_samples = 1")])
def test_where_no_row_can_stand_out_there_is_one_message(tmp_path: Path, count: int, ending: str) -> None:
    path = write_table(tmp_path / "t.csv", "x,y", count * [(1.5, 2.5)])
    for rule in ("pairwise", "scott"):
        refused = run("outliers", path, "--bandwidth", rule)
        assert_refused(refused, (ending, "judge" if count == 1 else "at any bandwidth"), EXIT_NO_ANSWER)
        assert "--bandwidth" not in refused.stderr
    told = run("outliers", path, "--bandwidth", "1").stderr
    if count == 1:
        assert "no row can be labelled -1: 1 row cannot show what is usual" in told
    else:
        assert "all rows are equal, so none can stand out at any bandwidth; check the columns" in told
    assert "--bandwidth" not in told


def test_one_row_is_judged_by_a_model(tmp_path: Path, faithful_model: Path) -> None:
    path = write_table(tmp_path / "t.csv", "x,y", [(1.5, 2.5)])
    assert "rkde outliers MODEL DATA" in run("outliers", path).stderr
    judged = run("outliers", faithful_model, path, "--header", "yes", "--columns", "1,2")
    assert "1 of 1 rows are labelled -1" in judged.stderr


def test_two_rows_are_not_said_to_be_below_minus_infinity(tmp_path: Path) -> None:
    path = write_table(tmp_path / "t.csv", "x,y", [(1.5, 2.5), (2, 3)])
    told = run("outliers", path, "--bandwidth", "1", "--contamination", "auto")
    assert succeeded(told).count(",1,") >= 2
    assert "no row can be labelled -1: 2 rows cannot show what is usual" in told.stderr
    assert "inf" not in told.stderr


def test_a_column_of_one_value_is_told(table: Path) -> None:
    assert "one value" not in run("outliers", table).stderr
    write_table(table, "x,y,c", [(x, y, 7) for x, y in ROWS])
    told = run("outliers", table)
    assert "column has one value in every row, so no row stands out by it: 'c' (7)" in told.stderr
    assert "one value" not in run("outliers", table, "--columns", "x,y").stderr


def test_a_column_that_another_delimiter_would_make_names_it(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "Report\nMay\nx;y\n" + "".join(f"{x};{y}\n" for x, y in ROWS))
    for columns in ("2", "x,y"):
        refused = run("outliers", path, "--columns", columns)
        assert_refused(refused, ("line 1", "try --delimiter ';'"))
    options = ["--delimiter", ";", "--columns", "x,y", "--skip-lines", "2"]
    assert len(succeeded(run("outliers", path, *options)).splitlines()) == 31
