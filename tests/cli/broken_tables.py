"""Tables that must be refused, each with the options that go with it and what the message must name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rkde.tables import TableOptions

FLAGS: Final = ("--trailing-delimiter", "--drop-missing")


def reading(arguments: Sequence[str]) -> TableOptions:
    """Return the options that a shell hands over, as the reader takes them."""
    fields: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        value: Any = True if name in FLAGS else rest.pop(0)
        if name == "--drop-value":
            fields["drop_values"] = (*fields.get("drop_values", ()), value)
            continue
        fields[name.removeprefix("--").replace("-", "_")] = int(value) if name == "--skip-lines" else value
    return TableOptions(**fields)


@dataclass(frozen=True)
class BrokenTable:
    """A table of two columns as a user might hand it in, and why it is refused."""

    name: str
    content: bytes
    fragments: tuple[str, ...]
    # As a shell hands them over.
    arguments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.name


BROKEN_TABLES = (
    BrokenTable("empty file", b"", ("must not be empty",)),
    BrokenTable("blank lines only", b"\n  \n\r\n", ("must not be empty",)),
    BrokenTable("byte order mark only", b"\xef\xbb\xbf", ("must not be empty",)),
    BrokenTable("header only", b"a,b\n", ("line 1", "a row of numbers below the header")),
    BrokenTable("text", b"a,b\n1,2\n3,four\n", ("line 3", "column 2 ('b')", "'four'", "--columns")),
    BrokenTable("text below no header", b"1,2\nx,4\n", ("line 2", "column 1", "'x'")),
    BrokenTable("NaN", b"a,b\n1,nan\n", ("line 2", "column 2 ('b')", "must not be missing", "'nan'")),
    BrokenTable("NaN in the first line", b"nan,nan\n1,2\n", ("line 1", "column 1", "'nan'")),
    BrokenTable("NA", b"a,b\nNA,2\n", ("line 2", "column 1 ('a')", "must not be missing", "'NA'")),
    BrokenTable("inf", b"a,b\n1,2\n-inf,2\n", ("line 3", "column 1 ('a')", "must be finite", "'-inf'")),
    BrokenTable("too large", b"a,b\n1,1e999\n", ("line 2", "column 2 ('b')", "float64", "rescale")),
    BrokenTable(
        "empty cell", b"a,b\n,2\n", ("line 2", "column 1 ('a')", "must not be empty", "delete the line")
    ),
    BrokenTable("empty quoted line", b'a\n1\n""\n', ("line 3", "must not be empty")),
    BrokenTable("Python's underscore", b"a,b\n1_000,2\n", ("line 2", "column 1", "'1_000'")),
    BrokenTable("other digits", "a,b\n\u0661,2\n".encode(), ("line 2", "column 1", "must be a number")),
    BrokenTable("thousands", b'a,b\n"1,234,567",2\n', ("line 2", "column 1", "'1,234,567'")),
    BrokenTable("short line", b"a,b\n1,2\n3\n", ("line 3", "as many cells as line 1 (2)", "got 1")),
    BrokenTable("long line", b"a,b\n1,2,3\n", ("line 2", "as many cells as line 1 (2)", "got 3")),
    BrokenTable("blank line inside", b"a,b\n1,2\n\n3,4\n", ("line 3", "must not be blank", "delete")),
    BrokenTable("blank line in front", b"\na,b\n1,2\n", ("line 1", "must not be blank")),
    BrokenTable("semicolons", b"a;b\n1;2\n", ("several columns", "--delimiter ';'")),
    BrokenTable("semicolons, header only", b"a;b\n", ("line 1", "--delimiter ';'")),
    BrokenTable("tabs", b"1\t2\n3\t4\n", ("several columns", "--delimiter tab")),
    BrokenTable("bars", b"a|b\n1|2\n", ("several columns", "--delimiter '|'")),
    BrokenTable("spaces", b"1 2\n3 4\n", ("several columns", "--delimiter whitespace")),
    BrokenTable("commas read as semicolons", b"a,b\n1,2\n", ("--delimiter ','",), ("--delimiter", ";")),
    BrokenTable(
        "decimal commas and semicolons", b"a;b\n1,5;2,5\n", ("line 2", "--delimiter ';'", "--decimal ,")
    ),
    BrokenTable("the same, no header", b"1,5;2,5\n3,5;4,5\n", ("line 1", "--delimiter ';'")),
    BrokenTable(
        "decimal comma",
        b"a;b\n1,5;2\n",
        ("line 2", "column 1 ('a')", "without a comma", "'1,5'", "--decimal ,"),
        ("--delimiter", ";"),
    ),
    BrokenTable(
        "decimal comma in the first line",
        b"1,5;2,5\n3,5;4\n",
        ("line 1", "column 1", "without a comma"),
        ("--delimiter", ";"),
    ),
    BrokenTable("decimal commas cut in two", b"a\n1,5\n", ("line 2", "got 2", "--decimal ,")),
    BrokenTable(
        "decimal commas are told, the delimiter is not",
        b"a;b\n1,5;2,5\n",
        ("delimiter", "','", "must differ", "--delimiter ';'"),
        ("--decimal", ","),
    ),
    BrokenTable(
        "a decimal point among commas",
        b"a;b\n1,5;2\n1.5;2\n",
        ("line 3", "column 1 ('a')", "a decimal point", "'1.5'", "as a comma"),
        ("--delimiter", ";", "--decimal", ","),
    ),
    BrokenTable(
        "thousands with decimal commas",
        b"a;b\n1.234,5;2\n",
        ("line 2", "column 1 ('a')", "a point", "'1.234,5'", "--thousands ."),
        ("--delimiter", ";", "--decimal", ","),
    ),
    BrokenTable(
        "a missing value among decimal commas",
        b"a;b\n1,5;NA\n",
        ("line 2", "column 2 ('b')", "must not be missing"),
        ("--delimiter", ";", "--decimal", ","),
    ),
    BrokenTable(
        "too large, with a decimal comma",
        b"a\n1,5e999\n",
        ("line 2", "column 1 ('a')", "float64"),
        ("--delimiter", ";", "--decimal", ","),
    ),
    BrokenTable(
        "minus of a word processor",
        "a,b\n\u22121,2\n".encode(),
        ("line 2", "minus sign", "write the sign as -"),
    ),
    BrokenTable("a very long cell", b"a\n1\n" + 200_000 * b"x" + b"\n", ("line 3", "131072 characters")),
    BrokenTable("separators of thousands", b'a,b\n"1,000",2\n', ("line 2", "'1,000'", "without a comma")),
    BrokenTable("UTF-16 without a mark", "a,b\n1,2\n".encode("utf-16-le"), ("line 1", "binary file")),
    BrokenTable(
        "Excel's note", b"sep=;\na;b\n1;2\n", ("line 1", "must be a row", "--skip-lines 1", "--delimiter ';'")
    ),
    BrokenTable(
        "Excel's note of a tab", b'\xef\xbb\xbf"sep=\t"\r\na\tb\r\n1\t2\r\n', ("line 1", "--delimiter tab")
    ),
    BrokenTable("trailing empty column", b"1,2,\n3,4,\n", ("line 1", "column 3", "--columns 1,2")),
    BrokenTable("the same with a header", b"a,b,\n1,2,\n", ("line 1", "column 3", "--columns 1,2")),
    BrokenTable("delimiter at the end of the data", b"a,b\n1,2,\n", ("line 2", "end of the line")),
    BrokenTable(
        "delimiter at the end of every line, named", b"a,b,\n1,2,\n", ("line 1", "--trailing-delimiter")
    ),
    BrokenTable(
        "no delimiter at the end of one line",
        b"a,b,\n1,2,\n3,4\n",
        ("line 3", "must end with the delimiter", "leave out --trailing-delimiter"),
        ("--trailing-delimiter",),
    ),
    BrokenTable(
        "one delimiter too many at the end",
        b"a,b\n1,2,,\n",
        ("line 2", "got 3"),
        ("--trailing-delimiter",),
    ),
    BrokenTable("row labels", b",a,b\n7,1,2\n", ("line 1", "column 1", "row labels", "--columns 2,3")),
    BrokenTable("mixed first line", b"a,1\n2,3\n", ("line 1", "column 2", "'a'", "--header")),
    BrokenTable("names read as data", b"a,b\n1,2\n", ("line 1", "--header yes"), ("--header", "no")),
    BrokenTable("open quotation", b'a,b\n1,2\n"3,4\n5,6\n', ("line 3", "quoting")),
    BrokenTable("text after a quotation", b'a,b\n"1"2,3\n', ("line 2", "quoting")),
    BrokenTable("line end inside a cell", b'a,b\n1,"2\n3"\n', ("line 2", "column 2", r"'2\n3'")),
    BrokenTable("binary", b"a,b\n1,\x002\n", ("line 2", "binary")),
    BrokenTable("zip archive", b"PK\x03\x04rest", ("zip archive", "CSV")),
    BrokenTable("UTF-16", "a,b\n1,2\n".encode("utf-16"), ("UTF-16", "UTF-8")),
    BrokenTable("Latin-1", "a,b\n1,2\nä,3\n".encode("latin-1"), ("line 3", "UTF-8", "0xe4")),
    # Chosen: a picture leaves out a column of text alone.
    BrokenTable("control characters", b"a,b\n1,\x1b[2J\n", ("line 2", r"'\x1b[2J'"), ("--columns", "a,b")),
    BrokenTable(
        "very long cell", b"a,b\n1," + b"x" * 200 + b"\n", ("line 2", "xxx...'"), ("--columns", "a,b")
    ),
    BrokenTable("unknown name", b"alpha,beta\n1,2\n", ("'gamma'", "'alpha', 'beta'"), ("--columns", "gamma")),
    BrokenTable("misspelt name", b"alpha,beta\n1,2\n", ("'alhpa'", "try 'alpha'"), ("--columns", "alhpa")),
    BrokenTable("name without header", b"1,2\n", ("'a'", "1-based numbers"), ("--columns", "a")),
    BrokenTable("name, header denied", b"a,b\n1,2\n", ("header",), ("--columns", "a", "--header", "no")),
    BrokenTable("ambiguous name", b"a,a\n1,2\n", ("2 columns", "'a'"), ("--columns", "a")),
    BrokenTable("column too high", b"a,b\n1,2\n", ("at least 3 columns", "got 2"), ("--columns", "3")),
    BrokenTable("column 0", b"a,b\n1,2\n", ("'0'", "from 1"), ("--columns", "0")),
    BrokenTable("backward range", b"a,b\n1,2\n", ("'2-1'", "low-high"), ("--columns", "2-1")),
    BrokenTable("column twice", b"a,b\n1,2\n", ("column 1", "twice"), ("--columns", "1,1")),
    BrokenTable("name and number of one", b"a,b\n1,2\n", ("column 1", "twice"), ("--columns", "a,1")),
    BrokenTable("no choice at all", b"a,b\n1,2\n", ("empty",), ("--columns", "")),
    BrokenTable("empty choice", b"a,b\n1,2\n", ("empty",), ("--columns", "a,,b")),
    BrokenTable("delimiter of two", b"a,b\n1,2\n", ("delimiter", "'::'"), ("--delimiter", "::")),
    BrokenTable("delimiter in numbers", b"a,b\n1,2\n", ("delimiter", "'.'"), ("--delimiter", ".")),
)
