"""Misleading columns, one sign for each kind.

The bandwidth swallows their spread; they count the rows, or hold identifiers, known by their names, or dates
such as 20240131; some of their values are a power of ten smaller or larger than the others; or they stay at
one value for many consecutive rows, as from a stuck sensor.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence, Indices
from rkde.fast.signs.repeated import shown_value
from rkde.signs import Sign

# The middle four fifths of a column are its spread.
_TENTHS: Final = (0.1, 0.9)
# Spreads of one order of magnitude share a bandwidth well enough.
_RATIO: Final = 10.0
# Fewer rows may be evenly spaced by chance.
_FEWEST_COUNTED: Final = 10
# Steps are equal up to this share of one: data in decimals, moved to other coordinates and back.
_SLACK: Final = 1e-6
# A ratio so many deviations below its mean is no accident.
_DEVIATIONS: Final = 3.0
# Words with which the name of an identifier ends, and with which it may begin instead.
_LAST: Final = frozenset(
    {
        *("id", "ids", "uid", "uuid", "guid", "identifier", "nr", "rownames", "code", "codes", "fips"),
        *("zip", "zipcode", "postcode", "postalcode", "postal", "plz", "phone", "telephone", "fax"),
        *("sku", "isbn", "issn", "ean", "gtin", "upc", "ssn"),
    }
)
_FIRST: Final = frozenset({"id"})
# Written as one word.
_COMPOUND: Final = re.compile(
    r"(?:account|case|client|customer|device|employee|hh|household|item|member|object|order|part|participant|"
    r"patient|person|product|record|resp|respondent|row|sample|school|shop|site|station|store|student|subj|"
    r"subject|tract|user)(?:id|nr|code)"
)
# In names such as RespID, a word begins where a capital follows a small letter.
_WORD: Final = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
# Whole numbers are whole up to this, as data moved to other coordinates and back.
_WHOLE_SLACK: Final = 1e-6
# Years in which dates are looked for, and the largest months and days.
_YEARS: Final = (1900, 2100)
_MONTHS: Final = 12
_DAYS: Final = 31
# Two values tell groups apart, and fewer rows than ten get a sign of their own.
_FEWEST_VALUES: Final = 3
_FEWEST_ROWS: Final = 10
# Fewer values than these have gaps by chance, and so have fewer kinds of value.
_FEWEST_POSITIVE: Final = 20
_FEWEST_DISTINCT: Final = 10
# Fewer values in another unit are single mistakes, which stand out alone or cannot be told.
_FEWEST_OTHER: Final = 3
# Positive values are at least so many; zeros are in every unit.
_POSITIVE: Final = 0.5
# A factor of ten is within the range of many good columns.
_LEAST_POWER: Final = 2
# How near to a power of ten the medians are, in powers of ten.
_POWER_SLACK: Final = 0.25
# The gap is so many times as wide as nine tenths of the larger group: of 8000 clean tables, three have one.
_MIDDLE: Final = (0.05, 0.95)
_WIDE: Final = 1.0
# What undoing the scale of a column leaves of 0.
_NOISE: Final = 1e-12
# Shorter runs are an accident.
_SHORTEST: Final = 10
# A run is so many times as long as the longest other one, and no larger share of the rows.
_TIMES_LONGER: Final = 4.0
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
_FEWEST_ELSEWHERE: Final = 3
# Values within this quantile of the distances to a limit are near it.
_NEAR: Final = 0.25
# So large a share of two stretches of rows makes them the same.
_SAME: Final = 0.9


def column_spread(evidence: Evidence) -> Sign | None:
    """Return the sign for a column of less than a tenth of another's spread, and narrower than the bandwidth.

    It is for columns that are not scaled; a constant column has no spread to lose.
    """
    spreads, narrow, widest = _spreads(evidence)
    # Places are in bandwidths.
    if not (spreads[narrow] < 1 and has_narrow_column(evidence)):
        return None
    with np.errstate(over="ignore"):
        wider = 1 / spreads[narrow]
    return Sign(
        "column-spread",
        f"{{column}} hardly counts: its spread is {spreads[narrow] / widest:.1g} times another column's, and "
        f"the bandwidth, the same for all columns, is {wider:.3g} times its spread",
        'use scale="robust"',
        column=narrow,
    )


def has_narrow_column(evidence: Evidence) -> bool:
    """Tell whether the spread of a column is less than a tenth of another's."""
    spreads, narrow, widest = _spreads(evidence)
    return float(spreads[narrow]) < widest / _RATIO


