"""Columns that stay at one value for many rows one after another, as of a sensor that is stuck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence, Indices
from rkde.fast.signs.repeated import shown_value
from rkde.signs import Sign

# Shorter runs are an accident.
_SHORTEST: Final = 10
# A run is so many times as long as the longest other one, and no larger share of the rows.
_TIMES: Final = 4.0
_LARGEST: Final = 1 / 3
# A value in more other rows, as a share of the run, may have been brought together by some order of the rows.
_ELSEWHERE: Final = 1 / 3
# How many such runs a table like it is expected to have by chance.
_CHANCE: Final = 1e-6
# Where more neighbours than these are equal, equal ones are the rule.
_USUAL: Final = 0.5
# Where so many are, a column may tell groups apart.
_OFTEN: Final = 0.1
# A column may be stuck so often, each time at another value.
_MOST_RUNS: Final = 3
# Fewer rows at a value elsewhere do not show how long it lasts.
_FEWEST: Final = 3
# Values within this quantile of the distances to a limit are near it.
_NEAR: Final = 0.25
# So large a share of two stretches of rows makes them the same.
_SAME: Final = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The stretches of equal values in a column, in the order of the rows."""

    starts: Indices
    lengths: Indices
    values: Floats

    @classmethod
    def of(cls, column: Floats) -> _Runs:
        """Cut a column where its value changes."""
        starts = np.flatnonzero(np.concatenate(([True], column[1:] != column[:-1])))
        return cls(starts, np.diff(starts, append=len(column)), column[starts])

    @property
    def size(self) -> int:
        """The number of rows."""
        return int(self.lengths.sum())


def stuck_columns(evidence: Evidence) -> tuple[Sign, ...]:
    """Return a sign for each long run of one value in a column whose values change elsewhere."""
    table = [_Runs.of(column) for column in evidence.rows.T]
    found = [_stuck(runs) for runs in table]
    labels = [runs for runs, (chosen, _) in zip(table, found, strict=True) if _repeats_often(runs, chosen)]
    signs: list[Sign] = []
    for column, (runs, (chosen, longest)) in enumerate(zip(table, found, strict=True)):
        for run in chosen.tolist():
            if _is_of_a_group(runs, run, [label for label in labels if label is not runs]):
                continue
            start, length = int(runs.starts[run]), int(runs.lengths[run])
            value = shown_value(float(runs.values[run]), evidence.rows[:, column])
            signs.append(
                Sign(
                    "stuck-column",
                    f"{{column}} stays at {value} for {length} consecutive rows, and ordinarily for "
                    f"{longest} at most: {{rows}}",
                    "remove these rows if the column was stuck there",
                    evidence.names(np.arange(start, start + length)),
                    column,
                )
            )
    return tuple(signs)


def _stuck(runs: _Runs) -> tuple[Indices, int]:
    """Return the runs of a column that its other runs do not explain, and the length of the longest other."""
    order = np.argsort(-runs.lengths, kind="stable")
    # A sorted column has all its equal values in one run.
    rises = runs.values[1:] > runs.values[:-1]
    if rises.all() or not rises.any():
        return order[:0], 0
    for number in range(1, min(_MOST_RUNS, len(order) - 1) + 1):
        chosen, others = order[:number], order[number:]
        longest = int(runs.lengths[others[0]])
        if int(runs.lengths[chosen[-1]]) < max(_SHORTEST, _TIMES * longest):
            continue
        if len(np.unique(runs.values[chosen])) == number and _is_improbable(runs, chosen, others):
            return np.sort(chosen), longest
    return order[:0], 0


def _is_improbable(runs: _Runs, chosen: Indices, others: Indices) -> bool:
    """Tell whether no chosen run is explained by the share of its value, or by how often values repeat."""
    lengths = runs.lengths[others]
    rows = int(lengths.sum())
    repeats = (rows - len(others) + 1) / (rows + 1)
    if repeats > _USUAL:
        return False
    for run in chosen.tolist():
        same = lengths[runs.values[others] == runs.values[run]]
        share = (same.sum() + 1) / (rows + 1)
        lasts = (same.sum() - len(same) + 1) / (same.sum() + 1) if same.sum() >= _FEWEST else 0.0
        length = int(runs.lengths[run])
        if same.sum() > _ELSEWHERE * length or length > _LARGEST * runs.size or _is_limit(runs, run):
            return False
        if runs.size * max(repeats, share, lasts) ** (length - 1) > _CHANCE:
            return False
    return True


def _is_limit(runs: _Runs, run: int) -> bool:
    """Tell whether a run is at the least or the largest value, with values near it before and after."""
    value = runs.values[run]
    if value not in (runs.values.min(), runs.values.max()):
        return False
    with np.errstate(over="ignore"):
        apart = np.abs(runs.values - value)
    beside = [place for place in (run - 1, run + 1) if 0 <= place < len(apart)]
    return float(apart[beside].max()) <= float(np.quantile(apart, _NEAR))


def _repeats_often(runs: _Runs, chosen: Indices) -> bool:
    """Tell whether neighbours are often equal outside of some runs, as where a column tells groups apart."""
    return runs.size - len(runs.starts) - int((runs.lengths[chosen] - 1).sum()) >= _OFTEN * runs.size


def _is_of_a_group(runs: _Runs, run: int, labels: list[_Runs]) -> bool:
    """Tell whether a column that tells groups apart has a run of the same rows."""
    start, end = runs.starts[run], runs.starts[run] + runs.lengths[run]
    for label in labels:
        common = np.minimum(end, label.starts + label.lengths) - np.maximum(start, label.starts)
        if (common >= _SAME * np.maximum(end - start, label.lengths)).any():
            return True
    return False
