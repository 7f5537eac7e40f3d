"""Messages, help and pages are free of phrases that a native reader would stumble on."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.meta.conftest import Source, nodes
from tests.meta.test_messages import messages, texts

# Pages that are written by a program from the ledger, reports or measurements, and the history.
GENERATED = frozenset(
    f"{name}.md"
    for name in (
        "CHANGELOG",
        "LEDGER",
        "RESULTS",
        "bugs",
        "equations",
        "formal",
        "implementations",
        "seeded_bugs",
    )
)
COMPARED = (
    "longer|more|less|better|worse|fewer|larger|smaller|greater|wider|higher|lower|later|earlier|need|one"
)
COUNTED = (
    "row|line|point|column|draw|score|name|cell|entry|query|step|case|claim|test|file|location|sign|worker"
)
BANNED = {
    "is not a ..., rather than is no ...": rf"(?<!there )\b(is|are|was|were) no (?!{COMPARED})",
    "one ... for each ..., rather than one ... a ...": rf"\bone [a-z]+ an? ({COUNTED})\b(?! \w+ (is|are)\b)",
    "a subject, rather than whoever": r"\bwhoever\b",
    "correct, rather than mend": r"\bmend(s|ed|ing)?\b",
    "tolerate, rather than bear": r"\bbears?\b",
    "edge, rather than rim": r"\brims?\b",
    "all others, rather than all else": r"\ball else\b",
    "a number, rather than so many": r"\bso many\b",
    "maximum, rather than most": r"\bmost (memory|threads|rows to|steps to)\b",
    "up to rounding, rather than but for rounding": r"\bbut for rounding\b",
    "not a truth value": r"\btruth values?\b",
    "British spelling": (
        r"\b(normali|minimi|maximi|optimi|initiali|recogni|summari|generali|factori)z\w*"
        r"|\b(color|center|behavior|neighbor|favorable|analyze|gray)\w*"
    ),
}


def stumbling_blocks(text: str) -> list[str]:
    """Return the banned phrases of a text, each with what to write."""
    joined = re.sub(r"\s+", " ", text)
    return [
        f"{found[0]!r}: {advice}"
        for advice, pattern in BANNED.items()
        for found in re.finditer(pattern, joined, re.IGNORECASE)
    ]


def prose(markdown: str) -> str:
    """Return the text of a page without code, addresses and comments."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->|`[^`\n]*`|\]\([^)]*\)", " ", text, flags=re.DOTALL)
    return re.sub(r"^\s*>>>.*$", "", text, flags=re.MULTILINE)


def help_texts(tree: ast.AST) -> Iterator[str]:
    """Yield the help of a file of the command line: of commands, of options, and what stands below them."""
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            yield ast.get_docstring(node) or ""
        if isinstance(node, ast.Call):
            for one in node.keywords:
                if one.arg in ("help", "epilog", "short_help") and isinstance(one.value, ast.Constant):
                    yield str(one.value.value)


def notes(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of warnings, and of notes on standard error."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("warn", "complain"):
                yield from texts(node.args[0], tree)


def told(kind: str, sources: list[Source], pages: list[Path]) -> Iterator[tuple[str, str]]:
    """Yield what a user may read, with its place."""
    if kind == "pages":
        for page in pages:
            if page.suffix == ".md" and page.name not in GENERATED:
                yield page.name, prose(page.read_text("utf-8"))
    for source in sources:
        if kind == "warnings":
            yield from ((source.path, text) for text in notes(source.tree))
        elif kind == "help" and source.path.startswith("src/rkde/cli/"):
            yield from ((source.path, text) for text in help_texts(source.tree))
        elif kind == "errors" and not source.path.startswith("tests/"):
            for message in messages(source):
                yield from ((message.place, text) for text in (*message.problems, *(message.remedies or ())))


@pytest.mark.parametrize(("kind", "least"), [("warnings", 10), ("errors", 250), ("help", 80), ("pages", 20)])
def test_texts_are_plain(kind: str, least: int, sources: list[Source], project_files: list[Path]) -> None:
    texts = list(told(kind, sources, project_files))
    assert len(texts) > least
    assert not [f"{place}: {block}" for place, text in texts for block in stumbling_blocks(text)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0.1 is no float64", 1),
        ("the rows are no\nmeasurements", 1),
        ("give one weight a row, one line a sign", 2),
        ("for whoever has no estimator; mend it", 2),
        ("b = c but for rounding", 1),
        ("the Neighbors are recognized", 2),
        ("a truth value", 1),
        ("there is no limit, and it is no longer asked", 0),
        ("one weight for each row, and the threshold is no larger", 0),
        ("the recommended behaviour is recognised", 0),
    ],
)
def test_phrases_are_found(text: str, count: int) -> None:
    assert len(stumbling_blocks(text)) == count


def test_code_and_addresses_are_not_prose() -> None:
    page = "Use `color`, [see](whoever.md).\n\n```python\nmend = 1\n```\n\n>>> bears\n\nThis is no matter."
    assert stumbling_blocks(prose(page)) == stumbling_blocks("This is no matter.")
    assert len(stumbling_blocks(prose(page))) == 1
