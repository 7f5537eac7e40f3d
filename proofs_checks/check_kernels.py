"""Claims about the kernels of section 2: normalisers, constant feature norm, declared facts."""

import math
from typing import Final

import numpy as np
import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mpf

from rkde.facts import KERNEL_FACTS
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.kernel_measures import MESHES, equidistant_forms, implemented, mass_on_the_line
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelName, KernelSpec, Rows
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.numbers import make_context

GAUSSIAN = Claim(
    id="kernels.gaussian_normaliser",
    label="eqn:gaussian",
    section="2",
    statement=(
        "The Gaussian kernel with the constant (2 pi sigma^2)^(-d/2) integrates to 1 in every dimension."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The integral over the radius with the area 2 pi^(d/2)/Gamma(d/2) of the unit sphere, for symbolic "
        "d and sigma."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
STUDENT = Claim(
    id="kernels.student_normaliser",
    label="sec:rkde (Student kernel)",
    section="2",
    statement=(
        "The Student kernel integrates to 1 with the constant Gamma((nu + d)/2) / (Gamma(nu/2) (nu "
        "pi)^(d/2) sigma^d); the printed constant lacks nu^(-d/2), so the printed kernel integrates to "
        "nu^(d/2)."
    ),
    verdict=Verdict.MISPRINT,
    level=Level.PROVED,
    argument=(
        "The integral over the radius for symbolic d, nu and sigma; for nu = 2 and d = 2 the printed kernel "
        "has the mass 2."
    ),
    counterexample=("check_student_integral",),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
LAPLACIAN = Claim(
    id="kernels.laplacian_normaliser",
    label="sec:rkde (Laplacian kernel)",
    section="2",
    statement=(
        "The constant c_d exists: c_d = Gamma(d/2)/(2 pi^(d/2) Gamma(d)) = 1/(2^d pi^((d-1)/2) "
        "Gamma((d+1)/2))."
    ),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "The integral over the radius for symbolic d and sigma; the second form by the duplication formula "
        "of Gamma."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
FEATURE_NORM = Claim(
    id="kernels.feature_norm",
    label="sec:rkde (feature norm)",
    section="2",
    statement=(
        "|Phi(x)|^2 = k(x, x) = k(0, 0) = tau^2 does not depend on x; for the three kernels the profile "
        "k/tau^2 falls from 1 towards 0 as the distance grows."
    ),
    hypotheses=("the kernel is radial",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "A radial kernel is a function of |x - y|^2, which is 0 for y = x. Each of the three profiles is 1 "
        "at 0, has a negative derivative, and tends to 0."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
FACTS = Claim(
    id="kernels.facts",
    label="sec:rkde",
    section="2",
    statement=(
        "What rkde.facts declares of the three kernels is so: they are nonnegative, integrate to 1 and are "
        "positive semi-definite, and only the Student kernel's profile depends on the dimension."
    ),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "Each fact is measured on both packages: values at several distances in two dimensions, the "
        "integral over the line, and quadratic forms of equidistant points which are negative for kernels "
        "of finite support such as the biweight. (Proofs: kernels.student_normaliser and its like, "
        "semidefinite.psd.)"
    ),
    source=Source.PRINTED,
)

_RADIUS_DIGITS: Final = 30
_DIMENSIONS: Final = (1, 2, 3)
_DOFS: Final = (1.0, 2.0, 5.0)
_FACT_DIMENSIONS: Final = (1, 2)
_MASS_DECIMALS: Final = 3


def _symbols() -> tuple[sympy.Expr, sympy.Expr, sympy.Expr, sympy.Expr]:
    d, r, sigma, nu = sympy.symbols("d r sigma nu", positive=True)
    return d, r, sigma, nu


def _mass(profile: sympy.Expr, r: sympy.Expr, d: sympy.Expr) -> sympy.Expr:
    """Integrate a radial profile over d-dimensional space."""
    area = 2 * sympy.pi ** (d / 2) / sympy.gamma(d / 2)
    return area * sympy.integrate(r ** (d - 1) * profile, (r, 0, sympy.oo))


@evidence(GAUSSIAN, level=Level.PROVED)
def check_gaussian_integral() -> None:
    """Integrate symbolically, for every d and sigma."""
    d, r, sigma, _ = _symbols()
    mass = _mass(sympy.exp(-(r**2) / (2 * sigma**2)), r, d)
    assert is_zero(sympy.gammasimp(mass * (2 * sympy.pi * sigma**2) ** (-d / 2)) - 1)


@evidence(STUDENT, level=Level.PROVED)
def check_student_integral() -> None:
    """Integrate symbolically: the right constant gives 1, the printed one nu^(d/2), 2 at nu = d = 2."""
    d, r, sigma, nu = _symbols()
    mass = _mass((1 + r**2 / (nu * sigma**2)) ** (-(nu + d) / 2), r, d)
    gammas = sympy.gamma((nu + d) / 2) / sympy.gamma(nu / 2)
    printed = gammas * (sympy.sqrt(sympy.pi) * sigma) ** (-d) * mass
    assert is_zero(sympy.gammasimp(gammas * (nu * sympy.pi) ** (-d / 2) * sigma ** (-d) * mass) - 1)
    assert is_zero(sympy.gammasimp(printed / nu ** (d / 2)) - 1)
    assert is_zero(sympy.gammasimp(printed.subs({nu: 2, d: 2})) - 2)


@evidence(LAPLACIAN, level=Level.PROVED)
def check_laplacian_integral() -> None:
    """Integrate symbolically, and compare the two forms of c_d."""
    d, r, sigma, _ = _symbols()
    constant = sympy.gamma(d / 2) / (2 * sympy.pi ** (d / 2) * sympy.gamma(d))
    other = 1 / (2**d * sympy.pi ** ((d - 1) / 2) * sympy.gamma((d + 1) / 2))
    mass = _mass(sympy.exp(-r / sigma), r, d)
    assert is_zero(sympy.gammasimp(constant / sigma**d * mass) - 1)
    assert is_zero(sympy.gammasimp(constant / other) - 1)


def _specs(name: KernelName) -> list[KernelSpec]:
    if name != "student":
        return [KernelSpec(name, 1.5)]
    return [KernelSpec(name, 1.5, dof) for dof in _DOFS]


def _numeric_mass(spec: KernelSpec, dim: int) -> mpf:
    """Integrate the reference's kernel over all radii r = sigma share / (1 - share)."""
    ctx, kernel = make_context(_RADIUS_DIGITS), bridge.reference_kernel(spec)
    scale = ctx.mpf(spec.bandwidth)
    half = ctx.mpf(dim) / 2
    log_area = ctx.log(2) + half * ctx.log(ctx.pi) - ctx.loggamma(half)

    def shell(share: mpf) -> mpf:
        radius = scale * share / (1 - share)
        width = scale / (1 - share) ** 2
        return radius ** (dim - 1) * ctx.exp(kernel.log_profile(ctx, radius * radius, dim)) * width

    return ctx.quad(shell, [0, 1]) * ctx.exp(log_area + kernel.log_normaliser(ctx, dim))


@evidence(GAUSSIAN, level=Level.TESTED, corroborates=True)
@evidence(STUDENT, level=Level.TESTED, corroborates=True)
@evidence(LAPLACIAN, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("dim", _DIMENSIONS)
@pytest.mark.parametrize("name", KERNEL_NAMES)
def check_both_normalisers(name: KernelName, dim: int) -> None:
    """Integrate the reference's kernel numerically, and compare the fast normaliser with it."""
    for spec in _specs(name):
        assert scalar_error(_numeric_mass(spec, dim), 1) <= tolerances.quadrature_bound(_RADIUS_DIGITS)
        fast = bridge.fast_kernel(spec).log_normaliser(dim)
        exact = float(bridge.reference_kernel(spec).log_normaliser(bridge.context(), dim))
        assert abs(fast - exact) <= tolerances.normaliser_bound(_term_magnitude(spec, dim), dim)


def _term_magnitude(spec: KernelSpec, dim: int) -> float:
    """Sum the magnitudes of the terms of log k(0, 0)."""
    nu = spec.dof or 1.0
    gammas = [math.lgamma((nu + dim) / 2), math.lgamma(nu / 2), math.lgamma(dim / 2), math.lgamma(dim)]
    logs = [math.log(2), dim * math.log(2 * math.pi), dim * math.log(nu), dim * math.log(spec.bandwidth)]
    return math.fsum(map(abs, gammas + logs))


def _profiles() -> dict[str, tuple[sympy.Expr, sympy.Expr]]:
    """Return k/tau^2 of each kernel at the squared distance t, beside t."""
    d, _, sigma, nu = _symbols()
    (t,) = sympy.symbols("t,", positive=True)
    profiles = {
        "gaussian": sympy.exp(-t / (2 * sigma**2)),
        "student": (1 + t / (nu * sigma**2)) ** (-(nu + d) / 2),
        "laplacian": sympy.exp(-sympy.sqrt(t) / sigma),
    }
    return {name: (t, profile) for name, profile in profiles.items()}


@evidence(FEATURE_NORM, level=Level.PROVED)
@pytest.mark.parametrize("name", KERNEL_NAMES)
def check_profile_falls_from_1_to_0(name: KernelName) -> None:
    """Take value and limits symbolically, and the sign of the derivative."""
    t, profile = _profiles()[name]
    assert is_zero(sympy.limit(profile, t, 0, "+") - 1)
    assert is_zero(sympy.limit(profile, t, sympy.oo))
    assert sympy.simplify(profile.diff(t) / profile).is_negative


@evidence(FEATURE_NORM, level=Level.TESTED, corroborates=True)
@given(strategies.data_sets(), strategies.kernels())
def check_constant_feature_norm(rows: Rows, spec: KernelSpec) -> None:
    """Evaluate k(x, x) at each row: always k(0, 0), in both implementations; the profile is 1 at 0."""
    ctx, dim, slow, fast = (
        bridge.context(),
        len(rows[0]),
        bridge.reference_kernel(spec),
        bridge.fast_kernel(spec),
    )
    for row in rows[:2]:
        assert slow.log_kernel(ctx, row, [row]) == (slow.log_normaliser(ctx, dim),)
        assert fast.log_kernel(row, [row])[0] == fast.log_normaliser(dim)
    assert slow.profile(ctx, 0, dim) == 1
    assert fast.profile([0.0], dim)[0] == 1


@evidence(FEATURE_NORM, level=Level.TESTED, corroborates=True)
@example(KernelSpec("gaussian", 1.0), [0.0, 1.0, 4.0], 2)
@given(strategies.kernels(), st.lists(st.floats(0, 1e30), min_size=2, max_size=8), st.integers(1, 50))
def check_profile_falls(spec: KernelSpec, sqdists: list[float], dim: int) -> None:
    """Evaluate the profile at increasing distances: it never rises and stays within [0, 1]."""
    ctx, slow = bridge.context(), bridge.reference_kernel(spec)
    ordered = sorted(sqdists)
    exact = [slow.log_profile(ctx, sqdist, dim) for sqdist in ordered]
    assert exact == sorted(exact, reverse=True)
    fast = bridge.fast_kernel(spec).profile(ordered, dim)
    assert fast.max() <= 1
    assert fast.min() >= 0
    assert (np.diff(fast) <= 0).all()


@evidence(FACTS, level=Level.TESTED)
@pytest.mark.parametrize("package", ["reference", "fast"])
@pytest.mark.parametrize("name", KERNEL_NAMES)
def check_declared_facts(name: KernelName, package: str) -> None:
    """Measure the facts of a kernel: signs, integral, quadratic forms, dependence on the dimension."""
    facts, spec = KERNEL_FACTS[name], _specs(name)[-1]
    profile, log_normaliser = implemented(spec)[package]
    distances = [(mesh * spec.bandwidth) ** 2 for mesh in MESHES]
    values = [profile(distances, dim) for dim in _FACT_DIMENSIONS]
    assert (values[0] != values[1]) == facts.profile_depends_on_dimension
    assert all(value >= 0 for row in values for value in row) == facts.nonnegative
    forms = [form for dim in _FACT_DIMENSIONS for form in equidistant_forms(profile, spec.bandwidth, dim)]
    assert (min(forms) > 0) == facts.psd_in_every_dimension
    mass = mass_on_the_line(profile, log_normaliser(1), spec.bandwidth)
    assert (round(mass, _MASS_DECIMALS) == 1) == facts.integrates_to_one


@evidence(FACTS, level=Level.TESTED)
def check_forms_tell_the_biweight() -> None:
    """Show that the forms are negative for the biweight of three bandwidths, which is of finite support."""
    assert min(equidistant_forms(lambda sqdists, _: [max(0.0, 1 - t / 9) ** 2 for t in sqdists], 1.0, 1)) < 0
