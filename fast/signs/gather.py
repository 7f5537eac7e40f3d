"""All signs of one fit, and the warnings that say them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rkde.fast._resources import warn
from rkde.fast.signs.columns import column_spread, counter_column
from rkde.fast.signs.evidence import Evidence, densities
from rkde.fast.signs.isolated import isolated_rows
from rkde.fast.signs.modes import drained, mode_collapse
from rkde.fast.signs.ranking import few_rows, ranking, zero_weight
from rkde.fast.signs.repeated import filler, repeated_rows
from rkde.fast.signs.units import mixed_units
from rkde.signs import Sign


def find_signs(evidence: Evidence, *, is_scaled: bool, is_redescending: bool = True) -> tuple[Sign, ...]:
    """Return the signs of a fit, those of the table first.

    Notes
    -----
    At most 2**25 kernel values and a few sorts of the table: less than a fit by any engine.
    """
    few = few_rows(evidence)
    counter = counter_column(evidence)
    # A sensor that is stuck is so at different times.
    measured = evidence if counter is None else evidence.without(counter.column)
    of_the_table = (
        few,
        repeated_rows(measured) or filler(evidence),
        mixed_units(evidence),
        counter,
        None if is_scaled else column_spread(evidence),
    )
    # Of a few rows the density shows nothing.
    of_the_fit = _of_the_fit(evidence, is_redescending=is_redescending) if few is None else ()
    return tuple(sign for sign in (*of_the_table, *of_the_fit) if sign is not None)


def _of_the_fit(evidence: Evidence, *, is_redescending: bool) -> tuple[Sign | None, ...]:
    """Return the signs that compare the weights with the plain estimate."""
    both = densities(evidence)
    lost = drained(evidence, both)
    return (
        zero_weight(evidence, is_redescending=is_redescending),
        mode_collapse(evidence, both, lost),
        ranking(evidence, both, lost.values()),
        isolated_rows(evidence, both),
    )


def tell(signs: Iterable[Sign], columns: Sequence[str | int] = ()) -> None:
    """Warn of each sign, at the line of the user."""
    for sign in signs:
        warn(sign.warning(columns=columns))
