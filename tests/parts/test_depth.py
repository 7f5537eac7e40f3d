"""Kernelized spatial depth against its definition, in special places, and under symmetries."""

from importlib import import_module
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rkde.fast
import rkde.reference
from rkde.proofs_checks import strategies, symmetries, tolerances
from rkde.proofs_checks.strategies import KernelSpec, Rows, examples
from rkde.proofs_checks.tolerances import depth_bound
from tests.support.compare import assert_within
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import FINE_REFERENCE, Implementation, exact
from tests.support.selection import slow_where

# The name in the package is the function.
depth_module: Final = import_module("rkde.fast.scoring.depth")
SENSIBLE: Final = [
    KernelSpec("gaussian", 0.75),
    KernelSpec("student", 0.75, 3.0),
    KernelSpec("laplacian", 0.75),
]
each_kernel = pytest.mark.parametrize("kernel", SENSIBLE, ids=lambda spec: spec.name)
CLOUD: Final = [[0.0, 0.0], [1.0, 0.25], [-0.5, 1.5], [2.0, -1.0], [0.25, -0.75], [-1.0, -0.25]]
FINE: Final = FINE_REFERENCE
# Twice the digits that the nearest query's distance costs, for a definition that cancels.
DEEP: Final = Implementation("reference", rkde.reference, rkde.reference.make_context(400))


def distances(X: Rows, kernel: KernelSpec, query: list[float], lib: Implementation = FINE) -> list[Any]:
    """|Phi(x) - Phi(X_i)| in tau, by the kernel's own complement."""
    built, dim = lib.kernel(kernel), len(query)
    square = [sum((exact(a) - exact(b)) ** 2 for a, b in zip(query, row, strict=True)) for row in X]
    return [exact(2 * lib.method(built, "complement", value, dim)) ** (exact(1) / 2) for value in square]


def by_definition(X: Rows, kernel: KernelSpec, query: list[float], lib: Implementation = FINE) -> Any:
    """Add the unit vectors as an element of the Hilbert space, and take the norm of that element."""
    norms = distances(X, kernel, query, lib)
    apart = [i for i, norm in enumerate(norms) if norm]
    count = len(X) - (len(apart) < len(X))
    if not count:
        return exact(1)
    weights = [sum(1 / norms[i] for i in apart), *(-1 / norms[i] for i in apart)]
    element = lib.get("RkhsElement")([query, *(X[i] for i in apart)], weights, lib.kernel(kernel))
    return 1 - exact(lib.method(element, "norm")) / count


def bounds(X: Rows, kernel: KernelSpec, queries: Rows, depths: list[Any]) -> list[float]:
    return [
        depth_bound([float(norm) for norm in distances(X, kernel, query)], float(value), len(query))
        for query, value in zip(queries, depths, strict=True)
    ]


def assert_depths(
    implementation: Implementation, X: Rows, kernel: KernelSpec, queries: Rows, lib: Implementation = FINE
) -> list[Any]:
    """Compare with the definition at many digits; return it."""
    wanted = [by_definition(X, kernel, query, lib) for query in queries]
    found = implementation.call("depth", X, kernel, queries)
    assert_within(found, wanted, bounds(X, kernel, queries, wanted), "depth")
    return wanted


@each_kernel
def test_it_is_the_definition(implementation: Implementation, kernel: KernelSpec) -> None:
    queries = [[0.5, 0.0], [0.25, 0.25], CLOUD[0], CLOUD[3], [30.0, 0.0], [1e6, 1e6]]
    depths = assert_depths(implementation, CLOUD, kernel, queries)
    assert all(0 <= value <= 1 for value in depths)


@pytest.mark.parametrize("data", slow_where(lambda data: len(data.X[0]) >= 1000, SMALL))
def test_named_data(candidate: Implementation, data: NamedData) -> None:
    first, second = data.X[0], data.X[1]
    scale = float(data.kernel.bandwidth)
    middle = [(left + right) / 2 for left, right in zip(first, second, strict=True)]
    beside = ([cell + factor * scale for cell in second] for factor in (0.5, 50.0))
    assert_depths(candidate, data.X, data.kernel, [first, middle, *beside])


