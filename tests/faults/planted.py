"""The planted faults, as data: what is broken, and which existing tests must notice.

A fault is a plausible mistake, most of them seen in published code. To add one: write a function that takes a
`pytest.MonkeyPatch` and breaks `rkde.fast` with it, and append a `Fault` with the tests that must catch it,
called as plain functions. A fault that nothing catches is a missing test.
"""

import sys
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
from rkde.fast._float64 import separations
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import next_weights
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.cases import test_log_densities, test_loss_tables, test_recipe_examples
from tests.faults.fault import Check, Fault, name_of, replace_everywhere
from tests.faults.planted_influence import INFLUENCE_FAULTS
from tests.parity import test_kernels, test_kirwls, test_losses, test_recipe, test_residual_norms
from tests.support.datasets import BY_NAME
from tests.support.implementations import FAST
from tests.symmetry import test_inputs, test_transformations

# ----------------------------------------------------------------------------------------------- the faults


def _student_constant(patch: pytest.MonkeyPatch) -> None:
    right = rkde.fast.Student.log_normaliser

    def printed(self: Any, dim: int) -> float:
        return float(right(self, dim) + dim / 2 * np.log(self.dof))

    patch.setattr(rkde.fast.Student, "log_normaliser", printed)


def _joined(self: Any, t: Any) -> Any:
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


def _branches_joined(patch: pytest.MonkeyPatch) -> None:
    def phi(self: Any, t: Any) -> Any:
        return _joined(self, t) / np.maximum(t, np.finfo(float).tiny)

    patch.setattr(rkde.fast.Hampel, "psi", _joined)
    patch.setattr(rkde.fast.Hampel, "phi", phi)


def _phi_of_zero(patch: pytest.MonkeyPatch) -> None:
    for kind in (rkde.fast.Quadratic, rkde.fast.Huber, rkde.fast.Hampel):

        def phi(self: Any, t: Any, right: Any = kind.phi) -> Any:
            return np.where(np.asarray(t) == 0, 0.0, right(self, t))

        patch.setattr(kind, "phi", phi)


def _rho_without_the_half(patch: pytest.MonkeyPatch) -> None:
    right = rkde.fast.Hampel.rho

    def rho(self: Any, t: Any) -> Any:
        return np.where(np.asarray(t) >= self.c, self.a * (self.b + self.c - self.a), right(self, t))

    patch.setattr(rkde.fast.Hampel, "rho", rho)


def _c_at_95(patch: pytest.MonkeyPatch) -> None:
    right = rkde.fast.thresholds

    def thresholds(residual_norms: Any, **named: Any) -> tuple[float, float, float]:
        return right(residual_norms, **{**named, "quantiles": (0.5, 0.75, 0.95)})

    replace_everywhere(patch, right, thresholds)


def _uniform_start(patch: pytest.MonkeyPatch) -> None:
    robust = sys.modules["rkde.fast.estimates.robust"]
    right = robust.kirwls_from

    def kirwls_from(operator: Any, loss: Any, start: np.ndarray, *rest: Any, **named: Any) -> object:
        return right(operator, loss, np.full_like(start, 1 / len(start)), *rest, **named)

    patch.setattr(robust, "kirwls_from", kirwls_from)


def _not_renormalised(patch: pytest.MonkeyPatch) -> None:
    def unscaled(loss: Any, norms: np.ndarray, _: object = None) -> Any:
        return np.asarray(loss.phi(norms) / len(norms))

    replace_everywhere(patch, next_weights, unscaled)


def _k_form(patch: pytest.MonkeyPatch) -> None:
    def residual_norms(self: Any, weights: np.ndarray) -> Any:
        gram = 1 - self.differences / 2
        product = gram @ weights
        return np.sqrt(np.maximum(1 - 2 * product + weights @ product, 0))

    patch.setattr(DenseOperator, "residual_norms", residual_norms)


def _dot_product_distances(patch: pytest.MonkeyPatch) -> None:
    def expanded(left: Any, right: Any, bandwidth: float, *, squared: bool, memory: object = None) -> Any:
        x, y = left.rows, right.rows
        square = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2 * x @ y.T
        scaled = np.maximum(square, 0) / bandwidth**2
        return scaled if squared else np.sqrt(scaled)

    replace_everywhere(patch, separations, expanded)


def _log_of_a_density(patch: pytest.MonkeyPatch) -> None:
    right = rkde.fast.log_density

    def log_density(*arguments: Any) -> Any:
        with np.errstate(divide="ignore", under="ignore", over="ignore"):
            return np.log(np.exp(right(*arguments)))

    replace_everywhere(patch, right, log_density)


