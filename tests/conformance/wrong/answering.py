"""Put the cases to an implementation with a mistake, alone or beside failures of another kind."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from random import Random
from typing import Final

from rkde.adapter import Json, answer_request, fast_implementation
from rkde.conformance import Case, CaseResult, check_cases
from rkde.conformance.diagnosis.asking import ask as right_answer
from rkde.conformance.running import Answer
from tests.conformance.wrong.example import asking, fresh_copy
from tests.conformance.wrong.seeds import Seed
from tests.support.vectors import at_each_number

Ask = Callable[[Mapping[str, Json]], Answer]
# How many unrelated failures stand beside a mistake.
GROSS: Final = 3
# Gross: no formula is off by such factors, another for each number.
_FACTORS: Final = (1.5, 9.0)


def results_of(seed: Seed, cases: list[Case]) -> list[CaseResult]:
    """Put every case to an implementation with one mistake."""
    ask, touched = implementation(seed, cases)
    return check_cases(ask, touched)


def results_beside_gross(seed: Seed, cases: list[Case]) -> list[CaseResult]:
    """Do the same where three ordinary answers are wrong beyond recognition, each in its own way."""
    ask, touched = implementation(seed, cases)
    random = Random(seed.name)  # noqa: S311 -- the choice of cases is no secret
    ordinary = [case for case in touched if "BASIC" in case.flags and not case.error] or touched
    answered = [case for case in ordinary if "unsupported" not in ask(case.request)]
    some = random.sample(answered, min(GROSS, len(answered)))
    spoiled = {id(case.request): how for case, how in zip(some, (_wild, _not_a_number, _wild), strict=False)}

    def gross(request: Mapping[str, Json]) -> Answer:
        answer = ask(request)
        if (how := spoiled.get(id(request))) is None:
            return answer
        return {name: at_each_number(value, how(random)) for name, value in answer.items()}

    return check_cases(gross, touched)


def _wild(random: Random) -> Callable[[Decimal], Json]:
    return lambda number: float(number) * random.uniform(*_FACTORS) + random.uniform(*_FACTORS)


def _not_a_number(_: Random) -> Callable[[Decimal], Json]:
    return lambda _: "nan"


def implementation(seed: Seed, cases: list[Case]) -> tuple[Ask, list[Case]]:
    """Return what answers with the mistake in it, and the cases that tell something about it."""
    return asking_with(seed), _touched(seed, cases) if seed.ops else cases


def asking_with(seed: Seed) -> Ask:
    """Return what answers with the mistake in it."""
    if not seed.ops:
        return asking(fresh_copy(seed.edits))
    lib = fast_implementation()

    def ask(request: Mapping[str, Json]) -> Answer:
        answer = answer_request(lib, seed.asked(dict(request)))
        return answer if "error" in answer else seed.answered(dict(request), answer)

    return ask


def _touched(seed: Seed, cases: list[Case]) -> list[Case]:
    """Leave out the operations of the package that the mistake never touches: it answers them rightly."""

    def is_touched(case: Case) -> bool:
        request = dict(case.request)
        if seed.asked(request) != request:
            return True
        answer = {} if case.error else dict(right_answer(request))
        return bool(answer) and seed.answered(request, answer) != answer

    ops = {op for op in seed.ops if any(is_touched(case) for case in cases if case.op == op)}
    return [case for case in cases if case.op in ops]
