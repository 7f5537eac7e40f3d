"""The counterexamples as a table of numbers: complete, true without any package, and sensitive to a digit."""

import ast
import json
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest

from rkde.proofs_checks import counterexamples
from tests.support.selection import one_in

FILES = ("counterexamples.py", "plain_arithmetic.py")
REFUTED = ("FAILS", "MISPRINT")


def table() -> dict:
    return json.loads(counterexamples.TABLE.read_text("utf-8"))


def told(of: dict) -> list[str]:
    """Return the claims that have numbers, and those of which the table says why they have none."""
    numbers = [claim for entry in of["entries"] for claim in entry["claims"]]
    return [*numbers, *(excuse["claim"] for excuse in of["no_numbers"])]


def left_out(claims: list[dict], of: dict) -> list[str]:
    """Return the claims that rest on an example, and that the table passes over in silence."""
    return [
        claim["id"]
        for claim in claims
        if (claim["verdict"] in REFUTED or claim["level"] == "CERTIFIED" or claim["necessity"])
        and claim["id"] not in told(of)
    ]


def foreign_imports(text: str) -> set[str]:
    """Return what a file imports from outside the standard library of any Python since 3.8."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}


def next_digit(printed, exact: bool):
    """Return a printed number, or the first of a list, with one more in its last place."""
    if isinstance(printed, list):
        return [next_digit(printed[0], exact), *printed[1:]]
    if exact:
        value = Fraction(printed)
        return str(Fraction(value.numerator + 1, value.denominator))
    value = Decimal(printed)
    return str(value + Decimal((0, (1,), value.as_tuple().exponent)))


@pytest.fixture(scope="module")
def ledger() -> list[dict]:
    return json.loads(counterexamples.TABLE.with_name("ledger.json").read_text("utf-8"))["claims"]


def test_every_example_of_the_ledger_is_in_the_table(ledger: list[dict]) -> None:
    assert not left_out(ledger, table())


def test_the_table_names_no_other_claims(ledger: list[dict]) -> None:
    assert set(told(table())) <= {claim["id"] for claim in ledger}
    assert all(len(excuse["why"].split()) > 3 for excuse in table()["no_numbers"])


def test_an_omission_is_seen(ledger: list[dict]) -> None:
    short = table()
    gone = next(entry for entry in short["entries"] if entry["claims"] == ["stopping.near_a_saddle"])
    short["entries"].remove(gone)
    assert set(left_out(ledger, short)) - set(left_out(ledger, table())) == set(gone["claims"])


@pytest.mark.slow
def test_bare_python_agrees_with_every_entry() -> None:
    script = str(counterexamples.TABLE.with_suffix(".py"))
    command = [sys.executable, "-I", "-S", script]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    *lines, last = run.stdout.splitlines()
    count = len(table()["entries"])
    assert (run.returncode, last) == (0, f"{count} of {count} agree"), run.stderr
    assert [line.split(": ")[0] for line in lines] == ["agrees"] * count


def test_nothing_but_the_standard_library_is_imported() -> None:
    texts = [counterexamples.TABLE.with_name(name).read_text("utf-8") for name in FILES]
    assert not [foreign_imports(text) for text in texts if foreign_imports(text)]
    foreign = foreign_imports("import math, rkde.fast\nfrom . import claim\nfrom mpmath import mpf")
    assert foreign == {"rkde.fast", ".", "mpmath"}


@pytest.mark.parametrize("entry", one_in(6, table()["entries"], lambda entry: entry["claims"][0]))
def test_every_printed_digit_is_compared(entry: dict) -> None:
    exact = entry["arithmetic"] == "exact"
    values, relations = counterexamples.recomputed(entry)
    assert values
    assert relations
    assert all(relations)
    for printed, value in zip(entry["digits"].values(), values, strict=True):
        assert counterexamples.digits_of(value, printed, exact)[0]
        assert not counterexamples.digits_of(value, next_digit(printed, exact), exact)[0]
        assert not counterexamples.digits_of([value], [], exact)[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"digits": {"ratio * 30": "1"}}, "not 1"),
        ({"so": ["ratio * 30 < 1"]}, "not ratio * 30 < 1"),
        ({"given": {"ratio": "0.06"}}, "= 9/5, not 3/2"),
    ],
)
def test_a_wrong_entry_fails_the_run(
    change: dict, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    right = next(entry for entry in table()["entries"] if entry["claims"] == ["design.rounding"])
    place = tmp_path / "counterexamples.json"
    monkeypatch.setattr(counterexamples, "TABLE", place)
    place.write_text(json.dumps({"entries": [right]}), "utf-8")
    assert counterexamples.main(["design.rounding"]) == 0
    place.write_text(json.dumps({"entries": [right, {**right, **change}]}), "utf-8")
    assert counterexamples.main([]) == 1
    assert "WRONG: design.rounding" in (out := capsys.readouterr().out)
    assert said in out
    assert out.endswith("1 of 2 agree\n")
    assert counterexamples.main(["no.such_claim"]) == 1


@pytest.mark.parametrize("formula", ["exp(1)", "sqrt(2)", "pi()", "1 <= 2", "2 > 1", "0.1 != 0.2"])
def test_what_is_exact_refuses_roundings_and_unknown_comparisons(formula: str) -> None:
    names = counterexamples.ARITHMETIC["Calculator"](True).names()
    with pytest.raises((ValueError, KeyError)):
        counterexamples.evaluate(formula, names)


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("1/3 + 1/3 + 1/3 == 1", True),
        ("1 < 1 + 1 / 10**19 < 2", True),
        ("1 < 1 + 1 / 10**21", False),
        ("1 == 1 + 1 / 10**21", False),
    ],
)
def test_decimals_are_compared_with_margins(relation: str, expected: bool) -> None:
    names = counterexamples.ARITHMETIC["Calculator"](False).names()
    with localcontext() as context:
        context.prec = counterexamples.ARITHMETIC["DIGITS"]
        assert counterexamples.evaluate(relation, names) is expected
