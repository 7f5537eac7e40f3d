"""The tree of errors: what each is to Python, what it carries, and that it survives a process boundary."""

from __future__ import annotations

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
WARNINGS = (
    "DegenerateBandwidthWarning",
    "DegenerateThresholdsWarning",
    "ModeCollapseWarning",
    "NotConvergedWarning",
)


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


@pytest.mark.parametrize("name", BASES)
def test_the_parts_make_the_message(name: str) -> None:
    error = getattr(errors, name)("it is wrong", where="row 2", value=1.5, remedy="mend it")
    assert (error.where, error.value, error.remedy) == ("row 2", 1.5, "mend it")
    assert str(error) == "row 2: it is wrong (got 1.5); mend it"


@pytest.mark.parametrize("name", BASES)
def test_an_error_survives_pickling(name: str) -> None:
    error = getattr(errors, name)("it is wrong", where="row 2", value=1.5, remedy="mend it")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert (copy.where, copy.value, copy.remedy) == (error.where, error.value, error.remedy)


def test_an_error_may_have_no_value_to_show() -> None:
    assert str(errors.InvalidInput("there is no row", where="X")) == "X: there is no row"
