"""The states of KIRWLS and the steps between them: plain, or accelerated by Anderson's method."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import AllWeightsZero, InvalidInput
from rkde.fast._float64 import Floats, SampleWeight, as_weights
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.rkhs import mean_loss
from rkde.fast.solvers.geometric_median import largest_change
from rkde.fast.solvers.results import Iterate
from rkde.vocabulary import FixedSteps, Solver, StopRule

# Pairs kept beside the current one. Measured on Hampel fits: 1 saves less, 5 saves no more.
DEPTH: Final = 3
# Directions whose share of the largest eigenvalue lies below this are noise of nearly parallel differences.
TRUNCATION: Final = 1e-8


def iterate_at(operator: KernelOperator, loss: Loss, weights: Floats) -> Iterate:
    """Return the state at weights of sum 1: one product.

    Shapes: weights (n,), of sum 1.
    """
    norms = operator.residual_norms(weights)
    return Iterate(weights, norms, mean_loss(loss, norms, operator.masses))


def next_weights(loss: Loss, norms: Floats, masses: Floats | None = None) -> Floats:
    """Return the weights proportional to m_i phi(r_i), equation (8) where all masses m_i are equal.

    Where phi is infinite (absolute loss, norms of 0), those rows share the weight in proportion to their
    masses: the limit from the right.

    Shapes: norms (n,), residual norms in tau; masses (n,); result (n,).

    Examples
    --------
    >>> from rkde.fast.losses import Absolute
    >>> next_weights(Absolute(), np.array([0.0, 1.0, 0.0]))
    array([0.5, 0. , 0.5])
    """
    phi = loss.phi(norms)
    if masses is not None:
        # A mass is above 0 wherever phi can be infinite.
        phi = masses * phi
    largest = phi.max()
    if largest == 0:
        raise AllWeightsZero(
            "phi is 0 at every residual, so the next weights are 0/0",
            where=f"loss {loss!r}",
            value=f"smallest residual {float(norms.min()):.6g} tau",
            remedy="start from other weights, such as those of f_med, or raise the threshold c",
        )
    # Over the largest, so that the sum stays within range; a share below the range is 0.
    with np.errstate(under="ignore"):
        shares = (
            np.where(np.isinf(phi), 1.0 if masses is None else masses, 0.0)
            if math.isinf(largest)
            else phi / largest
        )
        return np.asarray(shares / shares.sum())


def fixed_point_residual(loss: Loss, state: Iterate, masses: Floats | None = None) -> float:
    """Return max |T(w) - w| / max w over copies of one mass, infinite where T is undefined.

    Shapes: masses (n,).
    """
    try:
        after = next_weights(loss, state.norms, masses)
    except AllWeightsZero:
        return math.inf
    return largest_change(state.weights, after, masses)


def read_start(
    weights_init: ArrayLike, size: int, weights: SampleWeight | None, *, where: str = "weights_init"
) -> Floats:
    """Return initial weights for the rows of positive weight from those of all given rows.

    Shapes: weights_init (n,), one entry for each given row, 0 where it is removed; result (k,).
    """
    given = as_weights(weights_init, size, where=where)
    if weights is None:
        return given
    removed = np.flatnonzero((weights.given == 0) & (given > 0))
    if len(removed):
        raise InvalidInput(
            "must be 0 where sample_weight is 0",
            where=f"{where}, index {int(removed[0])}",
            value=float(given[removed[0]]),
            remedy="set the entry to 0, or pass a positive sample weight for the row",
        )
    return weights.rows_of(given)


def shares_of(operator: KernelOperator) -> Floats:
    """Return each row's share of the mass, 1/n where all masses are equal: the uniform start.

    Shapes: result (n,).
    """
    if operator.masses is None:
        return np.full(operator.size, 1 / operator.size)
    return np.asarray(operator.masses / operator.masses.sum())


class Step(Protocol):
    """One step of a solver, and what it still does when the stopping rule holds."""

    def __init__(self, operator: KernelOperator, loss: Loss) -> None: ...

    def __call__(self, state: Iterate, *, is_last: bool) -> Iterate:
        """Return the next state, one of KIRWLS itself where no other step may follow."""

    def finish(self, state: Iterate) -> Iterate:
        """Return the state to answer with when the rule holds, the same one where nothing is left to do."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainStep:
    """KIRWLS as it is printed in section 4.

    Parameters
    ----------
    operator : KernelOperator
    loss : Loss
    """

    operator: KernelOperator
    loss: Loss

    def __call__(self, state: Iterate, *, is_last: bool) -> Iterate:  # noqa: ARG002 (every step is plain)
        """Return the state at T(w): one product."""
        weights = next_weights(self.loss, state.norms, self.operator.masses)
        return iterate_at(self.operator, self.loss, weights)

    def finish(self, state: Iterate) -> Iterate:
        """Return the state itself."""
        return state


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """The image T(w) of an iterate w and the change T(w) - w, each with its product with D."""

    image: Floats
    image_product: Floats
    change: Floats
    change_product: Floats


