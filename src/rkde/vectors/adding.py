"""Add a case to vector files outside the package: the request is given, the answer is computed here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final, cast

from rkde.adapter import Json, NotJsonError, NumberToken, answer_request, decode, encode
from rkde.conformance import (
    FORMAT,
    VERSION,
    VectorsError,
    checked,
    digest,
    laid_out,
    load_file,
    load_vectors,
    shipped_vectors,
    with_floats,
    write_atomically,
)
from rkde.vectors.computing import References, compute_case, references
from rkde.vectors.generate import GENERATOR
from rkde.vectors.inventory.model import FLAGS, Entry, Group
from rkde.vectors.stored import GenerationError, WrongFlagError

# What the group is called that added cases stand in.
ADDED: Final = "Cases added by rkde vectors add."
_ID: Final = re.compile(r"[a-z0-9-]+")
_ILL_CONDITIONED: Final = "ILL_CONDITIONED"


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case before its answer is computed.

    Attributes
    ----------
    op : str
        The operation.
    entry : Entry
        Name, comment, flags, the whole request, and the kind of the error where one is expected.
    """

    op: str
    entry: Entry


def read_request(path: Path, op: str) -> dict[str, object]:
    """Read the fields of a request from a JSON file.

    Parameters
    ----------
    path : Path
        Holds one object. A field `op` must be the operation; `id` is of no meaning here.
    op : str
        The operation.

    Returns
    -------
    dict

    Raises
    ------
    VectorsError
        It is no strict JSON object, or a number is not the shortest decimal of a float64: a vector has none
        that a float64 program and an exact one would read differently.
    """
    try:
        decoded = decode(path.read_bytes())
    except (OSError, NotJsonError) as error:
        raise VectorsError(f"{path}: {error}") from error
    if decoded.problems or not isinstance(decoded.value, dict):
        reason = decoded.problems[0] if decoded.problems else "one JSON object was expected"
        raise VectorsError(f"{path}: {reason}")
    fields = {name: value for name, value in decoded.value.items() if name != "id"}
    if fields.pop("op", op) != op:
        raise VectorsError(f"{path}: asks for another operation than {op}")
    _check_numbers(path, fields)
    return cast(dict[str, object], with_floats(fields))


def add_case(folder: Path, case: NewCase) -> Path:
    """Compute a case and write it into the file of its operation.

    Parameters
    ----------
    folder : Path
        Holds vector files, or none yet; is made if it is missing.
    case : NewCase
        The case. The flag ILL_CONDITIONED is set or left out as its tolerance says.

    Returns
    -------
    Path
        The file, which other programs see as it was or with the case, never in part.

    Raises
    ------
    VectorsError
        The folder is the shipped one or cannot be used, the id is no id or is taken, another case has the
        same request, or the case has no answer that can be trusted.

    Notes
    -----
    Of two programs that add to one file at the same time, the later one wins.
    """
    if folder.resolve() == shipped_vectors().resolve():
        raise VectorsError(f"{folder}: the shipped vectors are written from rkde.conformance.inventory")
    if not _ID.fullmatch(case.entry.id):
        raise VectorsError(f"the id {case.entry.id!r} is not made of lower-case letters, digits and hyphens")
    _require_new(folder, case)
    path = folder / f"{case.op}.json"
    content = load_file(path) if path.exists() else _empty()
    text = laid_out(path, _with_case(content, case.op, _computed(case))).encode("ascii")
    checked(path, text)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)
    return path


def _require_new(folder: Path, case: NewCase) -> None:
    identity = f"{case.op}/{case.entry.id}"
    request = digest(cast(Json, {"op": case.op, **case.entry.request}))
    for known in load_vectors(folder) if any(folder.glob("*.json")) else []:
        if known.id == identity:
            raise VectorsError(f"{folder}: there is a case {identity} already")
        if digest(known.request) == request:
            raise VectorsError(f"{folder}: {known.id} has the same request")


def _computed(case: NewCase) -> Json:
    libs = references()
    group = Group(case.op, ADDED, (case.entry,))
    if not case.entry.error:
        _require_a_value(case, libs)
    try:
        try:
            return compute_case(group, case.entry, libs)
        except WrongFlagError:
            flags = case.entry.flags
            other = [flag for flag in flags if flag != _ILL_CONDITIONED]
            turned = tuple(other) if len(other) < len(flags) else (*flags, _ILL_CONDITIONED)
            return compute_case(group, replace(case.entry, flags=turned), libs)
    except GenerationError as error:
        raise VectorsError(str(error)) from error


def _require_a_value(case: NewCase, libs: References) -> None:
    request = decode(encode(cast(Json, {"op": case.op, **case.entry.request}))).value
    error = answer_request(libs.low, cast(dict[str, Json], request)).get("error")
    if isinstance(error, dict):
        raise VectorsError(f"the request ends in the error {error['kind']}: {error['message']}")


def _empty() -> dict[str, Json]:
    flags: dict[str, Json] = {
        flag: {"meaning": meaning, "catches": bug} for flag, (meaning, bug) in FLAGS.items()
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "generator": GENERATOR,
        "digest": "",
        "flags": flags,
        "groups": [],
    }


def _with_case(content: Mapping[str, Json], op: str, case: Json) -> dict[str, Json]:
    groups = list(cast(list[dict[str, Json]], content["groups"]))
    if groups and groups[-1]["comment"] == ADDED:
        last = groups.pop()
        groups.append({**last, "cases": [*cast(list[Json], last["cases"]), case]})
    else:
        groups.append({"op": op, "comment": ADDED, "request": {}, "cases": [case]})
    return {**content, "digest": digest(cast(Json, groups)), "groups": cast(Json, groups)}


def _check_numbers(path: Path, value: Json) -> None:
    """Refuse a number that a float64 program and an exact one would read differently."""
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            _check_numbers(path, entry)
    elif isinstance(value, NumberToken) and Decimal(value) != Decimal(repr(float(value))):
        raise VectorsError(
            f"{path}: {value[:40]} is not the shortest decimal of a float64; write {float(value)!r}"
        )
