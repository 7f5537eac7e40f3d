"""The whole recipe on public examples: perfect fits, ties, isolated rows, high dimension, other units.

Expected numbers were computed independently with 70 digits; thresholds and distances are in tau, J in tau^2.

Public reports: scipy/scipy#12988 (normaliser overflows), statsmodels/statsmodels#55, #3319, #2425 (0/0 at a
perfect fit), statsmodels/statsmodels#1347 (a = b = c), statsmodels/statsmodels#5419, #6679 and
mwaskom/seaborn#1990 (bandwidth 0 on ties), tommyod/KDEpy#201 (constants in data units), numpy/numpy#10736
and statsmodels/statsmodels#9243 (percentile rule, start).
"""

from typing import Any

import pytest

from rkde.errors import DegenerateThresholds
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.support.compare import assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.implementations import FINE_REFERENCE, Implementation, exact

STATED_DIGITS = 40
# The base set of the reports, and what the recipe makes of it at h = 1.
BASE = [-2.0, -1.0, 0.0, 0.5, 1.5, 6.0]
F_MED = (
    "0.125133006951500926620384867536617045181432",
    "0.166416496165489063364714042787790957517662",
    "0.239511702585561889599435208257610860461339",
    "0.221456392884711468357300880901181174580141",
    "0.139984877720148067012063611015784981213391",
    "0.107497523692588585046101389501014981046034",
)
DISTANCES = (
    "0.952407045399721699009686092821141479646960",
    "0.716140287644011255579994182818965330704829",
    "0.497585529834758181839275038193657518946895",
    "0.538153610651035816104446909034134257011340",
    "0.851360228144904619579905499691026143936195",
    "1.10865397954165644339211542339057614738769",
)
THRESHOLDS = (
    "0.783750257894457937579949841254995737320512",
    "0.927145341086017429152240944538612645719269",
    "0.991468778935205385105293425463500146582143",
)
OBJECTIVE = "0.282041637004910041079701508140643770959237"


def _column(values: list[float]) -> list[list[float]]:
    return [[value] for value in values]


def _at_the_median(X: list[list[float]], kernel: KernelSpec, model: Any) -> tuple[Any, PathAnalysis]:
    """The bound on f_med's weights, and the analysis at weights that are off by it."""
    weights = [float(weight) for weight in F_MED]
    analysis = PathAnalysis(X, kernel, LossSpec("absolute"), weights_init=weights)
    settled = analysis.stationary_bound(float(model.median.fixed_point_residual) * max(weights))
    return settled, PathAnalysis(X, kernel, LossSpec("absolute"), weights_init=weights, init_error=settled)


def test_the_recipe_on_the_base_set(implementation: Implementation) -> None:
    X, kernel = _column(BASE), KernelSpec("gaussian", 1.0)
    model = implementation.call("rkde", X, bandwidth=1.0)
    settled, moved = _at_the_median(X, kernel, model)
    error = max(moved.residual_bound())
    assert_within(model.median.weights, F_MED, settled, "f_med")
    assert_within(model.median.residual_norms, DISTANCES, moved.residual_bound(), "d")
    assert_within(
        model.thresholds, THRESHOLDS, tolerances.quantile_bound(max(map(float, DISTANCES)), error), "abc"
    )
    assert_within(
        model.weights, (0, "0.25", "0.25", "0.25", "0.25", 0), tolerances.sum_bound(len(X)), "weights"
    )
    assert [float(model.weights[0]), float(model.weights[-1])] == [0, 0]
    final = PathAnalysis(
        X,
        kernel,
        LossSpec("hampel", tuple(map(float, THRESHOLDS))),
        weights_init=[0, 0.25, 0.25, 0.25, 0.25, 0],
        init_error=[tolerances.sum_bound(len(X))] * len(X),
    )
    # J counts the two rows beyond c at rho(c) = a (b + c - a)/2, which moves with the thresholds.
    assert_within(model.objective, OBJECTIVE, final.objective_bound() + 2 * error, "J")
    assert (model.recipe, model.quantile_rule, model.start) == ("paper", "linear", "median")
    assert_within(model.zero_weight_share, exact(1) / 3, tolerances.sum_bound(1), "share of zero weights")
    assert_within(
        model.effective_sample_size, 4, tolerances.sum_bound(3 * len(X)) * 4, "effective sample size"
    )


def test_the_reference_gives_the_stated_digits() -> None:
    model = FINE_REFERENCE.call("rkde", _column(BASE), bandwidth=1.0)
    bound = tolerances.reference_bound(STATED_DIGITS)
    assert_within(model.median.weights, F_MED, bound, "f_med")
    assert_within(model.median.residual_norms, DISTANCES, bound, "d")
    assert_within(model.thresholds, THRESHOLDS, bound, "abc")
    assert_within(model.objective, OBJECTIVE, bound, "J")
    X = [[value] * 300 for value in ("0", "0.1", "1")]
    model = FINE_REFERENCE.call("rkde", X, bandwidth="10")
    assert_within(model.median.weights, HIGH_DIMENSIONAL_MEDIAN, bound, "f_med, d = 300")
    assert_within(model.thresholds, HIGH_DIMENSIONAL_THRESHOLDS, bound, "abc, d = 300")


HIGH_DIMENSIONAL_MEDIAN = (
    "0.207129812910540490246812175392283414204318",
    "0.766407806714226181193452640457617687859060",
    "0.0264623803752333285597351841500988979366225",
)
HIGH_DIMENSIONAL_THRESHOLDS = (
    "0.148883761707145083680498604079625862957327",
    "0.657123130055942176751772570131091393377536",
    "0.860418877395461013980282156551677605545620",
)


def test_a_normaliser_beyond_float64_does_not_touch_the_weights(implementation: Implementation) -> None:
    X = [[value] * 300 for value in (0.0, 0.1, 1.0)]
    model = implementation.call("rkde", X, bandwidth=10.0)
    weights = [float(weight) for weight in HIGH_DIMENSIONAL_MEDIAN]
    analysis = PathAnalysis(X, KernelSpec("gaussian", 10.0), LossSpec("absolute"), weights_init=weights)
    # 0.1 is no float64: its rounding moves the weights as one more rounding of the distances does.
    settled = 2 * analysis.stationary_bound(float(model.median.fixed_point_residual) * max(weights))
    moved = PathAnalysis(
        X, KernelSpec("gaussian", 10.0), LossSpec("absolute"), weights_init=weights, init_error=settled
    )
    assert_within(model.median.weights, HIGH_DIMENSIONAL_MEDIAN, settled, "f_med")
    bound = tolerances.quantile_bound(2, max(moved.residual_bound()))
    assert_within(model.thresholds, HIGH_DIMENSIONAL_THRESHOLDS, bound, "thresholds")
    assert_within(model.weights, ("0.5", "0.5", 0), tolerances.sum_bound(len(X)), "weights")


def test_a_thousand_dimensions(implementation: Implementation) -> None:
    # Off the diagonal kappa is exp(-2000): every distance is sqrt(2/3) to the last digit, so no ramp is left.
    X = [[value] * 1000 for value in (0.0, 0.1, 1.0)]
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", X, bandwidth=0.05)
    for loss in ("Absolute", "Huber"):
        model = implementation.call("rkde", X, bandwidth=0.05, loss=implementation.get(loss))
        assert_within(model.weights, [exact(1) / 3] * 3, tolerances.sum_bound(len(X)), loss)
