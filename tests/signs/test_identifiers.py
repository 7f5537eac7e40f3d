"""Columns that their names tell to be identifiers: signs, their remedies, and names that tell nothing."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rkde
from rkde.errors import CounterColumnWarning
from rkde.fast import Gaussian
from rkde.fast.signs.columns import _are_dates, _are_whole, dates_as_numbers
from rkde.fast.signs.evidence import Evidence
from tests.cli.running import run
from tests.signs.seen import signs_of

SIZE = 200


def frame(name: str, seed: int = 0) -> pd.DataFrame:
    """Return a table of identifiers of five digits beside two columns."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"x": rng.normal(size=SIZE), name: rng.integers(10_000, 99_999, SIZE), "y": rng.normal(size=SIZE)}
    )


@pytest.mark.parametrize("name", ["zip", "PLZ", "postal code", "resp_id", "RespID", "userid", "phone"])
def test_a_column_named_like_an_identifier_is_a_sign_until_it_is_left_out(name: str) -> None:
    table = frame(name)
    (sign,) = signs_of(table)
    assert (sign.name, sign.column, sign.others) == ("counter-column", 1, ())
    assert sign.remedy == "fit to the other columns only"
    assert not signs_of(table.drop(columns=[name]))


@pytest.mark.parametrize("name", ["income", "zip_income", "humid", "lines of code", "grid", "7"])
def test_other_names_are_no_sign(name: str) -> None:
    assert not signs_of(frame(name))


def test_numbers_that_are_no_identifiers_are_no_sign() -> None:
    table = frame("code")
    for values in (table["code"] + 0.5, -table["code"], table["code"] % 2):
        assert not signs_of(table.assign(code=values))
    assert not signs_of(table[["code"]])
    assert not signs_of(pd.DataFrame({"id": table["code"], "zip": table["code"].to_numpy()[::-1]}))


@pytest.mark.parametrize(("values", "whole"), [([1, 2], False), ([1, 2, 3], True), ([1, 2, 3.5], False)])
def test_identifiers_are_three_whole_numbers_at_least(values: list[float], whole: bool) -> None:
    assert _are_whole(np.repeat(values, 5)) == whole


def test_dates_written_as_numbers_are_a_sign_until_they_are_days() -> None:
    passed = np.random.default_rng(2).integers(0, 900, SIZE)
    days = pd.Timestamp("2019-12-20") + pd.to_timedelta(passed, "D")
    table = frame("visits").assign(when=days.strftime("%Y%m%d").astype(int))
    table["visits"] = 20_190_000 + table["visits"] % 10_000  # of which few are dates
    (sign,) = signs_of(table)
    assert (sign.column, sign.others) == (3, ())
    assert f"such as {table['when'][0]}: two consecutive days may be" in sign.seen
    assert sign.remedy == "write them as days since the first, or fit to the other columns only"
    assert sign.seen.startswith("{column} holds dates")
    both = signs_of(table.assign(then=table["when"]))[0]
    assert (both.column, both.others) == (3, (4,))
    assert both.seen.startswith("{column} hold dates")
    assert not signs_of(table.assign(when=passed - passed.min()))
    assert not signs_of(table.drop(columns=["when"]))
    (alone,) = signs_of(table[["when"]])
    assert alone.remedy == "write them as days since the first"


@pytest.mark.parametrize(
    ("other", "are_dates"),
    [
        *((19000101, True), (18991231, False), (21001231, True), (21010101, False)),
        *((20231201, True), (20231301, False), (20230001, False)),
        *((20230131, True), (20230132, False), (20230100, False)),
    ],
)
def test_dates_have_a_year_a_month_and_a_day(other: int, are_dates: bool) -> None:
    assert _are_dates(np.array([20230107.0, 20230211.0, other])) == are_dates


@pytest.mark.parametrize(("size", "found"), [(9, False), (10, True), (11, True)])
def test_dates_are_told_of_ten_rows_or_more(size: int, found: bool) -> None:
    dates, ones = 20_230_101.0 + np.arange(size)[:, np.newaxis], np.ones(size)
    evidence = Evidence(dates, dates, np.arange(size), ones, ones / size, Gaussian(1.0))
    assert (dates_as_numbers(evidence) is not None) == found


def test_identifiers_in_order_are_followed_by_nothing() -> None:
    """A drift of another column along them makes no time of them."""
    drift = np.cumsum(np.random.default_rng(1).normal(size=SIZE))
    table = pd.DataFrame({"resp_id": np.arange(1001, 1001 + SIZE), "x": drift})
    (sign,) = signs_of(table)
    assert (sign.seen, sign.remedy) == (
        "{column} counts the rows: its 200 values are whole steps apart",
        "fit to the other columns only",
    )
    (unnamed,) = signs_of(table.rename(columns={"resp_id": "second"}))
    assert "another column follows them" in unnamed.text()


def test_repeated_rows_are_seen_beside_identifiers() -> None:
    table = frame("zip").assign(subject_id=np.random.default_rng(2).choice(10_000, SIZE, replace=False))
    table.loc[::17, ["x", "y"]] = 0.3, -0.7
    names = {sign.name: sign for sign in signs_of(table)}
    assert names["counter-column"].others == (3,)
    assert names["repeated-rows"].rows == tuple(range(0, SIZE, 17))


def test_every_surface_tells_identifiers(tmp_path: Path) -> None:
    table = frame("zip")
    with pytest.warns(CounterColumnWarning, match="column 'zip' holds identifiers, judging by its name"):
        rkde.RobustKernelDensity().fit(table)
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    told = run("outliers", path)
    assert "column 'zip' holds identifiers, judging by its name" in told.stderr
    assert "choose the others with --columns 1,3" in told.stderr
    assert "warning" not in run("outliers", path, "--columns", "x,y").stderr
