"""The variable kernel density estimate of section 6.1.2: one bandwidth a row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast._variable_estimate import VariableEstimate
from rkde.fast.inputs import TableLike, read_only
from rkde.fast.kde import kde
from rkde.fast.kernels import Kernel
from rkde.fast.rkhs import log_sum_exp
from rkde.vocabulary import VkdeRule

VKDE_RULES: Final[tuple[VkdeRule, ...]] = ("abramson", "geometric")


@dataclass(frozen=True, slots=True, eq=False)
class Vkde(VariableEstimate):
    """A variable kernel density estimate (section 6.1.2): equal weights, one bandwidth a row.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        The pilot's kernel; the estimate uses it with each of `bandwidths`.
    rule : {"abramson", "geometric"}
        The mean in `log_eta`.
    bandwidths : ndarray, shape (n,)
        sigma_i, in units of the data.
    log_eta : float
        Natural logarithm of eta, the rule's mean of the pilot densities at the rows.

    Examples
    --------
    >>> from rkde.fast import Gaussian, vkde
    >>> estimate = vkde([[0.0], [0.5], [4.0]], Gaussian(1.0))
    >>> bool(estimate.bandwidths[2] > estimate.bandwidths[0])
    True
    >>> estimate.density([[0.0]]).shape
    (1,)
    """

    rule: VkdeRule
    log_eta: float


def vkde(X: TableLike, kernel: Kernel, *, rule: VkdeRule = "abramson") -> Vkde:
    """Return the estimate of section 6.1.2 with bandwidths sigma_i = sigma (eta / f_KDE(X_i))^(1/2).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        Its bandwidth sigma is the pilot's; the pilot is the KDE at the rows, each row itself included.
    rule : {"abramson", "geometric"}
        eta is the arithmetic mean of the pilot densities (the paper's), or their geometric mean.

    Returns
    -------
    Vkde

    Raises
    ------
    InvalidType, InvalidInput
        X is no table of finite numbers, `kernel` no kernel, or the rule unknown.

    Notes
    -----
    n^2 kernel evaluations. Since n k(0,0) bounds the pilot densities' ratios, sigma_i / sigma lies between
    n^(-1/2) and n^(1/2); everything else stays in logarithms.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> vkde([[0.0], [1.0], [5.0]], Gaussian(1.0)).bandwidths.round(6)
    array([0.935036, 0.934939, 1.184949])
    """
    if rule not in VKDE_RULES:
        raise InvalidInput(
            "unknown rule", where="rule", value=rule, remedy=f"use one of {', '.join(VKDE_RULES)}"
        )
    pilot = kde(X, kernel)
    log_pilot = pilot.log_density(pilot.X)
    if rule == "geometric":
        log_eta = float(log_pilot.mean())
    else:
        log_eta = float(log_sum_exp(log_pilot[np.newaxis].copy())[0]) - math.log(len(log_pilot))
    bandwidths = kernel.bandwidth * np.exp((log_eta - log_pilot) / 2)
    return Vkde(pilot.X, kernel, read_only(bandwidths), rule, log_eta)
