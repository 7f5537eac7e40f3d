"""Claims about what KIRWLS does not depend on: order, origin, orientation, unit, repetition."""

from collections.abc import Sequence
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mpf

from rkde.fast.rkhs import log_density as fast_log_density
from rkde.proofs_checks import bridge, defined, moves, strategies, symmetries, tolerances
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.measures import absolute_errors, vector_error
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem, Rows
from rkde.reference.rkhs import log_density
from rkde.reference.solvers import kirwls_step

PERMUTATION = Claim(
    id="symmetry.permutation",
    label="eqn:optimization",
    section="3",
    statement="Permuting the rows permutes the weights.",
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="J is a mean over the rows, so nothing in a step depends on their order.",
    source=Source.IMPLIED,
)
TRANSLATION = Claim(
    id="symmetry.translation",
    label="sec:rkde (radial kernel)",
    section="2",
    statement="Adding one vector to every row leaves the weights as they are.",
    hypotheses=("the kernel is radial",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="A radial kernel sees differences of rows only. Offsets of 1e8 are added exactly.",
    source=Source.IMPLIED,
)
SIMILARITY = Claim(
    id="symmetry.similarity",
    label="sec:rkde (radial kernel)",
    section="2",
    statement=(
        "Rotations and reflections of the rows leave the weights as they are, and so does multiplying "
        "rows and bandwidth by one factor; the density is then divided by the factor to the power d."
    ),
    hypotheses=("the kernel is radial",),
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="Distances over the bandwidth do not change; the normaliser is sigma^(-d) times a constant.",
    source=Source.IMPLIED,
)
REPETITION = Claim(
    id="symmetry.repetition",
    label="eqn:optimization",
    section="3",
    statement="Repeating every row m times divides every weight by m and leaves the density as it is.",
    verdict=Verdict.HOLDS,
    level=Level.TESTED,
    argument="J is the mean of rho under the empirical distribution, which repetition does not change.",
    source=Source.IMPLIED,
)

_OFFSETS: Final = (-1e8, 1.0, 3e7)
_FACTORS: Final = (2.0**-20, 0.5, 3.0, 1e6)
_ROUNDINGS: Final = 4
# Three rows in the plane in general position, uneven weights, residuals on both sides of the threshold.
_PLANE: Final = Problem(
    [[0.0, 0.0], [1.0, 0.5], [0.25, 3.0]], KernelSpec("student", 2.0, 3.0), [0.5, 0.25, 0.25]
)
_HUBER: Final = LossSpec("huber", (0.5,))


@st.composite
def _scattered(draw: st.DrawFn, *, dyadic: bool) -> Problem:
    """Draw scattered rows, weights and a kernel; multiples of a `dyadic` bandwidth are exact."""
    rows = draw(strategies.scattered(1, 6, 3))
    kernel = draw(strategies.kernels())
    if dyadic:
        kernel = KernelSpec(kernel.name, 2.0 ** draw(st.integers(-5, 5)), kernel.dof)
    return Problem(rows, kernel, draw(strategies.weight_vectors(len(rows))))


@st.composite
def _permuted(draw: st.DrawFn) -> tuple[Problem, list[int]]:
    """Draw a problem and an order of its rows."""
    problem = draw(strategies.problems(6, 2, wide=False))
    return problem, draw(symmetries.permutations(len(problem.X)))


@st.composite
def _turned(draw: st.DrawFn) -> tuple[Problem, Problem]:
    """Draw a problem stretched by a power of 5, and the same one rotated and reflected as well."""
    problem = draw(_scattered(dyadic=True))
    stretched, turned, factor = draw(symmetries.similarities(problem.X))
    wider = problem.kernel.widened(factor)
    return Problem(stretched, wider, problem.weights), Problem(turned, wider, problem.weights)


def _reference_step(problem: Problem, spec: LossSpec) -> list[mpf]:
    kernel, loss = bridge.reference_kernel(problem.kernel), bridge.reference_loss(spec)
    return list(kirwls_step(bridge.context(), problem.X, kernel, loss, problem.weights))


def _fast_step(problem: Problem, spec: LossSpec) -> tuple[list[float], list[float]]:
    """Return one step of the fast implementation and the bounds on its error."""
    given_problem = (problem.X, problem.kernel, spec, problem.weights)
    return moves.step(*given_problem), moves.state(*given_problem).weights_error


def _within(left: Sequence[float | mpf], right: Sequence[float | mpf], *bounds: Sequence[float]) -> bool:
    allowed = [sum(entry) for entry in zip(*bounds, strict=True)]
    return all(map(float.__le__, absolute_errors(left, right), allowed))


def _check_same(drawn: Problem, moved: Rows, kernel: KernelSpec, spec: LossSpec) -> None:
    """Require equal steps from equal weights on both tables, in both implementations."""
    before = defined.with_a_next_step(drawn, spec)
    after = Problem(moved, kernel, before.weights)
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    assert vector_error(_reference_step(after, spec), _reference_step(before, spec)) <= bound
    here, here_error = _fast_step(before, spec)
    there, there_error = _fast_step(after, spec)
    assert _within(there, here, here_error, there_error)


@evidence(PERMUTATION, level=Level.TESTED)
@example((_PLANE, [2, 0, 1]), _HUBER)
@given(_permuted(), strategies.losses())
def check_permutation(drawn: tuple[Problem, list[int]], spec: LossSpec) -> None:
    """Permute rows and starting weights, step, and compare with the permuted step."""
    problem, order = defined.with_a_next_step(drawn[0], spec), drawn[1]
    moved = Problem([problem.X[i] for i in order], problem.kernel, [problem.weights[i] for i in order])
    exact = _reference_step(problem, spec)
    bound = tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS)
    assert vector_error(_reference_step(moved, spec), [exact[i] for i in order]) <= bound
    here, error = _fast_step(problem, spec)
    there, other_error = _fast_step(moved, spec)
    assert _within(there, [here[i] for i in order], [error[i] for i in order], other_error)


