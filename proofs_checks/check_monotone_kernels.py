"""Claims about completely monotone profiles and their mixtures (section 2)."""

import sympy

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.symbolic import is_zero

MASS = Claim(
    id="monotone_kernels.mixture_mass",
    label="sec:rkde (finite Borel measure)",
    section="2",
    statement=(
        "The mixing measures of the three kernels are finite, with the total mass g(0) = tau^2: up to this "
        "factor a point mass for the Gaussian, a Gamma law for the Student and a Levy law for the Laplacian "
        "kernel."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "At distance 0 every exponential is 1, so that g(0) is the mass; the densities of both laws "
        "integrate to 1. (That they give the kernels: semidefinite.psd.)"
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
MOMENT = Claim(
    id="monotone_kernels.infinite_moment",
    label="sec:rkde (completely monotone)",
    section="2",
    statement=(
        "The sign condition on the derivatives can be asked for t > 0 only, with continuity of g at 0, as "
        "the paper does: at t = 0 the g of the Laplacian kernel has no derivative."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="For g(t) = exp(-sqrt(t)), g'(t) tends to minus infinity and g(t) to 1 as t tends to 0.",
    source=Source.PRINTED,
    proof_class=ProofClass.A,
)
DERIVATIVES = Claim(
    id="monotone_kernels.all_derivatives",
    label="sec:rkde (completely monotone)",
    section="2",
    statement=(
        "For the three kernels (-1)^k g^(k)(t) >= 0 for k = 0, 1, 2, ... and t > 0, and g is continuous at 0."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Gaussian: each derivative multiplies by -1/(2 sigma^2). Student: the k-th derivative is (-1)^k "
        "times a rising factorial times a lower power, by one step of induction for symbolic k. Laplacian: "
        "it is a mixture of exp(-s t), and under the integral each derivative multiplies by -s."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)


@evidence(MASS, level=Level.PROVED)
def check_mixing_laws_have_mass_one() -> None:
    """Integrate the Gamma and the Levy density over all s > 0, for all parameters."""
    s, sigma, d, nu = sympy.symbols("s sigma d nu", positive=True)
    shape = (nu + d) / 2
    gamma = s ** (shape - 1) * sympy.exp(-s) / sympy.gamma(shape)
    assert is_zero(sympy.integrate(gamma, (s, 0, sympy.oo)) - 1)
    # With v = 1/s the Levy law is a Gamma law: ds = dv / v^2.
    levy = (
        s ** sympy.Rational(-3, 2) * sympy.exp(-1 / (4 * sigma**2 * s)) / (2 * sigma * sympy.sqrt(sympy.pi))
    )
    (v,) = sympy.symbols("v,", positive=True)
    assert is_zero(sympy.integrate(levy.subs(s, 1 / v) / v**2, (v, 0, sympy.oo)) - 1)


@evidence(MOMENT, level=Level.PROVED)
def check_laplacian_has_no_slope_at_zero() -> None:
    """Take the limits at 0: that of g' is -infinity, that of g is 1."""
    (t,) = sympy.symbols("t,", positive=True)
    profile = sympy.exp(-sympy.sqrt(t))
    assert sympy.limit(profile.diff(t), t, 0, "+") == -sympy.oo
    assert is_zero(sympy.limit(profile, t, 0, "+") - 1)


@evidence(DERIVATIVES, level=Level.PROVED)
def check_gaussian_derivatives() -> None:
    """Differentiate: g' = -g/(2 sigma^2), so the signs alternate for ever."""
    t, sigma = sympy.symbols("t sigma", positive=True)
    profile = sympy.exp(-t / (2 * sigma**2))
    assert is_zero(profile.diff(t) + profile / (2 * sigma**2))
    assert is_zero(sympy.limit(profile, t, 0, "+") - 1)


@evidence(DERIVATIVES, level=Level.PROVED)
def check_student_derivatives() -> None:
    """Differentiate the k-th derivative: it is the (k+1)-th, for symbolic k, with an opposite sign."""
    t, scale, power, k = sympy.symbols("t scale power k", positive=True)
    # (-1)^k g^(k) = (power)_k scale^-k (1 + t/scale)^(-power - k), (power)_k = Gamma(power + k)/Gamma(power).
    magnitude = sympy.gamma(power + k) / sympy.gamma(power) * scale ** (-k) * (1 + t / scale) ** (-power - k)
    assert is_zero(sympy.gammasimp(-magnitude.diff(t) / magnitude.subs(k, k + 1)) - 1)
    assert is_zero(magnitude.subs(k, 0) - (1 + t / scale) ** (-power))
    assert magnitude.is_positive


@evidence(DERIVATIVES, level=Level.PROVED)
def check_derivatives_under_the_integral() -> None:
    """exp(-s t) has k-th derivative (-s)^k exp(-s t): times (-1)^k it is s^k exp(-s t) > 0."""
    s, t = sympy.symbols("s t", positive=True)
    factor = sympy.exp(-s * t)
    assert is_zero(factor.diff(t) + s * factor)
    assert (s * factor).is_positive
    root = sympy.sqrt(t)
    assert is_zero(sympy.limit(sympy.exp(-root), t, 0, "+") - 1)
