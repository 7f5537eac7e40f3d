"""The documents show what really happens: examples in Python, at the command line and in the protocol."""

import doctest
import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from rkde.adapter import fast_implementation
from rkde.adapter.answers import answer_line
from rkde.cli import cli

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/**/*.md")
    for path in ROOT.glob(pattern)
)
# The pages whose commands are run, in a folder of their own.
WITH_COMMANDS = (
    *("README.md", "docs/how-to/big-data.md", "docs/how-to/messy-tables.md"),
    *("docs/numbers.md", "docs/tutorial.md"),
)


def fenced(markdown: str, language: str) -> list[str]:
    """Return the lines of all fenced blocks of one language."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def rkde_commands(markdown: str) -> list[list[str]]:
    """Return the arguments of each line `$ rkde ...` of the console blocks."""
    lines = fenced(markdown, "console")
    return [shlex.split(line.removeprefix("$ rkde")) for line in lines if line.startswith("$ rkde ")]


def failing_examples(text: str, name: str) -> int:
    """Run the interactive Python examples of a document and return how many do not show what they say."""
    test = doctest.DocTestParser().get_doctest(text.replace("```", "\n"), {}, name, name, 0)
    return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed


def wrong_answers(lines: list[str]) -> list[object]:
    """Send each request of an exchange (requests and answers in turn) and return the answers that differ."""
    fast = fast_implementation()
    wrong: list[object] = []
    for request, shown in zip(lines[::2], lines[1::2], strict=True):
        answer = json.loads(json.dumps(answer_line(fast, request.encode())))
        if answer != json.loads(shown):
            wrong.append(answer)
    return wrong


def missing_tests(markdown: str, root: Path) -> list[str]:
    """Return the tests that a document names, as `tests/file.py::test_name`, and that do not exist."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", markdown)
    return [
        f"{file}::{name}"
        for file, name in named
        if not (root / file).exists() or f"def {name}(" not in (root / file).read_text("utf-8")
    ]


@pytest.mark.parametrize("page", PAGES)
def test_tests_that_a_page_names_exist(root: Path, page: str) -> None:
    assert not missing_tests((root / page).read_text("utf-8"), root)


@pytest.mark.parametrize("page", PAGES)
def test_examples_are_right(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert failing_examples((root / page).read_text("utf-8"), page) == 0


def test_the_readme_shows_python_and_commands(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    assert ">>> " in text
    assert rkde_commands(text)


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_succeed(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.chdir(tmp_path)
    text = (root / page).read_text("utf-8")
    for line in fenced(text, "console"):
        # The files that the commands read.
        if line.startswith("$ printf "):
            subprocess.run(["/bin/sh", "-c", line.removeprefix("$ ")], check=True)
    if 'open("' in text:
        # Or that the examples write.
        assert failing_examples(text, page) == 0
    for arguments in rkde_commands(text):
        run = CliRunner().invoke(cli, arguments)
        assert run.exit_code == 0, (arguments, run.output)


def test_the_exchange_of_the_protocol_page_is_right(root: Path) -> None:
    lines = fenced((root / "docs" / "protocol.md").read_text("utf-8"), "jsonl")
    assert lines
    assert not wrong_answers(lines)


def test_wrong_examples_are_seen(root: Path) -> None:
    gone = "`tests/meta/test_documents.py::test_gone`, `tests/gone.py::test_x`"
    here = "`tests/meta/test_documents.py::test_wrong_examples_are_seen`"
    assert missing_tests(f"{gone} {here}", root) == gone.replace("`", "").split(", ")
    # What doctest prints about the wrong example stays in the captured output.
    assert failing_examples("```python\n>>> 1 + 1\n3\n\n```", "sample") == 1
    assert failing_examples("```python\n>>> 1 + 1\n2\n\n```", "sample") == 0
    assert rkde_commands("```console\n$ rkde fit 'a b' -o m\nrows: 3\n```\n") == [["fit", "a b", "-o", "m"]]
    assert wrong_answers(['{"id": 1, "op": "nothing"}', '{"id": 1}'])
