"""No vacuous check: a comparison is asserted, and a test can fail."""

import ast

import pytest

from tests.meta.conftest import nodes

# Functions whose only use is the value they return.
PREDICATES = frozenset(
    {"allclose", "isclose", "array_equal", "array_equiv", "almosteq", "isfinite", "isnan", "all", "any"}
)
# A call whose name starts so is trusted to raise on failure.
CHECKING_PREFIXES = ("assert", "check", "expect", "fail", "raises", "require", "succeeded", "verify", "warns")
TestFunction = ast.FunctionDef | ast.AsyncFunctionDef


def called_name(call: ast.Call) -> str:
    """Return the last part of the name that is called, without leading underscores."""
    target = call.func
    name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
    return name.lstrip("_")


def unasserted_comparisons(tree: ast.AST) -> list[int]:
    """Return the lines of comparisons whose value nobody looks at."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.Expr)
        and (
            isinstance(node.value, ast.Compare | ast.BoolOp)
            or (isinstance(node.value, ast.Call) and called_name(node.value) in PREDICATES)
        )
    ]


def constant_assertions(tree: ast.AST) -> list[int]:
    """Return the lines of assertions that cannot fail: a nonempty constant or a tuple."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.Assert)
        and (isinstance(node.test, ast.Tuple) or (isinstance(node.test, ast.Constant) and node.test.value))
    ]


def can_fail(
    function: TestFunction, helpers: dict[str, TestFunction], seen: frozenset[str] = frozenset()
) -> bool:
    """Tell whether a function asserts something, itself or through a helper of the same file."""
    for node in nodes(function):
        if isinstance(node, ast.Assert | ast.Raise):
            return True
        if isinstance(node, ast.Call):
            name = called_name(node)
            if name.startswith(CHECKING_PREFIXES):
                return True
            helper = helpers.get(name)
            if helper is not None and name not in seen and can_fail(helper, helpers, seen | {name}):
                return True
    return False


def tests_that_cannot_fail(tree: ast.Module) -> list[str]:
    """Return the names of test functions without any assertion."""
    functions = {
        node.name.lstrip("_"): node
        for node in nodes(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return [
        name for name, node in functions.items() if name.startswith("test_") and not can_fail(node, functions)
    ]


@pytest.mark.parametrize("wrong", [unasserted_comparisons, constant_assertions, tests_that_cannot_fail])
def test_every_comparison_and_every_test_can_fail(wrong, sources) -> None:
    assert not [f"{source.path}: {place}" for source in sources for place in wrong(source.tree)]


def test_the_checks_see_bad_samples() -> None:
    bad = "np.allclose(x, y)\nx == y\na < b and b < c\nassert x == y\nassert np.allclose(x, y)\nfit(x)"
    assert unasserted_comparisons(ast.parse(bad)) == [1, 2, 3]
    assert constant_assertions(ast.parse("assert (x == y, 'they differ')\nassert True\nassert x")) == [1, 2]


def test_a_test_without_an_assertion_is_seen() -> None:
    text = """
def helper(x):
    assert x
def test_through_a_helper():
    helper(1)
def test_by_name():
    np.testing.assert_allclose(1, 1)
def test_that_only_runs():
    fit(1)
"""
    assert tests_that_cannot_fail(ast.parse(text)) == ["test_that_only_runs"]
