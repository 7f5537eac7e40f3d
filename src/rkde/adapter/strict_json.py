"""Strict JSON in, strict JSON out: numbers keep their text, duplicate keys and bare NaN are refused.

A number that passes through `float` has lost its decimal digits, and the reference needs them; so a number
with a fraction or an exponent stays text (`NumberToken`) until an implementation reads it.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

# Python itself refuses to read integers beyond 4300 digits; 1100 characters spell any float64 exactly.
MAX_NUMBER_TEXT: Final = 4000


class NumberToken(str):
    """The text of a JSON number, apart from a JSON string that happens to spell one."""

    __slots__ = ()


def kind_of(value: Json) -> str:
    """Name the JSON kind of a value, for a message that must not repeat the value itself."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float | NumberToken):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


class NotJsonError(ValueError):
    """A line is not one JSON value in UTF-8."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One JSON value and what a strict reader objects to in it.

    Attributes
    ----------
    value : Json
        The value as far as it could be read; of a repeated key, the last entry.
    problems : tuple of str
        Every breach of strictness, in reading order; empty for strict JSON.
    repeated : frozenset of str
        The keys that some object holds twice.
    """

    value: Json
    problems: tuple[str, ...]
    repeated: frozenset[str]


class _Reader:
    """The hooks of one `json.loads` call, collecting the objections."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.repeated: set[str] = set()

    def pairs(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found: dict[str, Json] = {}
        for key, value in pairs:
            if key in found:
                self.problems.append(f"the key {key!r} occurs twice in one object")
                self.repeated.add(key)
            found[key] = value
        return found

    def constant(self, token: str) -> Json:
        self.problems.append(f'{token} is not strict JSON: a non-finite number is "inf", "-inf" or "nan"')
        return None


def decode(text: bytes) -> Decoded:
    """Read one JSON value.

    Result: integers are `int`, other numbers `NumberToken`.
    """
    reader = _Reader()
    try:
        value = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=reader.pairs,
            parse_float=NumberToken,
            parse_int=lambda token: int(token) if len(token) <= MAX_NUMBER_TEXT else NumberToken(token),
            parse_constant=reader.constant,
        )
    except UnicodeDecodeError as error:
        raise NotJsonError(f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise NotJsonError(f"not JSON: {error.msg} at character {error.pos}") from error
    except RecursionError:
        raise NotJsonError("not readable: brackets are nested too deeply") from None
    return Decoded(value, tuple(reader.problems), frozenset(reader.repeated))


def _refuse(value: object) -> NoReturn:
    raise TypeError(f"no JSON form for {type(value).__name__}")


def encode(value: Json) -> bytes:
    """Write one JSON value on one line, ending in a newline."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"), default=_refuse).encode("ascii") + b"\n"


def spelled(value: Json) -> str:
    """Write one JSON value as `json.dumps` does, but a number token as it was spelt.

    Result: ASCII; `decode` reads an equal value from it, but for floats, which come back as tokens.

    Examples
    --------
    >>> spelled({"t": [NumberToken("0.10"), "0.10", 1, 2.5, float("-inf")]})
    '{"t": [0.10, "0.10", 1, 2.5, "-inf"]}'
    """
    if isinstance(value, NumberToken):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {spelled(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    return json.dumps(str(value) if isinstance(value, float) and not math.isfinite(value) else value)
