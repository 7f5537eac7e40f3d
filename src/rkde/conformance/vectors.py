"""Golden vectors as data: the files, their schema, their digest, and what can be wrong with them."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from rkde.adapter import Json, NotJsonError, NumberToken, decode
from rkde.files import reason

FORMAT: Final = "rkde-vectors"
VERSION: Final = 1
# A case that is no longer asked. Its identifier stays taken.
WITHDRAWN: Final = "WITHDRAWN"
DIGEST_PREFIX: Final = "sha256:"
# Checking the schema is nearly all the work of reading a file, and `lint` and `add` read each file more than
# once. The findings are kept for this many texts, four times the number of shipped files.
_KNOWN_TEXTS: Final = 64


class VectorsError(Exception):
    """A folder of vectors cannot be used; the message says which file and why."""


@dataclass(frozen=True, slots=True)
class Expected:
    """One right answer.

    Attributes
    ----------
    values : dict of str to Json
        Field to value.
    radii : dict of str to Decimal
        Field to a proven bound on the absolute error of each of its numbers; nothing where none is proven.
    """

    values: dict[str, Json]
    radii: dict[str, Decimal]


@dataclass(frozen=True, slots=True)
class Case:
    """One request and what must be answered.

    Attributes
    ----------
    id, op, comment : str
        Name, operation, and what the case is about.
    flags : tuple of str
        What kind of case it is; the header of the file explains each.
    request : dict
        The fields of the request without `id`, those of the group included.
    expected : dict of str to Json
        Field to value; empty where an error is expected. Where several answers are right, the first of them.
    error : str
        The kind of the expected error; empty where a value is expected.
    tolerance : Decimal
        The largest admissible error in float64; 0 where an error is expected.
    radii : dict of str to Decimal
        The proven error bounds of `expected`, by field.
    others : tuple of Expected
        The other right answers.

    Examples
    --------
    >>> from rkde.conformance.vectors import load_vectors, shipped_vectors
    >>> case = load_vectors(shipped_vectors())[0]
    >>> case.op, case.id.startswith(case.op)
    ('auc', True)
    """

    id: str
    op: str
    comment: str
    flags: tuple[str, ...]
    request: dict[str, Json]
    expected: dict[str, Json]
    error: str
    tolerance: Decimal
    radii: dict[str, Decimal] = field(default_factory=dict)
    others: tuple[Expected, ...] = ()

    @property
    def right_answers(self) -> tuple[Expected, ...]:
        """Every answer that is right; one of them must be met."""
        return (Expected(self.expected, self.radii), *self.others)


def shipped_vectors() -> Path:
    """Return the folder of the vectors that come with the package.

    Returns
    -------
    Path
        In the installed package or, where it is installed editably, in the checkout.

    Examples
    --------
    >>> (shipped_vectors() / "kernel.json").exists()
    True
    """
    return Path(str(files("rkde.reference"))) / "vectors" / f"v{VERSION}"


def schema_file() -> Path:
    """Return the path of the JSON Schema of a vector file."""
    return Path(str(files("rkde.conformance"))) / "schema.json"


def schema() -> dict[str, Json]:
    """Return the JSON Schema of a vector file."""
    return cast(dict[str, Json], json.loads(schema_file().read_text(encoding="utf-8")))


def load_vectors(folder: Path, *, withdrawn: bool = False) -> list[Case]:
    """Read every vector file of a folder and check it.

    Parameters
    ----------
    folder : Path
        Holds files named `*.json`, of which each must be a vector file.
    withdrawn : bool
        Whether cases with the flag WITHDRAWN, which are no longer asked, are among the cases.

    Returns
    -------
    list of Case
        In the order of the file names and of the files.

    Raises
    ------
    VectorsError
        The folder is missing or empty, a file breaks the schema, is of another version, was changed by hand,
        or two cases have one id.

    Examples
    --------
    >>> from rkde.conformance.vectors import shipped_vectors
    >>> cases = load_vectors(shipped_vectors())
    >>> len({case.id for case in cases}) == len(cases) > 400
    True
    """
    if not folder.is_dir():
        raise VectorsError(f"{folder}: no such folder; check the path")
    cases = [case for path in sorted(folder.glob("*.json")) for case in _cases(load_file(path))]
    if not cases:
        raise VectorsError(f"{folder}: the folder contains no case; choose another")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise VectorsError(f"{folder}: two cases have the id {case.id}; rename one")
        seen.add(case.id)
    return [case for case in cases if withdrawn or WITHDRAWN not in case.flags]


def load_file(path: Path) -> dict[str, Json]:
    """Read one vector file and check format, version, schema, flags and digest, in this order."""
    try:
        return checked(path, path.read_bytes())
    except OSError as error:
        raise VectorsError(f"{path}: {reason(error)}; check the path") from error


def checked(path: Path, text: bytes) -> dict[str, Json]:
    """Check the text of a vector file, which `path` names in messages, as `load_file` does."""
    try:
        decoded = decode(text)
    except NotJsonError as error:
        raise VectorsError(f"{path}: {error}; correct the file") from error
    content = decoded.value
    if decoded.problems or not isinstance(content, dict) or content.get("format") != FORMAT:
        fault = f"{decoded.problems[0]}; correct the file" if decoded.problems else ""
        raise VectorsError(f"{path}: {fault or f'its format is not {FORMAT!r}; choose a vector file'}")
    if content.get("version") != VERSION:
        raise VectorsError(
            f"{path}: the version must be {VERSION}, got {content.get('version')!r}; use version {VERSION}"
        )
    breach = _schema_breach(text) if _schema_is_due(path) else ""
    if breach:
        raise VectorsError(f"{path}: {breach}; correct the file")
    if content["digest"] != digest(content["groups"]):
        raise VectorsError(
            f"{path}: the groups do not match the digest in the header; edit cases with rkde vectors edit"
        )
    unknown = {flag for case in _cases(content) for flag in case.flags} - cast(
        dict[str, Json], content["flags"]
    ).keys()
    if unknown:
        raise VectorsError(
            f"{path}: the header must explain the flags {', '.join(sorted(unknown))}; add them"
        )
    return content


def digest(groups: Json) -> str:
    """Return the digest of the groups: SHA-256 of their compact JSON, numbers as they are spelt."""
    text = json.dumps(_spelt(groups), separators=(",", ":"), sort_keys=True)
    return DIGEST_PREFIX + hashlib.sha256(text.encode("ascii")).hexdigest()


def _spelt(value: Json) -> Json:
    """Turn every number into its text, so that 0.10 and 0.1 differ and no float is involved."""
    if isinstance(value, dict):
        return {key: _spelt(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_spelt(entry) for entry in value]
    return str(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else value


def _schema_is_due(path: Path) -> bool:
    """Tell whether a file must meet its schema now: a shipped one need not where jsonschema is missing.

    The tests have done it, and the digest in its header says that nobody has changed it since.
    """
    if path.parent != shipped_vectors():
        return True
    try:
        import_module("jsonschema")
    except ImportError:
        return False
    return True


@lru_cache(_KNOWN_TEXTS)
def _schema_breach(text: bytes) -> str:
    """Say where the text of a vector file breaks the schema, if anywhere; VectorsError without jsonschema."""
    try:
        jsonschema = import_module("jsonschema")
    except ImportError as error:
        raise VectorsError(
            'checking vectors needs an extra; run: python -m pip install "rkde[verify]"'
        ) from error
    validator = jsonschema.Draft202012Validator(schema())
    content = with_floats(decode(text).value)
    found: Any = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if found is None:
        return ""
    place = "/".join(str(part) for part in found.absolute_path)
    return f"breaks the schema at {place or 'the top'}: {found.message[:200]}"


def _cases(content: dict[str, Json]) -> Iterator[Case]:
    for group in cast(list[dict[str, Any]], content["groups"]):
        for case in group["cases"]:
            first, *others = [_expected(fields) for fields in case.get("any_of") or [case["expected"] or {}]]
            yield Case(
                id=case["id"],
                op=group["op"],
                comment=case["comment"],
                flags=tuple(case["flags"]),
                request={"op": group["op"], **group["request"], **case["request"]},
                expected=first.values,
                error=case["error"] or "",
                tolerance=Decimal(case["tolerance"] or 0),
                radii=first.radii,
                others=tuple(others),
            )


def _expected(fields: dict[str, dict[str, Any]]) -> Expected:
    return Expected(
        {name: entry["value"] for name, entry in fields.items()},
        {name: Decimal(entry["radius"]) for name, entry in fields.items() if entry["radius"] is not None},
    )


def with_floats(value: Json) -> Json:
    """Turn number tokens into floats, as a schema checker knows JSON numbers."""
    if isinstance(value, dict):
        return {key: with_floats(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [with_floats(entry) for entry in value]
    return float(value) if isinstance(value, NumberToken) else value
