"""A number beyond every exponent that decimals have in a default context is a wrong value like any other."""

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from rkde.adapter import Json
from rkde.cli import cli
from rkde.conformance import Case, Outcome, as_decimal, check_cases, sentences
from rkde.conformance.diagnosis import diagnose
from rkde.conformance.diagnosis.search import EXAMINED
from rkde.conformance.protocol import ANSWER_FIELDS
from tests.support.commands import invoke
from tests.support.selection import one_in
from tests.support.vectors import shipped_cases

CASES = shipped_cases()
ENORMOUS = ("1e1000000", "-1e1000000", "9e999999999999999999", "1e-1000000", "1e1000000000000000000")
ADAPTER = """\
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {"name": "x", "version": "1", "protocol": 1, "operations": ["bandwidth", "thresholds"]}
    if request["op"] == "bandwidth":
        answer = {"bandwidth": "1e1000000"}
    elif request["op"] == "thresholds":
        answer = dict.fromkeys("abc", "1e1000000")
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""


def filled(value: Json, number: str) -> Json:
    """Put a number in place of every number."""
    if isinstance(value, list):
        return [filled(entry, number) for entry in value]
    return value if as_decimal(value) is None else number


@pytest.mark.parametrize("number", one_in(5, ENORMOUS, str))
def test_an_enormous_number_is_a_wrong_value(number: str) -> None:
    valued = [case for case in CASES if not case.error and case.op != "rkde"]
    few: list[Case] = [
        case for op in {case.op for case in valued} for case in [c for c in valued if c.op == op][:EXAMINED]
    ]
    right = {id(case.request): case.expected for case in few}

    def ask(request: Mapping[str, Json]) -> dict[str, Json]:
        return {name: filled(value, number) for name, value in right[id(request)].items()}

    results = check_cases(ask, few)
    assert sum(result.outcome is Outcome.FAILED for result in results) > len(few) * 9 / 10
    assert isinstance(diagnose(few, results), list)
    assert sentences(results)


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-V",), ("--show", "thresholds/ties"), ("--json",)], ids=str)
def test_the_report_shows_enormous_numbers(options: tuple[str, ...], tmp_path: Path) -> None:
    program = tmp_path / "adapter.py"
    program.write_text(ADAPTER, "ascii")
    result = invoke(cli, ["verify", "--adapter", shlex.join([sys.executable, str(program)]), *options])
    assert result.exit_code == 1, result.output
    assert "1e1000000" in result.output or "--show" not in options


@pytest.mark.slow
def test_a_file_of_answers_may_hold_enormous_numbers(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    lines = []
    for line in invoke(cli, ["vectors", "requests"]).stdout.splitlines():
        request = json.loads(line)
        if request["op"] != "hello":
            answer = dict.fromkeys(ANSWER_FIELDS[request["op"]], "1e1000000")
            lines.append(json.dumps({"id": request["id"], **answer}))
    answers.write_text("\n".join(lines) + "\n", "ascii")
    result = invoke(cli, ["verify", "--answers", str(answers)])
    assert result.exit_code == 1, result.output
