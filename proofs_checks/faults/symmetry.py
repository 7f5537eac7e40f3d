"""Planted faults of the claims about what KIRWLS does not depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced


def _normalised(ctx: Any, weights: list[Any]) -> tuple[Any, ...]:
    total = ctx.fsum(weights)
    return tuple(weight / total for weight in weights)


def _first_row_twice(right: Callable[..., Any]) -> Callable[..., Any]:
    def kirwls_step(ctx: Any, *given: Any) -> tuple[Any, ...]:
        first, *others = right(ctx, *given)
        return _normalised(ctx, [2 * first, *others])

    return kirwls_step


def _single_precision(right: Callable[..., Any]) -> Callable[..., Any]:
    def kirwls_step(ctx: Any, X: Any, *given: Any) -> Any:
        return right(ctx, [[float(np.float32(value)) for value in row] for row in X], *given)

    return kirwls_step


def _of_one_dimension(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, _dim: right(self, ctx, 1)


def _first_copies(right: Callable[..., Any]) -> Callable[..., Any]:
    def kirwls_step(ctx: Any, X: Any, *given: Any) -> tuple[Any, ...]:
        weights = right(ctx, X, *given)
        kept = [
            weight if X.index(row) == i else 0 for i, (row, weight) in enumerate(zip(X, weights, strict=True))
        ]
        return _normalised(ctx, kept)

    return kirwls_step


FAULTS: Final = (
    Fault(
        name="the first row counts twice",
        claims=("symmetry.permutation",),
        plant=replaced("rkde.reference.kirwls.kirwls_step", _first_row_twice),
        caught_by=("check_permutation",),
    ),
    Fault(
        name="rows are read in single precision",
        claims=("symmetry.translation",),
        plant=replaced("rkde.reference.kirwls.kirwls_step", _single_precision),
        caught_by=("check_translation",),
    ),
    Fault(
        name="the normaliser is that of one dimension",
        claims=("symmetry.similarity",),
        plant=replaced("rkde.reference.kernels.Gaussian.log_normaliser", _of_one_dimension),
        caught_by=("check_scaling",),
    ),
    Fault(
        name="only the first copy of a row is kept",
        claims=("symmetry.repetition",),
        plant=replaced("rkde.reference.kirwls.kirwls_step", _first_copies),
        caught_by=("check_repetition",),
    ),
)
