"""Compute the golden vectors from the inventory: ``python -m rkde.conformance.generate``.

Every value is computed by `rkde.reference` at two precisions that must agree in all stored digits. The files
depend on the inventory and the mathematics alone, so a second run writes the same bytes; `stale_files` says
where that is no longer so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Context, Decimal
from pathlib import Path
from typing import Final, cast

import click

from rkde.adapter import Implementation, answer_request, reference_implementation
from rkde.adapter.strict_json import Json, decode, encode
from rkde.conformance.comparison import NON_FINITE, as_decimal, compare
from rkde.conformance.inventory import FLAGS, INVENTORY, Entry, Group
from rkde.conformance.tolerance import tolerance
from rkde.conformance.vectors import FORMAT, VERSION, digest, shipped_vectors

LOW_DIGITS: Final = 60
HIGH_DIGITS: Final = 90
STORED_DIGITS: Final = 45
GENERATOR: Final = f"rkde.conformance.generate: rkde.reference at {LOW_DIGITS} and {HIGH_DIGITS} digits"
# Beyond this a float64 implementation is not asked for six digits of sixteen, and the case must say so.
WIDE: Final = Decimal("1e-10")
_STORED: Final = Context(prec=STORED_DIGITS)
_AGREEMENT: Final = Decimal(10) ** -STORED_DIGITS


class GenerationError(Exception):
    """A case of the inventory has no trustworthy value; the message names it."""


def generate(names: tuple[str, ...] = tuple(INVENTORY)) -> dict[str, str]:
    """Compute vector files.

    Parameters
    ----------
    names : tuple of str
        Keys of the inventory.

    Returns
    -------
    dict of str to str
        File name to content.

    Raises
    ------
    GenerationError
        The two precisions disagree, or a case ends otherwise than it says.
    """
    low, high = reference_implementation(LOW_DIGITS), reference_implementation(HIGH_DIGITS)
    return {
        f"{name}.json": _render([_group(group, low, high) for group in INVENTORY[name]]) for name in names
    }


def write_vectors(folder: Path) -> list[Path]:
    """Write all vector files.

    Parameters
    ----------
    folder : Path
        Is made if it is missing; files of other names are left alone.

    Returns
    -------
    list of Path
        The files written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in generate().items():
        path = folder / name
        path.write_text(text, encoding="ascii", newline="\n")
        written.append(path)
    return written


def stale_files(folder: Path, names: tuple[str, ...] = tuple(INVENTORY)) -> list[str]:
    """Name the vector files that a fresh computation would write differently.

    Parameters
    ----------
    folder : Path
        The folder to check.
    names : tuple of str
        Which files to compute.

    Returns
    -------
    list of str
        File names; a missing file and a file of no inventory are stale too.
    """
    fresh = {name: text.encode("ascii") for name, text in generate(names).items()}
    found = {path.name: path.read_bytes() for path in folder.glob("*.json")}
    wrong = {name for name, content in fresh.items() if found.get(name) != content}
    return sorted(wrong | {name for name in found if name.removesuffix(".json") not in INVENTORY})


def _group(group: Group, low: Implementation, high: Implementation) -> Json:
    return {
        "op": group.op,
        "comment": group.comment,
        "request": _json(group.request),
        "cases": [_case(group, entry, low, high) for entry in group.entries],
    }


def _case(group: Group, entry: Entry, low: Implementation, high: Implementation) -> Json:
    identity = f"{group.op}/{entry.id}"
    request = cast(dict[str, Json], decode(encode(_json({**group.request, **entry.request}))).value)
    request["op"] = group.op
    answers = [answer_request(lib, request) for lib in (low, high)]
    case: dict[str, Json] = {
        "id": identity,
        "comment": entry.comment,
        "flags": list(entry.flags),
        "request": _json(entry.request),
        "outcome": "error" if entry.error else "value",
        "expected": None,
        "error": entry.error or None,
        "tolerance": None,
    }
    if entry.error:
        _require_error(identity, entry.error, answers)
        return case
    for answer in answers:
        if "error" in answer or "unsupported" in answer:
            raise GenerationError(f"{identity}: {answer}")
    case["expected"] = {
        name: _stored(f"{identity}: {name}", answers[0][name], answers[1][name]) for name in answers[0]
    }
    allowed = tolerance(request, answers[0], lambda moved: answer_request(low, moved))
    if (allowed > WIDE) != ("ILL_CONDITIONED" in entry.flags):
        raise GenerationError(f"{identity}: ILL_CONDITIONED is wrong for a tolerance of {allowed}")
    case["tolerance"] = f"{allowed:.1e}"
    return case


def _require_error(identity: str, kind: str, answers: list[dict[str, Json]]) -> None:
    for answer in answers:
        error = answer.get("error")
        if not isinstance(error, dict) or error["kind"] != kind:
            raise GenerationError(f"{identity}: the error {kind} was expected, got {answer}")


def _stored(identity: str, low: Json, high: Json) -> Json:
    value = [_agreed(identity, *pair) for pair in _pairs(low, high)] if isinstance(high, list) else None
    return {
        "value": _agreed(identity, low, high) if value is None else value,
        "radius": None,
        "evidence": "two precisions",
    }


def _pairs(low: Json, high: list[Json]) -> list[tuple[Json, Json]]:
    return list(zip(cast(list[Json], low), high, strict=True))


def _agreed(identity: str, low: Json, high: Json) -> Json:
    """Round to the stored digits, after checking that both precisions agree in all of them."""
    found = compare("entry", low, high)
    if found.problem or found.error > _AGREEMENT:
        raise GenerationError(f"{identity}: the precisions disagree: {low} and {high}")
    if high is None or high in NON_FINITE:
        return high
    number = as_decimal(high)
    if number is None:
        raise GenerationError(f"{identity}: {high!r} is not a number")
    return f"{_STORED.plus(number):.{STORED_DIGITS - 1}e}" if number else "0"


def _json(value: Mapping[str, object]) -> dict[str, Json]:
    return cast(dict[str, Json], dict(value))


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
def main(folder: Path | None, *, check: bool) -> None:
    """Compute the golden vectors and write them to FOLDER (default: where the package keeps them)."""
    target = folder or shipped_vectors()
    if check:
        stale = stale_files(target)
        if stale:
            raise click.ClickException(f"stale in {target}: {', '.join(stale)}")
        click.echo(f"{target}: up to date")
        return
    for path in write_vectors(target):
        click.echo(path)


if __name__ == "__main__":
    main()
