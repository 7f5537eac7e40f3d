"""Compute again what vector files hold: the shipped files as they are made, others case by case."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from rkde.adapter import Json, decode, encode
from rkde.conformance import VectorsError, load_file, shipped_vectors, with_floats
from rkde.vectors.computing import References, compute_case, references
from rkde.vectors.generate import stale_files
from rkde.vectors.inventory.model import Entry, Group
from rkde.vectors.stored import GenerationError

_Fields = dict[str, Json]


def differences(folder: Path) -> list[str]:
    """Say where a fresh computation gives something else.

    Parameters
    ----------
    folder : Path
        Holds the vector files. In the shipped folder the files themselves are compared with what the
        inventory gives; elsewhere each case is computed from its own request.

    Returns
    -------
    list of str
        One line a difference.
    """
    if folder.resolve() == shipped_vectors().resolve():
        return [
            f"{folder / name}: a fresh computation gives another file"
            for name in stale_files(folder, full=True)
        ]
    libs, found = references(), []
    for path in sorted(folder.glob("*.json")):
        try:
            groups = cast(list[_Fields], load_file(path)["groups"])
        except VectorsError as error:
            found.append(str(error))
            continue
        for group in groups:
            for case in cast(list[_Fields], group["cases"]):
                found += _difference(path, group, case, libs)
    return found


def _difference(path: Path, group: _Fields, case: _Fields, libs: References) -> list[str]:
    """Compute one case from its own request; return what is to be said about it, if anything."""
    ends = cast(list[dict[str, _Fields]], case.get("any_of") or [])[1:]
    entry = Entry(
        id=str(case["id"]).partition("/")[2],
        comment=str(case["comment"]),
        flags=tuple(cast(list[str], case["flags"])),
        request=cast(_Fields, with_floats(case["request"])),
        error=str(case["error"] or ""),
        ends=tuple(
            tuple(float(weight) for weight in cast(list[str], end["weights"]["value"])) for end in ends
        ),
    )
    shared = Group(
        str(group["op"]), str(group["comment"]), (entry,), cast(_Fields, with_floats(group["request"]))
    )
    try:
        fresh = decode(encode(compute_case(shared, entry, libs))).value
    except GenerationError as error:
        return [f"{path}: {error}"]
    return [] if fresh == case else [f"{path}: {case['id']}: a fresh computation gives another case"]
