"""Claims about assumptions (A1) to (A5) of section 2, and about every declared fact of a loss."""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Final

import pytest
import sympy
import z3

from rkde.facts import LOSS_FACTS
from rkde.proofs_checks import bridge
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import RealLoss, has_model, inside
from rkde.proofs_checks.strategies import LOSS_NAMES, LossName, LossSpec
from rkde.proofs_checks.symbolic import is_zero, robust_loss

HOLD = Claim(
    id="assumptions.hold",
    label="sec:rkde",
    section="2",
    statement=(
        "Huber's and Hampel's losses satisfy (A1) to (A5); phi has the Lipschitz constant 1/a, and "
        "max(1/a, ac/(b^2(c - b)))."
    ),
    hypotheses=("a > 0 (Huber), 0 < a <= b < c (Hampel)",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "(A1): psi is nowhere negative and rho(t)/t tends to 0 at 0. (A2): phi tends to 1. (A3): the pieces "
        "of psi agree at the kinks, and phi = psi/t with kinks above 0. (A4): psi <= a and phi <= 1. (A5): "
        "|phi'| is at most the constant on each piece, and phi is continuous, so the constant holds across "
        "the kinks."
    ),
    source=Source.PRINTED,
)
ABSOLUTE_OUTSIDE = Claim(
    id="assumptions.absolute_outside",
    label="ssec:exp_setup",
    section="6.1.2",
    statement=(
        "The theory of sections 2 to 4 covers the loss rho(t) = t, which gives the initial estimate and the "
        "thresholds."
    ),
    verdict=Verdict.FAILS,
    level=Level.FORMAL,
    argument=(
        "rho(t)/t = 1 does not tend to 0, so (A1) fails. phi(t) = 1/t tends to infinity at 0, so that (A2) "
        "to (A5) fail: phi has no finite limit there, is neither continuous nor bounded, and has no "
        "Lipschitz constant. A residual of f_med is 0 as soon as f_med is a data point."
    ),
    counterexample=("check_absolute_loss_breaks_the_assumptions",),
    source=Source.IMPLIED,
)
FACTS = Claim(
    id="assumptions.facts",
    label="sec:rkde",
    section="2",
    statement=(
        "What rkde.facts declares of the four losses is so: whatever is declared true is nowhere violated, "
        "and whatever is declared false is violated somewhere."
    ),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument=(
        "Each fact is decided from values at 256 arguments up to 2 and at the powers of two from 2^-60 to "
        "2^60; the declared value must be the measured one, for both packages and four sets of thresholds."
    ),
    source=Source.IMPLIED,
)

_ROBUST: Final = ("huber", "hampel")


