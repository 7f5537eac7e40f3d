"""The errors of `rkde.fast` on one problem, each as a share of its derived bound; 1 would be all of it."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rkde.errors import RkdeWarning
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.tolerances import left_out_bound, product_bounds, residual_bound
from rkde.vocabulary import FixedSteps
from tests.campaign.problems import Problem
from tests.engines.support import BUILDERS, serves
from tests.support.conditioning import PathAnalysis, normaliser_terms
from tests.support.implementations import EXACT, FAST, REFERENCE, numbers

# Those of these names score queries, too.
NAMED: Final = ("dense", "sparse", "cells", "tiled")
ENGINES: Final = (*NAMED, "products")
COUNTS: Final = (1, 5)


@dataclass(frozen=True)
class Share:
    """The largest error of one quantity as a share of its bound."""

    what: str
    share: float


def share(what: str, actual: object, expected: object, bound: object) -> Share:
    """Return the largest error as a share of its bound; infinite where a bound of 0, or NaN, is not met."""
    got, want, bounds = numbers(actual), numbers(expected), numbers(bound)
    if not len(got) == len(want) == len(bounds) > 0:
        raise ValueError(f"{what}: {len(got)} numbers, {len(want)} right ones, {len(bounds)} bounds")
    found = 0.0
    for left, right, limit in zip(got, want, bounds, strict=True):
        if left == right:
            continue
        error = abs(left - right)
        found = max(found, float(error / limit) if EXACT.isfinite(error) and limit > 0 else np.inf)
    return Share(what, found)


def shares(problem: Problem) -> Iterator[Share]:
    """Yield the shares of one problem: products, residual norms, log densities by engine, then the path."""
    X, n, dim = problem.X.tolist(), *problem.X.shape
    reference, kernel = REFERENCE.kernel(problem.kernel), FAST.kernel(problem.kernel)
    coefficients = [(-1.0) ** row * (row + 1) / 8 for row in range(n)]
    matrix = REFERENCE.call("distance_matrix", X, reference)
    product = [sum(entry * c for entry, c in zip(row, coefficients, strict=True)) for row in matrix]
    sizes = [float(sum(entry * abs(c) for entry, c in zip(row, coefficients, strict=True))) for row in matrix]
    norms = REFERENCE.call("residual_norms", X, reference, problem.weights.tolist())
    logs = REFERENCE.call("log_density", X, reference, problem.weights.tolist(), problem.queries.tolist())
    terms = normaliser_terms(problem.kernel, dim)
    log_bounds = [
        tolerances.log_density_bound(float(value), terms, n, dim) + left_out_bound() for value in logs
    ]
    for engine in ENGINES:
        if not serves(engine, problem.kernel.name, dim):
            continue
        operator = BUILDERS[engine](problem.X, kernel)
        bounds = product_bounds(operator.relative_error, operator.absolute_error, sizes, coefficients)
        proved = operator.proved_product(np.array(coefficients))
        yield share(f"product, {engine}", proved, product, bounds)
        roundings = operator.distance_roundings
        error = operator.absolute_error + operator.product_error
        bounds = residual_bound([float(norm) for norm in norms], problem.weights.tolist(), roundings, error)
        yield share(f"residual norms, {engine}", operator.residual_norms(problem.weights), norms, bounds)
        if engine not in NAMED:
            continue
        found = FAST.call("log_density", problem.X, kernel, problem.weights, problem.queries, engine=engine)
        yield share(f"log density, {engine}", found, logs, log_bounds)
    yield from _path(problem, None)
    yield from _path(problem, problem.counts)


def _path(problem: Problem, counts: Any) -> Iterator[Share]:
    """Yield what KIRWLS is off after some steps; with counts, by the bound of the repeated rows."""
    repeated = np.repeat(problem.X, 1 if counts is None else counts, axis=0)
    label = "" if counts is None else ", counts"
    for count in COUNTS:
        analysis = PathAnalysis(repeated, problem.kernel, problem.loss)
        if not analysis.is_regular(count):
            return
        expected, actual = (
            _stepped(implementation, problem, counts, count) for implementation in (REFERENCE, FAST)
        )
        firsts = np.arange(len(problem.X)) if counts is None else np.cumsum(counts) - counts
        copies = np.ones(len(problem.X)) if counts is None else counts
        bounds = {
            "weights": (analysis.weights_bound[firsts] * copies).tolist(),
            "residual_norms": analysis.residual_bound()[firsts].tolist(),
            "objective": analysis.objective_bound(),
        }
        for name, bound in bounds.items():
            what = f"{name.replace('_', ' ')} after {count}{label}"
            yield share(what, getattr(actual, name), getattr(expected, name), bound)


def _stepped(implementation: Any, problem: Problem, counts: Any, steps: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        return implementation.call(
            "kirwls",
            problem.X.tolist(),
            problem.kernel,
            problem.loss,
            stop=FixedSteps(steps),
            **({} if counts is None else {"sample_weight": counts.tolist()}),
        )
