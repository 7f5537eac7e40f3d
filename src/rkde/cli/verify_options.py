"""What `rkde verify` was asked to do, and whether its options can be combined."""

import math
import os
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import click

from rkde.cli.data import check_output
from rkde.cli.failures import UnusableError
from rkde.conformance import (
    CASE_SECONDS,
    Case,
    KnownFailuresError,
    Level,
    Rules,
    VectorsError,
    load_vectors,
    read_known,
    shipped_vectors,
)

# Every level counts, and an answer must hold every field of the protocol.
FULL: Final = "full"
# So many names are proposed where an unknown one was given.
_NAMED: Final = 3
LEVELS: Final = (*(str(level) for level in Level), FULL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the command, as `rkde verify --help` describes them."""

    implementation: str | None = None
    adapter: str | None = None
    answers: Path | None = None
    timeout: float = CASE_SECONDS
    vectors: Path | None = None
    level: tuple[str, ...] = ()
    tolerance: float | None = None
    only: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    known_failures: Path | None = None
    fix: bool = False
    validate: bool = False
    skip_claims: bool = False
    thorough: bool = False
    form: str = "text"
    as_json: bool = False
    junit: Path | None = None
    badge: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder of vector files."""
        return self.vectors or shipped_vectors()

    @property
    def writes(self) -> str:
        """What goes to standard output: text, json or markdown."""
        return "json" if self.as_json else self.form

    @property
    def levels(self) -> tuple[Level, ...] | None:
        """The levels that decide; None where every level and every field of the protocol does."""
        if not self.level or FULL in self.level:
            return None
        return tuple(level for level in Level if level in self.level)

    @property
    def rules(self) -> Rules:
        """What is looked at beside the values."""
        return Rules(schema=self.validate, keep=bool(self.show))

    @property
    def foreign(self) -> bool:
        """Whether another program than this package is checked."""
        return self.adapter is not None or self.answers is not None

    def require_consistent(self) -> None:
        """Refuse options that exclude each other, or could not be obeyed after the run."""
        sources = (
            ("--adapter", self.adapter),
            ("--answers", self.answers),
            ("--implementation", self.implementation),
        )
        given = [name for name, value in sources if value is not None]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} cannot be combined; leave out one.")
        if math.isnan(self.timeout):
            raise click.UsageError(
                f"--timeout must be a number of seconds, got {self.timeout:g}; give a number such as 10."
            )
        if self.tolerance is not None and not 0 < self.tolerance < 1:
            raise click.UsageError(
                f"--tolerance must be between 0 and 1, got {self.tolerance:g}; give a number such as 1e-6."
            )
        if self.fix and self.known_failures is None:
            raise click.UsageError("--fix must come with a list to rewrite; give --known-failures FILE too.")
        if self.fix and self.show:
            raise click.UsageError("--fix must not be combined with --show; leave out --show.")
        self._require_outputs()
        self.known()

    def _require_outputs(self) -> None:
        """Refuse a file that could not be written after the run, or that is read or written already."""
        inputs = [str(path) for path in (self.answers, self.known_failures) if path is not None]
        for path in (self.junit, self.badge):
            check_output(None if path is None else str(path), inputs)
        if self.fix:
            check_output(str(self.known_failures), [])
        if self.junit and self.badge and os.path.realpath(self.junit) == os.path.realpath(self.badge):
            raise click.UsageError(
                f"--badge must not be the file of --junit as well, got {self.badge}; name another file."
            )

    def known(self) -> dict[str, str] | None:
        """Return the failures that are known, with their reasons; None without a list."""
        if self.known_failures is None:
            return None
        if not self.fix and not self.known_failures.exists():
            raise UnusableError(f"{self.known_failures}: no such file; create it with --fix")
        try:
            return read_known(self.known_failures)
        except KnownFailuresError as error:
            raise UnusableError(str(error)) from error

    def cases(self) -> tuple[list[Case], list[Case]]:
        """Return the cases that are asked, with the tolerance that counts, and all that there are."""
        try:
            known = load_vectors(self.folder)
        except VectorsError as error:
            raise UnusableError(str(error)) from error
        _require_names("--only", self.only, {flag for case in known for flag in case.flags})
        _require_names("--show", self.show, {case.id for case in known})
        asked = [case for case in known if not self.only or set(self.only) & set(case.flags)]
        asked = [case for case in asked if not self.show or case.id in self.show]
        least = self.least_tolerance
        return [replace(case, tolerance=max(case.tolerance, least)) for case in asked], known

    @property
    def least_tolerance(self) -> Decimal:
        """The error that is passed in every case."""
        return Decimal(0) if self.tolerance is None else Decimal(str(self.tolerance))


def _require_names(option: str, given: tuple[str, ...], there: set[str]) -> None:
    for name in given:
        if name not in there:
            near = ", ".join(get_close_matches(name, there, n=_NAMED, cutoff=0))
            raise click.UsageError(f"{option} must be one of {len(there)} names, got {name}; try {near}.")
