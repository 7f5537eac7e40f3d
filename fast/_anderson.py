"""Anderson acceleration of KIRWLS in the norm of H, with safeguards that keep it near plain KIRWLS.

From the last few pairs (w_j, T(w_j)) an affine combination of the T(w_j) is formed whose residual T(w) - w
would be smallest in H if T were affine. It replaces the plain step T(w) only if its weights are nonnegative
and its J is not above that of the plain step. So J falls at least as much as in a KIRWLS step and the
iterates stay in the convex hull of the feature vectors, which is what the proof of Theorem 3 needs: the limit
is a stationary point, and for a convex loss and three locations the same one. For a loss that is not convex
nothing proves that it is the one which plain KIRWLS reaches; extrapolating only while every row keeps to its
piece of the loss makes another end rare. Products with D are linear, so the check and the inner products cost
none: one product a step, as without acceleration.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._iteration import State, next_weights, state_at
from rkde.fast.inputs import Floats
from rkde.fast.losses import Loss
from rkde.fast.objective import mean_loss
from rkde.fast.operators import KernelOperator

# Pairs kept beside the current one. Measured on Hampel fits: 1 saves less, 5 saves no more.
DEPTH: Final = 3
# Directions whose share of the largest eigenvalue lies below this are noise of nearly parallel differences.
TRUNCATION: Final = 1e-8


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
        self._state: State | None = None
        self._product: Floats | None = None
        self._is_plain = True

    def __call__(self, state: State, *, is_last: bool) -> State:
        """Return the next state: the extrapolation where it is accepted, else the plain step; one product.

        Parameters
        ----------
        state : State
            The state that the last call returned, or the first one (which takes one product more).
        is_last : bool
            Whether no step may follow; the plain step is returned then.

        Returns
        -------
        State
        """
        image = next_weights(self._loss, state.norms)
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

    def finish(self, state: State) -> State:
        """Return a state of KIRWLS itself: from an extrapolation the plain step, with a fresh product."""
        if self._is_plain:
            return state
        return state_at(self._operator, self._loss, next_weights(self._loss, state.norms))

    def _state_of(self, weights: Floats, product: Floats) -> State:
        square = product - float((weights * product).sum()) / 2
        norms = np.sqrt(np.maximum(square, 0.0))
        return State(weights, norms, mean_loss(self._loss, norms))

    def _same_pieces(self, before: State, after: State) -> bool:
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
