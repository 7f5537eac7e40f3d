"""Speed from commit to commit: exact counters gate at equality, ratios to a yardstick at 1.35.

``python -m benchmarks.speed.record`` measures and compares with the record of this kind of machine;
``--write`` replaces the record. A ratio that fails is measured once more, and only a second failure counts.
Seconds are recorded beside the ratios and never judged.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import rkde.fast as rk
from benchmarks.speed.floors import half_matrix_action, neighbour_action
from benchmarks.speed.machine import processor
from benchmarks.speed.timing import Action, Ratio, side_by_side
from benchmarks.speed.workloads import kernel_of, mixture
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator

RECORDS = Path(__file__).parents[1] / "records"
GATE = 1.35
REPETITIONS = 7
STEPS = 5
ROWS = 2000


def counters() -> dict[str, int]:
    """Return exact counts of what fixed computations do, the same on every machine."""
    X = mixture(ROWS, 2)
    kernel = kernel_of(X)
    found: dict[str, int] = {}
    for name, build in {"dense": DenseOperator, "sparse": SparseOperator, "tiled": TiledOperator}.items():
        operator = build(X, kernel)
        rk.kirwls(X, kernel, rk.Huber(0.9), stop=rk.FixedSteps(STEPS), operator=operator)
        found |= {
            f"{name} products": operator.products,
            f"{name} kernel evaluations": operator.kernel_evaluations,
            f"{name} nonzeros": operator.nonzeros,
            f"{name} bytes": operator.nbytes,
        }
    return found


def comparisons() -> dict[str, tuple[Action, Action]]:
    """Return each timed work with a yardstick that uses the same resource."""
    plane, many = mixture(20_000, 2), mixture(ROWS, 20)
    few = mixture(ROWS, 2)
    kernel = kernel_of(few)
    tiled, weights = TiledOperator(many, kernel_of(many), threads=1), np.full(ROWS, 1 / ROWS)
    fitted = rk.rkde(plane, threads=1)
    return {
        "sparse fit / k-d tree query": (
            lambda: rk.rkde(plane, engine="sparse", threads=1),
            neighbour_action(plane),
        ),
        "scores by near rows / k-d tree query": (
            lambda: fitted.log_density(plane, engine="sparse", threads=1),
            neighbour_action(plane),
        ),
        "dense build / GEMM + exp": (
            lambda: DenseOperator(few, kernel, threads=1),
            half_matrix_action(ROWS, 2),
        ),
        "tiled product / GEMM + exp": (lambda: tiled.product(weights), half_matrix_action(ROWS, 20)),
    }


Measure = Callable[[str], Ratio]


def judge(recorded: Mapping[str, float], measure: Measure) -> list[str]:
    """Return what is slower than its record by more than the gate, twice in a row.

    Parameters
    ----------
    recorded : mapping
        Ratios by name.
    measure : callable
        From a name to a new ratio.
    """
    failures = []
    for name, before in recorded.items():
        now = measure(name).value
        if now > GATE * before:
            now = min(now, measure(name).value)
        if now > GATE * before:
            failures.append(f"{name}: {now:.2f} against {before:.2f} in the record")
    return failures


def judge_counters(recorded: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Return the counters that are not those of the record."""
    names = sorted({*recorded, *now})
    return [
        f"{name}: {now.get(name)} against {recorded.get(name)} in the record"
        for name in names
        if now.get(name) != recorded.get(name)
    ]


def machine_file() -> Path:
    """Return the record of this kind of machine."""
    return RECORDS / (re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-") + ".json")


def main() -> int:
    """Compare with the record, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="replace the record of this kind of machine")
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        counted, pairs = counters(), comparisons()
        measure: Measure = lambda name: side_by_side(*pairs[name], REPETITIONS)  # noqa: E731
        path = machine_file()
        if arguments.write:
            ratios = {name: measure(name) for name in pairs}
            seconds = {name: ratio.work for name, ratio in ratios.items()}
            content = {
                "counters": counted,
                "ratios": {name: ratio.value for name, ratio in ratios.items()},
                "seconds": seconds,
            }
            RECORDS.mkdir(exist_ok=True)
            path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", "utf-8")
            print(f"wrote {path}")
            return 0
        if not path.exists():
            print(f"no record for this kind of machine; write {path} with --write")
            return 1
        record = json.loads(path.read_text("utf-8"))
        failures = judge_counters(record["counters"], counted) + judge(record["ratios"], measure)
    print("\n".join(failures) or "as recorded")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
