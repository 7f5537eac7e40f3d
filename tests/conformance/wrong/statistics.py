# ruff: noqa: E501 -- a table of one line a mistake

"""Mistakes in influence, depth, ranks and detection, which the example lacks: the package's answers, changed."""

import math
from collections.abc import Callable
from typing import Final, cast

from rkde.adapter import Json, answer_request, fast_implementation
from tests.conformance.wrong.seed import Fields, Request, Seed

Change = Callable[[Request, Fields], Fields]
_INFLUENCES: Final = ("if_coef", "if_coef_new", "influence", "if_at_new")


def _times(value: Json, factor: float) -> Json:
    if isinstance(value, list):
        return [_times(entry, factor) for entry in value]
    if isinstance(value, dict):
        return {name: _times(entry, factor) for name, entry in value.items()}
    return value * factor if isinstance(value, float) else value


def _scaled(op: str, names: tuple[str, ...], factor: Callable[[Request], float]) -> Change:
    """Multiply fields of an operation by a factor."""

    def answers_instead(request: Request, answer: Fields) -> Fields:
        if request["op"] != op:
            return answer
        return {**answer, **{name: _times(answer[name], factor(request)) for name in names}}

    return answers_instead


def _replaced(op: str, change: Change) -> Change:
    """Replace fields of an operation."""

    def answers_instead(request: Request, answer: Fields) -> Fields:
        return {**answer, **change(request, answer)} if request["op"] == op else answer

    return answers_instead


def _count(request: Request) -> float:
    return float(len(cast(list[Json], request["X"])))


def _peak(request: Request) -> float:
    point: list[Json] = [0] * len(cast(list[Json], request["x_new"]))
    put: Fields = {"op": "kernel", "kernel": request["kernel"], "x": point, "Y": [point]}
    return math.exp(cast(list[float], answer_request(fast_implementation(), put)["log_kernel"])[0])


def _number(value: Json) -> float:
    return float(str(value))


def _squared_l2(request: Request, answer: Fields) -> Fields:
    return {"if_l2_norm": _number(answer["if_l2_norm"]) ** 2}


def _other_divisor(request: Request, answer: Fields) -> Fields:
    n = _count(request)
    if n < 2:
        return answer
    return {"depth": [1 - (1 - _number(value)) * (n - 1) / n for value in cast(list[Json], answer["depth"])]}


def _outlyingness(request: Request, answer: Fields) -> Fields:
    return {"depth": [1 - _number(value) for value in cast(list[Json], answer["depth"])]}


def _half_p(request: Request, answer: Fields) -> Fields:
    return {"p_value": _number(answer["p_value"]) / 2}


def _normal_p(request: Request, answer: Fields) -> Fields:
    n = sum(_number(value) != 0 for value in cast(list[Json], request["differences"]))
    if not n:
        return answer
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    z = (n * (n + 1) / 4 - _number(answer["statistic"])) / spread
    return {"p_value": math.erfc(z / math.sqrt(2))}


def _exchanged_sums(request: Request, answer: Fields) -> Fields:
    return {"rank_sum_1": answer["rank_sum_2"], "rank_sum_2": answer["rank_sum_1"]}


def _larger_sum(request: Request, answer: Fields) -> Fields:
    return {"statistic": max(_number(answer["rank_sum_1"]), _number(answer["rank_sum_2"]))}


def _reversed(request: Request, answer: Fields) -> Fields:
    return {"auc": 1 - _number(answer["auc"])}


def _ties_count(request: Request, answer: Fields) -> Fields:
    scores = [_number(value) for value in cast(list[Json], request["scores"])]
    labels = [_number(value) for value in cast(list[Json], request["labels"])]
    ones = [score for score, label in zip(scores, labels, strict=True) if label]
    zeros = [score for score, label in zip(scores, labels, strict=True) if not label]
    return {"auc": sum(one >= zero for one in ones for zero in zeros) / (len(ones) * len(zeros))}


SEEDS: Final = (
    Seed(
        "sign-of-influence",
        "the influence with the wrong sign",
        None,
        "sign-of-influence",
        answers_instead=_scaled("influence", _INFLUENCES, lambda _: -1.0),
    ),
    Seed(
        "influence-times-n",
        "the influence times n",
        None,
        "factor-n-of-influence",
        answers_instead=_scaled("influence", _INFLUENCES, _count),
    ),
    Seed(
        "influence-of-the-density",
        "influence values not in units of k(x, x)",
        None,
        "influence-of-the-density",
        answers_instead=_scaled("influence", ("influence", "if_at_new"), _peak),
    ),
    Seed(
        "squared-l2-norm",
        "the square of the L2 norm of the influence",
        None,
        "squared-l2-norm",
        answers_instead=_replaced("influence", _squared_l2),
    ),
    Seed(
        "divisor-of-depth",
        "a depth divided by n - 1 for n, or n for n - 1",
        None,
        "divisor-of-depth",
        answers_instead=_replaced("depth", _other_divisor),
    ),
    Seed(
        "outlyingness",
        "1 minus the depth",
        None,
        "outlyingness-for-depth",
        answers_instead=_replaced("depth", _outlyingness),
    ),
    Seed(
        "one-sided-p",
        "a one-sided p-value",
        None,
        "one-sided-p",
        answers_instead=_replaced("signed_rank", _half_p),
    ),
    Seed(
        "normal-p",
        "the p-value of the normal approximation",
        None,
        "normal-p",
        answers_instead=_replaced("signed_rank", _normal_p),
    ),
    Seed(
        "exchanged-rank-sums",
        "the rank sums exchanged",
        None,
        "rank-sums-exchanged",
        answers_instead=_replaced("signed_rank", _exchanged_sums),
    ),
    Seed(
        "larger-rank-sum",
        "the larger rank sum for the statistic",
        None,
        "larger-rank-sum",
        answers_instead=_replaced("signed_rank", _larger_sum),
    ),
    Seed(
        "reversed-scores",
        "1 minus the AUC",
        None,
        "reversed-scores",
        answers_instead=_replaced("auc", _reversed),
    ),
    Seed(
        "ties-of-scores",
        "equal scores count as 1 in the AUC",
        None,
        "ties-of-scores",
        answers_instead=_replaced("auc", _ties_count),
    ),
)
