"""The project's own source text, read, parsed and walked once, for the tests that judge it."""

import ast
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE_FOLDERS = ("src", "reference", "fast", "proofs_checks", "tests", "benchmarks")
# Folders that a build, a tool or a virtual environment leaves behind.
LEFT_BEHIND = frozenset({"__pycache__", "build", "dist", "venv", "node_modules"})
# How files begin that a measurement of coverage leaves while these tests run.
MEASURED = ".coverage"


@dataclass(frozen=True)
class Source:
    """One Python file: its path from the root, with forward slashes, and its syntax tree."""

    path: str
    tree: ast.Module


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return a tree's nodes in the order of `ast.walk`."""
    return tuple(ast.walk(tree))


def files_below(folder: Path) -> list[Path]:
    """List the files of a folder, without following links and without what tools leave behind."""
    found: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not (name.startswith(".") and name != ".ci")
            and name not in LEFT_BEHIND
            and not name.endswith(".egg-info")
        )
        kept = sorted(name for name in names if not name.startswith(MEASURED))
        found += [Path(where, name) for name in kept if not Path(where, name).is_symlink()]
    return found


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the checkout (or of the unpacked source archive) that these tests belong to."""
    return ROOT


@pytest.fixture(scope="session")
def project_files() -> list[Path]:
    """Every file that a commit could hold, as absolute paths."""
    return files_below(ROOT)


@pytest.fixture(scope="session")
def sources() -> list[Source]:
    """Every Python file of the project, parsed."""
    paths = [path for folder in SOURCE_FOLDERS for path in files_below(ROOT / folder) if path.suffix == ".py"]
    return [Source(path.relative_to(ROOT).as_posix(), parsed(path)) for path in paths]
