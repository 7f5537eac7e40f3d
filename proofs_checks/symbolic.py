"""Huber's and Hampel's pieces in sympy, with thresholds as symbols, and a test for zero."""

from collections.abc import Sequence

import sympy

from rkde.proofs_checks import pieces


def is_zero(expression: sympy.Expr) -> bool:
    """Tell whether sympy proves that an expression is 0 for all values of its symbols."""
    return sympy.simplify(expression) == sympy.Integer(0)


def robust_loss(name: str) -> tuple[sympy.Expr, Sequence[pieces.Piece[sympy.Expr]]]:
    """Return the argument t and the pieces of Huber's or Hampel's loss; every symbol is positive."""
    t, a, b, c = sympy.symbols("t a b c", positive=True)
    one = sympy.Integer(1)
    if name == "huber":
        return t, pieces.huber(t, a, one)
    return t, pieces.hampel(t, (a, b, c), a / (c - b), one)
