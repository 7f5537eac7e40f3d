"""Tables from CSV text: what is read, and what the header and column rules decide."""

from typing import Any, Literal

import pytest

from rkde.errors import InvalidInput
from rkde.tables import TableOptions, read_table
from tests.cli.broken_tables import BROKEN_TABLES, BrokenTable, reading

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
        b'"a", "b"\n1, "2"\n 3, " 4"\n',
        b" a , b \n 1 , 2\n+3,\t4\n",
        b"a,b\n1,2\n3,4\n\n  \n\r\n",
    ],
)
def test_ways_to_write_one_table(content: bytes) -> None:
    table = read_table(content, source="s")
    assert (table.rows, table.names) == (ROWS, ("a", "b"))
    assert (table.positions, table.lines) == ((1, 2), (2, 3))


SEMICOLONS = ("--delimiter", ";", "--decimal", ",")
TABS = ("--delimiter", "tab", "--decimal", ",")
SPACES = ("--delimiter", "whitespace")


@pytest.mark.parametrize(
    ("content", "arguments"),
    [
        (b"a;b\n1;2\n3;4\n", ("--delimiter", ";")),
        (b"a\tb\n1\t2\n3\t4\n", ("--delimiter", "tab")),
        (b"a\tb\n1\t2\n3\t4\n", ("--delimiter", "\\t")),
        (b"a\tb\n1\t2\n3\t4\n", ("--delimiter", "\t")),
        (b"a b\n1 2\n3 4\n", ("--delimiter", " ")),
        (b"a|b\n1|2\n3|4\n", ("--delimiter", "|")),
        (b"a;b\n1,0;2,0\n3,0;4\n", SEMICOLONS),
        (b"\xef\xbb\xbfa;b\r\n1,0;2,0\r\n3,0;+4,0e0\r\n", SEMICOLONS),
        (b"a\tb\n1,0\t2\n3\t4,0\n", TABS),
        (b'a|b\n"1,0"|2\n3|4\n', ("--delimiter", "|", "--decimal", ",")),
        (b"a b\n1 2\n3 4\n", SPACES),
        (b"  a\tb\n1  \t 2\r\n  3    4 \n", SPACES),
        (b'"a" "b" \n"1"\t 2\n3 4', SPACES),
        (b"a,b,\n1,2,\n3,4,\n", ("--trailing-delimiter",)),
        (b"a,b\n1,2,\n3,4,\n", ("--trailing-delimiter",)),
        (b"1,2, \r\n3,4,\r\n", ("--trailing-delimiter",)),
        (b"a,b,\n1,2,\n3,4,\n\n", ("--trailing-delimiter",)),
        # The end is cut once: what is left may have an empty column, which nobody chooses here.
        (b"1,2,,\n3,4,,\n", ("--trailing-delimiter", "--columns", "1,2")),
        (b"0,1,2,x\n0,3,4,x\n", ("--columns", "2-3")),
        (b"1,2\n3,4\n", ()),
    ],
)
def test_options_for_one_table(content: bytes, arguments: tuple[str, ...]) -> None:
    table = read_table(content, reading(arguments), source="s")
    assert table.rows == ROWS
    assert table.names == (("a", "b") if b"a" in content else ())
    first = 2 if b"a" in content else 1
    assert table.lines == (first, first + 1)


def test_spaces_within_quoted_cells_are_kept() -> None:
    content = b'x  "the  y"\t id\n1 2  "a \t b"\n3 4 \'\n'
    table = read_table(content, TableOptions(delimiter="whitespace"), source="s", keep="id")
    assert (table.rows, table.names) == (ROWS, ("x", "the  y"))
    assert table.kept == (("a \t b",), ("'",))


