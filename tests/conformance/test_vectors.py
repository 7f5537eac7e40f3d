"""Each golden vector, one test, for each implementation."""

from decimal import Decimal

import pytest

from rkde.adapter import Implementation, answer_request, fast_implementation, reference_implementation
from rkde.conformance import REFERENCE_TOLERANCE, Case, Outcome
from rkde.conformance.running import check_case
from tests.support.selection import one_in
from tests.support.vectors import shipped_cases

CASES = shipped_cases()
FAST = fast_implementation()
REFERENCE = reference_implementation()
# At forty digits the largest recipes take a minute; `rkde verify --implementation reference` runs them too.
QUICK = [case for case in CASES if "LARGE" not in case.flags]
each_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
# The slow tests also compute every file anew, byte by byte.
some_quick_cases = pytest.mark.parametrize("case", one_in(8, QUICK, lambda case: case.id))


def judged(lib: Implementation, case: Case, tolerance: Decimal | None = None) -> tuple[Outcome, str]:
    """Ask one case and return outcome and message."""
    result = check_case(lambda request: answer_request(lib, request), case, tolerance)
    return result.outcome, result.message


@each_case
def test_fast_is_within_the_tolerance(case: Case) -> None:
    assert judged(FAST, case) == (Outcome.PASSED, "")


@some_quick_cases
def test_the_reference_has_thirty_digits(case: Case) -> None:
    assert judged(REFERENCE, case, REFERENCE_TOLERANCE) == (Outcome.PASSED, "")
