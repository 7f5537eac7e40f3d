"""Mistakes in limits and in the recipe: most are the right answer to another request."""

from collections.abc import Callable
from typing import Final, cast

from rkde.adapter import Json, NumberToken
from rkde.conformance.diagnosis.asking import ask
from rkde.vocabulary import RelativeObjective
from tests.conformance.wrong.seed import Fields, Request, Seed

STOP: Final = float(RelativeObjective().tol)
_MOST_STEPS: Final = 1000


def _levels(*levels: str) -> Callable[[Request], Request]:
    """Take other levels wherever the recipe is asked for with its own."""
    given: list[Json] = [NumberToken(level) for level in levels]

    def asks_instead(request: Request) -> Request:
        is_open = request["op"] == "rkde" and "quantiles" not in request
        return {**request, "quantiles": given} if is_open else request

    return asks_instead


def uniform_start(request: Request) -> Request:
    is_from_median = request.get("start", "median" if request["op"] == "rkde" else None) == "median"
    return {**request, "start": "uniform"} if is_from_median else request


def median_start(request: Request) -> Request:
    return {**request, "start": "median"} if request.get("start") == "uniform" else request


def authors_recipe(request: Request) -> Request:
    return uniform_start(_levels("0.5", "0.95", "1")(request)) if request["op"] == "rkde" else request


def first_stage_only(request: Request) -> Request:
    return {**request, "loss": "absolute"} if request["op"] == "rkde" else request


def huber_for_hampel(request: Request) -> Request:
    loss = request.get("loss")
    if request["op"] != "fixed_point" or not isinstance(loss, dict) or loss["name"] != "hampel":
        return request
    return {**request, "loss": {"name": "huber", "a": loss["a"]}}


def rule_exchanged(request: Request) -> Request:
    other: dict[Json, Json] = {"scott": "silverman", "silverman": "scott"}
    rule = request.get("bandwidth")
    return (
        {**request, "bandwidth": other[rule]}
        if request["op"] == "rkde" and rule in ("scott", "silverman")
        else request
    )


def stops_on_j(request: Request, answer: Fields) -> Fields:
    """Answer the weights at which J moves by less than 1e-8, as the paper's rule has them."""
    if request["op"] != "fixed_point":
        return answer
    weights = [1 / len(cast(list[Json], request["X"]))] * len(cast(list[Json], request["X"]))
    put = {"op": "step", "X": request["X"], "kernel": request["kernel"], "loss": request["loss"], "count": 1}
    start = {"uniform": weights, "median": answer["weights"]}.get(str(request["start"]), request["start"])
    if request["start"] == "median":
        start = ask({"op": "median", "X": request["X"], "kernel": request["kernel"]})["weights"]
    for _ in range(_MOST_STEPS):
        found = ask({**put, "weights": start})
        if not found:
            return answer
        before, after = cast(list[float], found["objective"])
        start = found["weights"]
        if abs(before - after) < STOP * before:
            break
    return {
        **answer,
        "weights": start,
        "certificate": "stationary",
        "error_bound": "inf",
        "weights_error_bound": "inf",
    }


SEEDS: Final = (
    Seed("uniform-start", "uniform start instead of f_med", None, "uniform-start", uniform_start),
    Seed("median-start", "f_med as the start whatever is asked for", None, "median-start", median_start),
    Seed("first-stage-only", "the recipe ends with f_med", None, "f-med-for-all", first_stage_only),
    Seed(
        "huber-limit",
        "the limit for Huber's loss, where Hampel's is asked for",
        None,
        "huber-limit",
        huber_for_hampel,
    ),
    Seed(
        "recipe-p95",
        "the 95th percentile for c in the recipe",
        None,
        "p95-for-c",
        _levels("0.5", "0.75", "0.95"),
    ),
    Seed(
        "recipe-90-95",
        "percentiles 50, 90 and 95 in the recipe",
        None,
        "levels-50-90-95",
        _levels("0.5", "0.9", "0.95"),
    ),
    Seed(
        "recipe-of-the-authors",
        "percentiles 50, 95 and the largest from equal weights, as in the authors' program",
        None,
        "authors-levels",
        authors_recipe,
        also=("uniform-start",),
    ),
    Seed(
        "recipe-rule", "Silverman's factor for Scott's in the recipe", None, "exchanged-rule", rule_exchanged
    ),
    Seed("stops-on-j", "the iteration stops when J does", None, "stopped-early", answers_instead=stops_on_j),
)
