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


def _fast_first_row_twice(right: Callable[..., Any]) -> Callable[..., Any]:
    def kirwls_step(*given: Any) -> Any:
        weights = right(*given).copy()
        weights[0] *= 2
        return weights / weights.sum()

    return kirwls_step


def _fast_single_precision(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda X, *given: right(np.asarray(X, dtype=np.float32).astype(np.float64), *given)


def _fast_of_one_dimension(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, _dim: right(self, 1)


def _fast_first_copies(right: Callable[..., Any]) -> Callable[..., Any]:
    def kirwls_step(X: Any, *given: Any) -> Any:
        weights = right(X, *given)
        kept = np.array([X.index(row) == i for i, row in enumerate(X)])
        return weights * kept / (weights * kept).sum()

    return kirwls_step


def _first_column_twice(right: Callable[..., Any]) -> Callable[..., Any]:
    """Make a step that sees the first column at twice its scale, in either implementation."""

    def kirwls_step(*given: Any) -> Any:
        before = given[:-4]  # the context, in the reference
        X, *others = given[-4:]
        return right(*before, [[2 * row[0], *row[1:]] for row in X], *others)

    return kirwls_step


FAULTS: Final = (
    Fault(
        name="the first row counts twice",
        claims=("symmetry.permutation",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _first_row_twice),
        caught_by=("check_permutation",),
    ),
    Fault(
        name="rows are read in single precision",
        claims=("symmetry.translation",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _single_precision),
        caught_by=("check_translation",),
    ),
    Fault(
        name="the normaliser is that of one dimension",
        claims=("symmetry.similarity",),
        plant=replaced("rkde.reference.kernels.radial.Student.log_normaliser", _of_one_dimension),
        caught_by=("check_scaling",),
    ),
    Fault(
        name="only the first copy of a row is kept",
        claims=("symmetry.repetition",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _first_copies),
        caught_by=("check_repetition",),
    ),
    Fault(
        name="the first row counts twice in the fast code",
        claims=("symmetry.permutation",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", _fast_first_row_twice),
        caught_by=("check_permutation",),
    ),
    Fault(
        name="the fast code reads rows in single precision",
        claims=("symmetry.translation",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", _fast_single_precision),
        caught_by=("check_translation",),
    ),
    Fault(
        name="the normaliser of the fast code is that of one dimension",
        claims=("symmetry.similarity",),
        plant=replaced("rkde.fast.kernels.radial.Student.log_normaliser", _fast_of_one_dimension),
        caught_by=("check_scaling",),
    ),
    Fault(
        name="the fast code keeps only the first copy of a row",
        claims=("symmetry.repetition",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", _fast_first_copies),
        caught_by=("check_repetition",),
    ),
    Fault(
        name="the reference sees the first column at twice its scale",
        claims=("symmetry.similarity",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _first_column_twice),
        caught_by=("check_rotation",),
    ),
    Fault(
        name="the fast code sees the first column at twice its scale",
        claims=("symmetry.similarity",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", _first_column_twice),
        caught_by=("check_rotation",),
    ),
)
