"""Mistakes in limits and in the recipe: each is the right answer to another request."""

from typing import Final

from rkde.adapter import Json, NumberToken
from tests.conformance.wrong.seed import Request, Seed

_P95: Final[list[Json]] = [NumberToken(level) for level in ("0.5", "0.75", "0.95")]


def uniform_start(request: Request) -> Request:
    is_from_median = request.get("start", "median" if request["op"] == "rkde" else None) == "median"
    return {**request, "start": "uniform"} if is_from_median else request


def first_stage_only(request: Request) -> Request:
    return {**request, "loss": "absolute"} if request["op"] == "rkde" else request


def recipe_with_p95(request: Request) -> Request:
    is_open = request["op"] == "rkde" and "quantiles" not in request
    return {**request, "quantiles": _P95} if is_open else request


SEEDS: Final = (
    Seed("uniform-start", "uniform start instead of f_med", None, "uniform-start", uniform_start),
    Seed("first-stage-only", "the recipe ends with f_med", None, "f-med-for-all", first_stage_only),
    Seed("recipe-p95", "the 95th percentile for c in the recipe", None, "p95-for-c", recipe_with_p95),
)
