"""Isolated mpmath contexts, exact conversion of numbers, and guard digits.

Every function of the reference takes a context first and computes at that context's precision; nothing
touches the global `mpmath.mp`. Numbers enter exactly: an int and a float by their binary value, a string as
the decimal that it spells.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from math import isnan
from numbers import Integral, Real
from typing import Final, TypeGuard, TypeVar, cast
from weakref import WeakSet

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType

Number = int | float | str | mpf
"""A number as it is given: int and float (exact binary value), str (exact decimal), mpf of any context."""

DEFAULT_DIGITS: Final = 40
"""Digits of a context unless others are given: more than twice float64's 16, so its errors show in full."""

GUARD_DIGITS: Final = 20
"""Digits that a public function works with beyond the context's own.

One half pays for rounding (a sum of 10**4 terms takes at most 4 digits) and for the conditioning of the data;
the other half is the distance at which an iteration is called settled (`rounding_level`).
"""

GUARD_BITS: Final = 67
"""The least number of bits that holds `GUARD_DIGITS` decimal digits: 2**67 > 10**20 > 2**66."""

MAX_DECIMAL_EXPONENT: Final = 100_000
"""Largest decimal exponent read from a string: far past float64, short of hours inside one power of ten."""

_DECIMAL: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE](?P<exponent>[+-]?\d{1,9}))?\s*", re.ASCII)

_HALF_GUARD_BITS: Final = GUARD_BITS // 2
_raised: Final[WeakSet[MPContext]] = WeakSet()

Function = TypeVar("Function", bound=Callable[..., object])


def make_context(digits: int = DEFAULT_DIGITS) -> MPContext:
    """Make an isolated mpmath context.

    Parameters
    ----------
    digits : int, default 40
        Decimal digits of working precision, at least 1.

    Returns
    -------
    mpmath.MPContext
        A fresh context; changing it changes no other.

    Raises
    ------
    InvalidType
        If `digits` is not an integer.
    InvalidInput
        If `digits` is less than 1.

    Notes
    -----
    Cheap, but for the first use of a special function, whose constants a context computes for itself.

    Examples
    --------
    >>> ctx = make_context(50)
    >>> ctx.dps
    50
    """
    if isinstance(digits, bool) or not isinstance(digits, int):
        raise InvalidType(
            "must be an integer", where="digits", value=digits, remedy="pass an integer, such as 40"
        )
    if digits < 1:
        raise InvalidInput(
            "must be at least 1", where="digits", value=digits, remedy="pass an integer, such as 40"
        )
    ctx = MPContext()
    ctx.dps = digits
    return ctx


def to_mpf(ctx: MPContext, number: Number, where: str = "number") -> mpf:
    """Convert a number to the context, exactly wherever it has an exact binary form.

    Parameters
    ----------
    ctx : mpmath.MPContext
        Target context.
    number : int, float, str or mpf
        An int, a float (of any width) and an mpf keep their exact value; a string is a decimal, rounded once
        to the precision of `ctx`. Infinite and NaN floats are converted as they are.
    where : str
        The argument's name for a message.

    Returns
    -------
    mpf

    Raises
    ------
    InvalidType
        If `number` is a bool, a string that does not spell a decimal, or not a number at all.
    InvalidInput
        If a string's exponent exceeds 100 000 in magnitude.

    Notes
    -----
    One rounding at most.

    Examples
    --------
    >>> ctx = make_context(20)
    >>> print(to_mpf(ctx, 0.1), to_mpf(ctx, "0.1"))
    0.10000000000000000555 0.1
    """
    given: object = number
    if type(given) is ctx.mpf:  # what most numbers are, inside a formula
        return given
    if is_mpf(given):
        return ctx.convert(given)
    if isinstance(given, str):
        return ctx.convert(checked_decimal(given, where))
    if isinstance(given, float):
        return ctx.convert(float(given))
    if isinstance(given, bool):
        raise InvalidType("must be a number, not a bool", where=where, value=given, remedy="pass 0 or 1")
    if isinstance(given, Integral):
        return ctx.convert(int(given))
    # Real numbers of other libraries, such as a float32.
    if isinstance(given, Real):
        return _from_real(ctx, given, where)
    raise InvalidType(
        "must be a number",
        where=where,
        value=number,
        remedy="pass an int, a float, a decimal string or an mpf",
    )


def is_decimal(text: str) -> bool:
    """Tell whether a string spells a finite decimal number, such as ``"-1.5e-3"``."""
    return _DECIMAL.fullmatch(text) is not None


