"""Rule 1: the two implementations share no numerics, and the parent package computes nothing."""

import ast
import subprocess
import sys
from collections.abc import Iterable

import pytest

from tests.meta.conftest import nodes

NUMERICS = ("numpy", "scipy", "mpmath", "flint", "sympy", "sklearn")
# Folder of the sources -> what they must not import.
BANNED = {
    "fast/": ("mpmath", "flint", "sympy", "rkde.reference"),
    "reference/": ("numpy", "scipy", "sklearn", "rkde.fast"),
    # While it is loaded; a command may import what it needs.
    "src/rkde/": NUMERICS,
}


def imported_modules(nodes: Iterable[ast.AST], package: str) -> list[tuple[int, str]]:
    """Return line and absolute name of all that is imported; `from a import b` counts as a and as a.b."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            found.append((node.lineno, base))
            found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
    return found


def banned_imports(nodes: Iterable[ast.AST], package: str, banned: Iterable[str]) -> list[int]:
    """Return the lines that import a banned module or anything inside it."""
    lines = {
        line
        for line, name in imported_modules(nodes, package)
        for ban in banned
        if name == ban or name.startswith(f"{ban}.")
    }
    return sorted(lines)


def package_of(path: str) -> str:
    """Return the package that a source file belongs to, for resolving its relative imports."""
    parts = path.removeprefix("src/").split("/")[:-1]
    return ".".join(parts if path.startswith("src/") else ["rkde", *parts])


def at_import_time(tree: ast.Module) -> list[ast.AST]:
    """Return the statements that run when the module is imported, those under TYPE_CHECKING left out."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        found.append(node)
        waiting += ast.iter_child_nodes(node)
    return found


@pytest.mark.parametrize(("folder", "banned"), BANNED.items(), ids=BANNED)
def test_no_banned_module_is_imported(sources, folder: str, banned: tuple[str, ...]) -> None:
    own = [source for source in sources if source.path.startswith(folder)]
    assert own
    found = at_import_time if folder == "src/rkde/" else nodes
    assert not [
        f"{source.path}:{line}"
        for source in own
        for line in banned_imports(found(source.tree), package_of(source.path), banned)
    ]


def loaded_after(statement: str) -> set[str]:
    """Run one statement in a new interpreter and return the top-level and rkde modules that it loaded."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return {name for name in run.stdout.split() if "." not in name or name.startswith("rkde.")}


@pytest.mark.parametrize(
    ("statement", "banned"),
    [
        ("import rkde", {*NUMERICS, "rkde.fast", "rkde.reference"}),
        ("import rkde.fast", {"mpmath", "flint", "sympy", "sklearn", "rkde.reference"}),
        ("import rkde.reference", {"numpy", "scipy", "sklearn", "rkde.fast"}),
    ],
)
def test_loading_a_package_loads_nothing_else(statement: str, banned: set[str]) -> None:
    loaded = loaded_after(statement)
    assert "rkde" in loaded
    assert not loaded & banned


def test_banned_imports_are_seen() -> None:
    text = """
import mpmath.libmp
from rkde import reference
from ..reference import kernels
from .losses import Huber
def late():
    from rkde.reference.losses import Huber
import mpmathematics
"""
    tree = ast.parse(text)
    assert banned_imports(nodes(tree), "rkde.fast", ("mpmath", "rkde.reference")) == [2, 3, 4, 7]


def test_imports_of_a_function_do_not_run_at_import_time() -> None:
    text = """
if TYPE_CHECKING:
    import numpy
else:
    import scipy
class Table:
    import mpmath
def late():
    import numpy
"""
    assert banned_imports(at_import_time(ast.parse(text)), "rkde", NUMERICS) == [5, 7]
    assert "json" in loaded_after("import json")


STAR_IMPORTS = """
import types
import rkde
from rkde.fast import *
assert median_rkde is rkde.fast.median_rkde
from rkde.reference import *
assert median_rkde is rkde.reference.median_rkde
assert isinstance(rkde, types.ModuleType)
assert callable(rkde.fast.rkde)
assert callable(rkde.reference.rkde)
"""


def test_a_star_import_leaves_the_name_of_the_package() -> None:
    assert "rkde.fast" in loaded_after(STAR_IMPORTS)
