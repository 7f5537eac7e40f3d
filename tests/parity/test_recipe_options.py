"""What each argument of the recipe changes, and that the result records it."""

from dataclasses import fields
from typing import Any

import pytest

from rkde.proofs_checks import tolerances
from rkde.vocabulary import FixedSteps, Stationarity, Status
from tests.support.compare import assert_within
from tests.support.datasets import BY_NAME, head
from tests.support.implementations import CASE_DIGITS, EXACT, Implementation, numbers

X = BY_NAME["offset-1e8"].X
N = len(X)
DENSITY_BITS = 400  # more than any implementation has


def _fit(implementation: Implementation, **named: Any) -> Any:
    return implementation.call("rkde", X, **{"bandwidth": 1.0, "stop": FixedSteps(2), **named})


def _last_roundings(implementation: Implementation, count: int = 1) -> float:
    """Bound on numbers up to 1 that were rounded `count` times more; the reference drops guard digits."""
    if implementation.context is None:
        return tolerances.sum_bound(count)
    return tolerances.reference_bound(CASE_DIGITS, count)


def test_defaults_are_the_papers(implementation: Implementation) -> None:
    model = implementation.call("rkde", X)
    assert (model.recipe, model.start, model.quantile_rule) == ("paper", "median", "linear")
    assert [float(level) for level in model.quantiles] == [0.5, 0.75, 0.85]
    assert (model.bandwidth_rule, model.kernel.name, model.loss.name) == ("median_nn", "gaussian", "hampel")
    assert float(model.stop.tol) == float("1e-8")
    expected = implementation.call("thresholds", model.median.residual_norms)
    assert_within(model.thresholds, expected, _last_roundings(implementation), "thresholds")
    assert numbers(model.loss.kinks) == numbers(model.thresholds)
    # The start is divided by its sum once more.
    bound = _last_roundings(implementation, N + 1)
    assert_within(model.weights_init, model.median.weights, bound, "start")


def test_quantiles_and_their_rule(implementation: Implementation) -> None:
    levels = (0.25, 0.5, 0.9375)
    model = _fit(implementation, quantiles=levels, quantile_rule="hazen")
    norms = model.median.residual_norms
    expected = implementation.call("thresholds", norms, quantiles=levels, quantile_rule="hazen")
    assert_within(model.thresholds, expected, _last_roundings(implementation), "thresholds")
    assert (model.recipe, model.quantile_rule, model.start) == ("custom", "hazen", "median")
    assert [float(level) for level in model.quantiles] == list(levels)
    only_rule = _fit(implementation, quantile_rule="weibull")
    assert (only_rule.recipe, only_rule.quantile_rule) == ("custom", "weibull")


def test_a_start_by_weights(implementation: Implementation) -> None:
    start = [0.5, 0.25, 0.25] + [0.0] * (N - 3)
    model = _fit(implementation, loss=implementation.get("Huber"), start=start)
    assert model.recipe == "custom"
    assert [float(weight) for weight in model.weights_init] == start
    assert len(set(numbers(_fit(implementation, start="uniform").weights_init))) == 1


def test_the_authors_order_statistics(implementation: Implementation) -> None:
    rows = head("iris", 45).X
    model = implementation.call("rkde", rows, recipe="authors-program", stop=FixedSteps(2), bandwidth=0.5)
    largest_first = sorted(numbers(model.median.residual_norms), reverse=True)
    # Of 45: the 22nd, the 2nd and the first.
    expected = [largest_first[21], largest_first[1], largest_first[0]]
    assert_within(model.thresholds, expected, _last_roundings(implementation), "thresholds")
    assert (model.recipe, model.start, model.quantiles, model.quantile_rule) == (
        "authors-program",
        "uniform",
        None,
        None,
    )


def test_each_loss_takes_the_thresholds_it_has(implementation: Implementation) -> None:
    fits = {name: _fit(implementation, loss=implementation.get(name)) for name in ("Hampel", "Huber")}
    assert numbers(fits["Huber"].thresholds) == numbers(fits["Hampel"].thresholds)[:1]
    absolute = _fit(implementation, loss=implementation.get("Absolute"))
    assert absolute.thresholds is None
    assert numbers(absolute.weights) == numbers(absolute.median.weights)
    quadratic = _fit(implementation, loss=implementation.get("Quadratic"))
    assert quadratic.thresholds is None
    assert len(set(numbers(quadratic.weights))) == 1
    assert quadratic.run.n_iter == 0


