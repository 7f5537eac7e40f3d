"""Elements of an inner product space of which nothing else is known, and sums over any number of rows.

An identity between inner products of such elements holds in every Hilbert space. Where sums over the rows
stand as symbols, it holds for every number of rows as well, since one more row adds one more term to each.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy


@dataclass(frozen=True, slots=True)
class Element:
    """A linear combination of named vectors whose inner products are free symbols."""

    parts: dict[str, sympy.Expr]

    def __add__(self, other: Element) -> Element:
        """Add coefficient by coefficient."""
        names = [*self.parts, *(name for name in other.parts if name not in self.parts)]
        return Element({name: self._at(name) + other._at(name) for name in names})

    def __sub__(self, other: Element) -> Element:
        """Subtract coefficient by coefficient."""
        return self + other.times(sympy.Integer(-1))

    def times(self, factor: sympy.Expr) -> Element:
        """Return the multiple by a number."""
        return Element({name: factor * value for name, value in self.parts.items()})

    def inner(self, other: Element) -> sympy.Expr:
        """Return the inner product, bilinear and symmetric."""
        total: sympy.Expr = sympy.Integer(0)
        for left, factor in self.parts.items():
            for right, other_factor in other.parts.items():
                first, second = sorted((left, right))
                total += factor * other_factor * sympy.Symbol(f"<{first},{second}>", real=True)
        return total

    @property
    def square(self) -> sympy.Expr:
        """The squared norm."""
        return self.inner(self)

    def _at(self, name: str) -> sympy.Expr:
        return self.parts.get(name, sympy.Integer(0))


def element(name: str) -> Element:
    """Return a vector of which nothing is known."""
    return Element({name: sympy.Integer(1)})


@dataclass(frozen=True, slots=True)
class WeightedRows:
    """Any number of rows with factors phi_i: the sums of phi_i, of phi_i Phi_i and of phi_i |Phi_i|^2."""

    total: sympy.Expr
    moment: Element
    square: sympy.Expr

    @property
    def mean(self) -> Element:
        """The mean of the Phi_i with weights phi_i over their sum: the next iterate of KIRWLS."""
        return self.moment.times(1 / self.total)

    def spread(self, g: Element) -> sympy.Expr:
        """Return sum_i phi_i |Phi_i - g|^2."""
        return self.square - 2 * self.moment.inner(g) + self.total * g.square

    def gradient(self, g: Element) -> Element:
        """Return sum_i phi_i (Phi_i - g), which is n V(g) if the phi_i are those at g."""
        return self.moment - g.times(self.total)

    def with_row(self, phi: sympy.Expr, point: Element) -> WeightedRows:
        """Return the sums with one more term each."""
        return WeightedRows(
            self.total + phi, self.moment + point.times(phi), self.square + phi * point.square
        )


def any_rows() -> WeightedRows:
    """Return rows of unknown number with a positive sum of factors."""
    total = sympy.Symbol("sum_phi", positive=True)
    return WeightedRows(total, element("sum_phi_Phi"), sympy.Symbol("sum_phi_Phi_square", real=True))


def no_rows() -> WeightedRows:
    """Return the empty sums."""
    return WeightedRows(sympy.Integer(0), Element({}), sympy.Integer(0))
