"""The parts of `rkde verify` that run something: vectors in process, through a pipe, from a file; claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rkde.adapter import answer_request, fast_implementation, reference_implementation
from rkde.cli.advancing import Advance, advancing
from rkde.cli.failures import UnusableError
from rkde.cli.verify_options import Options
from rkde.conformance import (
    OPTIONAL_HELLO,
    REFERENCE_TOLERANCE,
    AdapterError,
    AnswersError,
    Balance,
    Case,
    CaseResult,
    Driver,
    Hello,
    Level,
    Outcome,
    adopting_orphans,
    balance,
    check_cases,
    counted,
    drive,
    judge_answers,
    read_answers,
    split_command,
)
from rkde.conformance.diagnosis import Diagnosis, diagnose
from rkde.errors import RkdeError

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult


@dataclass(frozen=True, slots=True)
class VectorsRun:
    """What the vectors showed about one implementation, which has the `name`.

    `adapter` holds command, name, version, note and further fields of a foreign program. There is a result
    in `cases` for each case `asked`, at the `levels` that count: None where each does, and each field of the
    protocol. An error of `tolerance` was passed in every case. `known` has the listed failures and their
    reasons, `balance` how the run and the list agree; both are None without a list. So many cases as
    `elsewhere` were answered and judged at other levels only.
    """

    name: str
    adapter: dict[str, str] | None
    folder: Path
    asked: list[Case]
    cases: list[CaseResult]
    diagnoses: list[Diagnosis]
    levels: tuple[Level, ...] | None = None
    tolerance: float | None = None
    known: dict[str, str] | None = None
    balance: Balance | None = None
    elsewhere: int = 0

    def excused(self) -> list[CaseResult]:
        """Return the results, with known failures as unsupported and known failures that passed as failed."""
        return [self._excused(result) for result in self.cases]

    def _excused(self, result: CaseResult) -> CaseResult:
        if self.known is None or result.id not in self.known:
            return result
        if result.outcome in (Outcome.FAILED, Outcome.NOT_RUN):
            text = f"a known failure: {self.known[result.id]}"
            return replace(result, outcome=Outcome.UNSUPPORTED, message=text)
        if result.outcome is Outcome.PASSED:
            return replace(result, outcome=Outcome.FAILED, message="passed, though it is listed as a failure")
        return result


def vectors_in_process(options: Options) -> VectorsRun:
    """Check one of the package's own implementations; the reference must reach 30 digits on every case."""
    cases, known = options.cases()
    name = options.implementation or "fast"
    lib = fast_implementation() if name == "fast" else reference_implementation()
    tolerance = max(REFERENCE_TOLERANCE, options.least_tolerance) if name == "reference" else None
    with advancing("vectors") as advance:
        results = check_cases(
            lambda request: answer_request(lib, request),
            cases,
            tolerance=tolerance,
            rules=options.rules,
            on_result=_counting(advance, len(cases)),
        )
    return _ended(options, f"{name} implementation", None, cases, known, results)


def vectors_through_pipe(options: Options, command: str) -> VectorsRun:
    """Check a program that speaks the adapter protocol."""
    cases, known = options.cases()
    try:
        with (
            adopting_orphans(),
            Driver(split_command(command), seconds=options.timeout, rules=options.rules) as driver,
        ):
            with advancing("vectors") as advance:
                results = drive(driver, cases, on_result=_counting(advance, len(cases)))
            about = _about(command, driver.hello, driver.note)
    except AdapterError as error:
        raise UnusableError(f"{error}") from error
    return _ended(options, f"{about['name']} {about['version']}", about, cases, known, results)


def vectors_from_answers(options: Options, path: Path) -> VectorsRun:
    """Check answers that were written to a file."""
    cases, known = options.cases()
    try:
        answers = read_answers(path, known)
    except AnswersError as error:
        raise UnusableError(str(error)) from error
    results = judge_answers(answers, cases, options.rules)
    hello = answers.hello or Hello(str(path), "", frozenset())
    about = _about("", hello, answers.note)
    return _ended(options, f"{hello.name} {hello.version}".strip(), about, cases, known, results)


def _about(command: str, hello: Hello, note: str) -> dict[str, str]:
    optional = {name: hello.about.get(name, "") for name in OPTIONAL_HELLO}
    return {"command": command, "name": hello.name, "version": hello.version, "note": note, **optional}


def _ended(
    options: Options,
    name: str,
    about: dict[str, str] | None,
    asked: list[Case],
    all_cases: list[Case],
    results: list[CaseResult],
) -> VectorsRun:
    """Diagnose a run, count it at the levels that were asked for, and compare it with known failures."""
    # A case that is shown is shown whole.
    levels = None if options.show else options.levels
    view = results if levels is None else [counted(result, levels) for result in results]
    if all(result.outcome is Outcome.UNSUPPORTED for result in view) and not options.show:
        reason = "every operation is unsupported" if levels is None else f"nothing is at {', '.join(levels)}"
        raise UnusableError(f"{options.folder}: no case ran, because {reason}")
    known = options.known()
    found = None if known is None else balance(known, view, {case.id for case in all_cases})
    return VectorsRun(
        name,
        about,
        options.folder,
        asked,
        view,
        diagnose(asked, results),
        levels,
        options.tolerance,
        known,
        found,
        sum(
            now.outcome is Outcome.UNSUPPORTED is not before.outcome
            for before, now in zip(results, view, strict=True)
        ),
    )


def claims(profile: Literal["quick", "thorough"]) -> list[ClaimResult]:
    """Run the claims of the paper under a Hypothesis profile."""
    from rkde.proofs_checks import run_claims

    with advancing("checks of the claims") as advance:
        try:
            return run_claims(profile, lambda done, total, _: advance(done, total))
        except RkdeError as error:
            raise UnusableError(f"the claims cannot run: {error}") from error


def _counting(advance: Advance, total: int) -> Callable[[object], None]:
    """Return the function to call with each result."""
    numbers = count(1)
    return lambda _: advance(next(numbers), total)