def checked_decimal(text: str, where: str) -> str:
    """Return a string that spells a decimal, without surrounding space."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise InvalidType(
            "must be a decimal number", where=where, value=text, remedy='write it as in "-1.5" or "2e-3"'
        )
    if abs(int(match["exponent"] or 0)) > MAX_DECIMAL_EXPONENT:
        raise InvalidInput(
            f"must have an exponent between -{MAX_DECIMAL_EXPONENT} and {MAX_DECIMAL_EXPONENT}",
            where=where,
            value=text,
            remedy="rescale the data",
        )
    return text.strip()


def to_float(ctx: MPContext, value: mpf) -> float:
    """Round to the nearest float64, ties to even, subnormals included; the inverse of `to_mpf` on floats.

    Result: infinite where the value exceeds the largest float64.

    Examples
    --------
    >>> ctx = make_context(40)
    >>> to_float(ctx, to_mpf(ctx, 5e-324))
    5e-324
    """
    if not ctx.isfinite(value):
        return float(value)
    sign, mantissa, exponent, bits = value._mpf_
    signed = -int(mantissa) if sign else int(mantissa)
    if exponent + bits > sys.float_info.max_exp:
        return float("-inf") if sign else float("inf")
    # Below half of the smallest subnormal: decided here, since the power of two could be astronomically
    # small.
    if exponent + bits < sys.float_info.min_exp - sys.float_info.mant_dig:
        return -0.0 if sign else 0.0
    try:
        return float(signed * Fraction(2) ** exponent)
    except OverflowError:
        return float("-inf") if sign else float("inf")


def to_hex(ctx: MPContext, value: mpf) -> str:
    """Spell the nearest float64 in hexadecimal, which loses nothing.

    Examples
    --------
    >>> ctx = make_context(40)
    >>> to_hex(ctx, to_mpf(ctx, "0.1"))
    '0x1.999999999999ap-4'
    """
    return to_float(ctx, value).hex()


def from_hex(ctx: MPContext, text: str) -> mpf:
    """Read a float64 spelled in hexadecimal.

    Examples
    --------
    >>> ctx = make_context(20)
    >>> print(from_hex(ctx, "0x1.999999999999ap-4"))
    0.10000000000000000555
    """
    try:
        return ctx.convert(float.fromhex(text))
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidType(
            "must be a hexadecimal float64", where="text", value=text, remedy="write it as float.hex does"
        ) from error


def rounding_level(ctx: MPContext) -> mpf:
    """Return the relative size below which a change is rounding: half of the guard digits above the unit.

    Examples
    --------
    >>> ctx = make_context(40)
    >>> rounding_level(ctx) < ctx.mpf("1e-30")
    True
    """
    return ctx.mpf(2) ** (_HALF_GUARD_BITS - ctx.prec)


def guarded(function: Function) -> Function:
    """Make a function whose first argument (after self) is a context compute with guard digits, then round.

    The outermost decorated call raises the precision by `GUARD_BITS`; decorated calls inside it find it
    raised and change nothing. So a formula's body holds only the formula.
    """

    @functools.wraps(function)
    def with_guard_digits(*args: object, **kwargs: object) -> object:
        ctx = _context_among(args, kwargs)
        if ctx in _raised:
            return function(*args, **kwargs)
        _raised.add(ctx)
        try:
            with ctx.workprec(ctx.prec + GUARD_BITS):
                value = function(*args, **kwargs)
        finally:
            _raised.discard(ctx)
        return rounded(value, ctx)

    return cast(Function, with_guard_digits)


@functools.singledispatch
def rounded(value: object, ctx: MPContext) -> object:
    """Round a number, a tuple of numbers or a result to a context's precision; keep anything else."""
    return ctx.mpf(value) if is_mpf(value) else value


@rounded.register(tuple)
def _rounded_numbers(values: tuple[object, ...], ctx: MPContext) -> tuple[object, ...]:
    """Round each entry of a tuple."""
    return tuple(rounded(value, ctx) for value in values)


def is_mpf(value: object) -> TypeGuard[mpf]:
    """Tell whether a value is an mpf of whatever context (each context has a class of its own)."""
    return hasattr(value, "_mpf_")


def _from_real(ctx: MPContext, number: Real, where: str) -> mpf:
    nearest = float(number)
    if nearest != number and not isnan(nearest):
        raise InvalidType(
            "must be a number that float64 holds exactly",
            where=where,
            value=number,
            remedy="pass a decimal string",
        )
    return ctx.convert(nearest)


def _context_among(args: tuple[object, ...], kwargs: dict[str, object]) -> MPContext:
    for candidate in (*args[:2], kwargs.get("ctx")):
        if isinstance(candidate, MPContext):
            return candidate
    raise InvalidType(
        "must be an mpmath context, got none",
        where="ctx",
        remedy="pass make_context(40) as the first argument",
    )
