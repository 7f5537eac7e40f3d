"""Claims about the stopping rule |J_k+1 - J_k| / J_k < 1e-8 (section 6.1.2)."""

from itertools import pairwise
from typing import Final

import pytest
import z3
from flint import arb

from rkde.fast.solvers import kirwls as fast_kirwls
from rkde.proofs_checks import bridge, witnesses
from rkde.proofs_checks.claim import Claim, Level, Source, Verdict, evidence
from rkde.proofs_checks.decide import has_model
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.reference.certify import certify_limit, enclose_steps
from rkde.reference.losses import Hampel, Huber
from rkde.reference.solvers import kirwls
from rkde.vocabulary import Certificate, RelativeObjective, Status

NEAR_SADDLE = Claim(
    id="stopping.near_a_saddle",
    label="ssec:exp_setup (stopping rule)",
    section="6.1.2",
    statement="When the rule holds, the weights are close to their limit.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "X = {-2.1, -1.9, 1.9, 2.1}, sigma = 1, Hampel(0.3, 0.6, 1.2), start (0.250001, 0.250001, 0.249999, "
        "0.249999): the first step changes J by 7.2e-10 of itself, so the rule stops with all weights near "
        "1/4; the proved limit is (1/2, 1/2, 0, 0)."
    ),
    counterexample=("check_the_rule_stops_far_from_the_limit",),
    source=Source.IMPLIED,
)
CHANGES_GROW = Claim(
    id="stopping.changes_may_grow",
    label="ssec:exp_setup (stopping rule), thm:convergence_bm",
    section="6.1.2",
    statement="The relative decreases of J shrink from step to step, so a small one announces the end.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument=(
        "The start of stopping.near_a_saddle: the second decrease is 3.2e-10 of J, and each of the next "
        "nine is more than 5 times the one before, up to 0.0023."
    ),
    counterexample=("check_decreases_grow",),
    source=Source.IMPLIED,
)
WHAT_IT_BOUNDS = Claim(
    id="stopping.what_it_bounds",
    label="ssec:exp_setup (stopping rule), eqn:Q3",
    section="6.1.2",
    statement=(
        "A relative decrease below e bounds the last step: |f_k+1 - f_k| <= (2 n e J_k / sum phi)^(1/2), "
        "the phi being those of the iterate f_k."
    ),
    hypotheses=("phi_nonincreasing", "rho is continuous at 0", "sum phi > 0"),
    verdict=Verdict.HOLDS,
    level=Level.FORMAL,
    argument=(
        "J_k - J_k+1 >= (sum phi / 2n)|f_k+1 - f_k|^2 (descent.amount), solved for the step. It bounds "
        "neither the distance to the limit nor later steps (stopping.near_a_saddle, "
        "stopping.changes_may_grow)."
    ),
    source=Source.UNSPECIFIED,
)
ZERO = Claim(
    id="stopping.zero_objective",
    label="ssec:exp_setup (stopping rule)",
    section="6.1.2",
    statement="The quotient of the stopping rule is defined at every iterate.",
    verdict=Verdict.FAILS,
    level=Level.CERTIFIED,
    argument="With one row, or equal rows, J = 0 and the quotient is 0/0; both implementations stop at once.",
    counterexample=("check_objective_is_exactly_zero",),
    source=Source.IMPLIED,
)

_LEVEL: Final = "1e-8"
_GROWTH_STEPS: Final = 11
_FACTOR: Final = 5


def _relative_decreases(count: int) -> list[arb]:
    steps = enclose_steps(
        witnesses.PAIRS, witnesses.PAIRS_KERNEL, witnesses.PAIRS_LOSS, witnesses.NEARLY_EVEN, count
    )
    values = steps.objectives
    return [(values[k] - values[k + 1]) / values[k] for k in range(count)]


