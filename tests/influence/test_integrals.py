"""beta(x') against quadrature of IF^2, and the integral of IF, in one and two dimensions."""

import itertools
import math
from typing import Any, Final

import numpy as np
import pytest

from rkde.proofs_checks import quotients, tolerances
from rkde.reference import Gaussian, Huber, Laplacian, RkhsElement, Student, make_context
from tests.influence.subjects import coefficients
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import FAST

KERNELS: Final = (Gaussian(1), Laplacian(1), Student(1, 3))
LINE: Final = [[-1.0], [0.0], [0.75], [4.0]]
PLANE: Final = [[0.0, 0.0], [1.0, 0.5], [3.0, -1.0]]
DIGITS: Final = 15
CTX: Final = make_context(DIGITS)
# Points of Gauss's rule on each strip, and what the finer rule has to achieve for the test to mean anything.
COUNTS: Final = (24, 48)
LEAST_ACCURACY: Final = 10**5


def of_kernel(kernel: Any, X: list[list[float]], x_new: list[float]) -> Any:
    return quotients.trial(make_context(DIGITS), X, kernel, Huber("0.6"), x_new)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_beta_on_the_line(kernel: Any) -> None:
    of = of_kernel(kernel, LINE, [2.0])
    element = RkhsElement([*LINE, [2.0]], coefficients(of.found), kernel)
    ends = [CTX.ninf, -1, 0, CTX.mpf("0.75"), 2, 4, CTX.inf]
    square = CTX.quad(lambda x: element.evaluate(CTX, [x]) ** 2, ends)
    # In units of the L2 norm of one kernel.
    unit = CTX.quad(lambda x: kernel.profile(CTX, x * x, 1) ** 2, [CTX.ninf, 0, CTX.inf])
    bound = tolerances.quadrature_bound(DIGITS)
    assert_relative(of.found.if_l2_norm[0], CTX.sqrt(square / unit), bound, "beta")


def split_rule(breaks: list[float], count: int) -> tuple[Any, Any]:
    """Return nodes and weights on the line: Gauss's rule between the breaks, and mapped beyond them."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    places, shares = [], []
    for left, right in itertools.pairwise(breaks):
        places.append(left + (right - left) * (nodes + 1) / 2)
        shares.append(weights * (right - left) / 2)
    # y = t/(1 - t), 0 < t < 1, covers the half line.
    t = (nodes + 1) / 2
    for edge, sign in ((breaks[0], -1), (breaks[-1], 1)):
        places.append(edge + sign * t / (1 - t))
        shares.append(weights / 2 / (1 - t) ** 2)
    return np.concatenate(places), np.concatenate(shares)


def plane_integrals(kernel: Any, centres: Any, entries: Any, count: int) -> tuple[float, float]:
    """Return the integrals of IF^2 and of IF over the plane, split at the coordinates of all points."""
    (x, share_x), (y, share_y) = (split_rule(sorted(set(column)), count) for column in centres.T.tolist())
    value = np.zeros((len(x), len(y)))
    for centre, entry in zip(centres, entries, strict=True):
        squares = (x[:, None] - centre[0]) ** 2 + (y[None, :] - centre[1]) ** 2
        value += entry * kernel.profile(squares, 2)
    return float(share_x @ value**2 @ share_y), float(share_x @ value @ share_y)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_beta_and_the_integral_on_the_plane(kernel: Any) -> None:
    """Integrate in float64 by two product rules, the finer of which is off by less than they differ."""
    x_new = [2.0, 1.0]
    of = of_kernel(kernel, PLANE, x_new)
    entries = np.array([float(entry) for entry in coefficients(of.found)])
    centres = np.array([*PLANE, x_new])
    fast = FAST.get(kernel.name.capitalize())(*map(float, _parameters(kernel)))
    coarse, fine = (plane_integrals(fast, centres, entries, count) for count in COUNTS)
    unit = 2 * math.pi * _unit(kernel)
    bound = tolerances.refinement_bound(coarse[0], fine[0])
    assert bound < fine[0] / LEAST_ACCURACY
    assert_within(of.found.if_l2_norm[0] ** 2, fine[0] / unit, bound / unit, "beta^2")
    assert abs(fine[1]) <= tolerances.refinement_bound(coarse[1], fine[1]) + rounding(entries)


def rounding(entries: Any) -> float:
    """Bound the rounding of an integral whose exact value is 0."""
    # The integral of kappa(r^2) r dr is 1 for all three kernels of bandwidth 1.
    size = float(np.abs(entries).sum()) * 2 * math.pi
    return tolerances.sum_bound(COUNTS[1] ** 2) * size


def _parameters(kernel: Any) -> list[Any]:
    return [kernel.bandwidth, *([kernel.dof] if kernel.name == "student" else [])]


def _unit(kernel: Any) -> float:
    """Return the integral of kappa(r^2)^2 r dr over the half line, for bandwidth 1 in the plane."""
    # Of exp(-r^2), of exp(-2 r), and of (1 + r^2/nu)^(-(nu + 2)), which is nu/(2 (nu + 1)).
    return {"gaussian": 1 / 2, "laplacian": 1 / 4, "student": 3 / 8}[kernel.name]
