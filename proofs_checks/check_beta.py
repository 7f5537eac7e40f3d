"""Claims about beta(x'), the L2 norm of an influence function (section 6.2.1): closed forms."""

from typing import Final

import pytest
import sympy

from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KernelName, KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.proofs_checks.tolerances import self_convolution_bound
from rkde.reference.numbers import make_context

GAUSSIAN = Claim(
    id="beta.gaussian",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "For the Gaussian kernel the integral of k(., y) k(., z) is the Gaussian kernel of bandwidth "
        "sqrt(2) sigma at y, z."
    ),
    hypotheses=("Gaussian kernel",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="One coordinate at a time; kernel and integral are products over the coordinates.",
    source=Source.UNSPECIFIED,
    proof_class=ProofClass.B,
)
LAPLACIAN = Claim(
    id="beta.laplacian",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "For the Laplacian kernel in one dimension the integral of k(., y) k(., z) is (1 + u) exp(-u)/(4 "
        "sigma) with u = |y - z|/sigma."
    ),
    hypotheses=("Laplacian kernel", "d = 1"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Integrate left of both points, between them and right of both.",
    source=Source.UNSPECIFIED,
    proof_class=ProofClass.A,
)
QUADRATIC_FORM = Claim(
    id="beta.quadratic_form",
    label="sssec:exp_if (beta)",
    section="6.2.1",
    statement=(
        "beta(x')^2 = z'Bz with z = (alpha_1, ..., alpha_n, alpha') and B the integrals of products of two "
        "kernels, so that beta is computed without quadrature."
    ),
    hypotheses=("the influence function is a sum of z_i k(., X_i) and of alpha' k(., x')",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Expand the square of the sum and integrate term by term: one more term z k adds twice its product "
        "with the sum so far, and its own square, as one more row and column of B do."
    ),
    source=Source.UNSPECIFIED,
    proof_class=ProofClass.B,
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
def check_square_with_one_more_term() -> None:
    """Expand (S + z k)^2, integrate each term, and compare with a form of one more row and column."""
    so_far, z, k, form, products, own = sympy.symbols("S z k form products b", real=True)
    square = sympy.Poly((so_far + z * k) ** 2, so_far, k)
    # The integrals of S^2, of S k and of k^2; with B the second is the sum of z_i b_i.
    integrals: dict[tuple[int, ...], sympy.Expr] = {(2, 0): form, (1, 1): products, (0, 2): own}
    integral = sum((c * integrals[power] for power, c in square.terms()), sympy.Integer(0))
    first, second, b_00, b_01, b_11, b_0, b_1 = sympy.symbols("z_0 z_1 b_00 b_01 b_11 b_0 b_1", real=True)
    matrix = sympy.Matrix([[b_00, b_01, b_0], [b_01, b_11, b_1], [b_0, b_1, own]])
    vector = sympy.Matrix([first, second, z])
    old = first**2 * b_00 + 2 * first * second * b_01 + second**2 * b_11
    grown = integral.subs({form: old, products: first * b_0 + second * b_1})
    assert is_zero((grown - (vector.T * matrix * vector)[0]).expand())


@evidence(GAUSSIAN, level=Level.TESTED, corroborates=True)
@evidence(LAPLACIAN, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
def check_both_self_convolutions(name: KernelName) -> None:
    """Compare the profile of both packages with the closed forms, relative to distance 0."""
    ctx, spec = make_context(_DIGITS), KernelSpec(name, 0.75)
    slow, fast, sigma = bridge.reference_kernel(spec), bridge.fast_kernel(spec), ctx.mpf("0.75")
    for distance in map(ctx.mpf, _DISTANCES):
        scaled = distance / sigma
        gaussian, laplacian = ctx.exp(-(scaled**2) / 4), (1 + scaled) * ctx.exp(-scaled)
        expected = gaussian if name == "gaussian" else laplacian
        value = slow.self_convolution(ctx, distance**2, 1)
        assert scalar_error(value, expected) <= tolerances.quadrature_bound(_DIGITS)
        (near,) = fast.self_convolution([float(distance) ** 2], 1)
        assert scalar_error(float(near), expected) <= self_convolution_bound(float(expected), 1)
