"""Levels: what of an answer belongs to which, how each is judged, and what decides where only some count."""

import math
from dataclasses import replace
from decimal import Decimal

import pytest

from rkde.adapter import ERROR_KINDS, Json
from rkde.conformance import Case, Failure, Level, Outcome, Rules, count_levels, counted
from rkde.conformance.levels import fields_by_level, levels_of
from rkde.conformance.protocol import ANSWER_FIELDS, CERTIFICATE_FIELDS, CORE_ERRORS, CORE_FIELDS
from rkde.conformance.running import CaseResult, check_case, unanswered
from rkde.conformance.vectors import Expected
from tests.support.vectors import shipped_cases

RIGHT: dict[str, Json] = {
    "weights": [0.5, 0.5],
    "objective": 1,
    "certificate": "global",
    "error_bound": 0.1,
    "weights_error_bound": 0.1,
}
PROOFS = ("certificate", "error_bound", "weights_error_bound")


def case(flags: tuple[str, ...] = ("BASIC",), error: str = "") -> Case:
    expected: dict[str, Json] = {"weights": ["0.5", "0.5"], "objective": "1", "certificate": "global"}
    right = {} if error else expected
    return Case("fixed_point/x", "fixed_point", "", flags, {}, right, error, Decimal("1e-3"))


def judged(answer: dict[str, Json], asked: Case | None = None) -> CaseResult:
    return check_case(lambda _: answer, asked or case())


def outcomes(result: CaseResult) -> dict[str, str]:
    return {str(part.level): str(part.outcome) for part in result.parts}


def without(*names: str) -> dict[str, Json]:
    return {name: value for name, value in RIGHT.items() if name not in names}


def test_each_field_of_the_protocol_has_one_level() -> None:
    assert CORE_FIELDS.keys() == ANSWER_FIELDS.keys()
    for op, core in CORE_FIELDS.items():
        assert core
        assert core <= set(ANSWER_FIELDS[op])
        assert not core & CERTIFICATE_FIELDS
    assert set(ERROR_KINDS) > CORE_ERRORS


def test_each_shipped_case_has_a_level_and_all_its_fields() -> None:
    seen: set[Level] = set()
    for shipped in shipped_cases():
        levels = levels_of(shipped)
        seen.update(levels)
        assert levels
        assert not {Level.CORE, Level.EDGES} <= set(levels)
        if not shipped.error:
            names = [name for fields in fields_by_level(shipped).values() for name in fields]
            assert sorted(names) == sorted({*ANSWER_FIELDS[shipped.op], *shipped.expected})
    assert seen == set(Level)


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        (("BASIC",), "core"),
        (("BASIC", "MISPRINT"), "core"),
        (("RECIPE",), "core"),
        (("BASIC", "UNDERFLOW"), "edges"),
        (("RECIPE", "TIE"), "edges"),
        (("A_FLAG_OF_YOURS",), "edges"),
    ],
)
def test_any_flag_beyond_ordinary_data_makes_an_edge(flags: tuple[str, ...], level: str) -> None:
    further = {"extended": "passed", "certificates": "passed"}
    assert outcomes(judged(RIGHT, case(flags))) == {level: "passed", **further}


@pytest.mark.parametrize(
    ("answer", "core", "extended", "certificates"),
    [
        (RIGHT, "passed", "passed", "passed"),
        (without("objective"), "passed", "unsupported", "passed"),
        (without(*PROOFS), "passed", "passed", "unsupported"),
        (without("error_bound"), "passed", "passed", "passed"),
        (without("weights"), "failed", "passed", "passed"),
        ({**RIGHT, "objective": 2}, "passed", "failed", "passed"),
        ({**RIGHT, "certificate": "saddle"}, "passed", "passed", "failed"),
        ({**RIGHT, "weights": [0.6, 0.4], "weights_error_bound": "inf"}, "failed", "passed", "failed"),
        ({"error": {"kind": "NotConverged", "message": "m"}}, "failed", "unsupported", "unsupported"),
        ({"unsupported": True}, "unsupported", "unsupported", "unsupported"),
    ],
)
def test_an_answer_is_judged_by_the_fields_that_it_gives(
    answer: dict[str, Json], core: str, extended: str, certificates: str
) -> None:
    found = outcomes(judged(answer))
    assert found == {"core": core, "extended": extended, "certificates": certificates}


@pytest.mark.parametrize("name", RIGHT)
def test_where_everything_counts_no_field_may_be_missing(name: str) -> None:
    result = judged(without(name))
    assert (result.outcome, result.failure) == (Outcome.FAILED, Failure.MISSING_FIELD)
    assert result.message == f"the answer lacks {name}"


def test_every_wrong_field_is_named_the_worst_first_and_what_is_missing_last() -> None:
    result = judged({**without("error_bound"), "weights": [0.9, 0.1], "objective": 9})
    assert result.failure is Failure.WRONG_VALUE
    names = [text.partition(":")[0] for text in result.message.split("; ")]
    assert names == ["weights", "objective", "weights_error_bound", "the answer lacks error_bound"]


