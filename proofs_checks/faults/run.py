"""Plant faults one at a time and see which checks notice."""

import itertools
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import Phase, settings

from rkde.errors import RkdeError
from rkde.proofs_checks.claim import CHECK_PREFIX, Claim, Level, Verdict, checks_of, claims_of, evidence_of
from rkde.proofs_checks.faults.fault import Fault, FaultKind, check_module, fault_tables

# How a check notices: an assertion, a refusal, or a refusal that did not come.
NOTICED: Final = (AssertionError, RkdeError, pytest.fail.Exception)
_CHECKS: Final = Path(__file__).resolve().parents[1]
# Hypothesis keeps the settings of a test under this name; a planted fault is found, not shrunk.
_SETTINGS: Final = "_hypothesis_internal_use_settings"
_EXAMPLES: Final = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one fault: each detector with its complaint, None where it noticed nothing."""

    fault: Fault
    complaints: dict[str, str | None]
    seconds: float

    @property
    def caught(self) -> bool:
        """True if every detector noticed."""
        return all(complaint is not None for complaint in self.complaints.values())


def all_faults() -> list[Fault]:
    """Return the faults of every table, in the order of files and lines."""
    return [fault for table in fault_tables() for fault in table.faults]


def all_claims() -> list[Claim]:
    """Return every claim of the ledger, in the order of files and lines."""
    families = sorted(path.stem.removeprefix(CHECK_PREFIX) for path in _CHECKS.glob("check_*.py"))
    return [claim for family in families for claim in claims_of(check_module(family))]


def uncovered() -> list[str]:
    """Return the identifiers of claims that need a fault and have none."""
    covered = {name for fault in all_faults() for name in fault.claims}
    checked = _checked()
    needed = [
        claim
        for claim in all_claims()
        if claim.verdict is not Verdict.OPEN and not claim.no_fault and claim.id in checked
    ]
    return [claim.id for claim in needed if claim.id not in covered]


def unplanted() -> list[str]:
    """Return the checks, as ``family.check_name``, that no fault names and no reason excuses."""
    named = {check for fault in all_faults() for check in fault.checks}
    named.update(*(table.unplanted for table in fault_tables()))
    families = sorted({claim.id.partition(".")[0] for claim in all_claims()})
    checks = [f"{family}.{name}" for family in families for name, _ in checks_of(check_module(family))]
    return [check for check in checks if check not in named]


def one_sided() -> list[str]:
    """Return the TESTED claims without a fault in each package, the reference and the fast code.

    A claim without a check of its own is backed by the claims that it composes; one whose file says in
    `one_sided` why a package has nothing to break is left out.
    """
    kinds: dict[str, set[FaultKind]] = {}
    for fault in all_faults():
        for name in fault.claims:
            kinds.setdefault(name, set()).add(fault.kind)
    wanted = {FaultKind.FAST, FaultKind.REFERENCE}
    checked = _checked()
    tested = [claim for claim in all_claims() if claim.level is Level.TESTED and claim.id in checked]
    excused = {name for table in fault_tables() for name in table.one_sided}
    return [
        claim.id for claim in tested if claim.id not in excused and not wanted <= kinds.get(claim.id, set())
    ]


def _checked() -> set[str]:
    """Return the identifiers of claims that have a check of their own."""
    families = {claim.id.partition(".")[0] for claim in all_claims()}
    checks = [check for family in families for _, check in checks_of(check_module(family))]
    return {item.claim.id for check in checks for item in evidence_of(check)}


def run_fault(fault: Fault) -> Outcome:
    """Plant a fault, run its detectors, and take the fault out again."""
    started = time.perf_counter()
    for name in fault.checks:
        # A file of checks that were imported while the fault is planted would keep it for good.
        check_module(name.partition(".")[0])
    with pytest.MonkeyPatch.context() as patch:
        fault.plant(patch)
        complaints = {name: run_check(name) for name in fault.checks}
    return Outcome(fault, complaints, time.perf_counter() - started)


def run_check(name: str) -> str | None:
    """Run ``family.check_name`` with its parameters in turn; return the first complaint, None if none."""
    family, _, function = name.partition(".")
    check = getattr(check_module(family), function, None)
    if check is None:
        raise LookupError(f"there is no check {name}")
    for arguments in _parameters(check):
        complaint = _complaint(check, arguments)
        if complaint is not None:
            return complaint
    return None


def _complaint(check: Callable[..., object], arguments: dict[str, object]) -> str | None:
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if hasattr(check, _SETTINGS):
            own: settings = getattr(check, _SETTINGS)
            brief = settings(
                own,
                max_examples=min(own.max_examples, _EXAMPLES),
                phases=(Phase.explicit, Phase.generate),
                report_multiple_bugs=False,
                derandomize=True,
                database=None,
                deadline=None,
            )
            patch.setattr(check, _SETTINGS, brief)
        try:
            check(**arguments)
        except NOTICED as error:
            return f"{type(error).__name__}: {error}".splitlines()[0]
    return None


def _parameters(check: Callable[..., object]) -> Iterator[dict[str, object]]:
    """Yield the keyword arguments that pytest's parametrize marks give a check: one empty set without any."""
    axes: list[list[dict[str, object]]] = []
    for mark in getattr(check, "pytestmark", ()):
        if mark.name != "parametrize":
            continue
        names, rows = mark.args
        names = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
        axes.append([dict(zip(names, _values(row, len(names)), strict=True)) for row in rows])
    for choice in itertools.product(*axes):
        yield {name: value for part in choice for name, value in part.items()}


def _values(row: object, count: int) -> tuple[object, ...]:
    values = getattr(row, "values", None)  # of a pytest.param
    if isinstance(values, tuple):
        return values
    return tuple(row) if count > 1 else (row,)  # type: ignore[arg-type]
