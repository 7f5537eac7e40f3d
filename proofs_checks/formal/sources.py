"""The Coq files as text: the theorems that they state, their order, and what is wrong with them."""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from rkde.errors import RkdeError

FOLDER: Final = Path(__file__).resolve().parent
PREFIX: Final = "Rkde"
TABLE: Final = "theorems.toml"
_REQUIRED: Final = re.compile(r"(?:From\s+(\w+)\s+)?Require\s+(?:Import\s+|Export\s+)?([\w\s.]+?)\.(?:\s|$)")
# The sentences that decide how a file's formulas are read, and so how they are printed.
_READING: Final = re.compile(
    r"^(?:(?:From\s+\S+\s+)?Require\b|Import\b|Local Open Scope\b).*\.$", re.MULTILINE
)
_STATED: Final = re.compile(r"^\s*Theorem\s+([\w']+)", re.MULTILINE)
# A comment without another one inside, and the theorem that follows it directly.
_ABOVE: Final = re.compile(r"\(\*((?:(?!\*\)|\(\*).)*)\*\)\s*Theorem\s+([\w']+)", re.DOTALL)
# The words by which Coq takes a statement without a proof, or leaves out a part of its own checks.
_UNPROVED: Final = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Guard\s+Checking|Positivity\s+Checking"
    r"|Universe\s+Checking|bypass_check|Abort|Module|Load|Fail|Declare|Redirect)\b"
)
# What gives a name a meaning. A second one of a theorem's name would make it another theorem.
_DECLARED: Final = re.compile(
    r"\b(Theorem|Lemma|Corollary|Proposition|Remark|Fact|Example|(?<!Existing )Instance"
    r"|Definition|Fixpoint|CoFixpoint|Function"
    r"|Inductive|CoInductive|Variant|Record|Structure|Class|Let|Notation)\s+\(?([\w']+)"
)
# Sections, and notations, which end with their section or, if local, with their file.
_SCOPED: Final = re.compile(r"\b(Section)\b|\b(End)\b|\b(Local\s+)?Notation\s+\(?([\w']+)")
_LET: Final = re.compile(r"\b(Section)\b|\b(End)\b|\bLet\s+([\w']+)")
# Statements that have a proof, other declarations, and the end of a proof that stays visible.
_PROOFS: Final = re.compile(
    r"\b(?:Lemma|Theorem|Corollary|Fact|Remark|Proposition|Property|Instance)\s+([\w']+)"
    r"|\b((?:Definition|Fixpoint|Example|Program)\s)|\b(Defined)\."
)
# Those of them that end with their section or only abbreviate.
_PASSING: Final = ("Let", "Notation")


@dataclass(frozen=True, slots=True)
class Theorem:
    """One formal theorem: its name, its file, its claim, the statement in words, and whether that is all.

    A theorem that says only a part of its claim does not carry it.
    """

    name: str
    file: str
    claim: str
    says: str
    whole: bool = True

    @property
    def full_name(self) -> str:
        """The name by which Coq knows it."""
        return f"{PREFIX}.{self.file.removesuffix('.v')}.{self.name}"


def theorems(folder: Path = FOLDER) -> list[Theorem]:
    """Return the theorems that a folder's table lists."""
    rows = tomllib.loads((folder / TABLE).read_text(encoding="utf-8")).get("theorem", [])
    return [Theorem(**row) for row in rows]


@cache
def formal_claims() -> frozenset[str]:
    """Return the identifiers of the claims that theorems of this package carry."""
    return frozenset(theorem.claim for theorem in theorems() if theorem.whole)


@cache
def claims_with_theorems() -> frozenset[str]:
    """Return the identifiers of the claims of which theorems of this package say all, or a part."""
    return frozenset(theorem.claim for theorem in theorems())


