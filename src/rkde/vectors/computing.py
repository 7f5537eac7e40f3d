"""Compute one case of a vector file: its right answers with their proofs, or its error, and its tolerance."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import combinations
from typing import Final, cast

from rkde.adapter import Implementation, Json, answer_request, decode, reference_implementation, spelled
from rkde.conformance import OWN_PROOFS
from rkde.errors import RkdeError
from rkde.vectors import enclosures
from rkde.vectors.stored import (
    GenerationError,
    Stored,
    WrongFlagError,
    from_balls,
    from_counts,
    from_two_precisions,
    midpoints,
)
from rkde.vectors.tolerance import PATTERNS, tolerance

LOW_DIGITS: Final = 60
HIGH_DIGITS: Final = 90
# Precisions of the balls, one after the other, until every radius is small.
BITS: Final = (256, 512, 1024)
# What counts in integers is exact at any precision.
COUNTING: Final = frozenset({"signed_rank", "auc"})
# Beyond this a float64 implementation is not asked for six digits of sixteen, and the case must say so.
WIDE: Final = Decimal("1e-10")

Answer = dict[str, Json]


@dataclass(frozen=True, slots=True)
class References:
    """The reference at the two precisions that must agree where nothing is enclosed."""

    low: Implementation
    high: Implementation


def references() -> References:
    """Make the reference at both precisions."""
    return References(reference_implementation(LOW_DIGITS), reference_implementation(HIGH_DIGITS))


@dataclass(frozen=True, slots=True)
class Entry:
    """One case to be computed: what is asked, and why.

    Attributes
    ----------
    op : str
        The operation.
    id : str
        The operation, a slash, and lower-case letters, digits and hyphens.
    comment : str
        What the case is about, in one sentence.
    flags : tuple of str
        Which of the flags that the header explains apply.
    request : mapping
        The fields of the request that the case adds to those of its group.
    shared : mapping
        The fields that the group gives to all its cases.
    error : str
        The kind of the expected error; empty where a value is expected.
    ends : tuple of tuple of float
        Weights near the other ends that are admissible, where the exact path runs through a saddle.
    """

    op: str
    id: str
    comment: str
    flags: tuple[str, ...]
    request: Mapping[str, object]
    shared: Mapping[str, object] = field(default_factory=dict)
    error: str = ""
    ends: tuple[tuple[float, ...], ...] = ()

    def whole(self) -> Answer:
        """Return the whole request, its numbers as they are spelt."""
        return cast(Answer, as_read({"op": self.op, **self.shared, **self.request}))


def as_read(value: object) -> Json:
    """Return a JSON value as it is read after it has been written."""
    return decode(spelled(cast(Json, value)).encode("ascii")).value


def compute_case(entry: Entry, libs: References) -> Answer:
    """Compute a case.

    Result: the case as it is read from a vector file.
    """
    case: Answer = {
        "id": entry.id,
        "comment": entry.comment,
        "flags": list(entry.flags),
        "request": as_read(entry.request),
        "outcome": "error" if entry.error else "value",
        "expected": None,
        "error": entry.error or None,
        "tolerance": None,
    }
    identity, request = entry.id, entry.whole()
    if entry.error:
        _require_error(identity, entry.error, [answer_request(lib, request) for lib in (libs.low, libs.high)])
        return case
    try:
        answers, ask = _right_answers(identity, request, entry, libs)
    except (RkdeError, enclosures.NotEnclosedError) as failure:
        raise GenerationError(f"{identity}: {failure}") from failure
    if len(answers) > 1:
        _require_different_ends(identity, answers)
        case["any_of"] = cast(Json, answers)
    else:
        case["expected"] = cast(Json, answers[0])
    # A change that breaks the symmetry of the data leaves a saddle, however small it is.
    patterns = PATTERNS[:1] if "SADDLE" in entry.flags else PATTERNS
    given = {name: stored["value"] for name, stored in answers[0].items()}
    allowed = tolerance(request, given, ask, patterns)
    if (allowed > WIDE) != ("ILL_CONDITIONED" in entry.flags):
        raise WrongFlagError(f"{identity}: the flag ILL_CONDITIONED does not fit a tolerance of {allowed}")
    case["tolerance"] = f"{allowed:.1e}"
    return cast(Answer, as_read(case))


def _right_answers(
    identity: str, request: Answer, entry: Entry, libs: References
) -> tuple[list[dict[str, Stored]], Callable[[Mapping[str, Json]], Answer]]:
    """Return the right answers, the one on the exact path first, and what answers a changed request."""
    # On a kink the one-sided derivatives have no enclosure yet.
    if enclosures.is_enclosed(cast(str, request["op"])) and "KINK" not in entry.flags:
        first, bits = _enclosed(partial(enclosures.enclose, request))
        ends = [_enclosed(partial(enclosures.enclose_near, request, weights))[0] for weights in entry.ends]
        return [first, *ends], lambda moved: midpoints(enclosures.enclose(moved, bits))
    answers = [answer_request(lib, request) for lib in (libs.low, libs.high)]
    for answer in answers:
        if "error" in answer:
            raise GenerationError(f"{identity}: {answer}")
    low, high = answers
    counts = request["op"] in COUNTING
    store = from_counts if counts else from_two_precisions
    fields = {
        name: store(f"{identity}: {name}", low[name], high[name]) for name in low if name not in OWN_PROOFS
    }
    return [fields], lambda moved: low if counts else answer_request(libs.low, moved)


def _enclosed(prove: Callable[[int], enclosures.Fields]) -> tuple[dict[str, Stored], int]:
    """Prove at growing precision until the radii are small."""
    problem = ""
    for bits in BITS:
        try:
            return {name: from_balls(name, value) for name, value in prove(bits).items()}, bits
        except (GenerationError, enclosures.NotEnclosedError) as failure:
            problem = str(failure)
    raise GenerationError(problem)


def _require_different_ends(identity: str, answers: list[dict[str, Stored]]) -> None:
    """Refuse two right answers whose weights may be the same."""
    for first, other in combinations([answer["weights"] for answer in answers], 2):
        reach = Decimal(str(first["radius"])) + Decimal(str(other["radius"]))
        pairs = zip(cast(list[str], first["value"]), cast(list[str], other["value"]), strict=True)
        if all(abs(Decimal(left) - Decimal(right)) <= reach for left, right in pairs):
            raise GenerationError(f"{identity}: two of its ends have the same weights; leave out one")


def _require_error(identity: str, kind: str, answers: list[Answer]) -> None:
    for answer in answers:
        error = answer.get("error")
        if not isinstance(error, dict) or error["kind"] != kind:
            raise GenerationError(f"{identity}: the error {kind} was expected, got {str(answer)[:200]}")
