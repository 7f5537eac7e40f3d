"""Log densities that went wrong in public: far out, in high dimension, off the origin, in other units.

A value is stated to 40 digits for the exact decimals of the example. The reference must give it from the
decimals; every candidate must agree with the reference on the nearest float64 numbers.

Public reports: scipy/scipy#6869, scipy/scipy#12988, scikit-learn/scikit-learn#9354 and #13410,
mwaskom/seaborn#2762, tommyod/KDEpy#201 and #202, scipy/scipy#10205, #17446, #21685.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within
from tests.support.implementations import FINE_REFERENCE, Implementation, exact

STATED_DIGITS = 40


@dataclass(frozen=True)
class Case:
    """A Gaussian log density: decimals in, decimals out."""

    X: list[list[str]]
    bandwidth: str
    weights: list[str]
    query: list[str]
    log_density: str

    @property
    def log_normaliser_terms(self) -> float:
        """Magnitude of (d/2) log(2 pi h^2), term by term."""
        context = FINE_REFERENCE.context
        logs = abs(context.log(2 * context.pi)) / 2 + abs(context.log(context.mpf(self.bandwidth)))
        return float(len(self.query) * logs)


def _case(rows: str, bandwidth: str, query: str, value: str, *, columns: int = 1, weights: str = "") -> Case:
    """Read rows that semicolons part, cells that spaces part, each of them in so many equal columns."""
    X = [row.split() * columns for row in rows.split(";")]
    return Case(X, bandwidth, weights.split() or ["1"] * len(X), query.split() * columns, value)


INNER = "0 0.25 0.25 0.25 0.25 0"
CASES = {
    "far out": _case("0; 1", "0.1", "10", "-4049.3095006207705723671795704031794300003"),
    "d = 1000, k(0,0) = 1e901": _case(
        "0; 0.1; 1", "0.05", "0", "2075.6951280606501419634985945000006101106", columns=1000
    ),
    "d = 300, k(0,0) = 1e-419": _case(
        "0; 0.1; 1", "10", "0", "-966.76350337925295880175279603952771846710", columns=300
    ),
    "one location": _case("3; 3; 3", "1", "3", "-0.91893853320467274178032973640561763986140"),
    "at the first row": _case("0; 1; 2", "1", "0", "-1.4625939022307917847317577748184488287413"),
    "between rows": _case("0; 1; 2", "1", "1.5", "-1.2805560178145313515406009070387091364280"),
    "off the origin": _case(
        "1e9; 1000000001; 1000000002", "1", "1000000001.5", "-1.2805560178145313515406009070387091364280"
    ),
    "twelve copies": _case(
        "; ".join(["1234567890.1"] * 12),
        "0.5",
        "1234567890.1",
        "-0.22579135264472743236309761494744107178590",
    ),
    "in one unit": _case(
        "-2; -1; 0; 0.5; 1.5; 6", "1", "0", "-1.2707396486875078163818078165520512570873", weights=INNER
    ),
    "in thousandths": _case(
        "-0.002; -0.001; 0; 0.0005; 0.0015; 0.006",
        "0.001",
        "0",
        "5.6370156302946292356721665475010413657160",
        weights=INNER,
    ),
    "in millions": _case(
        "-2e6; -1e6; 0; 0.5e6; 1.5e6; 6e6",
        "1e6",
        "0",
        "-15.086250206651781920489756544658236502694",
        weights=INNER,
    ),
    "tail": _case("0; 10000; 20000", "5000", "-6000", "-11.242538701396321415288303670567165832996"),
    "far tail": _case("0; 10000; 20000", "5000", "-60000", "-82.534744013283910770802257919193609114610"),
    "collinear rows": _case("1 2; 2 4; 3 6; 4 8", "1", "2 4", "-3.0721240462178516123117944419643286384612"),
    "fewer rows than columns": _case(
        "1 2 3; 4 5 6", "1", "1 1 1", "-5.9499627800047737425110208874459677007381"
    ),
    "one row": _case("1 2", "1", "1 2", "-1.8378770664093454835606594728112352797228"),
}

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def _evaluate(implementation: Implementation, case: Case, read: type) -> Any:
    """log f with the numbers read as decimals (str) or as the nearest float64 (float)."""
    weights = [exact(weight) for weight in case.weights]
    total = sum(weights)
    kernel = implementation.get("Gaussian")(read(case.bandwidth))
    X = [[read(cell) for cell in row] for row in case.X]
    shares = [float(weight / total) for weight in weights]
    (value,) = implementation.call("log_density", X, kernel, shares, [[read(cell) for cell in case.query]])
    return value


@each_case
def test_the_stated_value(case: Case) -> None:
    value = _evaluate(FINE_REFERENCE, case, str)
    # Weights 1/3 are the nearest float64 of each, divided by their sum: thirds again, to all digits.
    bound = tolerances.reference_bound(STATED_DIGITS, 1) * max(1, abs(float(case.log_density)))
    assert_within(value, case.log_density, bound, "reference from decimals")


@each_case
def test_candidates(candidate: Implementation, case: Case) -> None:
    expected = _evaluate(FINE_REFERENCE, case, float)
    n, dim = len(case.X), len(case.query)
    bound = tolerances.log_density_bound(float(expected), case.log_normaliser_terms, n, dim)
    assert_within(_evaluate(candidate, case, float), expected, bound, "log f")


def test_the_far_tail_keeps_its_order(candidate: Implementation) -> None:
    queries = [[10.0**power] for power in range(1, 100, 7)]
    values = candidate.call(
        "log_density", [[0.0], [1.0]], candidate.get("Gaussian")(0.1), [0.5, 0.5], queries
    )
    assert all(left > right for left, right in pairwise(values))
    assert min(values) > float("-inf")
