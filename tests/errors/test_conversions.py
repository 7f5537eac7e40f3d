"""What is no table of numbers is refused with an expression that makes one of it; the expression works."""

from __future__ import annotations

import re
import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidType

DAYS = np.array(
    ["2020-01-01", "2020-01-02", "2020-01-05", "2020-01-06", "2020-02-01"], dtype="datetime64[us]"
)
SECONDS = [[86400.0 * day] for day in (0, 1, 4, 5, 31)]
CONVERTED: dict[str, tuple[Any, list[list[float]]]] = {
    "times": (DAYS[:, None], SECONDS),
    "times to the nanosecond": (np.array([["2020-01-01", "2020-01-02"]], "datetime64[ns]").T, SECONDS[:2]),
    "a list of times": (DAYS.tolist(), SECONDS),
    "a list of rows of times": ([[time] for time in DAYS.tolist()], SECONDS),
    "a list of numpy's times": (list(DAYS), SECONDS),
    "a list of days": ([time.date() for time in DAYS.tolist()], SECONDS),
    "durations": ((DAYS - DAYS[0])[:, None], SECONDS),
    "a list of durations": ((DAYS - DAYS[0]).tolist(), SECONDS),
    "truth values": (np.array([[True], [False]]), [[1.0], [0.0]]),
    "truth values in a list": ([[True], [False], [True]], [[1.0], [0.0], [1.0]]),
    "complex numbers": (np.array([[3 + 4j], [1j]]), [[5.0], [1.0]]),
}


def refused(X: Any) -> InvalidType:
    """Return the error for a table that is refused."""
    with pytest.raises(InvalidType) as caught:
        rk.rkde(X, bandwidth=1.0)
    return caught.value


def followed(error: InvalidType, name: str, value: Any) -> Any:
    """Return what the expression in a message makes of what it calls by a name."""
    found = re.search(
        r"(?::|with|as) ((?:numpy|\(?t\b).*?)(?: with t = (.*?))?(?: for this column)?$", str(error.remedy)
    )
    assert found is not None, error.remedy
    names = {"numpy": np, name: value}
    if found[2]:
        names["t"] = eval(found[2], names)  # noqa: S307 (the package's own message)
    return np.asarray(eval(found[1], names))  # noqa: S307 (the package's own message)


@pytest.mark.parametrize("name", CONVERTED)
def test_the_advised_conversion_makes_numbers(name: str) -> None:
    X, right = CONVERTED[name]
    made = followed(refused(X), "X", X)
    np.testing.assert_array_equal(made.reshape(-1, 1), right)
    assert len(rk.median_rkde(made, rk.Gaussian(1.0)).weights) == len(right)


def test_frames_of_times_and_of_truth_values() -> None:
    pandas = pytest.importorskip("pandas")
    for times in (DAYS, pandas.to_datetime(DAYS).tz_localize("UTC")):
        with warnings.catch_warnings():
            # Of numpy: it knows no zones of time.
            warnings.simplefilter("ignore", UserWarning)
            frame = pandas.DataFrame({"t": times})
            np.testing.assert_array_equal(followed(refused(frame), "X", frame), SECONDS)
    truth = (pandas.Series([True, False]), pandas.Series([True, False], dtype="boolean"))
    for is_red in truth:
        mixed = pandas.DataFrame({"x": [1.5, 2.0], "is_red": is_red})
        np.testing.assert_array_equal(followed(refused(mixed), "X", mixed), [[1.5, 1.0], [2.0, 0.0]])


@pytest.mark.parametrize("as_spans", [False, True])
def test_times_beside_numbers_are_advised_for_their_column(as_spans: bool) -> None:
    pandas = pytest.importorskip("pandas")
    values = DAYS - DAYS[0] if as_spans else DAYS
    frame = pandas.DataFrame({"x": range(5), "t": values})
    for X, column in (
        (frame, frame["t"]),
        ([list(row) for row in zip(range(5), values.tolist(), strict=True)], values.tolist()),
    ):
        error = refused(X)
        assert str(error).startswith("X, row 0, column 1, must be a number, got a time; pass seconds")
        assert followed(error, "column", column).tolist() == [row[0] for row in SECONDS]


def test_a_missing_value_is_named_before_a_conversion_that_it_would_break() -> None:
    pandas = pytest.importorskip("pandas")
    truth = pandas.array([True, False, None], dtype="boolean")
    times = pandas.to_datetime(["2020-01-01", "2020-01-02", None])
    y = [1.0, 2.0, 3.0]
    tables = (
        pandas.DataFrame({"x": truth}),
        pandas.DataFrame({"x": truth, "y": y}),
        pandas.DataFrame({"x": times}),
        pandas.DataFrame({"x": times, "y": y}),
        pandas.DataFrame({"x": pandas.array([1.5, 2.5, None], dtype="Float64"), "y": [True, False, True]}),
        [[1.5], [True], [None]],
        [[DAYS[0].item()], [DAYS[1].item()], [None]],
    )
    for X in tables:
        error = refused(X)
        assert str(error).startswith("X, row 2, column 0, must not be missing, got ")
        assert error.remedy == "remove the row, or fill in a finite number"


def test_a_nullable_column_is_converted_as_advised_once_its_missing_values_are_removed() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": pandas.array([True, None, False], dtype="boolean"), "y": [1.5, 2.5, 3.5]})
    refused(frame)
    left = frame.dropna()
    np.testing.assert_array_equal(followed(refused(left), "X", left), [[1.0, 1.5], [0.0, 3.5]])
    times = pandas.DataFrame({"t": pandas.to_datetime(["2020-01-01", None, "2020-01-02"])})
    refused(times)
    left = times.dropna()
    np.testing.assert_array_equal(followed(refused(left), "X", left), SECONDS[:2])


def test_the_message_names_the_argument() -> None:
    with pytest.raises(InvalidType, match=r"numpy.asarray\(weights, dtype=float\)"):
        rk.residual_norms([[0.0], [1.0]], rk.Gaussian(1.0), np.array([True, False]))


def test_decimals_are_numbers() -> None:
    exact = rk.median_rkde([[Decimal("1.5")], [2.5], [Decimal(4)]], rk.Gaussian(1.0))
    np.testing.assert_array_equal(
        exact.weights, rk.median_rkde([[1.5], [2.5], [4.0]], rk.Gaussian(1.0)).weights
    )
