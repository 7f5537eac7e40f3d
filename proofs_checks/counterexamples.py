"""Recompute the counterexamples of the ledger from a table of numbers, with the standard library alone.

    python proofs_checks/counterexamples.py [ID ...]

needs Python 3.8 or later and no package, not even this one: it is for a reader who trusts nobody. It reads
two files beside it, `plain_arithmetic.py` and the table `counterexamples.json`. An entry of the table names
claims, says in words what is shown, gives the numbers that it starts from, and lists formulas over them.
"digits" says what a formula comes to, every printed digit of it, and "so" what must then be true. Entries
marked "exact" are computed in fractions, and nothing is rounded. Entries marked "decimal" have 60 digits;
there an inequality must hold by more than 1e-20, and an equation to within 1e-35. An iteration runs until no
weight moves by more than 1e-48; how near to its limit it is then is proved by the checks of the ledger, not
here. The exit status is 1 if anything disagrees.
"""

from __future__ import annotations

import ast
import json
import runpy
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("counterexamples.json")
# By its path, because by its name it could be found only where the package is installed.
ARITHMETIC = runpy.run_path(str(Path(__file__).with_name("plain_arithmetic.py")))


class Exactly(ast.NodeTransformer):
    """Rewrite a formula so that nothing in it becomes a float: decimals, quotients and comparisons."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Read a decimal as it is printed."""
        return call("number", ast.Constant(repr(node.value))) if isinstance(node.value, float) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Divide by `divide`."""
        self.generic_visit(node)
        return call("divide", node.left, node.right) if isinstance(node.op, ast.Div) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare by `less` and `same`, which know the margins; no other comparison is meant."""
        self.generic_visit(node)
        found, left = [], node.left
        for sign, right in zip(node.ops, node.comparators):  # noqa: B905 - for Python 3.8
            name = {ast.Eq: "same", ast.Lt: "less"}[type(sign)]
            found.append(call(name, left, right))
            left = right
        return ast.BoolOp(ast.And(), found) if len(found) > 1 else found[0]


def call(name: str, *arguments: ast.expr) -> ast.expr:
    """Return the expression name(arguments)."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def evaluate(formula: str, names: dict[str, Any]) -> Any:
    """Return what a formula of the table comes to."""
    tree = Exactly().visit(ast.parse(formula, mode="eval"))
    return eval(compile(ast.fix_missing_locations(tree), formula, "eval"), names)  # noqa: S307 - our own table


def digits_of(value: Any, printed: Any, exact: bool) -> tuple[bool, str]:  # noqa: FBT001
    """Tell whether a number, or a list, is what is printed; return it to as many digits."""
    if isinstance(value, list):
        found = [digits_of(*pair, exact) for pair in zip(value, printed)]  # noqa: B905 - for Python 3.8
        right = len(value) == len(printed) and all(agrees for agrees, _ in found)
        return right, "(" + ", ".join(text for _, text in found) + ")"
    if exact:
        return value == Fraction(printed), str(value)
    shown = value.quantize(Decimal(printed))
    return shown == Decimal(printed), f"{shown:f}"


def recomputed(entry: dict[str, Any]) -> tuple[list[Any], list[bool]]:
    """Return what the formulas under "digits" come to, and whether each relation under "so" is true."""
    with localcontext() as context:
        context.prec = ARITHMETIC["DIGITS"]
        calculator = ARITHMETIC["Calculator"](entry["arithmetic"] == "exact")
        names = calculator.names()
        names.update({name: calculator.number(given) for name, given in entry.get("given", {}).items()})
        for name, formula in entry.get("formulas", {}).items():
            names[name] = evaluate(formula, names)
        values = [evaluate(formula, names) for formula in entry["digits"]]
        return values, [evaluate(relation, names) is True for relation in entry["so"]]


def examine(entry: dict[str, Any]) -> tuple[bool, str]:
    """Recompute one entry; return whether all agrees, and a line that says what came out."""
    values, relations = recomputed(entry)
    agrees, parts = all(relations), []
    for (formula, printed), value in zip(entry["digits"].items(), values):  # noqa: B905 - for Python 3.8
        right, text = digits_of(value, printed, entry["arithmetic"] == "exact")
        agrees = agrees and right
        parts.append(f"{formula} = {text}" if right else f"{formula} = {text}, not {printed}")
    for relation, right in zip(entry["so"], relations):  # noqa: B905 - for Python 3.8
        parts.append(relation if right else f"not {relation}")
    return agrees, "; ".join(parts)


def main(wanted: list[str]) -> int:
    """Print a line for each entry, or for those of the named claims; return the exit status."""
    entries = json.loads(TABLE.read_text("utf-8"))["entries"]
    chosen = [entry for entry in entries if not wanted or not set(wanted).isdisjoint(entry["claims"])]
    failed = 0
    for entry in chosen:
        agrees, line = examine(entry)
        failed += not agrees
        sys.stdout.write(f"{'agrees' if agrees else 'WRONG'}: {', '.join(entry['claims'])}: {line}\n")
    sys.stdout.write(f"{len(chosen) - failed} of {len(chosen)} agree\n")
    return int(failed > 0 or not chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
