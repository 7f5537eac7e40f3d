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


SEMICOLONS = ("--delimiter", ";")
COMMAS = (*SEMICOLONS, "--decimal", ",")
_ROWS: Final[tuple[tuple[Any, ...], ...]] = (
    ("empty file", b"", ("must not be empty",)),
    ("blank lines only", b"\n  \n\r\n", ("must not be empty",)),
    ("byte order mark only", b"\xef\xbb\xbf", ("must not be empty",)),
    ("header only", b"a,b\n", ("line 1", "a row of numbers below the header")),
    ("text", b"a,b\n1,2\n3,four\n", ("line 3", "column 2 ('b')", "'four'", "--columns")),
    ("text below no header", b"1,2\nx,4\n", ("line 2", "column 1", "'x'")),
    ("NaN", b"a,b\n1,nan\n", ("line 2", "column 2 ('b')", "must not be missing", "'nan'")),
    ("NaN in the first line", b"nan,nan\n1,2\n", ("line 1", "column 1", "'nan'")),
    ("NA", b"a,b\nNA,2\n", ("line 2", "column 1 ('a')", "must not be missing", "'NA'")),
    ("inf", b"a,b\n1,2\n-inf,2\n", ("line 3", "column 1 ('a')", "must be finite", "'-inf'")),
    ("too large", b"a,b\n1,1e999\n", ("line 2", "column 2 ('b')", "float64", "rescale")),
    ("empty cell", b"a,b\n,2\n", ("line 2", "column 1 ('a')", "must not be empty", "delete the line")),
    ("empty quoted line", b'a\n1\n""\n', ("line 3", "must not be empty")),
    ("Python's underscore", b"a,b\n1_000,2\n", ("line 2", "column 1", "'1_000'")),
    ("other digits", "a,b\n\u0661,2\n".encode(), ("line 2", "column 1", "must be a number")),
    ("thousands", b'a,b\n"1,234,567",2\n', ("line 2", "column 1", "'1,234,567'")),
    ("short line", b"a,b\n1,2\n3\n", ("line 3", "as many cells as line 1 (2)", "got 1")),
    ("long line", b"a,b\n1,2,3\n", ("line 2", "as many cells as line 1 (2)", "got 3")),
    ("blank line inside", b"a,b\n1,2\n\n3,4\n", ("line 3", "must not be blank", "delete")),
    ("blank line in front", b"\na,b\n1,2\n", ("line 1", "must not be blank")),
    ("semicolons", b"a;b\n1;2\n", ("several columns", "--delimiter ';'")),
    ("semicolons, header only", b"a;b\n", ("line 1", "--delimiter ';'")),
    ("tabs", b"1\t2\n3\t4\n", ("several columns", "--delimiter tab")),
    ("bars", b"a|b\n1|2\n", ("several columns", "--delimiter '|'")),
    ("spaces", b"1 2\n3 4\n", ("several columns", "--delimiter whitespace")),
    ("commas read as semicolons", b"a,b\n1,2\n", ("--delimiter ','",), SEMICOLONS),
    ("decimal commas and semicolons", b"a;b\n1,5;2,5\n", ("line 2", "--delimiter ';'", "--decimal ,")),
    ("the same, no header", b"1,5;2,5\n3,5;4,5\n", ("line 1", "--delimiter ';'")),
    (
        "decimal comma",
        b"a;b\n1,5;2\n",
        ("line 2", "column 1 ('a')", "without a comma", "'1,5'", "--decimal ,"),
        SEMICOLONS,
    ),
    (
        "decimal comma in the first line",
        b"1,5;2,5\n3,5;4\n",
        ("line 1", "column 1", "without a comma"),
        SEMICOLONS,
    ),
    ("decimal commas cut in two", b"a\n1,5\n", ("line 2", "got 2", "--decimal ,")),
    (
        "decimal commas are told, the delimiter is not",
        b"a;b\n1,5;2,5\n",
        ("delimiter", "','", "must differ", "--delimiter ';'"),
        ("--decimal", ","),
    ),
    (
        "a decimal point among commas",
        b"a;b\n1,5;2\n1.5;2\n",
        ("line 3", "column 1 ('a')", "a decimal point", "'1.5'", "as a comma"),
        COMMAS,
    ),
    (
        "thousands with decimal commas",
        b"a;b\n1.234,5;2\n",
        ("line 2", "column 1 ('a')", "a point", "'1.234,5'", "--thousands ."),
        COMMAS,
    ),
    (
        "a missing value among decimal commas",
        b"a;b\n1,5;NA\n",
        ("line 2", "column 2 ('b')", "must not be missing"),
        COMMAS,
    ),
    ("too large, with a decimal comma", b"a\n1,5e999\n", ("line 2", "column 1 ('a')", "float64"), COMMAS),
    (
        "minus of a word processor",
        "a,b\n\u22121,2\n".encode(),
        ("line 2", "minus sign", "write the sign as -"),
    ),
    ("a very long cell", b"a\n1\n" + 200_000 * b"x" + b"\n", ("line 3", "131072 characters")),
    ("separators of thousands", b'a,b\n"1,000",2\n', ("line 2", "'1,000'", "without a comma")),
    ("UTF-16 without a mark", "a,b\n1,2\n".encode("utf-16-le"), ("line 1", "binary file")),
    ("Excel's note", b"sep=;\na;b\n1;2\n", ("line 1", "must be a row", "--skip-lines 1", "--delimiter ';'")),
    ("Excel's note of a tab", b'\xef\xbb\xbf"sep=\t"\r\na\tb\r\n1\t2\r\n', ("line 1", "--delimiter tab")),
    ("trailing empty column", b"1,2,\n3,4,\n", ("line 1", "column 3", "--columns 1,2")),
    ("the same with a header", b"a,b,\n1,2,\n", ("line 1", "column 3", "--columns 1,2")),
    ("delimiter at the end of the data", b"a,b\n1,2,\n", ("line 2", "end of the line")),
    ("delimiter at the end of every line, named", b"a,b,\n1,2,\n", ("line 1", "--trailing-delimiter")),
    (
        "no delimiter at the end of one line",
        b"a,b,\n1,2,\n3,4\n",
        ("line 3", "must end with the delimiter", "leave out --trailing-delimiter"),
        ("--trailing-delimiter",),
    ),
    ("one delimiter too many at the end", b"a,b\n1,2,,\n", ("line 2", "got 3"), ("--trailing-delimiter",)),
    ("row labels", b",a,b\n7,1,2\n", ("line 1", "column 1", "row labels", "--columns 2,3")),
    ("mixed first line", b"a,1\n2,3\n", ("line 1", "column 2", "'a'", "--header")),
    ("names read as data", b"a,b\n1,2\n", ("line 1", "--header yes"), ("--header", "no")),
    ("open quotation", b'a,b\n1,2\n"3,4\n5,6\n', ("line 3", "quoting")),
    ("text after a quotation", b'a,b\n"1"2,3\n', ("line 2", "quoting")),
    ("line end inside a cell", b'a,b\n1,"2\n3"\n', ("line 2", "column 2", r"'2\n3'")),
    ("binary", b"a,b\n1,\x002\n", ("line 2", "binary")),
    ("zip archive", b"PK\x03\x04rest", ("zip archive", "CSV")),
    ("UTF-16", "a,b\n1,2\n".encode("utf-16"), ("UTF-16", "UTF-8")),
    ("Latin-1", "a,b\n1,2\nä,3\n".encode("latin-1"), ("line 3", "UTF-8", "0xe4")),
    # Chosen: a picture leaves out a column of text alone.
    ("control characters", b"a,b\n1,\x1b[2J\n", ("line 2", r"'\x1b[2J'"), ("--columns", "a,b")),
    ("very long cell", b"a,b\n1," + b"x" * 200 + b"\n", ("line 2", "xxx...'"), ("--columns", "a,b")),
    ("unknown name", b"alpha,beta\n1,2\n", ("'gamma'", "'alpha', 'beta'"), ("--columns", "gamma")),
    ("misspelt name", b"alpha,beta\n1,2\n", ("'alhpa'", "try 'alpha'"), ("--columns", "alhpa")),
    ("name without header", b"1,2\n", ("'a'", "1-based numbers"), ("--columns", "a")),
    ("name, header denied", b"a,b\n1,2\n", ("header",), ("--columns", "a", "--header", "no")),
    ("ambiguous name", b"a,a\n1,2\n", ("2 columns", "'a'"), ("--columns", "a")),
    ("column too high", b"a,b\n1,2\n", ("at least 3 columns", "got 2"), ("--columns", "3")),
    ("column 0", b"a,b\n1,2\n", ("'0'", "from 1"), ("--columns", "0")),
    ("backward range", b"a,b\n1,2\n", ("'2-1'", "low-high"), ("--columns", "2-1")),
    ("column twice", b"a,b\n1,2\n", ("column 1", "twice"), ("--columns", "1,1")),
    ("name and number of one", b"a,b\n1,2\n", ("column 1", "twice"), ("--columns", "a,1")),
    ("no choice at all", b"a,b\n1,2\n", ("empty",), ("--columns", "")),
    ("empty choice", b"a,b\n1,2\n", ("empty",), ("--columns", "a,,b")),
    ("delimiter of two", b"a,b\n1,2\n", ("delimiter", "'::'"), ("--delimiter", "::")),
    ("delimiter in numbers", b"a,b\n1,2\n", ("delimiter", "'.'"), ("--delimiter", ".")),
)
BROKEN_TABLES = tuple(BrokenTable(*row) for row in _ROWS)
