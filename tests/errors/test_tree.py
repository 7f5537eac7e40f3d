"""The tree of errors: what each is to Python, what it carries, and that it survives a process boundary."""

import pickle

import pytest

from rkde import errors

BASES = {
    "InvalidInput": ValueError,
    "InvalidType": TypeError,
    "DegenerateBandwidth": ValueError,
    "DegenerateThresholds": ValueError,
    "AllWeightsZero": ValueError,
    "NotDifferentiable": ValueError,
    "SingularSystem": ArithmeticError,
    "NotConverged": RuntimeError,
    "MemoryLimit": MemoryError,
    "CorruptFile": ValueError,
}
WARNINGS = [name for name in vars(errors) if name.endswith("Warning")]


@pytest.mark.parametrize("name", BASES)
def test_an_error_is_also_the_builtin_that_users_catch(name: str) -> None:
    kind = getattr(errors, name)
    assert issubclass(kind, errors.RkdeError)
    assert issubclass(kind, BASES[name])


def test_a_wrong_type_is_also_a_wrong_value() -> None:
    assert issubclass(errors.InvalidType, errors.InvalidInput)


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_can_be_filtered_by_its_class(name: str) -> None:
    assert issubclass(getattr(errors, name), errors.RkdeWarning)
    assert issubclass(errors.RkdeWarning, UserWarning)


def test_a_place_of_several_parts_ends_with_a_comma() -> None:
    error = errors.InvalidInput("must be whole", where="X, row 2", value="1.5", remedy="round it")
    assert str(error) == "X, row 2, must be whole, got '1.5'; round it"


@pytest.mark.parametrize(("value", "shown"), [(1.5, "(1.5)"), ("condition 1e9", "(condition 1e9)")])
def test_a_measurement_stands_in_parentheses(value: object, shown: str) -> None:
    error = errors.SingularSystem("the system is singular", where="weights", value=value, remedy="move it")
    assert str(error) == f"weights: the system is singular {shown}; move it"


def test_none_is_a_value_and_can_be_left_out() -> None:
    assert (
        str(errors.InvalidType("must be a number", where="a", value=None)) == "a must be a number, got None"
    )
    assert str(errors.InvalidType("must be a number", where="a")) == "a must be a number"


@pytest.mark.parametrize("value", [None, 1.5, ...])
def test_an_error_is_restated_with_its_value(value: object) -> None:
    error = errors.InvalidInput("must be whole", where="X", value=value, remedy="round it")
    told = error.restated(where="table.csv", remedy="correct it")
    assert type(told) is errors.InvalidInput
    assert str(told) == str(error).replace("X", "table.csv").replace("round it", "correct it")
    assert str(error.restated(problem="must be even")) == str(error).replace("whole", "even")


@pytest.mark.parametrize("value", [None, 1.5, ...])
@pytest.mark.parametrize("name", BASES)
def test_an_error_survives_pickling(name: str, value: object) -> None:
    error = getattr(errors, name)("must be whole", where="row 2", value=value, remedy="round it")
    assert str(error) == f"row 2 must be whole{'' if value is ... else f', got {value}'}; round it"
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert (copy.where, copy.value, copy.remedy) == (error.where, error.value, error.remedy)


def test_an_error_may_have_no_value_to_show() -> None:
    assert str(errors.InvalidInput("the table is empty", where="X")) == "X: the table is empty"
