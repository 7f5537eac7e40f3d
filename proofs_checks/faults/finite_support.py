"""Planted faults for the claims about kernels of finite support."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="Uniform kernel of half the radius",
        claims=("finite_support.uniform",),
        plant=restated("finite_support", "int(sqdist <= 1)", "int(4 * sqdist <= 1)"),
        caught_by=("check_uniform_kernel",),
    ),
    Fault(
        name="Epanechnikov's profile falls linearly in the distance to the fourth",
        claims=("finite_support.epanechnikov", "finite_support.biweight"),
        plant=restated("finite_support", "max(Fraction(0), 1 - sqdist)", "max(Fraction(0), 1 - sqdist**2)"),
        caught_by=("check_epanechnikov_kernel", "check_biweight_kernel"),
    ),
    Fault(
        name="The grid's mesh is 1",
        claims=("finite_support.triangle_in_the_plane",),
        plant=restated("finite_support", "twice_sqdist <= 1)", "twice_sqdist <= 0)"),
        caught_by=("check_triangle_fails_in_the_plane",),
    ),
    Fault(
        name="The mixture grows with the distance",
        claims=("finite_support.every_dimension",),
        plant=restated("finite_support", "sympy.exp(-s * t)", "sympy.exp(s * t)"),
        caught_by=("check_mixture_is_positive",),
    ),
    Fault(
        name="The second interval is half as long",
        claims=("finite_support.triangle_in_the_plane",),
        plant=restated("finite_support", "(x, shift, 1))", "(x, shift, sympy.Rational(1, 2)))"),
        caught_by=("check_triangle_on_the_line",),
    ),
)
