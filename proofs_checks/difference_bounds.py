"""Tolerances of difference quotients, and of what is compared with them."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.roundings import reference_bound, sum_bound

# Two shares s and s/10 whose error/s may differ by this much, relatively.
_TENTH: Final = 0.1
_QUADRATURE_TERMS: Final = 100_000


def first_order_band() -> float:
    """Relative change of error/s between s and s/10 that a first-order error may show.

    The error of a difference quotient of a twice differentiable function is A s + B s^2 + ..., so error/s
    changes by 0.9 (B/A) s: a tenth is granted, which at s = 1e-5 allows |B/A| up to 1e4. Had the quotient
    another limit, the error would stay as it is and error/s would change by a factor of ten.
    """
    return _TENTH


def quotient_rounding(digits: int, share: float, n_rows: int) -> float:
    """Bound of a difference quotient of weights that is exactly right, at `digits` digits.

    Each of the n + 1 weights, at most 1, is rounded in both estimates, and so is each coefficient: three
    roundings over s. Summed over the rows this bounds the norm in the feature space, where |Phi| = 1.
    """
    return reference_bound(digits, 3 * (n_rows + 1)) / share


def refinement_bound(coarse: float, fine: float) -> float:
    """Absolute bound of the finer of two quadratures by rules of n and 2n points.

    Where doubling the points at least halves the error, the finer one's is at most their difference; the
    rounding of 1e5 terms, each a few units in the last place off, is added.
    """
    return abs(fine - coarse) + sum_bound(_QUADRATURE_TERMS) * abs(fine)
