"""A number beyond every exponent that decimals have in a default context is a wrong value like any other."""

import json
from collections.abc import Mapping
from itertools import groupby, islice
from pathlib import Path

import pytest

from rkde.adapter import Json
from rkde.conformance import Outcome, check_cases, sentences
from rkde.conformance.diagnosis import diagnose
from rkde.conformance.diagnosis.search import EXAMINED
from rkde.conformance.protocol import ANSWER_FIELDS
from tests.cli.running import assert_found, run
from tests.support.adapters import adapter
from tests.support.selection import one_in
from tests.support.vectors import at_each_number, shipped_cases

CASES = shipped_cases()
ENORMOUS = ("1e1000000", "-1e1000000", "9e999999999999999999", "1e-1000000", "1e1000000000000000000")
BODY = "return dict.fromkeys(['bandwidth'] if r['op'] == 'bandwidth' else 'abc', '1e1000000')"


@pytest.mark.parametrize("number", one_in(5, ENORMOUS, str))
def test_an_enormous_number_is_a_wrong_value(number: str) -> None:
    valued = [case for case in CASES if not case.error and case.op != "rkde"]
    by_op = groupby(valued, key=lambda case: case.op)
    few = [case for _, cases in by_op for case in islice(cases, EXAMINED)]
    right = {id(case.request): case.expected for case in few}

    def ask(request: Mapping[str, Json]) -> dict[str, Json]:
        return {name: at_each_number(value, lambda _: number) for name, value in right[id(request)].items()}

    results = check_cases(ask, few)
    assert sum(result.outcome is Outcome.FAILED for result in results) > len(few) * 9 / 10
    assert isinstance(diagnose(few, results), list)
    assert sentences(results)


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("-V",), ("--show", "thresholds/ties"), ("--json",)], ids=str)
def test_the_report_shows_enormous_numbers(options: tuple[str, ...], tmp_path: Path) -> None:
    result = run("verify", "--adapter", adapter(tmp_path, BODY, "bandwidth", "thresholds"), *options)
    assert_found(result, "1e1000000" if "--show" in options else "")


@pytest.mark.slow
def test_a_file_of_answers_may_hold_enormous_numbers(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    lines = []
    for line in run("vectors", "requests").stdout.splitlines():
        request = json.loads(line)
        if request["op"] != "hello":
            answer = dict.fromkeys(ANSWER_FIELDS[request["op"]], "1e1000000")
            lines.append(json.dumps({"id": request["id"], **answer}))
    answers.write_text("\n".join(lines) + "\n", "ascii")
    assert_found(run("verify", "--answers", answers))
