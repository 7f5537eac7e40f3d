"""Difference quotients of the estimate from (1 - s) F_n + s delta_x', and the table of their errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, mpf

from rkde.proofs_checks.tolerances import first_order_band, quotient_rounding
from rkde.reference.influence import Influence, contaminate, influence
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows
from rkde.reference.rkhs import RkhsElement, residual_norms
from rkde.reference.solvers import fixed_point
from rkde.vocabulary import Certificate

DIGITS: Final = 60
"""A quotient at s = 1e-6 then keeps 54 digits."""

SHARES: Final = ("1e-2", "1e-3", "1e-4", "1e-5", "1e-6")
TWO_SHARES: Final = ("1e-5", "1e-6")
_SMALL_SHARE: Final = -20


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table: s, the norm of quotient minus derivative in tau, and whether it is rounding."""

    share: mpf
    error: mpf
    is_exact: bool

    @property
    def ratio(self) -> mpf:
        """error/|s|, constant up to first order."""
        return self.error / abs(self.share)


@dataclass(frozen=True, slots=True)
class Trial:
    """A problem, its fixed point and what kind of point that is, and the influence of one point."""

    rows: Rows
    kernel: Kernel
    loss: Loss
    x_new: Sequence[Number]
    weights: Sequence[mpf]
    norms: Sequence[mpf]
    found: Influence
    certificate: Certificate


def trial(
    ctx: MPContext,
    rows: Rows,
    kernel: Kernel,
    loss: Loss,
    x_new: Sequence[Number],
    start: Sequence[Number] | None = None,
) -> Trial:
    """Run KIRWLS to its limit and take the influence there."""
    limit = fixed_point(ctx, rows, kernel, loss, weights_init=start)
    found = influence(ctx, rows, kernel, loss, limit.weights, [x_new])
    return Trial(rows, kernel, loss, x_new, limit.weights, limit.residual_norms, found, limit.certificate)


def system_condition(ctx: MPContext, of: Trial) -> mpf:
    """Return the condition of Theorem 5's system, also where x' has no pull and nothing is solved for it."""
    heaviest = max(range(len(of.weights)), key=lambda i: of.weights[i])
    return influence(ctx, of.rows, of.kernel, of.loss, of.weights, [of.rows[heaviest]]).condition


def table(ctx: MPContext, of: Trial, shares: Sequence[str] = SHARES, *, below: bool = False) -> list[Entry]:
    """Return the errors of the difference quotients, for s > 0 or, with `below`, for s < 0."""
    side = of.found.from_below if below else of.found
    if side is None:
        raise AssertionError("there is no derivative from below")
    return [_entry(ctx, of, side, ctx.mpf(text) * (-1 if below else 1)) for text in shares]


def _entry(ctx: MPContext, of: Trial, side: Influence, share: mpf) -> Entry:
    error = distance(ctx, of, quotient(ctx, of, share), [*side.if_coef[0], side.if_coef_new[0]])
    rounding = quotient_rounding(ctx.dps, abs(float(share)), len(of.rows))
    return Entry(share, error, float(error) <= rounding)


def quotient(ctx: MPContext, of: Trial, share: mpf) -> list[mpf]:
    """Return the coefficients of (f_s - f) / s on the rows and x'."""
    moved = contaminate(ctx, of.rows, of.kernel, of.loss, of.weights, share, of.x_new).weights
    return [(after - before) / share for after, before in zip(moved, [*of.weights, ctx.mpf(0)], strict=True)]


def distance(ctx: MPContext, of: Trial, left: Sequence[Number], right: Sequence[Number]) -> mpf:
    """Return the distance of two elements with coefficients on the rows and x', in tau."""
    rest = [ctx.convert(one) - ctx.convert(other) for one, other in zip(left, right, strict=True)]
    return RkhsElement([*of.rows, of.x_new], rest, of.kernel).norm(ctx)


def small_share(ctx: MPContext, of: Trial, kinks: Sequence[Number]) -> mpf:
    """Return an s so small that no residual norm comes near a kink and the error is of first order.

    f moves by about s |g| with |g| <= sum |alpha_i| + alpha', and so does each norm, r' too. The curvature of
    f_s is of the order of g's size times the condition and the reciprocal of the distance to where phi' is
    not continuous.
    """
    norms = [*of.norms, _norm_at_new(ctx, of)]
    clear = min((abs(norm - ctx.convert(kink)) for norm in norms for kink in kinks), default=ctx.mpf(1))
    size = ctx.fsum([*of.found.if_coef[0], of.found.if_coef_new[0]], absolute=True)
    return clear * ctx.mpf(2) ** _SMALL_SHARE / (1 + size) / system_condition(ctx, of) ** 2


def _norm_at_new(ctx: MPContext, of: Trial) -> mpf:
    """Return r'."""
    (*_, norm) = residual_norms(ctx, [*of.rows, of.x_new], of.kernel, [*of.weights, 0])
    return norm


def is_first_order(entries: Sequence[Entry]) -> bool:
    """Tell whether error/s settles between the two smallest s, or every error is rounding."""
    if all(entry.is_exact for entry in entries):
        return True
    last, before = entries[-1].ratio, entries[-2].ratio
    return float(abs(last - before) / last) <= first_order_band()


def print_table(ctx: MPContext, title: str, entries: Sequence[Entry]) -> None:
    """Print s, error and error/s; an error that is rounding reads "exact"."""
    # The table is what a reader of the claim wants to see, so it goes to standard output.
    print(f"{title}\n{'s':>8}  {'error':>12}  {'error/s':>10}")  # noqa: T201
    for entry in entries:
        shown = ("exact", "") if entry.is_exact else (ctx.nstr(entry.error, 6), ctx.nstr(entry.ratio, 6))
        print(f"{ctx.nstr(entry.share, 2):>8}  {shown[0]:>12}  {shown[1]:>10}")  # noqa: T201
