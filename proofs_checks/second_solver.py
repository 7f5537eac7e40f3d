"""Every question to z3, put to cvc5 as well: `python -m rkde.proofs_checks.second_solver`.

Needs the package cvc5. The checks that ask z3 are run, and their questions collected as SMT-LIB 2; cvc5
gets each of them, with several choices of options, for a limited time. What it leaves undecided is listed,
and decided by a certificate if there is one. How much that is depends on the time that it is given. The
exit status is 1 if an answer differs, or no question was asked.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import inspect
import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Final

from rkde.errors import RkdeError
from rkde.proofs_checks.claim import CHECK_PREFIX
from rkde.proofs_checks.cvc5_answers import UNDECIDED, Ask, asking
from rkde.proofs_checks.decide import Question, has_model, recorded
from rkde.proofs_checks.runner import forget_checks, own_settings, pytest_arguments
from rkde.proofs_checks.slack_certificate import certifies

if TYPE_CHECKING:
    import pytest

_FOLDER: Final = Path(__file__).resolve().parent
# For each choice of options: enough for most questions, and for those that are left.
_AT_FIRST: Final = 1.0
_IN_THE_END: Final = 10.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question, and what was found without z3.

    Attributes
    ----------
    question : Question
        With z3's answer.
    found : {"sat", "unsat", "undecided"}
        cvc5's answer.
    certified : bool
        True if cvc5 left it undecided and a certificate shows that there is no model.
    """

    question: Question
    found: str
    certified: bool

    @property
    def agrees(self) -> bool:
        """Whether cvc5 gives z3's answer."""
        return self.found == ("sat" if self.question.has_model else "unsat")

    @property
    def differs(self) -> bool:
        """Whether z3's answer is contradicted."""
        return (self.found != UNDECIDED and not self.agrees) or (self.certified and self.question.has_model)


def asks_z3(check: Callable[..., object], module: ModuleType) -> bool:
    """Tell whether a function calls `has_model`, itself or through others of its module."""
    seen: set[str] = set()
    waiting = [check]
    while waiting:
        code = inspect.unwrap(waiting.pop()).__code__
        names = {name for part in _codes(code) for name in part.co_names} - seen
        seen |= names
        mine = [vars(module).get(name) for name in sorted(names)]
        if has_model in mine:
            return True
        waiting += [one for one in mine if inspect.isfunction(one) and one.__module__ == module.__name__]
    return False


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those of the functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _codes(constant)


class _Selection:
    """The pytest plugin that leaves out the checks without z3, and keeps what fails."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the checks that ask z3."""
        items[:] = [
            item
            for item in items
            if asks_z3(getattr(item, "function"), getattr(item, "module"))  # noqa: B009
        ]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a failure."""
        if report.failed:
            self.complaints.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what stopped the collection."""
        if report.failed:
            self.complaints.append(report.longreprtext)


def questions(files: Sequence[Path] = ()) -> list[Question]:
    """Run the checks that ask z3, of all files or of some, and return each question once."""
    import pytest  # here, because importing the package must not need it

    chosen = files or sorted(_FOLDER.glob(f"{CHECK_PREFIX}*.py"))
    selection = _Selection()
    quiet = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as scratch, own_settings(Path(scratch)), quiet, recorded() as found:
        forget_checks()
        pytest.main([*pytest_arguments(_FOLDER, "quick"), *map(str, chosen)], plugins=[selection])
    if selection.complaints:
        raise RkdeError(
            "a check that asks z3 fails: " + "; ".join(selection.complaints), remedy="correct the check"
        )
    return list({question.smt2: question for question in found}.values())


def compare(asked: Iterable[Question], ask: Ask, patience: float) -> list[Comparison]:
    """Put each question to cvc5; where it is undecided, look for a certificate, and then have patience."""
    found = []
    for question in asked:
        said, certified = ask(question.smt2, min(_AT_FIRST, patience)), False
        if said == UNDECIDED:
            certified = certifies(question.smt2, ask)
            said = UNDECIDED if certified else ask(question.smt2, patience)
        found.append(Comparison(question, said, certified))
    return found


def report(comparisons: Sequence[Comparison]) -> str:
    """Return the table: a line for each check, the undecided and the differing by name, and the sums."""
    lines = [f"{'check':60} {'asked':>6} {'agreed':>7} {'undecided':>10} {'certified':>10} {'different':>10}"]
    names = list(dict.fromkeys(each.question.asked_by for each in comparisons))
    for name in [*names, "all"]:
        mine = [each for each in comparisons if name in ("all", each.question.asked_by)]
        counts = [len(mine), *(sum(_marks(each)[k] for each in mine) for k in range(4))]
        lines.append(f"{name:60} {counts[0]:6} {counts[1]:7} {counts[2]:10} {counts[3]:10} {counts[4]:10}")
    for each in comparisons:
        if not each.agrees:
            state = "different" if each.differs else "certified" if each.certified else "undecided"
            lines.append(f"{state}: {each.question.asked_by}")
    return "\n".join(lines) + "\n"


def _marks(each: Comparison) -> tuple[int, int, int, int]:
    """Return 1 or 0 for agreed, undecided, certified and different."""
    return int(each.agrees), int(each.found == UNDECIDED), int(each.certified), int(each.differs)


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rkde.proofs_checks.second_solver")
    parser.add_argument(
        "--seconds", type=float, default=_IN_THE_END, help="for each question and choice of options"
    )
    patience = parser.parse_args(arguments).seconds
    if importlib.util.find_spec("cvc5") is None:
        raise RkdeError("the second solver is not installed", remedy="run: python -m pip install cvc5")
    asked = questions()
    with asking() as ask:
        comparisons = compare(asked, ask, patience)
    sys.stdout.write(report(comparisons))
    return int(not comparisons or any(each.differs for each in comparisons))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
