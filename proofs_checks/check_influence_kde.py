"""Claims about influence functions in general and that of the kernel density estimate (section 5)."""

from typing import Final

import numpy as np
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from rkde import fast
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.influence import influence
from rkde.reference.losses import Quadratic
from rkde.reference.rkhs import RkhsElement

MEAN = Claim(
    id="influence_kde.mean",
    label="sec:ic, eqn:T",
    section="5",
    statement="The influence function of the mean is x' - E X, which is unbounded in x'.",
    hypotheses=("E X exists",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="The mean of (1 - s) F + s delta_x' is (1 - s) E X + s x': differentiate.",
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)
KDE = Claim(
    id="influence_kde.kde",
    label="eqn:ICKDE, eqn:emICKDE",
    section="5",
    statement=(
        "IF(x, x') of the KDE is k(x, x') minus the mean of the k(x, X_i), which is Theorem 5 with alpha' = "
        "1 and every alpha_i = -1/n."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="The KDE is linear in F. For the quadratic loss phi = 1, gamma = n and q = 0 in Theorem 5.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
BOUNDED = Claim(
    id="influence_kde.bounded",
    label="sec:ic (boundedness of the KDE)",
    section="5",
    statement="|IF(x, x')| of the KDE is at most k(0, 0), wherever x' is.",
    hypotheses=("nonnegative", "the kernel is radial", "the kernel is positive semi-definite"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The determinant of the kernel matrix of two points is not negative, so k(x, y)^2 <= k(0, 0)^2. IF "
        "is the difference of two numbers between 0 and k(0, 0), a value of the kernel and a mean of such "
        "values."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
ANY_INTEGRAL = Claim(
    id="influence_kde.integral_of_any_estimator",
    label="sec:ic (integral of IF)",
    section="5",
    statement="The influence function of every density estimator integrates to 0 over x.",
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "Limit and integral need not exchange. An estimator with T(F_s) = (1 - s) f + s N(1/s, 1), where f "
        "is the standard normal density, lets mass escape: IF = -f at every x, with the integral -1. For "
        "the KDE and the RKDE the integral is 0 (influence_theorem.sum_rule)."
    ),
    counterexample=("check_mass_escapes",),
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)
ANY_BOUNDED = Claim(
    id="influence_kde.bounded_for_any_estimator",
    label="sec:ic (boundedness)",
    section="5",
    statement="The influence functions of density estimators are bounded even as |x'| grows without bound.",
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "The normal density of variance 1 with the mean m of F has IF(x, x') = (x' - m)(x - m) N(x; m, 1), "
        "which is linear in x'. For the KDE and the RKDE it is bounded (influence_kde.bounded, "
        "influence_size.bound)."
    ),
    counterexample=("check_normal_with_the_mean_of_f",),
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)

_COORDINATE: Final = strategies.coordinates()


@evidence(MEAN, level=Level.PROVED)
def check_mean() -> None:
    """Differentiate the mean of the mixture in s."""
    s, mean, new = sympy.symbols("s m x_new", real=True)
    mixed = (1 - s) * mean + s * new
    assert is_zero(mixed.diff(s) - (new - mean))


@evidence(KDE, level=Level.PROVED)
def check_kde_is_linear() -> None:
    """Differentiate the KDE of the mixture in s, and solve Theorem 5's system with phi = 1 and q = 0."""
    s, estimate, at_new, n = sympy.symbols("s f k n", positive=True)
    mixed = (1 - s) * estimate + s * at_new
    assert is_zero(mixed.diff(s) - (at_new - estimate))
    weight, phi, gamma = 1 / n, sympy.Integer(1), n
    alpha_new, alpha = n * phi / gamma, -n * phi * weight / gamma
    assert is_zero(alpha_new - 1)
    assert is_zero(alpha + 1 / n)


@evidence(KDE, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@given(strategies.problems(6, 2), st.data())
def check_quadratic_loss_gives_the_kde(problem: Problem, data: st.DataObject) -> None:
    """Compare `influence` of both packages for the quadratic loss with k(x, x') - mean k(x, X_i)."""
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    size, dim = len(problem.X), len(problem.X[0])
    points = st.lists(_COORDINATE, min_size=dim, max_size=dim)
    x_new, x = data.draw(points), data.draw(points)
    uniform = [ctx.mpf(1) / size] * size
    found = influence(ctx, problem.X, kernel, Quadratic(), uniform, [x_new], [x])
    direct = RkhsElement([x_new], [1], kernel).evaluate(ctx, x) - RkhsElement(
        problem.X, uniform, kernel
    ).evaluate(ctx, x)
    bound = tolerances.reference_bound(bridge.DIGITS, size + 2)
    assert float(abs(found.influence[0][0] - direct)) <= bound
    assert [int(entry) for entry in found.if_coef_new] == [1]
    assert max(float(abs(entry * size + 1)) for entry in found.if_coef[0]) <= bound
    assert found.condition == 1
    assert not found.one_sided
    even = [1 / size] * size
    quick = fast.influence(problem.X, bridge.fast_kernel(problem.kernel), fast.Quadratic(), even, [x_new])
    assert quick.if_coef_new.tolist() == [1.0]
    assert np.abs(quick.if_coef * size + 1).max() <= tolerances.influence_bound(size, dim, 1.0)


@evidence(BOUNDED, level=Level.PROVED)
def check_difference_of_two_kernel_values() -> None:
    """Refute |k - mean| > k(0, 0) for k >= 0 of a kernel matrix with k(0, 0)^2 - k^2 >= 0."""
    top, value, mean = z3.Reals("top value mean")
    assert not has_model(top > 0, value >= 0, top * top - value * value >= 0, value > top)
    known = [value >= 0, value <= top, mean >= 0, mean <= top]
    assert not has_model(*known, z3.Or(value - mean > top, mean - value > top))


@evidence(ANY_INTEGRAL, level=Level.PROVED)
def check_mass_escapes() -> None:
    """Take the quotient -f + N(x; 1/s, 1) of the escaping estimator: its second term vanishes at every x."""
    s, x = sympy.symbols("s x", positive=True)
    f = sympy.exp(-x * x / 2) / sympy.sqrt(2 * sympy.pi)
    far = sympy.exp(-((x - 1 / s) ** 2) / 2) / sympy.sqrt(2 * sympy.pi)
    quotient = ((1 - s) * f + s * far - f) / s
    assert is_zero(quotient - (far - f))
    assert is_zero(sympy.limit(far, s, 0, "+"))
    # f is even: twice the integral over x > 0.
    assert is_zero(2 * sympy.integrate(-f, (x, 0, sympy.oo)) + 1)


@evidence(ANY_BOUNDED, level=Level.PROVED)
def check_normal_with_the_mean_of_f() -> None:
    """Differentiate N(x; (1 - s) m + s x', 1) at s = 0: the slope in x' is a fixed number, not 0."""
    s, x, mean, new = sympy.symbols("s x m x_new", real=True)
    density = sympy.exp(-((x - (1 - s) * mean - s * new) ** 2) / 2) / sympy.sqrt(2 * sympy.pi)
    influence_at = density.diff(s).subs(s, 0)
    normal = sympy.exp(-((x - mean) ** 2) / 2) / sympy.sqrt(2 * sympy.pi)
    assert is_zero(influence_at - (new - mean) * (x - mean) * normal)
    slope = influence_at.diff(new)
    assert is_zero(slope.diff(new))
    assert not is_zero(slope)
