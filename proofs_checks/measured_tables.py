"""Our own run of section 6.2 as data: what ``python -m benchmarks.paper report --ledger`` wrote."""

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

MEASURED_FILE: Final = "measured_tables.json"
PERCENT: Final = 100
_SMALLER_IS_BETTER: Final = ("alpha", "beta", "kl")
# A variant of the run: its number of partitions is that of every reading that needs fits of its own.
_OTHER: Final = "swap"


def ratios(measure: str) -> list[str]:
    """Return the contamination ratios at which a measure was taken; influence is taken at the first only."""
    known: list[str] = _content()["ratios"]
    return known[: len(next(iter(_averages(measure)["rkde"].values())))]


def differences(
    measure: str, method_1: str, method_2: str, ratio: str, *, without: tuple[str, ...] = ()
) -> dict[str, float]:
    """Return h_i by data set: averages over the partitions, subtracted, positive where method 1 is better."""
    place, by_method = ratios(measure).index(ratio), _averages(measure)
    sign = -1 if measure in _SMALLER_IS_BETTER else 1
    return {
        name: sign * (values[place] - by_method[method_2][name][place])
        for name, values in by_method[method_1].items()
        if name not in without
    }


def reading(choice: str, measure: str, method_1: str, method_2: str) -> dict[str, tuple[float, float, int]]:
    """Return by ratio R_1, R_2 and the number of ties under another reading, by the beginning of its name."""
    found = [
        dict(zip(ratios(measure), zip(row["R1"], row["R2"], row["zeros"], strict=True), strict=True))
        for row in _content()["readings"]
        if row["choice"].startswith(choice)
        and (row["measure"], *row["methods"]) == (measure, method_1, method_2)
    ]
    if len(found) != 1:
        raise LookupError(
            f"{MEASURED_FILE} must have one row, got {len(found)}, of {choice}: {measure}, {method_1}"
        )
    return found[0]


def fact(name: str) -> float:
    """Return one of the numbers beside the tables; a percentage as a share."""
    value = words(name)
    return float(value.rstrip("%")) / PERCENT if value.endswith("%") else float(value)


def words(name: str) -> str:
    """Return one of the facts beside the tables as it is written."""
    return str(_content()["facts"][name])


def by_reading(name: str) -> dict[str, float]:
    """Return one of the facts beside the tables that has a number for each other reading, in its words."""
    known: dict[str, float] = _content()["facts"][name]
    return known


def partitions(variant: str = "base") -> dict[str, int]:
    """Return how many partitions of each data set were run."""
    known: dict[str, int] = _content()["provenance"]["partitions"][variant]
    return known


def provenance() -> str:
    """Say where the numbers come from."""
    known, counts = _content()["provenance"], partitions().values()
    other = max(partitions(_OTHER).values())
    return (
        f"benchmarks/paper/units of {known['date']} with seed {known['seed']}: {max(counts)} "
        f"partitions of each data set, {min(counts)} of those with fewest, and {other} of each where the "
        "class, the kernel PCA or the reference density is another"
    )


def _averages(measure: str) -> dict[str, dict[str, list[float]]]:
    """Return averages over the partitions by method and data set, a number for each ratio."""
    known: dict[str, dict[str, list[float]]] = _content()["averages"][measure]
    return known


@cache
def _content() -> dict[str, Any]:
    text = files("rkde.proofs_checks").joinpath(MEASURED_FILE).read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
