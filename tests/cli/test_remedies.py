"""The remedy in a message, followed on the table that caused it, ends with the right numbers."""

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from rkde.cli.failures import EXIT_NO_ANSWER, describe
from rkde.errors import InvalidInput, NotConverged
from rkde.tables import read_table
from tests.cli.broken_tables import BROKEN_TABLES, FLAGS, BrokenTable, reading
from tests.cli.running import assert_refused, rows_of, run, succeeded, write_table

Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Case:
    """A table that is refused, and what stands in it for a person who reads it."""

    content: bytes
    right: Rows
    arguments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.content!r} {' '.join(self.arguments)}"


COMMAS = ("--delimiter", ";", "--decimal", ",")
CASES = (
    # Separators of thousands.
    Case(b"town;size\nP;8.516\nQ;970\n", ((8516,), (970,)), (*COMMAS, "--columns", "size")),
    Case(b"a;b\n1.234.567;0,5\n", ((1234567, 0.5),), COMMAS),
    Case(b"a;b\n970;0,5\n1.234,75;2\n", ((970, 0.5), (1234.75, 2)), COMMAS),
    Case(b'a,b\n"1,234,567",2\n', ((1234567, 2),)),
    Case(b'a,b\n"1,234.5",2\n', ((1234.5, 2),)),
    Case(b"a;b\n1'234;2\n", ((1234, 2),), ("--delimiter", ";")),
    Case(b"a;b\n1 234;2\n", ((1234, 2),), ("--delimiter", ";")),
    Case(b"town,size\nP,1.004.500\nQ,970\n", ((1004500,), (970,)), ("--columns", "size")),
    Case(b"a;b\n1.004.500;0,5\n", ((1004500, 0.5),), ("--delimiter", ";")),
    Case(b"a\n1.004.500\n", ((1004500,),), ("--delimiter", ";", "--decimal", ",")),
    Case(b"x;y\n1.234,50;2\n2.345,10;3\n", ((1234.5, 2), (2345.1, 3)), ("--delimiter", ";")),
    Case(b"x;y\n1 234,50;2\n2 345,10;3\n", ((1234.5, 2), (2345.1, 3)), ("--delimiter", ";")),
    Case("x;y\n1\xa0234;2\n2\u202f345;3\n".encode(), ((1234, 2), (2345, 3)), ("--delimiter", ";")),
    *(
        Case(
            f"n;x\na;{cell}\n{'b;900,0' if ',5' in cell else 'b;900.0'}\nc;70\n".encode(),
            ((1204.5,), (900,), (70,)),
            arguments,
        )
        for cell in ("1.204,5", "1'204,5", "1 204,5", "1\xa0204,5", "1,204.5", "1'204.5", "1 204.5")
        for arguments in (("--delimiter", ";"), *([COMMAS] if ",5" in cell else []))
    ),
    # Missing values, and delimiters at the end.
    Case(b"x,y\n1,2\n2,3\n3,\n4,5\n", ((1, 2), (2, 3), (4, 5))),
    Case(b"x,y\n1,2\n,3\n4,5\n", ((1, 2), (4, 5))),
    Case(b"1,2\n2,NA\n4,5\n", ((1, 2), (4, 5))),
    Case(b"1,2,\n4,5,\n", ((1, 2), (4, 5))),
    Case(b"a,b,\n1,2,\n4,5,\n", ((1, 2), (4, 5))),
    Case(b"a,b\n1,2,\n4,5,\n", ((1, 2), (4, 5))),
    Case(b"x,y\n1,2\n#DIV/0!,3\n4,5\n", ((1, 2), (4, 5))),
    Case(b"x,y\n#REF!,2\n2,3\n4,#VALUE!\n5,6\n", ((2, 3), (5, 6))),
    # Decimal commas.
    Case(b'"1,5","2,5"\n"2,0","3,0"\n', ((1.5, 2.5), (2, 3))),
    Case(b"a;b\n1,5;2,5\n", ((1.5, 2.5),)),
    Case(b"1,5;2,5\n2;3\n", ((1.5, 2.5), (2, 3))),
    Case(b"a;b\n1,5;2\n", ((1.5, 2),), ("--delimiter", ";")),
    Case(b"a;b\n1,5;2,5\n", ((1.5, 2.5),), ("--decimal", ",")),
    # Other delimiters.
    Case(b"a;b\n1;2\n", ((1, 2),)),
    Case(b"1\t2\n3\t4\n", ((1, 2), (3, 4))),
    Case(b"1 2\n3 4\n", ((1, 2), (3, 4))),
    Case(b"a,b\n1,2\n", ((1, 2),), ("--delimiter", ";")),
    # Runs of spaces, tabs beside them, and R's names of rows, which the line of names does not name.
    *(
        Case(content, right)
        for right, contents in (
            (
                ((1.5, 2.5), (2.5, 3.5), (4, 5)),
                (
                    b'"x" "y"\n"1" 1.5 2.5\n"2" 2.5 3.5\n"3" 4 5\n',
                    b'"x"\t"y"\n"1"\t1.5\t2.5\n"2"\t2.5\t3.5\n"3"\t4\t5\n',
                    b'"x" "y"\n"p q" 1.5 2.5\n"r  s" 2.5 3.5\n"s t" 4 5\n',
                    b"x y\np 1.5 2.5\nq 2.5 3.5\nr 4 5\n",
                    b"  x    y\n1.5  2.5\n2.5  3.5\n  4  5  \n",
                    b"1.5  2.5\r\n 2.5 3.5\r\n4  5\r\n",
                    b"x\ty\n1.5 \t2.5\n2.5\t 3.5\n4\t5\n",
                    b"x y\n1.5\t2.5\n2.5\t3.5\n4\t5\n",
                ),
            ),
            (((1, 2, 3), (4, 5, 6)), (b"x\ty z\n1\t2 3\n4\t5 6\n", b"1\t2 3\n4\t5 6\n")),
            (((1.5,), (2.5,), (4,)), (b'"x"\n"1" 1.5\n"2" 2.5\n"3" 4\n',)),
        )
        for content in contents
    ),
    *(
        Case(content, ((1.5, 2), (2.5, 3), (4, 5)), ("--delimiter", " "))
        for content in (b"1.5 2\n2.5   3\n4 5\n", b"x y\n1.5  2\n2.5 3\n4 5\n", b" x y\n1.5 2\n2.5 3\n4 5\n")
    ),
    # Lines that are no part of the table.
    Case(b"# logger 7\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"Logger 7\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"% made by hand\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"sep=;\na;b\n1;2\n", ((1, 2),)),
    Case(b"# logger 7\n# two\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"# a, b\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"x,y\n1,2\n# pause\n2,3\n", ((1, 2), (2, 3))),
    Case(b"Report\nSpring\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"x,y\n1,2\n#N/A,5\n2,3\n", ((1, 2), (2, 3))),
    Case(b"id,x,y\n#a,1,2\n#b,2,3\n", ((1, 2), (2, 3)), ("--columns", "1-3")),
    Case(b"id,x,y\n#1,1,2\n#2,2,3\n", ((1, 2), (2, 3)), ("--columns", "1-3")),
    Case(b"kind,x,y\n7-1,1,2\n7-2,2,3\n", ((1, 2), (2, 3)), ("--columns", "1-3")),
    Case(b"x,mass,y\n1,12 kg,2\n2,9 kg,3\n", ((1, 2), (2, 3))),
    Case(b"id,kind,x\n1,a,1\n2,3,2\n", ((1, 1), (2, 2))),
    Case(b"x,y\nm,kg\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"x,y,who\nm,kg,-\n1,2,A\n2,3,B\n", ((1, 2), (2, 3)), ("--columns", "1-2")),
    # One line is at fault, not a column.
    Case(b"temp,cond\nC,1\n1,2\n2,3\n3,4\n", ((1, 2), (2, 3), (3, 4))),
    Case(b"temp,cond\n1,C\n1,2\n2,3\n3,4\n", ((1, 2), (2, 3), (3, 4))),
    Case(b"x,y,z\nmm,mm,\n1,2,3\n2,3,3\n3,5,4\n", ((1, 2, 3), (2, 3, 3), (3, 5, 4)), ("--columns", "1-3")),
    Case(b"x,y\n1,2\n2,3\n3,4\nTotal,9\n", ((1, 2), (2, 3), (3, 4))),
    Case(b"1,2\n2,3\n3,4\nTotal,9\n", ((1, 2), (2, 3), (3, 4))),
    Case(b"x,y\nC,1\n1,2\n2,3\n3,4\nTotal,9\n", ((1, 2), (2, 3), (3, 4))),
    *(
        Case(names + b"1,2\n2,3\n3,4\n" + ending, ((1, 2), (2, 3), (3, 4)))
        for names in (b"x,y\n", b"")
        for ending in (
            b"Total\n",
            b"Total,\n",
            b"Total,9\n",
            b"Total,9,9\n",
            b"Total 6 9\n",
            b"Total,\nSource: a town\n",
            b"n=3\nSource: a, b, c\nTotal\n",
            b"4\n",
            b"# end\n",
        )
    ),
    Case(b"x,y\n# a comment\n1,2\n2,3\n", ((1, 2), (2, 3))),
    *(
        Case(content.replace(b";", mark), ((1, 2), (2, 3)))
        for content in (
            b"# zone UTC\nx;y\n1;2\n2;3\n",
            b"# zone UTC\n# made by hand\nx;y\n1;2\n2;3\n",
            b"# zone UTC\n# site; depth\nx;y\n1;2\n2;3\n",
            b"# zone UTC\nwho;x;y\nA;1;2\nB;2;3\n",
            b"# zone UTC\n# site 4\nwho;x;y\nA;1;2\nB;2;3\n",
        )
        for mark in (b",", b";", b"\t")
    ),
    Case(b"x,y\n1,2\nx,y\n2,3\nx,y\nx,y\n3,4\n", ((1, 2), (2, 3), (3, 4))),
    # Columns without a number.
    Case(b"x,y,z\n1,2,\n2,3,NA\n", ((1, 2), (2, 3))),
    Case(b"x,z,y\n1,,2\n2,,3\n", ((1, 2), (2, 3))),
    Case(b"z,x,y,note\n,1,2,5 kg\n,2,3,7\n", ((1, 2), (2, 3))),
    Case(b"x,z,y\n1,,2\n2,,3\n", ((1, 2), (2, 3)), ("--drop-missing",)),
    Case(b"x,z,y,u\n1,,2,5\n2,,3,6\n3,3,4,\n,,4,\n", ((1, 2, 5), (2, 3, 6)), ("--drop-missing",)),
    Case(b"| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", ((1, 2), (3, 4))),
    # Titles above the names.
    Case(b"Report; 2024\n\nx;y\n1;2\n2;3\n", ((1, 2), (2, 3)), ("--delimiter", ";")),
    Case(b"Report\nSpring\n\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"Report\n\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(b"Sales 2024,,\nid,x,y\na,1,2\nb,2,3\n", ((1, 2), (2, 3))),
    Case(b"Sales 2024,,\nNorth,,\nid,x,y\na,1,2\nb,2,3\n", ((1, 2), (2, 3))),
    Case(b"2024,,\nid,x,y\na,1,2\nb,2,3\n", ((1, 2), (2, 3))),
    Case(b"Report,2024\nx,y\n1,2\n2,3\n", ((1, 2), (2, 3))),
    Case(
        b'"TOA5","S7","CR1000","12345"\n"TIME","N","T"\n"TS","RN","C"\n"","","Avg"\n'
        b'"2025-04-01",1,6.5\n"2025-04-02",2,7.5\n"2025-04-03",3,8.5\n',
        ((1, 6.5), (2, 7.5), (3, 8.5)),
    ),
    # Columns and headers.
    Case(b",a,b\n7,1,2\n", ((1, 2),)),
    Case(b",0,1\n0,5,6\n1,7,8\n", ((5, 6), (7, 8))),
    Case(b",2019,2020\n0,5,6\n1,7,8\n", ((5, 6), (7, 8)), ("--columns", "2-3")),
    Case(b"a,b\n1,2\n", ((1, 2),), ("--header", "no")),
)


def options_in(remedy: str) -> list[tuple[str, ...]]:
    """Return each option that a remedy spells out, with its value, as a shell would hand it over."""
    found: list[tuple[str, ...]] = []
    for name, value in re.findall(r"(--[a-z-]+)(?: ('[^']*'|\"'\"|[^\s;:]+))?", remedy):
        if name in FLAGS:
            found.append((name,))
        elif value:
            found.append((name, value if value == "," else shlex.split(value.rstrip(","))[0]))
    return found


def outcome(content: bytes, arguments: tuple[str, ...]) -> Rows | str:
    """Return the rows that are read, or the remedy of the message."""
    try:
        return read_table(content, reading(arguments), source="s").rows
    except InvalidInput as error:
        return str(error.remedy)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_a_chain_of_remedies_ends_with_the_right_rows(case: Case) -> None:
    """Every option that a message names is tried, alone and with the others, until nothing is left to try."""
    reached: set[Rows] = set()
    waiting, seen = [case.arguments], set()
    while waiting:
        arguments = waiting.pop()
        if reading(arguments) in seen:
            continue
        seen.add(reading(arguments))
        found = outcome(case.content, arguments)
        if not isinstance(found, str):
            reached.add(found)
            continue
        options = options_in(found)
        together = tuple(part for option in options for part in option)
        waiting += [(*arguments, *option) for option in options] + [(*arguments, *together)]
    assert reached == {case.right}
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("content", "arguments", "remedies"),
    [
        (b"a,1\n2,3\n3,4\n", (), {"if the line holds names": ((2, 3), (3, 4))}),
        (b"id,1,2\nv,3,4\n", (), {"if the line holds names": ((3, 4),), "if it is a row": ((1, 2), (3, 4))}),
        (b"NA,1\n2,3\n", (), {"if the line holds names": ((2, 3),), "if it is a row": ((2, 3),)}),
        (b"12 kg,1\n2,3\n3,4\n", (), {"": ((1,), (3,), (4,))}),
        (
            b"town,1978,1979\nP,14.1,14.9\n",
            ("--columns", "2-3"),
            {"if the line holds names": ((14.1, 14.9),), "if it is a row": ((1978, 1979), (14.1, 14.9))},
        ),
    ],
)
def test_what_a_header_option_is_for_is_said_and_nothing_else_is_offered(
    content: bytes, arguments: tuple[str, ...], remedies: dict[str, Rows]
) -> None:
    remedy = outcome(content, arguments)
    assert isinstance(remedy, str)
    parts = [part for part in re.split(r", (?=--header)|; otherwise", remedy) if "--" in part]
    assert len(parts) == len(remedies)
    for part, (condition, right) in zip(parts, remedies.items(), strict=True):
        assert part.endswith(condition)
        options = [word for option in options_in(part) for word in option]
        assert outcome(content, (*arguments, *options)) == right


@pytest.mark.parametrize(
    ("content", "right"),
    [
        (b"x,y\n3,1.5,2\n7,2.5,3\n", ((1.5, 2), (2.5, 3))),
        (b"x,y\nA,1,2\nA,2,3\n", ((1, 2), (2, 3))),
        (b"# made\nx,y,z\n3,1,2,5\n7,2,3,6\n", ((1, 2, 5), (2, 3, 6))),
        (b"x,y\n1,3,2\n2,4,3\n", ((3, 2), (4, 3))),
    ],
)
def test_rows_with_one_cell_more_than_names_are_read_without_their_first(content: bytes, right: Rows) -> None:
    arguments = ("--comment", "#")
    remedy = outcome(content, arguments)
    assert isinstance(remedy, str)
    assert "if the first cells are names of rows; otherwise add the name" in remedy
    options = [part for option in options_in(remedy) for part in option]
    assert outcome(content, (*arguments, *options)) == right
    named = content.replace(b"x,", b"row,x,", 1)
    assert outcome(named, (*arguments, "--columns", "-".join(("2", str(len(right[0]) + 1))))) == right


@pytest.mark.parametrize("broken", BROKEN_TABLES, ids=repr)
def test_a_line_that_is_to_be_deleted_was_the_fault(broken: BrokenTable) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_table(broken.content, reading(broken.arguments), source="s")
    line = re.search(r"line (\d+)", str(caught.value.where))
    if line is None or "delete the line" not in str(caught.value.remedy):
        return
    kept = broken.content.splitlines(keepends=True)
    del kept[int(line[1]) - 1]
    found = outcome(b"".join(kept), broken.arguments)
    # A table of this one row has none left.
    assert not isinstance(found, str) or found == "add the data"


GOOD = [(20 + (7 * i % 11 - 5) * 0.6, 50 + (5 * i % 13 - 6) * 1.3) for i in range(60)]
FILLERS = [*GOOD, *6 * [(-999.0, -999.0)]]
MOSTLY_ONE = [*7 * [(1,)], *2 * [(2,)], (5,)]
TWO_PLACES = [*10 * [(0.0,)], *10 * [(1.0,)]]
ROUNDED = [(float(i // 2), float(i // 4)) for i in range(40)]


@pytest.mark.parametrize(
    ("rows", "arguments", "fragment", "options"),
    [
        (MOSTLY_ONE, "--bandwidth scott", "a = 0", ("--loss absolute", "--loss quadratic")),
        (MOSTLY_ONE, "--bandwidth scott --loss huber", "a = 0", ("--loss absolute", "--loss quadratic")),
        (TWO_PLACES, "--bandwidth 1", "a = b = c = 0.44", ("--loss huber",)),
        (FILLERS, "--bandwidth lscv", "6 of them at (-999, -999)", ("--bandwidth scott",)),
        (ROUNDED, "--bandwidth median_nn", "40 of 40 rows", ("--bandwidth median_nn_distinct",)),
    ],
)
def test_what_the_command_line_advises_works(
    rows: list[tuple[float, ...]], arguments: str, fragment: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    table, model = write_table(tmp_path / "t.csv", "", rows), tmp_path / "m.npz"
    common = ("fit", table, "-o", model, "--recipe", "paper", *arguments.split())
    refused = run(*common)
    assert_refused(refused, (fragment, *options), EXIT_NO_ANSWER)
    assert ("--quantiles" in refused.stderr) == (rows is MOSTLY_ONE)
    for option in options:
        succeeded(run(*common, *option.split()))


def test_the_rule_that_is_advised_finds_the_fillers(tmp_path: Path) -> None:
    table = write_table(tmp_path / "t.csv", "", FILLERS)
    listed = rows_of(run("outliers", table, "--recipe", "paper", "--bandwidth", "scott"))[:6]
    assert sorted(int(row["row"]) for row in listed) == list(range(61, 67))


def test_advice_on_a_curve_is_followed_to_the_end(tmp_path: Path) -> None:
    rows = [(float(i), 20.0 if i == 100 else 0.1 * (7 * i % 11 - 5) / 5) for i in range(200)]
    table = write_table(tmp_path / "t.csv", "", rows)
    for bandwidth in ("scott", "silverman"):
        common = ("outliers", table, "--recipe", "paper", "--bandwidth", bandwidth, "--top", "1")
        told = run(*common)
        assert "row 101, among the most isolated of all," in told.stderr
        assert "--loss quadratic" in told.stderr
        followed = run(*common, "--loss", "quadratic")
        assert "among the most isolated" not in followed.stderr
        assert "have weight 0" not in followed.stderr
        assert succeeded(followed).splitlines()[1].startswith("1,101,")
        assert not succeeded(told).splitlines()[1].startswith("1,101,")


@pytest.mark.parametrize(("mark", "spelling"), [(";", "';'"), ("\t", "tab")])
def test_a_delimiter_of_quoted_cells_is_named_and_works(tmp_path: Path, mark: str, spelling: str) -> None:
    rows = [[f'"{k}"{mark}"{k * k % 7}"'] for k in range(12)]
    table = write_table(tmp_path / "quoted.csv", f'"u"{mark}"v"', rows)
    assert_refused(run("outliers", table), ("quoting is broken", f"try --delimiter {spelling}"))
    succeeded(run("outliers", table, "--delimiter", mark))


def test_rows_without_weight_under_hubers_loss_are_not_sent_to_it(tmp_path: Path) -> None:
    table = tmp_path / "tied.csv"
    table.write_text("x\n" + "3\n" * 8 + "4\n" * 2 + "9\n")
    refused = run("outliers", table, "--loss", "huber", "--bandwidth", "scott", "--json")
    assert "and if they are good, use --loss quadratic" in refused.stderr
    assert "have weight 0" not in run("outliers", table, "--loss", "quadratic", "--bandwidth", "scott").stderr


def test_columns_of_text_dates_and_labels_are_left_out_by_each_command_that_fits(tmp_path: Path) -> None:
    table, model = tmp_path / "texts.csv", tmp_path / "m.npz"
    texts = ("p{}", "#{}", "7-{}", "2024-01-{:02}", "{:02}.10.2000", "1/{}/24", "2024-05-{:02}T00:10:00")
    texts += ("12:{:02}", "{}:30 PM")
    commands = (("outliers", table), ("fit", table, "-o", model), ("plot", table, "-o", tmp_path / "p.svg"))
    for text in texts:
        rows = [(text.format(k + 1), k * 1.5, "xy"[k % 2], k * k % 7) for k in range(12)]
        write_table(table, "day,a,kind,b", rows)
        for command in commands if text == texts[0] else commands[:1]:
            told = run(*command)
            assert "texts.csv: text columns left out: 'day', 'kind'" in told.stderr
            chosen = run(*command, "--columns", "2,4")
            assert (chosen.stdout, chosen.exit_code) == (told.stdout, 0)
    assert run("outliers", model, table).stdout.count("\n") == 13


@pytest.mark.parametrize("cell", ["12 kg", "7%", "1,5", "2.5.1", "$4", "<3", "1_000", "12m"])
def test_numbers_with_a_mistake_or_unit_are_refused_and_others_named(tmp_path: Path, cell: str) -> None:
    rows = [(f"p{k}", k * 1.5, f'"{cell}"', k * k % 7) for k in range(12)]
    table = write_table(tmp_path / "units.csv", "id,a,mass,b", rows)
    refused = run("outliers", table)
    assert_refused(refused, ("line 2, column 3 ('mass')", repr(cell)))
    succeeded(run("outliers", table, "--columns", "2,4"))


def test_the_columns_that_are_named_work(tmp_path: Path) -> None:
    rows = [(k, k * 1.5, "x" if k % 2 else k, k * k % 7) for k in range(12)]
    table = write_table(tmp_path / "texts.csv", "id,a,kind,b", rows)
    refused = run("outliers", table)
    assert_refused(refused, ("column 3 ('kind')", "choose the numeric columns with --columns 1,2,4"))
    succeeded(run("outliers", table, "--columns", "1,2,4"))


def test_points_that_may_separate_thousands_are_decided_by_either_remedy(tmp_path: Path) -> None:
    table = tmp_path / "towns.csv"
    rows = "".join(f"t{k};{k + 1}.{k * 37 % 1000:03}\n" for k in range(20))
    table.write_text("town;size\n" + rows)
    assert "warning" not in run("outliers", table, "--delimiter", ";", "--columns", "size").stderr
    table.write_text("town;size\nt20;7\n" + rows)
    common = ("outliers", table, "--delimiter", ";", "--columns", "size", "--with-values", "--top", "1")
    told = run(*common)
    assert "rkde: warning: " in told.stderr
    remedies = options_in(told.stderr.partition("separate thousands; ")[2].splitlines()[0])
    assert remedies == [("--thousands", "."), ("--decimal", ".")]
    largest = []
    for remedy in remedies:
        followed = run(*common, *remedy)
        assert "separate thousands" not in followed.stderr
        largest.append(float(succeeded(followed).splitlines()[1].split(",")[-1]))
    assert largest[0] == 1000 * largest[1]


def test_lines_within_a_table_are_told_for_what_they_are() -> None:
    assert "--drop-rows" in outcome(b"x,y\nm,kg\n1,2\n", ())
    for content in (b"name,town\nAnn,Rome\nBob,Oslo\n", b"x,y\n<5,7 kg\n1,2\n2,3\n3,4\n"):
        assert "--drop-rows" not in outcome(content, ())
    comment = "use --comment '#' if this line is a comment; otherwise complete the line"
    assert outcome(b"x,y\n# a comment\n1,2\n", ()) == comment
    for ending in (b"source: city\n", b"u,v\n3,4\n", b"5,6\n"):
        assert outcome(b"x,y\n1,2\n2,3\n\n" + ending, ()) == "delete the line"


@pytest.mark.parametrize(
    "content", [b"x,y\n'1,5','2,5'\n'2,0','3,0'\n", b"'x','y'\n'1','2'\n'3','4'\n", b"'x';'y'\n'1,5';'2'\n"]
)
def test_single_quotation_marks_are_to_be_double_ones(content: bytes) -> None:
    arguments = ("--delimiter", ";") if b";" in content else ()
    assert outcome(content, arguments) == "write double quotation marks around cells instead of single ones"
    doubled = outcome(content.replace(b"'", b'"'), (*arguments, "--decimal", ","))
    assert not isinstance(doubled, str)


def test_rows_that_nearly_coincide_are_to_be_rounded_and_then_have_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rkde.fast.estimates.thresholds"], "LIMIT_MAX_ITER", 100)
    options = ("--bandwidth", "1", "--scale", "none", "--recipe", "paper", "-o", tmp_path / "m.npz")
    rows = (0, 1e-13, -1e-13, 1, -1, 2, -2)
    refused = run("fit", write_table(tmp_path / "a.csv", "x", zip(rows)), *options)
    assert_refused(
        refused, ["; round the rows, so that rows that nearly coincide are equal\n"], EXIT_NO_ANSWER
    )
    rounded = write_table(tmp_path / "b.csv", "x", ([round(row, 6)] for row in rows))
    succeeded(run("fit", rounded, *options))


@pytest.mark.parametrize(
    ("remedy", "spelled"),
    [
        (
            "raise max_iter, or change the thresholds or the bandwidth if J is nearly flat",
            "fit with another --bandwidth or other --quantiles",
        ),
        (
            "use rkde.reference with more digits, or a loss with a wider ramp from b to c",
            "use rkde.reference with more digits, or fit with other --quantiles",
        ),
        ("raise memory_limit so that the system can be factored", "fit to fewer rows (--sample)"),
    ],
)
def test_where_nothing_converges_the_remedy_names_options(remedy: str, spelled: str) -> None:
    error = NotConverged("KIRWLS did not converge", where="weights", value="1", remedy=remedy)
    described = describe(error)
    assert described is not None
    assert described[0].endswith(f"; {spelled}")
    assert described[1] == EXIT_NO_ANSWER