def _spreads(evidence: Evidence) -> tuple[Floats, int, float]:
    """Return the spreads of the columns, inf where one has none; the column of the least; and the largest."""
    low, high = np.quantile(evidence.places, _TENTHS, axis=0)
    with np.errstate(over="ignore"):
        spreads = high - low
    spreads = np.where(spreads > 0, spreads, np.inf)
    return spreads, int(np.argmin(spreads)), float(spreads[np.isfinite(spreads)].max(initial=0.0))


def counter_column(evidence: Evidence, named: Sequence[int] = ()) -> Sign | None:
    """Return the sign for a column of whole steps from row to row, or of 1, ..., n in any order.

    A table of one column has nothing else to say, and ten rows are needed to tell. A column that another one
    follows, along a trend or through a day, may be a time, unless it is named like an identifier: without a
    time, a row off the trend would not be seen.
    """
    size, width = evidence.rows.shape
    if width == 1 or size < _FEWEST_COUNTED:
        return None
    for column, values in enumerate(evidence.rows.T):
        if _counts(values):
            seen = f"{{column}} counts the rows: its {size} values are whole steps apart"
            remedy = "fit to the other columns only, unless it is a measurement"
            if column in named:
                remedy = "fit to the other columns only"
            elif _is_followed(np.delete(evidence.rows, column, axis=1), values):
                seen += ", and another column follows them"
                remedy = "fit to the other columns only, if it numbers the rows, but keep it if it is a time"
            return Sign("counter-column", seen, remedy, column=column)
    return None


def _counts(values: Floats) -> bool:
    """Tell whether values are evenly spaced, or ascend by whole steps of which half are one at least."""
    with np.errstate(over="ignore", invalid="ignore"):
        ordered = np.sort(values)
        steps = np.diff(ordered)
        least = float(steps.min())
        if not 0 < least < np.inf:
            return False
        if float(steps.max()) <= least * (1 + _SLACK):
            return True
        whole = np.abs(steps / least - np.round(steps / least)).max() <= _SLACK
        moved = np.diff(values)
        in_order = bool((moved > 0).all() or (moved < 0).all())
        return in_order and bool(whole) and float(steps.sum()) <= 2 * least * len(steps)


def _is_followed(others: Floats, counts: Floats) -> bool:
    """Tell whether the values of another column are nearer to the next ones than if they came in any order.

    Of ranks in any order, the squared steps over the squared distances to the mean, both summed, is 2, with
    variance about 4/n (Bartels 1982). Ranks bear outliers.
    """
    ordered = np.sort(others, axis=0).T
    columns = others[np.argsort(counts)].T
    for values, column in zip(ordered, columns, strict=True):
        ranks = np.searchsorted(values, column) + np.searchsorted(values, column, side="right")
        steps, around = np.square(np.diff(ranks)).sum(), np.square(ranks - ranks.mean()).sum()
        if steps < (2 - _DEVIATIONS * 2 / math.sqrt(len(counts))) * around:
            return True
    return False


