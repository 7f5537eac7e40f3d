"""What is no table of numbers is refused with an expression that makes one of it; the expression works."""

import re
from datetime import time
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import rkde
import rkde.fast as rk
from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import as_table

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
    "complex numbers": (np.array([[3 + 4j], [1j]]), [[3.0, 4.0], [0.0, 1.0]]),
    "complex numbers in a list": ([[3 + 4j], [1.0]], [[3.0, 4.0], [1.0, 0.0]]),
    "complex numbers in one column of two": (np.array([[1, 3 + 4j], [2, 1j]]), [[1.0, 3, 4], [2, 0, 1]]),
    "complex numbers without imaginary parts": ([[1 + 0j, 2.0], [3, 4j * 0]], [[1.0, 2.0], [3.0, 0.0]]),
    "times of the day": ([time(0, 30), time(1, 0, 0, 500_000)], [[1800.0], [3600.5]]),
    "numerals": ([["1.5", "2"], ["3", 4.0]], [[1.5, 2.0], [3.0, 4.0]]),
    "numerals with decimal commas": ([["1,5"], ["3"]], [[1.5], [3.0]]),
    "numerals as bytes": (np.array([[b"1.5"], [b"3"]]), [[1.5], [3.0]]),
}


def refused(X: Any) -> InvalidType:
    """Return the error for a table that is refused."""
    with pytest.raises(InvalidType) as caught:
        rk.rkde(X, bandwidth=1.0)
    return caught.value


def followed(error: InvalidInput, name: str, value: Any) -> Any:
    """Return what the expression in a message makes of what it calls by a name."""
    found = re.search(r"(?::|with|as) ((?:numpy|\(?t\b|\[).*?)(?: with t = (.*?))?$", str(error.remedy))
    assert found is not None, error.remedy
    names = {"numpy": np, name: value}
    if found[2]:
        names["t"] = eval(found[2], names)  # noqa: S307 (the package's own message)
    return np.asarray(eval(found[1], names))  # noqa: S307 (the package's own message)


@pytest.mark.parametrize(("X", "right"), CONVERTED.values(), ids=CONVERTED)
def test_the_advised_conversion_makes_numbers(X: Any, right: Any) -> None:
    made = followed(refused(X), "X", X)
    np.testing.assert_array_equal(made.reshape(len(right), -1), right)
    assert len(rk.median_rkde(made, rk.Gaussian(1.0)).weights) == len(right)


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
        place = "X, row 0, column 1 ('t')" if X is frame else "X, row 0, column 1"
        assert re.match(
            rf"{re.escape(place)}, must be a number, got [^;]*; for this column, pass seconds", str(error)
        )
        name, value = ("X", frame) if X is frame else ("column", column)
        assert followed(error, name, value).tolist() == [row[0] for row in SECONDS]


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
        label = "" if isinstance(X, list) else " ('x')"
        assert str(error).startswith(f"X, row 2, column 0{label}, must not be missing, got ")
        assert error.remedy == "remove the row, or fill in a finite number"


def frame_columns(pandas: Any) -> dict[str, tuple[Any, list[list[float]]]]:
    """Return columns of a data frame that are refused or not, with the numbers that they stand for."""
    fraction, decimal = [Fraction(1, 4), Fraction(3)], [Decimal("0.25"), Decimal(3)]
    quarter = [[0.25, 3.0]]
    return {
        "period": (pandas.period_range("2020-01", periods=2, freq="M"), [[600.0, 601.0]]),
        "clock": ([time(0, 30), time(1)], [[1800.0, 3600.0]]),
        "span": (pandas.to_timedelta([30, 60], unit="s"), [[30.0, 60.0]]),
        "day": (pandas.to_datetime(["2020-01-01", "2020-01-02"]), [[0.0, 86400.0]]),
        "day in a zone": (
            pandas.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize("UTC"),
            [[0.0, 86400.0]],
        ),
        "interval": (pandas.interval_range(0, 2), [[0.5, 1.5]]),
        "truth": ([True, False], [[1.0, 0.0]]),
        "nullable truth": (pandas.array([True, False], dtype="boolean"), [[1.0, 0.0]]),
        "nullable integers": (pandas.array([1, 2], dtype="Int64"), [[1.0, 2.0]]),
        "nullable floats": (pandas.array([0.25, 3], dtype="Float64"), quarter),
        "categories": (pandas.Categorical([3, 1]), [[3.0, 1.0]]),
        "categories of numerals": (pandas.Categorical(["3", "1"]), [[3.0, 1.0]]),
        "decimals": (decimal, quarter),
        "fractions": (fraction, quarter),
        "real": ([0.25 + 0j, 3 + 0j], quarter),
        "complex": ([0.25 + 1j, 3 - 2j], [*quarter, [1.0, -2.0]]),
        "bytes": ([b"0.25", b"3"], quarter),
        "commas": (["0,25", "3"], quarter),
        "text": (["red", "blue"], []),
        "bytes of text": ([b"red", b"blue"], []),
        "lists": ([[1], [2]], []),
        "7": (pandas.to_timedelta([30, 60], unit="s"), [[30.0, 60.0]]),
    }