@evidence(HOLD, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_a1_and_a2(name: str) -> None:
    """rho(0) = 0, rho(t)/t -> 0, psi(t)/t -> 1 on the first piece; psi is nowhere negative."""
    t, parts = robust_loss(name)
    assert is_zero(parts[0].rho.subs(t, 0))
    assert is_zero(sympy.limit(parts[0].rho / t, t, 0, "+"))
    assert is_zero(sympy.limit(parts[0].psi / t, t, 0, "+") - 1)
    loss, real = RealLoss(name), z3.Real("t")
    for part in loss.at(real):
        assert not has_model(*loss.admissible, inside(part, real), part.psi < 0)


@evidence(HOLD, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_a3(name: str) -> None:
    """Neighbouring pieces of psi agree at each kink, and so do those of phi, because a kink is positive."""
    t, parts = robust_loss(name)
    for left, right in pairwise(parts):
        assert left.end is not None
        assert is_zero((left.psi - right.psi).subs(t, left.end))
        assert is_zero((left.psi / t - right.psi / t).subs(t, left.end))


@evidence(HOLD, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_a4(name: str) -> None:
    """No thresholds and no t > 0 with psi > a or phi > 1."""
    loss, t = RealLoss(name), z3.Real("t")
    for part in loss.at(t):
        question = z3.Or(part.psi > loss.a, part.psi > t)
        assert not has_model(*loss.admissible, t > 0, inside(part, t), question)


@evidence(HOLD, level=Level.PROVED)
@pytest.mark.parametrize("name", _ROBUST)
def check_a5(name: str) -> None:
    """|phi'| = |q|/t^2 <= L wherever L >= 1/a and L >= ac/(b^2 (c - b)); both are attained, at a and at b."""
    loss = RealLoss(name)
    t, lipschitz = z3.Reals("t L")
    bounds = [lipschitz * loss.a >= 1, lipschitz * loss.b * loss.b >= loss.ramp * loss.c]
    known = loss.admissible + (bounds if name == "hampel" else bounds[:1])
    slopes = [(inside(part, t), part.psi - t * part.psi_prime) for part in loss.at(t)]
    for within, slope in slopes:
        assert not has_model(*known, t > 0, within, slope > lipschitz * t * t)
    # Hampel's second piece is empty for a = b, and then the second bound is the larger one.
    attained = [(1, [lipschitz * loss.a == 1, t == loss.a])]
    if name == "hampel":
        attained.append((2, [lipschitz * loss.b * loss.b == loss.ramp * loss.c, t == loss.b]))
    for index, at_kink in attained:
        assert not has_model(*loss.admissible, *at_kink, slopes[index][1] != lipschitz * t * t)


@evidence(ABSOLUTE_OUTSIDE, level=Level.PROVED)
def check_absolute_loss_breaks_the_assumptions() -> None:
    """Take the limits of rho/t and phi at 0 symbolically; both implementations agree at 0."""
    (t,) = sympy.symbols("t,", positive=True)
    assert is_zero(sympy.limit(t / t, t, 0, "+") - 1)
    assert sympy.limit(1 / t, t, 0, "+") == sympy.oo
    spec, ctx = LossSpec("absolute"), bridge.context()
    assert bridge.reference_loss(spec).phi(ctx, 0) == ctx.inf
    assert math.isinf(bridge.fast_loss(spec).phi([0.0])[0])


_THRESHOLDS: Final = ((0.5, 0.75, 1.0), (0.25, 0.25, 1.25), (1.0, 1.0, 1.0625), (0.0625, 1.0, 1.375))
_GRID: Final = [i / 128 for i in range(1, 257)]
_SCALES: Final = [math.ldexp(1.0, i) for i in range(-60, 61)]
_FAR: Final = 20  # scales within 2^+-20 are the middle; what is bounded is not larger at the ends

Values = Callable[[str, Sequence[float]], list[float]]


def _bounded(values: Values, name: str) -> bool:
    sizes = values(name, _SCALES)
    middle = sizes[len(sizes) // 2 - _FAR : len(sizes) // 2 + _FAR + 1]
    return math.isfinite(max(sizes)) and max(sizes) <= 2 * max(middle)


def _starts_flat(values: Values) -> bool:
    tiny, large = _SCALES[0], _SCALES[_FAR]
    at_tiny, at_large = values("rho", [tiny, large])
    return at_tiny / tiny < at_large / large


def _nondecreasing(sizes: Sequence[float]) -> bool:
    return all(left <= right for left, right in pairwise(sizes))


def _continuous_at_zero(values: Values) -> bool:
    near, at_zero = values("phi", [_SCALES[0], 0.0])
    return math.isfinite(at_zero) and abs(near - at_zero) * 2 <= abs(at_zero)


def _lipschitz(values: Values) -> bool:
    phi = values("phi", _SCALES)
    steps = zip(pairwise(phi), pairwise(_SCALES), strict=True)
    slopes = [abs(high - low) / (right - left) for (low, high), (left, right) in steps]
    return max(slopes[:_FAR]) <= 2 * max(slopes[_FAR:])


_MEASURES: Final[dict[str, Callable[[Values], bool]]] = {
    "a1": lambda values: (
        _nondecreasing(values("rho", _GRID)) and values("rho", [0.0]) == [0.0] and _starts_flat(values)
    ),
    "a2": lambda values: math.isfinite(values("phi", [0.0])[0]),
    "a3": _continuous_at_zero,
    "a4": lambda values: _bounded(values, "psi") and _bounded(values, "phi"),
    "a5": _lipschitz,
    "convex": lambda values: _nondecreasing(values("psi", _GRID)),
    "strictly_increasing": lambda values: all(
        left < right for left, right in pairwise(values("rho", [*_GRID, *_SCALES[-_FAR:]]))
    ),
    "phi_nonincreasing": lambda values: _nondecreasing(values("phi", _GRID)[::-1]),
    "psi_bounded": lambda values: _bounded(values, "psi"),
    "rho_bounded": lambda values: _bounded(values, "rho"),
}


def _reference_values(spec: LossSpec) -> Values:
    ctx, loss = bridge.context(), bridge.reference_loss(spec)
    return lambda name, arguments: [float(getattr(loss, name)(ctx, t)) for t in arguments]


def _fast_values(spec: LossSpec) -> Values:
    loss = bridge.fast_loss(spec)
    return lambda name, arguments: [float(value) for value in getattr(loss, name)(list(arguments))]


def _specs(name: LossName) -> list[LossSpec]:
    count = {"huber": 1, "hampel": 3}.get(name, 0)
    return [LossSpec(name, thresholds[:count]) for thresholds in _THRESHOLDS]


@evidence(FACTS, level=Level.TESTED)
@pytest.mark.parametrize("fact", _MEASURES)
@pytest.mark.parametrize("name", LOSS_NAMES)
def check_declared_facts(name: LossName, fact: str) -> None:
    """Measure the fact on both implementations and compare it with the declaration."""
    declared = asdict(LOSS_FACTS[name])[fact]
    for spec in _specs(name):
        for values in (_reference_values(spec), _fast_values(spec)):
            assert _MEASURES[fact](values) == declared


@evidence(FACTS, level=Level.TESTED)
def check_every_fact_is_measured() -> None:
    """Require a measure for each fact that is declared."""
    for facts in LOSS_FACTS.values():
        assert asdict(facts).keys() == _MEASURES.keys()
