"""The recipe `practical`: scales, bandwidth, start and thresholds of the two packages."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rkde
from rkde.errors import DegenerateBandwidth
from rkde.fast import DenseOperator, Gaussian, Student
from rkde.fast.bandwidth import pairwise, robust_scales
from rkde.fast.estimates import practical_start, practical_thresholds
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import examples
from rkde.reference import Gaussian as ReferenceGaussian
from rkde.reference import Student as ReferenceStudent
from rkde.reference import residual_norms as reference_norms
from rkde.reference.bandwidth import pairwise as reference_pairwise
from rkde.reference.bandwidth import robust_scales as reference_scales
from rkde.reference.estimates import practical_start as reference_start
from rkde.reference.estimates import practical_thresholds as reference_thresholds
from tests.support.compare import assert_relative
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE
from tests.support.selection import slow_where

CTX = REFERENCE.context
KERNELS = {
    "gaussian": (Gaussian, ReferenceGaussian),
    "student": (lambda h: Student(h, 3.0), lambda h: ReferenceStudent(h, 3)),
}


def table(seed: int, size: int = 30, dim: int = 2) -> np.ndarray:
    """A cloud, three copies of a far row, two rows alone and a rounded column."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(size, dim))
    rows[:3] = 9.0
    rows[3:5] += [[30.0], [-40.0]]
    rows[:, -1] = np.round(rows[:, -1], 1)
    return rows


@pytest.mark.parametrize("data", slow_where(lambda data: len(data.X[0]) >= 1000, SMALL))
def test_scales_and_bandwidth(data: NamedData) -> None:
    X = data.X
    bound = tolerances.pair_bound(len(X[0]), len(X))
    for actual, expected in zip(robust_scales(X), reference_scales(CTX, X), strict=True):
        assert_relative(float(actual), expected, bound, "scale")
    try:
        expected = reference_pairwise(CTX, X)
    except DegenerateBandwidth:
        with pytest.raises(DegenerateBandwidth):
            pairwise(X)
        return
    assert_relative(pairwise(X), expected, bound, "bandwidth")


@pytest.mark.parametrize(("fast", "exact"), KERNELS.values(), ids=KERNELS)
@examples(0.3)
@given(seed=st.integers(0, 2**32 - 1), dim=st.integers(1, 4))
def test_start_and_thresholds(fast: Any, exact: Any, seed: int, dim: int) -> None:
    X = table(seed, dim=dim)
    h = pairwise(X)
    operator = DenseOperator(X, fast(h))
    weights = practical_start(operator)
    expected = reference_start(CTX, X.tolist(), exact(h))
    assert [float(weight) for weight in expected] == weights.tolist()
    norms = reference_norms(CTX, X.tolist(), exact(h), expected)
    bound = tolerances.practical_thresholds_bound(len(X), dim)
    actual = practical_thresholds(operator.residual_norms(weights), weights, dim)
    for ours, theirs in zip(actual, reference_thresholds(CTX, norms, expected, dim), strict=True):
        # The squares are numbers of the size of 1 whose errors are absolute.
        assert abs(ours * ours - float(theirs * theirs)) <= bound


def test_many_rows_are_thinned_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("rkde.fast.bandwidth.pairs", "rkde.reference.bandwidth"):
        monkeypatch.setattr(sys.modules[module], "MOST_PAIRED_ROWS", 20)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70, 2))
    again = X[rng.permutation(len(X))]
    assert pairwise(X) == pairwise(again)
    assert (robust_scales(X) == robust_scales(again)).all()
    bound = tolerances.pair_bound(2, 70)
    assert_relative(pairwise(X), reference_pairwise(CTX, X.tolist()), bound, "h")
    for actual, expected in zip(robust_scales(X), reference_scales(CTX, X.tolist()), strict=True):
        assert_relative(float(actual), expected, bound, "scale")