def refusal_of(read: Any, X: Any) -> InvalidInput | None:
    """Return the error for a table, None where it is read."""
    try:
        read(X)
    except InvalidInput as error:
        return error
    return None


def after_its_remedy(X: Any, error: InvalidInput, pandas: Any) -> Any:
    """Return a frame as it is after the remedy of an error."""
    dropped = re.search(r"with (X\.drop.*)$", str(error.remedy))
    if dropped is not None:
        return eval(dropped[1], {"X": X})  # noqa: S307 (the package's own message)
    made = pandas.DataFrame(followed(error, "X", X).reshape(len(X), -1)).add_prefix("new ")
    if not str(error.remedy).startswith("for this column, "):
        return made
    label = re.search(r"column \d+ \('(.*)'\)$", str(error.where))
    return X.drop(columns=[label[1]]).join(made)


@pytest.mark.parametrize("name", list(frame_columns(pytest.importorskip("pandas"))))
@pytest.mark.parametrize("beside", [[], ["x"], ["x", "town"]])
def test_each_column_of_a_frame_is_read_or_its_remedies_make_numbers(name: str, beside: list[str]) -> None:
    pandas = pytest.importorskip("pandas")
    values, right = frame_columns(pandas)[name]
    if not right and not beside:
        return
    others = {"x": [1.5, 2.5], "town": ["Rome", "Oslo"]}
    frame = pandas.DataFrame({name: values, **{other: others[other] for other in beside}})
    for _ in range(3):
        error = refusal_of(as_table, frame)
        frame = frame if error is None else after_its_remedy(frame, error, pandas)
    expected = [*right, [1.5, 2.5]] if beside else right
    assert sorted(map(tuple, as_table(frame).T.tolist())) == sorted(map(tuple, expected))


def test_the_estimator_names_column_row_and_value_too() -> None:
    pandas = pytest.importorskip("pandas")
    for name, (values, _) in frame_columns(pandas).items():
        frame = pandas.DataFrame({"x": [1.5, 2.5], name: values})
        error = refusal_of(as_table, frame)
        if error is not None:
            with pytest.raises(InvalidType) as caught:
                rkde.RobustKernelDensity().fit(frame)
            assert (caught.value.where, caught.value.remedy) == (error.where, error.remedy)


@pytest.mark.parametrize(
    ("X", "right"),
    [
        (np.array([(1.5, 2), (2.5, 3)], dtype=[("a", float), ("b", int)]), [[1.5, 2], [2.5, 3]]),
        (scipy.sparse.csr_array(np.array([[0.0, 1], [2, 0]])), [[0.0, 1], [2, 0]]),
        ({"a": [1.5, 2.5], "b": [2, 3]}, [[1.5, 2], [2.5, 3]]),
        ({1.5}, [[1.5]]),
    ],
    ids=["structured", "sparse", "columns in a dict", "a set"],
)
def test_other_containers_are_refused_in_a_line_with_what_makes_a_table(X: Any, right: Any) -> None:
    error = refused(X)
    assert len(str(error)) < 250
    made = eval(str(error.remedy).removeprefix("pass "), {"X": X, "numpy": np})  # noqa: S307 (our own message)
    np.testing.assert_array_equal(as_table(made), right)


@pytest.mark.parametrize(
    ("weights", "remedy"),
    [
        (["a", "b", "c"], "pass a float"),
        ([DAYS[0], "a"], "pass a float"),
        ([DAYS[0], 1.0], "pass a finite number"),
        (DAYS, "numpy.asarray(weights"),
    ],
    ids=["text", "a time and text", "a time and a number", "times"],
)
def test_weights_have_no_column_to_leave_out(weights: Any, remedy: str) -> None:
    with pytest.raises(InvalidType, match=r"^weights, index 0, must be a number") as caught:
        rk.objective([[0.0]] * len(weights), rk.Gaussian(1.0), rk.Quadratic(), weights)
    assert remedy in str(caught.value.remedy)
