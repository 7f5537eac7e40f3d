"""Mistakes in what the example lacks: another request is put to the package, or its answer is changed."""

import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from rkde.adapter import NumberToken, answer_request, fast_implementation, spelled
from rkde.conformance.diagnosis.asking import ask
from rkde.vocabulary import RelativeObjective
from tests.conformance.wrong.example import fresh_copy

Object = dict[str, Any]
STOP: Final = float(RelativeObjective().tol)
_MOST_STEPS: Final = 3000
_ADDED: Final = 1e-4
_INFLUENCES: Final = ("if_coef", "if_coef_new", "influence", "if_at_new")


def numbers(values: Any) -> list[float]:
    """Read a list of numbers, decimal strings among them."""
    return [float(str(value)) for value in values]


def _with_levels(levels: tuple[str, ...], request: Object) -> Object:
    """Take other levels wherever the recipe is asked for with its own."""
    return request if "quantiles" in request else {**request, "quantiles": list(map(NumberToken, levels))}


p95_for_c = partial(_with_levels, ("0.5", "0.75", "0.95"))
levels_90_95 = partial(_with_levels, ("0.5", "0.9", "0.95"))


def uniform_start(request: Object) -> Object:
    default = "median" if request["op"] == "rkde" else None
    return {**request, "start": "uniform"} if request.get("start", default) == "median" else request


def authors_recipe(request: Object) -> Object:
    return uniform_start(_with_levels(("0.5", "0.95", "1"), request))


def huber_for_hampel(request: Object) -> Object:
    loss = request["loss"]
    return {**request, "loss": {"name": "huber", "a": loss["a"]}} if loss["name"] == "hampel" else request


def other_spread(request: Object) -> Object:
    other = {"scott": "silverman", "silverman": "scott"}.get(str(request.get("bandwidth")))
    return {**request, "bandwidth": other} if other else request


def stopped_on_j(request: Object, answer: Object) -> Object:
    """Answer the weights at which J moves by less than 1e-8, as the paper's rule has them."""
    put = {"op": "step", "X": request["X"], "kernel": request["kernel"], "loss": request["loss"], "count": 1}
    w = request["start"]
    if w == "uniform":
        w = [1 / len(request["X"])] * len(request["X"])
    elif w == "median":
        w = ask({"op": "median", "X": request["X"], "kernel": request["kernel"]})["weights"]
    for _ in range(_MOST_STEPS):
        found: Object = dict(ask({**put, "weights": w}))
        if not found:
            return answer
        w, (before, after) = found["weights"], found["objective"]
        if abs(before - after) < STOP * before:
            break
    bounds = dict.fromkeys(("error_bound", "weights_error_bound"), "inf")
    return {**answer, "weights": w, "certificate": "stationary", **bounds}


def divided_by_more(request: Object, answer: Object) -> Object:
    """Iterate with psi(r) / (r + 1e-4) until nothing moves."""
    plain = fresh_copy()
    fields = json.loads(spelled(request))
    x, kernel, _ = plain.data_of(fields["X"], fields["kernel"])
    loss = plain.loss_of(fields.get("loss", {"name": "absolute"}))
    distances = plain.feature_distances(x, kernel)
    w = fields.get("start", "uniform")
    if w == "uniform":
        w = np.full(len(x), 1 / len(x))
    else:
        w = plain.median_weights(distances) if w == "median" else plain.weights_of(w, len(x))
    for _ in range(_MOST_STEPS):
        r = plain.residual_norms(distances, w)
        value = plain.psi(loss, r) / (r + _ADDED)
        if not value.sum() > 0:
            return answer
        new = value / value.sum()
        if np.abs(new - w).max() <= 4 * np.finfo(float).eps * new.max():
            break
        w = new
    return {"weights": w.tolist()}