class AndersonStep:
    """The accelerated step; it remembers the pairs since its last restart.

    Parameters
    ----------
    operator : KernelOperator
    loss : Loss
    """

    def __init__(self, operator: KernelOperator, loss: Loss) -> None:
        self._operator = operator
        self._loss = loss
        self._pairs: deque[_Pair] = deque(maxlen=DEPTH + 1)
        self._state: Iterate | None = None
        self._product: Floats | None = None
        self._is_plain = True

    def __call__(self, state: Iterate, *, is_last: bool) -> Iterate:
        """Return the next state: the extrapolation where it is accepted, else the plain step; one product."""
        image = next_weights(self._loss, state.norms, self._operator.masses)
        image_product = self._operator.product(image)
        plain = self._state_of(image, image_product)
        if not self._loss.facts.convex and not self._same_pieces(state, plain):
            self._pairs.clear()
        product = self._product if state is self._state else None
        if product is None:
            product = self._operator.product(state.weights)
            self._pairs.clear()
        self._pairs.append(_Pair(image, image_product, image - state.weights, image_product - product))
        self._state, self._product, self._is_plain = plain, image_product, True
        extrapolated = None if is_last else self._extrapolation()
        if extrapolated is not None:
            candidate = self._state_of(*extrapolated)
            if candidate.objective <= plain.objective:
                self._state, self._product, self._is_plain = candidate, extrapolated[1], False
                return candidate
            self._pairs.clear()
        return plain

    def finish(self, state: Iterate) -> Iterate:
        """Return a state of KIRWLS itself: from an extrapolation the plain step, with a fresh product."""
        if self._is_plain:
            return state
        weights = next_weights(self._loss, state.norms, self._operator.masses)
        return iterate_at(self._operator, self._loss, weights)

    def _state_of(self, weights: Floats, product: Floats) -> Iterate:
        square = product - float((weights * product).sum()) / 2
        norms = np.sqrt(np.maximum(square, 0.0))
        return Iterate(weights, norms, mean_loss(self._loss, norms, self._operator.masses))

    def _same_pieces(self, before: Iterate, after: Iterate) -> bool:
        kinks = np.array(self._loss.kinks)
        return np.array_equal(np.searchsorted(kinks, before.norms), np.searchsorted(kinks, after.norms))

    def _extrapolation(self) -> tuple[Floats, Floats] | None:
        *earlier, last = self._pairs
        if not earlier:
            return None
        mixing = _mixing(earlier, last)
        weights, product = last.image.copy(), last.image_product.copy()
        for share, pair in zip(mixing, earlier, strict=True):
            weights -= share * (last.image - pair.image)
            product -= share * (last.image_product - pair.image_product)
        if weights.min() < 0:
            self._pairs.clear()
            return None
        return weights, product


def _mixing(earlier: list[_Pair], last: _Pair) -> Floats:
    """Return the shares c that minimise |e - sum_j c_j (e - e_j)| in H, e_j being the changes.

    Changes sum to 0, so their inner products are -e'D f / 2; the factor -1/2 cancels in the normal equations.
    """
    differences = [last.change - pair.change for pair in earlier]
    products = [last.change_product - pair.change_product for pair in earlier]
    gram = np.array([[-float((left * right).sum()) for right in products] for left in differences])
    target = np.array([-float((left * last.change_product).sum()) for left in differences])
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    kept = values > TRUNCATION * max(float(values[-1]), 0.0)
    inverse = np.zeros_like(values)
    inverse[kept] = 1 / values[kept]
    shares: Floats = vectors @ (inverse * (vectors.T @ target))
    return shares


SOLVERS: Final[dict[Solver, type[Step]]] = {"plain": PlainStep, "anderson": AndersonStep}


def checked_solver(solver: Solver, stop: StopRule) -> type[Step]:
    """Return the step of a solver by its name."""
    if solver not in SOLVERS:
        raise InvalidInput(
            "must be the name of a solver",
            where="solver",
            value=solver,
            remedy=f"use one of {', '.join(SOLVERS)}",
        )
    if solver != "plain" and isinstance(stop, FixedSteps):
        raise InvalidInput(
            'must be "plain" with FixedSteps, which counts the steps of KIRWLS itself',
            where="solver",
            value=solver,
            remedy='use solver="plain", or another stopping rule',
        )
    return SOLVERS[solver]
