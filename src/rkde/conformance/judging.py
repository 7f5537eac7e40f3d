"""Judge one answer: kind of error, fields, digits, and what the answer itself claims to have proved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rkde.adapter import Json
from rkde.conformance.claims import distance_to_limit, radius_of_limit
from rkde.conformance.comparison import EXACT, Comparison, as_decimal, compare, shown
from rkde.conformance.levels import Failure as Failure
from rkde.conformance.levels import Level, Outcome, Part, alike, fields_by_level, value_failed
from rkde.conformance.vectors import Case, Expected

# What may be claimed about a limit without any proof; every other certificate says more.
UNPROVED: Final = "stationary"
# Where these cases stand, an implementation must tell the kind of a limit and cannot leave it open.
DECIDABLE: Final = frozenset({"BASIC", "SADDLE"})
_BOUNDS: Final = ("error_bound", "weights_error_bound")
_VALUES: Final = (Level.CORE, Level.EDGES)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says about an answer.

    Attributes
    ----------
    parts : tuple of Part
        One for each level at which the case is judged.
    """

    parts: tuple[Part, ...]

    @property
    def digits(self) -> float | None:
        """-log10 of the error of the worst value; None where no value was compared."""
        return min((part.digits for part in self.parts if part.digits is not None), default=None)

    @property
    def message(self) -> str:
        """What is wrong, missing fields of every level included; empty if nothing is."""
        missing = sorted(name for part in self.parts for name in part.missing)
        lacks = [f"the answer lacks {', '.join(missing)}"] if missing else []
        wrong = dict.fromkeys(part.message for part in self.parts if part.message)
        return "; ".join([*lacks, *wrong] if self.failure is Failure.MISSING_FIELD else [*wrong, *lacks])

    @property
    def failure(self) -> Failure | None:
        """The name of what was wrong: a missing core field before a wrong one before another missing one."""
        core = any(part.missing for part in self.parts if part.level in _VALUES)
        wrong = next((part.failure for part in self.parts if part.message), None)
        missing = any(part.missing for part in self.parts)
        return Failure.MISSING_FIELD if core or (missing and wrong is None) else wrong


def judge(answer: Mapping[str, Json], case: Case, tolerance: Decimal) -> Verdict:
    """Compare an answer with what a case expects.

    Result: nothing is raised for a wrong answer.
    """
    if "error" in answer:
        return _judge_error(answer["error"], case)
    if case.error:
        return _wrong(case, f"the error {case.error} was expected, got a value", Failure.NO_ERROR)
    verdicts = [
        Verdict(
            tuple(
                _judge_level(level, names, answer, case, right, tolerance)
                for level, names in fields_by_level(case).items()
            )
        )
        for right in case.right_answers
    ]
    # The end that the answer is nearest to: at a saddle J may be right for one and the weights for another.
    return min(
        verdicts,
        key=lambda verdict: (
            sum(part.outcome is Outcome.FAILED for part in verdict.parts),
            bool(verdict.message),
            float("inf") if verdict.digits is None else -verdict.digits,
        ),
    )


def _wrong(case: Case, message: str, failure: Failure) -> Verdict:
    return Verdict(value_failed(case, message, failure))


def _judge_error(error: Json, case: Case) -> Verdict:
    if not isinstance(error, dict) or not isinstance(error.get("kind"), str):
        return _wrong(case, "an error must be an object with a kind and a message", Failure.WRONG_ERROR)
    kind, text = shown(error["kind"]), shown(error.get("message"))
    if not case.error:
        problem = f"a value was expected, got the error {kind}: {text}"
        return _wrong(case, problem, Failure.UNEXPECTED_ERROR)
    if kind == case.error:
        return Verdict(alike(case, Outcome.PASSED))
    return _wrong(case, f"the error {case.error} was expected, got {kind}: {text}", Failure.WRONG_ERROR)


def _judge_level(
    level: Level,
    names: Sequence[str],
    answer: Mapping[str, Json],
    case: Case,
    right: Expected,
    tolerance: Decimal,
) -> Part:
    """Judge the fields of one level: those that are given by their values, and a core field that is not."""
    missing = tuple(name for name in names if name not in answer)
    given = [name for name in names if name in answer]
    found = {
        name: compare(name, answer[name], right.values[name], right.radii.get(name, Decimal(0)))
        for name in given
        if name in right.values and not _leaves_open(name, answer[name], case)
    }
    problems = _problems(found, tolerance)
    digits = min((comparison.digits for comparison in found.values()), default=None)
    if level is Level.CERTIFICATES:
        digits = None
        problems += [_false_bound(name, answer, case, right) for name in given if name in _BOUNDS]
    message = "; ".join(filter(None, problems))
    if message or (missing and level in _VALUES):
        return Part(level, Outcome.FAILED, digits, message, missing, _failure(level, found, message))
    return Part(level, Outcome.PASSED if given else Outcome.UNSUPPORTED, digits, "", missing)


def _problems(found: Mapping[str, Comparison], tolerance: Decimal) -> list[str]:
    """Say what is wrong with each field, the worst first."""
    wrong = {name: comparison for name, comparison in found.items() if comparison.error > tolerance}
    return [
        comparison.problem or f"{name}: an error of {comparison.error:.1e}, more than {tolerance:.1e}"
        for name, comparison in sorted(wrong.items(), key=lambda item: item[1].error, reverse=True)
    ]


def _failure(level: Level, found: Mapping[str, Comparison], message: str) -> Failure:
    if not message:
        return Failure.MISSING_FIELD
    if level is Level.CERTIFICATES:
        return Failure.FALSE_CLAIM
    malformed = any(comparison.problem for comparison in found.values())
    return Failure.NO_NUMBER if malformed else Failure.WRONG_VALUE


def _leaves_open(name: str, value: Json, case: Case) -> bool:
    """Tell whether a certificate claims less than could be proved, where that is allowed."""
    return name == "certificate" and value == UNPROVED and not DECIDABLE.intersection(case.flags)


def _false_bound(name: str, answer: Mapping[str, Json], case: Case, right: Expected) -> str:
    """Say why a bound of the answer is no bound, or does not hold."""
    value = answer[name]
    bound = Decimal("Infinity") if value == "inf" else as_decimal(value)
    if bound is None or bound < 0:
        return f"{name}: a number that is not negative was expected, got {shown(value)}"
    if bound.is_infinite() and "BASIC" in case.flags:
        return f"{name}: a finite bound was expected"
    # Without weights there is nothing to hold the bound against, and the weights are what fails.
    if name == "error_bound" and "weights" in answer and not bound.is_infinite():
        apart = distance_to_limit(case, answer["weights"], right)
        if apart is not None and apart > bound + radius_of_limit(right):
            return f"error_bound: {bound:.1e} is claimed, the estimate is {apart:.1e} from the limit"
    if name == "weights_error_bound" and "weights" in answer:
        error = _largest_difference(answer["weights"], right.values.get("weights"))
        if error > EXACT.add(bound, right.radii.get("weights", Decimal(0))):
            return f"{name}: {bound:.1e} is claimed, the error of the weights is {error:.1e}"
    return ""


def _largest_difference(given: Json, right: Json) -> Decimal:
    """Return the largest difference of two lists of numbers; infinite where they cannot be compared."""
    if not isinstance(given, list) or not isinstance(right, list) or len(given) != len(right):
        return Decimal("Infinity")
    largest = Decimal(0)
    for x, y in zip(map(as_decimal, given), map(as_decimal, right), strict=True):
        if x is None or y is None:
            return Decimal("Infinity")
        largest = max(largest, EXACT.subtract(x, y).copy_abs())
    return largest