@pytest.mark.parametrize("place", [0, 35, 69])
@pytest.mark.parametrize("largest", [30.5, 1e4, 1e100])
def test_a_heavy_row_among_many_is_kept_and_the_others_are_thinned(
    place: int, largest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(0).normal(size=(70, 2))
    weights = np.full(70, 1.5)
    weights[np.lexsort(X.T[::-1])[place]] = largest
    of_all = pairwise(X, sample_weight=weights)
    for module in ("rkde.fast.bandwidth.pairs", "rkde.reference.bandwidth"):
        monkeypatch.setattr(sys.modules[module], "MOST_PAIRED_ROWS", 40)
    found, scales = (rule(X, sample_weight=weights) for rule in (pairwise, robust_scales))
    expected, *others = (
        rule(CTX, X.tolist(), sample_weight=weights.tolist())
        for rule in (reference_pairwise, reference_scales)
    )
    assert_relative(found, expected, tolerances.pair_bound(2, 70), "h")
    for ours, theirs in zip(scales, others[0], strict=True):
        assert_relative(float(ours), theirs, tolerances.pair_bound(2, 70), "scale")
    assert 2 / 3 < found / of_all < 3 / 2


def test_equal_columns_have_the_scale_one() -> None:
    assert robust_scales([[2.0, 0.0], [2.0, 1.0]])[0] == 1
    assert rkde.fit([[2.0, 0.0], [2.0, 1.0], [2.0, 3.0]]).scaling.scale[0] == 1


@pytest.mark.parametrize("power", [-600, -20, 40, 600])
def test_units_do_not_matter(power: int) -> None:
    X = table(1)
    scaled = np.ldexp(X, power)
    assert (robust_scales(scaled) == np.ldexp(robust_scales(X), power)).all()
    assert pairwise(scaled) == float(np.ldexp(pairwise(X), power))
    assert (rkde.fit(scaled).weights == rkde.fit(X).weights).all()


def test_a_constant_column_changes_neither_bandwidth_nor_thresholds() -> None:
    X = table(2, size=60)
    beside = np.hstack([X[:, :1], np.full((len(X), 2), 7.0), X[:, 1:]])
    bound = tolerances.pair_bound(4, len(X))
    expected = reference_pairwise(CTX, X.tolist())
    assert_relative(reference_pairwise(CTX, beside.tolist()), expected, bound, "reference")
    assert_relative(pairwise(beside), expected, bound, "fast")
    kernel = ReferenceGaussian(pairwise(X))
    assert reference_start(CTX, beside.tolist(), kernel) == reference_start(CTX, X.tolist(), kernel)
    wide, narrow = rkde.fit(beside), rkde.fit(X)
    assert ((wide.weights == 0) == (narrow.weights == 0)).all()
    bound = tolerances.practical_thresholds_bound(len(X), 4)
    for one, other in zip(wide.thresholds or (), narrow.thresholds or (), strict=True):
        assert abs(one * one - other * other) <= bound


@pytest.mark.parametrize("most", [20, 2048])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["counts", "relative"])
def test_scales_and_bandwidth_of_weighted_rows(
    kind: str, seed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("rkde.fast.bandwidth.pairs", "rkde.reference.bandwidth"):
        monkeypatch.setattr(sys.modules[module], "MOST_PAIRED_ROWS", most)
    X, rng = table(seed), np.random.default_rng(seed)
    counts = rng.integers(0, 4, len(X))
    weights = (counts if kind == "counts" else counts * rng.uniform(0.3, 1.7, len(X))).tolist()
    bound = tolerances.pair_bound(2, int(counts.sum()))
    actual, expected = (
        [float(pairwise(X, sample_weight=weights)), *robust_scales(X, sample_weight=weights)],
        [
            reference_pairwise(CTX, X.tolist(), sample_weight=weights),
            *reference_scales(CTX, X.tolist(), sample_weight=weights),
        ],
    )
    for ours, theirs in zip(actual, expected, strict=True):
        assert_relative(float(ours), theirs, bound, kind)
    if kind == "counts":
        repeated = np.repeat(X, counts, axis=0)
        assert pairwise(repeated) == actual[0]
        assert robust_scales(repeated).tolist() == actual[1:]
