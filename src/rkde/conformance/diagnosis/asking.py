"""What the right implementation answers to changed requests: many mistakes are the answer to another one."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, cast

from rkde.adapter import (
    Implementation,
    Json,
    answer_request,
    decode,
    fast_implementation,
    reference_implementation,
    spelled,
)
from rkde.conformance.diagnosis.model import Answer
from rkde.conformance.diagnosis.values import numbers
from rkde.conformance.vectors import Case
from rkde.errors import RkdeError

# Many patterns ask the same of one case: about as many answers as all patterns want of all shipped cases.
_KEPT_ANSWERS: Final = 4096
# As many digits say which float64 it is.
FLOAT64_DIGITS: Final = 17


@cache
def implementation() -> Implementation:
    """Return the float64 implementation; where numpy is missing, the slower reference at float64's digits."""
    try:
        return fast_implementation()
    except ModuleNotFoundError:
        return reference_implementation(FLOAT64_DIGITS)


def ask(request: Mapping[str, Json]) -> Answer:
    """Return the right answer to a request; empty where it has none."""
    return _answer(spelled(dict(request)))


@lru_cache(_KEPT_ANSWERS)
def _answer(request: str) -> Answer:
    answer = answer_request(implementation(), cast(dict[str, Json], decode(request.encode("ascii")).value))
    return {} if "error" in answer or "unsupported" in answer else answer


def changed(case: Case, **change: Json) -> Answer:
    """Return the right answer to the case's request with some fields changed."""
    return ask({**case.request, **change})


def log_peak(case: Case, columns: int | None = None) -> float | None:
    """Return log k(x, x) of the request's kernel, in the request's number of columns or another one."""
    rows = case.request.get("X") or [case.request.get("x")]
    point = rows[0] if isinstance(rows, list) else None
    if not isinstance(point, list) or "kernel" not in case.request:
        return None
    origin: list[Json] = [0] * (columns or len(point))
    answer = ask({"op": "kernel", "kernel": case.request["kernel"], "x": origin, "Y": [origin]})
    values = answer.get("log_kernel")
    return float(str(values[0])) if isinstance(values, list) else None


def uniform(case: Case) -> list[Json]:
    """Return equal weights, one a row; none where there is no row."""
    rows = cast(list[Json], case.request["X"])
    return [1 / len(rows) for _ in rows]


def residual_norms(problem: Mapping[str, Json], weights: Json) -> list[float]:
    """Return the residual norms of rows under a kernel at some weights; empty where there are none."""
    fields = {name: problem[name] for name in ("X", "kernel")}
    answer = ask({"op": "residual_norms", **fields, "weights": weights})
    return numbers(answer.get("residual_norms", []))


def quantiles(norms: list[float], levels: Json, rule: str) -> dict[str, Json]:
    """Return the thresholds that belong to residual norms; empty where they have none."""
    lib = implementation()
    try:
        exact = [lib.number(str(level)) for level in cast(list[Json], levels)]
        given = [lib.number(str(norm)) for norm in norms]
        values = lib.call("thresholds", given, quantiles=exact, quantile_rule=rule)
    except RkdeError:
        return {}
    return dict(zip("abc", cast(list[Json], lib.plain(values)), strict=True))
