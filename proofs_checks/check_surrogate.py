"""Claims about the quadratic surrogate u(x; r) of rho (section 8.4): it touches rho and lies above it."""

from itertools import product
from typing import Final

import pytest
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from rkde.fast.rkhs import surrogate_loss as fast_surrogate
from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import LossSpec
from rkde.proofs_checks.symbolic import is_zero, robust_loss
from rkde.reference.rkhs import surrogate_loss

TOUCHES = Claim(
    id="surrogate.touches",
    label="eqn:surrogate1",
    section="8.4",
    statement=(
        "u(x; r) = rho(r) - r psi(r)/2 + phi(r) x^2/2 takes the value rho(r) at x = r, as printed, and for "
        "r > 0 has the slope psi(r) there, so that it touches rho."
    ),
    hypotheses=("r >= 0",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="phi(r) r^2 = r psi(r), and the derivative of u in x is phi(r) x.",
    source=Source.PRINTED,
)
ABOVE = Claim(
    id="surrogate.above",
    label="eqn:surrogate2",
    section="8.4",
    statement="u(x; r) >= rho(x) for all x, r >= 0 and all admissible thresholds of Huber and Hampel.",
    hypotheses=("a > 0 (Huber)", "0 < a <= b < c (Hampel)", "x >= 0", "r >= 0"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Decided for each of the 4 pairs of Huber's and the 16 pairs of Hampel's pieces: u < rho has no real "
        "solution, whatever the thresholds. With phi one per cent larger or smaller it has one."
    ),
    source=Source.PRINTED,
)
MONOTONE = Claim(
    id="surrogate.monotone_phi",
    label="eqn:surrogate2",
    section="8.4",
    statement="u(x; r) >= rho(x) for every loss with rho' = psi at every x > 0 and a phi that never rises.",
    hypotheses=(
        "phi_nonincreasing",
        "rho is continuous at 0",
        "phi(0) is finite where r = 0",
        "x >= 0",
        "r >= 0",
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "rho(x) - rho(r) is the integral of t phi(t) from r to x. For x >= r the integrand is at most t "
        "phi(r), for x < r it is at least that, so in both cases rho(x) - rho(r) <= phi(r)(x^2 - r^2)/2, "
        "which is u(x; r) - rho(r)."
    ),
    necessity=(("phi_nonincreasing", "check_rising_phi_breaks_the_surrogate"),),
    source=Source.PRINTED,
)
NEEDS_MONOTONE = Claim(
    id="surrogate.needs_monotone_phi",
    label="eqn:surrogate2",
    section="8.4",
    statement=(
        "The paper's premise that phi is non-increasing cannot be left out: (A1) to (A3) alone do not give "
        "u(x; r) >= rho(x)."
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="rho(t) = t^4/4 has phi(t) = t^2, which rises, and u(2; 1) = 7/4 < 4 = rho(2).",
    source=Source.IMPLIED,
)
REAL = Claim(
    id="surrogate.real_arguments",
    label="ssec:proof_thm_convergence_bm (r in R, all x), eqn:surrogate2",
    section="8.4",
    statement=(
        "The surrogate is printed for every real r and x, although rho is defined from 0 on. With rho "
        "continued evenly, rho(-t) = rho(t), the inequality holds for all real r and x."
    ),
    hypotheses=("the loss is Huber's or Hampel's, continued evenly",),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "psi is then odd and phi even, so u(x; r) depends on |x| and |r| only. The proof of "
        "Theorem 3 uses residual norms only, which are never negative."
    ),
    source=Source.PRINTED,
)

_ROBUST: Final = ("huber", "hampel")
# Roundings of u and of the difference.
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
    """On each piece u(x; r) - rho(x) and its derivative in x vanish at x = r, and so does u(0; 0)."""
    r, parts = robust_loss(name)
    (x,) = sympy.symbols("x,", positive=True)
    for part in parts:
        phi = part.psi / r
        surrogate = part.rho - r * part.psi / 2 + phi * x**2 / 2
        gap = surrogate - part.rho.subs(r, x)
        assert is_zero(gap.subs(x, r))
        assert is_zero(gap.diff(x).subs(x, r))
    assert is_zero(sympy.limit(parts[0].rho - r * parts[0].psi / 2, r, 0, "+"))


@evidence(REAL, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_even_continuation(name: str) -> None:
    """No thresholds and no real x and r != 0 with u(x; r) below the even rho, psi being odd."""
    loss = RealLoss(name)
    x, r, phi = z3.Reals("x r phi")
    for at_x, at_r in product(loss.at(_size(x)), loss.at(_size(r))):
        psi = z3.If(r >= 0, at_r.psi, -at_r.psi)
        surrogate = at_r.rho - r * psi / 2 + phi * x * x / 2
        known = [r != 0, inside(at_x, _size(x)), inside(at_r, _size(r)), phi * r == psi]
        assert not has_model(*loss.admissible, *known, surrogate < at_x.rho)


def _size(value: z3.ArithRef) -> z3.ArithRef:
    return z3.If(value >= 0, value, -value)


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
def check_surrogate_in_both_implementations(spec: LossSpec, x_steps: int, r_steps: int) -> None:
    """Compare the surrogate with rho, for all four losses."""
    ctx, loss, fast = bridge.context(), bridge.reference_loss(spec), bridge.fast_loss(spec)
    x, r = x_steps / _DENOMINATOR, r_steps / _DENOMINATOR
    surrogate, rho = surrogate_loss(ctx, loss, x, r), loss.rho(ctx, x)
    scale = float(surrogate + loss.rho(ctx, r))
    assert float(rho - surrogate) <= tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * scale
    # The terms of u are at most u + 2 rho(r) in size, and each is rounded a few times.
    above = float(fast_surrogate(fast, x, r)) - float(fast.rho(x))
    assert above >= -tolerances.sum_bound(_ROUNDINGS) * 2 * scale
