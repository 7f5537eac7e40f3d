"""All signs of one fit, and the warnings that report them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rkde.fast._resources import warn
from rkde.fast.signs.columns import (
    column_spread,
    counter_column,
    dates_as_numbers,
    identifier_columns,
    identifiers,
    mixed_units,
    stuck_columns,
)
from rkde.fast.signs.evidence import Choices, Evidence, densities
from rkde.fast.signs.ranking import (
    all_alone,
    drained,
    few_rows,
    isolated_rows,
    mode_collapse,
    ranking,
    zero_weight,
)
from rkde.fast.signs.repeated import fillers, repeated_rows
from rkde.signs import Sign, SignName

# What may be seen in the same rows in several ways, the most telling first.
_OF_ROWS: Final[tuple[SignName, ...]] = ("repeated-rows", "stuck-column", "mode-collapse", "isolated-rows")


def find_signs(evidence: Evidence, choices: Choices, names: Sequence[str] = ()) -> tuple[Sign, ...]:
    """Return the signs of a fit, those of the table first; names of columns may tell identifiers.

    Notes
    -----
    At most 2**25 kernel values and a few sorts of the table: less than a fit by any engine.
    """
    few = few_rows(evidence)
    named = identifiers(evidence, names)
    counter = counter_column(evidence, named)
    counting = () if counter is None else (counter.column or 0,)
    named = tuple(column for column in named if column not in counting)
    # A sensor that is stuck is so at different times, and in rows of different names.
    measured = evidence.without(counting if len(named) + 1 == evidence.rows.shape[1] else (*named, *counting))
    of_the_table = (
        few,
        repeated_rows(measured),
        *fillers(evidence),
        *stuck_columns(evidence),
        mixed_units(evidence),
        identifier_columns(named),
        dates_as_numbers(evidence),
        counter,
        None if choices.is_scaled else column_spread(evidence),
    )
    # Of a few rows the density shows nothing.
    of_the_fit = _of_the_fit(evidence, choices) if few is None else ()
    return _each_once(*of_the_table, *of_the_fit)


def _each_once(*signs: Sign | None) -> tuple[Sign, ...]:
    """Leave out the signs about repeated, stuck or isolated rows that earlier ones of other kinds name."""
    kept: list[Sign] = []
    for sign in signs:
        if sign is None:
            continue
        named: set[int] = set()
        for earlier in kept:
            if _may_cover(earlier, sign):
                named.update(earlier.rows)
        if not (sign.name in _OF_ROWS and named.issuperset(sign.rows)):
            kept.append(sign)
    return tuple(kept)


def _may_cover(earlier: Sign, sign: Sign) -> bool:
    """Tell whether a sign about some rows, whole or in the same column, makes another one superfluous."""
    is_other = (earlier.name, earlier.column is None) != (sign.name, sign.column is None)
    whole = earlier.column is None or sign.column is None
    return (
        earlier.name in _OF_ROWS and is_other and (whole or sign.column in (earlier.column, *earlier.others))
    )


def _of_the_fit(evidence: Evidence, choices: Choices) -> tuple[Sign | None, ...]:
    """Return the signs that compare the weights with the plain estimate."""
    both = densities(evidence)
    alone = all_alone(evidence, both, choices)
    if alone is not None:
        return (alone,)
    lost = drained(evidence, both)
    return (
        zero_weight(evidence, choices),
        mode_collapse(evidence, both, lost, choices),
        ranking(evidence, both, lost.values()),
        isolated_rows(evidence, both, choices),
    )


def tell(signs: Iterable[Sign], columns: Sequence[str | int] = ()) -> None:
    """Warn of each sign, at the line of the user."""
    for sign in signs:
        warn(sign.warning(columns=columns))
