"""Claims about kernels of finite support (section 2), each witness in whole numbers."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

import sympy

from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.symbolic import is_zero

UNIFORM = Claim(
    id="finite_support.uniform",
    label="sec:rkde (finite support)",
    section="2",
    statement="The uniform kernel 1(|x - y| <= 1) is not positive semi-definite.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Points 0, 1, 2 and v = (1, -2, 1): v'Kv = 6 - 8 = -2.",
    source=Source.PRINTED,
)
EPANECHNIKOV = Claim(
    id="finite_support.epanechnikov",
    label="sec:rkde (finite support)",
    section="2",
    statement="The Epanechnikov kernel (1 - |x - y|^2)_+ is not positive semi-definite.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Points 0, 1/2, 1, 3/2, 2 and v = (1, -2, 1, -2, 1): v'Kv = 11 - 16 (3/4) = -1.",
    source=Source.PRINTED,
)
BIWEIGHT = Claim(
    id="finite_support.biweight",
    label="sec:rkde (finite support)",
    section="2",
    statement="The biweight kernel (1 - |x - y|^2)_+^2 is not positive semi-definite.",
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Points 0, 1/3, ..., 4/3 and v = (1, -2, 2, -2, 1): v'Kv = -2/81.",
    source=Source.PRINTED,
)
PLANE = Claim(
    id="finite_support.triangle_in_the_plane",
    label="sec:rkde (completely monotone)",
    section="2",
    statement="Positive semi-definiteness in the given dimension is the same as complete monotonicity of g.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "(1 - |x - y|)_+ is positive semi-definite on the line (semidefinite.finite_support), but not in "
        "the plane: on the 5 x 5 grid of mesh 1/sqrt(2), with v_ij = (-1)^(i+j) u_i u_j and u = (1, 2, 2, "
        "2, 1), v'Kv = 14 (24 sqrt(2) - 34) < 0. So the dimension decides, and a condition on g alone does "
        "not. For all dimensions at once the equivalence holds (semidefinite.equivalence)."
    ),
    counterexample=("check_triangle_fails_in_the_plane", "check_triangle_on_the_line"),
    source=Source.PRINTED,
)
EVERY_DIMENSION = Claim(
    id="finite_support.every_dimension",
    label="sec:rkde (finite support)",
    section="2",
    statement=(
        "No radial kernel of finite support is positive semi-definite in every dimension: the mixture of "
        "section 2 is positive at every distance."
    ),
    hypotheses=("psd_in_every_dimension", "g(0) > 0"),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "By Schoenberg's theorem g(t) is the integral of exp(-s t) over a finite measure mu, and mu([0, S]) "
        "> 0 for some S because g(0) > 0. There exp(-s t) >= exp(-S t), so g(t) >= mu([0, S]) exp(-S t) > "
        "0."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.D,
    cites=("Schoenberg (1938), Metric spaces and completely monotone functions, Theorem 2",),
)

_WITNESSES: Final = {
    "uniform": (Fraction(1), (1, -2, 1), Fraction(-2)),
    "epanechnikov": (Fraction(1, 2), (1, -2, 1, -2, 1), Fraction(-1)),
    "biweight": (Fraction(1, 3), (1, -2, 2, -2, 1), Fraction(-2, 81)),
}


def uniform(sqdist: Fraction) -> Fraction:
    """Return 1 up to distance 1."""
    return Fraction(int(sqdist <= 1))


def epanechnikov(sqdist: Fraction) -> Fraction:
    """Return the positive part of 1 - t."""
    return max(Fraction(0), 1 - sqdist)


def biweight(sqdist: Fraction) -> Fraction:
    """Return the square of the Epanechnikov profile."""
    return epanechnikov(sqdist) ** 2


def quadratic_form(
    profile: Callable[[Fraction], Fraction], mesh: Fraction, vector: Sequence[int]
) -> Fraction:
    """Return v'Kv for points 0, mesh, 2 mesh, ..."""
    pairs = product(enumerate(vector), repeat=2)
    return sum((v * w * profile((mesh * (i - j)) ** 2) for (i, v), (j, w) in pairs), Fraction(0))


def _check_witness(name: str, profile: Callable[[Fraction], Fraction]) -> None:
    mesh, vector, value = _WITNESSES[name]
    assert quadratic_form(profile, mesh, vector) == value < 0


@evidence(UNIFORM, level=Level.CERTIFIED)
def check_uniform_kernel() -> None:
    """Evaluate the form in whole numbers."""
    _check_witness("uniform", uniform)


@evidence(EPANECHNIKOV, level=Level.CERTIFIED)
def check_epanechnikov_kernel() -> None:
    """Evaluate the form in fractions."""
    _check_witness("epanechnikov", epanechnikov)


@evidence(BIWEIGHT, level=Level.CERTIFIED)
def check_biweight_kernel() -> None:
    """Evaluate the form in fractions."""
    _check_witness("biweight", biweight)


_BORDER: Final = (1, 2, 2, 2, 1)


def _grid_form() -> tuple[int, int]:
    """Return integers (p, q) with v'Kv = p + q sqrt(2) for the triangle on the grid of mesh 1/sqrt(2)."""
    cells = list(product(range(len(_BORDER)), repeat=2))
    whole, half_roots = 0, 0
    for i, j in cells:
        for k, m in cells:
            entry = (-1) ** (i + j + k + m) * _BORDER[i] * _BORDER[j] * _BORDER[k] * _BORDER[m]
            twice_sqdist = (i - k) ** 2 + (j - m) ** 2
            # The profile is 1 at distance 0, 1 - sqrt(2)/2 at 1/sqrt(2), and 0 from 1 on.
            whole += entry * (twice_sqdist <= 1)
            half_roots -= entry * (twice_sqdist == 1)
    assert half_roots % 2 == 0
    return whole, half_roots // 2


@evidence(PLANE, level=Level.CERTIFIED)
def check_triangle_fails_in_the_plane() -> None:
    """Evaluate the form in Q(sqrt(2)): p + q sqrt(2) < 0 with p < 0 < q is 2 q^2 < p^2."""
    whole, roots = _grid_form()
    assert (whole, roots) == (14 * -34, 14 * 24)
    assert 2 * roots * roots < whole * whole


@evidence(PLANE, level=Level.PROVED)
def check_triangle_on_the_line() -> None:
    """Write the triangle as the convolution of an interval's indicator with itself: its form is a norm."""
    x, shift = sympy.symbols("x shift", positive=True)
    # Overlap of [0, 1] and [shift, 1 + shift] for 0 <= shift <= 1.
    overlap = sympy.integrate(sympy.Integer(1), (x, shift, 1))
    assert is_zero(overlap - (1 - shift))


@evidence(EVERY_DIMENSION, level=Level.PROVED)
def check_mixture_is_positive() -> None:
    """exp(-s t) falls in s and is positive, so it is at least exp(-S t) for every s up to S."""
    s, t = sympy.symbols("s t", positive=True)
    factor = sympy.exp(-s * t)
    assert factor.is_positive
    assert factor.diff(s).is_negative
