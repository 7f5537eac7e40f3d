"""Claims about what KIRWLS does not depend on: order, origin, orientation, unit, repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import assume, given, reject
from hypothesis import strategies as st
from mpmath import mpf

from rkde.errors import AllWeightsZero
from rkde.fast.rkhs import log_density as fast_log_density
from rkde.proofs_checks import bridge, moves, strategies, symmetries, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.measures import absolute_errors, vector_error
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Rows
from rkde.reference.kirwls import kirwls_step
from rkde.reference.rkhs import log_density

PERMUTATION = Claim(
    id="symmetry.permutation",
    label="eqn:optimization",
    section="3",
    statement="Permuting the rows permutes the weights.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="J is a mean over the rows, so nothing in a step depends on their order.",
    source=Source.PRINTED,
)
TRANSLATION = Claim(
    id="symmetry.translation",
    label="sec:rkde (radial kernel)",
    section="2",
    statement="Adding one vector to every row leaves the weights as they are.",
    hypotheses=("radial",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="A radial kernel sees differences of rows only. Offsets of 1e8 are added exactly.",
    source=Source.PRINTED,
)
SIMILARITY = Claim(
    id="symmetry.similarity",
    label="sec:rkde (radial kernel)",
    section="2",
    statement=(
        "Rotations and reflections of the rows leave the weights as they are, and so does multiplying "
        "rows and bandwidth by one factor; the density is then divided by the factor to the power d."
    ),
    hypotheses=("radial",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="Distances over the bandwidth do not change; the normaliser is sigma^(-d) times a constant.",
    source=Source.PRINTED,
)
REPETITION = Claim(
    id="symmetry.repetition",
    label="eqn:optimization",
    section="3",
    statement="Repeating every row m times divides every weight by m and leaves the density as it is.",
    hypotheses=(),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="J is the mean of rho under the empirical distribution, which repetition does not change.",
    source=Source.PRINTED,
)

_OFFSETS: Final = (-1e8, 1.0, 3e7)
_FACTORS: Final = (2.0**-20, 0.5, 3.0, 1e6)
_ROUNDINGS: Final = 4


def _reference_step(rows: Rows, kernel: KernelSpec, spec: LossSpec, weights: Sequence[float]) -> list[mpf]:
    try:
        after = kirwls_step(
            bridge.context(), rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec), weights
        )
    except AllWeightsZero:
        reject()
    return list(after)


def _fast_step(
    rows: Rows, kernel: KernelSpec, spec: LossSpec, weights: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return one step of the fast implementation and the bounds on its error."""
    try:
        after = moves.step(rows, kernel, spec, weights)
    except AllWeightsZero:
        reject()
    return after, moves.state(rows, kernel, spec, weights).weights_error


def _within(left: Sequence[float | mpf], right: Sequence[float | mpf], *bounds: Sequence[float]) -> bool:
    allowed = [sum(entry) for entry in zip(*bounds, strict=True)]
    return all(map(float.__le__, absolute_errors(left, right), allowed))


def _check_same(
    rows: Rows, moved: Rows, kernels: tuple[KernelSpec, KernelSpec], spec: LossSpec, weights: list[float]
) -> None:
    """Require equal steps from equal weights on both tables, in both implementations."""
    before, after = kernels
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    exact = _reference_step(rows, before, spec, weights)
    assert vector_error(_reference_step(moved, after, spec, weights), exact) <= bound
    here, here_error = _fast_step(rows, before, spec, weights)
    there, there_error = _fast_step(moved, after, spec, weights)
    assert _within(there, here, here_error, there_error)


@evidence(PERMUTATION, level=Level.TESTED)
@given(strategies.problems(6, 2, wide=False), strategies.losses(), st.data())
def check_permutation(problem: strategies.Problem, spec: LossSpec, data: st.DataObject) -> None:
    """Permute rows and starting weights, step, and compare with the permuted step."""
    order = data.draw(symmetries.permutations(len(problem.X)))
    moved, start = [problem.X[i] for i in order], [problem.weights[i] for i in order]
    exact = _reference_step(problem.X, problem.kernel, spec, problem.weights)
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    assert (
        vector_error(_reference_step(moved, problem.kernel, spec, start), [exact[i] for i in order]) <= bound
    )
    here, error = _fast_step(problem.X, problem.kernel, spec, problem.weights)
    there, other_error = _fast_step(moved, problem.kernel, spec, start)
    assert _within(there, [here[i] for i in order], [error[i] for i in order], other_error)


