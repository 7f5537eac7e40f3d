"""What a planted mistake is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rkde.adapter import Json

Request = dict[str, Json]


@dataclass(frozen=True)
class Seed:
    """One mistake: what it is, how it is planted, which pattern must be recognised.

    `plant` breaks the copy of the example that it is given. A mistake in an operation that the example lacks
    is made by `asks_instead`: the package then answers another request than the one that was put to it.
    """

    name: str
    mistake: str
    plant: Callable[[Any], None] | None = None
    pattern: str = ""
    asks_instead: Callable[[Request], Request] | None = None

    def __repr__(self) -> str:
        return self.name
