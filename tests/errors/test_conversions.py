"""What is no table of numbers is refused with an expression that makes one of it; the expression works."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidType

DAYS = np.array(
    ["2020-01-01", "2020-01-02", "2020-01-05", "2020-01-06", "2020-02-01"], dtype="datetime64[us]"
)
CONVERTED: dict[str, tuple[Any, list[list[float]]]] = {
    "times": (DAYS[:, None], [[86400.0 * day] for day in (0, 1, 4, 5, 31)]),
    "durations": ((DAYS - DAYS[0])[:, None], [[86400.0 * day] for day in (0, 1, 4, 5, 31)]),
    "truth values": (np.array([[True], [False]]), [[1.0], [0.0]]),
    "truth values in a list": ([[True], [False], [True]], [[1.0], [0.0], [1.0]]),
    "complex numbers": (np.array([[3 + 4j], [1j]]), [[5.0], [1.0]]),
}


def advised(X: Any) -> Any:
    """Return what the expression in the message makes of a table that is refused."""
    with pytest.raises(InvalidType) as caught:
        rk.rkde(X, bandwidth=1.0)
    expression = re.search(r"(?:: |with |as )([(n]?.*\bX\b.*)$", str(caught.value.remedy))
    assert expression is not None, caught.value.remedy
    return eval(expression[1], {"numpy": np, "X": X})  # noqa: S307 (the package's own message)


@pytest.mark.parametrize("name", CONVERTED)
def test_the_advised_conversion_makes_numbers(name: str) -> None:
    X, right = CONVERTED[name]
    np.testing.assert_array_equal(advised(X), right)
    assert len(rk.median_rkde(advised(X), rk.Gaussian(1.0)).weights) == len(right)


def test_frames_of_times_and_of_truth_values() -> None:
    pandas = pytest.importorskip("pandas")
    times = pandas.DataFrame({"t": DAYS})
    np.testing.assert_array_equal(advised(times), CONVERTED["times"][1])
    mixed = pandas.DataFrame({"x": [1.5, 2.0], "is_red": [True, False]})
    np.testing.assert_array_equal(advised(mixed), [[1.5, 1.0], [2.0, 0.0]])


@pytest.mark.parametrize("as_spans", [False, True])
def test_times_beside_numbers_are_advised_for_their_column(as_spans: bool) -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(DAYS - DAYS[0] if as_spans else DAYS)
    with pytest.raises(InvalidType, match="row 0, column 1, must be a number, got a time") as caught:
        rk.rkde(pandas.DataFrame({"x": range(5), "t": column}), bandwidth=1.0)
    expression = re.search(r": (\(?t.*), t being", str(caught.value.remedy))
    assert expression is not None
    made = eval(expression[1], {"numpy": np, "t": column})  # noqa: S307 (the package's own message)
    assert made.tolist() == [row[0] for row in CONVERTED["times"][1]]


def test_the_message_names_the_argument() -> None:
    with pytest.raises(InvalidType, match=r"numpy.asarray\(weights, dtype=float\)"):
        rk.residual_norms([[0.0], [1.0]], rk.Gaussian(1.0), np.array([True, False]))


def test_decimals_are_numbers() -> None:
    exact = rk.median_rkde([[Decimal("1.5")], [2.5], [Decimal(4)]], rk.Gaussian(1.0))
    np.testing.assert_array_equal(
        exact.weights, rk.median_rkde([[1.5], [2.5], [4.0]], rk.Gaussian(1.0)).weights
    )
