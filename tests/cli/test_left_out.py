"""Rows that are left out: by number, for a value, for a missing one; and what others are called then."""

import re
import shlex
import warnings
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

import rkde
from rkde.cli.failures import EXIT_BAD_INPUT, EXIT_NO_ANSWER
from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.tables import Table, TableOptions, read_table
from rkde.tables.numbers import are_within
from tests.cli.running import assert_refused, object_of, rows_of, run, succeeded, write_table

CONTENT = b"# made\nx,y\n1,2\n-999,3\n4,\n5,6\n7,8\n9,-999.0\n"
SEEDS = range(20)
COPIES = 12


def read(content: bytes, **options: Any) -> Table:
    return read_table(content, TableOptions(**options), source="s")


def test_rows_keep_the_numbers_of_the_file() -> None:
    dropped: dict[str, Any] = {"drop_missing": True, "drop_values": (-999.0,)}
    with pytest.raises(InvalidInput, match="must be row numbers from 1 to 6, got 7"):
        read(CONTENT, **dropped, drop_rows="4, 7-7", comment="#", skip_lines=0)
    table = read(CONTENT, **dropped, drop_rows="4", skip_lines=1)
    assert table.rows == ((1.0, 2.0), (7.0, 8.0))
    assert (table.numbers, table.lines) == ((1, 5), (3, 7))
    assert (table.removed, table.dropped) == ((2, 4, 6), (5,))
    assert table.note_of_removed() == "3 of 6 rows are left out as requested: rows 2, 4, 6 (2 with '-999.0')"
    assert table.note_of_dropped() == "1 of 6 rows is left out for missing values: line 5"


def test_a_value_is_left_out_in_one_column() -> None:
    content = CONTENT.replace(b"4,\n", b"3,4\n")
    for text, kept in (("y=-999", 5), ("x=-999", 5), ("1=-999.0", 5), ("-999", 4), ("x=4", 6)):
        assert len(read(content, drop_values=(text,), skip_lines=1).rows) == kept, text
    assert read(content, drop_values=("y=-999",), skip_lines=1).removed == (6,)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 10)), max_size=8), st.integers(1, 40))
def test_rows_are_within_ranges_that_overlap_in_any_order(parts: list[tuple[int, int]], size: int) -> None:
    ranges = [range(start, start + length + 1) for start, length in parts]
    within = list(islice(are_within(ranges), size))
    assert within == [any(number in rows for rows in ranges) for number in range(1, size + 1)]


def test_a_range_without_end_is_refused_at_once_beside_another_mistake() -> None:
    """The numbers of its rows are counted for the message, and are those of the table at most."""
    with pytest.raises(InvalidInput, match="line 4, must have as many cells as line 1"):
        read(b"x,y\n1,2\n2,3\n4\n", drop_rows="5-999999999999999")


def scattered(path: Path) -> Path:
    """Write a table in which every fifth of 220 rows is a copy of one good row, and return its path."""
    rows = np.random.default_rng(0).normal(size=(220, 2)).round(4)
    rows[::5] = 1.9, -1.7
    return _written(path, rows)


def test_too_many_rows_for_a_line_go_through_a_file(tmp_path: Path) -> None:
    table, numbers = scattered(tmp_path / "t.csv"), tmp_path / "some rows.txt"
    told = run("outliers", table)
    assert "with --drop-rows @FILE, once --sign-rows FILE has written their numbers\n" in told.stderr
    written = run("outliers", table, "--sign-rows", numbers)
    assert written.stdout == told.stdout
    option = re.search(r"with (--drop-rows .*)", written.stderr)
    assert option
    repeats = range(6, 221, 5)  # of the first row
    assert numbers.read_text() == f"{','.join(map(str, repeats))}  # repeated-rows, all but the first\n"
    followed = run("outliers", table, *shlex.split(option[1]))
    assert "warning" not in followed.stderr
    assert set(_ranked(followed)) == set(range(1, 221)) - set(repeats)
    others = tmp_path / "others.txt"
    more = run("outliers", table, "--drop-rows", f"@{numbers},2-5", "--sign-rows", others)
    assert set(_ranked(more)) == set(_ranked(followed)) - {2, 3, 4, 5}
    assert others.read_text() == ""
    assert set(_ranked(run("outliers", table, "--drop-rows", f"@{others},11-220"))) == set(range(1, 11))


