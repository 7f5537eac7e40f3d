"""Planted faults for the claims about beta."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _the_kernel_itself(_: Any) -> Any:
    return lambda self, *given: self.profile(*given)


FAULTS: Final = (
    Fault(
        name="The bandwidth doubles instead of growing by sqrt(2)",
        claims=("beta.gaussian",),
        plant=restated("beta", "sympy.exp(-(z**2) / (4 * sigma**2))", "sympy.exp(-(z**2) / (8 * sigma**2))"),
        caught_by=("check_gaussian_product",),
    ),
    Fault(
        name="The piece between the points is left out",
        claims=("beta.laplacian",),
        plant=restated("beta", "(left + between + right)", "(left + right)"),
        caught_by=("check_laplacian_product",),
    ),
    Fault(
        name="Mixed products count half",
        claims=("beta.quadratic_form",),
        plant=restated("beta", "(1, 1): products", "(1, 1): products / 2"),
        caught_by=("check_square_with_one_more_term",),
    ),
    *(
        Fault(
            name=f"The self-convolution of the {kernel} kernel is the kernel, in the {package} package",
            claims=(f"beta.{kernel.lower()}",),
            plant=replaced(f"rkde.{package}.kernels.{kernel}.self_convolution", _the_kernel_itself),
            caught_by=("check_both_self_convolutions",),
        )
        for kernel in ("Gaussian", "Laplacian")
        for package in ("fast", "reference")
    ),
)
