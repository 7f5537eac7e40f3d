"""From any positive start KIRWLS ends in a stationary point; a convex loss, in the enclosed minimiser."""

import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import rkde.fast as rk
import rkde.reference as rr
from rkde.fast.operators import DenseOperator
from rkde.proofs_checks import strategies, tolerances
from rkde.vocabulary import Certificate, FixedSteps, Stationarity, Status
from tests.support.balls import certify

RULE = Stationarity(1e-12)
CAP = 10_000
BITS = 128


def positive(weights: list[float]) -> np.ndarray:
    """Mix weights with equal ones, so that none is 0."""
    return (np.array(weights) + 1 / len(weights)) / 2


@given(strategies.scattered(3, 8, 2), st.sampled_from([0.0, 0.25, 0.5, 0.75]), st.integers(0, 2), st.data())
def test_a_convex_loss_ends_in_its_enclosed_minimiser(
    rows: list[list[float]], a: float, exponent: int, data: st.DataObject
) -> None:
    assume(strategies.distinct_locations(rows) >= 3)
    start, bandwidth = positive(data.draw(strategies.weight_vectors(len(rows)))), 2.0**exponent
    loss, exact_loss = (rk.Huber(a), rr.Huber(a)) if a else (rk.Absolute(), rr.Absolute())
    result = rk.kirwls(rows, rk.Gaussian(bandwidth), loss, weights_init=start, stop=RULE, max_iter=CAP)
    limit = certify.certify_limit(rows, rr.Gaussian(bandwidth), exact_loss, start="uniform", bits=BITS)
    # A data point with |R| near its multiplicity is approached slowly; that limit is known exactly instead.
    assume(limit.exact_weights is None)
    assert result.status is Status.CONVERGED
    assert result.fixed_point_residual <= RULE.tol
    assert limit.certificate is Certificate.GLOBAL
    distance, _ = certify.enclose_distance(
        rows, rr.Gaussian(bandwidth), [float(weight) for weight in result.weights], limit.weights, bits=BITS
    )
    assert float(distance.abs_lower()) <= result.error_bound


@given(strategies.scattered(3, 12, 2), st.integers(-1, 2), st.data())
def test_hampels_path_is_no_longer_than_its_descent_pays_for(
    rows: list[list[float]], exponent: int, data: st.DataObject
) -> None:
    assume(strategies.distinct_locations(rows) >= 3)
    start = positive(data.draw(strategies.weight_vectors(len(rows))))
    operator, loss = DenseOperator(rows, rk.Gaussian(2.0**exponent)), rk.Hampel(0.5, 0.75, 1.25)
    arguments = (operator.X, operator.kernel, loss)
    end = rk.kirwls(*arguments, weights_init=start, stop=RULE, max_iter=CAP, operator=operator)
    assert end.status is Status.CONVERGED
    # J(f) - J(Tf) >= gamma / (2 n) |Tf - f|^2 at each step, so the steps add up to a finite length.
    weights, size = start, len(rows)
    for _ in range(end.n_iter):
        # Each step is judged by itself: near a saddle, rounding decides which way a path leaves it.
        step = rk.kirwls(*arguments, weights_init=weights, stop=FixedSteps(1), operator=operator)
        before, after = step.objective_path
        change = step.weights - weights / weights.sum()
        length = math.sqrt(max(-float(change @ operator.product(change)) / 2, 0.0))
        phi_sum = float(loss.phi(operator.residual_norms(weights / weights.sum())).sum())
        # Two values of J, each a mean of squares from sums of n terms whose entries carry about 30 roundings.
        rounding = tolerances.sum_bound(2 * (4 * size + 64)) * before
        assert phi_sum / (2 * size) * length**2 <= before - after + rounding
        weights = step.weights
