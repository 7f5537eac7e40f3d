"""Print which test catches which planted fault: `python -m tests.faults` from the root of a checkout.

Exit code 0 only if every fault is caught by every test named for it.
"""

import sys

import pytest
from rich.console import Console
from rich.table import Table

from tests.faults.planted import FAULTS, Check, Fault, name_of
from tests.faults.test_faults import NOTICED


def is_caught(fault: Fault, check: Check) -> bool:
    """Whether the test fails while the fault is planted."""
    with pytest.MonkeyPatch.context() as patch:
        fault.plant(patch)
        try:
            check()
        except NOTICED:
            return True
    return False


def main() -> int:
    """Print the table and return the exit code."""
    table = Table("fault", "what is broken", "test", "caught")
    escaped = 0
    for fault in FAULTS:
        for index, check in enumerate(fault.caught_by):
            caught = is_caught(fault, check)
            escaped += not caught
            first = ("", "") if index else (fault.name, fault.mistake)
            table.add_row(*first, name_of(check), "yes" if caught else "NO")
    Console(width=None if sys.stdout.isatty() else 180).print(table)
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
