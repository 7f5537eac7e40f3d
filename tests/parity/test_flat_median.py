"""f_med where J is nearly flat: an even number of rows on a line, seen through a wide bandwidth.

The wider the bandwidth, the straighter the curve on which the images of the rows lie, and on a straight line
every point between the middle two is a median. J is still strictly convex, so f_med is unique; plain KIRWLS
needs a number of steps that grows with the square of the bandwidth, Newton's method a handful.

The weights were computed independently, by Newton's method with 60 digits.
"""

import pytest

from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import Certificate
from tests.support.compare import assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.implementations import REFERENCE, Implementation

X = [[0.0], [1.0], [2.0], [4.0]]
F_MED = {
    20.0: (
        "0.133786077589423445089052029389399791386925",
        "0.532735235408923806207465710826357357923782",
        "0.266528466177985291528325608944364895952539",
        "0.0669502208236674571751566508398779547367542",
    ),
    100.0: (
        "0.133351458616785043659548674793752480788528",
        "0.533309393262262190497170561612868111148773",
        "0.266661140654671792934829099278849963480065",
        "0.0666780074662809729084516643145294445826345",
    ),
    1000.0: (
        "0.133333514592528360686881789421790414271982",
        "0.533333093925992879314057374079768059284948",
        "0.266666611407398790919943367767001852739122",
        "0.0666667800740799690791174687314396737039483",
    ),
    10000.0: (
        "0.133333335145925919502750872066837405532942",
        "0.533333330939259265954584499242709502115894",
        "0.266666666114074073212415734758205416354482",
        "0.0666666678007407413302488939322476759966815",
    ),
}
MOST_STEPS = 100


@pytest.mark.parametrize("bandwidth", F_MED)
def test_a_flat_valley_is_crossed(implementation: Implementation, bandwidth: float) -> None:
    result = implementation.call("median_rkde", X, implementation.get("Gaussian")(bandwidth))
    weights = [float(weight) for weight in F_MED[bandwidth]]
    analysis = PathAnalysis(X, KernelSpec("gaussian", bandwidth), LossSpec("absolute"), weights_init=weights)
    settled = analysis.stationary_bound(float(result.fixed_point_residual) * max(weights))
    assert_within(result.weights, F_MED[bandwidth], settled, "f_med")
    assert result.n_iter <= MOST_STEPS
    assert result.certificate is Certificate.GLOBAL


# Two clusters of equal size, and rows on a line again: the way to f_med is long for plain steps, and a whole
# Newton step leaves the simplex or overshoots.
VALLEYS = {
    "two pairs": ([[0.1, -0.1], [0.0, -0.1], [4.1, 4.1], [4.0, 4.0]], KernelSpec("gaussian", 100.0)),
    "two pairs, wider": ([[0.1, -0.1], [0.0, -0.1], [4.1, 4.1], [4.0, 4.0]], KernelSpec("gaussian", 631.5)),
    "two clusters of six": (
        [[x] for x in (0.0, 0.1, -0.1, 0.02, 0.11, 0.05, 3.98, 3.94, 4.04, 4.02, 3.93, 3.91)],
        KernelSpec("gaussian", 5.3),
    ),
    "four in a row": ([[0.785], [1.391], [1.699], [1.647]], KernelSpec("student", 638.1, 1.0)),
}


@pytest.mark.parametrize("name", VALLEYS)
def test_a_valley_between_clusters(candidate: Implementation, name: str) -> None:
    rows, kernel = VALLEYS[name]
    expected = REFERENCE.call("median_rkde", rows, kernel)
    actual = candidate.call("median_rkde", rows, kernel)
    weights = [float(weight) for weight in expected.weights]
    analysis = PathAnalysis(rows, kernel, LossSpec("absolute"), weights_init=weights)
    settled = analysis.stationary_bound(float(actual.fixed_point_residual) * max(weights))
    assert_within(actual.weights, expected.weights, settled, name)
    assert max(actual.n_iter, expected.n_iter) <= MOST_STEPS
    assert actual.certificate is expected.certificate is Certificate.GLOBAL
