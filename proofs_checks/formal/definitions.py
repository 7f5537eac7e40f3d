"""The definitions that formal statements use, as Coq prints them: a statement means what these say.

A hypothesis may stand in the field of a record, and a definition may be turned into another one under the
same name: neither shows in the statements themselves, so that both are recorded.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rkde.errors import RkdeError
from rkde.proofs_checks.formal.coq import WIDTH, answers, asked
from rkde.proofs_checks.formal.sources import PREFIX, Theorem, declared, reading

# Every name is printed with its file; no notation, coercion or implicit argument hides one.
_IN_FULL: Final = (
    "Set Printing Fully Qualified.",
    "Unset Printing Notations.",
    "Set Printing Implicit.",
    "Set Printing Coercions.",
)
# Coq leaves out the folder: these are a file and a name in it, or in a module of it.
_NAME: Final = re.compile(r"(?<![\w.'])([A-Za-z]\w*)\.([\w']+)(?![\w.'])")
# A proof inside a definition that Coq has named itself, by the tactic `abstract`.
_PROOF_INSIDE: Final = re.compile(r".*_subproof\d*")
# What `Print` adds on how arguments are written.
_ARGUMENTS: Final = re.compile(r"\n\s*\nArguments\b.*", re.DOTALL)
_PROVED: Final = frozenset(
    ("Theorem", "Lemma", "Corollary", "Proposition", "Remark", "Fact", "Example", "Instance")
)
_WITH_PARTS: Final = frozenset(("Inductive", "CoInductive", "Variant", "Record", "Structure", "Class"))


def definitions_of(folder: Path, theorems: Sequence[Theorem], store: Path) -> dict[str, str]:
    """Return what a folder defines under the statements of theorems, by full names, as Coq prints it.

    Of a lemma that a definition uses, such as the proof in a record's field, this is what it states.
    """
    kinds = declared(folder)
    known = in_full(kinds, theorems, store)
    stated = {theorem.full_name for theorem in theorems}
    needed = under([known[name] for name in sorted(stated)], known, kinds) - stated
    return _readable(folder, {name: kinds[name] for name in sorted(needed)}, store)


def in_full(kinds: Mapping[str, str], theorems: Sequence[Theorem], store: Path) -> dict[str, str]:
    """Return all definitions and the statements with nothing hidden, by their full names."""
    modules = sorted({name.rpartition(".")[0] for name in (*kinds, *(each.full_name for each in theorems))})
    lines = [*(f"Require {module}." for module in modules), *_IN_FULL]
    for name, kind in kinds.items():
        lines += asked(name, f"Check @{name}." if kind in _PROVED else f"Print {name}.")
    for theorem in theorems:
        lines += asked(theorem.full_name, f"Check @{theorem.full_name}.")
    # In an answer of `Check` the name itself comes before the first colon.
    checked = {name for name, kind in kinds.items() if kind in _PROVED}
    checked.update(theorem.full_name for theorem in theorems)
    said = answers("in_full.v", lines, store)
    return {name: text.partition(":")[2] if name in checked else text for name, text in said.items()}


def under(texts: Iterable[str], known: Mapping[str, str], kinds: Mapping[str, str]) -> set[str]:
    """Return the names of the definitions that texts use, and of those that these use."""
    modules = {name.split(".")[1] for name in kinds}
    found: set[str] = set()
    todo = list(texts)
    while todo:
        for name in _names(todo.pop(), modules):
            whole = name if name in kinds else _part_of(name, known, kinds)
            if whole and whole not in found:
                found.add(whole)
                todo.append(known[whole])
    return found


def _names(text: str, modules: Container[str]) -> set[str]:
    """Return the full names in a text that stand in some modules."""
    return {f"{PREFIX}.{module}.{name}" for module, name in _NAME.findall(text) if module in modules}


def _part_of(name: str, known: Mapping[str, str], kinds: Mapping[str, str]) -> str:
    """Return of which record or inductive type a name is a field or constructor; nothing for a proof."""
    module, _, last = name.rpartition(".")
    part = re.compile(rf"(?<![\w'])(?:{module.split('.')[1]}\.)?{re.escape(last)}(?![\w'])")
    for whole, kind in kinds.items():
        if kind in _WITH_PARTS and whole.startswith(f"{module}.") and part.search(known[whole]):
            return whole
    if _PROOF_INSIDE.fullmatch(last):
        return ""
    raise RkdeError(
        f"a statement uses {name}, whose definition cannot be found",
        where=module,
        remedy="write it with a word that the list in sources.py has",
    )


def _readable(folder: Path, kinds: Mapping[str, str], store: Path) -> dict[str, str]:
    """Return definitions as `Print` shows them to a reader, by their full names."""
    lines = [f"Set Printing Width {WIDTH}."]
    for module in sorted({name.rpartition(".")[0] for name in kinds}):
        stem = module.removeprefix(f"{PREFIX}.")
        lines += ["Section Shown.", *reading(folder / f"{stem}.v"), f"From {PREFIX} Require Import {stem}."]
        for name, kind in kinds.items():
            if name.startswith(f"{module}."):
                lines += asked(name, f"Check @{name}." if kind in _PROVED else f"Print {name}.")
        lines.append("End Shown.")
    return {name: _without_gaps(said) for name, said in answers("shown.v", lines, store).items()}


def _without_gaps(said: str) -> str:
    lines = _ARGUMENTS.sub("", said).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
