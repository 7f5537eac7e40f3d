"""Claims about float64 (the paper is silent): what sums, means and products of one step lose.

The theorems are in `formal/arithmetic.v` and the files that require it. The checks run float64 against exact
fractions, so that what is proved of the model is seen in the arithmetic of this machine, too.
"""

import math
import operator
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final, cast

import numpy as np
from scipy.linalg import toeplitz

from rkde.fast._float64 import BLOCK, TINY, UNIT_ROUNDOFF, Floats, blocked_product, sum_factor
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers import enclose_residuals
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence

_U: Final = Fraction(UNIT_ROUNDOFF)
_LEAST_POSITIVE_EXPONENT: Final = -1074
_ETA: Final = Fraction(2) ** (_LEAST_POSITIVE_EXPONENT - 1)
_NO_OVERFLOW: Final = "no result overflows"

MODEL = Claim(
    id="roundings.model",
    label="sec:kirwls (a step in float64)",
    section="4",
    statement=(
        "Rounding to float64, to nearest with ties to even, moves a number x by at most u |x| + eta with "
        "u = 2^-53 and eta = 2^-1075, and the sum x of two floats by at most u |x|, subnormal or not; a "
        "float stays as it is."
    ),
    hypotheses=(_NO_OVERFLOW,),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "A number of at least 2^-1022 has 53 bits, so that half a unit in the last place is at most u of it; "
        "below, half a unit is eta. All floats are multiples of the least one, and so is a sum of two, "
        "which is therefore exact where it is subnormal."
    ),
    source=Source.UNSPECIFIED,
)
FACTOR = Claim(
    id="roundings.factor",
    label="sec:kirwls (a step in float64)",
    section="4",
    statement=(
        "(1 + u)^k - 1 <= gamma_k = k u / (1 - k u), and the gamma_k that is computed in float64 is large "
        "enough, too."
    ),
    hypotheses=("k u < 1, which for u = 2^-53 is k < 2^53",),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "By induction (1 + u)^k (1 - k u) <= 1, and <= 1 - k u^2 for k >= 2, which leaves room for the "
        "rounding of the quotient; k, k u and 1 - k u are whole multiples of a power of two, and so exact. "
        "For k = 1 the quotient is at least the float u, and rounding keeps the order."
    ),
    source=Source.UNSPECIFIED,
)
SUM = Claim(
    id="roundings.sum",
    label="sec:kirwls (a step in float64)",
    section="4",
    statement=(
        "n floats, added in whatever order, give their sum but for ((1 + u)^(n - 1) - 1) sum |x_i|; where "
        "no term takes part in more than k additions, as in blocks or pairs, but for "
        "((1 + u)^k - 1) sum |x_i|."
    ),
    hypotheses=(_NO_OVERFLOW,),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "By induction over the tree of additions: each rounds the sum of two computed sums, which exceed the "
        "sums of sizes at most by the factor (1 + u)^k. Underflow adds nothing (roundings.model)."
    ),
    source=Source.UNSPECIFIED,
)
MEAN = Claim(
    id="roundings.mean",
    label="sec:kirwls (a step in float64)",
    section="4",
    statement=(
        "The computed sum of n floats over n is their mean but for ((1 + u)^n - 1) times the mean of the "
        "|x_i|, and 2^-1075 if the quotient underflows."
    ),
    hypotheses=(_NO_OVERFLOW, "n <= 2^53"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument="The division is one rounding more than roundings.sum; n itself is a float.",
    source=Source.UNSPECIFIED,
)
PRODUCT = Claim(
    id="roundings.product",
    label="eqn:w_i_proto (D w in float64)",
    section="4",
    statement=(
        "An entry of the product D c of a nonnegative matrix, whose entries are off by gamma_m of themselves "
        "and whose terms have k roundings more each, in whatever order and fused or not, is within "
        "gamma_(m + k) (D |c|)_i + n 2^-1075 (1 + u)^(k - 1). In blocks of b columns and a shorter one, or "
        "without any of these where n < b or b divides n, k is at most b + ceil(n/b)."
    ),
    hypotheses=(_NO_OVERFLOW, "(m + k) u < 1"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "By induction as for roundings.sum, each product with a rounding and an underflow of its own. The "
        "dense engine takes gamma of b + ceil(n/b) + m for every n, with b = 64 and m = d + 24 for the "
        "entries of D, which is a count of operations and documented accuracies and no theorem, as are the "
        "tiles of the tiled engine; n 2^-1075 is below its 2^-1022."
    ),
    source=Source.UNSPECIFIED,
)
RESIDUAL = Claim(
    id="roundings.residual",
    label="eqn:w_i_proto (r_i in float64)",
    section="4",
    statement=(
        "r_i^2 = |P_i - f|^2, computed in float64 as the difference of (D w)_i and w'D w/2, or 0 if that is "
        "negative, is off by less than the computed (gamma_k + gamma_8) ((D w)_i + w'D w/2) + 2^-1022. Here "
        "w is v over its computed sum, f the mean of the P_j with the weights w_j over their exact sum, and "
        "k = b + ceil(n/b) + m, where the entries of D = (|P_i - P_j|^2) are stored but for gamma_m of "
        "themselves, and D w is added up in blocks of b."
    ),
    hypotheses=(
        _NO_OVERFLOW,
        "k <= 2^25",
        "v >= 0, and not all v_j are 0",
        "the sum of the v_j, and that of the rounded w_j (D w)_j, are off by (1 + 2^-20) u of themselves",
    ),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "The w_j are off by two roundings, so that their sum is 1 but for 33/16 u, the first term is off by "
        "gamma_k + 5/2 u of itself, and the second, with a product and a sum more, by gamma_k + 13/2 u. "
        "Measured by the computed terms, with the rounding of the difference, this is gamma_k + 7 u at most, "
        "which leaves room for the roundings of the radius; n 2^-1075 and the like are below 2^-1023. The "
        "last hypothesis is what the compensated sum of the fast package documents, and m = d + 24 a count "
        "of roundings: of these two there is no theorem."
    ),
    source=Source.UNSPECIFIED,
)

