"""Claims about the feature space: reproducing property and least squares (section 2)."""

from typing import Final

import sympy
import z3
from hypothesis import example, given
from hypothesis import strategies as st

from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.rkhs import RkhsElement, objective

REPRODUCING = Claim(
    id="rkhs.reproducing",
    label="sec:rkde (reproducing property)",
    section="2",
    statement=(
        "<Phi(x), g> = g(x) for every g in the span of the features, hence k(x, x') = <Phi(x), Phi(x')>."
    ),
    hypotheses=("the kernel is positive semi-definite",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The inner product of sum a_i Phi(x_i) and sum b_j Phi(x_j) is a'Kb. With x = x_m and a the m-th "
        "unit vector that is sum_j b_j k(x, x_j)."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
CAUCHY = Claim(
    id="rkhs.evaluation_is_bounded",
    label="sec:rkde (reproducing property)",
    section="2",
    statement="|g(x) - h(x)| <= tau |g - h| for all x: convergence in H implies uniform convergence.",
    hypotheses=("the kernel is positive semi-definite and radial",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Cauchy-Schwarz for <Phi(x), g - h> and |Phi(x)| = tau: a Gram determinant of two vectors is not "
        "negative."
    ),
    source=Source.IMPLIED,
)
COMPLETION = Claim(
    id="rkhs.completion",
    label="sec:rkde (associated with every PSD kernel)",
    section="2",
    statement=(
        "Every radial positive semi-definite kernel has a reproducing kernel Hilbert space, the completion "
        "of the span of its features: its elements are functions, and <Phi(x), g> = g(x) for all of them."
    ),
    hypotheses=("the kernel is positive semi-definite and radial",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "On the span the property holds; a Cauchy sequence of the span converges at every point, uniformly, "
        "and both sides of the property pass to the limit. That the limits form a Hilbert space is the "
        "theorem of Moore and Aronszajn."
    ),
    follows_from=("rkhs.reproducing", "rkhs.evaluation_is_bounded"),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
    cites=("Aronszajn (1950), Theory of reproducing kernels, section 2",),
)
LEAST_SQUARES = Claim(
    id="rkhs.least_squares",
    label="sec:rkde (least squares), eqn:rkde",
    section="2",
    statement="The KDE is the one minimiser of sum |Phi(X_i) - g|^2 over H.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "|Phi_i - g|^2 = |Phi_i - f|^2 + 2 <Phi_i - f, f - g> + |f - g|^2, and the middle terms add up to 0 "
        "if f is the mean. So the sum is that of |Phi_i - f|^2 plus n |f - g|^2."
    ),
    source=Source.PRINTED,
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
    argument=(
        "Bilinearity: with one more row w_m Phi_m in f, <Phi_j, f> grows by w_m k(X_j, X_m) and <f, f> by 2 "
        "w_m <Phi_m, f> + w_m^2 k(X_m, X_m), as the sums do."
    ),
    proof_class=ProofClass.B,
    source=Source.PRINTED,
)

# Two rows far apart, for which the inequality of evaluation is off by no more than a factor sqrt(2).
_APART: Final = (Problem([[0.0], [8.0]], KernelSpec("gaussian", 1.0), [1.0, 0.0]), [0.0, 1.0])


@evidence(REPRODUCING, level=Level.PROVED)
def check_inner_product_with_a_feature() -> None:
    """Sum a_i k_ij b_j over i with the m-th unit vector a, for any number of rows: k_mj b_j is left."""
    rest, i, j, m = (sympy.Symbol(name, integer=True, positive=True) for name in ("rest", "i", "j", "m"))
    k, b = sympy.Function("k"), sympy.Function("b")
    left = sympy.summation(sympy.KroneckerDelta(i, m) * k(i, j) * b(j), (i, 1, m + rest))
    assert is_zero(left - k(m, j) * b(j))


@evidence(CAUCHY, level=Level.PROVED)
def check_cauchy_schwarz() -> None:
    """Refute <p, h>^2 > |p|^2 |h|^2 where every combination of p and h has a square norm >= 0."""
    pp, ph, hh = z3.Reals("pp ph hh")
    # The combination ph h - hh p, and hh itself, have square norms that are not negative.
    known = [hh > 0, ph * ph * hh - 2 * ph * hh * ph + hh * hh * pp >= 0]
    assert not has_model(*known, ph * ph > pp * hh)


@evidence(LEAST_SQUARES, level=Level.PROVED)
def check_pythagoras() -> None:
    """Expand one term; then sum over the rows, with sum <Phi_i, h> = n <f, h> for h = f and h = g."""
    # Commuting letters: an inner product is their product.
    row, mean, other, count = sympy.symbols("Phi_i f g n", real=True)
    mixed = 2 * (row - mean) * (mean - other)
    assert is_zero(((row - other) ** 2 - (row - mean) ** 2 - (mean - other) ** 2 - mixed).expand())
    with_mean, with_other = sympy.symbols("sum_f sum_g", real=True)
    total = with_mean - count * mean**2 - with_other + count * mean * other
    assert is_zero(total.subs({with_mean: count * mean**2, with_other: count * mean * other}))


@evidence(LEAST_SQUARES, level=Level.TESTED, corroborates=True)
@given(strategies.problems(6, 2, wide=False))
@example(_APART[0])
def check_no_weights_beat_the_kde(problem: Problem) -> None:
    """Compare J of the quadratic loss at drawn weights with that at 1/n, in the reference."""
    ctx, rows, loss = bridge.context(), problem.X, bridge.reference_loss(LossSpec("quadratic"))
    kernel = bridge.reference_kernel(problem.kernel)
    even = objective(ctx, rows, kernel, loss, [1 / len(rows)] * len(rows))
    there = objective(ctx, rows, kernel, loss, problem.weights)
    rounding = tolerances.reference_bound(bridge.DIGITS, len(rows) ** 2) * float(1 + even)
    assert float(even - there) <= rounding


@evidence(INNER, level=Level.PROVED)
def check_one_more_row() -> None:
    """Add w Phi_m to f and expand: what the two sums grow by, and the square of Phi_j - f."""
    # Commuting letters: an inner product is their product.
    f, row, new, weight = sympy.symbols("f Phi_j Phi_m w", real=True)
    grown = f + weight * new
    assert is_zero((row * grown - row * f - weight * row * new).expand())
    assert is_zero((grown**2 - f**2 - 2 * weight * new * f - weight**2 * new**2).expand())
    assert is_zero(((row - f) ** 2 - row**2 + 2 * row * f - f**2).expand())


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


def _pairs() -> st.SearchStrategy[tuple[Problem, list[float]]]:
    """Draw a problem and other weights of its rows."""
    return strategies.problems(6, 2, wide=False).flatmap(
        lambda problem: st.tuples(st.just(problem), strategies.weight_vectors(len(problem.X)))
    )


@evidence(CAUCHY, level=Level.TESTED, corroborates=True)
@given(_pairs())
@example(_APART)
def check_reference_values_are_lipschitz(pair: tuple[Problem, list[float]]) -> None:
    """Compare the difference of two estimates at a row with the distance of the elements."""
    problem, other = pair
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    change = [left - right for left, right in zip(problem.weights, other, strict=True)]
    element = RkhsElement(problem.X, change, kernel)
    square = element.inner(ctx, element)
    rounding = tolerances.reference_bound(bridge.DIGITS, len(problem.X) ** 2 + 1)
    assert float(element.evaluate(ctx, problem.X[0]) ** 2 - square) <= rounding
