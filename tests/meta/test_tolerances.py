"""A tolerance is the value of a function that derives it, never a number typed into a test."""

import ast

from tests.meta.conftest import nodes

TOLERANCE_ARGUMENTS = frozenset({"rtol", "atol", "rel", "abs", "rel_tol", "abs_tol", "rel_eps", "abs_eps"})
# These compare within a tolerance of their own when none is given.
WITH_A_DEFAULT = frozenset(
    {"allclose", "isclose", "assert_allclose", "approx", "assert_almost_equal", "almosteq"}
)
MAGNITUDES = frozenset({"abs", "fabs", "absolute", "norm"})
REDUCTIONS = frozenset({"max", "amax", "mean", "sum", "float", "nanmax", "sqrt"})
JUDGED_FOLDERS = ("tests/", "proofs_checks/", "benchmarks/")
# Factors of formulas, not measures of closeness.
PLAIN_FACTORS = frozenset({0.0, 0.5, 1.0, 2.0})
# The one folder where a tolerance may hold numbers, each derived in its docstring.
HOME_OF_TOLERANCES = "proofs_checks/tolerances/"


def holds_float(node: ast.AST, constants: frozenset[str]) -> bool:
    """Tell whether an expression holds a float, written out or by a constant's name, outside of any call."""
    if isinstance(node, ast.Call):
        return False
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and node.value not in PLAIN_FACTORS
    if isinstance(node, ast.Name):
        return node.id in constants
    return any(holds_float(child, constants) for child in ast.iter_child_nodes(node))


def float_constants(tree: ast.Module) -> frozenset[str]:
    """Return the names that the file binds to an expression with a float in it."""
    names: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if holds_float(node.value, frozenset(names)):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(names)


def called(node: ast.AST) -> str:
    """Return the last part of a called name, or nothing."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_difference(node: ast.AST) -> bool:
    """Tell whether an expression is the magnitude of a difference, perhaps its maximum or mean."""
    name = called(node)
    if name in MAGNITUDES:
        return any(isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub) for one in node.args)
    if name in REDUCTIONS:
        inner = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        return any(is_difference(argument) for argument in inner)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return is_difference(node.left)
    return False


def bare_tolerances(tree: ast.Module) -> list[int]:
    """Return the lines where a tolerance is a bare number, or the unseen default of a library."""
    constants = float_constants(tree)
    lines = []
    for node in nodes(tree):
        if isinstance(node, ast.keyword) and node.arg in TOLERANCE_ARGUMENTS:
            if holds_float(node.value, constants):
                lines.append(node.value.lineno)
        elif isinstance(node, ast.Call) and called(node) in WITH_A_DEFAULT:
            if not {keyword.arg for keyword in node.keywords} & TOLERANCE_ARGUMENTS:
                lines.append(node.lineno)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(is_difference, sides)) and any(holds_float(side, constants) for side in sides):
                lines.append(node.lineno)
    return sorted(lines)


def test_no_tolerance_is_a_bare_number(sources) -> None:
    judged = [
        source
        for source in sources
        if source.path.startswith(JUDGED_FOLDERS) and not source.path.startswith(HOME_OF_TOLERANCES)
    ]
    assert judged
    assert not [f"{source.path}:{line}" for source in judged for line in bare_tolerances(source.tree)]


def test_bare_numbers_are_seen() -> None:
    bad = """
SLACK = 1e-9
np.testing.assert_allclose(x, y, rtol=1e-9)
assert np.allclose(x, y, atol=2 * 1e-9)
assert x == pytest.approx(y, rel=SLACK)
assert abs(x - y) < 1e-9
assert np.max(np.abs(x - y)) <= SLACK * scale
assert np.abs(x - y).max() < 10 * SLACK
assert abs(x - y) / y < 1e-6
assert x == pytest.approx(y)
assert np.allclose(x, y)
"""
    assert bare_tolerances(ast.parse(bad)) == list(range(3, 12))


def test_derived_tolerances_pass() -> None:
    good = """
np.testing.assert_allclose(x, y, rtol=sum_rounding(terms=5), atol=0)
assert x == pytest.approx(y, rel=elementwise(ulps=4.0))
assert abs(x - y) <= product_rounding(n) * scale
assert abs(x) < 0.7
assert abs(x - y) <= 0.5 * (x + y)
assert x - y < 1e-9
"""
    assert bare_tolerances(ast.parse(good)) == []
