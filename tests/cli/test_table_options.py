"""Options of a table that are given twice, files that are no tables, encodings: each message is followed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.cli.running import assert_refused, run, succeeded
from tests.cli.test_remedies import options_in

ROWS = [(k * 7 % 11 / 2, k * 5 % 13 / 3) for k in range(30)]
TEXT = "größe,y\n" + "".join(f"{x},{y:.4f}\n" for x, y in ROWS)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return the path of a good table."""
    path = tmp_path / "t.csv"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_rows_to_leave_out_add_up(table: Path, tmp_path: Path) -> None:
    listed = tmp_path / "rows.txt"
    listed.write_text("5,7-8  # a sign\n", encoding="utf-8")
    once = run("outliers", table, "--drop-rows", f"2,@{listed},9")
    twice = run("outliers", table, "--drop-rows", "2", "--drop-rows", f"@{listed}", "--drop-rows", "9")
    assert "5 of 30 rows are left out as requested: row 2, 5, 7-9" in once.stderr
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


def test_a_damaged_model_is_called_one(tmp_path: Path) -> None:
    model = tmp_path / "m.npz"
    succeeded(run("fit", "faithful", "-o", model))
    model.write_bytes(model.read_bytes()[:-100])
    assert_refused(run("plot", model, "-o", tmp_path / "p.png"), ("the model file is damaged",))


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_encoding_that_is_advised_reads_the_same_table(table: Path, encoding: str) -> None:
    right = succeeded(run("outliers", table, "--with-values"))
    table.write_bytes(TEXT.encode(encoding))
    refused = run("outliers", table, "--with-values")
    assert_refused(refused, ("must be UTF-8 text", f"--encoding {encoding}"))
    assert succeeded(run("outliers", table, "--with-values", *options_in(refused.stderr)[0])) == right


def test_an_encoding_that_is_none_or_does_not_fit_is_refused(table: Path) -> None:
    assert_refused(run("outliers", table, "--encoding", "klingon"), ("--encoding", "'klingon'", "cp1252"))
    assert_refused(run("outliers", table, "--encoding", "ascii"), ("text in ascii", "another --encoding"))
    table.write_bytes(b"\x81\n")
    assert "--encoding" not in run("outliers", table).stderr


def test_a_page_and_an_empty_file_are_called_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n<!DOCTYPE html>\n<html><body>Log in</body></html>\n", encoding="utf-8")
    assert_refused(run("outliers", path), ("must be CSV text, got a page of HTML or XML",))
    path.write_text("", encoding="utf-8")
    assert_refused(run("outliers", path), ("must not be empty; it has no data, so check the export",))
