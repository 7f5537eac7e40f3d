"""Tables from CSV text: what is read, and what the header and column rules decide."""

from typing import Any

import pytest

from rkde.errors import InvalidInput
from rkde.tables import Table, TableOptions, read_table
from tests.cli.broken_tables import reading

ROWS = ((1.0, 2.0), (3.0, 4.0))


def read(content: bytes, **options: Any) -> Table:
    return read_table(content, TableOptions(**options), source="s")


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
    table = read(content)
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


GERMAN = {"delimiter": ";", "decimal": ","}
BESIDE = b"id,x,label,y\nu,1,p,2\nv,3,q,4\n"
MONTHS = b"Month,Day,1978,1979\nJan,1,1,2\nJan,2,3,4\n"
YEARS = b"Month,1978,1979,1980\nJan,1.5,2,3\nFeb,2.5,3,4\n"
NINES = b"0,1,2,label\n9,1,2,u\n9,3,4,v\n"
COUNTED = b"0,1,2,label\n1.5,10,100,u\n2.5,11,101,v\n"
NUMBER_AMONG_NAMES = b"id,3,7,x\nu,1,2,3\nv,2,3,4\n"
BEYOND = b"2,3,4\n10,11,12\n20,21,22\n"
WAVES, WAVELENGTHS = b"400.5,401.0,401.5,402.0\n", (400.5, 401.0, 401.5, 402.0)


@pytest.mark.parametrize(
    ("content", "options", "rows", "names"),
    [
        (b"a\n1,5\n-2,25\n", GERMAN, ((1.5,), (-2.25,)), ("a",)),
        (b"1,5\n-2,25\n", GERMAN, ((1.5,), (-2.25,)), ()),
        # Numbers as names need to be told.
        (b"2019,2020\n1,2\n3,4\n", {}, ((2019, 2020), *ROWS), ()),
        (b"2019,2020\n1,2\n3,4\n", {"header": "yes"}, ROWS, ("2019", "2020")),
        # Columns by name and number, in the order asked for.
        *(
            (BESIDE, {"columns": asked}, ROWS, ("x", "y"))
            for asked in ("x,y", "2,4", "x,4", "2,y", " x , 4 ")
        ),
        (b"a,b\n1,2\n3,4\n", {"columns": "b,a"}, ((2, 1), (4, 3)), ("b", "a")),
        (b'"width, cm",b\n1,2\n3,4\n', {"columns": '"width, cm"'}, ((1,), (3,)), ("width, cm",)),
        # One column may have any name.
        (b'"a; b"\n1\n', {}, ((1,),), ("a; b",)),
        (b"petal length\n1\n", {}, ((1,),), ("petal length",)),
        # Quoted cells tell a decimal comma from the delimiter.
        (b'"1,5","2,5"\n"2,0",3\n', {"decimal": ","}, ((1.5, 2.5), (2, 3)), ()),
        # The header is decided by the chosen cells; text above numbers is one whichever are chosen.
        (b"id,1,2\nv,3,4\n", {"columns": "2,3"}, ROWS, ()),
        *(
            (MONTHS, {"columns": columns}, ROWS, ("1978", "1979"))
            for columns in ("3-4", "1978,1979", "name:1978,name:1979", "number:3,number:4")
        ),
        # A number that is a name and a place needs to say which; one that is no place is a name.
        (NINES, {"columns": "name:1,name:2", "header": "yes"}, ROWS, ("1", "2")),
        (NINES, {"columns": "number:2,number:3", "header": "yes"}, ROWS, ("1", "2")),
        (COUNTED, {"columns": "0", "header": "yes"}, ((1.5,), (2.5,)), ("0",)),
        (YEARS, {"columns": "2-4", "header": "yes"}, ((1.5, 2, 3), (2.5, 3, 4)), ("1978", "1979", "1980")),
        (NUMBER_AMONG_NAMES, {"columns": "x,name:3"}, ((3, 1), (4, 2)), ("x", "3")),
        (BEYOND, {"columns": "name:4"}, ((12,), (22,)), ("4",)),
        (BEYOND, {"columns": "4", "header": "yes"}, ((12,), (22,)), ("4",)),
        # No numbers that count, although they rise.
        (2 * b"5.1,3.5,1.4,0.2\n", {}, 2 * ((5.1, 3.5, 1.4, 0.2),), ()),
        (2 * b"0.1,0.2,0.3\n", {}, 2 * ((0.1, 0.2, 0.3),), ()),
        (2 * WAVES, {}, 2 * (WAVELENGTHS,), ()),
        (WAVES + b"1.5,2.0,2.5,3.0\n", {}, (WAVELENGTHS, (1.5, 2, 2.5, 3)), ()),
        # Separators of thousands; a point is the decimal mark where it is none.
        (b"a;b\n8.516;1\n970;2\n", {**GERMAN, "thousands": "."}, ((8516, 1), (970, 2)), ("a", "b")),
        (b"a;b\n1.234.567,25;-1.000\n", {**GERMAN, "thousands": "."}, ((1234567.25, -1000),), ("a", "b")),
        (b"a;b\n1 234,5;2\n", {**GERMAN, "thousands": "space"}, ((1234.5, 2),), ("a", "b")),
        (b"a;b\n1'234.5;2\n", {"delimiter": ";", "thousands": "'"}, ((1234.5, 2),), ("a", "b")),
        (b"a\n1,004.500\n", {"delimiter": ";", "thousands": ","}, ((1004.5,),), ("a",)),
        (b"a\n1.004,500\n", {"delimiter": ";", "thousands": "."}, ((1004.5,),), ("a",)),
        (b"a\n1 004.500\n", {"delimiter": ";", "thousands": "space"}, ((1004.5,),), ("a",)),
        (b"a,b\n1.004,2.310\n", {"thousands": "."}, ((1004, 2310),), ("a", "b")),
        # A decimal mark changes no number.
        *(
            (number.replace(".", mark).encode(), {"delimiter": ";", "decimal": mark}, ((float(number),),), ())
            for number in ("1", "-2.5", "0.1", "1e300", "-7.25e-3", "123456.789")
            for mark in (".", ",")
        ),
    ],
)
def test_rows_and_names(content: bytes, options: dict[str, Any], rows: object, names: object) -> None:
    table = read(content, **options)
    assert (table.rows, table.names) == (rows, names)


