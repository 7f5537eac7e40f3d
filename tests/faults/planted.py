"""The planted faults of `rkde.fast`, as data: plausible mistakes, and the tests that must notice them."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

from rkde.fast.influence.theorem5 import Coefficients
from rkde.proofs_checks.faults import replaced
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.cases import test_log_densities, test_loss_tables, test_recipe_examples
from tests.parity import test_functions, test_influence, test_kernels, test_kirwls, test_losses, test_recipe
from tests.support.datasets import BY_NAME
from tests.support.implementations import FAST
from tests.symmetry import test_inputs, test_transformations


class Fault(NamedTuple):
    """A mistake, what plants it through a monkeypatch, and the tests that pass without and fail with it."""

    mistake: str
    plants: Sequence[Callable[[pytest.MonkeyPatch], None]]
    caught_by: Sequence[Callable[[], object]]


def caught(test: Callable[..., object], *arguments: object) -> Callable[[], object]:
    """Return a test of the fast implementation, ready to be called."""
    return partial(test, FAST, *arguments)


STUDENT: Final = KernelSpec("student", 2.5, 3.5)
HUBER: Final = LossSpec("huber", (0.5,))
HAMPEL: Final = LossSpec("hampel", (0.1, 0.9, 1.4))
HEAVY_TAILS, DUPLICATES = BY_NAME["heavy-tails"], BY_NAME["duplicates"]


def joined(self: Any, t: Any) -> Any:
    """Hampel's psi, its four pieces joined in the order of the regions."""
    values = np.atleast_1d(np.asarray(t, dtype=float))
    a, b, c = self.a, self.b, self.c
    pieces = (
        values[values < a],
        np.full(((values >= a) & (values < b)).sum(), a),
        a * (c - values[(values >= b) & (values < c)]) / (c - b),
        np.zeros((values >= c).sum()),
    )
    return np.concatenate(pieces).reshape(np.shape(t))


def uniform_start(patch: pytest.MonkeyPatch) -> None:
    """Start the second stage, and no other run, from uniform weights."""
    robust = sys.modules["rkde.fast.estimates.robust"]
    right = robust.kirwls_from

    def kirwls_from(operator: Any, loss: Any, start: np.ndarray, *rest: Any, **named: Any) -> object:
        return right(operator, loss, np.full_like(start, 1 / len(start)), *rest, **named)

    patch.setattr(robust, "kirwls_from", kirwls_from)


def by_gram_matrix(self: Any, weights: np.ndarray) -> Any:
    """Residual norms by 1 - 2 K w + w'K w."""
    gram = 1 - self.differences / 2
    product = gram @ weights
    return np.sqrt(np.maximum(1 - 2 * product + weights @ product, 0))


def expanded(left: Any, right: Any, bandwidth: float, *, squared: bool, memory: object = None) -> Any:
    """Distances by x^2 + y^2 - 2xy."""
    x, y = left.rows, right.rows
    square = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2 * x @ y.T
    scaled = np.maximum(square, 0) / bandwidth**2
    return scaled if squared else np.sqrt(scaled)


def log_of_exp(right: Any) -> Any:
    """Log densities from densities."""

    def log_density(*arguments: Any) -> Any:
        with np.errstate(divide="ignore", under="ignore", over="ignore"):
            return np.log(np.exp(right(*arguments)))

    return log_density


def overwriting(right: Any) -> Any:
    """Residual norms that change the caller's weights in place."""

    def residual_norms(X: Any, kernel: Any, weights: Any, **named: Any) -> Any:
        result = right(X, kernel, weights, **named)
        if isinstance(weights, np.ndarray):
            weights *= 2
        return result

    return residual_norms


