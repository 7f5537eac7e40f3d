"""What a planted mistake is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rkde.adapter import Json

Request = dict[str, Json]
Fields = dict[str, Json]


@dataclass(frozen=True)
class Seed:
    """One mistake: what it is, how it is planted, which pattern must be named.

    `plant` breaks the copy of the example that it is given. A mistake in an operation that the example lacks
    is made in the package: by `asks_instead` it answers another request than the one that was put to it, by
    `answers_instead` its answer to a request is changed. `also` names the patterns that are true as well,
    because they follow from the mistake; any other one would be a false accusation.
    """

    name: str
    mistake: str
    plant: Callable[[Any], None] | None = None
    pattern: str = ""
    asks_instead: Callable[[Request], Request] | None = None
    answers_instead: Callable[[Request, Fields], Fields] | None = None
    also: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.name
