"""Who imports whom: every import statement of a package, at any depth and for types too."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from tests.meta.conftest import nodes, parsed

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
    """Yield every import of one of the files by another one, of a door where it binds the name."""
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
                    own = below in files and (importer == node.module or alias.name not in bound[node.module])
                    if own:
                        yield Import(importer, below, None, node.lineno)
                    else:
                        yield Import(importer, node.module, alias.name, node.lineno)


def circle(edges: Iterable[tuple[str, str]]) -> list[str]:
    """Return nodes that reach each other, the first one again at the end; none where no two do."""
    graph: TopologicalSorter[str] = TopologicalSorter()
    for start, end in edges:
        if start != end:
            graph.add(start, end)
    try:
        graph.prepare()
    except CycleError as found:
        return list(found.args[1])
    return []