@evidence(TRANSLATION, level=Level.TESTED)
@example(_PLANE, _HUBER, _OFFSETS[0])
@given(_scattered(dyadic=False), strategies.losses(), st.sampled_from(_OFFSETS))
def check_translation(problem: Problem, spec: LossSpec, offset: float) -> None:
    """Add an offset that float64 adds exactly to every coordinate."""
    moved = [[value + offset for value in row] for row in problem.X]
    assert [[value - offset for value in row] for row in moved] == problem.X
    _check_same(problem, moved, problem.kernel, spec)


@evidence(SIMILARITY, level=Level.TESTED)
@example((_PLANE, Problem([[-y, x] for x, y in _PLANE.X], _PLANE.kernel, _PLANE.weights)), _HUBER)
@given(_turned(), strategies.losses())
def check_rotation(drawn: tuple[Problem, Problem], spec: LossSpec) -> None:
    """Rotate and reflect by matrices with rational entries, exactly."""
    stretched, turned = drawn
    _check_same(stretched, turned.X, turned.kernel, spec)


@evidence(SIMILARITY, level=Level.TESTED)
@example(_PLANE, _HUBER, _FACTORS[2])
@given(_scattered(dyadic=True), strategies.losses(), st.sampled_from(_FACTORS))
def check_scaling(problem: Problem, spec: LossSpec, factor: float) -> None:
    """Multiply rows and bandwidth by one factor, exactly; compare weights and log densities."""
    moved, kernel = [[value * factor for value in row] for row in problem.X], problem.kernel.widened(factor)
    _check_same(problem, moved, kernel, spec)
    ctx, dim, weights = bridge.context(), len(moved[0]), problem.weights
    tables = ((problem.X, problem.kernel), (moved, kernel))
    here, there = (
        log_density(ctx, rows, bridge.reference_kernel(spread), weights, rows[:1])[0]
        for rows, spread in tables
    )
    shift = dim * ctx.log(ctx.mpf(factor))
    size = float(abs(here)) + float(abs(shift))
    assert float(abs(here - shift - there)) <= tolerances.reference_bound(bridge.DIGITS, _ROUNDINGS) * size
    fast = [
        float(fast_log_density(rows, bridge.fast_kernel(spread), weights, rows[:1])[0])
        for rows, spread in tables
    ]
    allowed = sum(
        tolerances.log_density_bound(
            value, abs(bridge.fast_kernel(spread).log_normaliser(dim)), len(moved), dim
        )
        for value, (_, spread) in zip(fast, tables, strict=True)
    )
    # The shift has an elementary error, and two differences are rounded.
    allowed += tolerances.sum_bound(2 * _ROUNDINGS) * (abs(fast[0]) + abs(float(shift)))
    assert abs(fast[0] - float(shift) - fast[1]) <= allowed


@evidence(REPETITION, level=Level.TESTED)
@example(_PLANE, _HUBER, 2)
@given(strategies.problems(4, 2, wide=False), strategies.losses(), st.integers(2, 3))
def check_repetition(drawn: Problem, spec: LossSpec, count: int) -> None:
    """Repeat every row and share its starting weight evenly; compare weights and densities."""
    problem = defined.with_a_next_step(drawn, spec)
    rows, size = problem.X, len(problem.X)
    start = [weight / count for weight in problem.weights] * count
    repeated = Problem(rows * count, problem.kernel, start)
    merged = [weight * count for weight in _reference_step(repeated, spec)[:size]]
    # Sharing a weight by 3 rounds it in float64, which moves f by at most that much.
    here, error = _fast_step(problem, spec)
    assert _within(merged, _reference_step(problem, spec), error)
    there, other = _fast_step(repeated, spec)
    scaled = [weight * count for weight in there[:size]]
    assert _within(scaled, here, error, [count * entry for entry in other[:size]])
    kernel = bridge.fast_kernel(problem.kernel)
    densities = [
        fast_log_density(*table, rows)
        for table in ((rows, kernel, problem.weights), (repeated.X, kernel, start))
    ]
    magnitude = abs(kernel.log_normaliser(len(rows[0])))
    for left, right in zip(*(density.tolist() for density in densities), strict=True):
        bound = tolerances.log_density_bound(left, magnitude, len(start), len(rows[0]))
        assert abs(left - right) <= 2 * bound
