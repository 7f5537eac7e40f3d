"""Our own tables of section 6.2 as data: what ``python -m benchmarks.paper report --ledger`` wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

MEASURED_FILE: Final = "measured_tables.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """One cell: rank sums over the data sets, on how many method 1 is better, and on how many neither."""

    epsilon: str
    sets: int
    wins: int
    zeros: int
    rank_sum_1: float
    rank_sum_2: float

    @property
    def statistic(self) -> float:
        """T, the smaller rank sum."""
        return min(self.rank_sum_1, self.rank_sum_2)


def measured(measure: str, method_1: str, method_2: str) -> list[Measured]:
    """Return the cells of a row, by the names of `benchmarks.paper`, in the order of the ratios."""
    found = [
        Measured(
            cell["epsilon"],
            cell["sets"],
            cell["wins"],
            cell["zeros"],
            cell["rank_sum_1"],
            cell["rank_sum_2"],
        )
        for cell in _content()["cells"]
        if (cell["measure"], cell["method_1"], cell["method_2"]) == (measure, method_1, method_2)
    ]
    if not found:
        raise LookupError(f"{MEASURED_FILE} has no row of {measure}, {method_1} against {method_2}")
    return found


def fact(name: str) -> float:
    """Return one of the numbers beside the tables."""
    return float(_content()["facts"][name])


def provenance() -> str:
    """Say where the numbers come from."""
    known = _content()["provenance"]
    counts = known["partitions"]["base"].values()
    fewest = f" ({min(counts)} of the sets with fewest)" if min(counts) < max(counts) else ""
    return (
        f"benchmarks/paper/results.json of {known['date']}, seed {known['seed']}, {max(counts)} partitions"
        f"{fewest}"
    )


@cache
def _content() -> dict[str, Any]:
    text = files("rkde.proofs_checks").joinpath(MEASURED_FILE).read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
