"""Hypothesis strategies for symmetries that are exact in float64: orders of rows, rotations with a factor."""

from typing import Final

from hypothesis import strategies as st

from rkde.proofs_checks.strategies import Rows

# The right triangle 3-4-5: a rotation with rational entries.
_LEG_SHORT: Final = 3
_LEG_LONG: Final = 4
_HYPOTENUSE: Final = 5


def permutations(n_samples: int) -> st.SearchStrategy[list[int]]:
    """Draw an order of the rows."""
    return st.permutations(range(n_samples)).map(list)


@st.composite
def similarities(draw: st.DrawFn, rows: Rows) -> tuple[Rows, Rows, float]:
    """Draw (stretched, turned, factor): factor X and factor R X for an orthogonal R, both exact in float64.

    R is a product of a signed permutation of the columns and rotations by the angle of the triangle 3-4-5 in
    planes of two columns; each such rotation multiplies lengths by exactly 5 when its entries are integers.
    """
    dim = len(rows[0])
    order = draw(st.permutations(range(dim)))
    signs = draw(st.lists(st.sampled_from((-1.0, 1.0)), min_size=dim, max_size=dim))
    turned = [[sign * row[j] for sign, j in zip(signs, order, strict=True)] for row in rows]
    planes = draw(st.lists(st.sampled_from(range(dim - 1)), max_size=2)) if dim > 1 else []
    for j in planes:
        turned = [_turn(row, j) for row in turned]
    factor = float(_HYPOTENUSE ** len(planes))
    return [[factor * value for value in row] for row in rows], turned, factor


def _turn(row: list[float], j: int) -> list[float]:
    """Five times the rotation by arctan(4/3) in the plane of columns j and j + 1."""
    turned = [_HYPOTENUSE * value for value in row]
    turned[j] = _LEG_SHORT * row[j] - _LEG_LONG * row[j + 1]
    turned[j + 1] = _LEG_LONG * row[j] + _LEG_SHORT * row[j + 1]
    return turned
