"""What the checks of the six properties recompute, by other formulas than the two packages use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mpmath import MPContext, mpf
from numpy.typing import NDArray

from rkde.proofs_checks import bridge
from rkde.proofs_checks.property_cases import Case
from rkde.reference.numbers import Number
from rkde.reference.rkhs import gram

_Floats = NDArray[np.float64]


def centred_products(ctx: MPContext, case: Case, weights: Sequence[Number]) -> list[list[mpf]]:
    """Return <Phi_i - f, Phi_j - f> in tau^2 from the kernel matrix, f having the weights over their sum.

    The packages use distances instead, which loses no digits; here a context with digits to spare replaces
    that.
    """
    products = gram(ctx, case.rows, bridge.reference_kernel(case.kernel))
    shares = normalised(ctx, weights)
    at_rows = [ctx.fdot(row, shares) for row in products]
    square = ctx.fdot(at_rows, shares)
    return [
        [entry - at_rows[i] - at_rows[j] + square for j, entry in enumerate(row)]
        for i, row in enumerate(products)
    ]


@dataclass(frozen=True, slots=True)
class Point:
    """A weighted density estimate: weights of sum 1, centred products, norms, and what a step changes."""

    weights: list[mpf]
    products: list[list[mpf]]
    norms: list[mpf]
    step: list[mpf]

    @classmethod
    def at(cls, ctx: MPContext, case: Case, weights: Sequence[Number]) -> Point:
        """Return the point of given weights."""
        shares = normalised(ctx, weights)
        products = centred_products(ctx, case, shares)
        # A norm that vanishes counts as what the context can tell from 0.
        floor = ctx.mpf(10) ** -ctx.dps
        norms = [ctx.sqrt(max(row[i], floor)) for i, row in enumerate(products)]
        after = next_weights(ctx, case, norms)
        step = [new - old for new, old in zip(after, shares, strict=True)]
        return cls(shares, products, norms, step)


def normalised(ctx: MPContext, weights: Sequence[Number]) -> list[mpf]:
    """Return weights over their sum."""
    exact = [ctx.convert(weight) for weight in weights]
    total = ctx.fsum(exact)
    return [weight / total for weight in exact]


def objective(ctx: MPContext, case: Case, weights: Sequence[Number]) -> mpf:
    """Return J, the mean of rho over the norms from `centred_products`."""
    loss = bridge.reference_loss(case.loss)
    squares = [row[i] for i, row in enumerate(centred_products(ctx, case, weights))]
    norms = [ctx.sqrt(max(square, ctx.mpf(0))) for square in squares]
    return ctx.fsum(loss.rho(ctx, norm) for norm in norms) / len(norms)


def next_weights(ctx: MPContext, case: Case, norms: Sequence[mpf]) -> list[mpf]:
    """Return the weights after one step: psi(r)/r over their sum."""
    loss = bridge.reference_loss(case.loss)
    pulls = [loss.psi(ctx, norm) / norm for norm in norms]
    total = ctx.fsum(pulls)
    return [pull / total for pull in pulls]


def length(ctx: MPContext, products: list[list[mpf]], moves: Sequence[mpf]) -> mpf:
    """Return |sum m_i (Phi_i - f)| in tau."""
    terms = [
        left * right * entry
        for left, row in zip(moves, products, strict=True)
        for right, entry in zip(moves, row, strict=True)
    ]
    return ctx.sqrt(max(ctx.fsum(terms), ctx.mpf(0)))


def local_rate(ctx: MPContext, case: Case, products: list[list[mpf]]) -> float:
    """Return the factor by which KIRWLS shrinks distances near a fixed point.

    The derivative of T there is h -> sum_i c_i <R_i, h> R_i / sum phi with R_i = Phi_i - f and c_i =
    -q(r_i)/r_i^3 >= 0: symmetric, not negative. Its largest eigenvalue is that of (c_i c_j)^(1/2) <R_i, R_j>
    over sum phi.
    """
    loss = bridge.reference_loss(case.loss)
    norms = [ctx.sqrt(row[i]) for i, row in enumerate(products)]
    roots = [ctx.sqrt(-loss.q(ctx, norm) / norm**3) for norm in norms]
    phi_sum = ctx.fsum(loss.phi(ctx, norm) for norm in norms)
    bent: _Floats = np.array(
        [
            [float(left * right * entry / phi_sum) for right, entry in zip(roots, row, strict=True)]
            for left, row in zip(roots, products, strict=True)
        ]
    )
    return float(np.linalg.eigvalsh(bent)[-1])
