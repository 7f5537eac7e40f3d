"""Integrals of the influence function and of a kernel over the line or the plane, by Gauss's rules."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.proofs_checks.property_cases import Case
from rkde.proofs_checks.property_runs import Package
from rkde.reference.numbers import Number

_Floats = NDArray[np.float64]

# Nodes between two neighbouring coordinates.
_NODES: Final = 16


@dataclass(frozen=True, slots=True)
class Integrals:
    """Integrals by one rule: of IF, over sum |alpha_i| + alpha', and of the kernels at the points.

    `apart` is how far IF at the points is from the sum of its terms, over the largest that it could be; 0
    where IF itself is integrated.
    """

    influence: float
    kernels: list[float]
    n_nodes: int
    apart: float = 0.0


def integrals(case: Case, package: Package, weights: Sequence[Number]) -> Integrals:
    """Integrate what a package says of a case.

    In the plane the reference would take minutes: there its kernel is integrated along a ray, and IF, which
    is compared with its terms at the points, term by term.
    """
    points, unit = [*case.rows, case.x_new], case.kernel.bandwidth
    is_slow = case.dim == 2 and not package.is_fast
    if is_slow:
        radii, shares = line_rule([0.0], _NODES, unit)
        nodes, shares = np.array(case.x_new) + np.outer(radii, [1.0, 0.0]), shares * np.abs(radii) * math.pi
    else:
        nodes, shares = space_rule(points, _NODES, unit)
    centres = [case.x_new] if is_slow else points
    kernels = [float(package.kernel_at(case, centre, nodes) @ shares) for centre in centres]
    found = package.influence(case, weights, np.array(points) if is_slow else nodes)
    coefficients = np.array([float(entry) for entry in found.coefficients])
    size = np.abs(coefficients).sum()
    if not is_slow:
        return Integrals(float(found.at_nodes @ shares / size), kernels, len(shares))
    terms = np.stack([package.kernel_at(case, centre, np.array(points)) for centre in points])
    apart = np.abs(found.at_nodes - coefficients @ terms).max() / (size * terms.max())
    return Integrals(float(coefficients.sum() * kernels[0] / size), kernels, len(shares), float(apart))


def line_rule(breaks: Sequence[float], count: int, unit: float) -> tuple[_Floats, _Floats]:
    """Return nodes and weights on the line: Gauss's rule between the breaks, and mapped beyond them.

    x = edge + unit t/(1 - t), 0 < t < 1, covers a half line.
    """
    nodes, weights = np.polynomial.legendre.leggauss(count)
    t, share = (nodes + 1) / 2, weights / 2
    places, shares = [], []
    for left, right in itertools.pairwise(breaks):
        places.append(left + (right - left) * t)
        shares.append(share * (right - left))
    for edge, sign in ((breaks[0], -unit), (breaks[-1], unit)):
        places.append(edge + sign * t / (1 - t))
        shares.append(share * unit / (1 - t) ** 2)
    return np.concatenate(places), np.concatenate(shares)


def space_rule(points: Sequence[Sequence[float]], count: int, unit: float) -> tuple[_Floats, _Floats]:
    """Return nodes and weights of the product of such rules, split at the coordinates of the points."""
    rules = [line_rule(sorted(set(column)), count, unit) for column in zip(*points, strict=True)]
    nodes = np.stack([part.ravel() for part in np.meshgrid(*(rule[0] for rule in rules), indexing="ij")], 1)
    shares = rules[0][1]
    for _, other in rules[1:]:
        shares = np.multiply.outer(shares, other).ravel()
    return nodes, shares