@evidence(NEAR_SADDLE, level=Level.CERTIFIED)
def check_the_rule_stops_far_from_the_limit() -> None:
    """Enclose the first step, its decrease, and the limit: the weights are off by a quarter each."""
    start = witnesses.NEARLY_EVEN
    first = enclose_steps(witnesses.PAIRS, witnesses.PAIRS_KERNEL, witnesses.PAIRS_LOSS, start, 1)
    assert arb("7.2e-10") < _relative_decreases(1)[0] < arb("7.3e-10") < arb(_LEVEL)
    limit = certify_limit(witnesses.PAIRS, witnesses.PAIRS_KERNEL, witnesses.PAIRS_LOSS, start)
    assert limit.branch_proved
    assert limit.certificate == Certificate.LOCAL_MINIMUM
    for stopped, final in zip(first.weights, limit.weights, strict=True):
        assert abs(stopped - final) > arb("0.24")


@evidence(NEAR_SADDLE, level=Level.TESTED, corroborates=True)
def check_implementations_stop_there_too() -> None:
    """Run both with the paper's rule: they stop after one step, as the rule says."""
    spec, kernel = LossSpec("hampel", (0.3, 0.6, 1.2)), KernelSpec("gaussian", 1.0)
    rows = [[float(cell) for cell in row] for row in witnesses.PAIRS]
    start = [float(weight) for weight in witnesses.NEARLY_EVEN]
    rule = RelativeObjective(float(_LEVEL))
    fast = fast_kirwls(
        rows, bridge.fast_kernel(kernel), bridge.fast_loss(spec), weights_init=start, stop=rule
    )
    slow = kirwls(
        bridge.context(),
        rows,
        bridge.reference_kernel(kernel),
        bridge.reference_loss(spec),
        weights_init=start,
        stop=rule,
    )
    for result in (fast, slow):
        assert result.status == Status.CONVERGED
        assert result.n_iter == 1


@evidence(CHANGES_GROW, level=Level.CERTIFIED)
def check_decreases_grow() -> None:
    """Enclose eleven steps: from the second on each decrease exceeds five times the one before."""
    changes = _relative_decreases(_GROWTH_STEPS)
    assert arb("3.2e-10") < changes[1] < arb("3.3e-10")
    assert arb("0.00228") < changes[-1] < arb("0.00229")
    for earlier, later in pairwise(changes[1:]):
        assert later > _FACTOR * earlier


@evidence(WHAT_IT_BOUNDS, level=Level.PROVED)
def check_step_is_bounded() -> None:
    """Refute a longer step; a step of exactly the bound is possible."""
    step, before, after, phi, level, count = z3.Reals("step J_k J_next phi e n")
    known = [count > 0, phi > 0, before > 0, level > 0, step >= 0, before - after <= level * before]
    descent = 2 * count * (before - after) >= phi * step * step
    assert not has_model(*known, descent, step * step * phi > 2 * count * level * before)
    assert has_model(*known, descent, step * step * phi == 2 * count * level * before)


@evidence(ZERO, level=Level.CERTIFIED)
@pytest.mark.parametrize("count", [1, 3])
def check_objective_is_exactly_zero(count: int) -> None:
    """Enclose J at the start and after a step: it is the number 0, so the quotient is 0/0."""
    rows, weights = [["0.5"]] * count, ["1", *["0"] * (count - 1)]
    for loss in (Huber(1), Hampel("0.3", "0.6", "1.2")):
        steps = enclose_steps(rows, witnesses.PAIRS_KERNEL, loss, weights, 1)
        assert all(value.is_zero() for value in steps.objectives)


@evidence(ZERO, level=Level.TESTED, corroborates=True)
@pytest.mark.parametrize("count", [1, 3])
def check_equal_rows_have_zero_objective(count: int) -> None:
    """J is exactly 0 in both implementations, which say so instead of dividing."""
    rows, spec, kernel = [[0.5]] * count, LossSpec("huber", (1.0,)), KernelSpec("gaussian", 1.0)
    fast = fast_kirwls(rows, bridge.fast_kernel(kernel), bridge.fast_loss(spec))
    slow = kirwls(bridge.context(), rows, bridge.reference_kernel(kernel), bridge.reference_loss(spec))
    for result in (fast, slow):
        assert result.objective == 0
        assert result.status in (Status.SINGLE_LOCATION, Status.CONVERGED)