@pytest.mark.parametrize("names", [("1", "2"), ("p", "q")])
@pytest.mark.parametrize("columns", [None, "a,b", "2-3"])
def test_names_of_rows_for_which_the_line_of_names_has_none(
    names: tuple[str, str], columns: str | None
) -> None:
    content = "a\tb\n{}\t1\t2\n{}\t3\t4\n".format(*names).encode()
    table = read_table(content, TableOptions(delimiter="tab", columns=columns), source="s")
    assert (table.rows, table.names, table.positions) == (ROWS, ("a", "b"), (2, 3))
    assert table.note_of_row_names() == (
        "line 1 has one name fewer than the rows have cells; the first cell of each row is taken for its name"
    )
    kept = read_table(
        content, TableOptions(delimiter="tab"), source="s", keep="row.names", expected=("b", "a")
    )
    assert kept.rows == ((2.0, 1.0), (4.0, 3.0))
    assert kept.kept == ((names[0],), (names[1],))


def test_one_cell_more_than_names_is_no_name_of_a_row_where_numbers_may_be_cut() -> None:
    for content in (b"a\n1,5\n2,7\n", b"a,b\n1,5,2\n2,5,3\n", b"a,b\n1,2,\n2,3,\n", b"a,b\np,1,2\nq,3\n"):
        with pytest.raises(InvalidInput, match="must have as many cells as line 1"):
            read_table(content, source="s")


def test_one_column_of_decimal_commas() -> None:
    for content in (b"a\n1,5\n-2,25\n", b"1,5\n-2,25\n"):
        assert read_table(content, TableOptions(delimiter=";", decimal=","), source="s").rows == (
            (1.5,),
            (-2.25,),
        )


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("number", ["1", "-2.5", "0.1", "1e300", "-7.25e-3", "123456.789"])
def test_a_decimal_mark_changes_no_number(number: str, decimal: Literal[".", ","]) -> None:
    table = read_table(
        number.replace(".", decimal).encode(), TableOptions(delimiter=";", decimal=decimal), source="s"
    )
    assert table.rows == ((float(number),),)


def test_numbers_as_names_need_to_be_told() -> None:
    content = b"2019,2020\n1,2\n3,4\n"
    assert len(read_table(content, source="s").rows) == 3
    table = read_table(content, TableOptions(header="yes"), source="s")
    assert table.rows == ROWS
    assert table.names == ("2019", "2020")


@pytest.mark.parametrize("columns", ["x,y", "2,4", "x,4", "2,y", " x , 4 "])
def test_columns_by_name_and_number(columns: str) -> None:
    table = read_table(b"id,x,label,y\nu,1,p,2\nv,3,q,4\n", TableOptions(columns=columns), source="s")
    assert table.rows == ROWS
    assert table.names == ("x", "y")
    assert table.positions == (2, 4)


def test_columns_come_in_the_order_asked_for() -> None:
    table = read_table(b"a,b\n1,2\n3,4\n", TableOptions(columns="b,a"), source="s")
    assert table.rows == ((2.0, 1.0), (4.0, 3.0))
    assert table.names == ("b", "a")


def test_the_header_is_decided_by_the_chosen_cells() -> None:
    content = b"id,1,2\nv,3,4\n"
    assert read_table(content, TableOptions(columns="2,3"), source="s").rows == ROWS
    with pytest.raises(InvalidInput, match="must hold a number in column"):
        read_table(content, source="s")


def test_a_name_that_contains_a_comma_is_quoted() -> None:
    content = b'"width, cm",b\n1,2\n3,4\n'
    assert read_table(content, TableOptions(columns='"width, cm"'), source="s").rows == ((1.0,), (3.0,))


def test_expected_names_choose_and_order_the_columns() -> None:
    table = read_table(b"b,extra,a\n2,x,1\n4,y,3\n", source="s", expected=("a", "b"))
    assert table.rows == ROWS
    with pytest.raises(InvalidInput, match="must have a column named 'b'"):
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
    with pytest.raises(InvalidInput) as caught:
        read_table(broken.content, reading(broken.arguments), source="s")
    for fragment in broken.fragments:
        assert fragment in str(caught.value)


