"""Problems with Huber's loss at which Theorem 5 says something, by construction, and its equation.

The rows are distinct and at least three, so the estimate is the only minimiser of J. Some f in the hull is
within half the diameter of all Phi_i at best, so with a below half the diameter some residual exceeds a, and
its q is not 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st
from mpmath import MPContext, mpf

from rkde.proofs_checks import bridge, strategies
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelSpec, LossSpec, Rows
from rkde.reference.rkhs import distance_matrix

_FEWEST: Final = 3
_DOF: Final = 3.0
_BANDWIDTHS: Final = (-2, 3)
_SHARES: Final = (0.25, 0.5, 0.75)
CANCELLATION: Final = 4 / min(_SHARES) ** 2
"""Largest factor by which r^2 > a^2 = share^2 diameter^2/4 cancels as a difference of terms <= diameter^2."""


@dataclass(frozen=True, slots=True)
class ActiveProblem:
    """Rows, a kernel, Huber's loss with an active q, and a point x'."""

    X: Rows
    kernel: KernelSpec
    loss: LossSpec
    x_new: list[float]


def active_problem(X: Rows, kernel: KernelSpec, share: float, x_new: list[float]) -> ActiveProblem:
    """Put Huber's a at a share of half the diameter of the rows in the feature space."""
    ctx = bridge.context()
    rows = [[ctx.convert(value) for value in row] for row in X]
    distances = distance_matrix(ctx, rows, bridge.reference_kernel(kernel))
    diameter = ctx.sqrt(max(entry for row in distances for entry in row))
    return ActiveProblem(X, kernel, LossSpec("huber", (float(ctx.mpf(share) * diameter / 2),)), x_new)


@st.composite
def active_problems(draw: st.DrawFn, max_samples: int = 5, max_dim: int = 2) -> ActiveProblem:
    """Draw distinct rows of dyadic coordinates, a kernel whose bandwidth suits them, x' on or off them."""
    dim = draw(st.integers(1, max_dim))
    points = st.lists(strategies.coordinates(), min_size=dim, max_size=dim)
    rows = draw(st.lists(points, min_size=_FEWEST, max_size=max_samples, unique_by=tuple))
    name, width = draw(st.sampled_from(KERNEL_NAMES)), 2.0 ** draw(st.integers(*_BANDWIDTHS))
    kernel = KernelSpec(name, width, _DOF if name == "student" else None)
    x_new = draw(st.one_of(points, st.sampled_from(rows)))
    return active_problem(rows, kernel, draw(st.sampled_from(_SHARES)), x_new)


EXAMPLE: Final = active_problem([[0.0], [1.0], [3.0]], KernelSpec("gaussian", 1.0), 0.5, [0.5])
IN_THE_PLANE: Final = active_problem(
    [[0.0, 0.0], [1.0, 0.5], [3.0, -1.0], [0.5, 2.0]], KernelSpec("laplacian", 2.0), 0.75, [1.0, 1.0]
)


def equation_error(
    ctx: MPContext, of: ActiveProblem, weights: Sequence[mpf], coefficients: Sequence[mpf]
) -> mpf:
    """Return how far sum alpha_i Phi_i + alpha' Phi(x') is from solving equation (12), relative to its pull.

    gamma df + sum Q_ii <df, u_i> u_i - n phi(r') (Phi(x') - f) has coefficients on the n + 1 points, and its
    norm in the feature space is divided by gamma times the sum of |alpha_i| and alpha'.
    """
    kernel, loss = bridge.reference_kernel(of.kernel), bridge.reference_loss(of.loss)
    rows = [[ctx.convert(value) for value in row] for row in (*of.X, of.x_new)]
    half = [[entry / 2 for entry in row] for row in distance_matrix(ctx, rows, kernel)]
    size = len(of.X)
    wide = [*map(ctx.convert, weights), ctx.mpf(0)]
    units = [[int(i == j) - w for j, w in enumerate(wide)] for i in range(size + 1)]
    # The entries of u_i sum to 0, so -D/2 stands for the Gram matrix 1 - D/2.
    norms = [ctx.sqrt(-_form(ctx, half, unit, unit)) for unit in units]
    phis = [loss.phi(ctx, norm) for norm in norms]
    gamma = ctx.fsum(phis[:size])
    left = [gamma * entry for entry in coefficients]
    for unit, norm in zip(units[:size], norms[:size], strict=True):
        bend = loss.q(ctx, norm) / norm**3 if norm else ctx.mpf(0)
        change = -bend * _form(ctx, half, coefficients, unit)
        left = [old + change * entry for old, entry in zip(left, unit, strict=True)]
    rest = [old - size * phis[size] * entry for old, entry in zip(left, units[size], strict=True)]
    square = ctx.fsum(rest) ** 2 - _form(ctx, half, rest, rest)
    return ctx.sqrt(max(square, ctx.mpf(0))) / (gamma * ctx.fsum(map(abs, coefficients)))


def _form(ctx: MPContext, table: list[list[mpf]], left: Sequence[mpf], right: Sequence[mpf]) -> mpf:
    """Return left' table right."""
    return ctx.fsum(
        p * q * entry for p, row in zip(left, table, strict=True) for q, entry in zip(right, row, strict=True)
    )
