# ruff: noqa: E501, ARG005 -- a table of one line a mistake; a mistake often is to ignore an argument

"""Mistakes in losses and objectives."""

import math
from itertools import pairwise
from typing import Any, Final

import numpy as np

from tests.conformance.wrong.seed import Seed


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
        return np.divide(
            right(loss, t, side) + plain.psi(loss, t),
            t,
            out=np.full_like(t, loss["name"] != "absolute"),
            where=t > 0,
        )

    plain.q = q


def no_half_in_rho(plain: Any) -> None:
    right = plain.rho
    plain.rho = lambda loss, t: right(loss, t) * (2 if loss["name"] == "quadratic" else 1)


def sum_for_mean(plain: Any) -> None:
    plain.objective = lambda loss, r: plain.rho(loss, r).sum()


def mean_twice(plain: Any) -> None:
    plain.objective = lambda loss, r: plain.rho(loss, r).mean() / len(r)


def phi_branch_by_branch(plain: Any) -> None:
    right = plain.phi

    def phi(loss: Any, t: Any) -> Any:
        if loss["name"] != "hampel":
            return right(loss, t)
        ends = [-1.0, loss["a"], loss["b"], loss["c"], math.inf]
        regions = [(t > low) & (t <= high) for low, high in pairwise(ends)]
        return np.concatenate([right(loss, t[region]) for region in regions])

    plain.phi = phi


def constant_added(plain: Any) -> None:
    right = plain.rho

    def rho(loss: Any, t: Any) -> Any:
        if loss["name"] != "hampel":
            return right(loss, t)
        top = loss["a"] * (loss["b"] - loss["a"] + loss["c"]) / 2
        return np.where(t > loss["c"], 0.0, right(loss, t)) + top

    plain.rho = rho


def plateau_doubled(plain: Any) -> None:
    right = plain.rho
    plain.rho = lambda loss, t: right(loss, t) * np.where(t >= loss.get("c", math.inf), 2.0, 1.0)


def ramp_not_divided(plain: Any) -> None:
    right = plain.psi

    def psi(loss: Any, t: Any) -> Any:
        value = right(loss, t)
        if loss["name"] != "hampel":
            return value
        return np.where(t > loss["b"], value * (loss["c"] - loss["b"]), value)

    plain.psi = psi


def ramp_over_c_minus_a(plain: Any) -> None:
    right = plain.psi

    def psi(loss: Any, t: Any) -> Any:
        value = right(loss, t)
        if loss["name"] != "hampel":
            return value
        return np.where(t > loss["b"], value * (loss["c"] - loss["b"]) / (loss["c"] - loss["a"]), value)

    plain.psi = psi


def psi_and_phi(plain: Any) -> None:
    right = plain.op_loss

    def op_loss(loss: Any, t: Any) -> Any:
        answer = right(loss, t)
        return {**answer, "psi": answer["phi"], "phi": answer["psi"]}

    plain.OPERATIONS["loss"] = op_loss


SEEDS: Final = (
    Seed("branch-by-branch", "Hampel's psi joined region by region, not row by row", branch_by_branch, "branch-by-branch", also=("weights-permuted",)),
    Seed("phi-branch-by-branch", "Hampel's phi joined region by region", phi_branch_by_branch, "branch-by-branch", also=("weights-permuted",)),
    Seed("no-plateau", "Hampel's rho is 0 beyond c", no_plateau, "no-plateau"),
    Seed("no-descent", "Hampel's loss never comes down: Huber's", no_descent, "huber-for-hampel"),
    Seed("phi-at-zero", "a row at distance 0 gets phi 0", phi_zero, "phi-at-zero"),
    Seed("psi-for-phi", "weights by psi(r), not psi(r)/r", psi_for_phi, "psi-for-phi", also=("thresholds-of-the-mean",)),
    Seed("q-from-the-left", "q from the left at kinks", q_from_the_left, "sides-of-a-kink"),
    Seed("sign-of-q", "psi - t psi' for q", q_sign, "sign-of-q"),
    Seed("psi-prime", "psi' for q", psi_prime, "psi-prime-for-q"),
    Seed("no-half-in-rho", "the quadratic loss is t^2", no_half_in_rho, "rho-without-half"),
    Seed("constant-added", "rho beyond c is added at every argument, and not there alone", constant_added, "constant-added"),
    Seed("plateau-doubled", "rho beyond c is a (b + c - a), without the half", plateau_doubled, "plateau-doubled"),
    Seed("ramp-not-divided", "psi from b to c is a (c - t), not divided by c - b", ramp_not_divided, "ramp-not-divided"),
    Seed("ramp-over-c-minus-a", "psi from b to c is divided by c - a, not by c - b", ramp_over_c_minus_a, "ramp-over-c-minus-a"),
    Seed("psi-and-phi", "psi and phi are exchanged in the answer", psi_and_phi, "psi-and-phi"),
    Seed("sum-for-mean", "J is a sum", sum_for_mean, "sum-for-mean"),
    Seed("mean-twice", "J is divided by n twice", mean_twice, "mean-twice"),
)  # fmt: skip
