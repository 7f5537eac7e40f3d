"""``python -m rkde.proofs_checks.faults``: plant every fault and print what noticed it."""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from rkde.proofs_checks.faults import Fault, all_faults, one_sided, run_check, run_fault, uncovered, unplanted
from rkde.proofs_checks.strategies import DEFAULT_PROFILE, PROFILES, load_profile

_PIPE_WIDTH = 160


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m rkde.proofs_checks.faults", description=__doc__)
    parser.add_argument("family", nargs="*", help="only the faults of claims of these families")
    parser.add_argument(
        "--profile", choices=PROFILES, default=DEFAULT_PROFILE, help="how many examples the checks draw"
    )
    arguments = parser.parse_args()
    prefixes = tuple(f"{family}." for family in arguments.family) or ("",)
    load_profile(arguments.profile)
    faults = [fault for fault in all_faults() if any(name.startswith(prefixes) for name in fault.claims)]
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    detectors = sorted({check for fault in faults for check in fault.checks})
    problems = [
        *(f"{name} has no fault" for name in uncovered() if name.startswith(prefixes)),
        *(f"{name} is named by no fault" for name in unplanted() if name.startswith(prefixes)),
        *(f"{name} lacks a fault in a package" for name in one_sided() if name.startswith(prefixes)),
        *(f"{check} fails without a fault" for check in detectors if run_check(check) is not None),
        *_plant(faults, console),
    ]
    console.print(f"{len(faults)} faults, {len(problems)} problems", *problems, sep="\n", markup=False)
    return 1 if problems else 0


def _plant(faults: list[Fault], console: Console) -> list[str]:
    """Plant the faults in turn, print the table, and return what was missed."""
    table = Table("claims", "fault", "in", "check", "caught", "seconds")
    missed = []
    for fault in faults:
        outcome = run_fault(fault)
        for index, (check, complaint) in enumerate(outcome.complaints.items()):
            first = ("", "", "") if index else ("\n".join(fault.claims), fault.name, fault.kind)
            table.add_row(*first, check, "NO" if complaint is None else "yes", f"{outcome.seconds:.2f}")
            if complaint is None:
                missed.append(f"not caught by {check}: {fault.name}")
    console.print(table)
    return missed


if __name__ == "__main__":
    sys.exit(_main())