@each_kernel
@pytest.mark.parametrize("gap", [1e-3, 1e-8, 1e-15, 1e-40, 1e-140])
def test_a_query_beside_a_row(implementation: Implementation, kernel: KernelSpec, gap: float) -> None:
    assert_depths(implementation, CLOUD, kernel, [[gap, 0.0], [0.0, -gap], [gap, gap]], DEEP)


@given(problem=strategies.problems(wide=False), shift=st.sampled_from([0.0, 0.125, 3.0]))
@examples(0.25)
def test_adversarial_data(implementation: Implementation, problem: strategies.Problem, shift: float) -> None:
    queries = [[cell + shift * problem.kernel.bandwidth for cell in row] for row in problem.X]
    assert_depths(implementation, problem.X, problem.kernel, queries)


@each_kernel
def test_one_place_of_many_rows(implementation: Implementation, kernel: KernelSpec) -> None:
    found = implementation.call("depth", [[0.1]] * 3, kernel, [[0.1], [0.7], [9.0]])
    assert [float(value) for value in found] == [1, 0, 0]


@each_kernel
@pytest.mark.parametrize("copies", [1, 2, 4])
def test_rows_equal_to_the_query_are_left_out(
    implementation: Implementation, kernel: KernelSpec, copies: int
) -> None:
    """With k copies of x among n rows: |R| as without them, over n - 1."""
    X = [[0.0]] * copies + [[1.0], [3.0]]
    (found,) = implementation.call("depth", X, kernel, [[0.0]])
    alone = by_definition([[1.0], [3.0]], kernel, [0.0])
    wanted = 1 - (1 - alone) * 2 / (copies + 1)
    assert_within(found, wanted, bounds(X, kernel, [[0.0]], [wanted]), "depth")
    all_but_one = implementation.call("depth", [[0.0]] * copies + [[1.0]], kernel, [[0.0]])
    assert float(all_but_one[0]) == float(1 - exact(1) / copies)


@given(data=st.data())
@examples(0.25)
def test_rotation_translation_scale_and_order(implementation: Implementation, data: st.DataObject) -> None:
    rows = data.draw(strategies.scattered(3, 6, 3))
    stretched, turned, factor = data.draw(symmetries.similarities(rows))
    kernel = KernelSpec("student", 2.0 * factor, 3.0)
    wanted = [by_definition(stretched, kernel, query) for query in stretched]
    bound = bounds(stretched, kernel, stretched, wanted)
    built = implementation.kernel(kernel)
    assert_within(implementation.call("depth", turned, built, turned), wanted, bound, "rotated")
    moved = [[value + 64.0 for value in row] for row in stretched]
    assert_within(implementation.call("depth", moved, built, moved), wanted, bound, "translated")
    backwards = implementation.call("depth", stretched[::-1], built, stretched[::-1])
    assert_within(list(backwards)[::-1], wanted, bound, "reordered")


def test_fast_takes_any_kernel() -> None:
    """A kernel that is none of the three has only its log profile, and so fewer digits beside a row."""
    members = {name: value for name, value in vars(rkde.fast.Gaussian).items() if not name.startswith("__")}
    del members["bandwidth"]
    other = type("Other", (), members)()
    other.bandwidth = 0.75
    queries = [[0.5, 0.5], [2.0**-10, 0.0]]
    wanted = rkde.fast.depth(CLOUD, rkde.fast.Gaussian(0.75), queries)
    # The logarithms differ by some roundings, which a step of 2^-10 amplifies by 2^10.
    assert_within(rkde.fast.depth(CLOUD, other, queries), wanted, tolerances.sum_bound(2**15), "depth")


def test_the_bound_is_small_where_a_depth_is_known_well() -> None:
    for kernel in SENSIBLE:
        assert max(bounds(CLOUD, kernel, [[0.5, 0.5]], [exact(1) / 4])) < tolerances.sum_bound(10**5)


def test_equal_queries_have_one_depth_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(12)
    X, places = rng.integers(0, 3, (333, 9)) * 1.0, rng.integers(0, 3, (7, 9)) * 1.0
    monkeypatch.setattr(depth_module, "BLOCK_PAIRS", 5000)
    depths = rkde.fast.depth(X, rkde.fast.Gaussian(1.0), np.tile(places, (11, 1)))
    assert len(np.unique(depths.reshape(11, 7), axis=0)) == 1
    assert len(np.unique(depths)) == 7
