"""From a request to its answer: which fields, which operation, which error."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from rkde.adapter import fields, operations
from rkde.adapter.implementation import Implementation
from rkde.adapter.strict_json import Json, NotJsonError, NumberToken, decode, kind_of
from rkde.errors import InvalidInput, RkdeError, SignWarning

ERROR_KINDS: Final = (
    "InvalidInput",
    "DegenerateBandwidth",
    "DegenerateThresholds",
    "AllWeightsZero",
    "NotConverged",
    "SingularSystem",
    "NotDifferentiable",
    "MemoryLimit",
)
INTERNAL: Final = "Internal"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: the function that runs it and the readers of its fields."""

    run: Callable[..., operations.Answer]
    required: Mapping[str, fields.Reader]
    optional: Mapping[str, fields.Reader]


def _hello(lib: Implementation, **given: int) -> operations.Answer:
    return operations.hello(lib, protocol=given["protocol"], operations=list(OPERATIONS))


_DATA: Final[dict[str, fields.Reader]] = {"X": fields.matrix, "kernel": fields.kernel}
_WEIGHTED: Final[dict[str, fields.Reader]] = {**_DATA, "weights": fields.vector}

OPERATIONS: Final[dict[str, Operation]] = {
    "hello": Operation(_hello, {"protocol": fields.integer}, {}),
    "kernel": Operation(
        operations.kernel, {"kernel": fields.kernel, "x": fields.vector, "Y": fields.matrix}, {}
    ),
    "loss": Operation(operations.loss, {"loss": fields.loss, "t": fields.vector}, {}),
    "bandwidth": Operation(operations.bandwidth, {"X": fields.matrix, "rule": fields.bandwidth_rule}, {}),
    "residual_norms": Operation(operations.residual_norms, _WEIGHTED, {}),
    "objective": Operation(operations.objective, {**_WEIGHTED, "loss": fields.loss}, {}),
    "step": Operation(operations.step, {**_WEIGHTED, "loss": fields.loss, "count": fields.integer}, {}),
    "median": Operation(operations.median, _DATA, {}),
    "thresholds": Operation(
        operations.thresholds,
        {**_DATA, "quantiles": fields.vector, "quantile_rule": fields.quantile_rule},
        {},
    ),
    "fixed_point": Operation(
        operations.fixed_point, {**_DATA, "loss": fields.loss, "start": fields.start}, {}
    ),
    "log_density": Operation(operations.log_density, {**_WEIGHTED, "queries": fields.matrix}, {}),
    "influence": Operation(
        operations.influence,
        {**_WEIGHTED, "loss": fields.loss, "x_new": fields.vector, "queries": fields.matrix},
        {},
    ),
    "vkde": Operation(operations.vkde, {**_DATA, "queries": fields.matrix}, {"rule": fields.vkde_rule}),
    "depth": Operation(operations.depth, {**_DATA, "queries": fields.matrix}, {}),
    "signed_rank": Operation(operations.signed_rank, {"differences": fields.vector}, {}),
    "auc": Operation(operations.auc, {"scores": fields.vector, "labels": fields.vector}, {}),
    "rkde": Operation(
        operations.rkde,
        {"X": fields.matrix, "loss": fields.loss_name},
        {
            "kernel": fields.kernel_family,
            "bandwidth": fields.bandwidth,
            "quantiles": fields.vector,
            "quantile_rule": fields.quantile_rule,
            "start": fields.start,
        },
    ),
}


def answer_request(lib: Implementation, request: Mapping[str, Json]) -> operations.Answer:
    """Answer one request, without its `id`.

    Result: the fields of the answer, or `error` with `kind` and `message`. Nothing is raised: an unexpected
    exception is the error `Internal`, which names its type.
    """
    try:
        with warnings.catch_warnings():
            # A request is about numbers; whoever looks at the table has asked another program.
            warnings.simplefilter("ignore", SignWarning)
            return _run(lib, {name: value for name, value in request.items() if name != "id"})
    except RkdeError as error:
        return _error(_kind(error), str(error))
    except Exception as error:  # noqa: BLE001 -- one bad request must not end the adapter
        return _error(INTERNAL, f"{type(error).__name__}: {error}")


def answer_line(lib: Implementation, line: bytes) -> operations.Answer:
    """Answer one line of the transport, `id` included.

    Result: `id` (None where it could not be read) and what `answer_request` gives.
    """
    try:
        decoded = decode(line)
    except NotJsonError as error:
        return refuse_line(str(error))
    request = decoded.value
    if not isinstance(request, dict):
        return refuse_line(f"{kind_of(request)}, not an object")
    identity = request.get("id")
    is_plain = isinstance(identity, int | str) and not isinstance(identity, bool | NumberToken)
    readable = is_plain and "id" not in decoded.repeated
    if decoded.problems:
        return refuse_line(decoded.problems[0], identity if readable else None)
    if not readable:
        return refuse_line("id: an integer or a string is required")
    return {"id": identity, **answer_request(lib, request)}


def refuse_line(problem: str, identity: Json = None) -> operations.Answer:
    """Answer a line that holds no request: `InvalidInput`, with `id` null where it could not be read."""
    return {"id": identity, **_error("InvalidInput", problem)}


def _run(lib: Implementation, given: dict[str, Json]) -> operations.Answer:
    name = given.pop("op", None)
    if not isinstance(name, str) or isinstance(name, NumberToken):
        raise InvalidInput(
            f"must be the name of an operation, got {kind_of(name)}",
            where="op",
            remedy="use a name that `hello` lists",
        )
    if name not in OPERATIONS:
        raise InvalidInput(
            "must be the name of an operation",
            where="op",
            value=name[:40],
            remedy="use a name that `hello` lists",
        )
    operation = OPERATIONS[name]
    fields.check_fields(given, set(operation.required), set(operation.optional), name)
    readers = {**operation.required, **operation.optional}
    return operation.run(lib, **{field: readers[field](lib, value, field) for field, value in given.items()})


def _kind(error: RkdeError) -> str:
    names = [ancestor.__name__ for ancestor in type(error).__mro__]
    return next((name for name in names if name in ERROR_KINDS), INTERNAL)


def _error(kind: str, message: str) -> operations.Answer:
    return {"error": {"kind": kind, "message": message}}
