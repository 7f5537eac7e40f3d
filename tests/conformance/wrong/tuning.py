# ruff: noqa: E501, ARG005 -- a table of one line a mistake; a mistake often is to ignore an argument

"""Mistakes in thresholds, bandwidths, the pilot density and the reading of weights."""

import math
from typing import Any, Final

import numpy as np

from tests.conformance.wrong.seed import Seed


def _other_levels(plain: Any, *levels: float) -> None:
    right = plain.op_thresholds

    def op_thresholds(X: Any, kernel: Any, quantiles: Any, quantile_rule: str) -> Any:
        right(X, kernel, quantiles, quantile_rule)
        return right(X, kernel, list(levels), quantile_rule)

    plain.OPERATIONS["thresholds"] = op_thresholds


def p95_for_c(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.75, 0.95)


def p90_for_c(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.75, 0.9)


def largest_for_c(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.75, 1.0)


def authors_levels(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.95, 1.0)


def another_quantile_rule(plain: Any) -> None:
    right = plain.op_thresholds

    def op_thresholds(X: Any, kernel: Any, quantiles: Any, quantile_rule: str) -> Any:
        right(X, kernel, quantiles, quantile_rule)
        return right(X, kernel, quantiles, "hazen" if quantile_rule == "linear" else quantile_rule)

    plain.OPERATIONS["thresholds"] = op_thresholds


def thresholds_of_the_mean(plain: Any) -> None:
    plain.median_weights = lambda distances: np.full(len(distances), 1 / len(distances))


def ties_left_out(plain: Any) -> None:
    right = plain.op_bandwidth
    plain.OPERATIONS["bandwidth"] = lambda X, rule: right(
        X, "median_nn_distinct" if rule == "median_nn" else rule
    )


def self_neighbour(plain: Any) -> None:
    right = plain.op_bandwidth
    plain.OPERATIONS["bandwidth"] = lambda X, rule: (
        {"bandwidth": 0.0} if rule == "median_nn" and right(X, rule) else right(X, rule)
    )


def population_variance(plain: Any) -> None:
    right = plain.op_bandwidth

    def op_bandwidth(X: Any, rule: str) -> Any:
        answer = right(X, rule)
        factor = 1.0 if rule.startswith("median") else math.sqrt((len(X) - 1) / len(X))
        return {"bandwidth": answer["bandwidth"] * factor}

    plain.OPERATIONS["bandwidth"] = op_bandwidth


def summed_variance(plain: Any) -> None:
    right = plain.op_bandwidth

    def op_bandwidth(X: Any, rule: str) -> Any:
        answer = right(X, rule)
        return {
            "bandwidth": answer["bandwidth"] * (1.0 if rule.startswith("median") else math.sqrt(len(X[0])))
        }

    plain.OPERATIONS["bandwidth"] = op_bandwidth


def _other_middle(plain: Any, middle: Any) -> None:
    """Plant another middle of the distances to the nearest other row."""

    def op_bandwidth(X: Any, rule: str) -> Any:
        if rule != "median_nn" or len(X) < 2:
            return right(X, rule)
        x = plain.rows(X)
        distances = np.array([[math.dist(one, other) for other in x] for one in x])
        np.fill_diagonal(distances, math.inf)
        h = float(middle(distances.min(axis=1)))
        if h == 0:
            raise plain.Refused("DegenerateBandwidth", "0")
        return {"bandwidth": h}

    right = plain.op_bandwidth
    plain.OPERATIONS["bandwidth"] = op_bandwidth


def lower_median(plain: Any) -> None:
    _other_middle(plain, lambda nearest: np.quantile(nearest, 0.5, method="lower"))


def geometric_pilot(plain: Any) -> None:
    right = plain.op_vkde
    plain.OPERATIONS["vkde"] = lambda X, kernel, queries, rule="abramson": right(
        X, kernel, queries, "geometric" if rule == "abramson" else rule
    )


def weights_not_checked(plain: Any) -> None:
    plain.weights_of = lambda value, n: np.array(value, dtype=float)


def upper_median(plain: Any) -> None:
    _other_middle(plain, lambda nearest: np.quantile(nearest, 0.5, method="higher"))


def root_of_median_square(plain: Any) -> None:
    def middle(nearest: Any) -> Any:
        top = nearest.max()
        return top * np.sqrt(np.median((nearest / top) ** 2)) if top else 0.0

    _other_middle(plain, middle)


def levels_90_95(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.9, 0.95)


def exchanged_spreads(plain: Any) -> None:
    right = plain.op_bandwidth
    other = {"scott": "silverman", "silverman": "scott"}
    plain.OPERATIONS["bandwidth"] = lambda X, rule: right(X, other.get(rule, rule))


SEEDS: Final = (
    Seed("p95-for-c", "the 95th percentile for c", p95_for_c, "p95-for-c"),
    Seed("p90-for-c", "the 90th percentile for c", p90_for_c, "p90-for-c"),
    Seed("largest-for-c", "the largest residual for c", largest_for_c, "largest-for-c"),
    Seed("authors-levels", "percentiles 50, 95 and the largest", authors_levels, "authors-levels"),
    Seed("levels-90-95", "percentiles 50, 90 and 95", levels_90_95, "levels-50-90-95"),
    Seed("another-quantile-rule", "hazen's rule for the linear one", another_quantile_rule, "quantile-rule"),
    Seed("thresholds-of-the-mean", "a, b, c from the plain estimate, without f_med", thresholds_of_the_mean, "thresholds-of-the-mean"),
    Seed("ties-left-out", "median_nn ignores rows at distance 0", ties_left_out, "exchanged-rule"),
    Seed("population-variance", "variance with n, not n - 1", population_variance, "population-variance"),
    Seed("summed-variance", "variances of the columns added", summed_variance, "summed-variance"),
    Seed("lower-median", "the lower of the two middle distances", lower_median, "lower-middle"),
    Seed("self-neighbour", "the nearest neighbour of a row is the row itself", self_neighbour, "self-neighbour"),
    Seed("upper-median", "the upper of the two middle distances", upper_median, "upper-middle"),
    Seed("root-of-median-square", "the root of the median of the squared distances", root_of_median_square, "root-of-median-square"),
    Seed("exchanged-spreads", "Silverman's factor for Scott's, and the reverse", exchanged_spreads, "exchanged-rule"),
    Seed("geometric-pilot", "the geometric mean of the pilot density", geometric_pilot, "other-pilot-mean"),
    Seed("weights-not-checked", "weights of any sum are accepted", weights_not_checked),
)  # fmt: skip
