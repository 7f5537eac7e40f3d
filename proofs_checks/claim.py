"""A claim of the paper, its verdict, how firmly the verdict is known, and what ties checks to it.

A claim stands as a module-level constant in a file ``check_<family>.py``; functions named ``check_*`` in the
same file carry its evidence, or it names the claims from which it follows. `rkde.proofs_checks.audit` finds
claims whose stated level is not the lowest level of what they rest on; the pytest plugin runs it while it
collects, so such a claim stops the run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Final, TypeVar

CHECK_PREFIX: Final = "check_"
_EVIDENCE_ATTRIBUTE: Final = "rkde_evidence"

_Function = TypeVar("_Function", bound=Callable[..., object])


class Verdict(StrEnum):
    """What became of a statement of the paper.

    NOT_REPRODUCED is for the experiments: a finding that the run of them did not give back under the readings
    that the claim lists among its hypotheses.
    """

    HOLDS = "HOLDS"
    REPAIRED = "REPAIRED"
    MISPRINT = "MISPRINT"
    FAILS = "FAILS"
    NOT_REPRODUCED = "NOT REPRODUCED"
    OPEN = "OPEN"


NEEDS_COUNTEREXAMPLE: Final = (Verdict.FAILS, Verdict.MISPRINT)


class Level(StrEnum):
    """How firmly a verdict is known.

    FORMAL: as PROVED, and a proof assistant has checked statement and proof (`rkde.proofs_checks.formal`).
    PROVED: for all admissible inputs; what a machine checked of the proof is said by `ProofClass`. CERTIFIED:
    rigorously on a stated finite set or box. TESTED: no counterexample found in a stated domain.
    """

    FORMAL = "FORMAL"
    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    TESTED = "TESTED"


# From the firmest to the weakest: a claim is as firm as the weakest of what it rests on.
LEVELS_BY_STRENGTH: Final = (Level.FORMAL, Level.PROVED, Level.CERTIFIED, Level.TESTED)


class ProofClass(StrEnum):
    """How much of a proof a machine checked, from all of it to its skeleton."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


PROOF_CLASSES: Final[dict[ProofClass, str]] = {
    ProofClass.A: "the machine checked the statement itself, for all parameters, or an exact counterexample",
    ProofClass.B: "the machine checked the key identity or inequality for all parameters; sums and the last "
    "step are prose",
    ProofClass.C: "the machine checked a fixed size; the step to every size is prose",
    ProofClass.D: "the machine checked the algebra; existence, limits or a cited theorem are prose",
}


class Source(StrEnum):
    """Who says what a claim judges."""

    PRINTED = "printed"
    IMPLIED = "implied"
    UNSPECIFIED = "unspecified"


SOURCES: Final[dict[Source, str]] = {
    Source.PRINTED: "the paper prints it",
    Source.IMPLIED: "the paper uses it, or a reader would take it from the paper, but no sentence says it",
    Source.UNSPECIFIED: "the paper is silent where an implementation has to choose",
}


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
    verdict : Verdict
        What became of it.
    level : Level or None
        FORMAL where formal theorems carry it; otherwise the lowest level among the checks that carry it, or
        among the claims that it follows from; None exactly where the verdict is OPEN.
    argument : str
        Why it holds or fails, in a few lines.
    hypotheses : tuple of str
        What it needs: names of declared facts, or short conditions.
    counterexample : tuple of str
        Names of checks of the same file that run the smallest counterexample known; needed where the verdict
        is FAILS or MISPRINT.
    necessity : tuple of (str, str)
        A hypothesis, and the check of the same file that drops it and shows the failure.
    source : Source
        Whether the paper prints the statement that is judged.
    proof_class : ProofClass or None
        What a machine checked of the proof; None exactly where the level is not PROVED. Of a composed claim:
        no stronger than the class of any part.
    follows_from : tuple of str
        Identifiers of the claims that make up this one. A composed claim needs no check of its own.
    cites : tuple of str
        Theorems of the literature on which the argument relies, each with its reference.
    otherwise : tuple of str
        For NOT_REPRODUCED: what comes out under the readings that are not among the hypotheses.
    no_fault : str
        Why no planted fault can be asked for (``rkde.proofs_checks.faults``): a quotation, not a computation.
        Empty for almost every claim. OPEN claims are exempt without a reason.
    """

    id: str
    label: str
    section: str
    statement: str
    verdict: Verdict
    level: Level | None
    argument: str
    hypotheses: tuple[str, ...] = ()
    counterexample: tuple[str, ...] = ()
    necessity: tuple[tuple[str, str], ...] = ()
    source: Source | None = None
    proof_class: ProofClass | None = None
    follows_from: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    no_fault: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One check counts for one claim at one level; one that corroborates does not lower the claim's level."""

    claim: Claim
    level: Level
    corroborates: bool = False


def evidence(claim: Claim, *, level: Level, corroborates: bool = False) -> Callable[[_Function], _Function]:
    """Mark a check function as evidence for `claim` at `level`; outermost decorator, may be repeated.

    A check that `corroborates` shows what other checks already establish, as a run of the code does beside a
    proof: the claim would stand at its level without it.
    """

    def decorate(function: _Function) -> _Function:
        # A tuple of its own: other decorators copy a function's attributes, and a shared list would grow.
        mark = Evidence(claim, level, corroborates)
        setattr(function, _EVIDENCE_ATTRIBUTE, (*evidence_of(function), mark))
        return function

    return decorate


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
