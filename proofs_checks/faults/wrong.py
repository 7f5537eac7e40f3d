"""Makers of mistakes for the tables of faults: each takes the right function and returns a wrong one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rkde.errors import AllWeightsZero
from rkde.proofs_checks.pieces import Piece
from rkde.proofs_checks.printed_tables import Comparison

# What is replaced may take and return anything.
_Made = Callable[..., Any]


def amended(right: _Made, **fields: Callable[[Any], Any]) -> _Made:
    """Change fields of the record that a function returns, each by a function of that record."""

    def wrong(*given: Any, **options: Any) -> Any:
        found = right(*given, **options)
        return replace(found, **{name: value(found) for name, value in fields.items()})

    return wrong


def changed(right: _Made, index: int, **fields: Callable[[Piece[Any]], Any]) -> _Made:
    """Change fields of one piece of a loss, each by a function of the right piece."""

    def loss(*given: object) -> Sequence[Piece[Any]]:
        parts = list(right(*given))
        parts[index] = replace(parts[index], **{name: value(parts[index]) for name, value in fields.items()})
        return parts

    return loss


def reweighted(right: _Made, change: Callable[[list[Any]], list[Any]]) -> _Made:
    """Change the weights that a function of either package returns."""

    def weights(*given: Any) -> Any:
        found = right(*given)
        wrong = change(list(found))
        return np.array(wrong) if isinstance(found, np.ndarray) else tuple(wrong)

    return weights


def normalised(weights: list[Any]) -> list[Any]:
    """Divide weights by their sum."""
    total = sum(weights)
    return [weight / total for weight in weights]


# ------------------------------------------------------------------------------------------------ iterations


def uniform_where_undefined(right: _Made) -> _Made:
    """Make a step that answers 0/0 with uniform weights."""

    def kirwls_step(*given: Any) -> Any:
        try:
            return right(*given)
        except AllWeightsZero:
            size = len(given[-1])
            return [1 / size] * size

    return kirwls_step


def first_copies(right: _Made) -> _Made:
    """Make a step that gives no weight to the second copy of a row, in either package."""

    def kirwls_step(*given: Any) -> Any:
        X = given[-4]
        is_first = [X.index(row) == i for i, row in enumerate(X)]
        return reweighted(
            right, lambda w: normalised([w_i * kept for w_i, kept in zip(w, is_first, strict=True)])
        )(*given)

    return kirwls_step


def first_column_twice(right: _Made) -> _Made:
    """Make a step that sees the first column at twice its scale, in either package."""

    def kirwls_step(*given: Any) -> Any:
        before = given[:-4]  # the context, in the reference
        X, *others = given[-4:]
        return right(*before, [[2 * row[0], *row[1:]] for row in X], *others)

    return kirwls_step


def overshot(right: _Made) -> _Made:
    """Make a step of the fast code three times as long."""

    def step(self: Any, state: Any, *, is_last: bool) -> Any:
        after = right(self, state, is_last=is_last)
        far = np.maximum(state.weights + 3 * (after.weights - state.weights), 0.0)
        return replace(after, weights=far / far.sum())

    return step


# ------------------------------------------------------------------------------------------------- influence


def alpha_new_changed(right: _Made, change: Callable[[Any, int], Any]) -> _Made:
    """Put ``change(alpha', n)`` in the place of alpha', in either package."""

    def coefficients(*given: Any) -> Any:
        found = right(*given)
        (point,) = (entry for entry in given if hasattr(entry, "weights"))
        alpha_new = "alpha_new" if hasattr(found, "alpha_new") else "new"
        return replace(found, **{alpha_new: change(getattr(found, alpha_new), len(point.weights))})

    return coefficients


def fast_density_units(right: _Made) -> _Made:
    """Give coefficients in the unit of densities, in the fast code."""

    def influence(X: Any, kernel: Any, *given: Any, **options: Any) -> Any:
        found, unit = right(X, kernel, *given, **options), math.exp(kernel.log_normaliser(len(X[0])))
        return replace(found, if_coef=found.if_coef * unit, if_coef_new=found.if_coef_new * unit)

    return influence


def density_units(right: _Made) -> _Made:
    """Give coefficients in the unit of densities, in the reference."""

    def influence(ctx: Any, X: Any, kernel: Any, *given: Any) -> Any:
        found = right(ctx, X, kernel, *given)
        unit = ctx.exp(kernel.log_normaliser(ctx, len(X[0])))
        coefficients = tuple(tuple(unit * entry for entry in row) for row in found.if_coef)
        return replace(
            found, if_coef=coefficients, if_coef_new=tuple(unit * entry for entry in found.if_coef_new)
        )

    return influence


def new_twice_in_the_plane(right: _Made) -> _Made:
    """Count x' twice in values of the influence function at points of the plane."""

    def value(ctx: Any, inputs: Any, x_new: Any, found: Any, x: Any) -> Any:
        return right(ctx, inputs, x_new, replace(found, alpha_new=found.alpha_new * min(len(x), 2)), x)

    return value


# ----------------------------------------------------------------------------------------------- experiments


def a_sum(right: _Made) -> _Made:
    """Make an estimate of the divergence the sum of the log ratios."""

    def kl_divergence(*given: Any) -> Any:
        found = right(*given)
        return replace(found, kl_divergence=found.kl_divergence * len(given[-1]))

    return kl_divergence


def infinite_left_out(right: _Made) -> _Made:
    """Make an estimate of the divergence leave infinite ratios out without counting them."""

    def kl_divergence(*given: Any) -> Any:
        pairs = [pair for pair in zip(*given[-2:], strict=True) if abs(pair[1]) < float("inf")]
        first, second = zip(*pairs, strict=True)
        return right(*given[:-2], list(first), list(second))

    return kl_divergence


def zeros_for_method_2(right: _Made) -> _Made:
    """Give the lowest ranks to zero differences, and count them for the second method."""

    def signed_rank(*given: Any) -> Any:
        test = right(*given)
        wins = sum(value > 0 for value in given[-1])
        first = test.rank_sum_1 + test.zeros * wins
        count = len(given[-1])
        return replace(test, rank_sum_1=first, rank_sum_2=count * (count + 1) / 2 - first)

    return signed_rank


def one_rank_moved(right: _Made) -> _Made:
    """Move the smallest rank from the second method to the first in every printed cell."""

    def tested(comparison: Comparison) -> Any:
        cells = tuple(
            replace(cell, rank_sum_1=cell.rank_sum_1 + 1, rank_sum_2=cell.rank_sum_2 - 1)
            for cell in comparison.cells
        )
        return right(replace(comparison, cells=cells))

    return tested
