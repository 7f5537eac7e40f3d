"""The algorithm on the page of errata runs as it stands there, and gives what the reference gives."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from rkde import datasets, reference
from rkde.errors import DegenerateThresholds
from rkde.proofs_checks.tolerances import printed_digits

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"
# The median estimate on the page stops at 1e-12 of the largest weight; thresholds and weights follow it.
DECIMALS = 8
FAITHFUL = datasets.load("faithful").rows[:40]
TIED = [[0.0], [0.0], [0.5], [1.0], [1.5], [1.5], [4.0]]
LOCATION = [[0.0], [0.0], [0.0], [1.0], [2.0], [2.5], [9.0]]


@pytest.fixture(scope="module")
def page() -> SimpleNamespace:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102 - the page is ours
    return SimpleNamespace(**{name: value for name, value in names.items() if not name.startswith("__")})


@pytest.mark.parametrize(
    ("rows", "bandwidth"),
    [(FAITHFUL, 4.0), (TIED, 1.0), (LOCATION, 1.0)],
    ids=["faithful", "tied", "location"],
)
def test_the_page_gives_the_weights_of_the_reference(page: SimpleNamespace, rows, bandwidth: float) -> None:
    X = np.asarray(rows, dtype=float)
    weights, thresholds, objective = page.rkde_weights(X, bandwidth)
    ctx = reference.make_context(30)
    right = reference.rkde(ctx, X.tolist(), bandwidth=bandwidth)
    assert right.n_iter > 1
    bound = printed_digits(DECIMALS)
    assert np.max(np.abs(weights - np.array([float(weight) for weight in right.weights]))) <= bound
    assert np.max(np.abs(np.array(thresholds) - np.array([float(t) for t in right.thresholds]))) <= bound
    assert abs(objective - float(right.objective)) <= bound


@pytest.mark.parametrize("rows", [[[0.0], [1.0]], [[0.0], [0.0], [0.0], [1.0], [3.0]]])
def test_the_page_refuses_degenerate_thresholds(page: SimpleNamespace, rows) -> None:
    with pytest.raises(ValueError, match="degenerate thresholds"):
        page.rkde_weights(np.asarray(rows), 1.0)
    with pytest.raises(DegenerateThresholds):
        reference.rkde(reference.make_context(30), rows, bandwidth=1)