def test_comments_and_titles_are_skipped_where_that_is_asked_for() -> None:
    content = b"# logger 7\na,b\n# 8 o'clock\n1,2\n3,4\n#\n"
    table = read_table(content, TableOptions(comment="#"), source="s")
    assert (table.rows, table.names, table.lines, table.first_line) == (ROWS, ("a", "b"), (4, 5), 2)
    skipped = read_table(b"Station 7\nsep=,\na,b\n1,2\n3,4\n", TableOptions(skip_lines=2), source="s")
    assert (skipped.rows, skipped.lines, skipped.first_line) == (ROWS, (4, 5), 3)


def test_a_comment_mark_within_a_quoted_cell_is_part_of_the_cell() -> None:
    content = b'a,note\n1,"first\n# second"\n3,x\n'
    table = read_table(content, TableOptions(columns="a", comment="#"), source="s")
    assert (table.rows, table.lines) == (((1.0,), (3.0,)), (2, 4))


def test_missing_values_are_dropped_where_that_is_asked_for_and_told() -> None:
    content = b"a,b,c\n1,2,\n,7,1\n3,4,x\n8,NA,1\n"
    table = read_table(content, TableOptions(columns="a,b", drop_missing=True), source="s")
    assert (table.rows, table.lines, table.dropped) == (ROWS, (2, 4), (3, 5))
    assert table.note_of_dropped() == "2 of 4 rows are left out for missing values: lines 3, 5"
    with pytest.raises(InvalidInput, match="must have a row without missing values"):
        read_table(b"a,b\n1,\n", TableOptions(drop_missing=True), source="s")


def test_dropping_missing_values_drops_no_other_mistake() -> None:
    for wrong in (b"inf", b"four", b"1_0"):
        with pytest.raises(InvalidInput, match="line 3"):
            read_table(b"a\n1\n" + wrong + b"\n", TableOptions(drop_missing=True), source="s")


@pytest.mark.parametrize(
    ("content", "decimal", "thousands", "right"),
    [
        (b"a;b\n8.516;1\n970;2\n", ",", ".", ((8516.0, 1.0), (970.0, 2.0))),
        (b"a;b\n1.234.567,25;-1.000\n", ",", ".", ((1234567.25, -1000.0),)),
        (b"a;b\n1,234.5;2\n", ".", ",", ((1234.5, 2.0),)),
        (b"a;b\n1'234.5;2\n", ".", "'", ((1234.5, 2.0),)),
        (b"a;b\n1 234,5;2\n", ",", "space", ((1234.5, 2.0),)),
    ],
)
def test_separators_of_thousands(content: bytes, decimal: Any, thousands: Any, right: object) -> None:
    options = TableOptions(delimiter=";", decimal=decimal, thousands=thousands)
    assert read_table(content, options, source="s").rows == right


def test_a_point_is_the_decimal_mark_where_it_does_not_separate_thousands() -> None:
    marks = (TableOptions(thousands=mark).decimal_mark for mark in (".", ",", "'", "space", None))
    assert tuple(marks) == (",", ".", ".", ".", ".")
    spellings: tuple[tuple[bytes, Any], ...] = (
        (b"1,004.500", ","),
        (b"1.004,500", "."),
        (b"1 004.500", "space"),
    )
    for cell, mark in spellings:
        content, options = b"a\n" + cell + b"\n", TableOptions(delimiter=";", thousands=mark)
        assert read_table(content, options, source="s").rows == ((1004.5,),)
    grouped = read_table(b"a,b\n1.004,2.310\n", TableOptions(thousands="."), source="s")
    assert grouped.rows == ((1004.0, 2310.0),)


EITHER = b"town;size\nP;8.516\nQ;-6.336\nR;970\nS;5.100\n"


