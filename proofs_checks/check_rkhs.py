"""Claims about the feature space: reproducing property and least squares (section 2)."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Final

import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.objective import objective
from rkde.reference.rkhs import RkhsElement

REPRODUCING = Claim(
    id="rkhs.reproducing",
    label="sec:rkde (reproducing property)",
    section="2",
    statement=(
        "<Phi(x), g> = g(x) for every g in the span of the Phi(x_i), hence k(x, x') = <Phi(x), Phi(x')>."
    ),
    hypotheses=("psd_in_every_dimension",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The inner product of sum a_i Phi_i and sum b_j Phi_j is a'Kb; with a = e_x this is sum b_j k(x, "
        "x_j). Limits keep it, since |g(x) - h(x)| <= tau |g - h|."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
CAUCHY = Claim(
    id="rkhs.evaluation_is_bounded",
    label="sec:rkde (reproducing property)",
    section="2",
    statement="|g(x) - h(x)| <= tau |g - h| for all x: convergence in H is uniform convergence of densities.",
    hypotheses=("radial",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Cauchy-Schwarz for <Phi(x), g - h> and |Phi(x)| = tau: a 2 x 2 Gram determinant is not negative."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
LEAST_SQUARES = Claim(
    id="rkhs.least_squares",
    label="sec:rkde (least squares), eqn:rkde",
    section="2",
    statement="The KDE is the one minimiser of sum |Phi(X_i) - g|^2 over H.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="sum |Phi_i - g|^2 = sum |Phi_i - f|^2 + n |f - g|^2 with f the mean: the mixed term vanishes.",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
INNER = Claim(
    id="rkhs.iterate_inner_products",
    label="sec:kirwls (inner products)",
    section="4",
    statement=(
        "<Phi_j, f> = sum_i w_i k(X_j, X_i) and <f, f> = sum_i sum_l w_i w_l k(X_i, X_l), so |Phi_j - f|^2 "
        "needs kernel values only; and the iterates are weighted KDEs."
    ),
    hypotheses=("sum phi > 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Bilinearity: expand (e_j - w)'K(e_j - w).",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)

_SIZE: Final = 3


def _dot(left: Sequence[sympy.Expr], right: Sequence[sympy.Expr]) -> sympy.Expr:
    return sum(map(operator.mul, left, right), sympy.Integer(0))


def _gram() -> list[list[sympy.Expr]]:
    tau, k_01, k_02, k_12 = sympy.symbols("k_00 k_01 k_02 k_12", positive=True)
    return [[tau, k_01, k_02], [k_01, tau, k_12], [k_02, k_12, tau]]


def inner(
    left: Sequence[sympy.Expr], gram: Sequence[Sequence[sympy.Expr]], right: Sequence[sympy.Expr]
) -> sympy.Expr:
    """Return a'Kb."""
    return _dot(left, [_dot(row, right) for row in gram])


@evidence(REPRODUCING, level=Level.PROVED)
def check_inner_product_with_a_feature() -> None:
    """Evaluate a'Kb with a unit vector a: it is the value of sum b_j k(., x_j) at that point."""
    gram, coefficients = _gram(), list(sympy.symbols("b_0 b_1 b_2", positive=True))
    unit = [sympy.Integer(1), sympy.Integer(0), sympy.Integer(0)]
    value = sum((b * k for b, k in zip(coefficients, gram[0], strict=True)), sympy.Integer(0))
    assert is_zero(inner(unit, gram, coefficients) - value)
    assert is_zero(inner(unit, gram, unit[::-1]) - gram[0][2])


@evidence(CAUCHY, level=Level.PROVED)
def check_cauchy_schwarz() -> None:
    """Refute <p, h>^2 > |p|^2 |h|^2 where every combination of p and h has a square norm >= 0."""
    pp, ph, hh = z3.Reals("pp ph hh")
    # The combination ph h - hh p, and hh itself, have square norms that are not negative.
    known = [hh > 0, ph * ph * hh - 2 * ph * hh * ph + hh * hh * pp >= 0]
    assert not has_model(*known, ph * ph > pp * hh)


@evidence(LEAST_SQUARES, level=Level.PROVED)
def check_pythagoras() -> None:
    """Expand for three features in one coordinate; the general case is a sum over coordinates."""
    points, other = list(sympy.symbols("f_0 f_1 f_2", real=True)), sympy.Symbol("g", real=True)
    mean = (points[0] + points[1] + points[2]) / _SIZE
    around_other = sum(((point - other) ** 2 for point in points), sympy.Integer(0))
    around_mean = sum(((point - mean) ** 2 for point in points), sympy.Integer(0))
    assert is_zero(around_other - around_mean - _SIZE * (mean - other) ** 2)


@evidence(LEAST_SQUARES, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False))
def check_no_weights_beat_the_kde(problem: Problem) -> None:
    """Compare J of the quadratic loss at drawn weights with that at 1/n, in the reference."""
    ctx, rows, loss = bridge.context(), problem.X, bridge.reference_loss(LossSpec("quadratic"))
    kernel = bridge.reference_kernel(problem.kernel)
    even = objective(ctx, rows, kernel, loss, [1 / len(rows)] * len(rows))
    there = objective(ctx, rows, kernel, loss, problem.weights)
    rounding = tolerances.reference_bound(bridge.DIGITS, len(rows) ** 2) * float(1 + even)
    assert float(even - there) <= rounding


@evidence(INNER, level=Level.PROVED)
def check_expansion_of_a_residual() -> None:
    """(e_0 - w)'K(e_0 - w) = k_00 - 2 (Kw)_0 + w'Kw."""
    gram, weights = _gram(), list(sympy.symbols("w_0 w_1 w_2", positive=True))
    shifted = [1 - weights[0], -weights[1], -weights[2]]
    expanded = gram[0][0] - 2 * _dot(gram[0], weights) + inner(weights, gram, weights)
    assert is_zero(inner(shifted, gram, shifted) - expanded)


@evidence(REPRODUCING, level=Level.TESTED, corroborates=True)
@evidence(INNER, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False), st.integers(0, 5))
def check_reference_elements(problem: Problem, index: int) -> None:
    """Evaluate an element of the reference at a row, and take its inner product with that row's feature."""
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    row = problem.X[index % len(problem.X)]
    element, feature = RkhsElement(problem.X, problem.weights, kernel), RkhsElement([row], [1.0], kernel)
    bound = tolerances.reference_bound(bridge.DIGITS, len(problem.X) + 1)
    size = float(sum(problem.weights))
    assert float(abs(feature.inner(ctx, element) - element.evaluate(ctx, row))) <= bound * size


@evidence(CAUCHY, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False), st.data())
def check_reference_values_are_lipschitz(problem: Problem, data: st.DataObject) -> None:
    """Compare the difference of two estimates at a row with the distance of the elements."""
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    other = data.draw(strategies.weight_vectors(len(problem.X)))
    change = [left - right for left, right in zip(problem.weights, other, strict=True)]
    element = RkhsElement(problem.X, change, kernel)
    square = element.inner(ctx, element)
    rounding = tolerances.reference_bound(bridge.DIGITS, len(problem.X) ** 2 + 1)
    assert float(element.evaluate(ctx, problem.X[0]) ** 2 - square) <= rounding
