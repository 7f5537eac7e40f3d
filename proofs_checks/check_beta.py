"""Claims about beta(x'), the L2 norm of an influence function (section 6.2.1): closed forms."""

from __future__ import annotations

from typing import Final

import pytest
import sympy

from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.context import make_context

GAUSSIAN = Claim(
    id="beta.gaussian",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "For the Gaussian kernel the integral of k(., y) k(., z) is the Gaussian kernel of sqrt(2) sigma at "
        "y, z."
    ),
    hypotheses=("Gaussian kernel",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "One coordinate at a time: the sum of two normal variables; the product over coordinates follows."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
LAPLACIAN = Claim(
    id="beta.laplacian",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "For the Laplacian kernel in one dimension the integral is (1 + u) exp(-u)/(4 sigma), u = |y - "
        "z|/sigma."
    ),
    hypotheses=("Laplacian kernel", "d = 1"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Integrate left of both, between and right of both.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
QUADRATIC_FORM = Claim(
    id="beta.quadratic_form",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "beta(x')^2 = z'Bz with z = (alpha_1, ..., alpha_n, alpha') and B the kernel's integrals of "
        "products, so beta is computed without quadrature."
    ),
    hypotheses=("the influence function is sum z_i k(., z_i)",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Expand the square of the sum and integrate term by term.",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)

_DIGITS: Final = 25
_DISTANCES: Final = ("0", "0.5", "2")


@evidence(GAUSSIAN, level=Level.PROVED)
def check_gaussian_product() -> None:
    """Integrate the product of two normal densities with means 0 and z."""
    x, z = sympy.symbols("x z", real=True)
    (sigma,) = sympy.symbols("sigma,", positive=True)
    norm = 1 / (sympy.sqrt(2 * sympy.pi) * sigma)
    product = norm**2 * sympy.exp(-(x**2) / (2 * sigma**2)) * sympy.exp(-((x - z) ** 2) / (2 * sigma**2))
    closed = sympy.exp(-(z**2) / (4 * sigma**2)) / (2 * sympy.sqrt(sympy.pi) * sigma)
    assert is_zero(sympy.integrate(sympy.expand(product), (x, -sympy.oo, sympy.oo)) - closed)


@evidence(LAPLACIAN, level=Level.PROVED)
def check_laplacian_product() -> None:
    """Integrate the three pieces for y = 0 and z > 0."""
    x = sympy.Symbol("x", real=True)
    z, sigma = sympy.symbols("z sigma", positive=True)
    scale = 1 / (2 * sigma) ** 2
    left = sympy.integrate(sympy.exp((2 * x - z) / sigma), (x, -sympy.oo, 0))
    between = sympy.integrate(sympy.exp(-z / sigma), (x, 0, z))
    right = sympy.integrate(sympy.exp(-(2 * x - z) / sigma), (x, z, sympy.oo))
    closed = (1 + z / sigma) * sympy.exp(-z / sigma) / (4 * sigma)
    assert is_zero(scale * (left + between + right) - closed)


@evidence(QUADRATIC_FORM, level=Level.PROVED)
def check_square_of_a_sum() -> None:
    """Expand (z_0 k_0 + z_1 k_1)^2 and read off the coefficients of the products."""
    z_0, z_1, k_0, k_1, b_00, b_01, b_11 = sympy.symbols("z_0 z_1 k_0 k_1 b_00 b_01 b_11")
    square = sympy.Poly((z_0 * k_0 + z_1 * k_1) ** 2, k_0, k_1)
    integrals: dict[tuple[int, ...], sympy.Expr] = {(2, 0): b_00, (1, 1): b_01, (0, 2): b_11}
    integral = sum((c * integrals[power] for power, c in square.terms()), sympy.Integer(0))
    vector, matrix = sympy.Matrix([z_0, z_1]), sympy.Matrix([[b_00, b_01], [b_01, b_11]])
    assert is_zero(integral - (vector.T * matrix * vector)[0])


@evidence(GAUSSIAN, level=Level.TESTED, corroborates=True)
@evidence(LAPLACIAN, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
def check_reference_self_convolution(name: str) -> None:
    """Compare the reference's profile with the closed forms, relative to distance 0."""
    ctx = make_context(_DIGITS)
    spec = KernelSpec("gaussian" if name == "gaussian" else "laplacian", 0.75)
    kernel, sigma = bridge.reference_kernel(spec), ctx.mpf("0.75")
    for distance in map(ctx.mpf, _DISTANCES):
        scaled = distance / sigma
        gaussian, laplacian = ctx.exp(-(scaled**2) / 4), (1 + scaled) * ctx.exp(-scaled)
        expected = gaussian if name == "gaussian" else laplacian
        value = kernel.self_convolution(ctx, distance**2, 1)
        assert scalar_error(value, expected) <= tolerances.quadrature_bound(_DIGITS)
