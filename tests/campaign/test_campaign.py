"""A few hundred problems of the campaign, and that it notices an error beyond a bound."""

import json
from typing import Any

import pytest

from tests.campaign.__main__ import PAGE, RECORD, page, worst_shares
from tests.campaign.measure import share, shares
from tests.campaign.problems import KERNELS, LOSSES, REGIMES, problem
from tests.engines.support import BUILDERS

FEW = 300
# Of the stored page, at least.
STORED = 10_000
# Every regime once; every kernel and loss is among FEW.
DEFAULT = len(REGIMES)


@pytest.mark.parametrize("count", [DEFAULT, pytest.param(FEW, marks=pytest.mark.slow)])
def test_no_error_exceeds_its_bound(count: int) -> None:
    found = worst_shares(range(1, 1 + count))
    assert len(found) > 1
    assert {regime for row in found.values() for regime in row} == set(REGIMES)
    broken = {what: row for what, row in found.items() if any(not size <= 1 for size, _ in row.values())}
    assert broken == {}


def test_every_regime_kernel_and_loss_has_its_turn() -> None:
    met = {(one.regime, one.kernel.name, one.loss.name) for one in map(problem, range(FEW))}
    assert len(met) == len(REGIMES) * len(KERNELS) * len(LOSSES)


def test_an_engine_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        def __init__(self, X: Any, kernel: Any) -> None:
            self._right = dense(X, kernel)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._right, name)

        def proved_product(self, c: Any) -> Any:
            return self._right.proved_product(c) * (1 + 2.0**-40)

    dense = BUILDERS["dense"]
    monkeypatch.setitem(BUILDERS, "dense", Wrong)
    found = {entry.what: entry.share for entry in shares(problem(1))}
    assert found["product, dense"] > 1
    assert found["residual norms, dense"] <= 1


@pytest.mark.parametrize(
    ("actual", "expected", "bound", "right"),
    [
        (1.0, 1.0, 0.0, 0.0),
        (1.5, 1.0, 1.0, 0.5),
        (2.0, 1.0, 0.0, float("inf")),
        ([1.0, 4.0], [1.0, 1.0], [1, 2], 1.5),
    ],
)
def test_a_share_is_the_error_by_its_bound(actual: Any, expected: Any, bound: Any, right: float) -> None:
    assert share("x", actual, expected, bound).share == right


def test_a_number_that_is_none_has_no_share() -> None:
    assert share("x", float("nan"), 1.0, 1.0).share == float("inf")


def test_the_page_is_that_of_the_record() -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    assert record["problems"] >= STORED
    assert max(cell[0] for row in record["worst"].values() for cell in row.values()) <= 1
    assert PAGE.read_text("utf-8") == page(record)
