"""Partitions into training and test rows, and what a partition holds at each contamination ratio."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.paper.loaded import Loaded
from benchmarks.paper.sets import SETS, Indices

SEED: Final = 2012
SECOND_SOURCE: Final = "published sizes, second source"
EPSILONS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """Rows of one partition, nominal and contaminating; `origin` says where it comes from."""

    origin: str
    train_nominal: Indices
    train_contaminating: Indices
    test_nominal: Indices
    test_contaminating: Indices

    def training_rows(self, epsilon: float) -> Indices:
        """Return all nominal rows and the first epsilon n_0 contaminating ones, to the nearest integer.

        Halves go to the even neighbour. A larger epsilon keeps the rows of a smaller one.
        """
        count = round(epsilon * len(self.train_nominal))
        if count > len(self.train_contaminating):
            raise ValueError(
                f"count must be at most {len(self.train_contaminating)}, got {count}; use fewer rows"
            )
        return np.concatenate([self.train_nominal, self.train_contaminating[:count]])


def partition(loaded: Loaded, number: int, nominal: int) -> Partition:
    """Return the partition of a number from 1 on.

    The published ones come first, in their order; then follow permutations seeded by the set and the number.
    """
    origin, train, test = _split(loaded, number)
    is_nominal = loaded.y == nominal
    return Partition(
        origin,
        train[is_nominal[train]],
        train[~is_nominal[train]],
        test[is_nominal[test]],
        test[~is_nominal[test]],
    )


def _split(loaded: Loaded, number: int) -> tuple[str, Indices, Indices]:
    if number <= len(loaded.published):
        published, train, test = loaded.published[number - 1]
        origin = f"published {published}" if published > 0 else SECOND_SOURCE
        return origin, train, test
    one = SETS[loaded.name]
    size = len(loaded.y)
    # A source with fewer rows than the full set is halved.
    n_train = one.train if size >= one.train + one.test else size // 2
    order = np.random.default_rng([SEED, one.number, number]).permutation(size)
    n_test = min(one.test, size - n_train)
    return "seeded permutation", order[:n_train], order[n_train : n_train + n_test]