@evidence(TRANSLATION, level=Level.TESTED)
@given(
    strategies.scattered(1, 6, 3),
    strategies.kernels(),
    strategies.losses(),
    st.sampled_from(_OFFSETS),
    st.data(),
)
def check_translation(
    rows: Rows, kernel: KernelSpec, spec: LossSpec, offset: float, data: st.DataObject
) -> None:
    """Add an offset that float64 adds exactly to every coordinate."""
    moved = [[value + offset for value in row] for row in rows]
    assert all(
        value - offset == old
        for row, olds in zip(moved, rows, strict=True)
        for value, old in zip(row, olds, strict=True)
    )
    _check_same(rows, moved, (kernel, kernel), spec, data.draw(strategies.weight_vectors(len(rows))))


@evidence(SIMILARITY, level=Level.TESTED)
@given(strategies.scattered(1, 6, 3), strategies.kernels(), strategies.losses(), st.data())
def check_rotation(rows: Rows, kernel: KernelSpec, spec: LossSpec, data: st.DataObject) -> None:
    """Rotate and reflect by matrices with rational entries, exactly."""
    stretched, turned, factor = data.draw(symmetries.similarities(rows))
    wider = kernel.widened(factor)
    assume(wider.bandwidth / factor == kernel.bandwidth)
    weights = data.draw(strategies.weight_vectors(len(rows)))
    _check_same(stretched, turned, (wider, wider), spec, weights)


@evidence(SIMILARITY, level=Level.TESTED)
@given(strategies.scattered(1, 6, 3), strategies.losses(), st.sampled_from(_FACTORS), st.data())
def check_scaling(rows: Rows, spec: LossSpec, factor: float, data: st.DataObject) -> None:
    """Multiply rows and bandwidth by one factor, exactly; compare weights and log densities."""
    kernel = data.draw(strategies.kernels())
    dyadic = KernelSpec(kernel.name, 2.0 ** data.draw(st.integers(-5, 5)), kernel.dof)
    moved = [[value * factor for value in row] for row in rows]
    weights = data.draw(strategies.weight_vectors(len(rows)))
    _check_same(rows, moved, (dyadic, dyadic.widened(factor)), spec, weights)
    ctx, dim = bridge.context(), len(rows[0])
    here = log_density(ctx, rows, bridge.reference_kernel(dyadic), weights, rows[:1])[0]
    there = log_density(ctx, moved, bridge.reference_kernel(dyadic.widened(factor)), weights, moved[:1])[0]
    shift = dim * ctx.log(ctx.mpf(factor))
    size = float(abs(here)) + float(abs(shift))
    assert float(abs(here - shift - there)) <= tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * size


@evidence(REPETITION, level=Level.TESTED)
@given(strategies.problems(4, 2, wide=False), strategies.losses(), st.integers(2, 3))
def check_repetition(problem: strategies.Problem, spec: LossSpec, count: int) -> None:
    """Repeat every row and share its starting weight evenly; compare weights and densities."""
    rows, repeated = problem.X, problem.X * count
    start = [weight / count for weight in problem.weights] * count
    exact = _reference_step(rows, problem.kernel, spec, problem.weights)
    merged = [
        weight * count for weight in _reference_step(repeated, problem.kernel, spec, start)[: len(rows)]
    ]
    # Sharing a weight by 3 rounds it in float64, which moves f by at most that much.
    errors = moves.state(rows, problem.kernel, spec, problem.weights).weights_error
    assert _within(merged, exact, errors)
    here, error = _fast_step(rows, problem.kernel, spec, problem.weights)
    there, other = _fast_step(repeated, problem.kernel, spec, start)
    scaled = [weight * count for weight in there[: len(rows)]]
    assert _within(scaled, here, error, [count * entry for entry in other[: len(rows)]])
    kernel = bridge.fast_kernel(problem.kernel)
    densities = [
        fast_log_density(*table, problem.X)
        for table in ((rows, kernel, problem.weights), (repeated, kernel, start))
    ]
    magnitude = abs(kernel.log_normaliser(len(rows[0])))
    for left, right in zip(*(density.tolist() for density in densities), strict=True):
        bound = tolerances.log_density_bound(left, magnitude, len(repeated), len(rows[0]))
        assert abs(left - right) <= 2 * bound
