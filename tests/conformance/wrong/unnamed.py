# ruff: noqa: E501 -- a table of one line a mistake; a mistake often is to ignore an argument

"""Mistakes that resemble others in a case or two: the diagnosis must not take them for those.

`pattern` is what must be named and `also` what may be; most have no name that the diagnosis could know.
"""

import json
from typing import Any, Final

import numpy as np

from rkde.adapter import Json, spelled
from tests.conformance.wrong.example import fresh_copy
from tests.conformance.wrong.seed import Fields, Request, Seed

_STEPS: Final = 3000
_ADDED: Final = 1e-4


def twice_j(plain: Any) -> None:
    plain.objective = lambda loss, r: 2 * plain.rho(loss, r).mean()


def own_kernel_left_out(plain: Any) -> None:
    right = plain.feature_distances

    def feature_distances(x: Any, kernel: Any) -> Any:
        distances = right(x, kernel)
        np.fill_diagonal(distances, 2.0)
        return distances

    plain.feature_distances = feature_distances


def huber_without_half(plain: Any) -> None:
    right = plain.rho

    def rho(loss: Any, t: Any) -> Any:
        a = loss.get("a", 0)
        value = right(loss, t)
        return np.where(t <= a, value, a * (t - a)) if loss["name"] == "huber" else value

    plain.rho = rho


def squared_weights(plain: Any) -> None:
    right = plain.weights_of
    plain.weights_of = lambda *arguments: _squares(right(*arguments))


def _squares(w: Any) -> Any:
    return w**2 / (w**2).sum()


def four_printed_digits(plain: Any) -> None:
    _spelling(plain, lambda value: float(f"{value:.4g}"))


def pi_of_five_digits(plain: Any) -> None:
    right = plain.log_normaliser

    def log_normaliser(kernel: Any) -> Any:
        off = kernel["dim"] / 2 * (np.log(np.pi) - np.log(3.14159))
        return right(kernel) + (off if kernel["name"] == "gaussian" else 0)

    plain.log_normaliser = log_normaliser


def no_density(plain: Any) -> None:
    right = plain.log_densities
    plain.log_densities = lambda *arguments: right(*arguments) * 0


def norms_of_nan(plain: Any) -> None:
    right = plain.OPERATIONS["residual_norms"]
    plain.OPERATIONS["residual_norms"] = lambda **fields: {
        name: ["nan" for _ in value] for name, value in right(**fields).items()
    }


def _spelling(plain: Any, change: Any) -> None:
    right = plain.spell
    plain.spell = lambda values: [
        change(value) if isinstance(value, float) else value for value in right(values)
    ]


def _answering(plain: Any, op: str, field: str, change: Any) -> None:
    right = plain.OPERATIONS[op]

    def answer(**fields: Any) -> Any:
        found = right(**fields)
        return {**found, field: change(found[field])}

    plain.OPERATIONS[op] = answer


def kernel_reversed(plain: Any) -> None:
    _answering(plain, "kernel", "log_kernel", lambda values: values[::-1])


def weights_reversed(plain: Any) -> None:
    _answering(plain, "step", "weights", lambda values: values[::-1])


def weights_sorted(plain: Any) -> None:
    _answering(plain, "step", "weights", sorted)


def arguments_reversed(plain: Any) -> None:
    _arguments(plain, lambda t: t[::-1])


def arguments_sorted(plain: Any) -> None:
    _arguments(plain, lambda t: sorted(t, key=float))


def _arguments(plain: Any, change: Any) -> None:
    right = plain.OPERATIONS["loss"]
    plain.OPERATIONS["loss"] = lambda loss, t: right(loss=loss, t=change(t))


def rows_sorted(request: Request, answer: Fields) -> Fields:
    rows, weights = request.get("X"), answer.get("weights")
    if (
        request["op"] not in ("step", "fixed_point")
        or not isinstance(rows, list)
        or not isinstance(weights, list)
    ):
        return answer
    places = sorted(range(len(rows)), key=lambda i: [float(str(entry)) for entry in rows[i]])  # type: ignore[union-attr]
    return {**answer, "weights": [weights[i] for i in places]}


