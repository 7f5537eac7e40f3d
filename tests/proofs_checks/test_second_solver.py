"""The second solver: what it is asked, how it is stopped, and that a wrong answer of z3 would be seen."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
import sympy
import z3

from rkde.errors import RkdeError
from rkde.proofs_checks import check_surrogate, cvc5_answers, decide, second_solver, slack_certificate
from rkde.proofs_checks.claim import checks_of
from rkde.proofs_checks.cvc5_answers import Ask, asking
from rkde.proofs_checks.decide import Question, has_model, recorded

needs_cvc5 = pytest.mark.skipif(importlib.util.find_spec("cvc5") is None, reason="cvc5 is not installed")
SECONDS = 2.0
SHORT = 0.1
# What cvc5 does not decide soon, it is not given for longer here: the command is.
PATIENCE = "0.5"


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with asking() as function:
        yield function


def square_below(bound: int) -> Question:
    """Ask z3 whether a square can be below a number."""
    x = z3.Real("x")
    with recorded() as questions:
        has_model(x * x < bound)
    return questions[0]


def check_that_asks() -> None:
    has_model(z3.Real("x") > 0)


def test_a_question_is_recorded_with_its_check_and_answer() -> None:
    with recorded() as outer:
        check_that_asks()
        with recorded() as inner:
            assert not square_below(0).has_model
    check_that_asks()
    names = ["check_that_asks", "square_below"]
    assert [question.asked_by for question in outer] == [f"test_second_solver.{name}" for name in names]
    assert [question.has_model for question in outer] == [True, False]
    assert inner == outer[1:]
    assert "(check-sat)" in inner[0].smt2


def test_an_undecided_question_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(z3.Solver, "check", lambda _: z3.unknown)
    with recorded() as questions, pytest.raises(AssertionError, match="did not decide"):
        check_that_asks()
    assert not questions


def test_the_checks_that_ask_z3_are_found() -> None:
    checks = checks_of(check_surrogate)
    asking_ones = {name for name, check in checks if second_solver.asks_z3(check, check_surrogate)}
    assert {"check_surrogate_lies_above", "check_altered_surrogate_is_refuted"} <= asking_ones
    assert "check_surrogate_touches" not in asking_ones


@pytest.mark.slow
@needs_cvc5
def test_no_answer_of_cvc5_contradicts_z3() -> None:
    """Put all questions of the claims; how many are decided in time depends on the machine."""
    command = [sys.executable, "-m", "rkde.proofs_checks.second_solver", "--seconds", PATIENCE]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (total,) = (line.split() for line in run.stdout.splitlines() if line.startswith("all "))
    asked, agreed, undecided, certified, different = map(int, total[1:])
    assert asked == agreed + undecided > undecided >= certified
    assert different == 0


@needs_cvc5
@pytest.mark.parametrize("bound", [0, 1])
def test_a_wrong_answer_of_z3_is_seen(bound: int, ask: Ask) -> None:
    right = square_below(bound)
    wrong = replace(right, has_model=not right.has_model)
    first, second = second_solver.compare([right, wrong], ask, float(PATIENCE))
    assert (first.agrees, first.differs, second.agrees, second.differs) == (True, False, False, True)
    assert "different: test_second_solver.square_below" in second_solver.report([first, second])


@needs_cvc5
def test_a_process_that_ends_is_replaced(ask: Ask) -> None:
    assert ask("(this is no question)", SECONDS) == second_solver.UNDECIDED
    assert ask(square_below(0).smt2, SECONDS) == "unsat"


@needs_cvc5
def test_a_process_that_hangs_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = tmp_path / "silent.py"
    text = f"import time\nprint({cvc5_answers._READY!r}, flush=True)\ntime.sleep(3600)\n"
    silent.write_text(text, encoding="utf-8")
    monkeypatch.setattr(cvc5_answers, "__file__", str(silent))
    with asking() as ask:
        assert ask(square_below(0).smt2, SHORT) == second_solver.UNDECIDED
        monkeypatch.undo()
        assert ask(square_below(0).smt2, SECONDS) == "unsat"


def told(answers: dict[str, str]) -> Ask:
    """Return a solver that knows some answers."""
    return lambda smt2, *_: answers.get(smt2, second_solver.UNDECIDED)


def test_what_is_left_undecided_is_no_agreement() -> None:
    (each,) = second_solver.compare([square_below(0)], told({}), float(PATIENCE))
    assert (each.found, each.agrees, each.differs, each.certified) == ("undecided", False, False, False)
    assert "undecided: test_second_solver.square_below" in second_solver.report([each])


@pytest.mark.parametrize(("said", "status"), [("sat", 0), ("undecided", 0), ("unsat", 1)])
def test_the_exit_status(said: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [square_below(1)]
    question = asked[0].smt2
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: True)
    monkeypatch.setattr(second_solver, "questions", lambda: asked)
    monkeypatch.setattr(second_solver, "asking", lambda: nullcontext(told({question: said})))
    assert second_solver.main([]) == status
    asked.clear()
    assert second_solver.main([]) == 1


def test_without_cvc5_the_command_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(RkdeError, match="second solver"):
        second_solver.main([])


def steep_question(*, without: int | None = None) -> Question:
    """Ask whether u(x; r) can be below rho(x) for x on the first piece and r on the falling one."""
    loss = decide.RealLoss("hampel")
    x, r, phi = z3.Reals("x r phi")
    at_x, at_r = loss.at(x)[0], loss.at(r)[2]
    below = at_r.rho - r * r * phi / 2 + phi * x * x / 2 < at_x.rho
    pieces = [decide.inside(at_x, x), decide.inside(at_r, r)]
    known = [*loss.admissible, r > 0, *pieces, phi * r == at_r.psi, below]
    with recorded() as questions:
        has_model(*[constraint for k, constraint in enumerate(known) if k != without])
    return questions[0]


@needs_cvc5
def test_the_certificate_covers_its_question_and_no_weaker_one(ask: Ask) -> None:
    whole = steep_question()
    assert not whole.has_model
    assert slack_certificate.certifies(whole.smt2, ask)
    weaker = steep_question(without=1)  # a <= b
    assert not slack_certificate.certifies(weaker.smt2, ask)
    assert not slack_certificate.certifies(square_below(0).smt2, ask)


def test_the_certificate_needs_the_right_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slack_certificate.no_negative_coefficient()
    right = slack_certificate.pieces.hampel

    def raised(*arguments: sympy.Expr) -> list:
        first, *others = right(*arguments)
        return [replace(first, rho=first.rho * sympy.Rational(101, 100)), *others]

    monkeypatch.setattr(slack_certificate.pieces, "hampel", raised)
    assert not slack_certificate.no_negative_coefficient()
