# ruff: noqa: E501, ARG005 -- a table of one line a mistake; a mistake often is to ignore an argument

"""The planted mistakes, one function each; most were found in published programs, some in the paper's print.

To add one: write a function that breaks the copy of the example that it is given, and list it in `SEEDS` with
the name of the pattern that the diagnosis must name, or without one if no pattern could.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np


@dataclass(frozen=True)
class Seed:
    """One mistake: what it is, where it comes from, how it is planted, which pattern must be recognised."""

    name: str
    mistake: str
    plant: Callable[[Any], None]
    pattern: str = ""

    def __repr__(self) -> str:
        return self.name


# ---------------------------------------------------------------------------------------------- kernels


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
        squares = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2 * x @ y.T
        return np.clip(squares, 0, None) / h**2

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


# ----------------------------------------------------------------------------------------------- losses


def branch_by_branch(plain: Any) -> None:
    right = plain.psi

    def psi(loss: Any, t: Any) -> Any:
        if loss["name"] != "hampel":
            return right(loss, t)
        ends = [-1.0, loss["a"], loss["b"], loss["c"], math.inf]
        regions = [(t > low) & (t <= high) for low, high in pairwise(ends)]
        return np.concatenate([right(loss, t[region]) for region in regions])

    plain.psi = psi


def no_plateau(plain: Any) -> None:
    right = plain.rho
    plain.rho = lambda loss, t: np.where(t > loss.get("c", math.inf), 0.0, right(loss, t))


def no_descent(plain: Any) -> None:
    right_rho, right_psi = plain.rho, plain.psi
    plain.rho = lambda loss, t: right_rho(_as_huber(loss), t)
    plain.psi = lambda loss, t: right_psi(_as_huber(loss), t)


def _as_huber(loss: Any) -> Any:
    return {"name": "huber", "a": loss["a"]} if loss["name"] == "hampel" else loss


def phi_zero(plain: Any) -> None:
    right = plain.phi
    plain.phi = lambda loss, t: np.where(t == 0, 0.0, right(loss, t))


def psi_for_phi(plain: Any) -> None:
    plain.phi = plain.psi


def q_from_the_left(plain: Any) -> None:
    right = plain.q
    plain.q = lambda loss, t, side: right(loss, t, -1)


def q_sign(plain: Any) -> None:
    right = plain.q
    plain.q = lambda loss, t, side: -right(loss, t, side)


def psi_prime(plain: Any) -> None:
    right = plain.q

    def q(loss: Any, t: Any, side: int) -> Any:
        return np.divide(right(loss, t, side) + plain.psi(loss, t), t, out=np.ones_like(t), where=t > 0)

    plain.q = q


def no_half_in_rho(plain: Any) -> None:
    right = plain.rho
    plain.rho = lambda loss, t: right(loss, t) * (2 if loss["name"] == "quadratic" else 1)


def sum_for_mean(plain: Any) -> None:
    plain.objective = lambda loss, r: plain.rho(loss, r).sum()


def mean_twice(plain: Any) -> None:
    plain.objective = lambda loss, r: plain.rho(loss, r).mean() / len(r)


# ------------------------------------------------------------------------------------- residuals, steps


def no_square_root(plain: Any) -> None:
    right = plain.residual_norms
    plain.residual_norms = lambda distances, w: right(distances, w) ** 2


def no_clamp(plain: Any) -> None:
    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        with np.errstate(invalid="ignore"):
            return np.sqrt(1 - 2 * (k @ w) + w @ k @ w)

    plain.residual_norms = residual_norms


def expansion(plain: Any) -> None:
    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        return np.sqrt(np.clip(1 - 2 * (k @ w) + w @ k @ w, 0, None))

    plain.residual_norms = residual_norms


def sign_of_the_cross_term(plain: Any) -> None:
    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        return np.sqrt(1 + k @ w + w @ k @ w)

    plain.residual_norms = residual_norms


def units(plain: Any) -> None:
    def op_residual_norms(X: Any, kernel: Any, weights: Any) -> Any:
        x, kernel, w = plain.data_of(X, kernel, weights)
        norms = plain.residual_norms(plain.feature_distances(x, kernel), w)
        return {"residual_norms": plain.spell(norms * math.exp(plain.log_normaliser(kernel) / 2))}

    plain.OPERATIONS["residual_norms"] = op_residual_norms


def no_sum(plain: Any) -> None:
    right = plain.iterate

    def iterate(distances: Any, loss: Any, w: Any, count: int) -> Any:
        new, path = right(distances, loss, w, count)
        r = plain.residual_norms(distances, new)
        return (plain.phi(loss, r) if loss["name"] != "absolute" and count else new), path

    plain.iterate = iterate


def factor_left(plain: Any) -> None:
    right = plain.iterate

    def iterate(distances: Any, loss: Any, w: Any, count: int) -> Any:
        new, path = right(distances, loss, w, count)
        return new * len(new), path

    plain.iterate = iterate


def one_step_more(plain: Any) -> None:
    right = plain.iterate

    def iterate(distances: Any, loss: Any, w: Any, count: int) -> Any:
        return right(distances, loss, w, count + 1)[0], right(distances, loss, w, count)[1]

    plain.iterate = iterate


def path_from_uniform(plain: Any) -> None:
    right = plain.iterate

    def iterate(distances: Any, loss: Any, w: Any, count: int) -> Any:
        new, path = right(distances, loss, w, count)
        equal = np.full(len(w), 1 / len(w))
        return new, [plain.objective(loss, plain.residual_norms(distances, equal)), *path[1:]]

    plain.iterate = iterate


def thresholds_at_every_step(plain: Any) -> None:
    right = plain.next_weights

    def next_weights(loss: Any, r: Any) -> Any:
        if loss["name"] == "hampel":
            loss = {**loss, **dict(zip("abc", np.quantile(r, [0.5, 0.75, 0.85]), strict=True))}
        return right(loss, r)

    plain.next_weights = next_weights


def absolute_value_at_zero(plain: Any) -> None:
    def next_weights(loss: Any, r: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = plain.psi(loss, r) / r
            return value / value.sum()

    plain.next_weights = next_weights


# ------------------------------------------------------------------------- thresholds, bandwidths, pilot


def _other_levels(plain: Any, *levels: float) -> None:
    right = plain.op_thresholds

    def op_thresholds(X: Any, kernel: Any, quantiles: Any, quantile_rule: str) -> Any:
        right(X, kernel, quantiles, quantile_rule)
        return right(X, kernel, list(levels), quantile_rule)

    plain.OPERATIONS["thresholds"] = op_thresholds


def p95_for_c(plain: Any) -> None:
    _other_levels(plain, 0.5, 0.75, 0.95)


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


def lower_median(plain: Any) -> None:
    def op_bandwidth(X: Any, rule: str) -> Any:
        if rule != "median_nn" or len(X) == 1:
            return plain.op_bandwidth(X, rule)
        x = plain.rows(X)
        distances = np.array([[math.dist(one, other) for other in x] for one in x])
        np.fill_diagonal(distances, math.inf)
        h = float(np.quantile(distances.min(axis=1), 0.5, method="lower"))
        if h == 0:
            raise plain.Refused("DegenerateBandwidth", "0")
        return {"bandwidth": h}

    plain.OPERATIONS["bandwidth"] = op_bandwidth


def geometric_pilot(plain: Any) -> None:
    right = plain.op_vkde
    plain.OPERATIONS["vkde"] = lambda X, kernel, queries, rule="abramson": right(
        X, kernel, queries, "geometric" if rule == "abramson" else rule
    )


def weights_not_checked(plain: Any) -> None:
    plain.weights_of = lambda value, n: np.array(value, dtype=float)


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
    Seed("branch-by-branch", "Hampel's psi joined region by region, not row by row", branch_by_branch, "weights-permuted"),
    Seed("no-plateau", "Hampel's rho is 0 beyond c", no_plateau, "no-plateau"),
    Seed("no-descent", "Hampel's loss never comes down: Huber's", no_descent, "huber-for-hampel"),
    Seed("phi-at-zero", "a row at distance 0 gets phi 0", phi_zero, "phi-at-zero"),
    Seed("psi-for-phi", "weights by psi(r), not psi(r)/r", psi_for_phi, "psi-for-phi"),
    Seed("q-from-the-left", "q from the left at kinks", q_from_the_left, "sides-of-a-kink"),
    Seed("sign-of-q", "psi - t psi' for q", q_sign, "sign-of-q"),
    Seed("psi-prime", "psi' for q", psi_prime, "psi-prime-for-q"),
    Seed("no-half-in-rho", "the quadratic loss is t^2", no_half_in_rho, "rho-without-half"),
    Seed("sum-for-mean", "J is a sum", sum_for_mean, "sum-for-mean"),
    Seed("mean-twice", "J is divided by n twice", mean_twice, "mean-twice"),
    Seed("no-square-root", "squared norms (a bracket in the wrong place)", no_square_root, "no-square-root"),
    Seed("no-clamp", "square roots of differences that rounding made negative", no_clamp, "residuals-by-expansion"),
    Seed("expansion", "1 - 2Kw + w'Kw, clamped", expansion, "residuals-by-expansion"),
    Seed("sign-of-the-cross-term", "1 + Kw + w'Kw for the squared norm", sign_of_the_cross_term),
    Seed("units", "residual norms not in units of tau", units, "unit-of-the-kernel"),
    Seed("no-sum", "the last weights are those of one more step, not divided by their sum", no_sum),
    Seed("factor-left", "weights with the sum n", factor_left, "sum-of-weights"),
    Seed("one-step-more", "one step too many", one_step_more, "another-count"),
    Seed("path-from-uniform", "the first J belongs to equal weights", path_from_uniform, "path-from-uniform"),
    Seed("thresholds-at-every-step", "a, b, c from the current residuals at every step", thresholds_at_every_step, "thresholds-at-every-step"),
    Seed("zero-residual", "psi(r)/r unguarded at 0", absolute_value_at_zero, "not-a-number"),
    Seed("p95-for-c", "the 95th percentile for c", p95_for_c, "p95-for-c"),
    Seed("authors-levels", "percentiles 50, 95 and the largest", authors_levels, "other-levels"),
    Seed("another-quantile-rule", "hazen's rule for the linear one", another_quantile_rule, "quantile-rule"),
    Seed("thresholds-of-the-mean", "a, b, c from the plain estimate, without f_med", thresholds_of_the_mean, "thresholds-of-the-mean"),
    Seed("ties-left-out", "median_nn ignores rows at distance 0", ties_left_out, "exchanged-rule"),
    Seed("population-variance", "variance with n, not n - 1", population_variance, "population-variance"),
    Seed("summed-variance", "variances of the columns added", summed_variance, "summed-variance"),
    Seed("lower-median", "the lower of the two middle distances", lower_median),
    Seed("geometric-pilot", "the geometric mean of the pilot density", geometric_pilot, "other-pilot-mean"),
    Seed("weights-not-checked", "weights of any sum are accepted", weights_not_checked),
)  # fmt: skip
