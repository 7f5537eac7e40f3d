"""Inner products of differences of features that keep their digits where rows are close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import ENTRY_ROUNDINGS, UNIT_ROUNDOFF, Floats
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, Student

# Where kappa(x, y) underflows and u is within a bandwidth of x, kappa(u, y) is below this.
_UNDERFLOW: Final = 2.0**-960


@dataclass(frozen=True, slots=True, eq=False)
class _Triples:
    """What a product consists of, for one row u near x and several rows y; lengths are over h.

    `moved` is kappa(x, y) expm1(log_quotient), the difference kappa(u, y) - kappa(x, y); `change_terms` is
    the sum of the sizes of the terms of `change` = |u - y|^2 - |x - y|^2.
    """

    complement: float
    square: Floats
    between: Floats
    change: Floats
    change_terms: Floats
    log_profile: Floats
    log_quotient: Floats
    moved: Floats


def feature_products(kernel: Kernel, x: Floats, near: Floats, rows: Floats) -> Floats:
    """Return <Phi(x) - Phi(u), Phi(x) - Phi(y)> in tau^2 for a row u near x and rows y farther off.

    Shapes: x, near (d,), the query and the row u; rows (n, d), the rows y; result (n,). Result: with an error
    of some roundings of |Phi(x) - Phi(u)| |Phi(x) - Phi(y)| where u is not farther from x than y.

    Notes
    -----
    The product is 1 - kappa(x, u) + kappa(x, y) (kappa(u, y) / kappa(x, y) - 1), and the logarithm of the
    quotient follows from |u - y|^2 - |x - y|^2 = (u - x) (u + x - 2 y), in which nothing cancels.
    """
    parts = _triples(kernel, x, near, rows)
    return parts.complement + parts.moved


def enclosed_feature_products(
    kernel: Gaussian | Student | Laplacian, x: Floats, near: Floats, rows: Floats
) -> tuple[Floats, Floats]:
    """Return the products as `feature_products` does, and proved bounds on their errors.

    Shapes: x, near (d,), the query and the row u, within a bandwidth of it; rows (n, d), the rows y; results
    products, errors (n,).

    Notes
    -----
    With c = d + ENTRY_ROUNDINGS roundings u each: 1 - kappa(x, u) is off by c u of itself, kappa(x, y) by
    c u (1 + |log kappa|) of itself, `change` by c u of the sizes of its terms, and log(1 + z) by the error of
    z over 1 + z. So log_quotient is off by an e that is a running sum of those, and expm1 of it by exp of it
    times e. What is added beside takes two roundings, of which c has some to spare.
    """
    parts = _triples(kernel, x, near, rows)
    unit = (len(x) + ENTRY_ROUNDINGS) * UNIT_ROUNDOFF
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        profile = np.exp(parts.log_profile)
        units = _log_quotient_units(kernel, parts, len(x))
        slope = np.exp(parts.log_profile + parts.log_quotient) * unit * units
        own = np.abs(parts.moved) * unit * (2 + np.abs(parts.log_profile))
        errors = np.where(profile > 0, slope + own, 0.0) + unit * parts.complement + _UNDERFLOW
    return parts.complement + parts.moved, errors


def _triples(kernel: Kernel, x: Floats, near: Floats, rows: Floats) -> _Triples:
    dim = len(x)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        step, to_rows = (near - x) / kernel.bandwidth, (x - rows) / kernel.bandwidth
        square = (to_rows * to_rows).sum(axis=1)
        change = (step * (step + 2 * to_rows)).sum(axis=1)
        terms = (np.abs(step) * (np.abs(step) + 2 * np.abs(to_rows))).sum(axis=1)
        between = np.sqrt((((near - rows) / kernel.bandwidth) ** 2).sum(axis=1))
        log_profile = kernel.unit_log_profile(square.copy() if kernel.squared else np.sqrt(square), dim)
        log_quotient = _log_quotient(kernel, square, between, change, dim)
        profile = np.exp(log_profile)
        moved = np.where(profile > 0, profile * np.expm1(log_quotient), 0.0)
    length = np.array([(step * step).sum()])
    complement = float(kernel.unit_complement(length if kernel.squared else np.sqrt(length), dim)[0])
    return _Triples(complement, square, between, change, terms, log_profile, log_quotient, moved)


def _log_quotient(kernel: Kernel, square: Floats, between: Floats, change: Floats, dim: int) -> Floats:
    """Return log kappa at |u - y| less log kappa at |x - y|."""
    if isinstance(kernel, Gaussian):
        return change / -2
    if isinstance(kernel, Student):
        return np.asarray(np.log1p(change / (kernel.dof + square)) * (-(kernel.dof + dim) / 2))
    if isinstance(kernel, Laplacian):
        lengths = np.sqrt(square) + between
        return np.divide(-change, lengths, out=np.zeros_like(change), where=lengths > 0)
    h_squared = kernel.bandwidth**2
    moved = kernel.log_profile(np.maximum(square + change, 0.0) * h_squared, dim)
    return moved - kernel.log_profile(square * h_squared, dim)


def _log_quotient_units(kernel: Gaussian | Student | Laplacian, parts: _Triples, dim: int) -> Floats:
    """Bound the error of `log_quotient`, in units of (d + ENTRY_ROUNDINGS) roundings."""
    if isinstance(kernel, Gaussian):
        return parts.change_terms / 2 + np.abs(parts.log_quotient)
    if isinstance(kernel, Student):
        # The smaller of the two arguments of the logarithm's quotient is the one at |u - y|.
        least = kernel.dof + np.minimum(parts.square, parts.between**2)
        return (kernel.dof + dim) * parts.change_terms / least + np.abs(parts.log_quotient)
    lengths = np.sqrt(parts.square) + parts.between
    slopes = np.divide(parts.change_terms, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return slopes + np.abs(parts.log_quotient)