_DRAWS: Final = 40
_LONGEST: Final = 300
# Exponents from the subnormal numbers on; sums of so many squares of these do not overflow.
_EXPONENTS: Final = (-1074, 400)
# Terms of the binomial series that are summed.
_POWERS: Final = 5
_COUNTS: Final = (0, 1, 2, 3, 64, 100, 12345, 2**26 + 1, 2**40)
_COLUMNS: Final = (1, 63, 64, 65, 128, 500)
_ROWS: Final = 3
_WIDE: Final = 1000


def _floats(seed: random.Random, count: int, least: int, largest: int) -> list[float]:
    """Draw floats of both signs and of many sizes."""
    return [math.ldexp(seed.uniform(-1, 1), seed.randint(least, largest)) for _ in range(count)]


def _draws() -> Iterator[list[float]]:
    """Yield lists of floats, some near the least positive one and some of one size."""
    seed = random.Random(0)  # noqa: S311 - not for secrets
    for _ in range(_DRAWS):
        least = seed.randint(*_EXPONENTS)
        spread = seed.choice((0, 3, 60))
        yield _floats(seed, seed.randint(2, _LONGEST), least, least + spread)


def _in_pairs(values: Sequence[float]) -> float:
    """Add the two halves apart, and so on."""
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    return _in_pairs(values[:half]) + _in_pairs(values[half:])


def _one_by_one(values: Sequence[float]) -> float:
    return reduce(float.__add__, values)


# Each with a bound on the additions that one of n terms takes part in.
_ORDERS: Final[tuple[tuple[Callable[[Sequence[float]], float], Callable[[int], int]], ...]] = (
    (_one_by_one, lambda count: count - 1),
    (lambda values: _one_by_one(values[::-1]), lambda count: count - 1),
    (lambda values: float(np.asarray(values).sum()), lambda count: count - 1),
    (_in_pairs, lambda count: (count - 1).bit_length()),
)


def _growth(roundings: int) -> Fraction:
    return (1 + _U) ** roundings - 1


def _exact(values: Sequence[float]) -> tuple[Fraction, Fraction]:
    """Return the exact sum, and that of the sizes."""
    terms = [Fraction(value) for value in values]
    return sum(terms, Fraction(0)), sum(map(abs, terms), Fraction(0))


@evidence(MODEL, level=Level.TESTED)
def check_the_model_of_one_rounding() -> None:
    """Compare sums, products and quotients of floats, subnormal ones among them, with the exact ones."""
    for values in _draws():
        for left, right in zip(values[::2], values[1::2], strict=False):
            total = Fraction(left) + Fraction(right)
            assert abs(Fraction(left + right) - total) <= _U * abs(total)
            product = Fraction(left) * Fraction(right)
            assert abs(Fraction(left * right) - product) <= _U * abs(product) + _ETA
            quotient = Fraction(left) / 3
            assert abs(Fraction(left / 3) - quotient) <= _U * abs(quotient) + _ETA


