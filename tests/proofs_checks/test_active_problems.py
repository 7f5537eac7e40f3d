"""Problems on which Theorem 5 says something: they do, and a wrong answer is told from a right one."""

import math

import pytest
from hypothesis import given

pytest.importorskip("flint", reason='needs python-flint: pip install "rkde[verify]"')

from rkde.proofs_checks import active_problems, bridge, tolerances
from rkde.proofs_checks.active_problems import ActiveProblem
from rkde.reference.influence import influence
from rkde.reference.solvers import fixed_point


@given(active_problems.active_problems())
def test_some_residual_is_beyond_a(of: ActiveProblem) -> None:
    ctx, loss = bridge.context(), bridge.reference_loss(of.loss)
    limit = fixed_point(ctx, of.X, bridge.reference_kernel(of.kernel), loss)
    assert len({tuple(row) for row in of.X}) == len(of.X) >= 3
    assert max(limit.residual_norms) > ctx.convert(loss.kinks[0])


@pytest.mark.parametrize("of", [active_problems.EXAMPLE, active_problems.IN_THE_PLANE])
def test_a_wrong_coefficient_leaves_an_error(of: ActiveProblem) -> None:
    ctx, kernel, loss = bridge.context(), bridge.reference_kernel(of.kernel), bridge.reference_loss(of.loss)
    limit = fixed_point(ctx, of.X, kernel, loss)
    found = influence(ctx, of.X, kernel, loss, limit.weights, [of.x_new])
    right = [*found.if_coef[0], found.if_coef_new[0]]
    problem = (bridge.DIGITS, len(of.X), float(found.condition))
    bound = tolerances.equation_bound(*problem, active_problems.CANCELLATION)
    assert float(active_problems.equation_error(ctx, of, limit.weights, right)) <= bound
    for index in range(len(right)):
        wrong = [value * (1 + (index == i) * ctx.mpf("0.001")) for i, value in enumerate(right)]
        assert float(active_problems.equation_error(ctx, of, limit.weights, wrong)) > math.sqrt(bound)
