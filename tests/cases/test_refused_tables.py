"""NaN, infinities and shapes: one behaviour for fitting and for scoring, and no linear algebra in the way.

Public reports: xarray-contrib/xarray-spatial#3628 (four backends, three outcomes),
statsmodels/statsmodels#7195 (one bad query spoils the answer), scipy/scipy#10205, #16631, #17446, #21685
(singular covariance).
"""

import math
from collections.abc import Callable

import pytest

from rkde.errors import InvalidInput
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within
from tests.support.implementations import Implementation, each_implementation

X = [[0.0], [1.0], [math.nan], [3.0], [4.0]]
GOOD = [[0.0], [1.0], [2.0], [3.0], [5.0]]


@each_implementation
def test_fitting_names_the_nan(implementation: Implementation) -> None:
    kernel = implementation.get("Gaussian")(1.0)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: implementation.call("rkde", X, bandwidth=1.0),
        lambda: implementation.call("rkde", X),
        lambda: implementation.call("kde", X, kernel),
        lambda: implementation.call("vkde", X, kernel),
        lambda: implementation.call("median_rkde", X, kernel),
    )
    for attempt in attempts:
        with pytest.raises(InvalidInput, match="row 2, column 0"):
            attempt()


@each_implementation
@pytest.mark.parametrize("estimator", ["rkde", "kde", "vkde"])
def test_scoring_names_the_bad_query(implementation: Implementation, estimator: str) -> None:
    kernel = implementation.get("Gaussian")(1.0)
    model = (
        implementation.call("rkde", GOOD, bandwidth=1.0)
        if estimator == "rkde"
        else implementation.call(estimator, GOOD, kernel)
    )
    for queries, place in (
        ([[0.0], [math.nan], [1.0]], "row 1, column 0"),
        ([[math.inf]], "row 0, column 0"),
        ([[0.0], [-math.inf]], "row 1, column 0"),
    ):
        with pytest.raises(InvalidInput, match=place):
            implementation.method(model, "log_density", queries)


@each_implementation
def test_five_numbers_are_a_column(implementation: Implementation) -> None:
    numbers = [0.0, 1.0, 2.0, 3.5, 5.0]
    flat, table = (
        implementation.call("rkde", rows, bandwidth=1.0) for rows in (numbers, [[x] for x in numbers])
    )
    assert list(flat.weights) == list(table.weights)


@each_implementation
def test_another_number_of_columns_names_both(implementation: Implementation) -> None:
    model = implementation.call("kde", [[1.0, 2.0], [2.0, 4.0]], implementation.get("Gaussian")(1.0))
    with pytest.raises(InvalidInput, match=r"3.*2|2.*3"):
        implementation.method(model, "log_density", [[1.0, 2.0, 3.0]])


@each_implementation
def test_rows_on_a_line_need_no_covariance(implementation: Implementation) -> None:
    X = [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0], [4.0, 8.0], [7.0, 14.0]]
    model = implementation.call("rkde", X, bandwidth=2.0)
    (here,) = implementation.method(model, "log_density", [[3.0, 6.0]])
    (beside,) = implementation.method(model, "log_density", [[6.0, 3.0]])
    assert here > beside


@each_implementation
def test_one_row_is_a_whole_gaussian(implementation: Implementation) -> None:
    model = implementation.call("rkde", [[1.0, 2.0]], bandwidth=1.0)
    (value,) = implementation.method(model, "log_density", [[1.0, 2.0]])
    bound = tolerances.log_density_bound(2, 2, 1, 2)
    assert_within(value, "-1.8378770664093454835606594728112352797228", bound, "log f")
