# ruff: noqa: E501 -- a table of one line a mistake; a mistake often is to ignore an argument

"""Mistakes in residual norms and steps of KIRWLS."""

import math
from typing import Any, Final

import numpy as np

from tests.conformance.wrong.seed import Seed


def no_square_root(plain: Any) -> None:
    right = plain.residual_norms
    plain.residual_norms = lambda distances, w: right(distances, w) ** 2


def _product(k: Any, w: Any) -> Any:
    """Add one term after the other, so that no linear algebra library decides how it rounds."""
    return np.cumsum(k * w, axis=1)[:, -1]


def no_clamp(plain: Any) -> None:
    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        with np.errstate(invalid="ignore"):
            return np.sqrt(1 - 2 * _product(k, w) + np.cumsum(w * _product(k, w))[-1])

    plain.residual_norms = residual_norms


def expansion(plain: Any) -> None:
    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        return np.sqrt(np.clip(1 - 2 * _product(k, w) + np.cumsum(w * _product(k, w))[-1], 0, None))

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


def _by_parts(plain: Any, norm: Any) -> None:
    """Plant a norm of f(X_i) and |f|^2, both with k(x, x) as unit."""

    def residual_norms(distances: Any, w: Any) -> Any:
        k = 1 - distances / 2
        with np.errstate(invalid="ignore"):
            return norm(k @ w, w @ k @ w)

    plain.residual_norms = residual_norms
    # f_med need not be a limit of such steps.
    plain.MAX_STEPS = 1000


def root_of_two_terms(plain: Any) -> None:
    _by_parts(plain, lambda f, square: np.sqrt(np.clip(1 - 2 * f, 0, None)) + square)


def root_without_the_cross_term(plain: Any) -> None:
    _by_parts(plain, lambda f, square: np.abs(np.sqrt(1 + square) - 2 * f))


def cross_term_once(plain: Any) -> None:
    _by_parts(plain, lambda f, square: np.sqrt(np.clip(1 - f + square, 0, None)))


def without_the_last_square(plain: Any) -> None:
    _by_parts(plain, lambda f, _: np.sqrt(np.clip(2 - 2 * f, 0, None)))


def root_of_the_first_term(plain: Any) -> None:
    def op_residual_norms(X: Any, kernel: Any, weights: Any) -> Any:
        x, kernel, w = plain.data_of(X, kernel, weights)
        k = (1 - plain.feature_distances(x, kernel) / 2) * math.exp(plain.log_normaliser(kernel))
        return {"residual_norms": plain.spell(np.sqrt(np.diag(k)) + w @ k @ w - 2 * k @ w)}

    plain.OPERATIONS["residual_norms"] = op_residual_norms


def huber_threshold_at_every_step(plain: Any) -> None:
    right = plain.next_weights
    plain.next_weights = lambda loss, r: right(
        {**loss, "a": np.median(r)} if loss["name"] == "huber" else loss, r
    )


def step_from_uniform(plain: Any) -> None:
    right = plain.iterate
    plain.iterate = lambda distances, loss, w, count: right(
        distances, loss, np.full_like(w, 1 / len(w)), count
    )


def no_step(plain: Any) -> None:
    right = plain.iterate
    plain.iterate = lambda distances, loss, w, count: (w, right(distances, loss, w, count)[1])


SEEDS: Final = (
    Seed("no-square-root", "squared norms (a bracket in the wrong place)", no_square_root, "no-square-root", also=("step-with-squared-norms",)),
    Seed("no-clamp", "square roots of differences that rounding made negative", no_clamp, "residuals-by-expansion"),
    Seed("expansion", "1 - 2Kw + w'Kw, clamped", expansion, "residuals-by-expansion"),
    Seed("sign-of-the-cross-term", "1 + Kw + w'Kw for the squared norm", sign_of_the_cross_term, "cross-term"),
    Seed("root-of-two-terms", "(1 - 2Kw)^(1/2) + w'Kw", root_of_two_terms, "bracket-of-the-root"),
    Seed("root-without-the-cross-term", "(1 + w'Kw)^(1/2) - 2Kw", root_without_the_cross_term, "bracket-of-the-root"),
    Seed("root-of-the-first-term", "k(x, x)^(1/2) - 2Kw + w'Kw", root_of_the_first_term, "bracket-of-the-root"),
    Seed("cross-term-once", "1 - Kw + w'Kw for the squared norm", cross_term_once, "cross-term"),
    Seed("without-the-last-square", "2 - 2Kw for the squared norm", without_the_last_square, "cross-term"),
    Seed("huber-threshold-at-every-step", "Huber's a from the current residuals at every step", huber_threshold_at_every_step, "thresholds-at-every-step"),
    Seed("step-from-uniform", "steps start from equal weights", step_from_uniform, "weights-ignored", also=("path-from-uniform",)),
    Seed("no-step", "the weights stay as they are", no_step, "no-step"),
    Seed("units", "residual norms not in units of tau", units, "unit-of-the-kernel"),
    Seed("no-sum", "the last weights are those of one more step, not divided by their sum", no_sum, "sum-of-weights"),
    Seed("factor-left", "weights with the sum n", factor_left, "sum-of-weights"),
    Seed("one-step-more", "one step too many", one_step_more, "another-count"),
    Seed("path-from-uniform", "the first J belongs to equal weights", path_from_uniform, "path-from-uniform"),
    Seed("thresholds-at-every-step", "a, b, c from the current residuals at every step", thresholds_at_every_step, "thresholds-at-every-step"),
    Seed("zero-residual", "psi(r)/r unguarded at 0", absolute_value_at_zero, "not-a-number"),
)  # fmt: skip
