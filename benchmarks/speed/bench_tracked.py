"""The works that are followed from commit to commit, for pytest-benchmark to store and compare.

``python -m benchmarks.speed.history record [REVISION ...]`` runs this file and keeps what it finds. Times are
processor seconds. Before each round of a work one of its yardstick is timed, so that a neighbour's load meets
both; what is stored beside the times is their ratio, by batches of rounds, of each the shortest.
"""

import os
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import rkde.fast
from benchmarks.speed.sides import BATCHES, REPETITIONS
from benchmarks.speed.timing import processor_seconds
from benchmarks.speed.tracked import TRACKED


def test_the_package_is_that_of_the_tree() -> None:
    first = os.environ.get("PYTHONPATH", "").split(os.pathsep)[0]
    assert not first or Path(rkde.fast.__file__).is_relative_to(first)


@pytest.mark.parametrize("name", TRACKED)
def test_speed(benchmark: BenchmarkFixture, name: str) -> None:
    work, yardstick = TRACKED[name]()
    yardsticks = []
    benchmark.pedantic(
        work,
        setup=lambda: yardsticks.append(processor_seconds(yardstick)),
        rounds=BATCHES * REPETITIONS,
        warmup_rounds=1,
    )
    # None where timing is switched off.
    if benchmark.stats is not None:
        rounds = np.array(benchmark.stats.stats.data).reshape(BATCHES, REPETITIONS).min(axis=1)
        ratios = rounds / np.array(yardsticks[-BATCHES * REPETITIONS :]).reshape(BATCHES, -1).min(axis=1)
        assert np.isfinite(ratios).all()
        benchmark.extra_info["ratios"] = [float(f"{ratio:.4g}") for ratio in sorted(ratios)]
