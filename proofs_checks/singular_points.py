"""Symmetric rows at which Theorem 5's system with Hampel's loss is singular, enclosed in balls."""

import itertools
from dataclasses import dataclass
from typing import Final

from flint import arb, arb_mat

from rkde import fast
from rkde.reference.certify.balls import ball_sum
from rkde.reference.certify.groups import Groups, location_groups, symmetric_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.sample import read_sample
from rkde.reference.certify.weight_state import State, evaluate, jacobian
from rkde.reference.kernels import Gaussian
from rkde.vocabulary import Stationarity

KERNEL: Final = Gaussian(1)
_COARSE: Final = Stationarity(1e-9)
_CAP: Final = 300


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Rows that reflection exchanges, Hampel's a and b, and the c at which a symmetric point is singular.

    Attributes
    ----------
    rows : list of list of str
    kinks : tuple of str
        a and b.
    centre, reach : str
        The critical c lies within `reach` of `centre`.
    totals : tuple of str
        Weights of the cells of rows that the reflection exchanges, near the fixed point, in the order in
        which the cells first occur among the rows.
    """

    rows: list[list[str]]
    kinks: tuple[str, str]
    centre: str
    reach: str
    totals: tuple[str, ...]

    def loss(self, c: arb) -> BallLoss:
        """Return Hampel's loss with the third threshold in a ball."""
        return BallLoss("hampel", (*map(arb, self.kinks), c))

    def interval(self) -> arb:
        """Return the ball of all c within `reach` of `centre`."""
        return arb(arb(self.centre), arb(self.reach))

    def locations(self) -> Groups:
        """Return the rows, each a group of its own."""
        return location_groups(read_sample(self.rows), ball_kernel(KERNEL))

    def cells(self) -> Groups:
        """Return the groups of rows that the reflection exchanges."""
        locations = self.locations()
        return symmetric_groups(read_sample(self.rows), locations, [0] * locations.count)

    def point(self, c: arb) -> State:
        """Enclose the symmetric fixed point for every c in a ball."""
        cells = self.cells()
        totals = enclose_zero(cells, self.loss(c), list(map(arb, self.totals)))
        return evaluate(self.locations(), self.loss(c), list(cells.row_weights(totals)))

    def odd_determinants(self) -> tuple[arb, arb]:
        """Enclose, at both ends of the interval of c, the determinant of Theorem 5's matrix on odd weights.

        Odd are those that the reflection turns into their negatives.
        """
        left, right = (self._odd(arb(self.centre) + sign * arb(self.reach)) for sign in (-1, 1))
        return left, right

    def _odd(self, c: arb) -> arb:
        matrix = jacobian(self.locations(), self.loss(c), self.point(c))
        last, half = len(self.rows) - 1, len(self.rows) // 2
        return arb_mat([[matrix[i, j] - matrix[i, last - j] for j in range(half)] for i in range(half)]).det()

    def seen_from(self, x: str, state: State) -> tuple[list[arb], arb]:
        """Enclose the kernel's values between a point and the rows, and the point's residual norm."""
        gaps = [arb(x) - arb(row) for (row,) in self.rows]
        kappa = [(-gap * gap / 2).exp() for gap in gaps]
        spread = ball_sum(map(arb.__mul__, state.weights, state.mean_sqdist))
        away = ball_sum(w * 2 * (1 - entry) for w, entry in zip(state.weights, kappa, strict=True))
        return kappa, (away - spread / 2).sqrt()


def in_floats(of: Symmetric, c: str) -> tuple[list[list[float]], fast.Hampel]:
    """Return the rows and the loss for the fast code."""
    a, b = map(float, of.kinks)
    return [[float(x)] for (x,) in of.rows], fast.Hampel(a, b, float(c))


def lowest_end(of: Symmetric) -> float:
    """Run KIRWLS from uniform weights on each nonempty set of rows; return the lowest J that it ends at."""
    (rows, loss), ends = in_floats(of, of.centre), []
    for chosen in itertools.product((0.0, 1.0), repeat=len(rows)):
        if any(chosen):
            start = [share / sum(chosen) for share in chosen]
            run = fast.kirwls(rows, fast.Gaussian(1.0), loss, weights_init=start, stop=_COARSE, max_iter=_CAP)
            ends.append(run.objective)
    return min(ends)


THREE: Final = Symmetric(
    rows=[["-2"], ["0"], ["2"]],
    kinks=("0.6", "0.8"),
    centre="1.49071277865008",
    reach="1e-9",
    totals=("0.61", "0.39"),
)
FOUR: Final = Symmetric(
    rows=[["-1.5"], ["-0.6"], ["0.6"], ["1.5"]],
    kinks=("0.5", "0.75"),
    centre="1.4791556361837",
    reach="1e-9",
    totals=("0.387", "0.613"),
)
ABOVE: Final = "1.49071277965008"
"""The upper end of the interval of c for the three rows."""
LOWER: Final = ("0.329393", "0.387051", "0.283556")
"""Weights of the three rows at which J is lower than at the symmetric point."""