def with_q(change: Callable[[Any, Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """Change q(r_i), given r_i, where the system of Theorem 5 is made."""

    def wrong(right: Any) -> Any:
        return lambda of, active, norms, q, *rest: right(of, active, norms, change(q, norms), *rest)

    return replaced("rkde.fast.influence.theorem5.theorem_5_system", wrong)


def scaled(factor: Callable[[int], float]) -> Callable[[pytest.MonkeyPatch], None]:
    """Multiply the coefficients of Theorem 5 by a factor of the number of rows."""

    def wrong(right: Any) -> Any:
        def coefficients(point: Any, *rest: Any) -> Coefficients:
            found, scale = right(point, *rest), factor(len(point.weights))
            return Coefficients(found.active, scale * found.unprojected, scale * found.new, found.condition)

        return coefficients

    return replaced("rkde.fast.influence.theorem_5_coefficients", wrong)


def fill_with_centring_exchanged(self: Coefficients, weights: Any, rows: np.ndarray) -> None:
    """Take the sums of rows where those of columns belong."""
    swept = self.unprojected @ weights[self.active]
    rows[:] = -self.new[:, None] * weights - swept[:, None]
    rows[:, self.active] += self.unprojected


def influence_of(*indices: int) -> list[Callable[[], object]]:
    """The parity of the influence for some of the losses."""
    kernel, losses = test_influence.KERNELS[0], test_influence.LOSSES
    return [caught(test_influence.test_influence, kernel, losses[index]) for index in indices]


QUADRATIC, ABSOLUTE, HUBERS, HAMPELS = range(4)

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "Student's constant as printed, without nu^(-d/2): the kernel integrates to nu^(d/2)",
        [
            replaced(
                "rkde.fast.kernels.Student.log_normaliser",
                lambda right: lambda self, dim: float(right(self, dim) + dim / 2 * np.log(self.dof)),
            )
        ],
        [
            caught(test_kernels.test_log_normaliser, STUDENT, 2),
            caught(test_functions.test_named_data, HEAVY_TAILS, "log_kernel", "sparse"),
        ],
    ),
    Fault(
        "the pieces of Hampel's psi are joined by region and land on other rows",
        [
            replaced("rkde.fast.losses.Hampel.psi", lambda _: joined),
            replaced(
                "rkde.fast.losses.Hampel.phi",
                lambda _: lambda self, t: joined(self, t) / np.maximum(t, np.finfo(float).tiny),
            ),
        ],
        [
            caught(test_loss_tables.test_values_stay_with_their_rows),
            caught(test_losses.test_function, HAMPEL, "psi"),
            partial(test_transformations.test_permuting_rows_permutes_weights, HEAVY_TAILS, 3),
            caught(test_kirwls.test_weights_after_1_5_and_20_steps, DUPLICATES, 3),
        ],
    ),
    Fault(
        "phi(0) = 0: a row at distance 0 loses its weight",
        [
            replaced(
                f"rkde.fast.losses.{name}.phi",
                lambda right: lambda self, t: np.where(np.asarray(t) == 0, 0.0, right(self, t)),
            )
            for name in ("Quadratic", "Huber", "Hampel")
        ],
        [
            caught(test_loss_tables.test_phi_is_one_at_zero, HUBER),
            caught(test_losses.test_function, HAMPEL, "phi"),
        ],
    ),
    Fault(
        "Hampel's rho ends at a (b + c - a), without its 1/2",
        [
            replaced(
                "rkde.fast.losses.Hampel.rho",
                lambda right: (
                    lambda self, t: np.where(
                        np.asarray(t) >= self.c, self.a * (self.b + self.c - self.a), right(self, t)
                    )
                ),
            )
        ],
        [
            caught(test_loss_tables.test_the_largest_value_of_rho),
            caught(test_losses.test_function, HAMPEL, "rho"),
        ],
    ),
    Fault(
        "the recipe's third level is 0.95 instead of 0.85",
        [
            replaced(
                "rkde.fast.estimates.thresholds",
                lambda right: lambda norms, **kw: right(norms, **{**kw, "quantiles": (0.5, 0.75, 0.95)}),
            )
        ],
        [
            caught(test_recipe_examples.test_the_recipe_on_the_base_set),
            caught(test_recipe.test_recipe, HEAVY_TAILS, "paper", "Hampel"),
        ],
    ),
    Fault(
        "Hampel starts from uniform weights instead of f_med",
        [uniform_start],
        [
            caught(test_recipe_examples.test_the_recipe_on_the_base_set),
            caught(test_recipe.test_recipe, HEAVY_TAILS, "paper", "Hampel"),
        ],
    ),
    Fault(
        "a step divides phi by n instead of by its sum",
        [
            replaced(
                "rkde.fast.solvers.next_weights",
                lambda _: lambda loss, norms, *_: np.asarray(loss.phi(norms) / len(norms)),
            )
        ],
        [
            caught(test_kirwls.test_weights_after_1_5_and_20_steps, DUPLICATES, 2),
            caught(test_kirwls.test_one_step_from_unequal_weights, HEAVY_TAILS, 3),
        ],
    ),
    Fault(
        "1 - 2Kw + w'Kw cancels: rows that carry nearly all of the weight lose their residuals",
        [replaced("rkde.fast.operators.DenseOperator.residual_norms", lambda _: by_gram_matrix)],
        [
            caught(test_functions.test_copies_with_nearly_all_weight),
            caught(test_functions.test_named_data, DUPLICATES, "residual_norms", "heavy"),
            caught(test_functions.test_named_data, BY_NAME["bandwidth-1e8"], "residual_norms", "uniform"),
        ],
    ),
    Fault(
        "distances by x^2 + y^2 - 2xy on data that are not centred",
        [replaced("rkde.fast._float64.separations", lambda _: expanded)],
        [
            caught(test_log_densities.test_candidates, test_log_densities.CASES["off the origin"]),
            caught(test_functions.test_named_data, BY_NAME["offset-1e8"], "residual_norms", "uniform"),
            caught(test_recipe.test_iris_far_from_the_origin),
        ],
    ),
    Fault(
        "log(exp(.)) instead of log-sum-exp",
        [replaced("rkde.fast.rkhs.log_density", log_of_exp)],
        [
            caught(test_log_densities.test_candidates, test_log_densities.CASES["far out"]),
            caught(test_log_densities.test_the_far_tail_keeps_its_order),
        ],
    ),
    Fault(
        "the caller's weights are changed in place",
        [replaced("rkde.fast.rkhs.residual_norms", overwriting)],
        [partial(test_inputs.test_arguments_are_not_modified, "residual_norms")],
    ),
    Fault("-q(r_i) stands for q(r_i)", [with_q(lambda q, _: -q)], influence_of(ABSOLUTE, HUBERS, HAMPELS)),
    Fault(
        "Q_ii is q(r_i), not q(r_i) / r_i^3",
        [with_q(lambda q, norms: q * norms**3)],
        influence_of(HUBERS, HAMPELS),
    ),
    Fault(
        "the solution is centred by P instead of its transpose: v - 1 (w'v) for v - w (1'v)",
        [replaced("rkde.fast.influence.theorem5.Coefficients.fill", lambda _: fill_with_centring_exchanged)],
        influence_of(ABSOLUTE, HUBERS, HAMPELS),
    ),
    Fault("alpha' is phi(r') / gamma", [scaled(lambda size: 1 / size)], influence_of(QUADRATIC, HAMPELS)),
    Fault(
        "alpha' is n phi(r') over the mean of phi(r_i), not over their sum",
        [scaled(float)],
        influence_of(QUADRATIC, HUBERS),
    ),
)
