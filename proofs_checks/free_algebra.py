"""Identities between matrices of any size, decided by letters that do not commute.

A product of matrices, columns and rows is a word in a free algebra, in which nothing is known of the factors
but that multiplication is associative and distributes over sums. An identity between such words holds for
matrices of every size that fit together, so one expansion proves it for every number of rows. What is known
besides (K = F'F, 1'w = 1) is a rule that replaces one word by another.
"""

from collections.abc import Sequence

import sympy

Rule = tuple[sympy.Expr, sympy.Expr]


def letters(names: str) -> tuple[sympy.Symbol, ...]:
    """Return symbols that do not commute, one for each matrix, column, row or adjoint that is named."""
    return tuple(sympy.symbols(f"{names},", commutative=False))


def normal_form(expression: sympy.Expr, rules: Sequence[Rule] = ()) -> sympy.Expr:
    """Expand a sum of words and apply the rules until none applies; they must shorten or order the words."""
    words = sympy.expand(expression)
    while True:
        rewritten = sympy.expand(words.subs(dict(rules)))
        if rewritten == words:
            return words
        words = rewritten


def vanishes(expression: sympy.Expr, rules: Sequence[Rule] = ()) -> bool:
    """Tell whether an expression is 0 for matrices of every size that satisfy the rules."""
    return normal_form(expression, rules) == sympy.Integer(0)
