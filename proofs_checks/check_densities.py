"""Claims that the estimates are densities: KDE, RKDE, and the variable-bandwidth KDE (sections 2, 3, 6)."""

from __future__ import annotations

import math
from typing import Final

import pytest
import sympy
import z3

from rkde.fast.vkde import vkde as fast_vkde
from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.measures import scalar_error
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelName, KernelSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.context import make_context
from rkde.reference.rkhs import RkhsElement
from rkde.reference.vkde import vkde

KDE = Claim(
    id="densities.kde",
    label="sec:rkde (KDE)",
    section="2",
    statement="The KDE is a density: nowhere negative, with integral 1.",
    hypotheses=("nonnegative", "integrates_to_one"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="A mean of n densities; integral and sign pass through finite sums with weights 1/n.",
    necessity=(("integrates_to_one", "check_a_printed_normaliser_breaks_the_integral"),),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
RKDE = Claim(
    id="densities.rkde",
    label="sec:representer (density), thm:representer, sec:rkde (valid density)",
    section="3",
    statement="The RKDE, and every iterate of KIRWLS, is a density.",
    hypotheses=("nonnegative", "integrates_to_one", "sum phi > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Weights are nonnegative of sum 1, so it is a mixture of densities.",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
VKDE = Claim(
    id="densities.vkde",
    label="ssec:exp_setup (VKDE)",
    section="6.1.2",
    statement="The variable-bandwidth estimate is a density, whatever its positive bandwidths.",
    hypotheses=("nonnegative", "integrates_to_one", "sigma_i > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Each k_sigma_i has its own constant, hence integral 1; the mean of n of them has too.",
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)
VKDE_MEAN = Claim(
    id="densities.vkde_mean",
    label="ssec:exp_setup (VKDE)",
    section="6.1.2",
    statement=(
        "With eta the arithmetic mean of the pilot densities, all bandwidths exceed those of the usual "
        "definition, which takes the geometric mean, by one common factor (A/G)^(1/2) >= 1."
    ),
    hypotheses=(),
    verdict=Verdict.REPAIRED,
    level=Level.PROVED,
    argument=(
        "The factor does not depend on i, and is 1 only if all pilot densities are equal: for densities 1 "
        "and 4 it is (5/4)^(1/2) = 1.118. The paper's formula is well defined; programs differ by this "
        "factor."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.C,
)

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
def check_mixture_of_densities() -> None:
    """Three weights of sum 1 and integrals 1: mass 1. Nonnegative weights and values: no negative value."""
    first, second = sympy.symbols("w_0 w_1", positive=True)
    one = sympy.Integer(1)
    assert is_zero(mass_of_mixture([first, second, 1 - first - second], [one, one, one]) - 1)
    weights, values = z3.Reals("w_0 w_1 w_2"), z3.Reals("k_0 k_1 k_2")
    known = [weight >= 0 for weight in weights] + [value >= 0 for value in values]
    mixture = weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2]
    assert not has_model(*known, mixture < 0)


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
def check_two_means_give_two_bandwidths() -> None:
    """Compute the squared ratio of the bandwidths for pilot densities 1 and 4: 5/4; never below 1."""
    one, four = sympy.Integer(1), sympy.Integer(4)
    ratio = sympy.sqrt(((one + four) / 2) / sympy.sqrt(one * four))
    assert is_zero(ratio**2 - sympy.Rational(5, 4))
    root_1, root_2 = z3.Reals("root_1 root_2")
    known = [root_1 > 0, root_2 > 0]
    assert not has_model(*known, (root_1**2 + root_2**2) / 2 < root_1 * root_2)
    assert not has_model(*known, (root_1**2 + root_2**2) / 2 == root_1 * root_2, root_1 < root_2)


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
    fast = fast_vkde(_ROWS, fast_kernel).bandwidths / others
    assert scalar_error(fast[0], float(ratios[0])) <= _bandwidth_ratio_bound(fast_kernel.log_normaliser(1))


def _bandwidth_ratio_bound(log_normaliser: float) -> float:
    """Bound the quotient of two bandwidths: twice one bandwidth's bound, from the errors of the pilot."""
    # Pilot densities of three rows lie between a third of the kernel's maximum and all of it.
    magnitude = abs(log_normaliser) + math.log(len(_ROWS))
    pilot = tolerances.log_density_bound(magnitude, magnitude, len(_ROWS), 1)
    return 2 * tolerances.vkde_bandwidth_bound(pilot, tolerances.log_mean_bound(pilot, len(_ROWS)))
