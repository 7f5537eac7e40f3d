"""Which mutants there are, how they are named, and that the tests of one are run and end it."""

import itertools
import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cosmic_ray", reason='needs cosmic-ray: pip install ".[mutation]"')
from tests.mutation import __main__ as command
from tests.mutation import idle
from tests.mutation.mutants import Mutant, change, in_random_order, mutants_of
from tests.mutation.record import Record, Timed, readers, statement_lines
from tests.mutation.running import Remembered, Result, Server, Store, climb
from tests.mutation.serving import NOTHING, collected, serve

pytestmark = pytest.mark.slow
SOURCE = textwrap.dedent('''
    """A file."""


    def half(x: int | None, y=3) -> float | None:
        if x < y:
            return x / 2
        return [
            x,
            -y,
        ]
''')


def changes(source: str) -> set[tuple[str, str, str]]:
    found = ((mutant, change(mutant, source)) for mutant in mutants_of("half.py", source))
    return {(mutant.function, done.before, done.after) for mutant, done in found if done}


def test_operators_numbers_and_conditions_are_replaced_and_annotations_are_not() -> None:
    found = changes(SOURCE)
    assert {
        ("half", "if x < y:", "if x <= y:"),
        ("half", "if x < y:", "if not x < y:"),
        ("half", "return x / 2", "return x * 2"),
        ("half", "return x / 2", "return x / 3"),
        ("half", "-y,", "y,"),
    } <= found
    assert [before for _, before, after in found if before.startswith("def") and "y= " not in after] == []


def test_the_name_of_a_mutant_stays_when_lines_move() -> None:
    names = {mutant.name for mutant in mutants_of("half.py", SOURCE)}
    longer = SOURCE.replace('"""A file."""', '"""A file."""\n\nONE = first(one)\n')
    moved = list(mutants_of("half.py", longer))
    assert len(moved) == len(names)
    assert {mutant.name for mutant in moved} == names


def test_one_more_mutant_moves_no_other_in_the_order() -> None:
    some = list(mutants_of("half.py", SOURCE))
    order = in_random_order(some, 1)
    assert order != some
    assert in_random_order(some[1:], 1) == [mutant for mutant in order if mutant != some[0]]
    assert in_random_order(some, 2) != order


def test_the_lines_of_a_statement() -> None:
    line = {text.strip(): number for number, text in enumerate(SOURCE.splitlines(), start=1)}
    assert list(statement_lines(SOURCE, line["-y,"])) == list(range(line["return ["], line["]"] + 1))
    assert list(statement_lines(SOURCE, line["if x < y:"])) == [line["if x < y:"]]


def test_the_lines_that_read_a_constant() -> None:
    source = "A: Final = 3\n\ndef f(x):\n    y = 2\n    return A * x\n"
    assert readers(source, range(1, 2)) == [5]
    assert readers(source, range(5, 6)) == []


def test_claims_are_collected_by_the_names_of_their_modules() -> None:
    tests = ["proofs_checks/check_losses.py::check_a", "tests/proofs_checks/test_claim.py::test_b[c::d]"]
    assert collected(tests) == ["rkde.proofs_checks.check_losses", "tests/proofs_checks/test_claim.py"]


