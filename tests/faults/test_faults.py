"""Each planted fault is caught by each test named for it, and by nothing when it is not there."""

from collections.abc import Callable

import pytest

from rkde.errors import RkdeError
from tests.faults.planted import FAULTS, Fault

# How a test notices: an assertion, a refusal, a refusal that did not come, or one of numpy's warnings, which
# are errors in tests.
NOTICED = (AssertionError, RkdeError, RuntimeWarning, pytest.fail.Exception)


@pytest.mark.parametrize(
    ("fault", "check"),
    [(fault, check) for fault in FAULTS for check in fault.caught_by],
    ids=lambda part: part.mistake if isinstance(part, Fault) else part.func.__name__,
)
def test_a_fault_is_caught(fault: Fault, check: Callable[[], object]) -> None:
    check()
    with pytest.MonkeyPatch.context() as patch:
        for plant in fault.plants:
            plant(patch)
        with pytest.raises(NOTICED):
            check()
    # Nothing of the fault is left behind.
    check()


def test_every_fault_is_planted_and_has_a_detector() -> None:
    assert all(fault.plants and fault.caught_by for fault in FAULTS)
