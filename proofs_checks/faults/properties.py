"""Planted faults of the six properties: mistakes in the code of either package."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced
from rkde.proofs_checks.faults import _theorem_5 as theorem_5
from rkde.vocabulary import Stationarity, Status

_Made = Callable[..., Any]

_FAST_WEIGHTS: Final = "rkde.fast.solvers.iteration.next_weights"
_WEIGHTS: Final = "rkde.reference.solvers.kirwls.next_weights"

_FAST_REACHED: Final = "rkde.fast.solvers.kirwls._reached"
_REACHED: Final = "rkde.reference.solvers.kirwls._reached"
_FAST_KIRWLS: Final = "rkde.fast.solvers.kirwls.kirwls"
_KIRWLS: Final = "rkde.reference.solvers.kirwls.kirwls"
_FAST_ASKED: Final = "rkde.fast.solvers.kirwls.checked_stop"
_ASKED: Final = "rkde.reference.solvers.kirwls.checked_stop"
_FAST_MASS: Final = "rkde.fast.influence.theorem5.Coefficients.mass"
_FAST_VALUES: Final = "rkde.fast.influence.sensitivity.InfluenceAccumulator._at_queries"
_VALUE: Final = "rkde.reference.influence.sensitivity.influence_at"

_CHECKS: Final = {
    "weights": "check_weights_are_a_distribution",
    "descent": "check_the_objective_never_rises",
    "fixed_point": "check_runs_end_at_a_fixed_point",
    "sum_rule": "check_the_coefficients_sum_to_zero",
    "influence": "check_the_error_of_quotients_halves",
    "integral": "check_the_influence_integrates_to_zero",
}


# ------------------------------------------------------------------------------------------------ iterations


def _over_the_largest(right: _Made) -> _Made:
    def weights(*given: Any) -> Any:
        found = right(*given)
        largest = max(found)
        return found / largest if isinstance(found, np.ndarray) else tuple(entry / largest for entry in found)

    return weights


def _away_from_uniform(right: _Made) -> _Made:
    def weights(*given: Any) -> Any:
        found = right(*given)
        twice = [2 * entry - type(entry)(1) / len(found) for entry in found]
        return np.array(twice) if isinstance(found, np.ndarray) else tuple(twice)

    return weights


def _upside_down(right: _Made) -> _Made:
    def weights(*given: Any) -> Any:
        found = right(*given)
        swapped = [max(found) + min(found) - entry for entry in found]
        total = sum(swapped)
        parts = [entry / total for entry in swapped]
        return np.array(parts) if isinstance(found, np.ndarray) else tuple(parts)

    return weights


def _overshot(right: _Made) -> _Made:
    def step(self: Any, state: Any, *, is_last: bool) -> Any:
        after = right(self, state, is_last=is_last)
        far = np.maximum(state.weights + 3 * (after.weights - state.weights), 0.0)
        return replace(after, weights=far / far.sum())

    return step


def _never_a_step(_: _Made) -> _Made:
    return lambda *_given: True


def _three_steps(right: _Made) -> _Made:
    # Both packages pass the list of what was reached so far last.
    return lambda *given: len(given[-1]) > 3 or right(*given)


def _to_a_hundredth(right: _Made) -> _Made:
    return lambda stop: Stationarity("0.01") if isinstance(stop, Stationarity) else right(stop)


def _not_if_odd(right: _Made) -> _Made:
    def run(*given: Any, **options: Any) -> Any:
        found = right(*given, **options)
        return replace(found, status=Status.MAX_ITER) if len(found.weights) % 2 else found

    return run


def _converged_at_the_cap(right: _Made) -> _Made:
    return lambda *given, **options: replace(right(*given, **options), status=Status.CONVERGED)


def _wrong_if_odd(right: _Made) -> _Made:
    def run(*given: Any, **options: Any) -> Any:
        found = right(*given, **options)
        return replace(found, weights=found.weights_init) if len(found.weights) % 2 else found

    return run


# ------------------------------------------------------------------------------------------------- influence


def _only_the_new_mass(_: _Made) -> property:
    return property(lambda self: self.new)


def _fast_density_units(right: _Made) -> _Made:
    def influence(X: Any, kernel: Any, *given: Any, **options: Any) -> Any:
        found, unit = right(X, kernel, *given, **options), math.exp(kernel.log_normaliser(len(X[0])))
        return replace(found, if_coef=found.if_coef * unit, if_coef_new=found.if_coef_new * unit)

    return influence


def _density_units(right: _Made) -> _Made:
    def influence(ctx: Any, X: Any, kernel: Any, *given: Any) -> Any:
        found = right(ctx, X, kernel, *given)
        unit = ctx.exp(kernel.log_normaliser(ctx, len(X[0])))
        coefficients = tuple(tuple(unit * entry for entry in row) for row in found.if_coef)
        return replace(
            found, if_coef=coefficients, if_coef_new=tuple(unit * entry for entry in found.if_coef_new)
        )

    return influence


def _doubled(right: _Made) -> _Made:
    return lambda *given: right(*given) + math.log(2)


def _without_new(right: _Made) -> _Made:
    def value(ctx: Any, inputs: Any, x_new: Any, found: Any, x: Any) -> Any:
        return right(ctx, inputs, x_new, replace(found, alpha_new=ctx.mpf(0)), x)

    return value


def _new_twice_in_the_plane(right: _Made) -> _Made:
    def value(ctx: Any, inputs: Any, x_new: Any, found: Any, x: Any) -> Any:
        return right(ctx, inputs, x_new, replace(found, alpha_new=found.alpha_new * min(len(x), 2)), x)

    return value


def _fast_without_new(right: _Made) -> _Made:
    def values(self: Any, *given: Any) -> Any:
        return right(replace(self, if_coef_new=np.zeros_like(self.if_coef_new)), *given)

    return values


_ALPHA: Final = ("sum_rule", "influence", "integral")
_FAST_INFLUENCE: Final = "rkde.fast.influence.function.influence"
_INFLUENCE: Final = "rkde.reference.influence.function.influence"

# Property or properties, the mistake, what is replaced, and by what.
_MISTAKES: Final[tuple[tuple[tuple[str, ...], str, str, Callable[[Any], Any]], ...]] = (
    (("weights",), "fast weights are phi over the largest", _FAST_WEIGHTS, _over_the_largest),
    (("weights",), "the reference's weights are phi over the largest", _WEIGHTS, _over_the_largest),
    (("weights",), "fast weights go twice as far from uniform", _FAST_WEIGHTS, _away_from_uniform),
    (("weights",), "the reference's weights go twice as far from uniform", _WEIGHTS, _away_from_uniform),
    (("descent",), "fast weights are largest where phi is smallest", _FAST_WEIGHTS, _upside_down),
    (("descent",), "the reference's weights are largest where phi is smallest", _WEIGHTS, _upside_down),
    (
        ("descent",),
        "a fast step is three times as long",
        "rkde.fast.solvers.iteration.PlainStep.__call__",
        _overshot,
    ),
    (("fixed_point",), "fast KIRWLS takes no step and says converged", _FAST_REACHED, _never_a_step),
    (("fixed_point",), "the reference's KIRWLS takes no step and says converged", _REACHED, _never_a_step),
    (("fixed_point",), "fast KIRWLS says converged after three steps", _FAST_REACHED, _three_steps),
    (("fixed_point",), "the reference's KIRWLS says converged after three steps", _REACHED, _three_steps),
    (("fixed_point",), "fast KIRWLS takes 1/100 for every tolerance", _FAST_ASKED, _to_a_hundredth),
    (("fixed_point",), "the reference's KIRWLS takes 1/100 for every tolerance", _ASKED, _to_a_hundredth),
    (("fixed_point",), "fast KIRWLS says converged at the cap", _FAST_KIRWLS, _converged_at_the_cap),
    (("fixed_point",), "the reference's KIRWLS says converged at the cap", _KIRWLS, _converged_at_the_cap),
    (
        ("fixed_point",),
        "fast KIRWLS reports the cap for odd n",
        "rkde.fast.solvers.kirwls.kirwls",
        _not_if_odd,
    ),
    (
        ("fixed_point",),
        "the reference's KIRWLS reports the cap for odd n",
        "rkde.reference.solvers.kirwls.kirwls",
        _not_if_odd,
    ),
    (
        ("fixed_point",),
        "fast KIRWLS returns its start for odd n",
        "rkde.fast.solvers.kirwls.kirwls",
        _wrong_if_odd,
    ),
    (
        ("fixed_point",),
        "the reference's KIRWLS returns its start for odd n",
        "rkde.reference.solvers.kirwls.kirwls",
        _wrong_if_odd,
    ),
    (
        ("fixed_point",),
        "the reference's limit is its start for odd n",
        "rkde.reference.solvers.fixed_point.fixed_point",
        _wrong_if_odd,
    ),
    (
        ("fixed_point",),
        "the fast limit is its start for odd n",
        "rkde.fast.solvers.fixed_point.fixed_point",
        _wrong_if_odd,
    ),
    (("sum_rule",), "fast alpha has the mass of x' only", _FAST_MASS, _only_the_new_mass),
    (
        ("sum_rule",),
        "w and 1 exchanged in the reference's sweep",
        theorem_5.SWEEP,
        theorem_5.exchanged_in_the_sweep,
    ),
    (("influence",), "the sign of q in the fast system", theorem_5.FAST_SYSTEM, theorem_5.fast_negative),
    (("influence",), "the sign of q in Theorem 5's matrix", theorem_5.SYSTEM, theorem_5.negative),
    (("influence",), "the fast Q is q/r^2", theorem_5.FAST_SYSTEM, theorem_5.fast_times_the_norm),
    (("influence",), "the reference's Q is q/r^2", theorem_5.SYSTEM, theorem_5.times_the_norm),
    (
        ("influence",),
        "w and 1 exchanged in Theorem 5's centring",
        theorem_5.CENTRING,
        theorem_5.exchanged_in_the_centring,
    ),
    (("influence",), "fast coefficients in the unit of densities", _FAST_INFLUENCE, _fast_density_units),
    (("influence",), "the reference's coefficients in the unit of densities", _INFLUENCE, _density_units),
    (("influence",), "fast alpha' lacks its factor n", theorem_5.FAST_COEFFICIENTS, theorem_5.without_n),
    (_ALPHA, "the reference's alpha' lacks its factor n", theorem_5.COEFFICIENTS, theorem_5.without_n),
    (
        ("integral",),
        "the fast Gaussian integrates to 2",
        "rkde.fast.kernels.radial.Gaussian.log_normaliser",
        _doubled,
    ),
    (
        ("integral",),
        "the reference's Laplacian integrates to 2",
        "rkde.reference.kernels.radial.Laplacian.log_normaliser",
        _doubled,
    ),
    (("integral",), "fast IF at a point forgets x'", _FAST_VALUES, _fast_without_new),
    (("integral",), "the reference's IF at a point forgets x'", _VALUE, _without_new),
    (("integral",), "the reference's IF in the plane counts x' twice", _VALUE, _new_twice_in_the_plane),
)

FAULTS: Final = tuple(
    Fault(
        name=name,
        claims=tuple(f"properties.{claim}" for claim in claims),
        plant=replaced(path, make),
        caught_by=tuple(_CHECKS[claim] for claim in claims),
    )
    for claims, name, path, make in _MISTAKES
)
