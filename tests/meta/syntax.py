"""Syntax trees, parsed and walked once in a process: many tests judge the same files."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return a tree's nodes in the order of `ast.walk`."""
    return tuple(ast.walk(tree))
