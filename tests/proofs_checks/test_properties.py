"""The six properties' problems are what they promise, and no draw of theirs is lost unseen."""

import itertools
import math

import pytest
from hypothesis import assume, reject, settings
from hypothesis import strategies as st

from rkde.proofs_checks import bridge, strategies, tolerances
from rkde.proofs_checks import property_cases as cases
from rkde.proofs_checks import property_integrals as integrals
from rkde.proofs_checks import property_measures as measures
from rkde.proofs_checks.draws import PAIRS, Pair, at_every_draw, run_draws
from rkde.proofs_checks.property_cases import Case
from rkde.proofs_checks.property_runs import PACKAGES
from rkde.reference.rkhs import RkhsElement, distance_matrix, residual_norms
from rkde.reference.solvers import fixed_point, kirwls_step

QUICK = settings.get_profile("quick")
STRATEGIES = (cases.path_cases, cases.limit_cases, cases.converging_cases, cases.tame_cases)


def every_case(check, strategy=cases.limit_cases, pairs=PAIRS, count: int = 1) -> None:
    """Run a check at some draws of each pair."""
    for pair in pairs:
        name = f"{check.__name__}_{pair.kernel}_{pair.loss}"
        begun, held = run_draws(check, strategy(pair), settings(QUICK, max_examples=count), name=name)
        assert held == begun >= count


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_cases_have_three_locations_and_three_positive_starts(strategy) -> None:
    def check(case: Case) -> None:
        assert strategies.distinct_locations(case.rows) >= 3
        assert 1 <= case.dim <= cases.MOST_DIMENSIONS
        assert len({tuple(start) for start in case.starts}) == 3
        for start in case.starts:
            assert len(start) == len(case.rows)
            assert min(start) > 0

    every_case(check, strategy)


def test_limits_have_curvature_and_a_pull() -> None:
    def check(case: Case) -> None:
        ctx, kernel = bridge.context(), bridge.reference_kernel(case.kernel)
        loss = bridge.reference_loss(case.loss)
        limit = fixed_point(ctx, case.rows, kernel, loss)
        norms = residual_norms(ctx, [*case.rows, case.x_new], kernel, [*limit.weights, 0])
        assert loss.phi(ctx, norms[-1]) > 0
        assert case.loss.name == "quadratic" or any(loss.q(ctx, norm) for norm in norms[:-1])

    every_case(check)


def pull(ctx, distances, at: int):
    """Return |R_j|, the norm of the sum of the unit vectors from Phi_j to the other locations."""
    others = [i for i, entry in enumerate(distances[at]) if entry]
    square = sum(
        (distances[i][at] + distances[k][at] - distances[i][k])
        / (2 * ctx.sqrt(distances[i][at] * distances[k][at]))
        for i in others
        for k in others
    )
    return ctx.sqrt(square), len(distances) - len(others)


def test_the_absolute_loss_has_its_minimum_off_the_rows_or_at_the_majority() -> None:
    seen = set()

    def check(case: Case) -> None:
        ctx = bridge.context()
        distances = distance_matrix(ctx, case.rows, bridge.reference_kernel(case.kernel))
        for i in range(len(case.rows)):
            size, count = pull(ctx, distances, i)
            assert (size < count) == (case.majority >= 0 and case.rows[i] == case.rows[case.majority])
        seen.add(case.majority >= 0)

    absolute = [pair for pair in PAIRS if pair.loss == "absolute"]
    every_case(check, cases.converging_cases, absolute, count=20)
    assert seen == {True, False}


def test_ties_near_ties_outliers_offsets_and_eight_columns_occur() -> None:
    seen = set()

    def check(case: Case) -> None:
        firsts = sorted({row[0] / case.kernel.bandwidth for row in case.rows})
        gaps = [right - left for left, right in itertools.pairwise(firsts)]
        seen.add(case.dim)
        seen.add("tie" if strategies.distinct_locations(case.rows) < len(case.rows) else "")
        seen.add("near tie" if min(gaps) < 1e-3 else "")
        seen.add("outlier" if max(gaps) > 1e3 else "")
        seen.add("offset" if abs(firsts[0]) > 1e3 else "")

    every_case(check, cases.path_cases, PAIRS[:1], count=200)
    assert seen >= {*range(1, 9), "tie", "near tie", "outlier", "offset"}


