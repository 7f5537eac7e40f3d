"""Explanations of rows against the reference: every field, for new rows and rows of the fit."""

import math
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
import rkde.reference
from rkde.fast.bandwidth import Scaling
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec
from tests.support.compare import assert_within
from tests.support.conditioning import normaliser_terms
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import FAST, REFERENCE

KINDS: Final = (("gaussian", None), ("student", 3.0), ("student", 0.5))
# Few enough rows and columns for sums of 40 digits over all pairs and all sets of columns.
SETS: Final = [data for data in SMALL if len(data.X) <= 20 and len(data.X[0]) <= 4]
ROOT: Final = np.array([[2.0, 0.0, 0.0], [50.0, 3.0, 0.0], [0.01, 0.02, 0.01]])
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")


def queries_of(data: NamedData) -> list[list[float]]:
    first, second = data.X[0], data.X[1]
    h = float(data.kernel.bandwidth)
    middle = [(left + right) / 2 for left, right in zip(first, second, strict=True)]
    return [middle, *([cell + factor * h for cell in second] for factor in (1.5, 20.0))]


@each_kind
@pytest.mark.parametrize("data", SETS, ids=repr)
@pytest.mark.parametrize("asked", ["queries", "rows"])
def test_explanations_agree(data: NamedData, kind: tuple[str, float | None], asked: str) -> None:
    spec = KernelSpec(kind[0], float(data.kernel.bandwidth), kind[1])
    raw = [float(index % 3) for index in range(len(data.X))]
    given: dict[str, Any] = (
        {"queries": queries_of(data)} if asked == "queries" else {"rows": list(range(len(data.X)))}
    )
    want = REFERENCE.call("explain", REFERENCE.call("kde", data.X, spec, sample_weight=raw), **given)
    got = FAST.call("explain", FAST.call("kde", data.X, spec, sample_weight=raw), **given)
    _assert_agree(got, want, data.X, spec, raw)


def test_a_row_of_nearly_all_weight_is_explained_by_the_others() -> None:
    X = [[0.0, 0.0], [1.0, 0.5], [2.0, -1.0], [-0.5, 0.25]]
    spec, raw = KernelSpec("gaussian", 1.0), [1e17, 1.5, 1.0, 2.5]
    got, want = (
        each.call("explain", each.call("kde", X, spec, sample_weight=raw), rows=[0, 1, 2, 3])
        for each in (FAST, REFERENCE)
    )
    _assert_agree(got, want, X, spec, raw)


@each_kind
@pytest.mark.parametrize("asked", ["queries", "rows"])
def test_explanations_agree_under_a_root(kind: tuple[str, float | None], asked: str) -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(12, 3))
    spec = KernelSpec(kind[0], 0.75, kind[1])
    got_kernel = FAST.kernel(spec)
    fitted = rkde.fast.rkde(Z, bandwidth=0.75, kernel=lambda _: got_kernel, loss=rkde.fast.Quadratic)
    estimate = replace(fitted, scaling=Scaling("robust-covariance", np.zeros(3), ROOT))
    twin = REFERENCE.call("kde", Z.tolist(), spec)
    places = rng.normal(size=(3, 3)) @ ROOT.T * 2
    given: dict[str, Any] = {"queries": places.tolist()} if asked == "queries" else {"rows": list(range(12))}
    got = rkde.fast.explain(estimate, **given)
    want = REFERENCE.call("explain", twin, scale=ROOT.tolist(), **given)
    assert got.nearest.tolist() == list(want.nearest)
    _assert_agree(got, want, (Z @ ROOT.T).tolist(), spec, [1.0] * 12, ROOT)


def _assert_agree(
    got: Any, want: Any, X: list[list[float]], spec: KernelSpec, raw: list[float], root: Any = None
) -> None:
    n, dim = len(X), len(X[0])
    rest = 1 - max(raw) / sum(raw)
    moved = 0.0
    pull, farthest = _largest_pull(X, want, spec, root)
    if root is not None:
        condition = float(np.linalg.cond(root))
        moved = tolerances.moved_bound(
            tolerances.coordinate_bound(dim, condition, farthest),
            farthest,
            dim,
            math.inf if spec.dof is None else float(spec.dof),
        )

    def bound(value: Any, columns: int) -> float:
        if not columns:
            return 0.0
        terms = normaliser_terms(spec, columns) + abs(float(value)) * (root is not None)
        own = tolerances.without_row_bound(n, rest)
        return tolerances.log_density_bound(float(value), terms, n, columns) + own + moved

    joint = [bound(value, dim) for value in want.log_density]
    alone = [[bound(value, 1) for value in row] for row in want.marginal_log_density]
    conditional = [
        [here + bound(log - value, dim - 1) for value in row]
        for here, log, row in zip(joint, want.log_density, want.conditional_log_density, strict=True)
    ]
    assert_within(got.log_density, want.log_density, joint, "log f")
    assert_within(got.marginal_log_density, want.marginal_log_density, _flat(alone), "alone")
    assert_within(got.conditional_log_density, want.conditional_log_density, _flat(conditional), "given")
    if want.rows is not None:
        # The median moves by no more than the largest error among all rows.
        largest = max(max(row) for row in conditional)
        sizes = [[abs(float(value)) for value in row] for row in want.surprise]
        surprise = [[2 * largest + tolerances.sum_bound(4) * value for value in row] for row in sizes]
        assert_within(got.surprise, want.surprise, _flat(surprise), "surprise")
    terms = normaliser_terms(spec, dim)
    gradient = [
        pull * 2 * moved + tolerances.gradient_bound(pull, float(value), terms, n, dim)
        for value in want.log_density
        for _ in range(dim)
    ]
    assert_within(got.gradient, want.gradient, gradient, "gradient")
    assert list(got.rows) == list(want.rows) if want.rows is not None else got.rows is None


def _flat(rows: list[list[float]]) -> list[float]:
    return [value for row in rows for value in row]


def _largest_pull(X: list[list[float]], want: Any, spec: KernelSpec, root: Any) -> tuple[float, float]:
    """Bound |c_i (L L')^(-1) (X_i - x)| over rows and places, and the distances over h."""
    rows = np.array(X)
    apart = np.linalg.norm(rows.max(axis=0) - rows.min(axis=0)) + 40 * float(spec.bandwidth)
    inverse = 1.0 if root is None else float(np.linalg.norm(np.linalg.inv(root), 2))
    h = float(spec.bandwidth)
    factor = 1.0 if spec.dof is None else 1 + len(X[0]) / float(spec.dof)
    farthest = inverse * apart / h
    return factor * inverse * farthest / h, farthest