@pytest.mark.parametrize("columns", ["size", "2"])
def test_points_that_may_separate_thousands_are_told_until_somebody_decides(columns: str) -> None:
    table = read_table(EITHER, TableOptions(delimiter=";", columns=columns), source="s")
    assert table.doubtful_points == (
        "column 'size': 3 numbers such as 8.516 are read with a decimal point, which may separate thousands; "
        "use --thousands . if it does, or --decimal . if it does not",
    )
    decided = (
        TableOptions(columns, delimiter=";", decimal="."),
        TableOptions(columns, delimiter=";", thousands="."),
    )
    plain, grouped = (read_table(EITHER, options, source="s") for options in decided)
    assert (plain.doubtful_points, grouped.doubtful_points) == ((), ())
    assert plain.rows == table.rows == ((8.516,), (-6.336,), (970.0,), (5.1,))
    assert grouped.rows == ((8516.0,), (-6336.0,), (970.0,), (5100.0,))


@pytest.mark.parametrize(
    "cell", [b"0.516;1", b"8.51;1", b"8.5161;1", b"1234.567;1", b"1.234e2;1", b".516;1", b"9;0.5", b"9710;1"]
)
def test_one_cell_can_tell_that_points_are_decimal(cell: bytes) -> None:
    content = b"a;b\n8.516;1\n6.336;2\n5.100;3\n" + cell + b"\n"
    assert read_table(content, TableOptions(delimiter=";"), source="s").doubtful_points == ()


def test_a_whole_number_above_a_thousand_speaks_for_its_own_column_only() -> None:
    content = b"2019,8.516\n2020,6.336\n2021,5.100\n2022,97\n"
    (told,) = read_table(content, source="s").doubtful_points
    assert told.startswith("column 2: 3 numbers")
    assert not read_table(b"8.516\n6.336\n7\n", source="s").doubtful_points


@pytest.mark.parametrize("cell", [b"7.250", b"0", b"-12.000"])
def test_three_decimals_everywhere_are_decimals(cell: bytes) -> None:
    """If the point separated thousands, all numbers would only have another unit."""
    content = b"8.516;1\n6.336;2\n5.100;3\n" + cell + b";4\n"
    assert not read_table(content, TableOptions(delimiter=";"), source="s").doubtful_points
    (told,) = read_table(content + b"970;5\n", TableOptions(delimiter=";"), source="s").doubtful_points
    assert told.startswith("column 1: ")


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        (("5", "6", "7", "8"), ()),
        (("5", "6", "7", "2310"), ()),
        (("1.5", "6", "7", "8"), ()),
        (("12.345", "7.120", "7.001", "976"), ("size", "beside")),
        (("12.345", "7.120", "7.001", "7.976"), ()),
        (("a", "b", "c", "0,5"), ("size",)),
        (("a", "b", "c", "1.234.567"), ("size",)),
        (("a", "b", "c", "1.234,5"), ("size",)),
        (("a", "b", "c", "1,234"), ()),
    ],
)
def test_three_decimals_everywhere_are_doubtful_where_another_column_separates_thousands(
    beside: tuple[str, ...], told: tuple[str, ...]
) -> None:
    sizes = ("2.310", "1.004", "8.516", "1.200")
    rows = "".join(f"{size};{other}\n" for size, other in zip(sizes, beside, strict=True))
    columns = "size" if beside[0] == "a" else "size,beside"
    options = TableOptions(columns, delimiter=";")
    doubts = read_table(f"size;beside\n{rows}".encode(), options, source="s").doubtful_points
    assert tuple(doubt.split("'")[1] for doubt in doubts) == told


def test_codes_with_zeros_in_front_are_told_until_the_columns_are_chosen() -> None:
    content = b"zip,x,hour\n01234,5,0930\n10115,6,1015\n"
    table = read_table(content, source="s")
    assert table.rows == ((1234.0, 5.0, 930.0), (10115.0, 6.0, 1015.0))
    assert table.doubtful_codes == (
        "columns 'zip' (such as 01234), 'hour' (such as 0930): leading zeros, as in codes, are lost in "
        "numbers; use --columns 2 if they are not measurements",
    )
    assert not read_table(content, TableOptions(columns="2"), source="s").doubtful_codes
    assert not read_table(content, TableOptions(columns="1-3"), source="s").doubtful_codes


