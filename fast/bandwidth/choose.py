"""A bandwidth by the name of its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.fast._float64 import TableLike
from rkde.fast.bandwidth.cross_validation import lkcv, lscv
from rkde.fast.bandwidth.rules import BANDWIDTH_RULES
from rkde.fast.kernels import Gaussian, Kernel
from rkde.vocabulary import BandwidthRule, CrossValidationRule


class _KernelRule(Protocol):
    def __call__(
        self,
        X: TableLike,
        *,
        kernel: Callable[[float], Kernel],
        memory_limit: float | str | None,
        sample_weight: ArrayLike | None,
    ) -> float: ...


# The rules that look at the kernel as well as at the data.
CROSS_VALIDATION_RULES: Final[dict[CrossValidationRule, _KernelRule]] = {"lscv": lscv, "lkcv": lkcv}


def bandwidth(
    X: TableLike,
    rule: BandwidthRule | CrossValidationRule,
    *,
    kernel: Callable[[float], Kernel] = Gaussian,
    memory_limit: float | str | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the bandwidth that a named rule gives; `median_nn` is the rule of section 6.1.2.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    rule : {"median_nn", "median_nn_distinct", "scott", "silverman", "lscv", "lkcv"}
        The rule.
    kernel : callable
        From a bandwidth to a kernel: what "lscv" and "lkcv" cross-validate; the others do not look at it.
    memory_limit : int, float, str, optional
        Bytes that these two may allocate, or text such as "4GB"; by default half of what is free. The others
        need O(n d).
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        The rule gives 0, or all rows are equal.
    InvalidType, InvalidInput
        The rule is unknown, or X is not a table of finite numbers.
    MemoryLimit
        "lscv" needs 4 n^2 bytes (12 n^2 with weights), or "lkcv" 8 n^2, and the limit is smaller.

    Examples
    --------
    >>> bandwidth([[0.0], [3.0]], "median_nn")
    3.0
    """
    if rule in BANDWIDTH_RULES:
        return BANDWIDTH_RULES[rule](X, sample_weight=sample_weight)
    if rule in CROSS_VALIDATION_RULES:
        return CROSS_VALIDATION_RULES[rule](
            X, kernel=kernel, memory_limit=memory_limit, sample_weight=sample_weight
        )
    raise InvalidInput(
        "must be the name of a bandwidth rule",
        where="rule",
        value=rule,
        remedy=f"use one of {', '.join((*BANDWIDTH_RULES, *CROSS_VALIDATION_RULES))}",
    )
