"""The paper's quantities in fractions or in decimals, by the standard library, for `counterexamples`.

Nothing here is taken from the rest of the package, and nothing there uses it. psi is a broken line through
given knots, and rho the area below it, so that no printed formula of rho is trusted. Residual norms come
from the kernel matrix as in section 4.
"""
# ruff: noqa: B905, RUF007 - zip has no argument `strict` before Python 3.10, and itertools no `pairwise`

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

DIGITS = 60
MARGIN = Decimal("1e-20")
AGREEMENT = Decimal("1e-35")
STILL = Decimal("1e-48")
MOST_STEPS = 20000
# A Fraction or a Decimal: one entry of the table never mixes them.
Number = Any


def rho(knots: list[Number], t: Number) -> Number:
    """Return the area below psi up to t."""
    area = t * 0
    for (left, low), (right, high) in zip(knots, knots[1:]):
        if t <= right:
            return area + (low + psi(knots, t)) * (t - left) / 2
        area += (low + high) * (right - left) / 2
    return area + knots[-1][1] * (t - knots[-1][0])


def psi(knots: list[Number], t: Number) -> Number:
    """Return psi, which is linear from knot to knot and constant after the last."""
    for (left, low), (right, high) in zip(knots, knots[1:]):
        if t <= right:
            return low + (high - low) * (t - left) / (right - left)
    return knots[-1][1]


def phi(knots: list[Number], t: Number) -> Number:
    """Return psi(t)/t, at 0 the slope of psi."""
    return psi(knots, t) / t if t else knots[1][1] / knots[1][0]


def dot(left: list[Number], right: list[Number]) -> Number:
    """Return the sum of products."""
    return sum(one * two for one, two in zip(left, right))


def times(matrix: list[list[Number]], vector: list[Number]) -> list[Number]:
    """Return the product of a matrix and a vector."""
    return [dot(row, vector) for row in matrix]