def is_identifier(name: str) -> bool:
    """Return whether a column is named like an identifier.

    Examples
    --------
    >>> [is_identifier(name) for name in ("resp_id", "RespID", "ID", "zip code", "PLZ", "userid", "id.1")]
    [True, True, True, True, True, True, True]
    >>> [is_identifier(name) for name in ("humid", "acid", "zip_income", "lines of code", "grid", "codec")]
    [False, False, False, False, False, False]
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or "of" in words:
        return False
    return words[-1] in _LAST or words[0] in _FIRST or _COMPOUND.fullmatch(words[-1]) is not None


def identifiers(evidence: Evidence, names: Sequence[str]) -> tuple[int, ...]:
    """Return the columns of whole numbers, none negative, that are named like identifiers.

    None are where all columns would be.
    """
    if len(evidence.rows) < _FEWEST_ROWS or not len(names):
        return ()
    found = tuple(
        column
        for column, (name, values) in enumerate(zip(names, evidence.rows.T, strict=False))
        if is_identifier(name) and values.min() >= -_WHOLE_SLACK and _are_whole(values)
    )
    return found if len(found) < evidence.rows.shape[1] else ()


def _are_whole(values: Floats) -> bool:
    """Tell whether values are whole numbers, and more than two different ones."""
    whole = np.round(values)
    return bool(np.abs(values - whole).max() <= _WHOLE_SLACK) and len(np.unique(whole)) >= _FEWEST_VALUES


def dates_as_numbers(evidence: Evidence) -> Sign | None:
    """Return the sign for columns of dates written as numbers, year, month and day in eight digits."""
    if len(evidence.rows) < _FEWEST_ROWS:
        return None
    found = [column for column, values in enumerate(evidence.rows.T) if _are_dates(values)]
    if not found:
        return None
    example = f"{evidence.rows[0, found[0]]:.0f}"
    only = found == list(range(evidence.rows.shape[1]))
    return Sign(
        "counter-column",
        f"{{column}} {'hold' if len(found) > 1 else 'holds'} dates written as numbers, such as {example}: "
        "two consecutive days may be 1 or 8870 apart",
        "write them as days since the first" + ("" if only else ", or fit to the other columns only"),
        column=found[0],
        others=tuple(found[1:]),
    )


def _are_dates(values: Floats) -> bool:
    years, rest = np.divmod(np.round(values), 10_000)
    months, days = np.divmod(rest, 100)
    parts = ((years, *_YEARS), (months, 1, _MONTHS), (days, 1, _DAYS))
    return _are_whole(values) and all(low <= part.min() and part.max() <= high for part, low, high in parts)


def identifier_columns(columns: Sequence[int]) -> Sign | None:
    """Return the sign for columns of identifiers."""
    if not columns:
        return None
    hold = "hold" if len(columns) > 1 else "holds"
    whose = "their names" if len(columns) > 1 else "its name"
    return Sign(
        "counter-column",
        f"{{column}} {hold} identifiers, judging by {whose}: whole numbers whose differences mean nothing",
        "fit to the other columns only",
        column=columns[0],
        others=tuple(columns[1:]),
    )


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
            "no values in between: {rows}",
            f"{verb} it by {factor} there if the unit differs, or remove these rows",
            names,
            column,
        )
    return None


def _other_unit(values: Floats) -> tuple[np.ndarray, int] | None:
    """Return which values are the smaller group, and the power of ten by which they exceed the larger one."""
    positive = values > _NOISE * np.abs(values).max()
    size = int(positive.sum())
    is_long = size >= max(_FEWEST_POSITIVE, _POSITIVE * len(values))
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
        or abs(power - round(power)) > _POWER_SLACK
        or round(power) < _LEAST_POWER
        or gaps[widest] < _WIDE * (last - first)
        or len(np.unique(many)) < _FEWEST_DISTINCT
    ):
        return None
    is_low = few is low
    chosen = positive & ((logs <= low[-1]) if is_low else (logs >= high[0]))
    return chosen, -round(power) if is_low else round(power)


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
                    f"{{column}} stays at {value} for {length} consecutive rows, and elsewhere at one value "
                    f"for at most {longest}: {{rows}}",
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
        if int(runs.lengths[chosen[-1]]) < max(_SHORTEST, _TIMES_LONGER * longest):
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
        lasts = repeats
        if same.sum() >= _FEWEST_ELSEWHERE:
            lasts = (same.sum() - len(same) + 1) / (same.sum() + 1)
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
