"""1 - exp(-x), right to a few roundings, by the method that is fastest on this processor.

Where numpy computes exponentials in vectors of eight (AVX-512), one takes less than a nanosecond, and the
complement is an exponential and a subtraction, or expm1 where the difference would cancel. Elsewhere an
exponential takes 5 ns, expm1 15, and a table with a short series 5 for both at once.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.lib import introspect

from rkde.fast._float64.inputs import Floats

# exp(-38) < 2**-54, so 1 - exp(-x) is 1 from here on; clipping spares exp its slow subnormal results.
SATURATION: Final = 38.0
# Taking an entry out and putting it back costs half of an exponential by the table: worth it where few are
# near.
_GATHER_COST: Final = 4
# The table has exp(-x) and 1 - exp(-x) at multiples of 2**-8.
_STEPS: Final = 2**8
# Adding and subtracting 3 * 2**43 rounds a number below 2**43 to a multiple of 2**-8, whose place in the
# table then stands in the last bits of the sum.
_ROUNDER: Final = 1.5 * 2.0**44
_ROUNDER_BITS: Final = int(np.float64(_ROUNDER).view(np.int64))
_GRID: Final = np.arange(int(SATURATION) * _STEPS + 1) / _STEPS
_PROFILES: Final[Floats] = np.exp(-_GRID)
_COMPLEMENTS: Final[Floats] = -np.expm1(-_GRID)
# Entries at once: four arrays of them stay in a second cache of 512 KiB.
_PIECE: Final = 2**14


def neg_expm1(exponent: Floats) -> Floats:
    """Return 1 - exp(-x) for x >= 0, within 8 roundings of itself; overwrites x.

    Result: the argument's own memory.
    """
    near = exponent < SATURATION
    count = int(np.count_nonzero(near))
    # Where most pairs are far, the few that are not are taken out.
    are_few = count * _GATHER_COST < exponent.size
    some = exponent[near] if are_few else exponent
    some = by_functions(some, count) if _HAS_VECTORS else by_table(some)
    if are_few:
        exponent.fill(1.0)
        exponent[near] = some
    return exponent


def by_functions(exponent: Floats, unsaturated: int) -> Floats:
    """Return 1 - exp(-x) by exp, and by expm1 where that would cancel; overwrites x."""
    # Up to log 2 the difference would cancel; beyond, exp is at most 1/2 and the difference is safe.
    close = exponent < np.log(2)
    if 2 * np.count_nonzero(close) > exponent.size:
        np.expm1(np.negative(exponent, out=exponent), out=exponent)
        return np.negative(exponent, out=exponent)
    accurate = -np.expm1(-exponent[close])
    if unsaturated < exponent.size:
        np.minimum(exponent, SATURATION, out=exponent)
    np.negative(exponent, out=exponent)
    np.exp(exponent, out=exponent)
    np.subtract(1.0, exponent, out=exponent)
    exponent[close] = accurate
    return exponent


def by_table(exponent: Floats) -> Floats:
    """Return 1 - exp(-x) by a table and a series; overwrites x.

    Notes
    -----
    With x = g - r, g a multiple of 2^-8 and |r| <= 2^-9, the result is C - E (exp(r) - 1), where E = exp(-g)
    and C = 1 - E stand in the table. r is exact, being the difference of two numbers within a factor of two
    of each other, or x itself. The series of exp(r) - 1 up to r^5 leaves out less than 2^-54 of itself, and
    its nine operations add little more than 2 roundings, since all but the last two are damped by |r|. Where
    g = 0 the result is that series alone: C = 0, E = 1.

    Elsewhere let entries of the table be off by a unit in the last place, which is at most two roundings of
    them, and F stand for E (exp(r) - 1), off by 2 + 2.4 + 1 roundings of itself at most. From g = 2^-7 on C
    is at most 4/3 of the result and F 1/3: 2 * 4/3 + 5.4 / 3 + 1 < 8 roundings in all. At g = 2^-8 C is at
    most twice the result and F at most the result, but a unit of C is then one rounding of C, for 0.0039 is
    next to the end of its binade, and a unit of E one of E: 2 + 4.4 + 1 < 8.
    """
    if not exponent.flags.c_contiguous:
        exponent[...] = by_table(exponent.copy())
        return exponent
    flat = exponent.reshape(-1)
    size = min(len(flat), _PIECE)
    memory = np.empty(size), np.empty(size), np.empty(size)
    for start in range(0, len(flat), _PIECE):
        x = flat[start : start + _PIECE]
        rounded, rest, looked_up = (array[: len(x)] for array in memory)
        np.minimum(x, SATURATION, out=x)
        np.add(x, _ROUNDER, out=rounded)
        np.subtract(rounded, _ROUNDER, out=rest)
        rest -= x
        places = rounded.view(np.int64)
        places -= _ROUNDER_BITS
        _growth(rest, x)
        # With a mode other than "raise" numpy writes into the result and needs no buffer.
        x *= np.take(_PROFILES, places, out=looked_up, mode="clip")
        np.subtract(np.take(_COMPLEMENTS, places, out=looked_up, mode="clip"), x, out=x)
    return exponent


def _growth(rest: Floats, result: Floats) -> None:
    """Write exp(r) - 1 for |r| <= 2^-9."""
    np.multiply(rest, 1 / 120, out=result)
    result += 1 / 24
    result *= rest
    result += 1 / 6
    result *= rest
    result += 1 / 2
    result *= rest
    result += 1
    result *= rest


def _has_vectors() -> bool:
    """Tell whether numpy takes exponentials by AVX-512 here."""
    loops = introspect.opt_func_info(func_name="^exp$", signature="float64")
    used = [kind["current"] for kinds in loops.values() for kind in kinds.values()]
    return any("AVX512" in name or "X86_V4" in name for name in used)


_HAS_VECTORS: Final = _has_vectors()
