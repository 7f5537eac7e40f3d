"""Compute the cases of vector files again, each from its own request, to compare them or to replace them."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import cast

from rkde.adapter import Json, spelled
from rkde.conformance import VectorsError, checked, digest, laid_out, load_file
from rkde.files import write_atomically
from rkde.vectors.computing import Entry, compute_case, references
from rkde.vectors.stored import GenerationError

Fields = dict[str, Json]


def differences(folder: Path) -> list[str]:
    """List the cases for which a fresh computation gives something else.

    Result: one line for each file that cannot be read and each case that comes out differently.
    """
    libs, found = references(), []
    for path in sorted(folder.glob("*.json")):
        try:
            content = load_file(path)
        except VectorsError as error:
            found.append(str(error))
            continue
        for group, case in stored_cases(content):
            try:
                if spelled(compute_case(entry_of(group, case), libs)) != spelled(case):
                    found.append(f"{path}: {case['id']}: a fresh computation gives another case")
            except GenerationError as error:
                found.append(f"{path}: {error}")
    return found


def recompute(folder: Path, ids: Collection[str] = ()) -> list[str]:
    """Compute cases again and write those that come out differently.

    Result: the ids of the cases that changed.
    """
    libs, changed, unknown = references(), [], set(ids)
    contents = {path: load_file(path) for path in sorted(folder.glob("*.json"))}
    for path, content in contents.items():
        for group, case in stored_cases(content):
            identity = str(case["id"])
            unknown.discard(identity)
            if ids and identity not in ids:
                continue
            try:
                fresh = compute_case(entry_of(group, case), libs)
            except GenerationError as error:
                raise VectorsError(f"{path}: {error}") from error
            if spelled(fresh) != spelled(case):
                changed.append(identity)
                contents[path] = with_case(contents[path], fresh)
    if unknown:
        raise VectorsError(f"{folder}: there is no case {min(unknown)}; choose one that the files hold")
    for path, content in contents.items():
        if content["digest"] != digest(content["groups"]):
            store(path, content)
    return changed


def stored_cases(content: Fields) -> Iterator[tuple[Fields, Fields]]:
    """Give each case of a file with its group, in the order of the file."""
    for group in cast(list[Fields], content["groups"]):
        for case in cast(list[Fields], group["cases"]):
            yield group, case


def entry_of(group: Fields, case: Fields) -> Entry:
    """Read what a stored case asks; its further right answers say near which weights they lie."""
    ends = cast(list[dict[str, Fields]], case.get("any_of") or [])[1:]
    return Entry(
        op=str(group["op"]),
        id=str(case["id"]),
        comment=str(case["comment"]),
        flags=tuple(cast(list[str], case["flags"])),
        request=cast(Fields, case["request"]),
        shared=cast(Fields, group["request"]),
        error=str(case["error"] or ""),
        ends=tuple(tuple(map(float, cast(list[str], end["weights"]["value"]))) for end in ends),
    )


def with_case(content: Fields, case: Fields) -> Fields:
    """Put a case in the place of the one that has its id; the digest stays that of the old cases."""
    groups = [
        {
            **group,
            "cases": [case if old["id"] == case["id"] else old for old in cast(list[Fields], group["cases"])],
        }
        for group in cast(list[Fields], content["groups"])
    ]
    return {**content, "groups": cast(Json, groups)}


def store(path: Path, content: Fields) -> None:
    """Write a vector file with its digest after a reader's checks; others see the old file or the new."""
    text = laid_out(path, {**content, "digest": digest(content["groups"])}).encode("ascii")
    checked(path, text)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)