@pytest.mark.parametrize("rule", ["median_nn", "median_nn_distinct", "scott", "silverman"])
def test_a_bandwidth_by_rule(implementation: Implementation, rule: str) -> None:
    model = _fit(implementation, bandwidth=rule)
    assert model.bandwidth_rule == rule
    assert_within(model.bandwidth, implementation.call(rule, X), _last_roundings(implementation), "bandwidth")
    assert numbers(model.kernel.bandwidth) == numbers(model.bandwidth)


@pytest.mark.parametrize("name", ["Laplacian", "Student"])
def test_another_kernel(implementation: Implementation, name: str) -> None:
    kind = implementation.get(name)
    model = _fit(implementation, kernel=(lambda h: kind(h, 3)) if name == "Student" else kind)
    assert model.kernel.name == name.lower()
    (value,) = implementation.method(model, "log_density", X[:1])
    (direct,) = implementation.call("log_density", X, model.kernel, model.weights, X[:1])
    bound = 2 * tolerances.log_density_bound(float(direct), 4, N, len(X[0]))
    assert_within(value, direct, bound, "log f")


def test_the_stop_rule_governs_the_second_stage_only(implementation: Implementation) -> None:
    short = _fit(implementation, stop=FixedSteps(1))
    long = _fit(implementation, stop=Stationarity(2.0**-40))
    assert numbers(short.median.weights) == numbers(long.median.weights)
    assert numbers(short.thresholds) == numbers(long.thresholds)
    assert (short.n_iter, short.status) == (1, Status.CONVERGED)
    capped = _fit(implementation, stop=Stationarity(1e-300), max_iter=3)
    assert (capped.n_iter, capped.status) == (3, Status.MAX_ITER)
    # A fixed number of steps is made whatever the cap.
    counted = _fit(implementation, stop=FixedSteps(3), max_iter=1)
    assert (counted.n_iter, counted.status) == (3, Status.CONVERGED)


def test_density_is_the_exponential(implementation: Implementation) -> None:
    for model in (
        _fit(implementation),
        implementation.call("kde", X, implementation.get("Gaussian")(1.0)),
        implementation.call("vkde", X, implementation.get("Gaussian")(1.0)),
    ):
        (log_density,) = numbers(implementation.method(model, "log_density", X[:1]))
        (density,) = numbers(implementation.method(model, "density", X[:1]))
        with EXACT.workprec(DENSITY_BITS):
            expected = EXACT.exp(log_density)
        assert_within(density, expected, tolerances.profile_bound(float(log_density), 1), "density")


@pytest.mark.parametrize("loss", ["Quadratic", "Absolute", "Huber", "Hampel"])
def test_the_estimate_holds_its_run_and_offers_its_fields(implementation: Implementation, loss: str) -> None:
    stop = FixedSteps(2)
    model = _fit(implementation, loss=implementation.get(loss))
    assert isinstance(model.run, implementation.get("KirwlsResult"))
    for field in fields(model.run):
        assert getattr(model, field.name) is getattr(model.run, field.name), field.name
    assert model.run.stop == stop
    assert (model.n_iter == stop.count) == (loss in {"Huber", "Hampel"})


@pytest.mark.filterwarnings("ignore::rkde.errors.DegenerateThresholdsWarning")
def test_a_recipe_that_ends_with_f_med_has_the_run_of_f_med(implementation: Implementation) -> None:
    tied = [[0.0]] * 3 + [[1.0]]
    model = implementation.call("rkde", tied, bandwidth=1.0, on_degenerate="warn")
    assert model.run.status is Status.DEGENERATE_THRESHOLDS
    for field in ("weights", "residual_norms", "weights_init", "objective_path"):
        assert numbers(getattr(model.run, field)) == numbers(getattr(model.median, field)), field
    assert (model.run.n_iter, model.run.certificate) == (model.median.n_iter, model.median.certificate)
