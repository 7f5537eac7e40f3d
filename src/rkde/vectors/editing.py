"""Add and edit cases of vector files: the request is given, the answer is computed here."""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast

from rkde.adapter import OPERATIONS, Json, NotJsonError, NumberToken, answer_request, decode
from rkde.conformance import (
    REPEATED,
    VectorsError,
    digest,
    load_file,
    load_vectors,
    shipped_vectors,
    with_floats,
)
from rkde.files import reason
from rkde.vectors.computing import Entry, References, compute_case, references
from rkde.vectors.recomputing import Fields, entry_of, store, stored_cases, with_case
from rkde.vectors.stored import GenerationError, WrongFlagError

# The comment of the group that a new case joins where none is named.
ADDED: Final = "Cases added by rkde vectors add."
_ID: Final = re.compile(r"[a-z_]+/[a-z0-9-]+")
# Characters of a number that a message repeats.
_SHOWN: Final = 40
_ILL_CONDITIONED: Final = "ILL_CONDITIONED"
# Other ends are proved by the enclosure of a stationary point that is asked for by this operation.
_WITH_ENDS: Final = "fixed_point"


def read_request(path: Path, op: str) -> dict[str, object]:
    """Read the fields of a request from a JSON file."""
    try:
        decoded = decode(path.read_bytes())
    except (OSError, NotJsonError) as error:
        raise VectorsError(f"{path}: {reason(error)}; give a file with one JSON object") from error
    if decoded.problems or not isinstance(decoded.value, dict):
        problem = decoded.problems[0] if decoded.problems else "the file must hold one JSON object"
        raise VectorsError(f"{path}: {problem}; correct the file")
    fields = {name: value for name, value in decoded.value.items() if name != "id"}
    given = fields.pop("op", op)
    if given != op:
        remedy = f"correct the file, or choose {given}" if given in OPERATIONS else "correct the file"
        raise VectorsError(f"{path}: the operation must be {op}, got {given}; {remedy}")
    _check_numbers(path, fields)
    return cast(dict[str, object], with_floats(fields))


def add_case(folder: Path, entry: Entry, group: str = ADDED) -> Path:
    """Compute a case and write it into the file of its operation.

    Result: the file, which other programs see as it was or with the case, never in part.

    Notes
    -----
    Of two programs that write to one file at the same time, the later one wins.
    """
    if not _ID.fullmatch(entry.id):
        raise VectorsError(
            f"the id must be lower-case letters, digits and hyphens, got {entry.id!r}; rename the case"
        )
    path = folder / f"{entry.op}.json"
    # A new file has the header of the shipped one: the flags are explained in one way.
    content = load_file(path) if path.exists() else {**load_file(shipped_vectors() / path.name), "groups": []}
    groups = cast(list[Fields], content["groups"])
    at = next(
        (i for i, known in enumerate(groups) if (known["op"], known["comment"]) == (entry.op, group)),
        len(groups),
    )
    new: Fields = {"op": entry.op, "comment": group, "request": {}, "cases": []}
    joined = [*groups, new][at]
    entry = _within(joined, entry)
    _require_consistent(folder, content, entry, new=True)
    joined = {**joined, "cases": [*cast(list[Json], joined["cases"]), _computed(entry)]}
    store(path, {**content, "groups": cast(Json, [*groups[:at], joined, *groups[at + 1 :]])})
    return path


def edit_case(folder: Path, identity: str, **changes: Any) -> Path:
    """Change what a case asks or says, and compute its answer anew.

    Result: the file of the case, as with `add_case`.
    """
    for path in sorted(folder.glob("*.json")):
        content = load_file(path)
        for group, case in stored_cases(content):
            if case["id"] != identity:
                continue
            entry = replace(entry_of(group, case), **changes)
            if "request" in changes:
                entry = _within(group, entry)
                if case.get("any_of") and "ends" not in changes:
                    raise VectorsError(
                        f"{identity} has several right answers; give the others again with --end"
                    )
            _require_consistent(folder, content, entry, new=False)
            store(path, with_case(content, _computed(entry)))
            return path
    raise VectorsError(f"{folder}: there is no case {identity}; choose one that the files hold")


def _within(group: Fields, entry: Entry) -> Entry:
    """Leave to the group the fields that it gives to all its cases, which a whole request must have alike."""
    shared = cast(Mapping[str, Json], group["request"])
    for name in shared:
        if name not in entry.request:
            raise VectorsError(
                f"{entry.id}: the request must have the field {name}, as all cases in the group have; add it"
            )
    own = {
        name: value
        for name, value in entry.request.items()
        if name not in shared or with_floats(shared[name]) != with_floats(cast(Json, value))
    }
    return replace(entry, request=own, shared=shared)


def _require_consistent(folder: Path, content: Fields, entry: Entry, *, new: bool) -> None:
    """Refuse flags without a meaning, ends that cannot be proved, and an id or a request that is taken."""
    flags = cast(dict[str, Json], content["flags"])
    unknown = [flag for flag in entry.flags if flag not in flags]
    if unknown:
        raise VectorsError(f"the flags must be known, got {unknown[0]}; choose from {', '.join(flags)}")
    if ("MUST_FAIL" in entry.flags) != bool(entry.error):
        raise VectorsError(
            f"{entry.id}: the flag MUST_FAIL and an expected error must come together; give both or neither"
        )
    if entry.ends and (entry.op != _WITH_ENDS or entry.error):
        raise VectorsError(f"{entry.id}: only a value of {_WITH_ENDS} can have several ends; leave out --end")
    request = digest(entry.whole())
    for known in load_vectors(folder, withdrawn=True) if any(folder.glob("*.json")) else []:
        if new and known.id == entry.id:
            raise VectorsError(f"{folder}: the case {entry.id} exists already; choose another id, or edit it")
        if known.id != entry.id and digest(known.request) == request and REPEATED not in entry.flags:
            raise VectorsError(
                f"{folder}: the case {known.id} has the same request; change one, or add the flag {REPEATED}"
            )


def _computed(entry: Entry) -> Fields:
    """Compute a case; the flag ILL_CONDITIONED follows from the tolerance."""
    libs = references()
    if not entry.error:
        _require_a_value(entry, libs)
    try:
        try:
            return compute_case(entry, libs)
        except WrongFlagError:
            other = tuple(flag for flag in entry.flags if flag != _ILL_CONDITIONED)
            turned = other if len(other) < len(entry.flags) else (*entry.flags, _ILL_CONDITIONED)
            return compute_case(replace(entry, flags=turned), libs)
    except GenerationError as error:
        raise VectorsError(str(error)) from error


def _require_a_value(entry: Entry, libs: References) -> None:
    """Refuse a request that ends in an error which was not announced."""
    error = answer_request(libs.low, entry.whole()).get("error")
    if isinstance(error, dict):
        raise VectorsError(
            f"the request ends in the error {error['kind']} ({error['message']}); correct it, or use --error"
        )


def _check_numbers(path: Path, value: Json) -> None:
    """Refuse a number that a float64 program and an exact one would read differently."""
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            _check_numbers(path, entry)
    elif isinstance(value, NumberToken | int) and not isinstance(value, bool):
        text, nearest = str(value), float(str(value))
        if not isfinite(nearest):
            raise VectorsError(
                f"{path}: numbers must be within the range of float64, got {text[:_SHOWN]}; rescale the case"
            )
        if Decimal(text) != Decimal(repr(nearest)):
            raise VectorsError(
                f"{path}: numbers must be shortest decimals, got {text[:_SHOWN]}; write {nearest!r}"
            )