def mixed_with_equal_weights(request: Request, answer: Fields) -> Fields:
    weights = answer.get("weights")
    if request["op"] not in ("fixed_point", "rkde") or not isinstance(weights, list):
        return answer
    mixed: list[Json] = [float(str(w)) * (1 - _ADDED) + _ADDED / len(weights) for w in weights]
    return {**answer, "weights": mixed}


def divided_by_more(request: Request, answer: Fields) -> Fields:
    """Iterate with psi(r) / (r + 1e-4) until nothing moves."""
    if request["op"] not in ("fixed_point", "median") or "weights" not in answer:
        return answer
    plain = fresh_copy()
    fields = json.loads(spelled(request))
    x, kernel, _ = plain.data_of(fields["X"], fields["kernel"])
    loss = plain.loss_of(fields.get("loss", {"name": "absolute"}))
    distances = plain.feature_distances(x, kernel)
    start = fields.get("start", "uniform")
    w = np.full(len(x), 1 / len(x))
    if start == "median":
        w = plain.median_weights(distances)
    elif not isinstance(start, str):
        w = plain.weights_of(start, len(x))
    for _ in range(_STEPS):
        r = plain.residual_norms(distances, w)
        value = plain.psi(loss, r) / (r + _ADDED)
        if not value.sum() > 0:
            return answer
        new = value / value.sum()
        if np.abs(new - w).max() <= 4 * np.finfo(float).eps * new.max():
            break
        w = new
    return {"weights": w.tolist()}


def larger_area(request: Request, answer: Fields) -> Fields:
    if request["op"] != "auc" or "auc" not in answer:
        return answer
    area = float(str(answer["auc"]))
    return {"auc": max(area, 1 - area)}


def zeros_ranked(request: Request, answer: Fields) -> Fields:
    differences = request.get("differences")
    if request["op"] != "signed_rank" or not isinstance(differences, list) or "statistic" not in answer:
        return answer
    values = [float(str(entry)) for entry in differences]
    sizes = [abs(value) for value in values]

    def rank(value: float) -> float:
        return (sum(size < abs(value) for size in sizes) + 1 + sum(size <= abs(value) for size in sizes)) / 2

    sums = [sum(rank(v) for v in values if v * sign > 0) for sign in (1, -1)]
    return {**answer, "rank_sum_1": sums[0], "rank_sum_2": sums[1], "statistic": min(sums)}


def bandwidth_of_one(request: Request) -> Request:
    return {**request, "bandwidth": 1.0} if request["op"] == "rkde" else request


UNNAMED: Final = (
    Seed("twice-j", "J is doubled for every loss", twice_j),
    Seed("own-kernel-left-out", "k(x, x) is 0", own_kernel_left_out),
    Seed("huber-without-half", "Huber's rho is a (t - a) beyond a", huber_without_half),
    Seed("squared-weights", "weights are squared as they come in", squared_weights),
    Seed("four-printed-digits", "numbers are printed to four digits", four_printed_digits),
    Seed("pi-of-five-digits", "the Gaussian's constant has 3.14159 for pi", pi_of_five_digits),
    Seed("no-density", "every log density is 0", no_density),
    Seed("norms-of-nan", "every residual norm is nan", norms_of_nan, "nothing-but-nan"),
    Seed("kernel-reversed", "kernel values in reversed order", kernel_reversed, "another-order"),
    Seed("weights-reversed", "weights in reversed order", weights_reversed, "another-order"),
    Seed("weights-sorted", "weights in rising order", weights_sorted, "another-order"),
    Seed("arguments-reversed", "the loss at reversed arguments", arguments_reversed, "another-order"),
    Seed("arguments-sorted", "the loss at sorted arguments", arguments_sorted, "another-order"),
    Seed("rows-sorted", "weights in the order of the sorted rows", None, "another-order", answers_instead=rows_sorted),
    Seed("mixed", "limits have a little of equal weights in them", None, answers_instead=mixed_with_equal_weights),
    Seed("divided-by-more", "the limit for phi = psi / (r + 1e-4)", None, answers_instead=divided_by_more),
    Seed("larger-area", "the larger of the AUC and 1 minus it", None, answers_instead=larger_area),
    Seed("zeros-ranked", "differences of 0 have ranks", None, answers_instead=zeros_ranked),
    Seed("bandwidth-of-one", "the recipe has the bandwidth 1", None, asks_instead=bandwidth_of_one),
)  # fmt: skip
