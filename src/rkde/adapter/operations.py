"""The operations of the protocol, written once for every implementation.

An operation calls the package's functions and names the fields of the answer; it computes nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, cast

from rkde import __version__
from rkde.adapter.fields import LOSSES
from rkde.adapter.implementation import Implementation
from rkde.adapter.strict_json import Json
from rkde.errors import InvalidInput
from rkde.vocabulary import FixedSteps, Status

PROTOCOL_VERSION: Final = 1
DEFAULT_QUANTILES: Final = ("0.5", "0.75", "0.85")
LOSS_FIELDS: Final = ("rho", "psi", "phi", "q", "q_left")
DERIVATIVE_FIELDS: Final = ("if_coef", "if_coef_new", "influence", "if_at_new", "if_l2_norm")
RANK_FIELDS: Final = ("rank_sum_1", "rank_sum_2", "statistic", "zeros", "p_value")
LIMIT_FIELDS: Final = ("weights", "objective", "certificate", "error_bound", "weights_error_bound")

# Far more steps than any question needs; a request of more would keep an adapter busy for ever.
MOST_STEPS: Final = 100_000

Answer = dict[str, Json]


class _Iterated(Protocol):
    """What an operation reads of a result of the iteration."""

    weights: object
    residual_norms: object
    objective_path: object
    status: str


class _Derivative(Protocol):
    """What an operation reads of an influence function."""

    one_sided: object
    from_below: object


class _Recipe(Protocol):
    """What an operation reads of a result of the recipe."""

    kernel: object
    loss: object
    bandwidth: object
    bandwidth_rule: str | None
    thresholds: Sequence[object] | None
    median: _Iterated
    status: str


def hello(lib: Implementation, *, protocol: int, operations: Sequence[str]) -> Answer:
    """Say who answers and what can be asked."""
    if protocol != PROTOCOL_VERSION:
        remedy = f"use version {PROTOCOL_VERSION}"
        raise InvalidInput(
            "must be a version that the adapter speaks", where="protocol", value=protocol, remedy=remedy
        )
    return {
        "name": lib.name,
        "version": __version__,
        "protocol": PROTOCOL_VERSION,
        "operations": list(operations),
    }


def kernel(lib: Implementation, *, kernel: object, x: object, Y: object) -> Answer:
    """Evaluate log k(x, y) for each row y."""
    return {"log_kernel": lib.plain(lib.method(kernel, "log_kernel", x, Y))}


def loss(lib: Implementation, *, loss: object, t: list[object]) -> Answer:
    """Evaluate a loss and its derivatives."""
    return {name: lib.elementwise(loss, name, t) for name in LOSS_FIELDS}


def bandwidth(lib: Implementation, *, X: object, rule: str) -> Answer:
    """Apply a bandwidth rule."""
    return {"bandwidth": lib.plain(lib.call("bandwidth", X, rule))}


def residual_norms(lib: Implementation, *, X: object, kernel: object, weights: object) -> Answer:
    """Measure the distance of each feature to the weighted mean."""
    return {"residual_norms": lib.plain(lib.call("residual_norms", X, kernel, weights))}


def objective(lib: Implementation, *, X: object, kernel: object, loss: object, weights: object) -> Answer:
    """Evaluate J."""
    return {"objective": lib.plain(lib.call("objective", X, kernel, loss, weights))}


def step(
    lib: Implementation, *, X: object, kernel: object, loss: object, weights: object, count: int
) -> Answer:
    """Take exactly `count` steps; the path of J holds the start too."""
    if count > MOST_STEPS:
        raise InvalidInput(
            f"must be at most {MOST_STEPS}",
            where="count",
            value=count,
            remedy="give a smaller number of steps",
        )
    stop = FixedSteps(count)
    found = lib.call("kirwls", X, kernel, loss, weights_init=weights, stop=stop, max_iter=max(count, 1))
    result = cast(_Iterated, found)
    path = cast(list[Json], lib.plain(result.objective_path))
    if result.status == Status.SINGLE_LOCATION:
        # The packages take no step there; every step would repeat the state.
        path += path[-1:] * (count + 1 - len(path))
    return {"weights": lib.plain(result.weights), "objective": list(path)}


def median(lib: Implementation, *, X: object, kernel: object) -> Answer:
    """Find f_med, the limit for the absolute loss."""
    result = lib.call("median_rkde", X, kernel)
    return lib.report(result, "weights", "residual_norms", "certificate", "error_bound")


def thresholds(
    lib: Implementation, *, X: object, kernel: object, quantiles: list[object], quantile_rule: str
) -> Answer:
    """Take the quantiles of f_med's residual norms."""
    found = cast(_Iterated, lib.call("median_rkde", X, kernel))
    values = lib.call(
        "thresholds", found.residual_norms, quantiles=tuple(quantiles), quantile_rule=quantile_rule
    )
    return _named_thresholds(lib, cast(Sequence[object], values))


