"""Compute the golden vectors from the inventory: ``python -m rkde.vectors.generate``.

Values are enclosed in ball arithmetic, counted in integers, or, where neither is at hand, computed by
`rkde.reference` at two precisions that must agree. The files depend on the inventory and the mathematics
alone, so a second run writes the same bytes. A case whose request stands unchanged in the files is kept as it
is unless all are asked for; ``--check`` computes a sample again, ``--check --full`` everything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast
from zlib import crc32

import click

from rkde.adapter import Json, NotJsonError, decode, encode
from rkde.conformance import FORMAT, VERSION, digest, shipped_vectors
from rkde.vectors.computing import HIGH_DIGITS, LOW_DIGITS, References, case_head, compute_case, references
from rkde.vectors.inventory import INVENTORY
from rkde.vectors.inventory.model import FLAGS, Entry, Group
from rkde.vectors.stored import GenerationError

__all__ = ["GenerationError", "generate", "stale_files", "write_vectors"]

# With the name that this module had when the files were first written: they keep their bytes.
GENERATOR: Final = (
    "rkde.conformance.generate: rkde.reference.certify in ball arithmetic; where the evidence is two "
    f"precisions, no enclosure exists and rkde.reference agrees at {LOW_DIGITS} and {HIGH_DIGITS} digits"
)
# One case in so many is computed again where a sample is asked for; never one of many rows.
SAMPLED: Final = 5
_LARGE: Final = "LARGE"

Cases = Mapping[str, dict[str, Json]]


def generate(names: tuple[str, ...] = tuple(INVENTORY), known: Cases | None = None) -> dict[str, str]:
    """Compute vector files.

    Parameters
    ----------
    names : tuple of str
        Keys of the inventory.
    known : mapping, optional
        Cases by id that are not computed again if they ask the same with the same words.

    Returns
    -------
    dict of str to str
        File name to content.

    Raises
    ------
    GenerationError
        A case ends otherwise than it says, or has no trustworthy value.
    """
    libs = references()
    return {
        f"{name}.json": _render([_group(group, libs, known or {}) for group in INVENTORY[name]])
        for name in names
    }


def write_vectors(folder: Path, *, full: bool = False) -> list[Path]:
    """Write all vector files.

    Parameters
    ----------
    folder : Path
        Is made if it is missing; files of other names are left alone.
    full : bool
        Whether cases that stand there already are computed again.

    Returns
    -------
    list of Path
        The files written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in INVENTORY:
        path = folder / f"{name}.json"
        (text,) = generate((name,), {} if full else known_cases(path)).values()
        path.write_text(text, encoding="ascii", newline="\n")
        written.append(path)
    return written


def stale_files(folder: Path, names: tuple[str, ...] = tuple(INVENTORY), *, full: bool = False) -> list[str]:
    """Name the vector files that a fresh computation would write differently.

    Parameters
    ----------
    folder : Path
        The folder to check.
    names : tuple of str
        Which files to check.
    full : bool
        Whether every case is computed again, instead of a sample that is always the same.

    Returns
    -------
    list of str
        File names; a missing file, a file changed by hand and a file of no inventory are stale too.
    """
    found = {path.name: path.read_bytes() for path in folder.glob("*.json")}
    wrong = {name for name in found if name.removesuffix(".json") not in INVENTORY}
    for name in names:
        known = {} if full else known_cases(folder / f"{name}.json")
        kept = {identity: case for identity, case in known.items() if not _is_sampled(case)}
        fresh = generate((name,), kept) if found.get(f"{name}.json") else {}
        wrong |= {
            file for file in (f"{name}.json",) if found.get(file) != fresh.get(file, "").encode("ascii")
        }
    return sorted(wrong)


def known_cases(path: Path) -> Cases:
    """Return the cases of a file by id; none if it is missing, changed by hand or of another generator."""
    try:
        content = decode(path.read_bytes()).value
    except (OSError, NotJsonError):
        return {}
    if not isinstance(content, dict) or content.get("generator") != GENERATOR:
        return {}
    groups = cast(list[dict[str, Json]], content.get("groups") or [])
    if content.get("digest") != digest(cast(Json, groups)):
        return {}
    known = {}
    for group in groups:
        for case in cast(list[dict[str, Json]], group["cases"]):
            known[cast(str, case["id"])] = {**case, "whole": _whole(group, case)}
    return known


def _is_sampled(case: Mapping[str, Json]) -> bool:
    if _LARGE in cast(list[str], case["flags"]):
        return False
    return crc32(str(case["id"]).encode("ascii")) % SAMPLED == 0


def _whole(group: Mapping[str, Json], case: Mapping[str, Json]) -> Json:
    return {**cast(dict[str, Json], group["request"]), **cast(dict[str, Json], case["request"])}


def _group(group: Group, libs: References, known: Cases) -> Json:
    return {
        "op": group.op,
        "comment": group.comment,
        "request": cast(Json, dict(group.request)),
        "cases": [
            _known_case(group, entry, known) or compute_case(group, entry, libs) for entry in group.entries
        ],
    }


def _known_case(group: Group, entry: Entry, known: Cases) -> Json:
    """Return the stored case if it says and asks the same."""
    head = cast(dict[str, Json], _spelt(case_head(group, entry)))
    stored = dict(known.get(cast(str, head["id"]), {}))
    if not stored or stored.pop("whole") != _spelt({**group.request, **entry.request}):
        return None
    same = all(stored[name] == value for name, value in head.items()) and stored["error"] == (
        entry.error or None
    )
    ends = len(cast(list[Json], stored.get("any_of") or []))
    if not same or ends != (len(entry.ends) + 1 if entry.ends else 0):
        return None
    return {**case_head(group, entry), **{name: stored[name] for name in stored if name not in head}}


def _spelt(value: object) -> Json:
    """Return a value as it reads after it has been written."""
    return decode(encode(cast(Json, value))).value


def _render(groups: list[Json]) -> str:
    """Write a file with one line a case, so that a change of a case is a change of a line."""
    flags = {flag: {"meaning": meaning, "catches": bug} for flag, (meaning, bug) in FLAGS.items()}
    spelt = cast(list[dict[str, Json]], decode(json.dumps(groups).encode("ascii")).value)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "generator": GENERATOR,
        "digest": digest(cast(Json, spelt)),
        "flags": flags,
    }
    lines = [
        "{",
        *(f"{json.dumps(key)}: {json.dumps(value)}," for key, value in header.items()),
        '"groups": [',
    ]
    rendered = []
    for group in cast(list[dict[str, Json]], groups):
        fields = ", ".join(
            f"{json.dumps(key)}: {json.dumps(group[key])}" for key in ("op", "comment", "request")
        )
        cases = ",\n".join(json.dumps(case) for case in cast(list[Json], group["cases"]))
        rendered.append(f'{{{fields}, "cases": [\n{cases}\n]}}')
    return "\n".join([*lines, ",\n".join(rendered), "]", "}", ""])


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option("--check", is_flag=True, help="Write nothing; fail if a file would change.")
@click.option("--full", is_flag=True, help="Compute every case, not only new ones or a sample.")
def main(folder: Path | None, *, check: bool, full: bool) -> None:
    """Compute the golden vectors and write them to FOLDER (default: where the package keeps them)."""
    target = folder or shipped_vectors()
    if check:
        stale = stale_files(target, full=full)
        if stale:
            raise click.ClickException(f"stale in {target}: {', '.join(stale)}")
        click.echo(f"{target}: up to date")
        return
    for path in write_vectors(target, full=full):
        click.echo(path)


if __name__ == "__main__":
    main()
