"""Write the page of the formal proofs, docs/formal.md: run ``python docs/building/formal.py``.

What stands above the table is in ``formal_head.txt``; the table is made from the ledger, and what
stands below from the record of the last check.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rkde.proofs_checks.claim import Level
from rkde.proofs_checks.formal.record import shipped
from rkde.proofs_checks.ledger import LedgerEntry, load_ledger
from rkde.proofs_checks.places import in_print

HERE: Final = Path(__file__).resolve().parent
HEAD: Final = HERE / "formal_head.txt"
PAGE: Final = HERE.parent / "formal.md"
_LEDGER: Final = "../proofs_checks/LEDGER.md"


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD.read_text(encoding="utf-8"), *table(load_ledger()), *definitions(shipped().definitions)]
    return "\n".join(parts) + "\n"


def definitions(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what the statements are made of, one folded block for each file."""
    yield "\n## The definitions that the statements use\n"
    yield "As Coq prints them, file by file; that they are still these is part of what the command checks."
    for module in sorted({name.rpartition(".")[0] for name in texts}):
        mine = [text for name, text in texts.items() if name.rpartition(".")[0] == module]
        file = f"{module.rpartition('.')[2]}.v"
        yield f"\n<details><summary>{file}: {len(mine)}</summary>\n\n```coq"
        yield "\n\n".join(mine)
        yield "```\n\n</details>"


def table(entries: list[LedgerEntry]) -> Iterator[str]:
    """Yield one row for each claim with a formal theorem: its place, the claim, and what the theorems say."""
    yield "| in the paper | claim, and what became of it | what is formally proved |"
    yield "|---|---|---|"
    for entry in entries:
        if not entry.theorems:
            continue
        level = "" if entry.level is Level.FORMAL else f"; in part only, the whole is {entry.level}"
        needs = f" Needs: {_cell('; '.join(entry.hypotheses))}." if entry.hypotheses else ""
        said = (
            f"[`{entry.id}`]({_LEDGER}#{entry.id}): {entry.verdict}{level}. {_cell(entry.statement)}{needs}"
        )
        proved = "<br>".join(f"`{each.file}`, `{each.name}`: {_cell(each.says)}" for each in entry.theorems)
        yield f"| {in_print(entry.label)} | {said} | {proved} |"


def _cell(text: str) -> str:
    """Keep a text within its cell, and Markdown from reading products as emphasis."""
    for mark in ("|", "*", "<"):
        text = text.replace(mark, f"\\{mark}")
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