def solve(matrix: list[list[Number]], right: list[Number]) -> list[Number]:
    """Solve a linear system by elimination with the largest pivot."""
    rows = [[*row, end] for row, end in zip(matrix, right)]
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], [entry / rows[best][k] for entry in rows[best]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [entry - rows[i][k] * top for entry, top in zip(rows[i], rows[k])]
    return [row[-1] for row in rows]


def quantile(values: list[Number], share: Number, rule: str = "linear") -> Number:
    """Interpolate between sorted values, at (n - 1) share, or by Hazen's rule at n share - 1/2."""
    ordered, size = sorted(values), len(values)
    at = (size - 1) * Fraction(share) if rule == "linear" else size * Fraction(share) - Fraction(1, 2)
    at = min(max(at, Fraction(0)), Fraction(size - 1))
    low, high, gap = math.floor(at), math.ceil(at), at - math.floor(at)
    return ordered[low] + (ordered[high] - ordered[low]) * gap.numerator / gap.denominator


def wilcoxon(statistic: Number, size: int = 15) -> Fraction:
    """Return the exact two-sided p-value: twice the share of subsets of {1, ..., size} with a sum up to T."""
    counts = [1] + [0] * int(statistic)
    for rank in range(1, size + 1):
        counts = [n + (counts[k - rank] if k >= rank else 0) for k, n in enumerate(counts)]
    return min(Fraction(1), 2 * Fraction(sum(counts), 2**size))


BUILT_IN = (abs, all, any, enumerate, len, list, max, min, product, range, reversed, round, sorted, sum, zip)
PLAIN = (*BUILT_IN, rho, psi, phi, dot, times, solve, quantile, wilcoxon)


class Calculator:
    """What formulas may use, in fractions or in decimals."""

    def __init__(self, exact: bool) -> None:  # noqa: FBT001 - read from the table
        self._exact = exact

    def names(self) -> dict[str, Any]:
        """Return the functions by name."""
        own = {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}
        return {**{tool.__name__: tool for tool in PLAIN}, **own, "__builtins__": {}}

    def number(self, given: Any) -> Number:
        """Read a number, or lists of them; in decimals a fraction is divided out."""
        if isinstance(given, list):
            return [self.number(entry) for entry in given]
        value = Fraction(given)
        return value if self._exact else Decimal(value.numerator) / value.denominator

    def divide(self, left: Number, right: Number) -> Number:
        """Divide, whole numbers too."""
        return self.number(left) / right if isinstance(left, int) else left / right

    def less(self, left: Number, right: Number) -> bool:
        """Say that one number is below another, in decimals by more than the margin."""
        return bool(left < right if self._exact else right - left > MARGIN)

    def same(self, left: Any, right: Any) -> bool:
        """Say that two numbers, or all in two lists, are equal; in decimals but for rounding."""
        if isinstance(left, list):
            return len(left) == len(right) and all(map(self.same, left, right))
        return bool(left == right if self._exact else abs(left - right) <= AGREEMENT)

    def sqrt(self, x: Number) -> Number:
        """Return the root; in fractions of squares only."""
        if not self._exact:
            return Decimal(x).sqrt()
        value = Fraction(x)
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root != value:
            raise ValueError(f"the root of {value} is irrational")
        return root

    def exp(self, x: Number) -> Number:
        """Return e^x."""
        return self._rounded(x).exp()

    def log(self, x: Number) -> Number:
        """Return the natural logarithm."""
        return self._rounded(x).ln()

    def pi(self) -> Number:
        """Return pi = 16 arctan(1/5) - 4 arctan(1/239)."""
        terms = product(((16, 5), (-4, 239)), range(1, 2 * DIGITS, 2))
        return sum(self._rounded((2 - k % 4) * factor) / (k * base**k) for (factor, base), k in terms)

    def erf(self, x: Number) -> Number:
        """Return 2/sqrt(pi) times the integral of exp(-t^2) from 0 to x, by its series."""
        total, term, k = self._rounded(x), self._rounded(x), 0
        while abs(term) > STILL:
            k += 1
            term = -term * x * x / k
            total += term / (2 * k + 1)
        return 2 * total / self.sqrt(self.pi())

    def gauss(self, rows: list[Any], width: Number) -> list[list[Number]]:
        """Return exp(-|x - y|^2/(2 width^2)) for all pairs of rows: the kernel over its value at 0."""
        points = [row if isinstance(row, list) else [row] for row in rows]
        squares = [[sum((s - t) ** 2 for s, t in zip(x, y)) for y in points] for x in points]
        return [[self.exp(-square / (2 * width * width)) for square in line] for line in squares]

    def huber(self, a: Number) -> list[Number]:
        """Return the knots of Huber's psi."""
        return [(a - a, a - a), (a, a)]

    def hampel(self, a: Number, b: Number, c: Number) -> list[Number]:
        """Return the knots of Hampel's psi."""
        return [*self.huber(a), (b, a), (c, a - a)]

    def norm(self, K: list[list[Number]], w: list[Number]) -> Number:
        """Return the norm of sum w_j Phi_j in H."""
        return self.sqrt(abs(dot(w, times(K, w))))

    def residual(self, K: list[list[Number]], i: int, w: list[Number]) -> Number:
        """Return the distance of Phi_i from sum w_j Phi_j, whatever the w_j add up to."""
        return self.sqrt(abs(K[i][i] - 2 * dot(K[i], w) + dot(w, times(K, w))))

    def residuals(self, K: list[list[Number]], w: list[Number]) -> list[Number]:
        """Return the distances of all Phi_i."""
        return [self.residual(K, i, w) for i in range(len(K))]

    def J(self, K: list[list[Number]], loss: list[Number], w: list[Number]) -> Number:  # noqa: N802
        """Return the mean of rho over the residuals."""
        return sum(rho(loss, r) for r in self.residuals(K, w)) / len(K)

    def step(self, K: list[Any], loss: list[Number], w: list[Number], masses: Any = None) -> list[Number]:
        """Return the weights after w: phi, times the masses of the rows if they differ, over the sum."""
        factors = [phi(loss, r) for r in self.residuals(K, w)]
        factors = [mass * f for mass, f in zip(masses or [1] * len(K), factors)]
        return [f / sum(factors) for f in factors]

    def path(self, K: list[Any], loss: list[Number], w: list[Number], count: int) -> list[list[Number]]:
        """Return w and the weights after each of `count` steps."""
        path = [w]
        for _ in range(count):
            path.append(self.step(K, loss, path[-1]))
        return path

    def even(self, K: list[Any]) -> list[Number]:
        """Return equal weights."""
        return [self.number(1) / len(K)] * len(K)

    def limit(self, K: list[Any], loss: list[Number], w: Any = None, masses: Any = None) -> list[Number]:
        """Step until nothing moves, from equal weights if none are given."""
        old = w or self.even(K)
        mirror = masses is None and old == old[::-1] and all(x == y[::-1] for x, y in zip(K, K[::-1]))
        for _ in range(MOST_STEPS):
            new = self.step(K, loss, old, masses)
            # Rows and weights that are their own mirror image stay so; rounding would not keep them so.
            new = [(left + right) / 2 for left, right in zip(new, new[::-1])] if mirror else new
            if max(abs(one - two) for one, two in zip(new, old)) < STILL:
                return new
            old = new
        raise ValueError("the weights still move")

    def median(self, K: list[Any]) -> list[Number]:
        """Return the weights of f_med: on a location that the other rows do not pull away, else the limit."""
        n = range(len(K))
        for j in n:
            gaps = [K[i][i] - 2 * K[i][j] + K[j][j] for i in n]
            pull = [1 / self.sqrt(gap) if gap else gap for gap in gaps]
            inner = [[K[i][k] - K[i][j] - K[k][j] + K[j][j] for k in n] for i in n]
            here = gaps.count(0)
            if self.less(dot(pull, times(inner, pull)), self.number(here * here)):
                return [self.number(not gap) / here for gap in gaps]
        return self.limit(K, [(self.number(0), self.number(1))])

    def thresholds(self, r: list[Number], rule: str = "linear") -> list[Number]:
        """Return a, b, c of section 6.1.2 from the residuals of f_med: quantiles 0.5, 0.75 and 0.85."""
        return [quantile(r, Fraction(share), rule) for share in ("1/2", "3/4", "17/20")]

    def theorem_5(
        self, K: list[Any], w: list[Number], psis: list[Number], slopes: list[Number], new: list[Any]
    ) -> list[Number]:
        """Return alpha_1, ..., alpha_n, alpha' from psi and psi' at the residuals; new is k', r', psi(r')."""
        n, r, (seen, r_new, psi_new) = range(len(K)), self.residuals(K, w), new
        gamma = sum(p / t for p, t in zip(psis, r))
        q = [(t * slope - p) / t**3 for t, slope, p in zip(r, slopes, psis)]
        last = len(K) * psi_new / r_new / gamma
        # (I - 1 w')' Q (I - 1 w') times the columns of K and k'; K is symmetric.
        bent = [[q_i * (x - dot(w, column)) for q_i, x in zip(q, column)] for column in [*K, seen]]
        *columns, pull = [[x - w_i * sum(column) for w_i, x in zip(w, column)] for column in bent]
        matrix = [[columns[j][i] + (gamma if i == j else 0) for j in n] for i in n]
        return [*solve(matrix, [-gamma * last * w[i] - last * pull[i] for i in n]), last]

    def _rounded(self, x: Number) -> Decimal:
        """Return a decimal; an exact entry has no use for it."""
        if self._exact:
            raise ValueError("a value that is marked exact is rounded")
        return Decimal(x)
