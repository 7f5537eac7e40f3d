"""Bandwidth rules: the paper's median nearest-neighbour distance (section 6.1.2) and other named ones.

With sample weights n is the number N of `rkde.reference.numbers.Masses`, variances have the divisor N - 1,
and a median is the quantile of the rule "linear" for numbers with masses. A row with a count of two or more
has a copy as its nearest neighbour, at the distance 0; a row with a relative weight is alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from mpmath import MPContext, mpf

from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.reference.kernels import squared_distance
from rkde.reference.numbers import (
    QUANTILE_RULES,
    Masses,
    Matrix,
    Number,
    Ordered,
    Row,
    Rows,
    guarded,
    points,
    row_masses,
)
from rkde.vocabulary import BANDWIDTH_PAIRS, MOST_PAIRED_ROWS, SCALE_PAIRS, BandwidthRule, PracticalRule

_GIVE_BANDWIDTH: Final = "pass a bandwidth above 0"
# So near to the quantile Newton's method converges from the first step on.
_BISECTIONS: Final = 40


@guarded
def median_nn(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf:
    """Return the median distance of a row to the nearest other row (section 6.1.2).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
        n >= 2.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    mpf
        In the unit of the data. A row with a tie counts as 0; the median of an even number is the mean of the
        middle two.

    Raises
    ------
    DegenerateBandwidth
        If the median is 0, or n = 1.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the sample weights break a rule.

    Notes
    -----
    n (n - 1)/2 distances.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(median_nn(ctx, [[0], [0], [1], [3], [7]]))
    1.0
    """
    rows, masses = _spread_points(ctx, X, "median_nn", sample_weight)
    squares = _squared_distances(ctx, rows)
    nearest = [
        ctx.mpf(0) if masses.is_counted and masses.values[i] > 1 else min(row[:i] + row[i + 1 :])
        for i, row in enumerate(squares)
    ]
    return _median_distance(ctx, nearest, masses)


@guarded
def median_nn_distinct(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf:
    """Return the median distance of a row to the nearest row at a positive distance (not in the paper).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
        With at least two distinct rows.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    mpf
        In the unit of the data, > 0.

    Raises
    ------
    DegenerateBandwidth
        If all rows are equal.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(median_nn_distinct(ctx, [[4], [4], [4], [4], [9]]))
    5.0
    """
    rows, masses = _spread_points(ctx, X, "median_nn_distinct", sample_weight)
    squares = _squared_distances(ctx, rows)
    return _median_root(ctx, [min(square for square in row if square) for row in squares], masses)


@guarded
def scott(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf:
    """Return s n^(-1/(d + 4)), with s^2 the mean of the columns' variances (not in the paper).

    The variances have the divisor n - 1.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
        With at least two distinct rows.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    mpf
        In the unit of the data.

    Raises
    ------
    DegenerateBandwidth
        If all rows are equal.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(scott(ctx, [[0], [2]]), 15))
    1.23114441334492
    """
    rows, masses = _spread_points(ctx, X, "scott", sample_weight)
    exponent = -1 / ctx.mpf(len(rows[0]) + 4)
    return _pooled_deviation(ctx, rows, masses) * masses.total**exponent


@guarded
def silverman(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf:
    """Return s (4 / ((d + 2) n))^(1/(d + 4)), with s^2 the mean of the columns' variances (not in the paper).

    The variances have the divisor n - 1.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
        With at least two distinct rows.
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    mpf
        In the unit of the data.

    Raises
    ------
    DegenerateBandwidth
        If all rows are equal.
    InvalidInput, InvalidType
        If X is not a table of finite numbers, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(silverman(ctx, [[0], [2]]), 15))
    1.30405751438899
    """
    rows, masses = _spread_points(ctx, X, "silverman", sample_weight)
    dim = len(rows[0])
    ratio = ctx.mpf(4) / ((dim + 2) * masses.total)
    return _pooled_deviation(ctx, rows, masses) * ratio ** (1 / ctx.mpf(dim + 4))


class _Rule(Protocol):
    """A rule by its name."""

    def __call__(self, ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf: ...


BANDWIDTH_RULES: Final[dict[BandwidthRule, _Rule]] = {
    "median_nn": median_nn,
    "median_nn_distinct": median_nn_distinct,
    "scott": scott,
    "silverman": silverman,
}


@guarded
def bandwidth(
    ctx: MPContext, X: Rows, rule: BandwidthRule, *, sample_weight: Sequence[Number] | None = None
) -> mpf:
    """Return the bandwidth that a named rule gives; `median_nn` is the rule of section 6.1.2.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    rule : {"median_nn", "median_nn_distinct", "scott", "silverman"}
    sample_weight : sequence of numbers, shape (n,), optional
        Finite, >= 0, not all 0. Whole numbers are counts of copies of the rows, others matter by their ratios
        only, and 0 removes a row (`rkde.reference.numbers.Masses`).

    Returns
    -------
    mpf
        In the unit of the data, > 0.

    Raises
    ------
    DegenerateBandwidth
        If the rule gives 0, or all rows are equal.
    InvalidInput, InvalidType
        If the rule is unknown, X is not a table of finite numbers, or the sample weights break a rule.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(bandwidth(ctx, [[0], [3]], "median_nn"))
    3.0
    """
    if rule not in BANDWIDTH_RULES:
        raise InvalidInput(
            "must be the name of a bandwidth rule",
            where="rule",
            value=rule,
            remedy=f"use one of {', '.join(BANDWIDTH_RULES)}",
        )
    return BANDWIDTH_RULES[rule](ctx, X, sample_weight=sample_weight)


@guarded
def robust_scales(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> Row:
    """Return for each column the lower quartile of the differences of unequal values, over that of N(0, 1).

    The number estimates the standard deviation of a normal column. Where a column consists of a few distant
    groups it is the width of the groups, not their distance. A constant column has the scale 1.

    Shapes: X (n, d); sample_weight (n,); result (d,). Result: above 0, in the units of the columns.

    Notes
    -----
    Not in the paper. Of more than 2048 rows, as many are used, evenly spaced in the order of each column.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(*(ctx.nstr(s, 5) for s in robust_scales(ctx, [[0, 5], [1, 5], [2, 5], [3, 5], [100, 5]])))
    2.2191 1.0
    """
    rows = points(ctx, X)
    masses = row_masses(ctx, sample_weight, len(rows))
    return tuple(
        ctx.mpf(1)
        if min(column) == max(column)
        else _low_spread(ctx, [(entry,) for entry in column], masses, SCALE_PAIRS)
        for column in zip(*masses.rows_of(rows), strict=True)
    )


@guarded
def pairwise(ctx: MPContext, X: Rows, *, sample_weight: Sequence[Number] | None = None) -> mpf:
    """Return s n^(-1/(d + 4)), with s from the nearest tenth of the pairs of unequal rows.

    s is the largest distance among them, over the same quantile of the distance between two rows of
    independent standard normal columns. d counts the columns that are not constant.

    Shapes: X (n, d or more), with at least two distinct rows; sample_weight (n,). Result: in the unit of the
    data, > 0.

    Notes
    -----
    Not in the paper. Of more than 2048 rows, the distances are those of as many, evenly spaced in
    lexicographic order.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(pairwise(ctx, [[0], [1], [2], [3], [100]]), 5))
    4.0784
    """
    rows, masses = _spread_points(ctx, X, "pairwise", sample_weight)
    spread = _low_spread(ctx, rows, masses, BANDWIDTH_PAIRS)
    return spread * masses.total ** (-ctx.mpf(1) / (varying_columns(rows) + 4))


def varying_columns(rows: Sequence[Row]) -> int:
    """Return how many columns are not constant, 1 at least: the others add nothing to any distance.

    Examples
    --------
    >>> varying_columns([(0, 5), (1, 5)])
    1
    """
    return max(1, [min(column) < max(column) for column in zip(*rows, strict=True)].count(True))


def chi_squared_quantile(ctx: MPContext, dim: int, level: mpf) -> mpf:
    """Return the quantile of the chi-squared law with `dim` degrees of freedom.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(ctx.nstr(chi_squared_quantile(ctx, 2, ctx.mpf("0.95")), 5))
    5.9915
    """
    half = ctx.mpf(dim) / 2
    high = ctx.mpf(1)
    while ctx.gammainc(half, 0, high, regularized=True) < level:
        high *= 2
    low = ctx.mpf(0)
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if ctx.gammainc(half, 0, middle, regularized=True) < level:
            low = middle
        else:
            high = middle
    # Newton's steps double the digits: as many as double one bit into all of them.
    x = (low + high) / 2
    for _ in range(int(ctx.prec).bit_length()):
        density = ctx.exp((half - 1) * ctx.log(x) - x - ctx.loggamma(half))
        x -= (ctx.gammainc(half, 0, x, regularized=True) - level) / density
    return 2 * x


def _low_spread(ctx: MPContext, rows: Sequence[Row], masses: Masses, divisor: int) -> mpf:
    """Return a low distance between rows over its value for independent standard normal columns.

    It is the smallest positive one up to which the pairs hold a share 1 / divisor of the mass of all pairs of
    unequal rows, that of a pair being the product of its two masses. Two rows of standard normal columns are
    at a distance whose half square has the chi-squared law.
    """
    used = _thinned(ctx, rows, masses)
    pairs = [
        (squared_distance(ctx, row, other), mass * of_other)
        for i, (row, mass) in enumerate(used)
        for other, of_other in used[:i]
    ]
    positive = sorted(pair for pair in pairs if pair[0])
    wanted = ctx.fsum(mass for _, mass in positive) / divisor
    # Of masses that are not whole the last digits may hide that the share is reached.
    wanted *= 1 if masses.is_counted else 1 - len(positive) * ctx.eps
    place, held = 0, positive[0][1]
    while held < wanted:
        place += 1
        held += positive[place][1]
    low = positive[place][0]
    return ctx.sqrt(low / (2 * chi_squared_quantile(ctx, varying_columns(rows), ctx.mpf(1) / divisor)))


def _thinned(ctx: MPContext, rows: Sequence[Row], masses: Masses) -> list[tuple[Row, mpf]]:
    """Return the rows with their masses, or of too many as many as are used, evenly spaced in their order.

    The first and the last are among them, and copies are spaced like other rows. Relative weights of a share
    of at least 1 / `MOST_PAIRED_ROWS` are kept as they are; the others are spaced by their mass.
    """
    ordered = sorted(zip(rows, masses.values, strict=True))
    if masses.total <= MOST_PAIRED_ROWS and (masses.is_counted or len(rows) <= MOST_PAIRED_ROWS):
        return ordered
    if masses.is_counted:
        last = int(masses.total) - 1
        copies = [ctx.mpf(step * last // (MOST_PAIRED_ROWS - 1)) for step in range(MOST_PAIRED_ROWS)]
        return [(row, ctx.mpf(1)) for row in _rows_at(ordered, copies)]
    least = masses.total / MOST_PAIRED_ROWS
    heavy, light = (
        [pair for pair in ordered if (pair[1] >= least) == is_heavy] for is_heavy in (True, False)
    )
    parts, mass = MOST_PAIRED_ROWS - len(heavy), ctx.fsum(mass for _, mass in light)
    middles = [(2 * part + 1) * mass / (2 * parts) for part in range(parts)]
    return heavy + [(row, mass / parts) for row in _rows_at(light, middles)]


def _rows_at(ordered: Sequence[tuple[Row, mpf]], places: Sequence[mpf]) -> list[Row]:
    """Return the first row up to which the masses exceed a sum, for each of some in ascending order."""
    result = []
    number, held = 0, ordered[0][1]
    for at in places:
        while number + 1 < len(ordered) and held <= at:
            number += 1
            held += ordered[number][1]
        result.append(ordered[number][0])
    return result


def _spread_points(
    ctx: MPContext, X: Rows, rule: BandwidthRule | PracticalRule, sample_weight: Sequence[Number] | None
) -> tuple[Matrix, Masses]:
    """Read the rows that have a mass; a single location is refused, as it has no bandwidth under any rule."""
    rows = points(ctx, X)
    masses = row_masses(ctx, sample_weight, len(rows))
    rows = masses.rows_of(rows)
    if not masses.total_less_one:
        raise DegenerateBandwidth(
            f"must have at least two rows for the bandwidth rule {rule}, got n_samples = 1",
            where="X",
            remedy=_GIVE_BANDWIDTH,
        )
    if all(row == rows[0] for row in rows):
        raise DegenerateBandwidth(
            f"must have two or more distinct rows for the bandwidth rule {rule}, "
            f"got {masses.count_of(ctx)} equal rows",
            where="X",
            remedy=_GIVE_BANDWIDTH,
        )
    return rows, masses


def _squared_distances(ctx: MPContext, rows: Matrix) -> list[list[mpf]]:
    lower = [[squared_distance(ctx, row, rows[j]) for j in range(i)] for i, row in enumerate(rows)]
    size = range(len(rows))
    return [[ctx.mpf(0) if i == j else lower[max(i, j)][min(i, j)] for j in size] for i in size]


def _median_distance(ctx: MPContext, nearest: Sequence[mpf], masses: Masses) -> mpf:
    """Return the median distance, refused where ties make it 0."""
    median = _median_root(ctx, nearest, masses)
    if median == 0:
        ties = masses.count_of(ctx, [row for row, square in enumerate(nearest) if not square])
        raise DegenerateBandwidth(
            f"the rule median_nn gives 0, because {ties} of {masses.count_of(ctx)} rows are tied",
            where="X",
            remedy=f"{_GIVE_BANDWIDTH}, or use the rule median_nn_distinct",
        )
    return median


def _median_root(ctx: MPContext, squares: Sequence[mpf], masses: Masses) -> mpf:
    """Return the median of the square roots."""
    roots = Ordered.of(ctx, [ctx.sqrt(square) for square in squares], masses)
    # For counts both are the mean of the middle two, and this one is it in so many words.
    rule = QUANTILE_RULES["averaged_inverted_cdf" if masses.is_counted else "linear"]
    return rule(ctx, roots, ctx.mpf(1) / 2)


def _pooled_deviation(ctx: MPContext, rows: Matrix, masses: Masses) -> mpf:
    """Return s = (trace of the sample covariance / d)^(1/2), the divisor being N - 1.

    The origin is the row of the largest mass: from elsewhere its deviation from the mean may be a rounding.
    """
    origin = rows[masses.values.index(max(masses.values))]
    variances = []
    for start, column in zip(origin, zip(*rows, strict=True), strict=True):
        steps = [entry - start for entry in column]
        mean = ctx.fdot(masses.values, steps) / masses.total
        deviations = [step - mean for step in steps]
        weighed = [mass * entry for mass, entry in zip(masses.values, deviations, strict=True)]
        variances.append(ctx.fdot(weighed, deviations) / masses.total_less_one)
    return ctx.sqrt(ctx.fsum(variances) / len(variances))
