"""How unlikely a row is among good rows: tail probabilities of surprisals, and false discoveries.

The surprisal of a row is minus its log density, for a row of the fit without its own share. Rows that the
robust estimate gave no weight are set aside; the tail of the others is exponential, cut where the last of
them lies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    Floats,
    TableLike,
    as_number,
    as_vector,
    as_weights,
    read_only,
    read_sample_weight,
)
from rkde.fast._resources import Compute, Limits, checked_resources
from rkde.fast.estimates import Rkde
from rkde.fast.rkhs import leave_one_out, mixture_log_density

# The tail is fitted to the upper half of the surprisals.
_BODY: Final = 1 / 2
# A mean of nearly half of the range is that of a flat law, of no finite scale.
_FLAT: Final = 0.49
# Below this share of the range the cut is out of sight: exp(-1/t) is beyond float64.
_STEEP: Final = 1 / 700
# The scale over the range at which the mean is that of a flat law.
_FLATTEST: Final = 10.0
# Rows this many times as far beyond the median as the upper quartile is are set aside whatever their weight:
# of an exponential law 8 in a million, so that a loss that leaves every row some weight is no harm.
_FAR_BEYOND: Final = 16.0
_QUARTILE: Final = 3 / 4
# Fewer surprisals have no tail.
_FEWEST: Final = 10
# Surprisals are no closer to each other than rounding lets them be.
_RESOLUTION: Final = 2.0**-26
DISCOVERY_RATE: Final = 0.05
# A density is taken apart by a difference only where that costs a bit at most.
_SAFE_SHARE: Final = 1 / 2


def leave_one_out_log_density(
    estimate: Rkde, log_densities: Floats | None = None, *, compute: Compute | None = None
) -> Floats:
    """Return the log density at each row of the fit without the row itself, shape (n,).

    It is the logarithm of sum over j != i of w_j k(X_i, X_j) / (1 - w_i), with the weights of the fit. Of
    copies of a row, which sample weights count, one is left out. -inf where one row holds all of the weight.
    `log_densities`, shape (n,), are those of the rows, where they are at hand.

    Notes
    -----
    Cost: that of `log_density` at the rows. Where a row's own kernel is more than half of the density, the
    others are summed anew, with n kernel evaluations for each such row.

    Examples
    --------
    >>> import rkde
    >>> estimate = rkde.fast.rkde([[0.0], [1.0], [1.0]], bandwidth=1.0, loss="quadratic")
    >>> leave_one_out_log_density(estimate).round(4)
    array([-1.4189, -1.138 , -1.138 ])
    """
    kernel, size = estimate.kernel, len(estimate.X)
    weights = read_sample_weight(estimate.sample_weight, size)
    points, shares, own = estimate.X, estimate.weights, estimate.weights
    if weights is not None and weights.is_counted:
        # One copy of each row, which is left out, and then the others.
        own = estimate.weights / np.maximum(weights.given, 1.0)
        others = own * np.maximum(weights.given - 1, 0.0)
        points, shares = np.concatenate((estimate.X, estimate.X)), np.concatenate((own, others))
    volume = 0.0 if estimate.scaling is None else estimate.scaling.log_volume
    with checked_resources(compute).running() as resources:
        if log_densities is None:
            logs = mixture_log_density(estimate.X, kernel, estimate.weights, estimate.X, resources=resources)
        else:
            logs = log_densities + volume
        # Of two terms, the larger one may lose one bit by a difference, and the smaller one any number.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            part = np.exp(np.log(own) + kernel.log_normaliser(estimate.X.shape[1]) - logs)
        safe = part <= _SAFE_SHARE
        logs[safe] += np.log1p(-part[safe]) - np.log1p(-own[safe])
        rest = np.flatnonzero(~safe)
        if len(rest):
            logs[rest] = leave_one_out(points, kernel, shares, estimate.X[rest], rest)
    return np.asarray(logs - volume)


@dataclass(frozen=True, slots=True, eq=False)
class SurprisalTail:
    """The distribution of surprisals of good rows, with an exponential tail.

    Attributes
    ----------
    surprisals : ndarray, shape (k,)
        Minus the leave-one-out log densities of the rows of positive weight, ascending.
    ranks : ndarray, shape (k,)
        How many rows, copies counted, have a surprisal below each.
    total : float
        How many good rows there are, those beyond the cut included, as the tail foretells them.
    threshold : float
        Where the tail begins; infinite where fewer than ten rows have weight.
    scale : float
        Its scale in nats: beyond the threshold, the probability falls by the factor e in so many nats.
    share : float
        The probability of the tail; 0 where no row with weight lies beyond the threshold, for ties.

    Notes
    -----
    With exceedances e over the threshold, of mean m, all below the cut L, the scale t solves m = t - L /
    (exp(L / t) - 1): maximum likelihood for an exponential law cut at L; t is no larger than the rows that
    were set aside allow, all of which may be good. It is the generalised Pareto tail of shape 0; the shape
    itself is not identified from rows whose upper end was taken away.

    Examples
    --------
    >>> tail = surprisal_tail([-k / 10 for k in range(40)], [1 / 40] * 40)
    >>> round(tail.threshold, 1), round(float(tail.probabilities([-1.95])[0]), 4)
    (1.9, 0.4758)
    """

    surprisals: Floats
    ranks: Floats
    total: float
    threshold: float
    scale: float
    share: float

    def probabilities(self, log_densities: ArrayLike) -> Floats:
        """Return the probability that a good row is at least as surprising, shape (m,).

        Shapes: log_densities (m,), -inf included, where it is 0.

        Raises
        ------
        InvalidInput
            An entry is NaN.
        """
        values = -_log_densities(log_densities)
        place = np.searchsorted(self.surprisals, values, side="left")
        below = np.append(self.ranks, self.ranks[-1:])[place] if len(self.ranks) else np.zeros(len(values))
        found = 1 - below / self.total
        beyond = values > self.threshold
        found[beyond] = self.share * np.exp(-(values[beyond] - self.threshold) / self.scale)
        return found

    def log_density_at(self, probability: float) -> float:
        """Return the log density of a row of a tail probability of at most `share`."""
        if self.share == 0:
            return -self.threshold
        return -(self.threshold + self.scale * math.log(self.share / probability))


def surprisal_tail(
    log_densities: ArrayLike, weights: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> SurprisalTail:
    """Fit the tail of surprisals of the rows that have weight.

    Parameters
    ----------
    log_densities : array_like, shape (n,)
        Those of the rows of a fit, each without the row itself; -inf included.
    weights : array_like, shape (n,)
        The weights of the fit: at least 0, of sum 1.
    sample_weight : array_like, shape (n,), optional
        What each row counts.

    Returns
    -------
    SurprisalTail

    Raises
    ------
    InvalidType, InvalidInput
        An argument breaks a rule.

    Notes
    -----
    Cost: a sort. Rows without weight, or of log density -inf, are set aside, and so are rows sixteen times as
    far beyond the median as the upper quartile is.

    Examples
    --------
    >>> logs = [-k / 10 for k in range(40)] + [-50.0]
    >>> tail = surprisal_tail(logs, [1 / 40] * 40 + [0.0])
    >>> tail.probabilities([-1.0, -3.0, -50.0]).round(4)
    array([0.7625, 0.144 , 0.    ])
    """
    logs = _log_densities(log_densities)
    shares = as_weights(weights, len(logs))
    counts = _counts(sample_weight, len(logs))
    kept = (shares > 0) & np.isfinite(logs)
    order = np.argsort(-logs[kept], kind="stable")
    return _tail_of(-logs[kept][order], counts[kept][order], float(counts[~kept].sum()))


def tail_probabilities(
    estimate: Rkde,
    queries: TableLike | None = None,
    *,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Floats:
    """Return the probability that a good row is at least as surprising as each row.

    Parameters
    ----------
    estimate : Rkde
        The fit.
    queries : array_like, shape (m, d), optional
        New rows; by default those of the fit, each without itself.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    ndarray, shape (m,)
        1 for the most typical row; below 0.01 few good rows are so surprising.

    Raises
    ------
    InvalidType, InvalidInput
        A table breaks a rule.
    MemoryLimit
        The log densities do not fit into the limit.

    Notes
    -----
    Cost: n^2 kernel evaluations where each row is far from all others, else that of `log_density` at the rows
    of the fit; then that of `log_density` at the queries.

    Examples
    --------
    >>> import rkde
    >>> estimate = rkde.fit([[k / 10] for k in range(40)] + [[30.0]])
    >>> tail_probabilities(estimate)[[20, 40]].round(4)
    array([1., 0.])
    >>> tail_probabilities(estimate, [[2.0], [4.5], [9.0]]).round(4)
    array([1.    , 0.0085, 0.    ])
    """
    checked_resources(compute, limits)
    compute = Compute(**limits) if limits else compute
    own = leave_one_out_log_density(estimate, compute=compute)
    return estimate_tail(estimate, own).probabilities(
        own if queries is None else estimate.log_density(queries, compute=compute)
    )


def estimate_tail(estimate: Rkde, log_densities: Floats) -> SurprisalTail:
    """Fit the tail of an estimate's rows, from their log densities without themselves, shape (n,).

    A saved model lacks the rows without weight; how many there were follows from their share.
    """
    weights = read_sample_weight(estimate.sample_weight, len(log_densities))
    counts = _counts(estimate.sample_weight, len(log_densities))
    seen = float(counts.sum())
    missing = float(counts[estimate.weights > 0].sum()) / (1 - estimate.zero_weight_share) - seen
    if missing <= _RESOLUTION * seen:
        return surprisal_tail(log_densities, estimate.weights, sample_weight=estimate.sample_weight)
    return surprisal_tail(
        np.append(log_densities, -math.inf),
        np.append(estimate.weights, 0.0),
        sample_weight=np.append(counts, missing if weights and not weights.is_counted else round(missing)),
    )


def _tail_of(surprisals: Floats, counts: Floats, aside: float) -> SurprisalTail:
    """Fit the tail of ascending surprisals, each counted as often as said, with so many rows set aside.

    Shapes: surprisals (k,); counts (k,), above 0.
    """
    near = _not_far_beyond(surprisals, counts)
    aside += float(counts[~near].sum())
    surprisals, counts = surprisals[near], counts[near]
    up_to = np.cumsum(counts)
    ranks, seen = up_to - counts, float(up_to[-1]) if len(counts) else 1.0
    if seen < _FEWEST:
        return SurprisalTail(read_only(surprisals), read_only(ranks), seen, math.inf, 1.0, 0.0)
    first = int(np.searchsorted(up_to, _BODY * seen, side="left"))
    threshold = float(surprisals[first])
    beyond = surprisals > threshold
    above, held = surprisals[beyond] - threshold, counts[beyond]
    number = float(held.sum())
    cut = float(above[-1]) if len(above) else 0.0
    scale, expected = _RESOLUTION, number
    if cut > 0:
        # Good rows at the cut or beyond are those that lie there, and no more than were set aside.
        least = float(held[above >= cut * (1 - _RESOLUTION)].sum()) + aside
        longest = cut / max(math.log((number + aside) / least), 1.0)
        scale = max(min(_scale(float((held * above).sum()) / number, cut), longest), _RESOLUTION)
        expected = number / -math.expm1(-cut / scale)
    total = seen - number + expected
    return SurprisalTail(read_only(surprisals), read_only(ranks), total, threshold, scale, expected / total)


def _not_far_beyond(surprisals: Floats, counts: Floats) -> NDArray[np.bool_]:
    """Tell which ascending surprisals lie no further beyond the median than rows of any weight may."""
    if not len(surprisals):
        return np.ones(0, dtype=np.bool_)
    up_to = np.cumsum(counts)
    median, quartile = surprisals[np.searchsorted(up_to, np.array([_BODY, _QUARTILE]) * up_to[-1])]
    reach = _FAR_BEYOND * float(quartile - median)
    return np.asarray((surprisals <= median + reach) | (reach == 0))


def _scale(mean: float, cut: float) -> float:
    """Return t with m = t - L / (exp(L / t) - 1); infinite where the mean is that of a flat law."""
    if mean >= _FLAT * cut:
        return math.inf
    if mean <= _STEEP * cut:
        return mean
    # In units of the cut.
    share = mean / cut
    found: float = brentq(lambda t: t - 1 / math.expm1(1 / t) - share, share, _FLATTEST)
    return found * cut


def false_discoveries(
    probabilities: ArrayLike,
    *,
    level: float = DISCOVERY_RATE,
    sample_weight: ArrayLike | None = None,
) -> NDArray[np.bool_]:
    """Return which rows are outliers at a false discovery rate of `level` (Benjamini & Hochberg 1995).

    Parameters
    ----------
    probabilities : array_like, shape (m,)
        Tail probabilities of the rows.
    level : float
        The share of false ones among the rows named that is accepted, above 0 and below 1.
    sample_weight : array_like, shape (m,), optional
        What each row counts.

    Returns
    -------
    ndarray of bool, shape (m,)

    Raises
    ------
    InvalidInput
        A probability is outside of [0, 1], or the level outside of (0, 1).

    Notes
    -----
    Cost: a sort. The rate holds where the probabilities of good rows are independent, or depend on each other
    positively; with a tail fitted to the same rows it holds nearly.

    References
    ----------
    Benjamini and Hochberg (1995), Controlling the false discovery rate, J. R. Stat. Soc. B 57, 289-300.

    Examples
    --------
    >>> false_discoveries([0.3, 0.001, 0.02, 0.9], level=0.05)
    array([False,  True,  True, False])
    """
    found = as_vector(probabilities, where="probabilities")
    bad = np.flatnonzero((found < 0) | (found > 1))
    if len(bad):
        raise InvalidInput(
            "must be between 0 and 1",
            where=f"probabilities, index {bad[0]}",
            value=float(found[bad[0]]),
            remedy="pass tail probabilities",
        )
    return found <= discovery_threshold(found, _read_level(level), sample_weight)


def discovery_threshold(probabilities: Floats, level: float, sample_weight: ArrayLike | None = None) -> float:
    """Return the largest probability p with p <= level times the share of rows up to p; -1 for none."""
    counts = _counts(sample_weight, len(probabilities))
    order = np.argsort(probabilities, kind="stable")
    shares = np.cumsum(counts[order]) / max(float(counts.sum()), 1.0)
    small = np.flatnonzero(probabilities[order] <= level * shares)
    return float(probabilities[order][small[-1]]) if len(small) else -1.0


def discovery_offset(tail: SurprisalTail, log_densities: Floats, sample_weight: ArrayLike | None) -> float:
    """Return the log density below which rows are outliers with the usual false discovery rate.

    Shapes: log_densities (n,), of the rows of the fit without themselves. Where none of them is one, the
    offset is what the first would have had to fall below; -inf where there is no tail.
    """
    if math.isinf(tail.threshold):
        return -math.inf
    probabilities = tail.probabilities(log_densities)
    found = probabilities <= discovery_threshold(probabilities, DISCOVERY_RATE, sample_weight)
    counts = _counts(sample_weight, len(log_densities))
    share = max(float(counts[found].sum()), 1.0) / max(float(counts.sum()), 1.0)
    return tail.log_density_at(min(DISCOVERY_RATE * share, tail.share))


def _counts(sample_weight: ArrayLike | None, size: int) -> Floats:
    """Return how often each row counts, shape (size,)."""
    weights = read_sample_weight(sample_weight, size)
    return np.ones(size) if weights is None else weights.spread(weights.counts)


def _read_level(level: float) -> float:
    rate = as_number(level, where="level")
    if not 0 < rate < 1:
        raise InvalidInput(
            "must be above 0 and below 1", where="level", value=level, remedy="pass a rate such as 0.05"
        )
    return rate


def _log_densities(values: ArrayLike) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    bad = np.flatnonzero(np.isnan(found))
    if found.ndim != 1 or len(bad):
        raise InvalidInput(
            "must be a flat array of log densities without NaN, "
            f"got {f'shape {found.shape}' if found.ndim != 1 else f'NaN at index {bad[0]}'}",
            where="log_densities",
            remedy="pass the result of log_density",
        )
    return found
