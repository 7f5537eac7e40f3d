"""Claims that the estimates are densities: KDE, RKDE, and the variable-bandwidth KDE (sections 2, 3, 6)."""

import math
from typing import Final, TypeVar

import pytest
import sympy
import z3
from mpmath import mpf

from rkde.fast.estimates import vkde as fast_vkde
from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.measures import scalar_error, vector_error
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelName, KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.estimates import vkde
from rkde.reference.numbers import make_context
from rkde.reference.rkhs import RkhsElement

KDE = Claim(
    id="densities.kde",
    label="sec:rkde (KDE)",
    section="2",
    statement="The KDE is a density: nowhere negative, with integral 1.",
    hypotheses=("nonnegative", "integrates_to_one"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="A mean of n densities: integral and sign pass through finite sums with weights 1/n.",
    necessity=(("integrates_to_one", "check_a_printed_normaliser_breaks_the_integral"),),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
RKDE = Claim(
    id="densities.rkde",
    label="sec:representer (density), thm:representer, sec:rkde (valid density)",
    section="3",
    statement="The RKDE, and every iterate of KIRWLS, is a density.",
    hypotheses=("nonnegative", "integrates_to_one", "sum phi > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The weights are nonnegative and sum to 1 (weights.simplex), so it is a mixture of densities: "
        "adding one row after another, no value becomes negative, and the mass is the sum of the weights so "
        "far."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
VKDE = Claim(
    id="densities.vkde",
    label="ssec:exp_setup (VKDE)",
    section="6.1.2",
    statement="The variable-bandwidth estimate is a density, whatever its positive bandwidths.",
    hypotheses=("nonnegative", "integrates_to_one", "sigma_i > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Each k_sigma_i has its own constant, hence the integral 1, and so has the mean of n of them.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
VKDE_MEAN = Claim(
    id="densities.vkde_mean",
    label="ssec:exp_setup (VKDE)",
    section="6.1.2",
    statement=(
        "With eta the arithmetic mean of the pilot densities, as the paper has it, all bandwidths are those "
        "of the usual definition, which takes the geometric mean, times one factor (A/G)^(1/2) >= 1. It is "
        "1 only if all pilot densities are equal."
    ),
    hypotheses=("the pilot densities are positive",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "log G is the mean of log p_i, and log(p_i/A) <= p_i/A - 1 with equality for p_i = A only; the mean "
        "of the right sides is 0. For densities 1 and 4 the factor is (5/4)^(1/2) = 1.118. The paper's "
        "formula is well defined; programs differ by this factor."
    ),
    source=Source.UNSPECIFIED,
    proof_class=ProofClass.B,
)
VKDE_INFLUENCE = Claim(
    id="densities.vkde_influence",
    label="sssec:exp_if (no formula for VKDEs)",
    section="6.2.1",
    statement=(
        "The variable-bandwidth estimate has an influence function in closed form at F_n: IF(x, x') = "
        "k_sigma'(x, x') - f(x) + (1/n) sum_i sigma_i D_i(x) (p'/eta - 1/2 - k(X_i, x')/(2 p_i)), where "
        "D_i(x) is the derivative of k_sigma(x, X_i) by sigma at sigma_i, p_i and p' are the pilot "
        "densities at X_i and x', and sigma' = sigma (eta/p')^(1/2)."
    ),
    hypotheses=("sigma is held fixed", "k_sigma(x, y) is differentiable in sigma"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "At F_n mixed with a share s of x' the pilot density at X_i is (1 - s) p_i + s k(X_i, x'), and eta "
        "is (1 - s)^2 eta + 2 s (1 - s) p' + s^2 k(x', x'); differentiate each term at s = 0. The paper "
        "leaves VKDEs out of the comparison because it knows of no formula."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

# A number of sympy or of mpmath.
T = TypeVar("T", sympy.Expr, mpf)
_DIGITS: Final = 30
_ROWS: Final = [[0.0], [0.5], [3.0]]
_WEIGHTS: Final = [0.5, 0.375, 0.125]


def mass_of_mixture(weights: list[sympy.Expr], masses: list[sympy.Expr]) -> sympy.Expr:
    """Integrate a weighted sum of functions with given integrals."""
    return sum((w * mass for w, mass in zip(weights, masses, strict=True)), sympy.Integer(0))


@evidence(KDE, level=Level.PROVED)
def check_mean_of_densities() -> None:
    """Sum n equal weights 1/n, each with integral 1: the mass is 1, for every n."""
    rank, count = (sympy.Symbol(name, integer=True, positive=True) for name in ("i", "n"))
    assert is_zero(sympy.summation(1 / count, (rank, 1, count)) - 1)


@evidence(KDE, level=Level.PROVED)
@evidence(RKDE, level=Level.PROVED)
@evidence(VKDE, level=Level.PROVED)
def check_one_more_density() -> None:
    """Add w k to a partial sum f of mass W: it stays nonnegative, and the mass becomes W + w."""
    f, k, weight = z3.Reals("f k w")
    assert not has_model(f >= 0, k >= 0, weight >= 0, f + weight * k < 0)
    before, share, one = sympy.symbols("W w one", positive=True)
    after = mass_of_mixture([sympy.Integer(1), share], [before, one])
    assert is_zero(after.subs(one, 1) - before - share)


@evidence(KDE, level=Level.TESTED, corroborates=True)
def check_a_printed_normaliser_breaks_the_integral() -> None:
    """Drop the hypothesis: integrate the Student kernel as printed, d = 1, nu = 4, sigma = 1: 2, not 1."""
    (x,) = sympy.symbols("x,", positive=True)
    half, nu = sympy.Rational(1, 2), sympy.Integer(4)
    constant = sympy.gamma((nu + 1) / 2) / sympy.gamma(nu / 2) / sympy.sqrt(sympy.pi)
    mass = 2 * constant * sympy.integrate((1 + x**2 / nu) ** (-(nu + 1) * half), (x, 0, sympy.oo))
    assert is_zero(mass_of_mixture([half, half], [mass, mass]) - 2)


@evidence(RKDE, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("name", KERNEL_NAMES)
def check_weighted_estimate_integrates_to_one(name: KernelName) -> None:
    """Integrate the reference's weighted estimate over the line, piece by piece between the rows."""
    ctx = make_context(_DIGITS)
    spec = KernelSpec(name, 0.75, 3.0) if name == "student" else KernelSpec(name, 0.75)
    element = RkhsElement(_ROWS, _WEIGHTS, bridge.reference_kernel(spec))
    breaks = [-ctx.inf, *(ctx.convert(row[0]) for row in _ROWS), ctx.inf]
    tau_squared = ctx.exp(bridge.reference_kernel(spec).log_normaliser(ctx, 1))
    mass = tau_squared * ctx.quad(lambda x: element.evaluate(ctx, [x]), breaks)
    assert scalar_error(mass, 1) <= tolerances.quadrature_bound(_DIGITS)


@evidence(VKDE, level=Level.TESTED, corroborates=True)
def check_variable_estimate_integrates_to_one() -> None:
    """Integrate the reference's variable-bandwidth estimate."""
    ctx, kernel = make_context(_DIGITS), bridge.reference_kernel(KernelSpec("gaussian", 0.75))
    fitted = vkde(ctx, _ROWS, kernel)
    breaks = [-ctx.inf, *(ctx.convert(row[0]) for row in _ROWS), ctx.inf]
    mass = ctx.quad(lambda x: ctx.exp(fitted.log_density(ctx, [[x]])[0]), breaks)
    assert scalar_error(mass, 1) <= tolerances.quadrature_bound(_DIGITS)


@evidence(VKDE_MEAN, level=Level.PROVED)
def check_means_are_ordered() -> None:
    """Find the only minimum 0 of u - 1 - log u at 1; with u = p_i/A the u - 1 add up to 0."""
    u, total, count = sympy.symbols("u total n", positive=True)
    gap = u - 1 - sympy.log(u)
    assert is_zero(gap.subs(u, 1))
    assert is_zero(gap.diff(u) - (u - 1) / u)
    assert is_zero(total / (total / count) - count)
    one, four = sympy.Integer(1), sympy.Integer(4)
    assert is_zero(((one + four) / 2) / sympy.sqrt(one * four) - sympy.Rational(5, 4))


@evidence(VKDE_MEAN, level=Level.TESTED, corroborates=True)
def check_both_rules_in_the_implementations() -> None:
    """Fit both rules: the bandwidths have one common ratio above 1, in both implementations."""
    ctx, spec = bridge.context(), KernelSpec("gaussian", 0.75)
    kernel = bridge.reference_kernel(spec)
    plain = vkde(ctx, _ROWS, kernel).bandwidths
    other = vkde(ctx, _ROWS, kernel, rule="geometric").bandwidths
    ratios = [left / right for left, right in zip(plain, other, strict=True)]
    bound = tolerances.reference_bound(bridge.DIGITS, len(_ROWS) + 1)
    assert max(scalar_error(ratio, ratios[0]) for ratio in ratios) <= bound
    assert ratios[0] > 1
    fast_kernel = bridge.fast_kernel(spec)
    others = fast_vkde(_ROWS, fast_kernel, rule="geometric").bandwidths
    for fast in fast_vkde(_ROWS, fast_kernel).bandwidths / others:
        assert scalar_error(fast, float(ratios[0])) <= _bandwidth_ratio_bound(fast_kernel.log_normaliser(1))


def _bandwidth_ratio_bound(log_normaliser: float) -> float:
    """Bound the quotient of two bandwidths: twice one bandwidth's bound, from the errors of the pilot."""
    # Pilot densities of three rows lie between a third of the kernel's maximum and all of it.
    magnitude = abs(log_normaliser) + math.log(len(_ROWS))
    pilot = tolerances.log_density_bound(magnitude, magnitude, len(_ROWS), 1)
    return 2 * tolerances.vkde_bandwidth_bound(pilot, tolerances.log_mean_bound(pilot, len(_ROWS)))


def contaminated_width(share: T, sigma: T, pilot: T, near: T, mean: T) -> T:
    """Return the square of sigma_i over that of sigma under F_n mixed with a share of x'."""
    return sigma**2 * mean / ((1 - share) * pilot + share * near)


def contaminated_mean(share: T, eta: T, there: T, self_kernel: T) -> T:
    """Return eta under F_n mixed with a share of x', whose pilot density under F_n is `there`."""
    return (1 - share) ** 2 * eta + 2 * share * (1 - share) * there + share**2 * self_kernel


@evidence(VKDE_INFLUENCE, level=Level.PROVED)
def check_derivative_of_a_bandwidth() -> None:
    """Differentiate sigma_i(s) at s = 0; by the chain rule a row's term has -G + G' sigma_i'(0)."""
    s, sigma, pilot, there, eta, near, self_kernel = sympy.symbols("s sigma p p_x eta k k_xx", positive=True)
    # Of the rows the mean of p_i is eta and that of k(X_i, x') is p'; x' itself has the weight s.
    of_rows, of_new = (1 - s) * eta + s * there, (1 - s) * there + s * self_kernel
    mean = contaminated_mean(s, eta, there, self_kernel)
    assert is_zero((mean - (1 - s) * of_rows - s * of_new).expand())
    width = sympy.sqrt(contaminated_width(s, sigma, pilot, near, mean))
    own = width.subs(s, 0)
    assert is_zero(own - sigma * sympy.sqrt(eta / pilot))
    stated = own * (there / eta - sympy.Rational(1, 2) - near / (2 * pilot))
    assert is_zero(width.diff(s).subs(s, 0) - stated)


@evidence(VKDE_INFLUENCE, level=Level.TESTED, corroborates=True)
def check_bandwidths_with_one_more_row() -> None:
    """Take the share 1/(n + 1) of x': both packages have these bandwidths for the n + 1 rows."""
    ctx, spec, new = bridge.context(), KernelSpec("gaussian", 0.75), [1.25]
    kernel, share = bridge.reference_kernel(spec), bridge.context().mpf(1) / (len(_ROWS) + 1)
    near = [RkhsElement([new], [1.0], kernel).evaluate(ctx, row) for row in _ROWS]
    even = RkhsElement(_ROWS, [ctx.mpf(1) / len(_ROWS)] * len(_ROWS), kernel)
    pilots, there = [even.evaluate(ctx, row) for row in _ROWS], even.evaluate(ctx, new)
    mean = contaminated_mean(share, ctx.fsum(pilots) / len(_ROWS), there, ctx.mpf(1))
    sigma = ctx.mpf(spec.bandwidth)
    pairs = zip([*pilots, there], [*near, ctx.mpf(1)], strict=True)
    widths = [ctx.sqrt(contaminated_width(share, sigma, pilot, value, mean)) for pilot, value in pairs]
    rounding = tolerances.reference_bound(bridge.DIGITS, len(_ROWS) ** 2)
    assert vector_error(vkde(ctx, [*_ROWS, new], kernel).bandwidths, widths) <= rounding
    fast_kernel = bridge.fast_kernel(spec)
    bound = _bandwidth_ratio_bound(fast_kernel.log_normaliser(1))
    assert vector_error(fast_vkde([*_ROWS, new], fast_kernel).bandwidths, widths) <= bound
