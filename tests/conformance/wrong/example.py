"""The example adapter of docs/adapters/python in process, in as many copies as there are mistakes."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from rkde.adapter import Json, decode, spelled
from rkde.conformance.running import Answer

FOLDER: Final = Path(__file__).parents[3] / "docs" / "adapters" / "python"
# By the identity of the request, which is kept beside its text.
_TEXTS: Final[dict[int, tuple[Mapping[str, Json], str]]] = {}


def fresh_copy(edits: Iterable[tuple[str, str]] = ()) -> Any:
    """Load the example once more, with some of its text replaced."""
    text = (FOLDER / "plain.py").read_text("utf-8")
    for old, new in edits:
        assert text.count(old.strip()) == 1, old
        text = text.replace(old.strip(), new.strip())
    module = ModuleType("plain")
    exec(compile(text, "plain", "exec"), vars(module))  # noqa: S102 (our own example)
    return module


def asking(module: Any) -> Callable[[Mapping[str, Json]], Answer]:
    """Answer as adapter.py does, a crash included: it is the error `Internal`."""

    def ask(request: Mapping[str, Json]) -> Answer:
        operation = module.OPERATIONS.get(request["op"])
        if operation is None:
            return {"unsupported": True}
        # As it goes through a pipe, written once for all the copies that are asked it.
        known = _TEXTS.get(id(request))
        if known is None or known[0] is not request:
            known = _TEXTS[id(request)] = (request, spelled(dict(request)))
        fields = json.loads(known[1])
        del fields["op"]
        try:
            return decode(json.dumps(operation(**fields)).encode()).value
        except module.Refused as error:
            return {"error": {"kind": error.args[0], "message": error.args[1]}}
        except Exception as error:  # noqa: BLE001 -- whatever a mistake leads to
            return {"error": {"kind": "Internal", "message": repr(error)}}

    return ask
