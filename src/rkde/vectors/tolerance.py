"""The tolerance of a case: how far a careful float64 implementation may be from the exact value.

A computation of m rounded operations gives the exact answer to a request whose numbers are changed by at most
gamma_m = m u / (1 - m u), relatively, where u = 2^-53 (backward stability; the rounding of decimal inputs is
part of it). Such a change moves the answer by gamma_m times the condition number of the request, and rounding
the answer adds gamma_m; so the tolerance is gamma_m (1 + condition).

Coordinates are changed relative to the first point, since an offset common to all points is not part of the
problem. A loss is a few operations on differences of given numbers, each exact to one rounding; there only
the numbers that are not float64 numbers are changed.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from typing import Final, cast
from zlib import crc32

from rkde.adapter import Json, NumberToken
from rkde.conformance import EXACT, compare

Answer = Mapping[str, Json]

UNIT_ROUNDOFF: Final = Decimal(2) ** -53
# Small against the distance of float64 neighbours, so no order changes; large against the answers' rounding.
CHANGE: Final = Decimal("1e-25")
# All numbers up, and three fixed assignments of signs: a sample of the vertices of the box of changes.
PATTERNS: Final = range(4)
# Per column: difference, square, sum.
_PER_COLUMN: Final = 3
# Division by h^2, exp or log1p, and the normaliser's two log gammas, two logarithms, products and sums.
_KERNEL: Final = 18
# Sum of weights and quotient, product with D, product with w: one addition each per row.
_PER_ROW: Final = 4
# Square root, loss, phi, quotients by n and by the sum.
_SCALAR: Final = 10
_SHOWN: Final = Context(prec=2, rounding=ROUND_CEILING)


def tolerance(
    request: Mapping[str, Json],
    answer: Answer,
    ask: Callable[[Mapping[str, Json]], Answer],
    patterns: Sequence[int] = PATTERNS,
) -> Decimal:
    """Derive the tolerance of a case.

    Result: two significant digits, rounded up.
    """
    condition = max(_condition(request, answer, ask, pattern) for pattern in patterns)
    count = roundings(request)
    gamma = count * UNIT_ROUNDOFF / (1 - count * UNIT_ROUNDOFF)
    return _SHOWN.plus(gamma * (1 + condition))


def roundings(request: Mapping[str, Json]) -> int:
    """Count the rounded operations on the longest way from an input to an answer.

    Result: where the answer is a fixed point, the operations of one step.
    """
    op = request["op"]
    points = cast(list[list[Json]], request.get("X") or [request.get("x") or []])
    rows, columns = len(points), len(points[0])
    distance = _PER_COLUMN * columns
    if op == "loss":
        return _SCALAR
    if op == "kernel":
        return distance + _KERNEL
    # An influence value is a step, a solved system and a sum; everything else is a number of steps.
    steps = 2 if op == "influence" else cast(int, request.get("count", 0))
    return distance + _KERNEL + (steps + 1) * (_PER_ROW * rows + _SCALAR)


def _condition(
    request: Mapping[str, Json], answer: Answer, ask: Callable[[Mapping[str, Json]], Answer], pattern: int
) -> Decimal:
    moved = ask(changed(request, pattern))
    errors = [compare(name, moved[name], right).error for name, right in answer.items()]
    return max(errors) / CHANGE


def changed(request: Mapping[str, Json], pattern: int) -> dict[str, Json]:
    """Change the numbers of a request by the relative amount `CHANGE`, up or down by a fixed pattern.

    Equal numbers change equally, so ties stay ties and an argument at a kink stays there.

    Result: the changed request, with numbers as decimal strings.
    """
    origin = request.get("x") or cast(list[Json], request.get("X") or [None])[0]
    change_exact = request["op"] != "loss"
    moved: dict[str, Json] = {}
    for name, value in request.items():
        if name in ("X", "Y", "queries"):
            moved[name] = [_row(row, origin, pattern) for row in cast(list[list[Json]], value)]
        elif name == "x_new":
            moved[name] = _row(cast(list[Json], value), origin, pattern)
        elif name in ("weights", "t") or (name == "start" and isinstance(value, list)):
            entries = cast(list[Json], value)
            moved[name] = [_scaled(entry, Decimal(0), pattern, exact_too=change_exact) for entry in entries]
        elif name == "bandwidth":
            moved[name] = _scaled(value, Decimal(0), pattern)
        elif name in ("kernel", "loss") and isinstance(value, dict):
            moved[name] = {
                key: _scaled(entry, Decimal(0), pattern, exact_too=change_exact)
                for key, entry in value.items()
            }
        else:
            moved[name] = value
    return moved


def _row(row: list[Json], origin: Json, pattern: int) -> list[Json]:
    first = [_decimal(entry) for entry in cast(list[Json], origin)]
    return [_scaled(entry, base, pattern) for entry, base in zip(row, first, strict=True)]


def _scaled(value: Json, origin: Decimal, pattern: int, *, exact_too: bool = True) -> Json:
    if isinstance(value, str) and not isinstance(value, NumberToken):
        return value
    if not exact_too and _decimal(value) == Decimal.from_float(float(_decimal(value))):
        return value
    down = pattern and crc32(f"{pattern} {value}".encode()) % 2
    factor = 1 - CHANGE if down else 1 + CHANGE
    return str(EXACT.add(origin, EXACT.multiply(EXACT.subtract(_decimal(value), origin), factor)))


def _decimal(value: Json) -> Decimal:
    return Decimal(str(value))
