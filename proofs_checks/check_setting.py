"""Claims of the abstract and the introduction (sections 0 and 1): contamination model, what is promised."""

from __future__ import annotations

from typing import Final

import sympy
import z3

from rkde.proofs_checks import bridge
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.proofs_checks.symbolic import is_zero
from rkde.reference.kirwls import kirwls_step

NECESSARY = Claim(
    id="setting.necessary_conditions",
    label="abstract (necessary and sufficient conditions), sec:intro",
    section="abstract",
    statement=(
        "The condition given for convergence to the global minimiser, strict convexity of J, is necessary."
    ),
    hypotheses=(),
    verdict=Verdict.FAILS,
    level=Level.PROVED,
    argument=(
        "Two rows, Huber with a >= sqrt(2) tau: all residuals are below a, and one step from anywhere "
        "reaches the KDE, the minimiser. J is not strictly convex: far out on the line through both features "
        "it is linear."
    ),
    counterexample=("check_linear_far_out", "check_one_step_reaches_the_minimiser"),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
ASSUMPTIONS = Claim(
    id="setting.assumptions_abc",
    label="sec:intro (outlying, diffuse, not abundant)",
    section="1",
    statement="The contamination is outlying, diffuse and not abundant relative to the nominal data.",
    hypotheses=(),
    verdict=Verdict.OPEN,
    level=None,
    argument=(
        "The paper says that it will not state these conditions precisely, so there is nothing to decide. "
        "What can be checked: without any condition nothing is identifiable (setting.not_identifiable)."
    ),
    source=Source.PRINTED,
)
IDENTIFIABLE = Claim(
    id="setting.not_identifiable",
    label="eqn:contam, sec:intro",
    section="1",
    statement=(
        "Without assumptions f_0 cannot be recovered from the mixture (1 - p) f_0 + p f_1, for any 0 < p < "
        "1/2."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "f_0' = (1 - p) f_0 + p f_1 = f_1' gives the same mixture, and differs from f_0 wherever f_1 does."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
HALF = Claim(
    id="setting.less_than_half",
    label="eqn:contam, sec:conclusion (less than 50%)",
    section="7",
    statement="The share of contamination must be below one half.",
    hypotheses=("no further condition on f_0 and f_1",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="Exchange the names of f_0 and f_1: p becomes 1 - p, so for p >= 1/2 'nominal' is only a name.",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

_DISTANCE_BOUND: Final = 2


@evidence(NECESSARY, level=Level.PROVED)
def check_linear_far_out() -> None:
    """Put g = Phi_1 + s (Phi_1 - Phi_2) with s D > a: both residuals exceed a and grow linearly in s."""
    a, s, distance = sympy.symbols("a s D", positive=True)
    norms = [s * distance, (1 + s) * distance]
    value = sum((a * norm - a**2 / 2 for norm in norms), sympy.Integer(0))
    assert is_zero(value.diff(s, 2))


@evidence(NECESSARY, level=Level.PROVED)
def check_one_step_reaches_the_minimiser() -> None:
    """Refute a residual w D above a >= sqrt(2) for D^2 <= 2: phi = 1, so the next weights are equal."""
    share, distance, a = z3.Reals("w D a")
    known = [share >= 0, share <= 1, distance >= 0, distance * distance <= _DISTANCE_BOUND]
    assert not has_model(*known, a > 0, a * a >= _DISTANCE_BOUND, share * distance > a)
    ctx, kernel = bridge.context(), bridge.reference_kernel(KernelSpec("gaussian", 1.0))
    loss = bridge.reference_loss(LossSpec("huber", (1.5,)))
    half = ctx.mpf(1) / 2
    for first in (1.0, 0.75, 0.0):
        assert kirwls_step(ctx, [[0.0], [2.0]], kernel, loss, [first, 1 - first]) == (half, half)


def mixture(p: sympy.Expr, nominal: sympy.Expr, other: sympy.Expr) -> sympy.Expr:
    """Return (1 - p) f_0 + p f_1 at one point."""
    return (1 - p) * nominal + p * other


@evidence(ASSUMPTIONS, level=Level.PROVED)
@evidence(IDENTIFIABLE, level=Level.PROVED)
def check_another_nominal_density() -> None:
    """Take the mixture itself for both densities: it has the same mixture, and mass 1 like them."""
    p, nominal, other = sympy.symbols("p f_0 f_1", positive=True)
    whole = mixture(p, nominal, other)
    assert is_zero(mixture(p, whole, whole) - whole)
    assert is_zero(whole.subs({nominal: 1, other: 1}) - 1)
    assert is_zero(whole - nominal - p * (other - nominal))


@evidence(HALF, level=Level.PROVED)
def check_exchange_of_names() -> None:
    """(1 - p) f_0 + p f_1 is the mixture of f_1 and f_0 with 1 - p."""
    p, nominal, other = sympy.symbols("p f_0 f_1", positive=True)
    assert is_zero(mixture(p, nominal, other) - mixture(1 - p, other, nominal))
