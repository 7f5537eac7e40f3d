"""Levels of conformance: what a case asks of the core, of edges, errors and proofs, judged separately."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rkde.conformance.protocol import ANSWER_FIELDS, CERTIFICATE_FIELDS, CORE_ERRORS, CORE_FIELDS
from rkde.conformance.vectors import Case

# Data that any user might have. Every other flag makes a case an edge.
ORDINARY: Final = frozenset({"BASIC", "MISPRINT", "RECIPE", "REPEATED"})


class Outcome(StrEnum):
    """How a case ended.

    Examples
    --------
    >>> [outcome.value for outcome in Outcome]
    ['passed', 'failed', 'unsupported', 'not run']
    """

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    NOT_RUN = "not run"


class Level(StrEnum):
    """What is judged apart.

    Attributes
    ----------
    CORE
        The core fields of ordinary cases.
    EDGES
        The core fields of all other cases: ties, underflow, huge scales, no rows and the like.
    EXTENDED
        Fields beyond the core, and kinds of error beyond the core.
    ERRORS
        Bad input is refused, with the right kind of error.
    CERTIFICATES
        What is claimed to be proved about a limit.

    Examples
    --------
    >>> [level.value for level in Level]
    ['core', 'edges', 'extended', 'errors', 'certificates']
    """

    CORE = "core"
    EDGES = "edges"
    EXTENDED = "extended"
    ERRORS = "errors"
    CERTIFICATES = "certificates"


class Failure(StrEnum):
    """The name of what was wrong with a case.

    Examples
    --------
    >>> Failure("timeout")
    <Failure.TIMEOUT: 'timeout'>
    """

    WRONG_VALUE = "wrong value"
    NO_NUMBER = "no finite number, or another shape"
    MISSING_FIELD = "missing field"
    WRONG_ERROR = "wrong kind of error"
    UNEXPECTED_ERROR = "error instead of a value"
    NO_ERROR = "value instead of an error"
    FALSE_CLAIM = "false certificate or bound"
    SCHEMA = "breach of the schema"
    TIMEOUT = "timeout"
    CRASH = "crash"
    WRONG_ID = "wrong id"
    EXTRA_OUTPUT = "extra output"
    NOT_JSON = "invalid JSON"
    NOT_STRICT = "JSON that is not strict"
    NOT_AN_OBJECT = "no JSON object"
    TOO_LONG = "line too long"


@dataclass(frozen=True, slots=True)
class Part:
    """What one case showed at one level.

    Attributes
    ----------
    level : Level
        The level.
    outcome : Outcome
        `unsupported` where the answer gives none of the fields of the level.
    digits : float or None
        -log10 of the error of the worst field; None where no value was compared.
    message : str
        What is wrong with the fields that were given; empty if nothing is.
    missing : tuple of str
        The fields of the level that the answer lacks.
    failure : Failure or None
        The name of what was wrong.

    Examples
    --------
    >>> Part("core", Outcome.PASSED, 15.5).level
    'core'
    """

    level: Level
    outcome: Outcome
    digits: float | None = None
    message: str = ""
    missing: tuple[str, ...] = ()
    failure: Failure | None = None


def is_ordinary(flags: Iterable[str]) -> bool:
    """Tell whether a case with these flags has data that any user might have."""
    return ORDINARY.issuperset(flags)


def fields_by_level(case: Case) -> dict[Level, tuple[str, ...]]:
    """Return the fields that an answer with a value is asked for, by level, its core fields first."""
    due = sorted({*ANSWER_FIELDS.get(case.op, ()), *case.expected})
    core = CORE_FIELDS.get(case.op, frozenset(due))
    values = Level.CORE if is_ordinary(case.flags) else Level.EDGES
    found: dict[Level, list[str]] = {values: []}
    for name in due:
        further = Level.CERTIFICATES if name in CERTIFICATE_FIELDS else Level.EXTENDED
        found.setdefault(values if name in core else further, []).append(name)
    return {level: tuple(found[level]) for level in Level if level in found}


def levels_of(case: Case) -> tuple[Level, ...]:
    """Return the levels at which a case is judged."""
    if case.error:
        return (Level.ERRORS if case.error in CORE_ERRORS else Level.EXTENDED,)
    return tuple(fields_by_level(case))


def alike(case: Case, outcome: Outcome, message: str = "") -> tuple[Part, ...]:
    """Return the parts of a case that ended in the same way at each of its levels."""
    return tuple(Part(level, outcome, None, message) for level in levels_of(case))


def value_failed(case: Case, message: str, failure: Failure) -> tuple[Part, ...]:
    """Return the parts of a case whose answer is of no use: it fails once, at its first level."""
    first, *others = levels_of(case)
    lost = Part(first, Outcome.FAILED, None, message, (), failure)
    return (lost, *(Part(level, Outcome.UNSUPPORTED) for level in others))
