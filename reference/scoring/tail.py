"""Not in the paper: how unlikely a row is among good rows, and false discoveries.

The surprisal of a row is minus its log density. Rows that the robust estimate gave no
weight are set aside; the tail of the others is exponential, cut where the last of them lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.numbers import (
    MINUS_INFINITY,
    PLUS_INFINITY,
    Number,
    Row,
    exact_value,
    extended_numbers,
    guarded,
    normalised_weights,
    to_mpf,
)

# Rows this many times as far beyond the median as the upper quartile is are set aside whatever their weight.
_FAR_BEYOND: Final = 16
# Fewer surprisals have no tail.
_FEWEST: Final = 10
# A mean of nearly half of the range is that of a flat law, of no finite scale.
_FLAT: Final = "0.49"
# The scale over the range at which the mean is that of a flat law.
_FLATTEST: Final = 10
# Scales are no smaller than 2 to this power, what float64 tells of surprisals.
_RESOLUTION_EXPONENT: Final = -26
_DISCOVERY_RATE: Final = "0.05"


@dataclass(frozen=True, slots=True)
class SurprisalTail:
    """The distribution of surprisals of good rows, with an exponential tail (not in the paper).

    Attributes
    ----------
    surprisals : tuple of mpf, shape (k,)
        Minus the log densities of the rows of positive weight, ascending.
    ranks : tuple of mpf, shape (k,)
        How many of them come before each: 0, ..., k - 1.
    total : mpf
        How many good rows there are, those beyond the cut included, as the tail foretells them.
    threshold : mpf
        Where the tail begins, u; infinite where fewer than ten rows have weight.
    scale : mpf
        t: P(S > s) = share exp(-(s - u) / t) beyond u.
    share : mpf
        P(S > u); 0 where no row with weight lies beyond u, for ties.

    Examples
    --------
    >>> from rkde.reference import make_context, surprisal_tail
    >>> tail = surprisal_tail(make_context(15), [-k / 10 for k in range(40)], [1 / 40] * 40)
    >>> print(tail.threshold)
    1.9
    """

    surprisals: Row
    ranks: Row
    total: mpf
    threshold: mpf
    scale: mpf
    share: mpf

    @guarded
    def probabilities(self, ctx: MPContext, log_densities: Sequence[Number]) -> Row:
        """Return P(S >= s) at s = -log f for each log density, shape (m,); 0 at -inf."""
        return tuple(self._probability(ctx, surprisal) for surprisal in _surprisals(ctx, log_densities))

    @guarded
    def log_density_at(self, ctx: MPContext, probability: Number) -> mpf:
        """Return the log density of a row of a tail probability of at most `share`."""
        wanted = to_mpf(ctx, probability, "probability")
        if self.share == 0:
            return -self.threshold
        return -(self.threshold + self.scale * ctx.log(self.share / wanted))

    def _probability(self, ctx: MPContext, surprisal: mpf) -> mpf:
        if surprisal > self.threshold:
            return self.share * ctx.exp(-(surprisal - self.threshold) / self.scale)
        below = sum(1 for other in self.surprisals if other < surprisal)
        if below == len(self.surprisals) > 0:
            # Beyond all of them where there is no tail.
            below -= 1
        return 1 - ctx.mpf(below) / self.total


@guarded
def surprisal_tail(
    ctx: MPContext, log_densities: Sequence[Number], weights: Sequence[Number]
) -> SurprisalTail:
    """Fit the tail of surprisals of the rows that have weight.

    Parameters
    ----------
    ctx : mpmath.MPContext
    log_densities : sequence of numbers, shape (n,)
        Those of the rows of a fit, each without the row itself; -inf included.
    weights : sequence of numbers, shape (n,)
        The weights of the fit: at least 0, of sum 1.

    Returns
    -------
    SurprisalTail

    Raises
    ------
    InvalidType, InvalidInput
        If an argument breaks a rule.

    Notes
    -----
    With u the median of the surprisals, exceedances e_1, ..., e_m > 0 of mean e, all at most L, the
    likelihood of an exponential law cut at L is largest at the t with e = t - L / (exp(L / t) - 1). The good
    rows at L or beyond are those that lie there and no more than were set aside, which bounds t. Rows sixteen
    times as far beyond the median as the upper quartile is are set aside too.

    References
    ----------
    Not in the paper.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(15)
    >>> tail = surprisal_tail(ctx, [-k / 10 for k in range(40)] + [-50], [1 / 40] * 40 + [0])
    >>> print(ctx.nstr(tail.scale, 6), ctx.nstr(tail.probabilities(ctx, [-3])[0], 4))
    0.850566 0.144
    """
    logs = _surprisals(ctx, log_densities)
    shares = normalised_weights(ctx, weights, len(logs))
    kept = sorted(s for s, share in zip(logs, shares, strict=True) if share > 0 and s < ctx.inf)
    kept = _not_far_beyond(kept)
    aside = len(logs) - len(kept)
    ranks = tuple(ctx.mpf(place) for place in range(len(kept)))
    count = ctx.mpf(max(len(kept), 1))
    if len(kept) < _FEWEST:
        return SurprisalTail(tuple(kept), ranks, count, ctx.inf, ctx.mpf(1), ctx.mpf(0))
    threshold = kept[(len(kept) + 1) // 2 - 1]
    above = [surprisal - threshold for surprisal in kept if surprisal > threshold]
    cut, number = max(above, default=ctx.mpf(0)), ctx.mpf(len(above))
    resolution = ctx.mpf(2) ** _RESOLUTION_EXPONENT
    scale, expected = resolution, number
    if cut > 0:
        at_the_cut = sum(1 for excess in above if excess >= cut * (1 - resolution)) + aside
        decay = ctx.log((number + aside) / at_the_cut)
        longest = cut / decay if decay > 1 else cut
        scale = max(min(_scale(ctx, ctx.fsum(above) / number, cut), longest), resolution)
        expected = number / (1 - ctx.exp(-cut / scale))
    total = count - number + expected
    return SurprisalTail(tuple(kept), ranks, total, threshold, scale, expected / total)


@guarded
def false_discoveries(
    ctx: MPContext,  # noqa: ARG001 (exact comparisons need none; each function of the package takes it)
    probabilities: Sequence[Number],
    *,
    level: Number = _DISCOVERY_RATE,
) -> tuple[bool, ...]:
    """Return which rows are outliers at a false discovery rate of `level` (Benjamini & Hochberg 1995).

    Parameters
    ----------
    ctx : mpmath.MPContext
    probabilities : sequence of numbers, shape (m,)
        Tail probabilities of the rows.
    level : number
        The share of false ones among the rows named that is accepted, above 0 and below 1.

    Returns
    -------
    tuple of bool, shape (m,)

    Raises
    ------
    InvalidType, InvalidInput
        If a probability is outside of [0, 1], or the level outside of (0, 1).

    References
    ----------
    Not in the paper.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> false_discoveries(make_context(15), ["0.3", "0.001", "0.02", "0.9"])
    (False, True, True, False)
    """
    rate = exact_value(level, "level")
    if not 0 < rate < 1:
        raise InvalidInput(
            "must be above 0 and below 1", where="level", value=level, remedy="pass a rate such as 0.05"
        )
    found = [exact_value(value, "probabilities") for value in probabilities]
    for index, value in enumerate(found):
        if not 0 <= value <= 1:
            raise InvalidInput(
                "must be between 0 and 1",
                where=f"probabilities, index {index}",
                value=probabilities[index],
                remedy="pass tail probabilities",
            )
    ordered = sorted(found)
    small = [value for k, value in enumerate(ordered, start=1) if value <= rate * k / len(ordered)]
    return tuple(bool(small) and value <= small[-1] for value in found)


def _not_far_beyond(surprisals: list[mpf]) -> list[mpf]:
    """Return the ascending surprisals no further beyond the median than rows of any weight may lie."""
    if not surprisals:
        return []
    # The least ones up to which a half, or three quarters, of all lie.
    median = surprisals[-(-len(surprisals) // 2) - 1]
    reach = _FAR_BEYOND * (surprisals[-(-3 * len(surprisals) // 4) - 1] - median)
    return [surprisal for surprisal in surprisals if surprisal <= median + reach or reach == 0]


def _scale(ctx: MPContext, mean: mpf, cut: mpf) -> mpf:
    """Return t with m = t - L / (exp(L / t) - 1), which rises from 0 to L / 2; infinity for a flat law."""
    share = mean / cut
    if share >= ctx.mpf(_FLAT):
        return ctx.inf

    low, high = share, ctx.mpf(_FLATTEST)
    while high - low > ctx.eps * low:
        middle = (low + high) / 2
        if middle - 1 / ctx.expm1(1 / middle) < share:
            low = middle
        else:
            high = middle
    return low * cut


def _surprisals(ctx: MPContext, log_densities: Sequence[Number]) -> Row:
    """Return minus the log densities, of which -inf is one."""
    values = extended_numbers(log_densities, "log_densities")
    ends = {MINUS_INFINITY: ctx.inf, PLUS_INFINITY: -ctx.inf}
    return tuple(
        ends[value] if value in ends else -ctx.mpf(value[1].numerator) / value[1].denominator
        for value in values
    )
