"""When Newton's method is tried: where it costs less than the steps of KIRWLS that it may save."""

from __future__ import annotations

import math
from typing import Final

from rkde.fast._newton import active_rows
from rkde.fast.inputs import Floats
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator

_UNIT_ROUNDOFF: Final = 2.0**-53
# Newton's method is tried only where the rows have kept to their pieces of the loss for this many steps.
_SETTLED: Final = 2
# Most KIRWLS steps between two trials, so that trials which fail cost less than the steps they may save.
_LONGEST_PAUSE: Final = 16
# A factorization of order m costs about m^3 / (18 n^2) products: m^3 / 3 operations at the speed of the
# processor against 2 n^2 at the speed of memory, about 3 times less.
_FACTOR_COST: Final = 1 / 18
# Products that a trial takes beside the factorization.
_TRIAL_PRODUCTS: Final = 4
# Above this many rows the matrix of Newton's method would take as much memory as D for little gain.
_MAX_ACTIVE: Final = 4000


class NewtonTrials:
    """Counts trials that failed, and says when the next one is due.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    is_unique : bool
        Whether J is strictly convex.
    """

    def __init__(self, operator: KernelOperator, loss: Loss, *, is_unique: bool) -> None:
        self._operator = operator
        self._loss = loss
        self._is_unique = is_unique
        self._unchanged = 0
        self._pause = 1
        self._next = 0

    @property
    def largest_order(self) -> int:
        """The most active rows for which Newton's matrix is formed."""
        return min(_MAX_ACTIVE, self._operator.block_limit)

    def saw_step(self, *, keeps_pieces: bool) -> None:
        """Take note of a step that is not Newton's."""
        self._unchanged = self._unchanged + 1 if keeps_pieces else 0
        if not keeps_pieces:
            self._pause = 1

    def failed(self, steps: int) -> None:
        """Take note of a trial that gave no step, after so many steps; the next one waits twice as long."""
        self._next = steps + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def is_due(self, residuals: list[float], norms: Floats) -> bool:
        """Tell whether a trial is due and costs less than the KIRWLS steps that are to be expected.

        Parameters
        ----------
        residuals : list of float
            max|T(w) - w| / max w at every iterate so far.
        norms : ndarray, shape (n,)
            Residual norms at the last one.
        """
        if self._unchanged < _SETTLED or len(residuals) - 1 < self._next:
            return False
        rate = residuals[-1] / residuals[-2]
        size = len(active_rows(self._loss, norms))
        if rate <= 0 or size > self.largest_order:
            return False
        if rate >= 1:
            # In a flat valley the residual of KIRWLS may grow for a long time.
            return self._is_unique
        remaining = math.log(_UNIT_ROUNDOFF / residuals[-1]) / math.log(rate)
        factorization = _FACTOR_COST * size**3 / (2 * self._operator.product_cost)
        return remaining > 2 * (_TRIAL_PRODUCTS + factorization)