def _weights_overwritten(patch: pytest.MonkeyPatch) -> None:
    right = rkde.fast.residual_norms

    def residual_norms(X: Any, kernel: Any, weights: Any, **named: Any) -> Any:
        result = right(X, kernel, weights, **named)
        if isinstance(weights, np.ndarray):
            weights *= 2
        return result

    replace_everywhere(patch, right, residual_norms)


STUDENT = KernelSpec("student", 2.5, 3.5)
HAMPEL = LossSpec("hampel", (0.1, 0.9, 1.4))

FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "Student constant as printed",
        "nu^(-d/2) is dropped from the normaliser, so the kernel integrates to nu^(d/2)",
        _student_constant,
        (
            partial(test_kernels.test_log_normaliser, FAST, STUDENT, 2),
            partial(test_kernels.test_log_kernel, FAST, STUDENT, 3),
        ),
    ),
    Fault(
        "psi joined by region",
        "Hampel's pieces are concatenated in the order of the regions and land on other rows",
        _branches_joined,
        (
            partial(test_loss_tables.test_values_stay_with_their_rows, FAST),
            partial(test_losses.test_function, FAST, HAMPEL, "psi"),
            partial(test_transformations.test_permuting_rows_permutes_weights, BY_NAME["heavy-tails"], 3),
            partial(test_kirwls.test_weights_after_1_5_and_20_steps, FAST, BY_NAME["duplicates"], 3),
        ),
    ),
    Fault(
        "phi(0) = 0",
        "a row at distance 0 loses its weight, although phi(0) = 1",
        _phi_of_zero,
        (
            partial(test_loss_tables.test_phi_is_one_at_zero, FAST, LossSpec("huber", (0.5,))),
            partial(test_losses.test_function, FAST, HAMPEL, "phi"),
        ),
    ),
    Fault(
        "rho without its 1/2",
        "Hampel's rho ends at a (b + c - a)",
        _rho_without_the_half,
        (
            partial(test_loss_tables.test_the_largest_value_of_rho, FAST),
            partial(test_losses.test_function, FAST, HAMPEL, "rho"),
        ),
    ),
    Fault(
        "c at the 95th percentile",
        "the recipe's third level is 0.95 instead of 0.85",
        _c_at_95,
        (
            partial(test_recipe_examples.test_the_recipe_on_the_base_set, FAST),
            partial(test_recipe.test_recipe, FAST, BY_NAME["heavy-tails"], "paper", "Hampel"),
        ),
    ),
    Fault(
        "second stage from uniform weights",
        "Hampel starts from uniform weights instead of f_med",
        _uniform_start,
        (
            partial(test_recipe_examples.test_the_recipe_on_the_base_set, FAST),
            partial(test_recipe.test_recipe, FAST, BY_NAME["heavy-tails"], "paper", "Hampel"),
        ),
    ),
    Fault(
        "weights not renormalised",
        "a step divides phi by n instead of by its sum",
        _not_renormalised,
        (
            partial(test_kirwls.test_weights_after_1_5_and_20_steps, FAST, BY_NAME["duplicates"], 2),
            partial(test_kirwls.test_one_step_from_unequal_weights, FAST, BY_NAME["heavy-tails"], 3),
        ),
    ),
    Fault(
        "residuals by the K-form",
        "1 - 2Kw + w'Kw cancels: rows that carry nearly all of the weight lose their residuals",
        _k_form,
        (
            partial(test_residual_norms.test_copies_with_nearly_all_weight, FAST),
            partial(test_residual_norms.test_residual_norms, FAST, BY_NAME["duplicates"], "heavy"),
            partial(test_residual_norms.test_residual_norms, FAST, BY_NAME["bandwidth-1e8"], "uniform"),
        ),
    ),
    Fault(
        "distances by dot products",
        "x^2 + y^2 - 2xy on data that are not centred",
        _dot_product_distances,
        (
            partial(test_log_densities.test_candidates, FAST, test_log_densities.CASES["off the origin"]),
            partial(test_residual_norms.test_residual_norms, FAST, BY_NAME["offset-1e8"], "uniform"),
            partial(test_recipe.test_iris_far_from_the_origin, FAST),
        ),
    ),
    Fault(
        "log of an underflowed density",
        "log(exp(.)) instead of log-sum-exp",
        _log_of_a_density,
        (
            partial(test_log_densities.test_candidates, FAST, test_log_densities.CASES["far out"]),
            partial(test_log_densities.test_the_far_tail_keeps_its_order, FAST),
        ),
    ),
    Fault(
        "an argument overwritten",
        "the caller's weights are changed in place",
        _weights_overwritten,
        (partial(test_inputs.test_arguments_are_not_modified, "residual_norms"),),
    ),
    *INFLUENCE_FAULTS,
)

__all__ = ["FAULTS", "Check", "Fault", "name_of"]