@pytest.mark.parametrize(
    ("body", "outcome", "ran"),
    [("pass", "passed", 2), ("assert 0", "failed", 2), ("while 1: pass", "stopped", 1)],
)
def test_tests_run_in_the_order_asked_for_until_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, outcome: str, ran: int
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(f"def test_last():\n    {body}\n\n\ndef test_first():\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    answer = serve({"test_it.py::test_first": 5.0, "test_it.py::test_last": 0.5}, tmp_path)
    assert (answer["outcome"], answer["ran"]) == (outcome, ran)
    assert answer["test"] == ("" if outcome == "passed" else "test_it.py::test_last")


@pytest.mark.parametrize(
    ("failures", "asked", "outcome"),
    [
        (["first", ""], [["first", "second"], ["first"], ["second"]], "passed"),
        (["first", "first"], [["first", "second"], ["first"]], "failed"),
        (["second"], [["first", "second"]], "failed"),
    ],
    ids=["once", "twice", "without processes"],
)
def test_a_test_that_starts_processes_must_fail_twice(
    tmp_path: Path, failures: list[str], asked: list[list[str]], outcome: str
) -> None:
    record = Record(tmp_path, tmp_path)
    record.times = {"first": Timed(1.0, process=True), "second": Timed(1.0, process=False)}
    requests: list[list[str]] = []

    class Scripted(Server):
        def __init__(self) -> None:
            self.failures = iter(failures)

        def ask(self, limits: Mapping[str, float], *, first: bool = True) -> Result:
            assert first
            requests.append(list(limits))
            test = next(self.failures, "")
            return {"outcome": "failed" if test else "passed", "test": test, "ran": 1}

    assert climb(Scripted(), {"first": 1.0, "second": 1.0}, record)["outcome"] == outcome
    assert requests == asked


def test_a_file_stands_for_all_of_its_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_a():\n    pass\n\n\ndef test_b():\n    assert 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    assert serve({"test_it.py": 5.0}, tmp_path) == {
        "outcome": "failed",
        "test": "test_it.py::test_b",
        "ran": 2,
        "failures": ["test_it.py::test_b"],
        "passed": ["test_it.py::test_a"],
    }


def test_results_of_the_repository_are_continued_by_those_of_a_run(tmp_path: Path) -> None:
    parts = {"room": "fast/losses", "file": "f", "function": "", "before": "a", "after": "b", "test": ""}
    first, now = Store(tmp_path / "first"), Store(tmp_path / "now", tmp_path / "kept")
    for name, outcome in [("one", "survived"), ("two", "failed"), ("three", "survived")]:
        first.add(parts | {"name": name, "outcome": outcome})
    Store.commit(tmp_path / "kept", first.read().values())
    now.add(parts | {"name": "one", "outcome": "failed", "time": 1})
    now.add(parts | {"name": "two", "outcome": "survived", "time": -1})
    found = now.read()
    assert {name: (one["outcome"], one["survived_before"]) for name, one in found.items()} == {
        "one": ("failed", True),
        "two": ("failed", True),
        "three": ("survived", False),
    }
    assert (found["three"]["before"], found["two"].get("before")) == ("a", None)


def test_a_mutant_of_before_is_run_with_its_test_and_then_with_its_file() -> None:
    mutant = next(iter(mutants_of("half.py", SOURCE)))
    rungs = Remembered([{"name": mutant.name, "test": "tests/test_half.py::test_a[b::c]"}]).rungs(mutant)
    assert [list(rung) for rung in rungs] == [["tests/test_half.py::test_a[b::c]"], ["tests/test_half.py"]]


def test_a_file_that_is_gone_ends_no_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_a():\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    gone = "test_gone.py::test_a"
    assert serve({gone: 5.0}, tmp_path) == NOTHING
    assert serve({gone: 5.0, "test_it.py::test_a": 5.0}, tmp_path) == {
        "outcome": "passed",
        "test": "",
        "ran": 1,
        "failures": [],
        "passed": ["test_it.py::test_a"],
    }


@pytest.mark.parametrize(
    ("more", "outcome", "said"),
    [
        (1, "passed", "judged.jsonl has"),
        (0, "failed", "without a mutant tests/test_half.py::test_a fails"),
    ],
)
def test_a_trial_needs_mutants_and_tests_that_pass_without_them(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: int,
    outcome: str,
    said: str,
) -> None:
    test, some = "tests/test_half.py::test_a", list(mutants_of("half.py", SOURCE))[:2]
    kept = [{"name": one.name, "outcome": "failed", "test": test, "survived_before": False} for one in some]
    judged = tmp_path / "judged.jsonl"
    for one in kept:
        Store(judged).add(one)

    class Scripted(Server):
        def __init__(self, _folder: Path, *, gently: bool) -> None:
            self.gently = gently

        def ask(self, limits: Mapping[str, float], *, first: bool = True) -> Result:
            assert first
            return {"outcome": outcome, "test": next(iter(limits)), "ran": 1}

        def close(self) -> None:
            pass

    monkeypatch.setattr(command, "JUDGED", judged)
    monkeypatch.setattr(command, "Server", Scripted)
    asked = command.parser().parse_args(["--again", str(len(some) + more), "--store", str(tmp_path)])
    assert command.again(some, asked) == 1
    assert said in capsys.readouterr().out


def watched(tmp_path: Path, tests: Mapping[str, float]) -> idle.Watch:
    record = Record(tmp_path, tmp_path)
    record.times = {test: Timed(seconds, process=False) for test, seconds in tests.items()}
    return idle.Watch(record)


@pytest.mark.parametrize(
    ("body", "unmoved"),
    [("while {}: pass", []), ("assert not {}", ["asleep", "last"])],
    ids=["stopped", "fails"],
)
def test_who_notices_a_mutant_and_who_does_not_unless_a_test_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, unmoved: list[str]
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(
        "import pytest\nimport half\n\n\ndef test_asleep():\n    half.half(4)\n\n\n"
        '@pytest.mark.parametrize("x", [0, 4])\ndef test_awake(x):\n    assert half.half(x) == x / 2\n\n\n'
        f"def test_after():\n    {body.format('half.half(4) != 2')}\n\n\n"
        "def test_last():\n    pass\n"
    )
    (tmp_path / "half.py").write_text("def half(x):\n    return x / 2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.delitem(sys.modules, "half", raising=False)
    monkeypatch.setattr(Record, "limit", lambda *_: 0.5)
    names = ("asleep", "awake[0]", "awake[4]", "after", "last")
    tests = [f"test_it.py::test_{name}" for name in names]
    watch = watched(tmp_path, dict.fromkeys(tests, 0.1))
    monkeypatch.setattr(watch, "tests", lambda _: tests)
    source = (tmp_path / "half.py").read_text()
    mutant = next(one for one in mutants_of("half.py", source) if one.operator.endswith("Div_Mul"))
    changed = change(mutant, source)
    assert changed is not None

    class Here(Server):
        def __init__(self) -> None:
            self.folder = tmp_path

        def ask(self, limits: Mapping[str, float], *, first: bool = True) -> Result:
            return serve(limits, tmp_path, first=first)

    found = idle.verdict(Here(), mutant, changed, watch)
    assert found["noticed"] == ["test_it.py::test_after", "test_it.py::test_awake"]
    assert found["unmoved"] == [f"test_it.py::test_{name}" for name in unmoved]


def test_a_test_is_idle_once_enough_mutants_have_left_it_unmoved(tmp_path: Path) -> None:
    watch = watched(tmp_path, {"f::test_a[1]": 1.0, "f::test_a[2]": 1.0, "f::test_b": 1.0})
    for _ in range(idle.ENOUGH - 1):
        watch.learn({"name": "m", "noticed": [], "unmoved": ["f::test_a", "f::test_b"]})
    assert (watch.idle(), watch.waits("f::test_a")) == ([], True)
    watch.learn({"name": "n", "noticed": ["f::test_b"], "unmoved": ["f::test_a"]})
    assert (watch.idle(), watch.waits("f::test_a"), watch.waits("f::test_b")) == (["f::test_a"], False, False)


def test_mutants_are_tried_on_those_that_wait_then_on_those_that_they_are_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watched(tmp_path, {f"f::test_{name}[1]": 1.0 for name in "abc"})
    order, lines = [], set()
    for one in mutants_of("half.py", SOURCE):
        if one.line not in lines:
            order.append(one)
            lines.add(one.line)
    near = dict(zip(order[:4], ("a", "abc", "bc", "ab"), strict=True))
    monkeypatch.setattr(watch.record, "near", lambda one: {f"f::test_{name}[1]" for name in near[one]})
    monkeypatch.setattr(watch.record, "lines_of", lambda _: ({}, set()))
    monkeypatch.setattr(idle, "MANY", 2)
    tried = []
    for mutant in itertools.chain(idle.widest(near, watch), idle.narrowest(near, watch)):
        tests = watch.tests(mutant)
        tried.append((order.index(mutant), [idle.function_of(test)[-1] for test in tests]))
        # Only one that is about b shows anything to it.
        noticed = ["f::test_b"] if mutant is order[3] else []
        unmoved = {idle.function_of(test) for test in tests} - set(noticed)
        watch.learn({"name": mutant.name, "noticed": noticed, "unmoved": unmoved})
    assert tried == [(1, ["a", "b", "c"]), (2, ["b", "c"]), (3, ["a", "b"]), (0, ["a"])]
    assert watch.seen == {"f::test_a": 3, "f::test_b": 2, "f::test_c": 2}
    assert watch.noticed == {"f::test_b"}


def test_what_few_others_run_is_tried_first_and_what_was_tried_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watched(tmp_path, {f"f::test_{name}": 1.0 for name in "abc"})
    order = list({one.line: one for one in mutants_of("half.py", SOURCE)}.values())[:3]
    near = dict(zip(order, ("abc", "a", "ab"), strict=True))
    monkeypatch.setattr(watch.record, "near", lambda one: {f"f::test_{name}" for name in near[one]})
    monkeypatch.setattr(watch.record, "lines_of", lambda _: ({}, set()))
    tried: list[Mutant] = []

    def run(chosen: Iterable[Mutant], *those: Any, **_: Any) -> None:
        for one in itertools.islice(chosen, 2):
            tried.append(one)
            those[2]({"name": one.name, "noticed": [], "unmoved": ["f::test_a"]})

    monkeypatch.setattr(idle, "run", run)
    idle.find(near, watch.record, tmp_path, 1.0, gently=True)
    (kept,) = tmp_path.glob("idle-*.jsonl")
    kept.write_text(kept.read_text() + '\n{"name": "half of')
    idle.find(near, watch.record, tmp_path, 1.0, gently=True)
    assert tried == [order[1], order[2], order[0]]
    assert idle.find(near, watch.record, tmp_path, 1.0, gently=True).seen["f::test_a"] == 3
    assert tried == [order[1], order[2], order[0]]
