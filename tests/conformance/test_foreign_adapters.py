"""The example adapters, each where its interpreter or compiler is installed."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run, succeeded
from tests.support.selection import slow_where

FOLDER = Path(__file__).parents[2] / "docs" / "adapters"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


EXAMPLES = {
    "Python": shlex.join([sys.executable, str(FOLDER / "python" / "adapter.py")]),
    "R": shlex.join(["Rscript", str(FOLDER / "r" / "adapter.R")]),
    "Octave": shlex.join(["octave-cli", "--quiet", str(FOLDER / "octave" / "adapter.m")]),
    "JavaScript": shlex.join(["node", str(FOLDER / "javascript" / "adapter.mjs")]),
}
# R and Octave take seconds to start.
LANGUAGES = slow_where(lambda language: language in ("R", "Octave"), (*EXAMPLES, "C"), str)


def command_of(language: str, folder: Path) -> str:
    """Return the command of an example, or skip the test where its language is not installed."""
    if language in EXAMPLES and shutil.which(shlex.split(EXAMPLES[language])[0]) is None:
        pytest.skip(f"{language} is not installed")
    if language == "R":
        has_json = ["Rscript", "-e", "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"]
        if subprocess.run(has_json, capture_output=True, check=False).returncode:
            pytest.skip("R has no package jsonlite")
    return EXAMPLES[language] if language in EXAMPLES else compiled(folder)


def compiled(folder: Path) -> str:
    """Compile the example in C as its head says, with every warning an error."""
    if COMPILER is None:
        pytest.skip("no C compiler is installed")
    sources = sorted(str(path) for path in (FOLDER / "c").glob("*.c"))
    program = folder / "adapter"
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([COMPILER, *warnings, "-O2", "-o", str(program), *sources, "-lm"], check=True)
    return shlex.join([str(program)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_reaches_what_its_page_says(language: str, tmp_path: Path) -> None:
    adapter = command_of(language, tmp_path)
    printed = succeeded(run("verify", "--adapter", adapter, "--timeout", "60", "--json"))
    said = said_of(language)
    found = {item["op"]: item for item in json.loads(printed)["operations"]}
    assert said.keys() <= found.keys()
    for op, item in found.items():
        if said.get(op, "-") == "-":
            assert item["passed"] == 0, op
        elif said[op].startswith("part"):
            assert 0 < item["passed"] < item["cases"], op
        else:
            assert item["passed"] == item["cases"], op
        assert item["failed"] == 0, op


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_answers_requests_from_a_file(language: str, tmp_path: Path) -> None:
    """Whatever is asked there, operations included that the example lacks."""
    adapter = command_of(language, tmp_path)
    requests = run("vectors", "requests").stdout
    command = shlex.split(adapter)
    done = subprocess.run(command, input=requests, capture_output=True, text=True, check=True, timeout=120)
    assert len(done.stdout.splitlines()) == len(requests.splitlines())
    answers = tmp_path / "answers.jsonl"
    answers.write_text(done.stdout, "utf-8")
    succeeded(run("verify", "--answers", answers))


def said_of(language: str) -> dict[str, str]:
    """Read what the table of the page says of each operation."""
    lines = (FOLDER / "README.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    head = next(row for row in rows if row[0] == "operation")
    return {row[0]: row[head.index(language)] for row in rows if len(row) == len(head) and row is not head}


def test_a_line_that_is_no_request_does_not_end_the_example_in_c(tmp_path: Path) -> None:
    adapter = shlex.split(compiled(tmp_path))
    # Each line, with the id and the kind of the error that answer it.
    expected = {
        "nonsense": (None, "InvalidInput"),
        '{"id": "a", "op": "loss"': (None, "InvalidInput"),
        "[" * 100: (None, "InvalidInput"),
        '{"id": "a \\" b", "op": "nothing"}': ('a " b', None),
        '{"id": 1}': (1, "InvalidInput"),
    }
    lines = "".join(f"{line}\n" for line in expected)
    done = subprocess.run(adapter, input=lines, capture_output=True, text=True, check=True, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    told = [(answer["id"], answer.get("error", {}).get("kind")) for answer in answers]
    assert told == list(expected.values())


def test_the_adapter_in_python_is_short() -> None:
    lines = (FOLDER / "python" / "adapter.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 20


def test_the_mistake_that_the_guide_plants_is_reported_as_it_says(tmp_path: Path) -> None:
    guide = (FOLDER.parent / "how-to" / "check-your-implementation.md").read_text("utf-8")
    planted = re.search(r"```python\n(.*?)```", guide, re.DOTALL)
    shown = re.search(r"```text\n(.*?)```", guide, re.DOTALL)
    for name in ("adapter.py", "plain.py"):
        shutil.copy(FOLDER / "python" / name, tmp_path)
    plain = (tmp_path / "plain.py").read_text("utf-8")
    right, _, rest = plain.partition("    value = np.minimum(t, a)\n")
    wrong = right + planted.group(1) + "\n\n" + rest[rest.index("def phi(") :]
    (tmp_path / "plain.py").write_text(wrong, "utf-8")
    adapter = shlex.join([sys.executable, str(tmp_path / "adapter.py")])
    printed = run("verify", "--adapter", adapter).stdout
    for line in shown.group(1).splitlines():
        assert line.removesuffix("...").rstrip() in printed