def run(body) -> None:
    """Run a body at every draw of a number below 100 as one of the checks."""
    at_every_draw(lambda _: st.integers(0, 99), 1.0)(body)(PAIRS[0])


def test_the_number_of_draws_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    def check_nothing(number: int) -> None:
        assert 0 <= number < 100

    run(check_nothing)
    default = (settings.default or settings()).max_examples
    assert capsys.readouterr().out == f"check_nothing, gaussian, quadratic: {default} draws\n"


@pytest.mark.parametrize("spoil", [lambda: reject(), lambda: assume(False), lambda: pytest.fail("no")])
def test_a_draw_that_fails_or_is_thrown_away_is_a_failure(spoil) -> None:
    def check_half(number: int) -> None:
        if number % 2:
            spoil()

    with pytest.raises((AssertionError, pytest.fail.Exception)):
        run(check_half)


def test_all_pairs_are_asked_of_both_packages() -> None:
    assert len({str(pair) for pair in PAIRS}) == 12
    assert str(Pair("student", "huber")) == "student, huber"
    assert [(package.name, package.is_fast) for package in PACKAGES] == [("reference", False), ("fast", True)]


def test_the_next_step_agrees_with_the_reference() -> None:
    def check(case: Case) -> None:
        ctx = bridge.fine_context()
        built = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
        point = measures.Point.at(ctx, case, case.starts[1])
        after = kirwls_step(ctx, case.rows, *built, case.starts[1])
        bound = tolerances.reference_step_error(bridge.FINE_DIGITS)
        for weight, step, expected in zip(point.weights, point.step, after, strict=True):
            assert float(abs(weight + step - expected)) <= bound
        element = RkhsElement(case.rows, point.step, built[0])
        length = measures.length(ctx, point.products, point.step)
        assert length == pytest.approx(element.norm(ctx), rel=bound, abs=bound)

    every_case(check, cases.path_cases, count=2)


def test_the_local_rate_is_that_of_the_last_steps() -> None:
    """With two of three locations equally far, Huber's step contracts by one number at every step."""
    ctx = bridge.context()
    kernel, loss = strategies.KernelSpec("gaussian", 1.0), strategies.LossSpec("huber", (0.25,))
    case = Case([[0.0], [1.0], [4.0]], kernel, loss, starts=([1 / 3] * 3,), x_new=[0.0])
    built = bridge.reference_kernel(case.kernel), bridge.reference_loss(case.loss)
    weights = [ctx.mpf(1) / 3] * 3
    lengths = []
    for _ in range(80):
        point = measures.Point.at(ctx, case, weights)
        lengths.append(measures.length(ctx, point.products, point.step))
        weights = list(kirwls_step(ctx, case.rows, *built, weights))
    rate = measures.local_rate(ctx, case, measures.Point.at(ctx, case, weights).products)
    assert 0 < rate < 1
    assert float(lengths[-1] / lengths[-2]) == pytest.approx(rate, rel=tolerances.printed_digits(6))


def test_the_rules_integrate_what_is_known() -> None:
    unit = 2.0
    nodes, shares = integrals.line_rule([-1.0, 0.5, 3.0], 24, unit)
    assert shares @ (1 / (1 + nodes**2)) == pytest.approx(math.pi, rel=tolerances.printed_digits(6))
    nodes, shares = integrals.space_rule([[-1.0, 0.0], [0.5, 2.0]], 24, unit)
    values = 1 / (1 + (nodes**2).sum(axis=1)) ** 2
    assert shares @ values == pytest.approx(math.pi, rel=tolerances.printed_digits(3))


def test_an_error_must_shrink_with_s() -> None:
    assert tolerances.shrunk(1.0, 0.0) > 0.5
    assert tolerances.shrunk(1.0, 0.0) < 1
    assert tolerances.shrunk(0.0, 1e-9) == 2e-9