@pytest.mark.parametrize(("kind", "level"), [("InvalidInput", "errors"), ("SingularSystem", "extended")])
def test_errors_have_levels_too(kind: str, level: str) -> None:
    asked = case(("MUST_FAIL",), kind)
    assert outcomes(judged({"error": {"kind": kind, "message": ""}}, asked)) == {level: "passed"}
    assert outcomes(judged({"error": {"kind": "Internal", "message": ""}}, asked)) == {level: "failed"}
    assert outcomes(judged(RIGHT, asked)) == {level: "failed"}


@pytest.mark.parametrize(
    ("answer", "levels", "outcome"),
    [
        (without("objective", *PROOFS), (Level.CORE,), Outcome.PASSED),
        (without("objective", *PROOFS), (Level.CERTIFICATES,), Outcome.UNSUPPORTED),
        (without("objective", *PROOFS), (Level.ERRORS,), Outcome.UNSUPPORTED),
        ({**RIGHT, "objective": 2}, (Level.CORE, Level.CERTIFICATES), Outcome.PASSED),
        ({**RIGHT, "objective": 2}, (Level.CORE, Level.EXTENDED), Outcome.FAILED),
        (without("weights"), (Level.CORE,), Outcome.FAILED),
        (without("weights"), (Level.EXTENDED,), Outcome.PASSED),
    ],
)
def test_levels_asked_for_decide(
    answer: dict[str, Json], levels: tuple[Level, ...], outcome: Outcome
) -> None:
    result = counted(judged(answer), levels)
    assert result.outcome is outcome
    assert bool(result.message) == (outcome is not Outcome.PASSED)
    assert ("not judged" in result.message) == (outcome is Outcome.UNSUPPORTED)
    assert (result.failure is None) == (outcome is not Outcome.FAILED)


def test_what_was_not_run_is_not_run_at_each_of_its_levels() -> None:
    lost = unanswered(case(), Outcome.NOT_RUN, "not run")
    assert counted(lost, (Level.CORE,)).outcome is Outcome.NOT_RUN
    counts = count_levels([lost, judged(RIGHT), judged(without("objective"))])
    core, extended = counts[Level.CORE], counts[Level.EXTENDED]
    assert (core.passed, core.not_run, core.judged, core.total) == (2, 1, 2, 3)
    assert (extended.passed, extended.absent, extended.not_run) == (1, 1, 1)
    assert counts[Level.ERRORS].total == 0


def test_the_schema_is_looked_at_before_the_values() -> None:
    answer: dict[str, Json] = {**RIGHT, "certificate": ["global"]}
    result = check_case(lambda _: answer, case(), rules=Rules(schema=True))
    assert result.failure is Failure.SCHEMA
    assert result.message.startswith("certificate breaks the schema")
    assert outcomes(result) == {"core": "failed", "extended": "unsupported", "certificates": "unsupported"}
    assert check_case(lambda _: RIGHT, case(), rules=Rules(schema=True)).outcome is Outcome.PASSED


@pytest.mark.parametrize("weights", [None, [0.5], ["nan", 0.5], "0.5"], ids=repr)
def test_a_bound_on_weights_that_are_no_numbers_is_not_accepted(weights: Json) -> None:
    assert outcomes(judged({**RIGHT, "weights": weights}))["certificates"] == "failed"


def test_of_several_ends_that_one_counts_which_the_answer_is_nearest_to() -> None:
    """Right weights of the second end, and an objective that is wrong for both: only that is wrong."""
    other = Expected({"weights": ["0.25", "0.75"], "objective": "1", "certificate": "global"}, {})
    asked = replace(case(), others=(other,))
    result = judged({**RIGHT, "weights": [0.25, 0.75], "objective": 2}, asked)
    failed = [part for part in result.parts if part.outcome is Outcome.FAILED]
    assert [part.message.partition(":")[0] for part in failed] == ["objective"]


@pytest.mark.parametrize(
    ("kernel", "kappa"),
    [
        ({"name": "gaussian"}, math.exp(-2.0)),
        ({"name": "laplacian"}, math.exp(-2.0)),
        ({"name": "student", "dof": 3}, (1 + 4.0 / 3) ** -2.0),
    ],
)
def test_a_bound_on_the_distance_is_compared_with_the_distance(kernel: dict[str, Json], kappa: float) -> None:
    """Of two rows the change (t, -t) of the weights moves the estimate by t |Phi_1 - Phi_2|."""
    request: dict[str, Json] = {"X": [[1.0], [2.0]], "kernel": {**kernel, "bandwidth": 0.5}}
    asked = replace(case(), request={"op": "fixed_point", **request})
    change = 1e-3
    apart = change * math.sqrt(2 * (1 - kappa))
    moved = [0.5 + change, 0.5 - change]
    for factor, outcome in ((1.001, "passed"), (0.999, "failed"), (0.0, "failed")):
        answer = {**RIGHT, "weights": moved, "error_bound": factor * apart, "weights_error_bound": 2 * change}
        assert outcomes(judged(answer, asked))["certificates"] == outcome
    right = {**RIGHT, "weights": [0.5, 0.5], "error_bound": 0.0, "weights_error_bound": 0.0}
    assert outcomes(judged(right, asked))["certificates"] == "passed"
