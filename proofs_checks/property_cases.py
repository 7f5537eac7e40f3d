"""Problems on which the six properties mean something, by construction and not by rejection.

Lengths are multiples of the bandwidth, which is a power of two, and coordinates are dyadic, so that gaps,
near ties and offsets are exact in float64. Locations differ in their first coordinate.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st
from mpmath import MPContext

from rkde.errors import NotConverged
from rkde.proofs_checks import bridge
from rkde.proofs_checks.draws import Pair
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Rows
from rkde.reference.numbers import make_context
from rkde.reference.rkhs import residual_norms
from rkde.reference.solvers import FixedPoint, fixed_point

MOST_DIMENSIONS: Final = 8
# Coordinates and gaps are multiples of 1/16 of the bandwidth, levels of thresholds multiples of 1/8.
_STEP: Final = 16
_LEVEL: Final = 8
# A gap of 20/16 makes every kernel at most 1/2: exp(-g^2/2) of the Gaussian is the largest of all there.
_WIDE_GAP: Final = 20
_NARROW_GAP: Final = 8
_LARGEST_GAP: Final = 48
_OUTLIER_GAP: Final = 2**12
_NEAR_TIE: Final = 2.0**-20
_OFFSETS: Final = (0.0, 0.0, 2.0**10, 2.0**26)
_BANDWIDTHS: Final = (1.0, 1.0, 2.0**-20, 2.0**20)
_DOFS: Final = (1.0, 3.0, 30.0)
_LARGEST_COUNT: Final = 20
_CHOOSING_DIGITS: Final = 20
# Residual norms are at most sqrt(2) tau: nothing lies beyond b = 23/16 or c = 3/2.
_BEYOND_ALL: Final = 1.5
_PLATEAU: Final = (1.4375, _BEYOND_ALL)
# Hampel's thresholds are not used if a limit takes more steps, Newton's included, or KIRWLS does not shrink
# distances by at least 1/32 at a step.
_FEW: Final = 200
_CONDITION: Final = 32


@dataclass(frozen=True, slots=True)
class Case:
    """A problem, three starts of KIRWLS with positive weights, and a contaminating point.

    Attributes
    ----------
    majority : int
        Index of a row whose location holds more than half of all rows; -1 where there is none.
    """

    rows: Rows
    kernel: KernelSpec
    loss: LossSpec
    starts: tuple[list[float], ...]
    x_new: list[float]
    majority: int = -1

    @property
    def dim(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @property
    def is_convex(self) -> bool:
        """Whether J is strictly convex, given three locations."""
        return self.loss.name != "hampel"


@dataclass(frozen=True, slots=True)
class Shape:
    """What rows may be: their columns, locations, smallest gap, and if near ties, outliers, offsets occur."""

    dims: tuple[int, int] = (1, MOST_DIMENSIONS)
    locations: tuple[int, int] = (3, 5)
    least_gap: int = _NARROW_GAP
    is_wild: bool = True


@st.composite
def _locations(draw: st.DrawFn, shape: Shape) -> Rows:
    """Draw locations in units of the bandwidth, each further along the first axis than the one before."""
    dim = draw(st.integers(*shape.dims))
    gap = st.integers(shape.least_gap, _LARGEST_GAP)
    gaps = draw(st.lists(gap, min_size=shape.locations[0] - 1, max_size=shape.locations[1] - 1))
    if shape.is_wild and draw(st.booleans()):
        gaps[-1] *= _OUTLIER_GAP
    others = st.lists(st.integers(-_STEP, _STEP), min_size=dim - 1, max_size=dim - 1)
    firsts = [0, *itertools.accumulate(gaps)]
    return [[first / _STEP, *(value / _STEP for value in draw(others))] for first in firsts]


@st.composite
def _rows(draw: st.DrawFn, shape: Shape) -> Rows:
    """Draw locations, ties of some of them, and near ties."""
    locations = draw(_locations(shape))
    ties = draw(st.lists(st.sampled_from(locations), max_size=2))
    rows = [list(row) for row in (*locations, *ties)]
    if shape.is_wild and draw(st.booleans()):
        first, *rest = draw(st.sampled_from(locations))
        rows.append([first + _NEAR_TIE, *rest])
    return rows


@st.composite
def _balanced_rows(draw: st.DrawFn, shape: Shape) -> Rows:
    """Draw rows no location of which holds the minimiser for the absolute loss.

    With kernels of at most 1/2 the unit vectors from Phi_j to the other locations have inner products of at
    least 0, so |R_j|^2 is at least the sum of the squares of the other multiplicities. The largest
    multiplicity, 1 or 2, occurs twice, hence |R_j| > m at every j.
    """
    locations = draw(_locations(shape))
    twice = draw(st.sampled_from((0, 2, len(locations))))
    return [list(row) for row in (*locations, *locations[:twice])]


@st.composite
def _kernel(draw: st.DrawFn, pair: Pair, bandwidth: float) -> KernelSpec:
    """Draw the degrees of freedom."""
    return KernelSpec(
        pair.kernel, bandwidth, draw(st.sampled_from(_DOFS)) if pair.kernel == "student" else None
    )


@st.composite
def _starts(draw: st.DrawFn, n_rows: int) -> tuple[list[float], ...]:
    """Draw three starts: uniform, any positive weights, and nearly all weight on one row."""
    counts = draw(st.lists(st.integers(1, _LARGEST_COUNT), min_size=n_rows, max_size=n_rows))
    counts[0] += _LARGEST_COUNT  # so that they are never uniform
    heavy = draw(st.integers(0, n_rows - 1))
    lone = [_LARGEST_COUNT * n_rows if i == heavy else 1 for i in range(n_rows)]
    return tuple([count / sum(parts) for count in parts] for parts in ([1] * n_rows, counts, lone))


def _norms(ctx: MPContext, rows: Rows, kernel: KernelSpec, weights: list[float]) -> list[float]:
    """Return residual norms, for choices only."""
    return [float(norm) for norm in residual_norms(ctx, rows, bridge.reference_kernel(kernel), weights)]


@st.composite
def _loss(
    draw: st.DrawFn, pair: Pair, rows: Rows, kernel: KernelSpec, starts: tuple[list[float], ...]
) -> LossSpec:
    """Draw thresholds that matter.

    a is below the largest residual norm of the KDE. Were no norm of a stationary point above a, that point
    would be the KDE: so one is, and for Huber's loss q is not 0 there. Hampel's c is above the smallest norm
    of every start, where J is then below its supremum and stays there.
    """
    if pair.loss in ("quadratic", "absolute"):
        return LossSpec(pair.loss)
    ctx = make_context(_CHOOSING_DIGITS)
    norms = [_norms(ctx, rows, kernel, start) for start in starts]
    level = draw(st.integers(2, 6)) / _LEVEL
    if pair.loss == "huber":
        return LossSpec(pair.loss, (level * max(norms[0]),))
    least = max(map(min, norms))
    c = least + draw(st.integers(1, _LEVEL - 1)) / _LEVEL * (_BEYOND_ALL - least)
    a = level * min(max(norms[0]), c)
    b = a + draw(st.integers(0, 6)) / _LEVEL * (c - a)
    return LossSpec(pair.loss, (a, b, c))


def _cleared(case: Case) -> LossSpec:
    """Return Hampel's loss with c raised, and at last with a plateau for all norms, until it `_is_clear`."""
    a, b, c = case.loss.thresholds
    for end in (c, (c + _BEYOND_ALL) / 2, _BEYOND_ALL):
        loss = LossSpec("hampel", (a, b, end))
        if _is_clear(case, loss):
            return loss
    return LossSpec("hampel", (a, *_PLATEAU))


