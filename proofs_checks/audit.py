"""What can be wrong with claims: with those of one file, and with the ledger as a whole."""

from collections.abc import Iterable, Iterator
from types import ModuleType

from rkde.proofs_checks.claim import (
    CHECK_PREFIX,
    LEVELS_BY_STRENGTH,
    NEEDS_COUNTEREXAMPLE,
    Claim,
    Evidence,
    Level,
    ProofClass,
    Verdict,
    checks_of,
    claims_of,
    evidence_of,
)
from rkde.proofs_checks.formal.record import unrecorded
from rkde.proofs_checks.formal.sources import claims_with_theorems, formal_claims


def audit_module(module: ModuleType) -> list[str]:
    """Return what is wrong with a module of claims; an empty list if nothing is.

    Wrong are: no claim at all, a check that is evidence for none of the module's claims, a claim with
    neither checks nor parts, a claim whose stated level is not the lowest of its own checks (not FORMAL,
    where formal theorems carry it), a formal theorem, of all or of a part, that is not the recorded one, an
    identifier used twice or not named after the family, an empty field, a verdict FAILS or MISPRINT without
    counterexample, a witness that is no check, and a source, class or reading that does not go with verdict
    and level.
    """
    claims = claims_of(module)
    if not claims:
        return [f"{module.__name__}: holds no claim"]
    problems: list[str] = []
    marks: dict[str, list[Evidence]] = {claim.id: [] for claim in claims}
    if len(marks) < len(claims):
        problems.append(f"{module.__name__}: two claims have one identifier")
    for name, check in checks_of(module):
        known = [item for item in evidence_of(check) if item.claim in claims]
        if not known:
            problems.append(f"{name}: is evidence for no claim of its file")
        for item in known:
            marks[item.claim.id].append(item)
    for claim in claims:
        problems.extend(_audit_claim(claim, marks[claim.id], module))
    return problems


def audit_compositions(claims: Iterable[Claim]) -> list[str]:
    """Return what is wrong between claims: parts that do not exist, circles, levels above those of the parts.

    A composed claim is as firm as the weakest of its parts, and its class no stronger than that of any part,
    unless formal theorems carry it; if all parts are FORMAL and the step from them is not, it is PROVED.
    """
    known = {claim.id: claim for claim in claims}
    problems: list[str] = []
    for claim in known.values():
        missing = [name for name in claim.follows_from if name not in known]
        problems.extend(f"claim {claim.id}: follows from {name}, which is no claim" for name in missing)
        if missing or not claim.follows_from:
            continue
        if _in_a_circle(claim.id, known):
            problems.append(f"claim {claim.id}: follows from itself")
            continue
        if claim.id not in formal_claims():
            problems.extend(_audit_composition(claim, [known[name] for name in claim.follows_from]))
    return problems


def _audit_composition(claim: Claim, parts: list[Claim]) -> Iterator[str]:
    """Yield where a composed claim is stated more firmly, or less, than its parts allow."""
    for part in parts:
        if part.level is None:
            yield f"claim {claim.id}: follows from {part.id}, which is open"
    lowest = _weakest(part.level for part in parts if part.level is not None)
    # A step from formal parts to the whole may be prose: the claim is then PROVED.
    if claim.level is not lowest and (claim.level, lowest) != (Level.PROVED, Level.FORMAL):
        yield f"claim {claim.id}: level {claim.level} is stated, the lowest of its parts is {lowest}"
    weakest = max((part.proof_class for part in parts if part.proof_class is not None), default=None)
    if weakest is not None and claim.proof_class is not None and claim.proof_class < weakest:
        yield f"claim {claim.id}: class {claim.proof_class} is stated, the weakest of its parts is {weakest}"


def _in_a_circle(start: str, known: dict[str, Claim]) -> bool:
    """Tell whether the parts of a claim, and theirs, lead back to it."""
    seen: set[str] = set()
    todo = list(known[start].follows_from)
    while todo:
        name = todo.pop()
        if name == start:
            return True
        if name in known and name not in seen:
            seen.add(name)
            todo.extend(known[name].follows_from)
    return False


def _weakest(levels: Iterable[Level]) -> Level | None:
    """Return the weakest of some levels, None of none."""
    return max(levels, key=LEVELS_BY_STRENGTH.index, default=None)


def _audit_claim(claim: Claim, marks: list[Evidence], module: ModuleType) -> Iterator[str]:
    """Yield what is wrong with one claim, given the marks of the checks of its file."""
    family = module.__name__.rpartition(".")[2].removeprefix(CHECK_PREFIX)
    if not claim.id.startswith(f"{family}."):
        yield f"claim {claim.id}: its identifier does not start with the family {family!r}"
    if not (claim.label and claim.section and claim.statement and claim.argument):
        yield f"claim {claim.id}: label, section, statement and argument must not be empty"
    if not marks and not claim.follows_from:
        yield f"claim {claim.id}: no check is evidence for it, and it follows from no other claim"
    elif claim.id in formal_claims():
        if claim.level is not Level.FORMAL:
            yield f"claim {claim.id}: level {claim.level} is stated, but a formal theorem carries it"
    elif claim.verdict is not Verdict.OPEN:
        yield from _audit_level(claim, marks)
    if claim.id in claims_with_theorems():
        yield from (f"claim {claim.id}: {problem}" for problem in unrecorded(claim.id))
    yield from _audit_fields(claim)
    yield from _audit_witnesses(claim, module)


def _audit_level(claim: Claim, marks: list[Evidence]) -> Iterator[str]:
    """Yield where the stated level is not the lowest among the checks that carry the claim.

    The parts of a composed claim may be weaker than its own checks, so that of these only a lower level is
    wrong.
    """
    if claim.level is Level.FORMAL and not claim.follows_from:
        yield f"claim {claim.id}: level FORMAL is stated, but no formal theorem carries it"
        return
    carrying = [item.level for item in marks if not item.corroborates]
    if not carrying and not claim.follows_from:
        yield f"claim {claim.id}: every check only corroborates it"
    lowest = _weakest([*carrying, claim.level] if claim.follows_from and claim.level else carrying)
    if lowest is not None and lowest is not claim.level:
        yield f"claim {claim.id}: level {claim.level} is stated, its weakest check has {lowest}"


def _audit_fields(claim: Claim) -> Iterator[str]:
    """Yield where source, level, class and readings do not go together."""
    if claim.source is None:
        yield f"claim {claim.id}: its source is not stated"
    if (claim.level is None) != (claim.verdict is Verdict.OPEN):
        yield f"claim {claim.id}: a claim has no level exactly where it is open"
    if (claim.proof_class is None) != (claim.level is not Level.PROVED):
        yield f"claim {claim.id}: a class goes with the level PROVED, and with no other"
    if claim.proof_class is ProofClass.A and claim.cites:
        yield f"claim {claim.id}: class A leaves nothing to a cited theorem"
    if claim.level is Level.FORMAL and claim.cites:
        yield f"claim {claim.id}: the level FORMAL leaves nothing to a cited theorem"
    if bool(claim.otherwise) != (claim.verdict is Verdict.NOT_REPRODUCED):
        yield f"claim {claim.id}: other readings go with the verdict NOT REPRODUCED, and with no other"


def _audit_witnesses(claim: Claim, module: ModuleType) -> Iterator[str]:
    """Yield which counterexamples and necessity witnesses are missing or are no checks."""
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
