"""Declared facts about losses and kernels: what is true of each, as data that tests check.

A fact declared true is property-tested; a fact declared false has a witness in the claims.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LossFacts:
    """Assumptions (A1) to (A5) of section 2 and the shape of a loss, for every admissible parameter."""

    a1: bool
    a2: bool
    a3: bool
    a4: bool
    a5: bool
    convex: bool
    strictly_increasing: bool
    phi_nonincreasing: bool
    psi_bounded: bool
    rho_bounded: bool


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """What the paper asks of a kernel (section 2), for every admissible parameter."""

    nonnegative: bool
    integrates_to_one: bool
    psd_in_every_dimension: bool
    profile_depends_on_dimension: bool


LOSS_FACTS: Final[dict[str, LossFacts]] = {
    # rho = t^2/2: psi = t is unbounded, which is what (A4) excludes.
    "quadratic": LossFacts(
        a1=True, a2=True, a3=True, a4=False, a5=True, convex=True, strictly_increasing=True,
        phi_nonincreasing=True, psi_bounded=False, rho_bounded=False,
    ),
    # rho = t: rho(t)/t -> 1, phi = 1/t is infinite at 0: the initialiser lies outside the paper's theory.
    "absolute": LossFacts(
        a1=False, a2=False, a3=False, a4=False, a5=False, convex=True, strictly_increasing=True,
        phi_nonincreasing=True, psi_bounded=True, rho_bounded=False,
    ),
    "huber": LossFacts(
        a1=True, a2=True, a3=True, a4=True, a5=True, convex=True, strictly_increasing=True,
        phi_nonincreasing=True, psi_bounded=True, rho_bounded=False,
    ),
    "hampel": LossFacts(
        a1=True, a2=True, a3=True, a4=True, a5=True, convex=False, strictly_increasing=False,
        phi_nonincreasing=True, psi_bounded=True, rho_bounded=True,
    ),
}  # fmt: skip

KERNEL_FACTS: Final[dict[str, KernelFacts]] = {
    "gaussian": KernelFacts(
        nonnegative=True,
        integrates_to_one=True,
        psd_in_every_dimension=True,
        profile_depends_on_dimension=False,
    ),
    "student": KernelFacts(
        nonnegative=True,
        integrates_to_one=True,
        psd_in_every_dimension=True,
        profile_depends_on_dimension=True,
    ),
    "laplacian": KernelFacts(
        nonnegative=True,
        integrates_to_one=True,
        psd_in_every_dimension=True,
        profile_depends_on_dimension=False,
    ),
}
