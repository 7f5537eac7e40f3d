"""The repository as a whole: sizes, one version everywhere, README's commands, the number of tests."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

import rkde

MEGABYTE = 1_000_000


def too_large(paths: list[Path], limit: int) -> list[str]:
    """Return the files above a size in bytes."""
    return [path.name for path in paths if path.stat().st_size > limit]


def cited_version(citation: str) -> str:
    """Return the software version that CITATION.cff names."""
    found = re.search(r"^version: *[\"']?([^\"'\s]+)", citation, re.MULTILINE)
    return found.group(1) if found else ""


def newest_version(changelog: str) -> str:
    """Return the version of the topmost numbered section of the changelog."""
    found = re.search(r"^## \[?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    return found.group(1) if found else ""


def shell_commands(markdown: str) -> list[str]:
    """Return the lines of the fenced blocks marked `sh`, which a reader is meant to run from a clone."""
    blocks = re.findall(r"^```sh\n(.*?)^```", markdown, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line and not line.startswith("#")]


def broken_links(text: str, folder: Path) -> list[str]:
    """Return the relative targets of Markdown links that lead nowhere."""
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", text)
    return [target for target in targets if "://" not in target and not (folder / target).exists()]


def exclusions_without_a_reason(source: str) -> list[str]:
    """Return the exclusions from coverage that do not say in brackets why a line or branch is not taken."""
    pragmas = [line for line in source.splitlines() if re.search(r"#\s*pragma\b", line, re.IGNORECASE)]
    return [line for line in pragmas if not re.search(r"# pragma: no (cover|branch) \(\w.*\w\)$", line)]


def test_no_file_is_larger_than_a_megabyte(project_files: list[Path]) -> None:
    assert project_files
    assert not too_large(project_files, MEGABYTE)


def test_one_version_everywhere(root: Path) -> None:
    assert cited_version((root / "CITATION.cff").read_text("utf-8")) == rkde.__version__
    assert newest_version((root / "CHANGELOG.md").read_text("utf-8")) == rkde.__version__
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]


def test_the_checks_run_the_commands_of_the_readme(root: Path) -> None:
    commands = shell_commands((root / "README.md").read_text("utf-8"))
    script = (root / ".ci" / "run").read_text("utf-8")
    assert len(commands) >= 2
    assert not [command for command in commands if command not in script]


def test_links_between_the_documents_lead_somewhere(project_files: list[Path]) -> None:
    pages = [path for path in project_files if path.suffix == ".md"]
    assert pages
    assert not [
        f"{page.name}: {target}"
        for page in pages
        for target in broken_links(page.read_text("utf-8"), page.parent)
    ]


def test_what_coverage_leaves_out_says_why(root: Path) -> None:
    sources = [path for folder in ("fast", "reference") for path in (root / folder).rglob("*.py")]
    assert sources
    assert not [line for path in sources for line in exclusions_without_a_reason(path.read_text("utf-8"))]


def test_the_checks_see_bad_samples(tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(b"12345")
    assert too_large([large], 4) == ["large.bin"]
    assert too_large([large], 5) == []
    for bare in ("x = 1  # pragma: no cover", "if x:  # pragma: no branch ()", "x  # PRAGMA no cover (so)"):
        assert exclusions_without_a_reason(bare) == [bare]
    assert exclusions_without_a_reason("x = 1  # pragma: no cover (never on Linux)") == []
    assert cited_version("cff-version: 1.2.0\nversion: 0.3.1\n") == "0.3.1"
    assert newest_version("## [Unreleased]\n## [0.2.0] - 2026-01-01\n## [0.1.0]\n") == "0.2.0"
    assert shell_commands("```sh\n# first\nmake\n```\n```python\nx = 1\n```\n```sh\ntest\n```\n") == [
        "make",
        "test",
    ]
    assert broken_links("[a](large.bin) [b](gone.md#x) [c](https://example.org/x)", tmp_path) == ["gone.md"]


REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><properties/></testcase>
<testcase name="c"><failure/></testcase><testcase name="d"><skipped/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize(("minimum", "status"), [(1, 0), (2, 0), (3, 1)])
def test_a_run_with_too_few_passed_tests_fails(root: Path, tmp_path: Path, minimum: int, status: int) -> None:
    main = runpy.run_path(str(root / ".ci" / "enough_tests.py"))["main"]
    (tmp_path / "report.xml").write_text(REPORT, "utf-8")
    (tmp_path / "minimum.txt").write_text(f"# why\n{minimum}\n", "utf-8")
    assert main(tmp_path / "report.xml", tmp_path / "minimum.txt") == status