@evidence(FACTOR, level=Level.TESTED)
def check_the_computed_factor() -> None:
    """Compare gamma_k of the fast code with a bound above (1 + u)^k - 1, from its binomial series."""
    for count in _COUNTS:
        first = [math.comb(count, power) * _U**power for power in range(1, _POWERS)]
        # Each later term is below this share of the one before it.
        share = count * _U
        rest = share**_POWERS / (1 - share) if count >= _POWERS else Fraction(0)
        assert sum(first, Fraction(0)) + rest <= Fraction(sum_factor(count))


@evidence(SUM, level=Level.TESTED)
def check_sums_in_several_orders() -> None:
    """Add from either end, in pairs and as numpy does."""
    for values in _draws():
        exact, sizes = _exact(values)
        for add, additions in _ORDERS:
            assert abs(Fraction(add(values)) - exact) <= _growth(additions(len(values))) * sizes


@evidence(MEAN, level=Level.TESTED)
def check_means_in_several_orders() -> None:
    """Divide the same sums by the number of their terms."""
    for values in _draws():
        exact, sizes = _exact(values)
        count = len(values)
        for add, additions in _ORDERS:
            bound = _growth(additions(count) + 1) * sizes / count + _ETA
            assert abs(Fraction(add(values) / count) - exact / count) <= bound


def _entries(matrix: Floats, coefficients: Floats) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the exact entries of a product, and those of the product with the sizes."""
    for row in matrix:
        terms = [Fraction(float(a)) * Fraction(float(b)) for a, b in zip(row, coefficients, strict=True)]
        yield sum(terms, Fraction(0)), sum(map(abs, terms), Fraction(0))


@evidence(PRODUCT, level=Level.TESTED)
def check_products_in_blocks() -> None:
    """Multiply as the certificates do: entries of many sizes, and some whose products underflow."""
    seed = random.Random(1)  # noqa: S311 - not for secrets
    for count in _COLUMNS:
        for least in (-10, -540):
            # Symmetric, as the product takes it to be.
            matrix = toeplitz(np.abs(_floats(seed, count, least, least + 20)))
            coefficients = np.asarray(_floats(seed, count, least, least + 20))
            computed = blocked_product(matrix, coefficients)
            factor = Fraction(sum_factor(BLOCK + math.ceil(count / BLOCK)))
            rows = np.linspace(0, count - 1, min(count, _ROWS)).astype(np.intp)
            exact = _entries(matrix[rows], coefficients)
            for value, (right, sizes) in zip(computed[rows], exact, strict=True):
                assert abs(Fraction(float(value)) - right) <= factor * sizes + Fraction(TINY)


class _Line:
    """Rows on a line with D_ij = (x_i - x_j)^2, which whole numbers give exactly."""

    absolute_error: Final = 0.0

    def __init__(self, rows: Sequence[int]) -> None:
        self.D = np.asarray([[float((x - y) ** 2) for y in rows] for x in rows])
        self.relative_error = sum_factor(BLOCK + math.ceil(len(rows) / BLOCK))

    def proved_product(self, coefficients: Floats) -> Floats:
        return blocked_product(self.D, coefficients)


@evidence(RESIDUAL, level=Level.TESTED)
def check_squared_residuals() -> None:
    """Enclose r_i^2 on a line, the square of x_i - sum w_j x_j, also for weights of many sizes."""
    seed = random.Random(2)  # noqa: S311 - not for secrets
    for count in _COLUMNS:
        for spread in (0, 40):
            rows = [seed.randint(-_WIDE, _WIDE) for _ in range(count)]
            given = np.abs(_floats(seed, count, -spread, 0))
            exact = [Fraction(weight) for weight in given.tolist()]
            centre = sum(map(operator.mul, exact, rows), Fraction(0)) / sum(exact, Fraction(0))
            found = enclose_residuals(cast(KernelOperator, _Line(rows)), given / math.fsum(given))
            for x, norm, radius in zip(rows, found.norms.tolist(), found.squared_radii.tolist(), strict=True):
                # The root and its rounding are none of what the radius bounds.
                slack = _growth(3) * Fraction(norm) ** 2
                assert abs(Fraction(norm) ** 2 - (x - centre) ** 2) <= Fraction(radius) + slack