def _is_clear(case: Case, loss: LossSpec) -> bool:
    """Tell whether q is not 0 at the limit from uniform weights, and all limits are well conditioned minima.

    Hampel's J may be flat, as between two rows beyond a whose other rows lie beyond c. On a plateau up to
    sqrt(2) tau the loss is Huber's, J strictly convex, and both hold.
    """
    ctx, (a, _, c) = make_context(_CHOOSING_DIGITS), loss.thresholds
    built = bridge.reference_kernel(case.kernel), bridge.reference_loss(loss)
    try:
        limits = [
            fixed_point(ctx, case.rows, *built, weights_init=start, max_iter=_FEW) for start in case.starts
        ]
    except NotConverged:
        return False
    margins = [limit.curvature_margin for limit in limits]
    is_active = any(a < float(norm) < c for norm in limits[0].residual_norms)
    return is_active and all(margin is not None and margin * _CONDITION > 1 for margin in margins)


def _nearest(limit: FixedPoint) -> int:
    """Return the row nearest to f."""
    return min(range(len(limit.weights)), key=lambda i: limit.residual_norms[i])


@st.composite
def _case(draw: st.DrawFn, pair: Pair, rows: Rows, *, is_wild: bool = True) -> Case:
    """Draw everything else for rows in units of the bandwidth."""
    bandwidth = draw(st.sampled_from(_BANDWIDTHS))
    offset = draw(st.sampled_from(_OFFSETS)) if is_wild else 0.0
    scaled = [[(value + offset) * bandwidth for value in row] for row in rows]
    kernel, starts = draw(_kernel(pair, bandwidth)), draw(_starts(len(rows)))
    loss = draw(_loss(pair, scaled, kernel, starts))
    moved = draw(st.integers(-_STEP, _STEP)) / _STEP
    near = draw(st.sampled_from(rows))
    x_new = [(near[0] + moved + offset) * bandwidth, *((value + offset) * bandwidth for value in near[1:])]
    return Case(scaled, kernel, loss, starts, x_new)


