"""Groups of rows that share a weight: equal rows, and rows that the symmetry of the data cannot tell apart.

KIRWLS gives equal rows equal weights, so the problem lives on the distinct locations, whose Gram matrix need
not be regular either. More is true: let the locations be partitioned so that any two of a cell see the same
distances to every cell, with the same numbers of rows (an equitable partition). If the weights are constant
on the cells, so are the residual norms, so is the next iterate: the whole path of KIRWLS stays constant on
the cells, in exact arithmetic. On the cells the problem has the same form, with squared distances averaged
over the members.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from flint import arb, arb_mat

from rkde.reference.certify.balls import ball_sum
from rkde.reference.certify.kernels import BallKernel
from rkde.reference.certify.sample import Sample


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of rows, and the mean squared feature distance between them.

    Attributes
    ----------
    size : tuple of int, shape (m,)
        The number of rows of each group.
    group_of : tuple of int, shape (n,)
        The group of each row.
    sqdist : flint.arb_mat, shape (m, m)
        Mean over pairs of rows of |Phi(x) - Phi(y)|^2, in tau^2; the diagonal is exactly 0 for a single
        location.
    is_location : tuple of bool, shape (m,)
        Whether all rows of the group are equal.
    """

    size: tuple[int, ...]
    group_of: tuple[int, ...]
    sqdist: arb_mat
    is_location: tuple[bool, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows, n."""
        return len(self.group_of)

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.size)

    def uniform(self) -> list[arb]:
        """Give the weight of each group when every row has weight 1/n."""
        return [arb(size) / self.n_rows for size in self.size]

    def per_row(self, values: Sequence[arb]) -> tuple[arb, ...]:
        """Repeat one value a group for each of its rows."""
        return tuple(values[group] for group in self.group_of)

    def row_weights(self, weights: Sequence[arb]) -> tuple[arb, ...]:
        """Share the weight of each group among its rows."""
        return self.per_row([weight / size for weight, size in zip(weights, self.size, strict=True)])


def location_groups(sample: Sample, kernel: BallKernel) -> Groups:
    """Make each distinct location a group.

    Notes
    -----
    Cost: m (m - 1) / 2 evaluations of the kernel at the working precision.
    """
    count = sample.n_locations
    table = [[arb(0)] * count for _ in range(count)]
    for i in range(count):
        for j in range(i):
            sqdist = arb(sample.scaled_sqdist[i][j]) / sample.scale
            table[i][j] = table[j][i] = kernel.feature_sqdist(sqdist, sample.dim)
    return Groups(sample.multiplicity, sample.location_of, arb_mat(table), (True,) * count)


def symmetric_groups(sample: Sample, locations: Groups, start: Sequence[Hashable]) -> Groups:
    """Join the locations that the data and the start cannot tell apart.

    Shapes: start (m,). Result: the cells of the coarsest equitable partition found by refinement; the
    locations themselves where the data have no symmetry.
    """
    cell_of = _equitable_cells(sample, start)
    count = max(cell_of) + 1
    if count == locations.count:
        return locations
    members: list[list[int]] = [[] for _ in range(count)]
    for location, cell in enumerate(cell_of):
        members[cell].append(location)
    size = tuple(sum(sample.multiplicity[i] for i in cell) for cell in members)
    table = [[arb(0)] * count for _ in range(count)]
    for p in range(count):
        for q in range(p + 1):
            table[p][q] = table[q][p] = _mean_sqdist(locations, members[p][0], members[q]) / size[q]
    return Groups(
        size=size,
        group_of=tuple(cell_of[location] for location in sample.location_of),
        sqdist=arb_mat(table),
        is_location=tuple(len(cell) == 1 for cell in members),
    )


def _mean_sqdist(locations: Groups, representative: int, others: Sequence[int]) -> arb:
    """Add the squared distances from one member to all rows of a cell: the same for every member."""
    return ball_sum(locations.sqdist[representative, j] * locations.size[j] for j in others)


def _equitable_cells(sample: Sample, start: Sequence[Hashable]) -> list[int]:
    """Refine colours by the exact distances to all rows until no cell splits."""
    colours = _renumber(list(zip(start, sample.multiplicity, strict=True)))
    n_colours = 0
    while max(colours) + 1 > n_colours:
        n_colours = max(colours) + 1
        views = [
            (colours[i], tuple(sorted(zip(colours, sample.scaled_sqdist[i], strict=True))))
            for i in range(sample.n_locations)
        ]
        colours = _renumber(views)
    return colours


def _renumber(labels: Sequence[Hashable]) -> list[int]:
    """Give each label the number of its first appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]