def fixed_point(lib: Implementation, *, X: object, kernel: object, loss: object, start: object) -> Answer:
    """Find the limit of the iteration from a start."""
    weights = _start_weights(lib, start, X, kernel)
    result = lib.call("fixed_point", X, kernel, loss, weights_init=weights)
    return lib.report(result, *LIMIT_FIELDS)


def log_density(
    lib: Implementation, *, X: object, kernel: object, weights: object, queries: object
) -> Answer:
    """Evaluate the log density of a weighted estimate."""
    return {"log_density": lib.plain(lib.call("log_density", X, kernel, weights, queries))}


def influence(
    lib: Implementation,
    *,
    X: object,
    kernel: object,
    loss: object,
    weights: object,
    x_new: object,
    queries: object,
) -> Answer:
    """Differentiate the estimate at one contaminating point; on a kink also from below."""
    result = lib.call("influence", X, kernel, loss, weights, [x_new], queries)
    answer = _at_one_point(lib, result)
    derivative = cast(_Derivative, result)
    answer["one_sided"] = lib.plain(derivative.one_sided)
    if derivative.from_below is not None:
        answer["from_below"] = _at_one_point(lib, derivative.from_below)
    return answer


def depth(lib: Implementation, *, X: object, kernel: object, queries: object) -> Answer:
    """Measure how far inside the data each query lies."""
    return {"depth": lib.plain(lib.call("depth", X, kernel, queries))}


def signed_rank(lib: Implementation, *, differences: object) -> Answer:
    """Test whether differences are symmetric about 0."""
    return lib.report(lib.call("signed_rank", differences), *RANK_FIELDS)


def auc(lib: Implementation, *, scores: object, labels: object) -> Answer:
    """Measure the area under the ROC curve."""
    return {"auc": lib.plain(lib.call("auc", scores, labels))}


def vkde(
    lib: Implementation, *, X: object, kernel: object, queries: object, rule: str = "abramson"
) -> Answer:
    """Fit the estimate with one bandwidth for each point, and evaluate it."""
    result = lib.call("vkde", X, kernel, rule=rule)
    density = lib.method(result, "log_density", queries)
    return {**lib.report(result, "bandwidths"), "log_density": lib.plain(density)}


def rkde(
    lib: Implementation,
    *,
    X: object,
    loss: str,
    kernel: tuple[str, tuple[object, ...]] = ("Gaussian", ()),
    bandwidth: object = "median_nn",
    quantiles: list[object] | None = None,
    quantile_rule: str = "linear",
    start: object = "median",
) -> Answer:
    """Run the whole recipe as a sequence of limits; no stopping rule decides any number of the answer.

    The package's recipe gives bandwidth, f_med, thresholds and loss, and would stop by a rule in its second
    stage: it is told to take no step there, and the limit is found from the same start.
    """
    kind, parameters = kernel

    def with_bandwidth(value: object) -> object:
        return lib.class_of(kind)(value, *parameters)

    levels = quantiles if quantiles is not None else [lib.number(text) for text in DEFAULT_QUANTILES]
    found = lib.call(
        "rkde",
        X,
        kernel=with_bandwidth,
        bandwidth=bandwidth,
        loss=lib.class_of(LOSSES[loss][0]),
        quantiles=tuple(levels),
        quantile_rule=quantile_rule,
        start=start,
        stop=FixedSteps(0),
    )
    recipe = cast(_Recipe, found)
    limit: object = recipe.median
    if loss != "absolute" and recipe.status != Status.SINGLE_LOCATION:
        weights = recipe.median.weights if start == "median" else None if start == "uniform" else start
        limit = lib.call("fixed_point", X, recipe.kernel, recipe.loss, weights_init=weights)
    answer = {
        "bandwidth": lib.plain(recipe.bandwidth),
        **_named_thresholds(lib, recipe.thresholds or ()),
        **lib.report(limit, *LIMIT_FIELDS, "status"),
    }
    is_exact = recipe.bandwidth_rule is None and recipe.thresholds is None
    if not is_exact and recipe.status != Status.SINGLE_LOCATION:
        # The bounds hold for the bandwidth and the thresholds as they were computed; how their own rounding
        # moves the limit is not bounded yet.
        answer |= {"error_bound": "inf", "weights_error_bound": "inf"}
    return answer


def _at_one_point(lib: Implementation, result: object) -> Answer:
    """Read the fields of an influence function at its first and only contaminating point."""
    rows = lib.report(result, *DERIVATIVE_FIELDS)
    return {name: cast(list[Json], values)[0] for name, values in rows.items()}


def _start_weights(lib: Implementation, start: object, X: object, kernel: object) -> object:
    if start == "median":
        return cast(_Iterated, lib.call("median_rkde", X, kernel)).weights
    return None if start == "uniform" else start


def _named_thresholds(lib: Implementation, values: Sequence[object]) -> Answer:
    padded: list[object] = [*values, None, None, None]
    return {name: lib.plain(value) for name, value in zip("abc", padded, strict=False)}
