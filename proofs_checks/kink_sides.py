"""Both sides of a kink in balls: the rows 0, 1 and 3, Huber's a at the largest residual of their KDE."""

from dataclasses import dataclass
from typing import Final

from flint import arb, arb_mat

from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, column, entries, working_bits

ROWS: Final = (0, 1, 3)
_LAST: Final = 2


@dataclass(frozen=True, slots=True)
class Side:
    """Theorem 5's answer with psi' from one side of the kink.

    Attributes
    ----------
    alpha : list of flint.arb, shape (3,)
    alpha_new : flint.arb
    motion : flint.arb
        The derivative of the residual of the row 3 with respect to s.
    """

    alpha: list[arb]
    alpha_new: arb
    motion: arb


def both_sides(x_new: str) -> tuple[Side, Side]:
    """Enclose the answers with psi' from the left and from the right; f is the KDE, every phi(r_i) is 1."""
    with working_bits(DEFAULT_BITS):
        places = [*map(arb, ROWS), arb(x_new)]
        sqdist = [[2 * (1 - (-(x - y) * (x - y) / 2).exp()) for y in places] for x in places]
        means = [ball_sum(row[: len(ROWS)]) / 3 for row in sqdist]
        spread = ball_sum(means[: len(ROWS)]) / 3
        norms = [(mean - spread / 2).sqrt() for mean in means]
        a = norms[_LAST]
        assert all(norm < a for norm in norms[:_LAST])
        pull = arb(1) if norms[-1] < a else a / norms[-1]
        # psi' is 1 on the left of a, so q = 0; on the right psi' is 0, so q = -a and Q = -a/a^3.
        left, right = (_solution(sqdist, pull, a, bend) for bend in (arb(0), -1 / (a * a)))
        return left, right


def _solution(sqdist: list[list[arb]], pull: arb, a: arb, bend: arb) -> Side:
    """Solve (3 I + P'QPK) alpha = -3 phi(r') w - alpha' P'QPk' with one entry of Q that is not 0."""
    # The last row's entry of P k = -P D/2, for each column of distances.
    centred = [(ball_sum(row[: len(ROWS)]) / 3 - row[_LAST]) / 2 for row in sqdist]
    unit = [(arb(int(i == _LAST)) - arb(1) / 3) * bend for i in range(len(ROWS))]
    matrix = arb_mat([[unit[i] * centred[j] + 3 * int(i == j) for j in range(3)] for i in range(3)])
    right = [-pull - pull * entry * centred[-1] for entry in unit]
    alpha = entries(matrix.solve(column(right)))
    # <df, u> is the last entry of P (K alpha + alpha' k'), and dr/ds = -<df, u>/r.
    inner = ball_sum(entry * factor for entry, factor in zip(centred, [*alpha, pull], strict=True))
    return Side(alpha, pull, -inner / a)
