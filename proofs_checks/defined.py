"""Problems that satisfy what a claim asks for, made so by construction: none is drawn and thrown away."""

import math
from typing import Final

from rkde.proofs_checks import bridge, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem, Rows, distinct_locations
from rkde.reference.rkhs import residual_norms

# Coordinates drawn by the strategies for limits are at most 8 in size: rows at 9, 10, ... are new.
_FIRST_NEW_COORDINATE: Final = 9.0


def with_a_next_step(problem: Problem, spec: LossSpec) -> Problem:
    """Return the problem at weights where the next step of KIRWLS exists in exact and in float arithmetic.

    Its own weights are kept if some residual is below the last threshold of Hampel's loss by more than the
    rounding of residuals; all weight on the first row, whose residual is then 0, takes their place otherwise.
    """
    if spec.name != "hampel":
        return problem
    ctx, kernel = bridge.context(), bridge.reference_kernel(problem.kernel)
    norms = [float(norm) for norm in residual_norms(ctx, problem.X, kernel, problem.weights)]
    errors = tolerances.residual_bound(norms, problem.weights, len(problem.X[0]))
    if min(norm + error for norm, error in zip(norms, errors, strict=True)) < spec.thresholds[-1]:
        return problem
    return Problem(problem.X, problem.kernel, [1.0] + [0.0] * (len(problem.X) - 1))


def with_locations(problem: Problem, count: int) -> Problem:
    """Return the problem with as many rows added as it lacks distinct ones; weights become uniform then."""
    rows = [list(row) for row in problem.X]
    missing = max(0, count - distinct_locations(rows))
    if not missing:
        return problem
    rows += [[_FIRST_NEW_COORDINATE + i] * len(rows[0]) for i in range(missing)]
    return Problem(rows, problem.kernel, [1 / len(rows)] * len(rows))


def with_median_off_the_rows(problem: Problem) -> Problem:
    """Return three or more distinct rows at a bandwidth that keeps f_med off all of them.

    With n distinct rows and kernel values of at most 1/2 between them the unit vectors from a row to the
    others have no obtuse angle, so |R_j|^2 >= n - 1 > 1, and no row obeys the rule of `median.location_rule`.
    At two bandwidths or more apart all three kernels are below 1/2.
    """
    rows = with_locations(problem, 3).X
    distinct: Rows = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    least = min(math.dist(row, other) for i, row in enumerate(distinct) for other in distinct[:i])
    kernel = KernelSpec(problem.kernel.name, least / 2, problem.kernel.dof)
    return Problem(distinct, kernel, [1 / len(distinct)] * len(distinct))