EITHER_WAY = "use --header yes if the line holds names, --header no.* if it is a row"


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        # One cell more than names is no name of a row where numbers may be cut.
        *(
            (content, {}, "must have as many cells as line 1")
            for content in (
                b"a\n1,5\n2,7\n",
                b"a,b\n1,5,2\n2,5,3\n",
                b"a,b\n1,2,\n2,3,\n",
                b"a,b\np,1,2\nq,3\n",
            )
        ),
        (b"id,1,2\nv,3,4\n", {}, "must hold a number in column"),
        (b"a,b\n1,\n", {"drop_missing": True}, "must have a row without missing values"),
        # Dropping missing values drops no other mistake.
        *((b"a\n1\n%b\n" % wrong, {"drop_missing": True}, "line 3") for wrong in (b"inf", b"four", b"1_0")),
        # A first line that counts the columns is not guessed.
        *(
            (
                COUNTED.replace(b"label", end).replace(b",u", u).replace(b",v", v),
                {"columns": columns},
                EITHER_WAY,
            )
            for end, u, v in ((b"label", b",u", b",v"), (b"3", b",7", b",8"))
            for columns in ("1", "2", "3", "1-2", "1,2", "number:3", None)
        ),
        (NINES, {"columns": "1,2", "header": "yes"}, "number:1"),
        (YEARS, {"columns": "1978-1980"}, "write 2-4"),
        (YEARS, {"columns": "2"}, "use --header yes"),
        (NUMBER_AMONG_NAMES, {"columns": "x,3"}, "write name:3 or number:3"),
        (BEYOND, {"columns": "4"}, "write name:4 if the first line holds names; otherwise choose"),
        (WAVES + b"0.1,0.2,0.4,0.5\n", {}, "as names or as numbers"),
        (b"400,410,420,430\n7,9,12,8\n", {}, "as names or as numbers"),
        (b"town,1978,1979\nP,14.1,14.9\nQ,14.3,15.1\n", {"columns": "2-3"}, "as names or as numbers"),
        # What may be a number above a number makes no names of a row.
        *((b"%b,1\n2,3\n4,5\n" % cell, {"columns": "2"}, EITHER_WAY) for cell in (b"NA", b"12 kg", b"5%")),
        (b"2m_temp,1\n2,3\n4,5\n", {"columns": "2"}, EITHER_WAY),
    ],
)
def test_what_is_not_guessed_is_refused(content: bytes, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(content, **options)


@pytest.mark.parametrize(
    ("content", "columns", "remedies"),
    [
        (COUNTED, "1", {"name:1": (10.0,), "number:1": (1.5,)}),
        (COUNTED, "2", {"name:2": (100.0,), "number:2": (10.0,)}),
        (COUNTED, "1-2", {"number:2-3": (10.0, 100.0), "number:1-2": (1.5, 10.0)}),
        (COUNTED, "name:0,2", {"name:2": (100.0,), "number:2": (10.0,)}),
        (b"0.0,1.0,2.0,3.0\n5,6,7,8\n", "3", {"name:3.0": (8.0,), "number:3": (7.0,)}),
        (b"id,03,x\nu,1,2\n", "3", {"name:03": (1.0,), "number:3": (2.0,)}),
        # No other column has this number for its name.
        (b"1.0,2.0,3.0\n5,6,7\n", "3", {"3": (7.0,), "number:3": (7.0,), "name:3.0": (7.0,)}),
    ],
)
def test_each_remedy_for_two_meanings_works(
    content: bytes, columns: str, remedies: dict[str, object]
) -> None:
    if columns not in remedies:
        with pytest.raises(InvalidInput) as caught:
            read(content, columns=columns, header="yes")
        assert caught.value.remedy == f"write {' or '.join(remedies)}"
    for remedy, right in remedies.items():
        assert read(content, columns=remedy, header="yes").rows[0] == right


def test_spaces_within_quoted_cells_are_kept() -> None:
    content = b'x  "the  y"\t id\n1 2  "a \t b"\n3 4 \'\n'
    table = read_table(content, TableOptions(delimiter="whitespace"), source="s", keep="id")
    assert (table.rows, table.names) == (ROWS, ("x", "the  y"))
    assert table.kept == (("a \t b",), ("'",))


@pytest.mark.parametrize("names", [("1", "2"), ("p", "q")])
@pytest.mark.parametrize("columns", [None, "a,b", "2-3"])
def test_names_of_rows_that_the_line_of_names_lacks(names: tuple[str, str], columns: str | None) -> None:
    content = "a\tb\n{}\t1\t2\n{}\t3\t4\n".format(*names).encode()
    table = read(content, delimiter="tab", columns=columns)
    assert (table.rows, table.names, table.positions) == (ROWS, ("a", "b"), (2, 3))
    assert table.note_of_row_names() == (
        "line 1 has one name fewer than the rows have cells; the first cell of each row is taken for its name"
    )
    options = TableOptions(delimiter="tab")
    kept = read_table(content, options, source="s", keep="row.names", expected=("b", "a"))
    assert kept.rows == ((2.0, 1.0), (4.0, 3.0))
    assert kept.kept == ((names[0],), (names[1],))


def test_the_place_of_a_column_is_kept() -> None:
    assert read(BESIDE, columns="x,y").positions == (2, 4)


def test_expected_names_choose_and_order_the_columns_of_a_table_with_a_header() -> None:
    for content in (b"b,extra,a\n2,x,1\n4,y,3\n", b"1,2\n3,4\n"):
        assert read_table(content, source="s", expected=("a", "b")).rows == ROWS
    with pytest.raises(InvalidInput, match="must have a column named 'b'"):
        read_table(b"a,c\n1,2\n", source="s", expected=("a", "b"))


@pytest.mark.parametrize(
    ("content", "options", "lines", "first_line"),
    [
        (b'"first\nline",b\n1,2\n3,4\n', {}, (3, 4), 1),
        (b"# logger 7\na,b\n# 8 o'clock\n1,2\n3,4\n#\n", {"comment": "#"}, (4, 5), 2),
        (b"Station 7\nsep=,\na,b\n1,2\n3,4\n", {"skip_lines": 2}, (4, 5), 3),
        # A comment mark within a quoted cell is part of the cell.
        (b'a,note\n1,"first\n# second"\n3,x\n', {"columns": "a", "comment": "#"}, (2, 4), 1),
    ],
)
def test_lines_are_counted_as_an_editor_does(
    content: bytes, options: dict[str, Any], lines: tuple[int, ...], first_line: int
) -> None:
    table = read(content, **options)
    assert [row[0] for row in table.rows] == [1, 3]
    assert (table.lines, table.first_line) == (lines, first_line)


def test_missing_values_are_dropped_where_that_is_asked_for_and_told() -> None:
    table = read(b"a,b,c\n1,2,\n,7,1\n3,4,x\n8,NA,1\n", columns="a,b", drop_missing=True)
    assert (table.rows, table.lines, table.dropped) == (ROWS, (2, 4), (3, 5))
    assert table.note_of_dropped() == "2 of 4 rows are left out for missing values: lines 3, 5"


EITHER = b"town;size\nP;8.516\nQ;-6.336\nR;970\nS;5.100\n"


@pytest.mark.parametrize("columns", ["size", "2"])
def test_points_that_may_separate_thousands_are_told_until_somebody_decides(columns: str) -> None:
    table = read(EITHER, delimiter=";", columns=columns)
    assert table.doubtful_points == (
        "column 'size': 3 numbers such as 8.516 are read with a decimal point, which may separate thousands; "
        "use --thousands . if it does, or --decimal . if it does not",
    )
    plain, grouped = (
        read(EITHER, columns=columns, delimiter=";", **decided)
        for decided in ({"decimal": "."}, {"thousands": "."})
    )
    assert (plain.doubtful_points, grouped.doubtful_points) == ((), ())
    assert plain.rows == table.rows == ((8.516,), (-6.336,), (970.0,), (5.1,))
    assert grouped.rows == ((8516.0,), (-6336.0,), (970.0,), (5100.0,))


@pytest.mark.parametrize(
    "cell", [b"0.516;1", b"8.51;1", b"8.5161;1", b"1234.567;1", b"1.234e2;1", b".516;1", b"9;0.5", b"9710;1"]
)
def test_one_cell_can_tell_that_points_are_decimal(cell: bytes) -> None:
    content = b"a;b\n8.516;1\n6.336;2\n5.100;3\n" + cell + b"\n"
    assert read(content, delimiter=";").doubtful_points == ()


def test_a_whole_number_above_a_thousand_speaks_for_its_own_column_only() -> None:
    (told,) = read(b"2019,8.516\n2020,6.336\n2021,5.100\n2022,97\n").doubtful_points
    assert told.startswith("column 2: 3 numbers")
    assert not read(b"8.516\n6.336\n7\n").doubtful_points


@pytest.mark.parametrize("cell", [b"7.250", b"0", b"-12.000"])
def test_three_decimals_everywhere_are_decimals(cell: bytes) -> None:
    """If the point separated thousands, all numbers would only have another unit."""
    content = b"8.516;1\n6.336;2\n5.100;3\n" + cell + b";4\n"
    assert not read(content, delimiter=";").doubtful_points
    (told,) = read(content + b"970;5\n", delimiter=";").doubtful_points
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
    doubts = read(f"size;beside\n{rows}".encode(), columns=columns, delimiter=";").doubtful_points
    assert tuple(doubt.split("'")[1] for doubt in doubts) == told


def test_codes_with_zeros_in_front_are_told_until_the_columns_are_chosen() -> None:
    content = b"zip,x,hour\n01234,5,0930\n10115,6,1015\n"
    table = read(content)
    assert table.rows == ((1234.0, 5.0, 930.0), (10115.0, 6.0, 1015.0))
    assert table.doubtful_codes == (
        "columns 'zip' (such as 01234), 'hour' (such as 0930): leading zeros, as in codes, are lost in "
        "numbers; use --columns 2 if they are not measurements",
    )
    assert not read(content, columns="2").doubtful_codes
    assert not read(content, columns="1-3").doubtful_codes


@pytest.mark.parametrize(
    "cells", [("0", "1"), ("0.5", "1.5"), ("012", "3"), ("-01", "-02"), ("10", "20"), ("00", "1")]
)
def test_other_numbers_are_no_codes(cells: tuple[str, str]) -> None:
    assert not read("a,b\n{},1\n{},2\n".format(*cells).encode()).doubtful_codes
