"""Sizes of influence functions in one dimension, Gaussian kernel of bandwidth 1, enclosed in balls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb

from rkde.reference.certify import certify_limit, enclose_influence
from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, working_bits
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Huber, Loss, Quadratic
from rkde.vocabulary import Certificate

KERNEL: Final = Gaussian(1)


@dataclass(frozen=True, slots=True)
class Sizes:
    """An estimate of Huber's or the quadratic loss, the only minimiser of J, and what a point x' does to it.

    Attributes
    ----------
    at_rows, at_new : tuple of flint.arb, flint.arb
        The estimate at the rows and at x', in tau^2.
    norms, norm_new : tuple of flint.arb, flint.arb
        |Phi(X_i) - f| and |Phi(x') - f|, in tau.
    alpha_new : flint.arb
        alpha'.
    if_at_rows, if_at_new : tuple of flint.arb, flint.arb
        IF(X_i, x') and IF(x', x'), in tau^2.
    if_norm, if_l2_norm : flint.arb
        The norm of IF in the feature space, in tau, and in L2, in units of the L2 norm of one kernel.
    """

    at_rows: tuple[arb, ...]
    at_new: arb
    norms: tuple[arb, ...]
    norm_new: arb
    alpha_new: arb
    if_at_rows: tuple[arb, ...]
    if_at_new: arb
    if_norm: arb
    if_l2_norm: arb


def enclosed_sizes(row_texts: Sequence[str], loss: Loss, x_new: str) -> Sizes:
    """Enclose the estimate and the sizes of its influence function; both losses are convex."""
    rows = [[text] for text in row_texts]
    end = certify_limit(rows, KERNEL, loss)
    assert end.certificate is Certificate.GLOBAL
    found = enclose_influence(rows, KERNEL, loss, end.weights, [x_new], rows)
    with working_bits(DEFAULT_BITS):
        places = [*map(arb, row_texts), arb(x_new)]
        table = [[(-(x - y) * (x - y) / 2).exp() for y in places] for x in places]
        values = [ball_sum(w * entry for w, entry in zip(end.weights, row, strict=False)) for row in table]
        square = ball_sum(w * value for w, value in zip(end.weights, values, strict=False))
        norms = [(1 - 2 * value + square).sqrt() for value in values]
        alphas = (*found.if_coef, found.if_coef_new)
        energy = ball_sum(p * q * table[i][j] for i, p in enumerate(alphas) for j, q in enumerate(alphas))
    return Sizes(
        at_rows=tuple(values[:-1]),
        at_new=values[-1],
        norms=tuple(norms[:-1]),
        norm_new=norms[-1],
        alpha_new=found.if_coef_new,
        if_at_rows=found.influence,
        if_at_new=found.if_at_new,
        if_norm=energy.sqrt(),
        if_l2_norm=found.if_l2_norm,
    )


def beside_the_kde(rows: Sequence[str], a: str, x_new: str) -> tuple[Sizes, Sizes]:
    """Enclose the sizes for Huber's loss and for the KDE of the same rows."""
    return enclosed_sizes(rows, Huber(a), x_new), enclosed_sizes(rows, Quadratic(), x_new)
