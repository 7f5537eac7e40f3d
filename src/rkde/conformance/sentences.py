"""One sentence for each operation: how far it is right, and where it is not."""

import math
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Final

from rkde.conformance.levels import Failure, Level, Outcome, Part
from rkde.conformance.running import CaseResult

# An answer with fewer correct digits agrees with nothing.
AGREES: Final = 3.0
# What an adapter did where it gave no answer that can be judged.
_DEEDS: Final = {
    "crashed": frozenset({Failure.CRASH}),
    "gave no answer in time": frozenset({Failure.TIMEOUT}),
    "gave no valid answer": frozenset(
        {
            *(Failure.WRONG_ID, Failure.EXTRA_OUTPUT, Failure.NOT_JSON, Failure.NOT_STRICT),
            *(Failure.NOT_AN_OBJECT, Failure.TOO_LONG),
        }
    ),
}
_NO_ANSWER: Final = frozenset().union(*_DEEDS.values())
_Parts = list[tuple[CaseResult, Part]]


def sentences(results: Iterable[CaseResult], stopped: Iterable[str] = ()) -> dict[str, str]:
    """Say of each operation how far it is right.

    Result: from the operation to its sentence.
    """
    groups: dict[str, list[CaseResult]] = {}
    for result in results:
        groups.setdefault(result.op, []).append(result)
    early = {identity.partition("/")[0] for identity in stopped}
    return {op: f"{op}: {_sentence(members, stopped=op in early)}" for op, members in groups.items()}


def _sentence(results: Sequence[CaseResult], *, stopped: bool) -> str:
    parts: dict[Level, _Parts] = {
        level: [(result, part) for result in results for part in result.parts if part.level is level]
        for level in Level
    }
    clauses = [_values(parts, stopped=stopped), *_others(parts)]
    not_run = sum(result.outcome is Outcome.NOT_RUN for result in results)
    if not_run:
        clauses.append(f"{_number(not_run, 'case')} not run")
    found = [clause for clause in clauses if clause]
    if found:
        return "; ".join(found)
    supported = any(result.outcome is not Outcome.UNSUPPORTED for result in results)
    return "bad input is refused" if supported else "not supported"


def _values(parts: Mapping[Level, _Parts], *, stopped: bool) -> str:
    """Say how far the core fields are right."""
    core, edges = _judged(parts[Level.CORE]), _judged(parts[Level.EDGES])
    if not core and not edges:
        return ""
    wrong, wrong_edges = _failed(core), _failed(edges)
    if lost := _lost([*core, *edges]):
        return lost
    if not core and wrong_edges:
        return f"wrong in {_of(wrong_edges, edges, 'edge case')}"
    if not wrong:
        exceptions = f", but for {_such_as(wrong_edges, 'edge case')}" if wrong_edges else ""
        return f"right to {_digits(part for _, part in core or edges)}{exceptions}"
    near = [part for _, part in core if part.digits is not None and part.digits >= AGREES]
    if stopped and near:
        others = len(core) - len(near)
        return f"agrees to {_digits(near)} in {_of(near, core, 'ordinary case')}: the stopping rule?" + (
            f"; wrong in the other {others}" if others else ""
        )
    if len(near) == len(core) and all(part.failure is Failure.WRONG_VALUE for _, part in wrong):
        return f"right to {_digits(near)} only"
    further = f" and in {_of(wrong_edges, edges, 'edge case')}" if wrong_edges else ""
    return f"wrong in {_of(wrong, core, 'ordinary case')}{further}"


def _lost(judged: _Parts) -> str:
    """Say what became of the answers, where none of those that failed was an answer at all; else nothing."""
    wrong = _failed(judged)
    found = [deed for deed, failures in _DEEDS.items() if any(part.failure in failures for _, part in wrong)]
    if not wrong or any(part.failure not in _NO_ANSWER for _, part in wrong):
        return ""
    right = [part for _, part in judged if part.outcome is Outcome.PASSED]
    rest = f"; otherwise right to {_digits(right)}" if right else ""
    return f"{' or '.join(found)} in {_of(wrong, judged, 'case')}{rest}"


def _others(parts: Mapping[Level, _Parts]) -> Iterable[str]:
    """Say what is wrong at the other levels, and what is not given there."""
    extended = _failed(parts[Level.EXTENDED])
    if extended:
        yield f"further fields wrong in {_such_as(extended, 'case')}"
    missing = {
        name
        for level in (Level.EXTENDED, Level.CERTIFICATES)
        for _, part in parts[level]
        for name in part.missing
    }
    if missing:
        yield f"{', '.join(sorted(missing))} not given"
    refused = _failed(parts[Level.ERRORS])
    if refused:
        yield f"{_of(refused, _judged(parts[Level.ERRORS]), 'bad input')} not refused correctly"
    claims = _failed(parts[Level.CERTIFICATES])
    if claims:
        yield f"{_such_as(claims, 'claim of a proof', 'claims of a proof')} not accepted"


def _judged(parts: _Parts) -> _Parts:
    return [entry for entry in parts if entry[1].outcome in (Outcome.PASSED, Outcome.FAILED)]


def _failed(parts: _Parts) -> _Parts:
    return [entry for entry in parts if entry[1].outcome is Outcome.FAILED]


def _digits(parts: Iterable[Part]) -> str:
    least = min((part.digits for part in parts if part.digits is not None), default=math.inf)
    return "all digits" if math.isinf(least) else _number(max(math.floor(least), 0), "digit")


def _of(some: Sized, there: Sized, what: str) -> str:
    return f"{len(some)} of {len(there)} {what}s" if len(there) > 1 else f"the only {what}"


def _such_as(parts: _Parts, what: str, plural: str = "") -> str:
    text = _number(len(parts), what, plural)
    return f"{text} ({parts[0][0].id})" if len(parts) == 1 else f"{text} (such as {parts[0][0].id})"


def _number(count: int, what: str, plural: str = "") -> str:
    return f"one {what}" if count == 1 else f"{count} {plural or what + 's'}"