def needed(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return each file's name with those of all files under it, in an order to compile them."""
    files = sorted(folder.glob("*.v"))
    names = {path.name for path in files}
    requires = {
        path.name: {
            f"{name}.v"
            for library, group in _REQUIRED.findall(_without_comments(path.read_text(encoding="utf-8")))
            for name in group.split()
            if library in ("", PREFIX) and f"{name}.v" in names
        }
        for path in files
    }
    for path in files:
        for library, group in _REQUIRED.findall(_without_comments(path.read_text(encoding="utf-8"))):
            absent = [name for name in group.split() if library == PREFIX and f"{name}.v" not in names]
            if absent:
                raise RkdeError(f"{path.name} needs {', '.join(absent)}, which is not there", where=path.name)
    under: dict[str, tuple[str, ...]] = {}
    for name in TopologicalSorter(requires).static_order():
        under[name] = tuple(sorted(requires[name].union(*(under[other] for other in requires[name]))))
    return under


def declared(folder: Path) -> dict[str, str]:
    """Return what a folder's files declare for other files: the full name, with the word that declares it."""
    return {
        f"{PREFIX}.{path.stem}.{name}": kind
        for path in sorted(folder.glob("*.v"))
        for kind, name in _DECLARED.findall(_without_comments(path.read_text(encoding="utf-8")))
        if kind not in _PASSING
    }


def reading(path: Path) -> list[str]:
    """Return the sentences under which a file's formulas are read: what it requires, and its scopes."""
    return _READING.findall(_without_comments(path.read_text(encoding="utf-8")))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file's text, whatever its line ends are."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


def audit(folder: Path, listed: Sequence[Theorem]) -> list[str]:
    """Return what is wrong with the texts of a folder, given the theorems that its table lists.

    Wrong are: a word that lets Coq accept a statement without a proof, a notation that other files see, a
    theorem that is not listed, a listed one that is not stated, and a theorem without a comment above it that
    names its claim.
    """
    problems: list[str] = []
    for path in sorted(folder.glob("*.v")):
        mine = [theorem for theorem in listed if theorem.file == path.name]
        problems += [f"{path.name}: {problem}" for problem in _audit_file(path, mine)]
    files = {path.name for path in folder.glob("*.v")}
    problems += [
        f"{each.file}: is listed in {TABLE}, but is not there" for each in listed if each.file not in files
    ]
    return problems


def _audit_file(path: Path, listed: Sequence[Theorem]) -> Iterator[str]:
    """Yield what is wrong with one file."""
    text = path.read_text(encoding="utf-8")
    bare = _without_comments(text)
    for found in _UNPROVED.finditer(bare):
        yield f"uses {found.group(1)}, which may leave something unproved"
    if '"' in bare:
        yield "contains a string, which could hide a comment's end"
    for name in _transparent(bare):
        yield f"ends the proof of {name} with Defined, so that a statement may rest on how it is proved"
    for name in _unsectioned(bare):
        yield f"lets {name} stand for something outside of all sections, where no record shows it"
    for notation in _kept_notations(bare):
        yield f"makes the notation {notation} for other files, which could hide what a statement says"
    times = Counter(name for _, name in _DECLARED.findall(bare))
    for theorem in listed:
        if times[theorem.name] > 1:
            yield f"declares {theorem.name} more than once"
    yield from _audit_theorems(text, listed)


def _audit_theorems(text: str, listed: Sequence[Theorem]) -> Iterator[str]:
    """Yield where a file states other theorems than the table lists, or does not name their claims."""
    stated = _STATED.findall(_without_comments(text))
    above: dict[str, str] = {name: comment for comment, name in _ABOVE.findall(text)}
    for name in stated:
        if name not in [theorem.name for theorem in listed]:
            yield f"states the theorem {name}, which {TABLE} does not list"
    for theorem in listed:
        if theorem.name not in stated:
            yield f"does not state the theorem {theorem.name}, which {TABLE} lists"
        elif theorem.claim not in above.get(theorem.name, ""):
            yield f"does not name the claim {theorem.claim} in a comment above {theorem.name}"


def _transparent(text: str) -> Iterator[str]:
    """Yield the lemmas whose proofs end with `Defined`; definitions that are built by tactics may."""
    stated = ""
    for lemma, other, ends in _PROOFS.findall(text):
        stated = lemma or ("" if other else stated)
        if ends and stated:
            yield stated


def _unsectioned(text: str) -> Iterator[str]:
    """Yield what `Let` names outside of all sections."""
    depth = 0
    for opens, closes, name in _LET.findall(text):
        depth += bool(opens) - bool(closes)
        if name and not depth:
            yield name


def _kept_notations(text: str) -> Iterator[str]:
    """Yield the notations that outlive their file: those outside of all sections that are not local."""
    depth = 0
    for opens, closes, local, notation in _SCOPED.findall(text):
        depth += bool(opens) - bool(closes)
        if notation and not (depth or local):
            yield notation


def _without_comments(text: str) -> str:
    """Return a text without its comments, which may be nested."""
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        if part == "(*":
            depth += 1
        elif part == "*)" and depth:
            depth -= 1
        elif not depth:
            kept.append(part)
    return "".join(kept)
