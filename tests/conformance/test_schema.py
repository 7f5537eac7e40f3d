"""The schema of the protocol: it describes every request and answer, and says what breaks it."""

from typing import Any

import jsonschema
import pytest

from rkde.adapter import ERROR_KINDS, INTERNAL, OPERATIONS, Json, answer_request, fast_implementation
from rkde.conformance import ANSWER_FIELDS, Case, plain_numbers, schema_breach
from rkde.conformance.schema import protocol_schema
from tests.support.vectors import shipped_cases

SCHEMA: dict[str, Any] = protocol_schema()
CASES = shipped_cases()


def breaches(name: str, value: Json) -> list[str]:
    """List what breaks one definition of the schema."""
    schema = {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(value)]


def request_of(case: Case) -> dict[str, Json]:
    return {"id": case.id, **{name: plain_numbers(value) for name, value in case.request.items()}}


def test_it_is_a_schema_with_a_name_of_its_own() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == "urn:rkde:adapter-protocol:1"


def test_it_has_every_operation_field_and_kind_of_error() -> None:
    definitions = SCHEMA["$defs"]
    assert set(OPERATIONS) == ANSWER_FIELDS.keys()
    for op, names in ANSWER_FIELDS.items():
        assert set(names) <= definitions[f"answer.{op}"]["properties"].keys()
        assert {"id", "op"} <= definitions[f"request.{op}"]["properties"].keys()
    kinds = definitions["error"]["properties"]["error"]["properties"]["kind"]["enum"]
    assert sorted(kinds) == sorted({*ERROR_KINDS, INTERNAL})


@pytest.mark.slow
def test_every_request_that_has_an_answer_is_described() -> None:
    for case in CASES:
        if not case.error:
            assert not breaches(f"request.{case.op}", request_of(case)), case.id


@pytest.mark.parametrize(
    "identity", ["kernel/dof-missing", "kernel/dof-unwanted", "loss/absolute-with-a", "loss/unknown-loss"]
)
def test_requests_of_another_shape_break_it(identity: str) -> None:
    case = next(case for case in CASES if case.id == identity)
    assert breaches(f"request.{case.op}", request_of(case))


@pytest.mark.slow
def test_the_answers_of_this_package_are_described() -> None:
    lib = fast_implementation()
    for case in CASES:
        assert schema_breach(case.op, answer_request(lib, case.request)) == "", case.id


@pytest.mark.parametrize(
    ("op", "answer", "part"),
    [
        ("bandwidth", {"bandwidth": ["1"]}, "bandwidth breaks"),
        ("bandwidth", {"bandwidth": "one"}, "bandwidth breaks"),
        ("kernel", {"log_kernel": [1, None]}, "log_kernel/1 breaks"),
        ("median", {"certificate": "proved"}, "certificate breaks"),
        ("rkde", {"status": "fine"}, "status breaks"),
        ("auc", {"error": {"kind": "ValueError", "message": ""}}, "error/kind breaks"),
        ("auc", {"error": "no"}, "error breaks"),
    ],
)
def test_an_answer_that_breaks_it_is_told_where(op: str, answer: dict[str, Json], part: str) -> None:
    assert part in schema_breach(op, answer)


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        ("bandwidth", {"bandwidth": "1.50e-3", "more": {}}),
        ("kernel", {"log_kernel": ["-inf", 0, "0.25"]}),
        ("loss", {"q_left": [None, "0"]}),
        ("rkde", {"a": None, "weights": []}),
    ],
)
def test_numbers_may_be_text_and_fields_may_be_more_or_less(op: str, answer: dict[str, Json]) -> None:
    assert schema_breach(op, answer) == ""