def _at_limit(case: Case) -> Case:
    """Return the case with Hampel's thresholds and x' such that the limit has an influence."""
    if case.loss.name != "hampel":
        return case
    loss = _cleared(case)
    return replace(case, loss=loss, x_new=_with_pull(case.rows, case.kernel, loss, case.x_new))


def _with_pull(rows: Rows, kernel: KernelSpec, loss: LossSpec, x_new: list[float]) -> list[float]:
    """Return x' where phi(r') > 0 at the limit, else the row nearest to f, whose phi is the largest."""
    ctx, built = make_context(_CHOOSING_DIGITS), bridge.reference_kernel(kernel)
    limit = fixed_point(ctx, rows, built, bridge.reference_loss(loss))
    (*_, norm) = residual_norms(ctx, [*rows, x_new], built, [*limit.weights, 0])
    return x_new if float(norm) < loss.thresholds[2] else rows[_nearest(limit)]


def path_cases(pair: Pair) -> st.SearchStrategy[Case]:
    """Draw cases for what holds at every step: ties, near ties, outliers, offsets, up to eight columns."""
    return _rows(Shape()).flatmap(lambda rows: _case(pair, rows))


def limit_cases(pair: Pair) -> st.SearchStrategy[Case]:
    """Draw cases whose limit is off the rows where the loss is absolute, so that it has an influence."""
    return _limits(pair, MOST_DIMENSIONS, is_wild=True)


def tame_cases(pair: Pair) -> st.SearchStrategy[Case]:
    """Draw such limits on the line or in the plane, without near ties, outliers or offsets."""
    return _limits(pair, 2, is_wild=False)


def _limits(pair: Pair, most: int, *, is_wild: bool) -> st.SearchStrategy[Case]:
    """Draw limits in up to that many columns."""
    balanced = pair.loss == "absolute"
    shape = Shape((1, most), (3, 4), _WIDE_GAP if balanced else _NARROW_GAP, is_wild)
    rows = _balanced_rows(shape) if balanced else _rows(shape)
    return rows.flatmap(lambda drawn: _case(pair, drawn, is_wild=is_wild)).map(_at_limit)


def converging_cases(pair: Pair) -> st.SearchStrategy[Case]:
    """Draw limits, for the absolute loss also of data of which one location holds more than half.

    Between the two kinds, where |R_j| is nearly m at some location, KIRWLS converges at a rate near 1, and at
    |R_j| = m slower than geometrically; such data are not drawn.
    """
    return (
        st.one_of(limit_cases(pair), _with_majority(pair)) if pair.loss == "absolute" else limit_cases(pair)
    )


@st.composite
def _with_majority(draw: st.DrawFn, pair: Pair) -> Case:
    """Draw three locations, one of which has more rows than both others: f is that location."""
    locations = draw(_locations(Shape(locations=(3, 3), least_gap=_WIDE_GAP)))
    heavy = draw(st.integers(0, 2))
    rows = [list(row) for row in (*locations, locations[heavy], locations[heavy])]
    return replace(draw(_case(pair, rows)), majority=heavy)


# x' near a row that is so far from f, at a tight pair, that its kernel with the pair underflows.
KEPT: Final = {
    Pair("gaussian", "hampel"): (
        Case(
            rows=[[0.0], [2.5], [3.25], [3331.0], [3331.0 + _NEAR_TIE]],
            kernel=KernelSpec("gaussian", 1.0),
            loss=LossSpec("hampel", (0.25, 0.625, 1.5)),
            starts=([0.2] * 5, [0.36, 0.04, 0.3, 0.26, 0.04], [0.96, 0.01, 0.01, 0.01, 0.01]),
            x_new=[0.375],
        ),
    )
}

# A single draw is of the simplest rows, which lie on the line.
IN_THE_PLANE: Final = {
    Pair("gaussian", "huber"): (
        Case(
            rows=[[0.0, 0.25], [1.0, -0.5], [2.5, 0.75]],
            kernel=KernelSpec("gaussian", 1.0),
            loss=LossSpec("huber", (0.5,)),
            starts=([0.5, 0.25, 0.25],),
            x_new=[0.375, 0.25],
        ),
    )
}
