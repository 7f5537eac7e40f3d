"""The planted mistakes, read from `mistakes.toml`, which says how to add one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rkde.adapter import Json
from tests.conformance.wrong import changes

Request = dict[str, Json]
Fields = dict[str, Json]


@dataclass(frozen=True)
class Seed:
    """One mistake: edits of the example, or, in operations that it lacks, a change of what is done."""

    name: str
    says: str
    pattern: str = ""
    also: tuple[str, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()
    ops: tuple[str, ...] = ()
    asks: str = ""
    answers: str = ""

    def __repr__(self) -> str:
        return self.name

    def asked(self, request: Request) -> Request:
        """Return the request that is answered in place of one."""
        concerned = self.asks and request["op"] in self.ops
        return changes.named(self.asks)(request) if concerned else request

    def answered(self, request: Request, answer: Fields) -> Fields:
        """Return what an answer to a request becomes."""
        concerned = self.answers and request["op"] in self.ops
        return changes.named(self.answers)(request, answer) if concerned else answer


def _read(kind: str) -> tuple[Seed, ...]:
    entries = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text("utf-8"))[kind]
    return tuple(Seed(**{**entry, "edits": tuple(map(tuple, entry.get("edits", ())))}) for entry in entries)


SEEDS: Final = _read("mistake")
LOOKALIKES: Final = _read("lookalike")