def test_rows_that_are_left_out_already_stay_out_where_a_remedy_is_followed(tmp_path: Path) -> None:
    """Of two options, the last counts."""
    rows = np.random.default_rng(0).normal(size=(80, 2)).round(4)
    rows[40:48] = 1.9, -1.7
    table = _written(tmp_path / "t.csv", rows)
    told = run("outliers", table, "--drop-rows", "7, 1-3")
    option = re.search(r"with (--drop-rows .*) or (--drop-rows .*)", told.stderr)
    assert option
    for found, size in zip(option.groups(), (80 - 4 - 7, 80 - 4 - 8), strict=True):
        followed = run("outliers", table, *shlex.split(found))
        assert "warning" not in followed.stderr
        assert len(_ranked(followed)) == size
        assert {1, 2, 3, 7}.isdisjoint(_ranked(followed))


def test_the_file_of_rows_is_one_of_its_own(tmp_path: Path) -> None:
    """What it holds is read again, by a list in which commas separate files and numbers."""
    table, numbers, model = scattered(tmp_path / "t.csv"), tmp_path / "rows.txt", tmp_path / "m.npz"
    numbers.write_text("7\n")
    common = ("fit", table, "--drop-rows", f"@{numbers}", "-o")
    for command in ((*common, model, "--sign-rows", numbers), (*common, numbers)):
        assert_refused(run(*command), (f"{numbers} must not be an input as well",))
    for path in (model, "-", tmp_path / "a,b.txt"):
        assert_refused(run(*common, model, "--sign-rows", path), ("--sign-rows must",))
    assert numbers.read_text() == "7\n"
    assert not model.exists()


def test_tied_rows_go_through_a_file_too(tmp_path: Path) -> None:
    table, numbers = scattered(tmp_path / "t.csv"), tmp_path / "rows.txt"
    common = ("fit", table, "-o", tmp_path / "m.npz", "--bandwidth", "lscv")
    assert_refused(run(*common), ("--drop-rows @FILE, once --sign-rows FILE",), 3)
    assert_refused(run(*common, "--sign-rows", numbers), (f"--drop-rows @{numbers}",), 3)
    assert numbers.read_text().endswith("  # tied rows\n")
    succeeded(run(*common, "--drop-rows", f"@{numbers}"))


@pytest.mark.parametrize("content", [None, b"1,x\n", b"\xff\n"])
def test_a_file_of_rows_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    table, numbers = scattered(tmp_path / "t.csv"), tmp_path / "rows.txt"
    if content is not None:
        numbers.write_bytes(content)
    assert_refused(run("outliers", table, "--drop-rows", f"@{numbers}"), ("--drop-rows must",))
    for path in (table, tmp_path, tmp_path / "no" / "rows.txt"):
        assert run("outliers", table, "--sign-rows", path).exit_code == EXIT_BAD_INPUT


def test_a_column_of_a_number_of_two_meanings_is_not_guessed() -> None:
    content = b"a,3,b\n-9,2,3\n4,-9,5\n6,7,-9\n"
    with pytest.raises(
        InvalidInput, match="must say whether 3 is the name of column 2 or the number of a column, got"
    ) as caught:
        read(content, header="yes", drop_values=("3=-9",))
    assert caught.value.remedy == "write name:3=-9 or number:3=-9"
    for text, removed in (("name:3=-9", 2), ("number:3=-9", 3), ("a=-9", 1)):
        assert read(content, header="yes", drop_values=(text,)).removed == (removed,)
    assert read(content, columns="a,b", drop_values=("3=-9",)).removed == (3,)


