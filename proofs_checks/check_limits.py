"""Claims about Huber's loss between the two extremes: the KDE for large a, the median for small a."""

from typing import Final

import sympy
import z3
from hypothesis import example, given
from hypothesis import strategies as st

from rkde.fast.rkhs import residual_norms as fast_norms
from rkde.proofs_checks import bridge, defined, moves, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.measures import absolute_errors, vector_error
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from rkde.proofs_checks.symbolic import is_zero, robust_loss
from rkde.reference.estimates import median_rkde
from rkde.reference.losses import Huber
from rkde.reference.rkhs import residual_norms
from rkde.reference.solvers import kirwls_step

KDE_LIMIT = Claim(
    id="limits.huber_is_kde",
    label="eqn:huber",
    section="2",
    statement=(
        "With a at least the largest residual of the KDE, Huber's estimate is the KDE; a >= sqrt(2) tau "
        "suffices for any data, and then one step from any weights reaches it."
    ),
    hypotheses=("the kernel is nonnegative (for sqrt(2) tau)",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "rho(|u + h|) >= |u|^2/2 + <u, h> for |u| <= a; summed over the rows the right side is J of the KDE, "
        "as the u_i sum to 0. Equality for all rows and h other than 0 needs every u_i to have the length a "
        "and the direction of h, and such u_i do not sum to 0. phi = 1 up to a gives the weights 1/n, and "
        "sqrt(2) tau bounds every residual (sum_rules.hull_diameter)."
    ),
    necessity=(
        ("the kernel is nonnegative (for sqrt(2) tau)", "check_beyond_root_two_needs_a_nonnegative_kernel"),
    ),
    source=Source.IMPLIED,
)
MEDIAN_LIMIT = Claim(
    id="limits.huber_is_median",
    label="eqn:huber",
    section="2",
    statement="With a at most the smallest residual of f_med, Huber's estimate is f_med.",
    hypotheses=(
        "f_med is no data point",
        "three of the rows are distinct and all features have one norm (else there are many estimates)",
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "phi = a/r at every residual of f_med, proportional to the absolute loss's 1/r, so f_med is "
        "stationary for both. J of Huber's loss is convex, and strictly so with three distinct rows "
        "(convergence.three_distinct_rows), so a stationary point is the estimate (existence.sufficient)."
    ),
    source=Source.IMPLIED,
    follows_from=("convergence.three_distinct_rows", "existence.sufficient"),
)

_ROUNDINGS: Final = 8
_LARGE: Final = (1.4143, 2.0, 1e6)
# No symmetry makes the weights of f_med or of one step equal.
_UNEVEN: Final = Problem([[0.0], [1.0], [3.0]], KernelSpec("gaussian", 1.0), [0.25, 0.25, 0.5])


@evidence(KDE_LIMIT, level=Level.PROVED)
def check_phi_is_one_up_to_the_threshold() -> None:
    """No threshold and no 0 < r <= a with psi(r) other than r, and none beyond a with phi(r) = 1."""
    loss, r = RealLoss("huber"), z3.Real("r")
    first, second = loss.at(r)
    within = [*loss.admissible, r > 0, r <= loss.a]
    assert not has_model(*within, inside(first, r), first.psi != r)
    assert not has_model(*within, inside(second, r), second.psi != r)
    assert not has_model(*loss.admissible, r > loss.a, inside(second, r), second.psi == r)


@evidence(KDE_LIMIT, level=Level.PROVED)
def check_no_element_is_lower() -> None:
    """Refute rho(x) < r^2/2 + <u, h> for r = |u| <= a and x = |u + h|, or equality with x <= a and h != 0."""
    loss, x, r = RealLoss("huber"), z3.Real("x"), z3.Real("r")
    inner, length = z3.Reals("inner length")
    known = [
        *loss.admissible,
        x >= 0,
        r >= 0,
        r <= loss.a,
        length >= 0,
        inner * inner <= r * r * length * length,
    ]
    known.append(x * x == r * r + 2 * inner + length * length)
    tangent = r * r / 2 + inner
    first, second = loss.at(x)
    assert not has_model(*known, inside(first, x), first.rho < tangent)
    assert not has_model(*known, inside(first, x), length > 0, first.rho == tangent)
    # Beyond a: <u, h> = <u, u + h> - r^2 <= r x - r^2.
    known.append(inner <= r * x - r * r)
    assert not has_model(*known, inside(second, x), second.rho < tangent)
    assert not has_model(*known, inside(second, x), r < loss.a, x > loss.a, second.rho == tangent)


