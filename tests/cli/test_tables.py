"""Tables from CSV text: what is read, and what the header and column rules decide."""

from __future__ import annotations

from typing import Literal

import pytest

from rkde.errors import InvalidInput
from rkde.tables import read_table
from tests.cli.broken_tables import BROKEN_TABLES, BrokenTable

ROWS = ((1.0, 2.0), (3.0, 4.0))


@pytest.mark.parametrize(
    "content",
    [
        b"a,b\n1,2\n3,4\n",
        b"a,b\n1,2\n3,4",
        b"\xef\xbb\xbfa,b\n1,2\n3,4\n",
        b"a,b\r\n1,2\r\n3,4\r\n",
        b"a,b\r1,2\r3,4\r",
        b'"a","b"\n"1","2.0"\n3,"4e0"\n',
        b" a , b \n 1 , 2\n+3,\t4\n",
        b"a,b\n1,2\n3,4\n\n  \n\r\n",
    ],
)
def test_ways_to_write_one_table(content: bytes) -> None:
    table = read_table(content, source="s")
    assert table.rows == ROWS
    assert table.names == ("a", "b")
    assert table.positions == (1, 2)
    assert table.lines == (2, 3)


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        (b"a;b\n1;2\n3;4\n", ";"),
        (b"a\tb\n1\t2\n3\t4\n", "tab"),
        (b"a\tb\n1\t2\n3\t4\n", "\\t"),
        (b"a\tb\n1\t2\n3\t4\n", "\t"),
        (b"a b\n1 2\n3 4\n", " "),
        (b"a|b\n1|2\n3|4\n", "|"),
    ],
)
def test_delimiters(content: bytes, delimiter: str) -> None:
    assert read_table(content, source="s", delimiter=delimiter).rows == ROWS


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        (b"a;b\n1,0;2,0\n3,0;4\n", ";"),
        (b"\xef\xbb\xbfa;b\r\n1,0;2,0\r\n3;+4,0e0\r\n", ";"),
        (b"a\tb\n1,0\t2\n3\t4,0\n", "tab"),
        (b'a|b\n"1,0"|2\n3|4\n', "|"),
    ],
)
def test_decimal_commas(content: bytes, delimiter: str) -> None:
    table = read_table(content, source="s", delimiter=delimiter, decimal=",")
    assert table.rows == ROWS
    assert table.names == ("a", "b")


def test_one_column_of_decimal_commas() -> None:
    for content in (b"a\n1,5\n-2,25\n", b"1,5\n-2,25\n"):
        assert read_table(content, source="s", delimiter=";", decimal=",").rows == ((1.5,), (-2.25,))


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("number", ["1", "-2.5", "0.1", "1e300", "-7.25e-3", "123456.789"])
def test_a_decimal_mark_changes_no_number(number: str, decimal: Literal[".", ","]) -> None:
    table = read_table(number.replace(".", decimal).encode(), source="s", delimiter=";", decimal=decimal)
    assert table.rows == ((float(number),),)


@pytest.mark.parametrize(
    "content", [b"a,b,\n1,2,\n3,4,\n", b"a,b\n1,2,\n3,4,\n", b"1,2, \r\n3,4,\r\n", b"a,b,\n1,2,\n3,4,\n\n"]
)
def test_a_delimiter_at_the_end_of_every_row(content: bytes) -> None:
    assert read_table(content, source="s", trailing_delimiter=True).rows == ROWS


def test_the_end_is_cut_once() -> None:
    """What is left may have an empty column; where nobody chooses it, it does not matter."""
    table = read_table(b"1,2,,\n3,4,,\n", source="s", trailing_delimiter=True, columns="1,2")
    assert table.rows == ROWS


def test_without_header() -> None:
    table = read_table(b"1,2\n3,4\n", source="s")
    assert table.rows == ROWS
    assert table.names == ()
    assert table.lines == (1, 2)


def test_numbers_as_names_need_to_be_told() -> None:
    content = b"2019,2020\n1,2\n3,4\n"
    assert len(read_table(content, source="s").rows) == 3
    table = read_table(content, source="s", header="yes")
    assert table.rows == ROWS
    assert table.names == ("2019", "2020")


@pytest.mark.parametrize("columns", ["x,y", "2,4", "x,4", "2,y", " x , 4 "])
def test_columns_by_name_and_number(columns: str) -> None:
    table = read_table(b"id,x,label,y\nu,1,p,2\nv,3,q,4\n", source="s", columns=columns)
    assert table.rows == ROWS
    assert table.names == ("x", "y")
    assert table.positions == (2, 4)


def test_columns_come_in_the_order_asked_for() -> None:
    table = read_table(b"a,b\n1,2\n3,4\n", source="s", columns="b,a")
    assert table.rows == ((2.0, 1.0), (4.0, 3.0))
    assert table.names == ("b", "a")


def test_a_range_of_columns() -> None:
    assert read_table(b"0,1,2,x\n0,3,4,x\n", source="s", columns="2-3").rows == ROWS


def test_the_header_is_decided_by_the_chosen_cells() -> None:
    content = b"id,1,2\nv,3,4\n"
    assert read_table(content, source="s", columns="2,3").rows == ROWS
    with pytest.raises(InvalidInput, match="numbers and text"):
        read_table(content, source="s")


def test_a_name_that_contains_a_comma_is_quoted() -> None:
    content = b'"width, cm",b\n1,2\n3,4\n'
    assert read_table(content, source="s", columns='"width, cm"').rows == ((1.0,), (3.0,))


def test_expected_names_choose_and_order_the_columns() -> None:
    table = read_table(b"b,extra,a\n2,x,1\n4,y,3\n", source="s", expected=("a", "b"))
    assert table.rows == ROWS
    with pytest.raises(InvalidInput, match="no column has this name"):
        read_table(b"a,c\n1,2\n", source="s", expected=("a", "b"))


def test_expected_names_do_not_bind_a_table_without_header() -> None:
    assert read_table(b"1,2\n3,4\n", source="s", expected=("a", "b")).rows == ROWS


def test_lines_are_counted_as_an_editor_does() -> None:
    table = read_table(b'"first\nline",b\n1,2\n3,4\n', source="s")
    assert table.lines == (3, 4)


def test_one_column_may_have_any_name() -> None:
    assert read_table(b'"a; b"\n1\n', source="s").names == ("a; b",)
    assert read_table(b"petal length\n1\n", source="s").names == ("petal length",)


@pytest.mark.parametrize("broken", BROKEN_TABLES, ids=repr)
def test_broken_tables_are_refused(broken: BrokenTable) -> None:
    given = broken.given
    with pytest.raises(InvalidInput) as caught:
        read_table(
            broken.content,
            source="s",
            header="no" if "--header" in given else "auto",
            delimiter=given.get("--delimiter", ","),
            decimal="," if "--decimal" in given else ".",
            trailing_delimiter="--trailing-delimiter" in given,
            columns=given.get("--columns"),
        )
    for fragment in broken.fragments:
        assert fragment in str(caught.value)