@pytest.mark.parametrize(
    "cells", [("0", "1"), ("0.5", "1.5"), ("012", "3"), ("-01", "-02"), ("10", "20"), ("00", "1")]
)
def test_other_numbers_are_no_codes(cells: tuple[str, str]) -> None:
    content = "a,b\n{},1\n{},2\n".format(*cells).encode()
    assert not read_table(content, source="s").doubtful_codes


def test_quoted_cells_tell_a_decimal_comma_from_the_delimiter() -> None:
    content = b'"1,5","2,5"\n"2,0",3\n'
    assert read_table(content, TableOptions(decimal=","), source="s").rows == ((1.5, 2.5), (2.0, 3.0))


@pytest.mark.parametrize("columns", ["3-4", "1978,1979", "name:1978,name:1979", "number:3,number:4"])
def test_text_above_numbers_is_a_header_whichever_columns_are_chosen(columns: str) -> None:
    content = b"Month,Day,1978,1979\nJan,1,1,2\nJan,2,3,4\n"
    table = read_table(content, TableOptions(columns=columns), source="s")
    assert (table.rows, table.names) == (ROWS, ("1978", "1979"))


def test_a_number_that_is_the_name_of_another_column_is_refused() -> None:
    content = b"0,1,2,label\n9,1,2,u\n9,3,4,v\n"
    with pytest.raises(InvalidInput, match=r"number:1"):
        read_table(content, TableOptions(columns="1,2", header="yes"), source="s")
    named = TableOptions(columns="name:1,name:2", header="yes")
    assert read_table(content, named, source="s").rows == ROWS
    numbered = TableOptions(columns="number:2,number:3", header="yes")
    assert read_table(content, numbered, source="s").rows == ROWS


COUNTED = b"0,1,2,label\n1.5,10,100,u\n2.5,11,101,v\n"


@pytest.mark.parametrize("columns", ["1", "2", "3", "1-2", "1,2", "number:3", None])
@pytest.mark.parametrize(
    "content", [COUNTED, COUNTED.replace(b"label", b"3").replace(b",u", b",7").replace(b",v", b",8")]
)
def test_a_first_line_that_counts_the_columns_is_not_guessed(content: bytes, columns: str | None) -> None:
    with pytest.raises(
        InvalidInput, match=r"use --header yes if the line holds names, --header no.* if it is a row"
    ):
        read_table(content, TableOptions(columns=columns), source="s")


