"""The bandwidth rules over balls: distances are compared exactly, so only roots and powers are rounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from flint import arb

from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.reference.certify.balls import DEFAULT_BITS, exact_ball, working_bits
from rkde.reference.certify.sample import Sample, read_sample
from rkde.reference.numbers import Rows
from rkde.vocabulary import BandwidthRule


def enclose_bandwidth(X: Rows, rule: BandwidthRule, *, bits: int = DEFAULT_BITS) -> arb:
    """Enclose the bandwidth that a named rule gives.

    Shapes: X (n, d), rows are observations, n >= 2. Result: in the unit of the data, positive.
    """
    with working_bits(bits):
        return bandwidth_of(read_sample(X), rule)


def bandwidth_of(sample: Sample, rule: BandwidthRule) -> arb:
    """Enclose the bandwidth of a sample at the current working precision (as `enclose_bandwidth`)."""
    if rule not in RULES:
        raise InvalidInput(
            "must be the name of a bandwidth rule",
            where="rule",
            value=rule,
            remedy=f"use one of {', '.join(RULES)}",
        )
    if sample.n_locations == 1:
        problem = "n_samples = 1" if sample.n_rows == 1 else f"all {sample.n_rows} rows are equal"
        raise DegenerateBandwidth(
            f"must be a number, because {problem}",
            where="bandwidth",
            value=rule,
            remedy="pass the bandwidth as a number",
        )
    bandwidth = RULES[rule](sample)
    if bandwidth.is_zero():
        tied = sum(size for size in sample.multiplicity if size > 1)
        raise DegenerateBandwidth(
            f"the rule {rule} gives 0, because {tied} of {sample.n_rows} rows are tied",
            where="bandwidth",
            remedy='use "median_nn_distinct", or pass the bandwidth as a number',
        )
    return bandwidth


def _median_nn(sample: Sample) -> arb:
    """Give the median over rows of the distance to the nearest other row."""
    nearest = _nearest_distinct(sample)
    per_location = [0 if size > 1 else gap for size, gap in zip(sample.multiplicity, nearest, strict=True)]
    return _median_root(sample, per_location)


def _median_nn_distinct(sample: Sample) -> arb:
    """Give the median over rows of the distance to the nearest row at positive distance."""
    return _median_root(sample, _nearest_distinct(sample))


def _scott(sample: Sample) -> arb:
    """Give s n^(-1 / (d + 4)), s^2 the mean variance of a column."""
    return _spread(sample) * _power(exact_ball(sample.n_rows), Fraction(-1, sample.dim + 4))


def _silverman(sample: Sample) -> arb:
    """Give s (4 / ((d + 2) n))^(1 / (d + 4)), s^2 the mean variance of a column."""
    base = exact_ball(Fraction(4, (sample.dim + 2) * sample.n_rows))
    return _spread(sample) * _power(base, Fraction(1, sample.dim + 4))


RULES: Final[dict[BandwidthRule, Callable[[Sample], arb]]] = {
    "median_nn": _median_nn,
    "median_nn_distinct": _median_nn_distinct,
    "scott": _scott,
    "silverman": _silverman,
}


def _nearest_distinct(sample: Sample) -> list[int]:
    """Give, for each location, the scaled squared distance to the nearest other location."""
    rows = enumerate(sample.scaled_sqdist)
    return [min(gap for j, gap in enumerate(row) if j != i) for i, row in rows]


def _median_root(sample: Sample, per_location: Sequence[int]) -> arb:
    """Give the median over rows of the root of a scaled squared distance."""
    ordered = sorted(per_location[location] for location in sample.location_of)
    middle = (ordered[(sample.n_rows - 1) // 2], ordered[sample.n_rows // 2])
    low, high = (exact_ball(Fraction(gap, sample.scale)).sqrt() for gap in middle)
    return (low + high) / 2


def _spread(sample: Sample) -> arb:
    """Give s: the sum of squared distances over pairs of rows is n (n - 1) d s^2."""
    pairs = sum(
        sample.multiplicity[i] * sample.multiplicity[j] * sample.scaled_sqdist[i][j]
        for i in range(sample.n_locations)
        for j in range(i)
    )
    mean_variance = Fraction(pairs, sample.scale * sample.n_rows * (sample.n_rows - 1) * sample.dim)
    return exact_ball(mean_variance).sqrt()


def _power(base: arb, exponent: Fraction) -> arb:
    return (base.log() * exact_ball(exponent)).exp()
