"""A column in which some values are a power of ten smaller, or larger, than the others: two units in one."""

from __future__ import annotations

from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence
from rkde.signs import Sign

# Fewer values than these have gaps by chance, and so have fewer kinds of value.
_FEWEST: Final = 20
_FEWEST_DISTINCT: Final = 10
# Fewer values in another unit are single mistakes, which stand out alone or cannot be told.
_FEWEST_OTHER: Final = 3
# Positive values are at least so many; zeros are in every unit.
_POSITIVE: Final = 0.5
# A factor of ten is within the range of many good columns.
_LEAST_POWER: Final = 2
# How near to a power of ten the medians are, in powers of ten.
_SLACK: Final = 0.25
# The gap is so many times as wide as nine tenths of the larger group: of 8000 clean tables, three have one.
_MIDDLE: Final = (0.05, 0.95)
_WIDE: Final = 1.0
# What undoing the scale of a column leaves of 0.
_NOISE: Final = 1e-12


def mixed_units(evidence: Evidence) -> Sign | None:
    """Return the sign for a column whose smaller part would be like the rest if multiplied by a power of ten.

    On the scale of logarithms it is two groups with a wide gap, whose medians are two or more powers of ten
    apart. A group that has lost most of its weight is found already, and no sign.
    """
    for column, values in enumerate(evidence.rows.T):
        found = _other_unit(values)
        if found is None:
            continue
        chosen, power = found
        if 2 * evidence.weights[chosen].sum() < evidence.shares[chosen].sum():
            continue
        names = evidence.names(np.flatnonzero(chosen))
        factor, verb = 10 ** abs(power), "divide" if power > 0 else "multiply"
        size = "larger" if power > 0 else "smaller"
        return Sign(
            "mixed-units",
            f"{{column}} is about {factor} times {size} in {len(names)} rows than in the others, with "
            "nothing between: {rows}",
            f"{verb} it by {factor} there if the unit differs, or remove these rows",
            names,
            column,
        )
    return None


def _other_unit(values: Floats) -> tuple[np.ndarray, int] | None:
    """Return which values are the smaller group, and the power of ten by which they exceed the larger one."""
    positive = values > _NOISE * np.abs(values).max()
    size = int(positive.sum())
    is_long = size >= max(_FEWEST, _POSITIVE * len(values))
    if not is_long or (values < -_NOISE * values.max()).any():
        return None
    logs = np.log10(np.where(positive, values, 1.0))
    ordered = np.sort(logs[positive])
    gaps = np.diff(ordered)
    # A few values beyond all others do not hide a gap.
    edge = _FEWEST_OTHER - 1
    widest = edge + int(np.argmax(gaps[edge:-edge]))
    low, high = ordered[: widest + 1], ordered[widest + 1 :]
    power = float(np.median(high) - np.median(low))
    few, many = (low, high) if len(low) < len(high) else (high, low)
    first, last = np.quantile(many, _MIDDLE)
    if (
        len(few) == len(many)
        or abs(power - round(power)) > _SLACK
        or round(power) < _LEAST_POWER
        or gaps[widest] < _WIDE * (last - first)
        or len(np.unique(many)) < _FEWEST_DISTINCT
    ):
        return None
    is_low = few is low
    chosen = positive & ((logs <= low[-1]) if is_low else (logs >= high[0]))
    return chosen, -round(power) if is_low else round(power)
