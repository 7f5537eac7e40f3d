"""A claim of the paper, its verdict, how firmly the verdict is known, and what ties checks to it.

A claim stands as a module-level constant in a file ``check_<family>.py``; functions named ``check_*`` in the
same file carry its evidence. `audit_module` finds claims whose stated level no check backs; the pytest plugin
runs it while it collects, so such a claim stops the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Final, TypeVar

CHECK_PREFIX: Final = "check_"
_EVIDENCE_ATTRIBUTE: Final = "rkde_evidence"

_Function = TypeVar("_Function", bound=Callable[..., object])


class Verdict(StrEnum):
    """What became of a statement of the paper."""

    HOLDS = "HOLDS"
    REPAIRED = "REPAIRED"
    MISPRINT = "MISPRINT"
    FAILS = "FAILS"
    OPEN = "OPEN"


NEEDS_COUNTEREXAMPLE: Final = (Verdict.FAILS, Verdict.MISPRINT)


class Level(StrEnum):
    """How firmly a verdict is known.

    PROVED: for all admissible inputs, by symbolic identity, decision procedure, or an argument each step of
    which has a check. CERTIFIED: rigorously on a stated finite set or box. TESTED: no counterexample found in
    a stated domain.
    """

    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    TESTED = "TESTED"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement, judged.

    Attributes
    ----------
    id : str
        ``family.name``, unique in the ledger.
    label : str
        Where the paper says it: its LaTeX labels, separated by commas; a place within in parentheses.
    section : str
        Section of the paper.
    statement : str
        The statement in our words, in its true form unless the verdict is FAILS.
    hypotheses : tuple of str
        What it needs: names of declared facts, or short conditions.
    verdict, level : Verdict, Level
        What became of it, and the strongest level that at least one check has.
    argument : str
        Why it holds or fails, in a few lines.
    counterexample : tuple of str
        Names of checks of the same file that run the smallest counterexample known; needed where the verdict
        is FAILS or MISPRINT.
    necessity : tuple of (str, str)
        A hypothesis, and the check of the same file that drops it and shows the failure.
    no_fault : str
        Why no planted fault can be asked for (``rkde.proofs_checks.faults``): a quotation, not a computation.
        Empty for almost every claim. OPEN claims are exempt without a reason.
    """

    id: str
    label: str
    section: str
    statement: str
    hypotheses: tuple[str, ...]
    verdict: Verdict
    level: Level
    argument: str
    counterexample: tuple[str, ...] = ()
    necessity: tuple[tuple[str, str], ...] = ()
    no_fault: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One check counts for one claim at one level."""

    claim: Claim
    level: Level


def evidence(claim: Claim, *, level: Level) -> Callable[[_Function], _Function]:
    """Mark a check function as evidence for `claim` at `level`; outermost decorator, may be repeated."""

    def mark(function: _Function) -> _Function:
        # A tuple of its own: other decorators copy a function's attributes, and a shared list would grow.
        setattr(function, _EVIDENCE_ATTRIBUTE, (*evidence_of(function), Evidence(claim, level)))
        return function

    return mark


def evidence_of(function: object) -> tuple[Evidence, ...]:
    """Return what `evidence` recorded on a function, nothing for any other object."""
    found: tuple[Evidence, ...] = getattr(function, _EVIDENCE_ATTRIBUTE, ())
    return found


def claims_of(module: ModuleType) -> list[Claim]:
    """Return the claims that a module holds as constants, in the order of the file."""
    return [value for value in vars(module).values() if isinstance(value, Claim)]


def checks_of(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield name and function of each check of a module, in the order of the file."""
    for name, value in vars(module).items():
        if name.startswith(CHECK_PREFIX) and callable(value):
            yield name, value


def audit_module(module: ModuleType) -> list[str]:
    """Return what is wrong with a module of claims; an empty list if nothing is.

    Wrong are: no claim at all, a check that is evidence for none of the module's claims, a claim without a
    check, a claim whose stated level no check has, an identifier used twice or not named after the family,
    an empty field, a verdict FAILS or MISPRINT without counterexample, and a witness that is no check.
    """
    claims = claims_of(module)
    if not claims:
        return [f"{module.__name__}: holds no claim"]
    problems: list[str] = []
    levels: dict[str, list[Level]] = {claim.id: [] for claim in claims}
    if len(levels) < len(claims):
        problems.append(f"{module.__name__}: two claims have one identifier")
    for name, check in checks_of(module):
        known = [item for item in evidence_of(check) if item.claim in claims]
        if not known:
            problems.append(f"{name}: is evidence for no claim of its file")
        for item in known:
            levels[item.claim.id].append(item.level)
    for claim in claims:
        problems.extend(_audit_claim(claim, levels[claim.id], module))
    return problems


def _audit_claim(claim: Claim, levels: list[Level], module: ModuleType) -> Iterator[str]:
    family = module.__name__.rpartition(".")[2].removeprefix(CHECK_PREFIX)
    if not claim.id.startswith(f"{family}."):
        yield f"claim {claim.id}: its identifier does not start with the family {family!r}"
    if not (claim.label and claim.section and claim.statement and claim.argument):
        yield f"claim {claim.id}: label, section, statement and argument must not be empty"
    if not levels:
        yield f"claim {claim.id}: no check is evidence for it"
    elif claim.level not in levels:
        yield f"claim {claim.id}: level {claim.level} is stated, its checks have only {sorted(set(levels))}"
    yield from _audit_witnesses(claim, module)


def _audit_witnesses(claim: Claim, module: ModuleType) -> Iterator[str]:
    own = {name for name, check in checks_of(module) if claim in [e.claim for e in evidence_of(check)]}
    if claim.verdict in NEEDS_COUNTEREXAMPLE and not claim.counterexample:
        yield f"claim {claim.id}: {claim.verdict} needs a counterexample"
    for name in claim.counterexample:
        if name not in own:
            yield f"claim {claim.id}: its counterexample {name} is no check of this claim"
    for hypothesis, name in claim.necessity:
        if hypothesis not in claim.hypotheses:
            yield f"claim {claim.id}: {hypothesis!r} is none of its hypotheses"
        if name not in dict(checks_of(module)):
            yield f"claim {claim.id}: the witness {name} is no check of its file"
