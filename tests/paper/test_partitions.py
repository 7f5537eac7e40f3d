"""Partitions: published ones first, then seeded ones; contamination is nested and rounded as stated."""

import numpy as np
import pytest

from benchmarks.paper.loaded import Loaded
from benchmarks.paper.partitions import EPSILONS, Partition, partition
from benchmarks.paper.sets import SETS


def loaded(size: int = 160, published: int = 0) -> Loaded:
    rng = np.random.default_rng(1)
    parts = tuple((k + 1, np.arange(k, k + 90), np.arange(k + 90, k + 150)) for k in range(published))
    return Loaded("iris", rng.random((size, 4)), rng.integers(0, 3, size), "local", "exact", "", parts)


def rows(split: Partition) -> list[int]:
    train = (split.train_nominal, split.train_contaminating)
    return np.concatenate([*train, split.test_nominal, split.test_contaminating]).tolist()


def test_published_partitions_come_first() -> None:
    found = loaded(published=2)
    origins = [partition(found, k, 0).origin for k in (1, 2, 3)]
    assert origins == ["published 1", "published 2", "seeded permutation"]
    assert sorted(rows(partition(found, 2, 0))) == list(range(1, 151))


def test_a_seeded_partition_has_the_sizes_and_repeats() -> None:
    found = loaded()
    first, again, other = partition(found, 5, 0), partition(found, 5, 0), partition(found, 6, 0)
    assert rows(first) == rows(again) != rows(other)
    assert len(set(rows(first))) == len(rows(first)) == SETS["iris"].train + SETS["iris"].test
    assert (found.y[first.train_nominal] == 0).all()
    assert (found.y[first.test_contaminating] != 0).all()


def test_a_source_with_fewer_rows_is_halved() -> None:
    split = partition(loaded(size=100), 1, 0)
    assert len(split.train_nominal) + len(split.train_contaminating) == 50
    assert len(split.test_nominal) + len(split.test_contaminating) == 50


def test_contamination_is_nested_and_rounded_to_even() -> None:
    split = Partition("", np.arange(30), np.arange(30, 60), np.arange(60, 61), np.arange(61, 62))
    counts = [len(split.training_rows(epsilon)) - 30 for epsilon in EPSILONS]
    assert counts == [0, 2, 3, 4, 6, 8, 9]
    assert split.training_rows(0.3).tolist()[: 30 + counts[3]] == split.training_rows(0.15).tolist()


def test_too_few_contaminating_rows_are_an_error() -> None:
    split = Partition("", np.arange(30), np.arange(30, 32), np.arange(0), np.arange(0))
    with pytest.raises(ValueError, match="count must be at most 2, got 9"):
        split.training_rows(0.3)
