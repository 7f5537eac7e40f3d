"""Who imports whom: every import statement of a package, at any depth and for types too."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.meta.syntax import nodes, parsed

DOOR: Final = "__init__.py"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name, who imports it, from which module; `name` is None for a whole module."""

    importer: str
    module: str
    name: str | None
    line: int

    def __str__(self) -> str:
        """Say it as a message of a failing test does."""
        return f"{self.importer}:{self.line} {self.module}{f'.{self.name}' if self.name else ''}"


def modules(folder: Path, package: str) -> dict[str, Path]:
    """Return the files of a package by dotted name; symbolic links are not followed."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        found[package if path.name == DOOR else f"{package}.{path.stem}"] = path
    for below in sorted(folder.iterdir()):
        if below.is_dir() and not below.is_symlink() and below.name != "__pycache__":
            found |= modules(below, f"{package}.{below.name}")
    return found


def bound_names(tree: ast.Module) -> set[str]:
    """Return the names that a module binds when it is loaded."""
    names: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return names


def imports(files: Mapping[str, Path]) -> Iterator[Import]:
    """Yield every import of one of the files by another one.

    `from room import name` is an import of the room's door where the door binds the name, and of the file of
    that name where it does not.
    """
    trees = {name: parsed(path) for name, path in files.items()}
    bound = {name: bound_names(tree) for name, tree in trees.items()}
    for importer, tree in trees.items():
        for node in nodes(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in files:
                        yield Import(importer, alias.name, None, node.lineno)
            elif isinstance(node, ast.ImportFrom) and node.module in files and not node.level:
                for alias in node.names:
                    below = f"{node.module}.{alias.name}"
                    is_file = below in files and (
                        importer == node.module or alias.name not in bound[node.module]
                    )
                    if is_file:
                        yield Import(importer, below, None, node.lineno)
                    else:
                        yield Import(importer, node.module, alias.name, node.lineno)


def circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of two or more nodes that reach each other."""
    below: dict[str, set[str]] = {}
    for start, end in edges:
        if start != end:
            below.setdefault(start, set()).add(end)
            below.setdefault(end, set())
    reach = {node: _reached(node, below) for node in below}
    groups = {frozenset(other for other in reach[node] if node in reach[other]) for node in below}
    return sorted(sorted(group) for group in groups if len(group) > 1)


def _reached(start: str, below: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for node in below[waiting.pop()] - found:
            found.add(node)
            waiting.append(node)
    return found
