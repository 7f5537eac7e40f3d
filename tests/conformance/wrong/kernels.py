# ruff: noqa: E501, ARG005 -- a table of one line a mistake; a mistake often is to ignore an argument

"""Mistakes in kernels and densities."""

import math
from typing import Any, Final

import numpy as np

from tests.conformance.wrong.seed import Seed


def student_constant(plain: Any) -> None:
    right = plain.log_normaliser
    plain.log_normaliser = lambda kernel: (
        right(kernel) + (kernel["dim"] / 2 * math.log(kernel["dof"]) if kernel["name"] == "student" else 0)
    )


def no_normaliser(plain: Any) -> None:
    plain.log_normaliser = lambda kernel: 0.0


def one_column(plain: Any) -> None:
    right = plain.log_normaliser
    plain.log_normaliser = lambda kernel: right({**kernel, "dim": 1})


def no_half(plain: Any) -> None:
    right = plain.log_profile
    plain.log_profile = lambda kernel, x, y: right(kernel, x, y) * (1 + (kernel["name"] == "gaussian"))


def no_bandwidth(plain: Any) -> None:
    right = plain.squared_distances
    plain.squared_distances = lambda x, y, h: right(x, y, 1.0)


def dot_products(plain: Any) -> None:
    def squared_distances(x: Any, y: Any, h: float) -> Any:
        # Column by column, so that no linear algebra library decides how it rounds.
        norms = [sum(column**2 for column in table.T) for table in (x, y)]
        products = sum(np.outer(left, right) for left, right in zip(x.T, y.T, strict=True))
        return np.clip(norms[0][:, None] + norms[1][None, :] - 2 * products, 0, None) / h**2

    plain.squared_distances = squared_distances


def log_of_sum(plain: Any) -> None:
    def log_sum_exp(terms: Any) -> Any:
        with np.errstate(divide="ignore"):
            return np.log(np.exp(terms).sum(axis=-1))

    plain.log_sum_exp = log_sum_exp


def density(plain: Any) -> None:
    right = plain.log_densities
    plain.log_densities = lambda *arguments: np.exp(right(*arguments))


def base_ten(plain: Any) -> None:
    right = plain.log_densities
    plain.log_densities = lambda *arguments: right(*arguments) / math.log(10)


def bandwidth_for_variance(plain: Any) -> None:
    right = plain.squared_distances
    plain.squared_distances = lambda x, y, h: right(x, y, math.sqrt(h))


def overflowing_squares(plain: Any) -> None:
    def squared_distances(x: Any, y: Any, h: float) -> Any:
        return ((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2) / np.float64(h) ** 2

    plain.squared_distances = squared_distances


def two_columns(plain: Any) -> None:
    right = plain.squared_distances
    plain.squared_distances = lambda x, y, h: right(x[:, :2], y[:, :2], h)


def sum_of_columns(plain: Any) -> None:
    right = plain.log_profile

    def log_profile(kernel: Any, x: Any, y: Any) -> Any:
        if kernel["name"] != "laplacian":
            return right(kernel, x, y)
        return -(np.abs(x[:, None, :] - y[None, :, :]) / kernel["bandwidth"]).sum(axis=2)

    plain.log_profile = log_profile


def exponent_of_one_column(plain: Any) -> None:
    right = plain.log_profile

    def log_profile(kernel: Any, x: Any, y: Any) -> Any:
        return right({**kernel, "dim": 1}, x, y)

    plain.log_profile = log_profile


def l2_gram(plain: Any) -> None:
    right = plain.feature_distances
    plain.feature_distances = lambda x, kernel: right(
        x,
        {**kernel, "bandwidth": kernel["bandwidth"] * (math.sqrt(2) if kernel["name"] == "gaussian" else 1)},
    )


def first_term_as_reference(plain: Any) -> None:
    def log_sum_exp(terms: Any) -> Any:
        first = terms[..., :1]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.log(np.exp(terms - first).sum(axis=-1)) + first[..., 0]

    plain.log_sum_exp = log_sum_exp


def weights_ignored(plain: Any) -> None:
    right = plain.weights_of
    plain.weights_of = lambda value, n: np.full_like(right(value, n), 1 / n)


def pilot_without_the_root(plain: Any) -> None:
    right = plain.op_vkde

    def op_vkde(X: Any, kernel: Any, queries: Any, rule: str = "abramson") -> Any:
        answer = right(X, kernel, queries, rule)
        widened = [h**2 / kernel["bandwidth"] for h in answer["bandwidths"]]
        return {**answer, "bandwidths": widened}

    plain.OPERATIONS["vkde"] = op_vkde


SEEDS: Final = (
    Seed("student-constant", "the Student constant as printed, without nu^(-d/2)", student_constant, "printed-student-constant"),
    Seed("no-normaliser", "the kernel is not normalised", no_normaliser, "not-normalised"),
    Seed("one-column", "the normalising constant of one dimension in all dimensions", one_column, "constant-of-one-column"),
    Seed("no-half", "the Gaussian is exp(-x^2/h^2)", no_half, "exponent-without-half"),
    Seed("no-bandwidth", "distances are not divided by the bandwidth", no_bandwidth, "bandwidth-left-out", also=("overflow-of-squares",)),
    Seed("dot-products", "distances by x^2 + y^2 - 2xy", dot_products, "distances-by-dot-products", also=("overflow-of-squares",)),
    Seed("log-of-sum", "the logarithm of a sum of underflowed terms", log_of_sum, "logarithm-of-underflow"),
    Seed("density", "a density where its logarithm is asked for", density, "no-logarithm", also=("overflow-of-squares",)),
    Seed("base-ten", "decimal logarithms", base_ten, "base-ten"),
    Seed("bandwidth-for-variance", "the bandwidth is taken for a variance", bandwidth_for_variance, "bandwidth-for-variance"),
    Seed("overflowing-squares", "differences are squared before they are divided by the bandwidth", overflowing_squares, "overflow-of-squares"),
    Seed("two-columns", "distances from the first two columns alone", two_columns, "first-columns"),
    Seed("sum-of-columns", "the Laplacian kernel of the sum of |x_j - y_j|", sum_of_columns, "laplacian-by-columns"),
    Seed("exponent-of-one-column", "the Student exponent of one column", exponent_of_one_column, "exponent-of-one-column"),
    Seed("l2-gram", "residual norms in L2", l2_gram, "l2-gram"),
    Seed("first-term-as-reference", "log-sum-exp relative to the first term, which a weight of 0 makes -inf", first_term_as_reference, "zero-weight"),
    Seed("weights-ignored", "weights are read and not used", weights_ignored, "weights-ignored"),
    Seed("pilot-without-the-root", "variable bandwidths with 1/f of the pilot, not its root", pilot_without_the_root, "exponent-of-the-pilot"),
)  # fmt: skip
