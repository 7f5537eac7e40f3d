"""What a documented refusal looks like, and one function that checks all of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from rkde.errors import RkdeError
from tests.support.implementations import Implementation


@dataclass(frozen=True)
class Refusal:
    """One documented error: its class, fragments of its message, and its value, unless that is `...`."""

    name: str
    attempt: Callable[[Implementation], object]
    kind: type[RkdeError]
    says: tuple[str, ...] = ()
    value: Any = field(default=...)

    def __repr__(self) -> str:
        return self.name


def assert_refused(implementation: Implementation, refusal: Refusal) -> None:
    """Check kind, place, value and remedy, and that the message is made of them."""
    with pytest.raises(RkdeError) as caught:
        refusal.attempt(implementation)
    error, message = caught.value, str(caught.value)
    assert type(error) is refusal.kind, f"{type(error).__name__}: {message}"
    assert error.where, f"it does not say where: {message}"
    assert error.remedy, f"it does not say what to do: {message}"
    assert error.where in message
    assert error.remedy in message
    for fragment in refusal.says:
        assert fragment in message, f"{fragment!r} is not in {message!r}"
    if refusal.value is not ...:
        assert _same(error.value, refusal.value), f"value {error.value!r}, expected {refusal.value!r}"
        assert repr(error.value) in message


def _same(actual: Any, expected: Any) -> bool:
    if isinstance(expected, float) and math.isnan(expected):
        return bool(actual != actual)
    return bool(actual == expected)
