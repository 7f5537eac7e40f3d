"""Coq's own programs: compile the files, ask for the axioms under each theorem, check the result again."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from rkde.errors import RkdeError
from rkde.proofs_checks.formal.sources import PREFIX, Theorem, digest, needed, reading

WANTED: Final = "8.16"
ALLOWED_AXIOMS: Final[dict[str, str]] = {
    "ClassicalDedekindReals.sig_forall_dec": "Coq's real numbers: a decidable property holds for all natural "
    "numbers, or a number is found that lacks it",
    "ClassicalDedekindReals.sig_not_dec": "Coq's real numbers: a negation can be decided",
    "FunctionalExtensionality.functional_extensionality_dep": "Coq's real numbers: functions with the same "
    "values are equal",
    "Classical_Prop.classic": "the law of the excluded middle, which Coquelicot uses for limits, and Flocq",
}
# What the files require, in the folder of libraries that others have written.
_LIBRARIES: Final = ("mathcomp", "Coquelicot", "Flocq")
_CLOSED: Final = "Closed under the global context"
_MARK: Final = "@@"
# Coq's own indentation of a type under its name, and the columns that it may fill.
_INDENT: Final = 7
WIDTH: Final = 110
# The end of what Coq says is where the error stands.
_LAST_WORDS: Final = 2000


def unusable() -> str:
    """Return why the files cannot be checked on this machine, or nothing if they can."""
    missing = [name for name in ("coqc", "coqchk") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} cannot be found"
    found = version()
    if not found.startswith(WANTED):
        return f"the files are written for Coq {WANTED}, and this is {found}"
    libraries = Path(_run("coqc", "-where").strip()) / "user-contrib"
    lacking = [name for name in _LIBRARIES if not (libraries / name).is_dir()]
    return f"the libraries {', '.join(lacking)} of Coq cannot be found" if lacking else ""


def version() -> str:
    """Return the version of the Coq that is installed."""
    return _run("coqc", "--print-version").split()[0]


def compile_files(folder: Path, store: Path) -> list[str]:
    """Compile a folder's files into `store`, but for those that are there already; return what was compiled.

    A file is compiled anew if its text, that of a file under it, or the version of Coq is another one.
    """
    store.mkdir(parents=True, exist_ok=True)
    requires, compiler, keys = needed(folder), version(), dict[str, str]()
    for name, before in requires.items():
        parts = [compiler, digest(folder / name), *(keys[other] for other in before)]
        keys[name] = hashlib.sha256(" ".join(parts).encode()).hexdigest()
    stale = [name for name in requires if not _is_compiled(store / name, keys[name])]
    jobs: dict[str, Future[None]] = {}
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        for name in stale:
            before_it = [jobs[other] for other in requires[name] if other in jobs]
            jobs[name] = workers.submit(_compile, folder / name, store, keys[name], before_it)
    for job in jobs.values():
        job.result()
    return stale


def axioms_of(theorems: Sequence[Theorem], store: Path) -> dict[str, tuple[str, ...]]:
    """Return the axioms under each theorem, by its full name, as `Print Assumptions` lists them."""
    modules = sorted({f"{PREFIX}.{theorem.file.removesuffix('.v')}" for theorem in theorems})
    lines = [f"Require {module}." for module in modules]
    for theorem in theorems:
        lines += asked(theorem.full_name, f"Print Assumptions {theorem.full_name}.")
    blocks = answers("assumptions.v", lines, store)
    return {theorem.full_name: _axioms_in(blocks[theorem.full_name]) for theorem in theorems}


def statements_of(folder: Path, theorems: Sequence[Theorem], store: Path) -> dict[str, str]:
    """Return what each theorem states, by its full name, as `Check` prints it outside of all sections.

    Each statement is printed in a section that reads formulas as its file does: what a section imports and
    which scopes it opens ends with it. The hypotheses of the file's own sections are part of what is printed.
    """
    lines = [f"Set Printing Width {WIDTH}."]
    for name in sorted({theorem.file for theorem in theorems}):
        module = name.removesuffix(".v")
        lines += ["Section Shown.", *reading(folder / name), f"From {PREFIX} Require Import {module}."]
        for theorem in theorems:
            if theorem.file == name:
                lines += asked(theorem.full_name, f"Check @{theorem.full_name}.")
        lines.append("End Shown.")
    blocks = answers("statements.v", lines, store)
    return {theorem.full_name: _statement_in(blocks[theorem.full_name]) for theorem in theorems}


def forbidden(axioms: dict[str, tuple[str, ...]]) -> list[str]:
    """Return which theorems rest on axioms that are not allowed."""
    return [
        f"{name}: rests on {axiom}, which is not among the allowed axioms"
        for name, found in axioms.items()
        for axiom in found
        if axiom not in ALLOWED_AXIOMS
    ]


def check_again(folder: Path, store: Path) -> None:
    """Have Coq's separate checker verify the compiled files, the libraries under them taken as they are."""
    modules = [part for name in needed(folder) for part in ("-norec", f"{PREFIX}.{name.removesuffix('.v')}")]
    _run("coqchk", "-silent", "-R", ".", PREFIX, *modules, store=store)