def test_a_sign_calls_a_column_whose_name_is_a_number_by_its_name(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(200, 2)).round(3)
    rows[::17, 0] = -999
    rows[5, 1] = -999
    table = _written(tmp_path / "t.csv", rows, "2,1")
    told = run("outliers", table, "--header", "yes")
    assert _removals(told.stderr)[0] == ["--drop-value", "name:2=-999"]
    assert "--drop-value" not in run("outliers", table, "--header", "yes", *_removals(told.stderr)[0]).stderr


def _written(path: Path, rows: np.ndarray, names: str = "temp,press") -> Path:
    return write_table(path, names, rows.astype(float).tolist())


def _ranked(result: Result) -> list[int]:
    return [int(row["row"]) for row in rows_of(result)]


def test_every_surface_of_outliers_names_rows_of_the_file(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(60, 2))
    rows[49] = [30.0, 0.0]
    table = _written(tmp_path / "t.csv", rows)
    text = table.read_text().splitlines()
    text[3] = ",1"
    table.write_text("\n".join(text) + "\n")
    common = ("outliers", table, "--drop-missing", "--drop-rows", "10-20", "--with-values", "--explain")
    shown = rows_of(run(*common, "--top", "1"))[0]
    assert (shown["row"], shown["line"], shown["temp"], shown["column"]) == ("50", "51", "30.0", "temp")
    record = object_of(run(*common, "--json", "--top", "1"))
    assert (record["rows"][0]["row"], record["beside"]["temp"]) == (50, [30.0])
    assert (record["n"], record["sample"], record["seed"]) == (48, None, None)
    drawn = object_of(run(*common, "--json", "--sample", "30", "--seed", "4"))
    assert (drawn["n"], drawn["sample"], drawn["seed"]) == (48, 30, 4)
    fitted = object_of(run("fit", table, "-o", tmp_path / "m.npz", "--drop-missing", "--json"))
    assert fitted["most_outlying"][0]["row"] == 50
    again = run("outliers", tmp_path / "m.npz", table, "--drop-missing", "--top", "1")
    assert _ranked(again) == [50]


def _spoilt(kind: str, seed: int) -> np.ndarray:
    """Return 200 good rows and twelve that a filler, a stuck sensor or a stuck sensor with noise wrote."""
    rng = np.random.default_rng(seed)
    good = rng.normal(size=(200, 2))
    bad = {
        "filler": np.full((COPIES, 2), -999.0),
        "stuck": np.tile([1.9, -1.7], (COPIES, 1)),
        "noisy": [1.9, -1.7] + 2e-4 * rng.normal(size=(COPIES, 2)),
    }[kind]
    return np.vstack([good[:100], bad, good[100:]])


BAD = set(range(101, 101 + COPIES))


def _removals(text: str) -> list[list[str]]:
    """Return the options that leave out all but the first of equal rows, and all; or one option."""
    found = re.findall(r"--drop-(?:rows|value) \S+", text)
    assert found, text
    return [shlex.split(option) for option in found]


@pytest.mark.parametrize("settings", ["--loss huber", "--bandwidth lscv", "--loss quadratic"])
@pytest.mark.parametrize("kind", ["filler", "stuck", "noisy"])
def test_remedies_for_repeated_rows_work_in_every_setting(tmp_path: Path, kind: str, settings: str) -> None:
    """The rows that are named are the bad ones, and without them nothing is left to say of repeated rows.

    Where they are copies, the first one stays.
    """
    rows = _spoilt(kind, 0)
    table = _written(tmp_path / "t.csv", rows)
    common = ("outliers", table, *settings.split(), "--top", "5")
    told = run(*common)
    *repeats, removal = _removals(told.stderr)
    for option, left in ((removal, set()), *((option, {101}) for option in repeats)):
        followed = run(*common, *option)
        assert "--drop-rows" not in followed.stderr
        kept = read(table.read_bytes(), drop_rows=option[1]).numbers
        assert kept == tuple(number for number in range(1, 213) if number not in BAD or number in left)


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["hampel", "huber"])
@pytest.mark.parametrize("kind", ["stuck", "noisy"])
def test_stuck_rows_are_named_whatever_the_table(kind: str, loss: str) -> None:
    for seed in SEEDS:
        rows = _spoilt(kind, seed)
        (sign,) = (s for s in _fitted(rows, loss).signs() if s.name == "repeated-rows")
        assert {row + 1 for row in sign.rows} == BAD
        left = _fitted(np.delete(rows, sign.rows, axis=0), loss)
        assert isinstance(left, rkde.fast.Rkde)
        assert not left.signs()


