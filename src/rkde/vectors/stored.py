"""From a computed answer to what a vector file stores: decimals of 45 digits, a radius, the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING, Final, cast

from rkde.adapter import Json
from rkde.conformance import LOGARITHMS, NON_FINITE, as_decimal, compare
from rkde.reference.certify import decimal_ball
from rkde.vectors.enclosures import Enclosed

if TYPE_CHECKING:
    from flint import arb

STORED_DIGITS: Final = 45
# A radius must leave forty digits of the largest entry; more precision is asked for until it does.
RADIUS_LIMIT: Final = Decimal("1e-40")
_STORED: Final = Context(prec=STORED_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)
_WIDE: Final = Context(prec=20 * STORED_DIGITS, Emax=MAX_EMAX, Emin=MIN_EMIN)
_RADIUS: Final = Context(prec=2, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN)
_AGREEMENT: Final = Decimal(10) ** -STORED_DIGITS

Stored = dict[str, Json]


class GenerationError(Exception):
    """A case has no trustworthy value; the message names it."""


class WrongFlagError(GenerationError):
    """A case has the flag ILL_CONDITIONED and should not, or should have it and does not."""


def from_balls(name: str, value: Enclosed) -> Stored:
    """Store an enclosed field.

    Result: `value`, `radius` and `evidence`.
    """
    if value is None or isinstance(value, str | bool):
        return {"value": value, "radius": "0", "evidence": "exact"}
    entries = [_entry(ball) for ball in (value if isinstance(value, list) else [value])]
    sizes = [abs(number) for number, _ in entries if isinstance(number, Decimal)]
    scale = max([Decimal(name in LOGARITHMS), *sizes])
    radius = max((reach for _, reach in entries), default=Decimal(0))
    if radius > RADIUS_LIMIT * scale:
        raise GenerationError(
            f"{name}: the radius {radius:.1e} is too large for a value of size {scale:.1e}; use more bits"
        )
    texts = [_text(number) for number, _ in entries]
    return {
        "value": cast(Json, texts) if isinstance(value, list) else texts[0],
        "radius": _radius_text(radius),
        "evidence": "ball arithmetic",
    }


def from_counts(identity: str, low: Json, high: Json) -> Stored:
    """Store a field that is computed in integers but for one last quotient; the radius is its rounding."""
    value = _agreed(identity, low, high)
    exact, rounded = as_decimal(high), as_decimal(value)
    if exact is None or rounded is None:
        raise GenerationError(f"{identity}: {high!r} is not a number")
    # The quotient itself was rounded far behind the stored digits, which one more unit there covers.
    radius = abs(_WIDE.subtract(exact, rounded)) * 2
    return {"value": value, "radius": _radius_text(radius), "evidence": "exact"}


def from_two_precisions(identity: str, low: Json, high: Json) -> Stored:
    """Store a field that two computations of different precision agree on."""
    if isinstance(high, dict):
        value: Json = {
            name: _agreed_all(f"{identity}.{name}", cast(dict[str, Json], low)[name], entry)
            for name, entry in high.items()
        }
    else:
        value = _agreed_all(identity, low, high)
    return {"value": value, "radius": None, "evidence": "two precisions"}


def midpoints(fields: Mapping[str, Enclosed]) -> dict[str, Json]:
    """Return the midpoints of enclosed fields as an answer, for comparisons."""
    return {name: _midpoint(value) for name, value in fields.items()}


def _midpoint(value: Enclosed) -> Json:
    """Return the midpoints of one field, however wide its balls are."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, list):
        return [_text(_entry(ball)[0]) for ball in value]
    return _text(_entry(value)[0])


def _entry(ball: arb | None) -> tuple[Decimal | str | None, Decimal]:
    """Return the decimal midpoint, or a name or None, and a bound on the error of that midpoint."""
    if ball is None:
        return None, Decimal(0)
    if not ball.is_finite():
        if ball.is_exact() and not ball.is_nan():
            return "inf" if ball > 0 else "-inf", Decimal(0)
        raise GenerationError(f"the ball {ball} determines no digit; use more bits")
    found = decimal_ball(ball, STORED_DIGITS)
    midpoint, reach = Decimal(found.midpoint), Decimal(found.radius)
    if ball.contains(0) and not ball.is_zero():
        return Decimal(0), _WIDE.add(abs(midpoint), reach)
    return midpoint, reach


def _text(number: Decimal | str | None) -> Json:
    if number is None or isinstance(number, str):
        return number
    return f"{_STORED.plus(number):.{STORED_DIGITS - 1}e}" if number else "0"


def _radius_text(radius: Decimal) -> str:
    return f"{_RADIUS.plus(radius):.1e}" if radius else "0"


def _agreed_all(identity: str, low: Json, high: Json) -> Json:
    if isinstance(high, list):
        return [_agreed(identity, *pair) for pair in zip(cast(list[Json], low), high, strict=True)]
    return _agreed(identity, low, high)


def _agreed(identity: str, low: Json, high: Json) -> Json:
    """Round to the stored digits, after checking that both precisions agree in all of them."""
    found = compare("entry", low, high)
    if found.problem or found.error > _AGREEMENT:
        raise GenerationError(f"{identity}: two precisions disagree ({low} and {high}); use more digits")
    if high is None or isinstance(high, bool) or high in NON_FINITE:
        return high
    number = as_decimal(high)
    if number is None:
        raise GenerationError(f"{identity}: {high!r} is not a number")
    return _text(number)
