"""Claims about the quadratic surrogate u(x; r) of rho (section 8.4): it touches rho and lies above it."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, ProofClass, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import LossSpec
from rkde.proofs_checks.symbolic import is_zero, robust_loss
from rkde.reference.objective import surrogate_loss

TOUCHES = Claim(
    id="surrogate.touches",
    label="eqn:surrogate1",
    section="8.4",
    statement="u(x; r) = rho(r) - r psi(r)/2 + phi(r) x^2/2 takes the value rho(r) at x = r.",
    hypotheses=("r >= 0",),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="phi(r) r^2 = r psi(r).",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
ABOVE = Claim(
    id="surrogate.above",
    label="eqn:surrogate2",
    section="8.4",
    statement="u(x; r) >= rho(x) for all x, r >= 0 and all admissible thresholds of Huber and Hampel.",
    hypotheses=("a > 0", "0 < a <= b < c", "x >= 0", "r >= 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "Decided for each of the 4 and 16 pairs of pieces: u < rho has no real solution. With phi one per"
        " cent larger or smaller it has one."
    ),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
MONOTONE = Claim(
    id="surrogate.monotone_phi",
    label="eqn:surrogate2",
    section="8.4",
    statement="u(x; r) >= rho(x) for every loss with psi(t) = t phi(t) integrable and phi non-increasing.",
    hypotheses=("phi_nonincreasing", "x >= 0", "r > 0"),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument=(
        "rho(x) - rho(r) is the integral of t phi(t) from r to x. For x >= r the integrand is at most t "
        "phi(r), for x < r it is at least that, so in both cases rho(x) - rho(r) <= phi(r)(x^2 - r^2)/2, "
        "which is u(x; r) - rho(r)."
    ),
    necessity=(("phi_nonincreasing", "check_rising_phi_breaks_the_surrogate"),),
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)
NEEDS_MONOTONE = Claim(
    id="surrogate.needs_monotone_phi",
    label="eqn:surrogate2",
    section="8.4",
    statement=(
        "The paper's premise that phi is non-increasing cannot be left out: (A1) to (A3) alone do not give "
        "u(x; r) >= rho(x)."
    ),
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.PROVED,
    argument="rho(t) = t^4/4 has phi(t) = t^2, which rises, and u(2; 1) = 7/4 < 4 = rho(2).",
    source=Source.PRINTED,
    proof_class=ProofClass.B,
)

_ROBUST: Final = ("huber", "hampel")
# Roundings of u and of the difference at the reference's precision.
_ROUNDINGS: Final = 12
_DENOMINATOR: Final = 64
_LARGEST: Final = 3 * _DENOMINATOR


def _misfit(name: str, factor: str) -> bool:
    """Tell whether u(x; r) < rho(x) is possible once phi(r) is multiplied by `factor`."""
    loss = RealLoss(name)
    x, r, phi = z3.Reals("x r phi")
    found = False
    for at_x, at_r in product(loss.at(x), loss.at(r)):
        surrogate = at_r.rho - r * r * phi / 2 + phi * x * x / 2
        known = [r > 0, inside(at_x, x), inside(at_r, r), phi * r == z3.RealVal(factor) * at_r.psi]
        found = found or has_model(*loss.admissible, *known, surrogate < at_x.rho)
    return found


@evidence(TOUCHES, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_surrogate_touches(name: str) -> None:
    """u(r; r) - rho(r) = 0 on each piece, symbolically."""
    r, parts = robust_loss(name)
    for part in parts:
        assert is_zero(part.rho - r * part.psi / 2 + part.psi / r * r * r / 2 - part.rho)


@evidence(ABOVE, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_surrogate_lies_above(name: str) -> None:
    """No thresholds, x and r > 0 with u(x; r) < rho(x)."""
    assert not _misfit(name, "1")


@evidence(ABOVE, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_surrogate_lies_above_at_zero(name: str) -> None:
    """At r = 0 the surrogate is x^2/2 (phi(0) = 1), and no rho exceeds it."""
    loss, x = RealLoss(name), z3.Real("x")
    for part in loss.at(x):
        assert not has_model(*loss.admissible, inside(part, x), x * x / 2 < part.rho)


@evidence(ABOVE, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
@pytest.mark.parametrize("factor", ["0.99", "1.01"])
def check_altered_surrogate_is_refuted(name: str, factor: str) -> None:
    """Find the violation by the same procedure when phi is one per cent off."""
    assert _misfit(name, factor)


@evidence(MONOTONE, level=Level.PROVED)
def check_integrand_inequality() -> None:
    """phi(t) <= phi(r) beyond r, and >= before, give the inequality of the integrands t phi."""
    t, r, phi_t, phi_r = z3.Reals("t r phi_t phi_r")
    assert not has_model(t >= r, r > 0, phi_t <= phi_r, t * phi_t > t * phi_r)
    assert not has_model(t <= r, t >= 0, phi_t >= phi_r, t * phi_t < t * phi_r)


@evidence(MONOTONE, level=Level.PROVED)
def check_integrated_bound_is_the_surrogate() -> None:
    """Integrate t phi(r) from r to x and add rho(r): this is u(x; r)."""
    t, x, r, phi, rho = sympy.symbols("t x r phi rho", positive=True)
    bound = rho + sympy.integrate(t * phi, (t, r, x))
    assert is_zero(bound - (rho - r * (r * phi) / 2 + phi * x * x / 2))


@evidence(NEEDS_MONOTONE, level=Level.PROVED)
def check_rising_phi_breaks_the_surrogate() -> None:
    """Evaluate the witness rho = t^4/4 exactly; rho/t -> 0 and phi(0) = 0, so (A1) to (A3) hold."""
    (t,) = sympy.symbols("t,", positive=True)
    rho = t**4 / 4
    psi = rho.diff(t)
    assert is_zero(sympy.limit(rho / t, t, 0, "+"))
    assert is_zero(sympy.limit(psi / t, t, 0, "+"))
    surrogate = (rho - t * psi / 2 + psi / t * 2).subs(t, 1)
    assert is_zero(surrogate - sympy.Rational(7, 4))
    assert is_zero(rho.subs(t, 2) - 4)


@evidence(ABOVE, level=Level.TESTED, corroborates=True)
@evidence(MONOTONE, level=Level.TESTED, corroborates=True)
@given(strategies.losses(), st.integers(0, _LARGEST), st.integers(1, _LARGEST))
def check_surrogate_in_the_reference(spec: LossSpec, x_steps: int, r_steps: int) -> None:
    """Compare the reference's surrogate with its rho, for all four losses."""
    ctx, loss = bridge.context(), bridge.reference_loss(spec)
    x, r = x_steps / _DENOMINATOR, r_steps / _DENOMINATOR
    surrogate, rho = surrogate_loss(ctx, loss, x, r), loss.rho(ctx, x)
    slack = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * float(surrogate + loss.rho(ctx, r))
    assert float(rho - surrogate) <= slack
