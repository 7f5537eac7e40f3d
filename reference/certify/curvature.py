"""What kind of stationary point: the Hessian's form over balls.

n times the Hessian of J at f is gamma I - sum_i |q_i| / r_i^3 u_i u_i' with u_i = Phi(X_i) - f (from Lemma
1). It is positive definite exactly if gamma I - S is, with S the Gram matrix of the vectors sqrt(|q_i| /
r_i^3) u_i over the rows with q_i < 0; and a direction v with v'(gamma I - S) v < 0 gives one in which J
falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flint import arb, arb_mat

from rkde.reference.certify.balls import all_finite, ball_sum, column, square_root, working_bits
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.weight_state import State, phi_slopes, phi_values

# The form only has to be decided, with a margin: double precision does.
FORM_BITS: Final = 64
# 2^8 steps of the power method: the direction need not be an eigenvector, only good enough to decide a sign.
SQUARINGS: Final = 8
# Shares of the estimated smallest eigenvalue that are tried as its proved lower bound.
MARGIN_SHARES: Final = (2, 8, 64, 4096)


@dataclass(frozen=True, slots=True)
class HessianForm:
    """n times the Hessian of J: gamma I minus a Gram matrix.

    Attributes
    ----------
    phi_sum : flint.arb
        gamma.
    gram : flint.arb_mat, shape (p, p)
        S, over the p groups with q < 0.
    """

    phi_sum: arb
    gram: arb_mat

    def lower_bound(self) -> arb | None:
        """Prove a positive lower bound of the eigenvalues of n / gamma times the Hessian, or give None."""
        with working_bits(FORM_BITS):
            if not self.phi_sum > 0:
                return None
            if self.gram.nrows() == 0:
                return arb(1)
            estimate = (1 - self._largest_quotient() / self.phi_sum).mid()
            if not estimate > 0:
                return None
            for share in MARGIN_SHARES:
                margin = (estimate / share).mid()
                if positive_definite(self._shifted(self.phi_sum * (1 - margin))):
                    return margin
            return None

    def negative_bound(self) -> arb | None:
        """Prove a negative bound of the least eigenvalue of n / gamma times the Hessian, or give None."""
        with working_bits(FORM_BITS):
            if self.gram.nrows() == 0 or not self.phi_sum > 0:
                return None
            quotient = 1 - self._largest_quotient() / self.phi_sum
            return quotient.upper() if quotient < 0 else None

    def _shifted(self, diagonal: arb) -> arb_mat:
        count = self.gram.nrows()
        return (
            arb_mat(count, count, [diagonal if i == j else 0 for i in range(count) for j in range(count)])
            - self.gram
        )

    def _largest_quotient(self) -> arb:
        """Give a Rayleigh quotient of S near its largest eigenvalue, by squaring its midpoint."""
        count = self.gram.nrows()
        power = self.gram.mid()
        for _ in range(SQUARINGS):
            power = (power * power / (power * power).trace()).mid()
        # A vector without the symmetries that data may have, so that no eigenvector is missed by
        # orthogonality.
        direction = (power * column([arb(i + 1).sin() for i in range(count)])).mid()
        square = (direction.transpose() * direction)[0, 0]
        return (direction.transpose() * (self.gram * direction))[0, 0] / square


def hessian_form(groups: Groups, loss: BallLoss, state: State) -> HessianForm | None:
    """Build the form from a state whose weights are enclosed.

    Result: none where it is unbounded on the ball (a residual of the absolute loss near 0).

    Notes
    -----
    For groups of several locations this is the form on the elements that are constant on the groups.
    """
    with working_bits(FORM_BITS):
        slopes = phi_slopes(loss, state)
        scales = [square_root(-2 * size * slope) for size, slope in zip(groups.size, slopes, strict=True)]
        active = [i for i in range(groups.count) if not slopes[i].is_zero()]
        squares = [norm**2 for norm in state.norms]
        table = [
            [scales[i] * scales[j] * (squares[i] + squares[j] - groups.sqdist[i, j]) / 2 for j in active]
            for i in active
        ]
        phi_sum = ball_sum(s * value for s, value in zip(groups.size, phi_values(loss, state), strict=True))
        gram = arb_mat(table) if active else arb_mat(0, 0)
        bounded = phi_sum.is_finite() and all_finite(gram.entries())
        return HessianForm(phi_sum, gram) if bounded else None


def positive_definite(matrix: arb_mat) -> bool:
    """Prove that every symmetric matrix in the ball is positive definite, by Schur complements of halves."""
    count = matrix.nrows()
    if count == 1:
        return bool(matrix[0, 0] > 0)
    half = count // 2
    leading = _block(matrix, 0, half, 0, half)
    if not positive_definite(leading):
        return False
    cross = _block(matrix, 0, half, half, count)
    try:
        complement = _block(matrix, half, count, half, count) - cross.transpose() * (leading.inv() * cross)
    except ZeroDivisionError:
        return False
    return positive_definite(complement)


def _block(matrix: arb_mat, top: int, bottom: int, left: int, right: int) -> arb_mat:
    return arb_mat([[matrix[i, j] for j in range(left, right)] for i in range(top, bottom)])
