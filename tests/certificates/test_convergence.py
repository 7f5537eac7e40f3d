"""From any positive start KIRWLS with a convex loss ends in the enclosed minimiser."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import rkde.fast as rk
import rkde.reference as rr
from rkde.proofs_checks import strategies
from rkde.vocabulary import Certificate, Stationarity, Status
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
