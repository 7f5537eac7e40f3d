"""Claims about rho, psi and phi of Huber and Hampel (section 2): integrals, monotonicity, q."""

from fractions import Fraction
from itertools import pairwise
from typing import Final

import pytest
import sympy
import z3
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import bridge, pieces, strategies, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import LossSpec
from rkde.proofs_checks.symbolic import is_zero, robust_loss

HUBER_RHO = Claim(
    id="losses.huber_rho",
    label="eqn:huber",
    section="2",
    statement=(
        "Huber's psi is the derivative of rho(t) = t^2/2 up to a and a t - a^2/2 beyond, with rho(0) = 0; "
        "both are continuous at a."
    ),
    hypotheses=("a > 0",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Differentiate each piece; both pieces of rho and of psi agree at a.",
    source=Source.PRINTED,
)
HAMPEL_RHO = Claim(
    id="losses.hampel_rho",
    label="eqn:hampel",
    section="2",
    statement=(
        "Hampel's psi is the derivative of rho(t) = t^2/2, a t - a^2/2, a(b + c - a)/2 - a(c - t)^2/(2(c - "
        "b)) and a(b + c - a)/2 on its four pieces, with rho(0) = 0; rho and psi are continuous at a, b and "
        "c."
    ),
    hypotheses=("0 < a <= b < c",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="Differentiate each piece; neighbouring pieces of rho and of psi agree where they meet.",
    source=Source.PRINTED,
)
PHI_NONINCREASING = Claim(
    id="losses.phi_nonincreasing",
    label="sec:rkde",
    section="2",
    statement=(
        "For Huber's and Hampel's losses phi(t) = psi(t)/t never increases. It is constant on [0, a], and "
        "for Hampel's loss beyond c, so that it does not decrease in the strict sense."
    ),
    hypotheses=("a > 0 (Huber), 0 < a <= b < c (Hampel)",),
    verdict=Verdict.REPAIRED,
    level=Level.FORMAL,
    argument=(
        "psi(s) t >= psi(t) s for 0 < s <= t on every pair of pieces, decided for all thresholds at once."
    ),
    source=Source.PRINTED,
)
Q_SIGN = Claim(
    id="losses.q_sign",
    label="thm:influence_true",
    section="5",
    statement="q(t) = t psi'(t) - psi(t) is never positive off the kinks of Huber's and Hampel's losses.",
    hypotheses=("a > 0 (Huber), 0 < a <= b < c (Hampel)",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "On the pieces q is 0 and -a for Huber's loss, and 0, -a, -a c/(c - b) and 0 for Hampel's. As q = "
        "t^2 phi' (influence_theorem.q_is_slope), this is the slope of losses.phi_nonincreasing."
    ),
    source=Source.IMPLIED,
)
PSI_BOUNDED = Claim(
    id="losses.psi_bounded",
    label="eqn:rkde",
    section="2",
    statement="0 <= psi <= a for Huber's and Hampel's losses; psi of the quadratic loss is not bounded.",
    hypotheses=("a > 0 (Huber), 0 < a <= b < c (Hampel)",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "Each piece lies between 0 and a, decided for all thresholds. For rho = t^2/2, psi = t tends to "
        "infinity."
    ),
    source=Source.PRINTED,
)

_ROBUST: Final = ("huber", "hampel")
# Arguments k / 64 up to 3, so every kind of threshold is met exactly.
_DENOMINATOR: Final = 64
_LARGEST: Final = 3 * _DENOMINATOR
# Roundings of one value at the reference's precision: the nine of the longest formula.
_ROUNDINGS: Final = 9


def _check_integral(name: str) -> None:
    t, parts = robust_loss(name)
    assert is_zero(parts[0].rho.subs(t, 0))
    for part in parts:
        assert is_zero(part.rho.diff(t) - part.psi)
        assert is_zero(part.psi.diff(t) - part.psi_prime)
    for left, right in pairwise(parts):
        assert left.end is not None
        assert left.end == right.start
        assert is_zero((left.rho - right.rho).subs(t, left.end))
        assert is_zero((left.psi - right.psi).subs(t, left.end))


@evidence(HUBER_RHO, level=Level.PROVED)
def check_huber_psi_is_the_derivative() -> None:
    """Symbolically, for every a."""
    _check_integral("huber")


@evidence(HAMPEL_RHO, level=Level.PROVED)
def check_hampel_psi_is_the_derivative() -> None:
    """Symbolically, for all a, b, c."""
    _check_integral("hampel")


def _exact_values(spec: LossSpec, t: Fraction) -> tuple[list[Fraction], Fraction]:
    """Return rho, psi, psi' (from the right) and q at t, exactly, and the size of rho's largest term."""
    one = Fraction(1)
    if spec.name == "huber":
        parts = pieces.huber(t, Fraction(spec.thresholds[0]), one)
    else:
        a, b, c = map(Fraction, spec.thresholds)
        parts = pieces.hampel(t, (a, b, c), a / (c - b), one)
    met = [part for part in parts if (part.start or 0) <= t and (part.end is None or t <= part.end)]
    part = met[-1]
    assert all(other.rho == part.rho and other.psi == part.psi for other in met)
    return [part.rho, part.psi, part.psi_prime, t * part.psi_prime - part.psi], 3 * part.rho + parts[-1].rho


def _arguments() -> st.SearchStrategy[float]:
    return st.integers(0, _LARGEST).map(lambda step: step / _DENOMINATOR)


def _check_reference(spec: LossSpec, t: float) -> None:
    ctx, loss = bridge.context(), bridge.reference_loss(spec)
    exact, scale = _exact_values(spec, Fraction(t))
    bound = Fraction(tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS))
    values = [loss.rho(ctx, t), loss.psi(ctx, t), loss.psi_prime(ctx, t), loss.q(ctx, t)]
    for value, truth in zip(values, exact, strict=True):
        assert abs(bridge.fraction(value) - truth) <= bound * max(scale, abs(truth))
    phi = exact[1] / Fraction(t) if t > 0 else Fraction(1)
    assert abs(bridge.fraction(loss.phi(ctx, t)) - phi) <= bound * phi


def _check_fast(spec: LossSpec, t: float) -> None:
    loss = bridge.fast_loss(spec)
    exact, _ = _exact_values(spec, Fraction(t))
    bound = Fraction(tolerances.sum_bound(_ROUNDINGS))
    rho_error = abs(Fraction(float(loss.rho([t])[0])) - exact[0])
    assert rho_error <= Fraction(tolerances.rho_bound(spec, t, float(exact[0])))
    values = [loss.psi([t]), loss.psi_prime([t]), loss.q([t])]
    for value, truth in zip(values, exact[1:], strict=True):
        assert abs(Fraction(float(value[0])) - truth) <= bound * abs(truth)
    phi = exact[1] / Fraction(t) if t > 0 else Fraction(1)
    assert abs(Fraction(float(loss.phi([t])[0])) - phi) <= bound * phi


@evidence(HUBER_RHO, level=Level.TESTED, corroborates=True)
@given(strategies.losses(("huber",)), _arguments())
def check_huber_in_both_implementations(spec: LossSpec, t: float) -> None:
    """Both implementations equal the proved pieces, evaluated in exact fractions."""
    _check_reference(spec, t)
    _check_fast(spec, t)


@evidence(HAMPEL_RHO, level=Level.TESTED, corroborates=True)
@given(strategies.losses(("hampel",)), _arguments())
def check_hampel_in_both_implementations(spec: LossSpec, t: float) -> None:
    """Both implementations equal the proved pieces, evaluated in exact fractions."""
    _check_reference(spec, t)
    _check_fast(spec, t)


@evidence(PHI_NONINCREASING, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_phi_never_increases(name: str) -> None:
    """No thresholds and no 0 < s <= t with phi(s) < phi(t)."""
    loss = RealLoss(name)
    s, t = z3.Reals("s t")
    for at_s in loss.at(s):
        for at_t in loss.at(t):
            question = [s > 0, s <= t, inside(at_s, s), inside(at_t, t), at_s.psi * t < at_t.psi * s]
            assert not has_model(*loss.admissible, *question)


@evidence(PHI_NONINCREASING, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_phi_is_not_strictly_decreasing(name: str) -> None:
    """Refute different phi at some s < t of the first piece, and of Hampel's last one."""
    loss = RealLoss(name)
    s, t = z3.Reals("s t")
    for piece in (0, -1) if name == "hampel" else (0,):
        at_s, at_t = loss.at(s)[piece], loss.at(t)[piece]
        two = [*loss.admissible, s > 0, s < t, inside(at_s, s), inside(at_t, t)]
        assert has_model(*two)
        assert not has_model(*two, at_s.psi * t != at_t.psi * s)


@evidence(Q_SIGN, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_q_is_never_positive(name: str) -> None:
    """No thresholds and no t with q(t) > 0."""
    loss = RealLoss(name)
    t = z3.Real("t")
    for part in loss.at(t):
        assert not has_model(*loss.admissible, inside(part, t), t * part.psi_prime - part.psi > 0)


@evidence(PSI_BOUNDED, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_psi_lies_between_0_and_a(name: str) -> None:
    """No thresholds and no t with psi(t) < 0 or psi(t) > a."""
    loss = RealLoss(name)
    t = z3.Real("t")
    for part in loss.at(t):
        assert not has_model(*loss.admissible, inside(part, t), z3.Or(part.psi < 0, part.psi > loss.a))


@evidence(PSI_BOUNDED, level=Level.PROVED)
def check_quadratic_psi_tends_to_infinity() -> None:
    """Differentiate t^2/2 and take the limit."""
    (t,) = sympy.symbols("t,", positive=True)
    assert sympy.limit((t**2 / 2).diff(t), t, sympy.oo) == sympy.oo


@evidence(PSI_BOUNDED, level=Level.TESTED, corroborates=True)
@given(st.floats(min_value=0, max_value=1e300))
def check_quadratic_psi_exceeds_any_bound(bound: float) -> None:
    """psi(2B + 1) > B for the quadratic loss of both implementations."""
    spec = LossSpec("quadratic")
    ctx = bridge.context()
    assert bridge.reference_loss(spec).psi(ctx, 2 * bound + 1) > ctx.convert(bound)
    assert bridge.fast_loss(spec).psi([2 * bound + 1])[0] > bound
