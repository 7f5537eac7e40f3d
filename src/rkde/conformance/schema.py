"""The JSON Schema of the adapter protocol, and where an answer breaks it."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

from rkde.adapter import Json
from rkde.conformance.plain import plain_numbers

_SHOWN: Final = 200


def protocol_schema_file() -> Path:
    """Return the path of the JSON Schema of the adapter protocol."""
    return Path(str(files("rkde.conformance"))) / "protocol.schema.json"


def protocol_schema() -> dict[str, Json]:
    """Read the JSON Schema of the adapter protocol."""
    return cast(dict[str, Json], json.loads(protocol_schema_file().read_text(encoding="utf-8")))


def schema_breach(op: str, answer: Mapping[str, Json]) -> str:
    """Say where an answer breaks the schema of the protocol.

    Examples
    --------
    >>> schema_breach("auc", {"auc": 0.5})
    ''
    >>> schema_breach("auc", {"auc": [0.5]})
    'auc breaks the schema of the protocol: [0.5] is not valid under any of the given schemas'
    """
    branch = "error" if "error" in answer else f"answer.{op}"
    errors = _validator(branch).iter_errors(plain_numbers(dict(answer)))
    found: Any = import_module("jsonschema").exceptions.best_match(errors)
    if found is None:
        return ""
    place = "/".join(str(part) for part in found.absolute_path) or "the answer"
    text = " ".join(found.message.split())
    return f"{place} breaks the schema of the protocol: {text[:_SHOWN]}"


@cache
def _validator(branch: str) -> Any:
    schema = {**protocol_schema(), "$ref": f"#/$defs/{branch}"}
    del schema["anyOf"]
    return import_module("jsonschema").Draft202012Validator(schema)
