"""The Kullback-Leibler divergence of section 6.2.2, estimated from draws."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, as_extended, as_vector


@dataclass(frozen=True, slots=True)
class KlDivergence:
    """An estimate of D_KL(f || g) = integral of f log(f / g) from draws of f (section 6.2.2).

    Attributes
    ----------
    kl_divergence : float
        Mean of log f - log g over the draws; infinite where g is 0 at one of them.
    standard_error : float
        Root of the sample variance over n_draws; infinite for a single draw or an infinite divergence.
    finite_mean : float or None
        Mean over the draws where g is not 0; None if there is none.
    n_draws : int
        n'.
    n_infinite : int
        Number of draws where g is 0.

    Examples
    --------
    >>> KlDivergence(0.25, standard_error=0.01, finite_mean=0.25, n_draws=1000, n_infinite=0).n_draws
    1000
    """

    kl_divergence: float
    standard_error: float
    finite_mean: float | None
    n_draws: int
    n_infinite: int


def kl_divergence(log_density_1: ArrayLike, log_density_2: ArrayLike) -> KlDivergence:
    """Estimate D_KL(f_1 || f_2) by a sample mean of log density ratios.

    Parameters
    ----------
    log_density_1 : array_like, shape (n',)
        Natural logarithm of f_1 at draws from f_1, finite.
    log_density_2 : array_like, shape (n',)
        Natural logarithm of f_2 at the same draws; -inf where f_2 is 0.

    Returns
    -------
    KlDivergence

    Raises
    ------
    InvalidType, InvalidInput
        An argument is not a flat list of numbers, there is no draw, the lengths differ, a logarithm is NaN or
        inf, or one of f_1 is -inf: a density does not vanish where a draw from it fell.

    Notes
    -----
    The sum that the paper prints lacks the factor 1/n'; this is the mean. In logarithms a density that
    underflows does not become 0: infinite ratios arise only where f_2 has no support. The mean is that of the
    exact sum of the rounded ratios.

    Examples
    --------
    >>> kl_divergence([0.0, -1.0], [-1.0, -3.0]).kl_divergence
    1.5
    """
    first = as_vector(log_density_1, where="log_density_1")
    second = as_extended(log_density_2, where="log_density_2")
    if len(first) != len(second):
        raise InvalidInput(
            f"must have as many entries as there are draws ({len(first)})",
            where="log_density_2",
            value=len(second),
            remedy="pass one log density for each draw",
        )
    if not len(first):
        raise InvalidInput(
            "must have at least one entry, got none", where="log_density_1", remedy="draw at least one point"
        )
    if (second == np.inf).any():
        raise InvalidInput(
            "must be below inf, got an infinite density",
            where="log_density_2",
            remedy="pass log densities below inf",
        )
    supported = second > -np.inf
    ratios = first[supported] - second[supported]
    n_infinite = len(first) - len(ratios)
    finite_mean = math.fsum(ratios) / len(ratios) if len(ratios) else None
    return KlDivergence(
        kl_divergence=math.inf if n_infinite or finite_mean is None else finite_mean,
        standard_error=math.inf if n_infinite else _standard_error(ratios),
        finite_mean=finite_mean,
        n_draws=len(first),
        n_infinite=n_infinite,
    )


def _standard_error(ratios: Floats) -> float:
    count = len(ratios)
    if count == 1:
        return math.inf
    centred = ratios - math.fsum(ratios) / count
    # Not a sum of squares, which underflow where all ratios are tiny.
    return math.hypot(*centred) / math.sqrt((count - 1) * count)