def asked(name: str, sentence: str) -> list[str]:
    """Return a question to Coq whose answer stands under a name, such as the full name of a theorem."""
    return [f'Goal True. idtac "{_MARK}{name}". Abort.', sentence]


def answers(name: str, lines: Sequence[str], store: Path) -> dict[str, str]:
    """Have Coq answer questions, and return the answers by the names under which they stand."""
    (store / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = _run("coqc", "-q", "-w", "none", "-R", ".", PREFIX, name, store=store)
    return dict(block.split("\n", 1) for block in said.split(_MARK)[1:])


def _statement_in(block: str) -> str:
    """Return the type in one answer of `Check`, without the name before it and Coq's indentation."""
    _, colon, stated = block.partition(": ")
    if not colon:
        raise RkdeError("the statement of a theorem cannot be read", value=block)
    lines = stated.replace("\n" + " " * _INDENT, "\n").splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())


def _axioms_in(block: str) -> tuple[str, ...]:
    """Return the names in one answer of `Print Assumptions`: each starts a line, its type may fill others."""
    if block.strip() == _CLOSED:
        return ()
    before, _, listed = block.partition("Axioms:")
    starts = [line for line in listed.splitlines() if line.strip() and not line[0].isspace()]
    names = [re.fullmatch(r"([\w.']+)(?:\s*:.*)?", line) for line in starts]
    # Such as a fixpoint that is assumed to be guarded: not an axiom, and not proved.
    others = [line for line, name in zip(starts, names, strict=True) if name is None]
    if before.strip() or others or not names:
        raise RkdeError("a theorem rests on what is not an axiom, or its axioms cannot be read", value=block)
    return tuple(sorted(name[1] for name in names if name is not None))


def _is_compiled(path: Path, key: str) -> bool:
    kept = path.with_suffix(".key")
    return path.with_suffix(".vo").exists() and kept.exists() and kept.read_text(encoding="utf-8") == key


def _compile(path: Path, store: Path, key: str, before: Sequence[Future[None]]) -> None:
    """Compile one file after those that it requires."""
    for job in before:
        job.result()
    copy = store / path.name
    shutil.copyfile(path, copy)
    _run("coqc", "-q", "-w", "none", "-R", ".", PREFIX, copy.name, store=store)
    copy.with_suffix(".key").write_text(key, encoding="utf-8")


def _run(*command: str, store: Path | None = None) -> str:
    """Run one of Coq's programs, where it may leave its own files, and return what it printed."""
    # Fixed words and paths.
    done = subprocess.run(command, cwd=store, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = (done.stdout + done.stderr)[-_LAST_WORDS:]
        raise RkdeError(f"{command[0]} refuses a formal proof", where=Path(command[-1]).name, value=said)
    return done.stdout