@evidence(KDE_LIMIT, level=Level.PROVED)
def check_beyond_root_two_needs_a_nonnegative_kernel() -> None:
    """For kappa = -1 between two rows a residual of all weight on one is 2 tau, beyond sqrt(2) tau."""
    kappa, weight = sympy.Integer(-1), sympy.Integer(1)
    square = 1 - 2 * weight * kappa + weight * weight
    assert is_zero(square - 4)


@evidence(MEDIAN_LIMIT, level=Level.PROVED)
def check_phi_is_proportional_to_the_inverse() -> None:
    """Beyond a, phi = a/r; in the weights phi_i / sum phi_j the factor a cancels."""
    r, parts = robust_loss("huber")
    (a,) = sympy.symbols("a,", positive=True)
    assert is_zero(parts[1].psi / r - a / r)
    norms = sympy.symbols("r_0 r_1 r_2", positive=True)
    phi = [(parts[1].psi / r).subs(r, norm) for norm in norms]
    inverse = [1 / norm for norm in norms]
    for i in range(len(norms)):
        assert is_zero(phi[i] / sum(phi) - inverse[i] / sum(inverse))


@evidence(KDE_LIMIT, level=Level.TESTED, corroborates=True)
@example(_UNEVEN, 1.4143)
@given(strategies.problems(), st.sampled_from(_LARGE))
def check_beyond_root_two_one_step_gives_the_kde(problem: Problem, threshold: float) -> None:
    """Step from any weights with a > sqrt(2): uniform weights, in both implementations."""
    ctx, spec, n_samples = bridge.context(), LossSpec("huber", (threshold,)), len(problem.X)
    kernel, loss = bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    exact = kirwls_step(ctx, problem.X, kernel, loss, problem.weights)
    assert set(exact) == {1 / ctx.mpf(n_samples)}
    assert set(moves.step(problem.X, problem.kernel, spec, problem.weights)) == {1 / n_samples}


@evidence(KDE_LIMIT, level=Level.TESTED, corroborates=True)
@example(_UNEVEN)
@given(strategies.problems(wide=False))
def check_beyond_the_residuals_the_kde_is_fixed(problem: Problem) -> None:
    """Take a as the largest residual of the KDE itself: uniform weights do not move."""
    ctx, n_samples = bridge.context(), len(problem.X)
    kernel, uniform = (
        bridge.reference_kernel(problem.kernel),
        [1 / bridge.context().mpf(n_samples)] * n_samples,
    )
    # One location only: every residual is 0, and any threshold will do.
    largest = max(residual_norms(ctx, problem.X, kernel, uniform)) or ctx.mpf(1)
    after = kirwls_step(ctx, problem.X, kernel, Huber(largest), uniform)
    # The norms are rounded to the digits of the context, so phi may be one rounding below 1.
    assert vector_error(after, uniform) <= tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    norms = fast_norms(problem.X, bridge.fast_kernel(problem.kernel), [1 / n_samples] * n_samples)
    spec = LossSpec("huber", (float(norms.max()) or 1.0,))
    after_fast = moves.step(problem.X, problem.kernel, spec, [1 / n_samples] * n_samples)
    assert set(after_fast) == {1 / n_samples}


@evidence(MEDIAN_LIMIT, level=Level.TESTED, corroborates=True)
@strategies.examples(0.5)
@example(_UNEVEN)
@given(strategies.mild_problems(max_samples=6))
def check_below_the_residuals_the_median_is_fixed(drawn: Problem) -> None:
    """Take a as the smallest residual of f_med: its weights do not move, in both implementations."""
    ctx, problem = bridge.context(), defined.with_locations(drawn, 3)
    median = median_rkde(ctx, problem.X, bridge.reference_kernel(problem.kernel))
    if min(median.residual_norms) == 0:
        problem = defined.with_median_off_the_rows(problem)
        median = median_rkde(ctx, problem.X, bridge.reference_kernel(problem.kernel))
    kernel, smallest = bridge.reference_kernel(problem.kernel), min(median.residual_norms)
    after = kirwls_step(ctx, problem.X, kernel, Huber(smallest), median.weights)
    norms = [float(norm) for norm in median.residual_norms]
    # Rounding the weights moves f by e, and each 1/r by e/r^2 of n such terms.
    factor = 1 + len(norms) * max(norms) / min(norms) ** 2
    rounding = tolerances.amplified(tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS), factor)
    assert vector_error(after, median.weights) <= rounding
    spec, weights = LossSpec("huber", (float(smallest),)), [float(weight) for weight in median.weights]
    state = moves.state(problem.X, problem.kernel, spec, weights)
    moved = tolerances.amplified(tolerances.unit_roundoff(), factor)
    allowed = [error + moved for error in state.weights_error]
    errors = absolute_errors(moves.step(problem.X, problem.kernel, spec, weights), weights)
    assert all(map(float.__le__, errors, allowed))
