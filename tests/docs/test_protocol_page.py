"""The page of the protocol describes every field of every operation, as the packages have them."""

import re
from pathlib import Path
from typing import Any, cast

from rkde.adapter.answers import ERROR_KINDS, OPERATIONS
from rkde.adapter.operations import DEFAULT_QUANTILES
from rkde.conformance.protocol import ANSWER_FIELDS, CERTIFICATE_FIELDS, CORE_ERRORS, CORE_FIELDS
from rkde.conformance.schema import protocol_schema

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
# Due on a kink only, so it is not among the fields that each answer of `influence` must hold.
ON_A_KINK = {"from_below"}


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of each table row of a text, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def fields_by_mark(section: str) -> dict[str, set[str]]:
    """Return the fields of a section by what its second column says."""
    found: dict[str, set[str]] = {}
    for names, mark, *_ in rows_of(section):
        found.setdefault(mark.strip("*"), set()).update(re.findall(r"`(\w+)`", names))
    return found


def sections() -> dict[str, str]:
    """Return the text of each operation's section."""
    parts = PAGE.partition("## Every field")[2].partition("## What is meant")[0].split("\n### ")[1:]
    return {name: body for name, _, body in (part.partition("\n") for part in parts)}


def test_the_sections_name_every_field_with_its_mark() -> None:
    assert set(sections()) == set(ANSWER_FIELDS) - {"hello"}
    for op, section in sections().items():
        found = fields_by_mark(section)
        assert found.get("request", set()) == OPERATIONS[op].required.keys(), op
        assert found.get("optional", set()) == OPERATIONS[op].optional.keys(), op
        assert found["core"] == CORE_FIELDS[op], op
        proofs = CERTIFICATE_FIELDS.intersection(ANSWER_FIELDS[op])
        assert found.get("certificates", set()) == proofs, op
        others = set(ANSWER_FIELDS[op]) - CORE_FIELDS[op] - proofs
        assert found.get("extended", set()) - ON_A_KINK == others, op


def test_the_table_of_operations_names_the_same_fields() -> None:
    table = PAGE.partition("## Operations")[2].partition("## Every field")[0]
    rows = {cells[0].strip("`"): cells[1:] for cells in rows_of(table) if cells[0] != "`op`"}
    assert rows.keys() == ANSWER_FIELDS.keys()
    for op, (request, answer) in rows.items():
        asked = set(re.findall(r"`(\w+)`", request))
        known = OPERATIONS[op].required.keys() | OPERATIONS[op].optional.keys()
        assert asked == known, op
        given = set(re.findall(r"`(\w+)`", answer))
        assert set(ANSWER_FIELDS[op]) <= given, op


def test_the_kinds_of_error_and_their_marks() -> None:
    table = PAGE.partition("## Kinds of error")[2].partition("Which of your")[0]
    marks = {cells[0].strip("`"): cells[1] for cells in rows_of(table) if cells[0] != "kind"}
    assert marks.keys() == {*ERROR_KINDS, "Internal"}
    assert {kind for kind, mark in marks.items() if mark == "core"} == CORE_ERRORS


def test_the_identifier_of_the_schema_and_the_defaults() -> None:
    assert f"`{cast(dict[str, Any], protocol_schema())['$id']}`" in PAGE
    levels = ", ".join(str(float(text)) for text in DEFAULT_QUANTILES)
    assert f"default [{levels}]" in PAGE
