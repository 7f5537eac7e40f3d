"""Speed of two versions, measured in turns in one run: exact counters, and ratios to a yardstick.

``python -m benchmarks.speed.compare REVISION`` measures that revision and the working tree, or ``--candidate
REVISION``. A counter must be what it was. A ratio is measured in some batches; it has grown where the least
of the new ones lies above all old ones and above the least of them by 5 %: how far the old ones are spread is
its tolerance. Only a second such failure counts.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from benchmarks.speed.sides import Side, both, in_turns
from benchmarks.speed.tracked import TRACKED

# Less than the machine's own drift between two runs is not worth a look.
LEAST_GROWTH = 1.05

# From the name of a ratio to its values in each batch, before and now.
Measure = Callable[[str], tuple[Sequence[float], Sequence[float]]]


def has_grown(before: Sequence[float], now: Sequence[float]) -> bool:
    """Tell whether every new value lies above all old ones, and by 5 % above the least of them."""
    return min(now) > max(max(before), LEAST_GROWTH * min(before))


def judge(names: Iterable[str], measure: Measure) -> list[str]:
    """Return what has become slower, twice in a row.

    Parameters
    ----------
    names : iterable of str
        Of the ratios.
    measure : callable
        From a name to its values before and now.
    """
    failures = []
    for name in names:
        before, now = measure(name)
        print(f"{name}: {_spread(before)}, now {_spread(now)}", flush=True)
        if has_grown(before, now):
            before, now = measure(name)
            print(f"{name}: {_spread(before)}, now {_spread(now)}, measured once more", flush=True)
            if has_grown(before, now):
                failures.append(f"{name}: {_spread(before)} before, {_spread(now)} now")
    return failures


def _spread(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}"


def judge_counters(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """Return the counters that are not what they were."""
    names = sorted({*before, *now})
    return [
        f"{name}: {before.get(name)} before, {now.get(name)} now"
        for name in names
        if now.get(name) != before.get(name)
    ]


def compare_sides(base: Side, candidate: Side, names: Iterable[str] = tuple(TRACKED)) -> list[str]:
    """Return what is worse on the second side than on the first."""

    def measure(name: str) -> tuple[Sequence[float], Sequence[float]]:
        before, now = in_turns((base, candidate), name)
        return before, now

    return [*judge_counters(base.counters(), candidate.counters()), *judge(names, measure)]


def main() -> int:
    """Compare two revisions."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("base", metavar="REVISION", help="what to compare with")
    parser.add_argument("--candidate", help="the revision to judge; by default the working tree")
    arguments = parser.parse_args()
    with both(arguments.base, arguments.candidate) as (base, candidate):
        failures = compare_sides(base, candidate)
    print("\n".join(failures) or "nothing has become slower")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
