"""Known failures: a text file that lists them, and the outcomes of a run that it does not explain.

Each line names a case, then the reason in words of its own, with a link if there is one. Empty lines and
lines that begin with # are for people.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rkde.conformance.running import CaseResult, Outcome
from rkde.files import reason, write_atomically

# What a rewritten file says of a failure that nobody has explained yet.
UNEXPLAINED: Final = "not explained yet"
_LINE: Final = re.compile(r"(?P<case>\S+)(?:\s+#*\s*(?P<reason>.*\S))?\s*")
_ENDED_BADLY: Final = (Outcome.FAILED, Outcome.NOT_RUN)


class KnownFailuresError(Exception):
    """A file of known failures cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How a run and a list of known failures agree.

    Attributes
    ----------
    listed : int
        How many failures are listed.
    unlisted : tuple of str
        Cases that failed or were not run, and are not listed.
    passed : tuple of str
        Cases that are listed, and passed.
    unknown : tuple of str
        Names that are listed, and are no case.
    """

    listed: int
    unlisted: tuple[str, ...]
    passed: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True if the list accounts for all that failed, and for nothing else."""
        return not (self.unlisted or self.passed or self.unknown)


def read_known(path: Path) -> dict[str, str]:
    """Read a file of known failures.

    Result: from the name of a case to the reason why it fails.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(_lines(path), 1):
        if not _is_entry(line):
            continue
        case, reason = _entry(line)
        if case in found:
            raise KnownFailuresError(f"{path}: line {number} lists {case} again; leave out one of the lines")
        found[case] = reason
    return found


def balance(known: Mapping[str, str], results: Sequence[CaseResult], names: Collection[str]) -> Balance:
    """Compare a run with the failures that are known."""
    bad = [result.id for result in results if result.outcome in _ENDED_BADLY]
    passed = {result.id for result in results if result.outcome is Outcome.PASSED}
    return Balance(
        len(known),
        tuple(identity for identity in bad if identity not in known),
        tuple(identity for identity in known if identity in passed),
        tuple(identity for identity in known if identity not in names),
    )


def rewrite_known(path: Path, found: Balance) -> None:
    """Rewrite a file so that it accounts for a run: reasons and comments stay, and only what passed goes.

    A name that no case has stays: the run may have been of other vectors.
    """
    kept = [line for line in _lines(path) if not (_is_entry(line) and _entry(line)[0] in found.passed)]
    text = "".join(f"{line}\n" for line in [*kept, *(f"{name}  {UNEXPLAINED}" for name in found.unlisted)])
    try:
        write_atomically(path, text.encode("utf-8"))
    except OSError as error:
        raise KnownFailuresError(f"{path}: {reason(error)}; choose another path") from error


def _lines(path: Path) -> list[str]:
    try:
        # Only line feeds end a line: a reason may hold any other character.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
        return lines[:-1] if lines[-1] == "" else lines
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise KnownFailuresError(f"{path}: {reason(error)}; choose a text file in UTF-8") from error


def _is_entry(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _entry(line: str) -> tuple[str, str]:
    match = _LINE.fullmatch(line.strip())
    return (match["case"], match["reason"] or UNEXPLAINED) if match else (line.strip(), UNEXPLAINED)
