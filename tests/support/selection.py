"""Parameters of which the default run takes some, evenly, and `-m slow` the others."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def one_in(share: int, cases: Iterable[Any], ids: Callable[[Any], str] = repr) -> list[Any]:
    """Return every case as a parameter; all but the first of each `share` of them are slow."""
    return [
        pytest.param(case, marks=pytest.mark.slow if place % share else (), id=ids(case))
        for place, case in enumerate(cases)
    ]


def slow_where(
    is_slow: Callable[[Any], object], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> list[Any]:
    """Return every case as a parameter; those that cost much are slow."""
    return [pytest.param(one, marks=pytest.mark.slow if is_slow(one) else (), id=ids(one)) for one in cases]