def _fitted(rows: np.ndarray, loss: str):  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rkde.fit(rows, loss=loss)


def test_a_filler_of_one_column_is_dropped_by_its_value(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(200, 2)).round(3)
    rows[::17, 1] = -999
    table = _written(tmp_path / "t.csv", rows)
    told = run("outliers", table)
    assert "use --drop-value -999 if that number marks a missing value" in told.stderr
    followed = run("outliers", table, "--drop-value", "-999")
    assert "warning" not in followed.stderr
    assert not set(range(1, 201, 17)) & set(_ranked(followed))


def test_tied_rows_are_shown_as_the_table_has_them(tmp_path: Path) -> None:
    rows = _spoilt("filler", 0) * [10.0, 3.0] + [100.0, 0.0]
    for fit in (rkde.RobustKernelDensity(bandwidth="lscv").fit, partial(rkde.fit, bandwidth="lscv")):
        with pytest.raises(DegenerateBandwidth, match=re.escape("(-9890, -2997)")):
            fit(rows)
    refused = run("outliers", _written(tmp_path / "t.csv", rows), "--bandwidth", "lscv")
    told = ("12 of them at (temp -9890, press -2997)", "with --drop-rows 101-112")
    assert_refused(refused, told, EXIT_NO_ANSWER)


def test_a_sign_under_a_sample_says_what_it_has_seen(tmp_path: Path) -> None:
    table = _written(tmp_path / "t.csv", _spoilt("stuck", 0))
    told = run("outliers", table, "--sample", "150")
    assert "(seen among the 150 rows drawn; --drop-rows has those of the whole table)" in told.stderr
    assert "rows drawn; others" not in run("outliers", table).stderr


def test_a_cell_that_is_refused_by_the_fit_is_named_as_in_the_file(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,2\n,3\n1e20,4\n3,5\n", encoding="utf-8")
    common = ("outliers", table, "--drop-missing", "--scale", "1e-300,1")
    assert_refused(run(*common), ("t.csv, row 3, column 1 ('a'), must stay", "use --drop-rows 3"))
    assert _ranked(run(*common, "--drop-rows", "3")) == [1, 4]


def test_a_row_that_cannot_be_scored_is_named_as_in_the_file(tmp_path: Path) -> None:
    """It was not fitted: the density is that of another table, or of rows drawn from this one."""
    good, table, model = tmp_path / "g.csv", tmp_path / "t.csv", tmp_path / "m.npz"
    good.write_text("a,b\n" + "".join(f"{k * k % 7},{k}\n" for k in range(12)), encoding="utf-8")
    table.write_text(good.read_text().replace("a,b\n", "a,b\n,1\n") + "1e20,3\n", encoding="utf-8")
    settings = ("--scale", "1e-300,1", "--bandwidth", "1")
    succeeded(run("fit", good, "-o", model, *settings))
    drawn = (*settings, "--sample", "10", "--seed", "9")
    for command in (
        ("score", model, table),
        ("outliers", model, table),
        ("outliers", model, table, "--explain"),
        ("outliers", table, *drawn),
        ("fit", table, "-o", tmp_path / "n.npz", *drawn),
    ):
        refused = run(*command, "--drop-missing")
        assert refused.exit_code == EXIT_BAD_INPUT
        assert "t.csv, row 14, column 1 ('a'), must stay within float64" in refused.stderr
        assert "use --drop-rows 14" in refused.stderr
        succeeded(run(*command, "--drop-missing", "--drop-rows", "14"))
    refused = run("influence", model, "--at", "1,2", "--at", "1e20,3")
    assert_refused(refused, ("--at, point 2, coordinate 1, must stay",))