def mixed_with_equal_weights(request: Object, answer: Object) -> Object:
    w = numbers(answer["weights"])
    return {**answer, "weights": [one * (1 - _ADDED) + _ADDED / len(w) for one in w]}


def rows_sorted(request: Object, answer: Object) -> Object:
    places = sorted(range(len(request["X"])), key=lambda i: numbers(request["X"][i]))
    return {**answer, "weights": [answer["weights"][i] for i in places]}


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_times(entry, factor) for entry in value]
    return value * factor if isinstance(value, float) else value


def _scaled(answer: Object, names: tuple[str, ...], factor: float) -> Object:
    return {**answer, **{name: _times(answer[name], factor) for name in names}}


def influence_of_the_density(request: Object, answer: Object) -> Object:
    point = [0] * len(request["x_new"])
    put: Object = {"op": "kernel", "kernel": request["kernel"], "x": point, "Y": [point]}
    (log_peak,) = numbers(answer_request(fast_implementation(), put)["log_kernel"])
    return _scaled(answer, ("influence", "if_at_new"), math.exp(log_peak))


def squared_l2_norm(request: Object, answer: Object) -> Object:
    (norm,) = numbers([answer["if_l2_norm"]])
    return {**answer, "if_l2_norm": norm**2}


def other_divisor(request: Object, answer: Object) -> Object:
    n = len(request["X"])
    if n < 2:
        return answer
    return {"depth": [1 - (1 - depth) * (n - 1) / n for depth in numbers(answer["depth"])]}


def normal_p(request: Object, answer: Object) -> Object:
    n = sum(value != 0 for value in numbers(request["differences"]))
    if not n:
        return answer
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    z = (n * (n + 1) / 4 - float(answer["statistic"])) / spread
    return {**answer, "p_value": math.erfc(z / math.sqrt(2))}


def zeros_ranked(request: Object, answer: Object) -> Object:
    values = np.array(numbers(request["differences"]))
    size = np.abs(values)
    ranks = ((size < size[:, None]).sum(axis=1) + 1 + (size <= size[:, None]).sum(axis=1)) / 2
    sums = [float(ranks[values * sign > 0].sum()) for sign in (1, -1)]
    return {**answer, "rank_sum_1": sums[0], "rank_sum_2": sums[1], "statistic": min(sums)}


def ties_as_wins(request: Object, answer: Object) -> Object:
    scores, labels = np.array(numbers(request["scores"])), np.array(numbers(request["labels"]))
    return {"auc": float((scores[labels == 1][:, None] >= scores[labels == 0]).mean())}


SHORT: Final[dict[str, Callable[..., Object]]] = {
    "median_start": lambda r: {**r, "start": "median"} if r.get("start") == "uniform" else r,
    "absolute_loss": lambda r: {**r, "loss": "absolute"},
    "bandwidth_of_one": lambda r: {**r, "bandwidth": 1.0},
    "negative_influence": lambda _, a: _scaled(a, _INFLUENCES, -1.0),
    "influence_times_n": lambda r, a: _scaled(a, _INFLUENCES, float(len(r["X"]))),
    "outlyingness": lambda _, a: {"depth": [1 - depth for depth in numbers(a["depth"])]},
    "half_p": lambda _, a: {**a, "p_value": float(a["p_value"]) / 2},
    "exchanged_sums": lambda _, a: {**a, "rank_sum_1": a["rank_sum_2"], "rank_sum_2": a["rank_sum_1"]},
    "larger_sum": lambda _, a: {**a, "statistic": max(numbers([a["rank_sum_1"], a["rank_sum_2"]]))},
    "reversed_scores": lambda _, a: {"auc": 1 - float(a["auc"])},
    "larger_area": lambda _, a: {"auc": max(float(a["auc"]), 1 - float(a["auc"]))},
}


def named(name: str) -> Callable[..., Any]:
    """Return the change that the table of mistakes calls so."""
    change: Callable[..., Any] = SHORT.get(name) or globals()[name]
    return change
