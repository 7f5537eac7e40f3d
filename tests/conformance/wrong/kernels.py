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


SEEDS: Final = (
    Seed("student-constant", "the Student constant as printed, without nu^(-d/2)", student_constant, "printed-student-constant"),
    Seed("no-normaliser", "the kernel is not normalised", no_normaliser, "not-normalised"),
    Seed("one-column", "the normalising constant of one dimension in all dimensions", one_column, "constant-of-one-column"),
    Seed("no-half", "the Gaussian is exp(-x^2/h^2)", no_half, "exponent-without-half"),
    Seed("no-bandwidth", "distances are not divided by the bandwidth", no_bandwidth),
    Seed("dot-products", "distances by x^2 + y^2 - 2xy", dot_products, "distances-by-dot-products"),
    Seed("log-of-sum", "the logarithm of a sum of underflowed terms", log_of_sum, "logarithm-of-underflow"),
    Seed("density", "a density where its logarithm is asked for", density, "no-logarithm"),
    Seed("base-ten", "decimal logarithms", base_ten, "base-ten"),
)  # fmt: skip
