"""Each planted fault is caught by each test named for it, and by nothing when it is not there."""

import pytest

from rkde.errors import RkdeError
from tests.faults.planted import FAULTS, Check, Fault, name_of

# How a test notices: an assertion, a refusal, a refusal that did not come, or one of numpy's warnings, which
# are errors in tests.
NOTICED = (AssertionError, RkdeError, RuntimeWarning, pytest.fail.Exception)
PAIRS = [(fault, check) for fault in FAULTS for check in fault.caught_by]


def _label(entry: object) -> str:
    return entry.name if isinstance(entry, Fault) else name_of(entry).rpartition("::")[2]  # type: ignore[arg-type]


@pytest.mark.parametrize(("fault", "check"), PAIRS, ids=_label)
def test_a_fault_is_caught(fault: Fault, check: Check) -> None:
    check()
    with pytest.MonkeyPatch.context() as patch:
        fault.plant(patch)
        with pytest.raises(NOTICED):
            check()
    # Nothing of the fault is left behind.
    check()


def test_names_are_distinct() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_every_fault_has_a_detector() -> None:
    assert all(fault.caught_by for fault in FAULTS)