@pytest.mark.parametrize(
    ("columns", "remedies"),
    [
        ("1", {"name:1": (10.0,), "number:1": (1.5,)}),
        ("2", {"name:2": (100.0,), "number:2": (10.0,)}),
        ("1-2", {"number:2-3": (10.0, 100.0), "number:1-2": (1.5, 10.0)}),
        ("name:0,2", {"name:2": (100.0,), "number:2": (10.0,)}),
    ],
)
def test_each_remedy_for_a_number_of_two_meanings_works(columns: str, remedies: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_table(COUNTED, TableOptions(columns=columns, header="yes"), source="s")
    assert caught.value.remedy == f"write {' or '.join(remedies)}"
    for remedy, right in remedies.items():
        table = read_table(COUNTED, TableOptions(columns=remedy, header="yes"), source="s")
        assert table.rows[0] == right


def test_numbers_that_are_no_places_are_names() -> None:
    named = read_table(COUNTED, TableOptions(columns="0", header="yes"), source="s")
    assert (named.names, named.rows) == (("0",), ((1.5,), (2.5,)))
    years = b"Month,1978,1979,1980\nJan,1.5,2,3\nFeb,2.5,3,4\n"
    with pytest.raises(InvalidInput, match="write 2-4"):
        read_table(years, TableOptions(columns="1978-1980"), source="s")
    table = read_table(years, TableOptions(columns="2-4", header="yes"), source="s")
    assert table.names == ("1978", "1979", "1980")
    with pytest.raises(InvalidInput, match="use --header yes"):
        read_table(years, TableOptions(columns="2"), source="s")


def test_a_number_beside_a_name_has_one_meaning_too() -> None:
    content = b"id,3,7,x\nu,1,2,3\nv,2,3,4\n"
    with pytest.raises(InvalidInput, match="write name:3 or number:3"):
        read_table(content, TableOptions(columns="x,3"), source="s")
    assert read_table(content, TableOptions(columns="x,name:3"), source="s").rows == ((3.0, 1.0), (4.0, 2.0))


def test_wavelengths_above_other_numbers_are_not_guessed() -> None:
    names = b"400.5,401.0,401.5,402.0\n"
    with pytest.raises(InvalidInput, match="as names or as numbers"):
        read_table(names + b"0.1,0.2,0.4,0.5\n", source="s")
    with pytest.raises(InvalidInput, match="as names or as numbers"):
        read_table(b"400,410,420,430\n7,9,12,8\n", source="s")
    for row in (b"5.1,3.5,1.4,0.2\n", b"0.1,0.2,0.3\n", names):
        assert len(read_table(row + row, source="s").rows) == 2
    assert len(read_table(names + b"1.5,2.0,2.5,3.0\n", source="s").rows) == 2


@pytest.mark.parametrize("cell", ["NA", "12 kg", "5%", "2m_temp"])
def test_what_may_be_a_number_above_a_number_makes_no_names_of_a_row(cell: str) -> None:
    content = f"{cell},1\n2,3\n4,5\n".encode()
    with pytest.raises(
        InvalidInput, match="use --header yes if the line holds names, --header no if it is a row"
    ):
        read_table(content, TableOptions(columns="2"), source="s")


@pytest.mark.parametrize(
    ("content", "columns", "remedies"),
    [
        (b"0.0,1.0,2.0,3.0\n5,6,7,8\n", "3", {"name:3.0": 8.0, "number:3": 7.0}),
        (b"id,03,x\nu,1,2\n", "3", {"name:03": 1.0, "number:3": 2.0}),
        (b"1.0,2.0,3.0\n5,6,7\n", "3", {"3": 7.0, "number:3": 7.0, "name:3.0": 7.0}),
    ],
)
def test_names_that_are_numbers_in_another_spelling(
    content: bytes, columns: str, remedies: dict[str, float]
) -> None:
    if columns not in remedies:
        with pytest.raises(InvalidInput) as caught:
            read_table(content, TableOptions(columns=columns, header="yes"), source="s")
        assert caught.value.remedy == f"write {' or '.join(remedies)}"
    for remedy, right in remedies.items():
        assert read_table(content, TableOptions(columns=remedy, header="yes"), source="s").rows == ((right,),)


def test_a_number_beyond_the_last_column_makes_no_names_of_a_row() -> None:
    content = b"2,3,4\n10,11,12\n20,21,22\n"
    with pytest.raises(InvalidInput, match="write name:4 if the first line holds names; otherwise choose"):
        read_table(content, TableOptions(columns="4"), source="s")
    assert read_table(content, TableOptions(columns="name:4"), source="s").rows == ((12.0,), (22.0,))
    assert read_table(content, TableOptions(columns="4", header="yes"), source="s").rows == ((12.0,), (22.0,))


def test_years_above_other_numbers_beside_text_are_not_guessed() -> None:
    content = b"town,1978,1979\nP,14.1,14.9\nQ,14.3,15.1\n"
    with pytest.raises(InvalidInput, match="as names or as numbers"):
        read_table(content, TableOptions(columns="2-3"), source="s")
