"""The exact limits of the problems of `instances`, enclosed once, and the distances of answers from them."""

from functools import cache
from typing import Any, Final

from mpmath import mpf

from tests.certificates.instances import Instance
from tests.support.balls import certify, flint
from tests.support.implementations import REFERENCE, numbers

# Finer than float64, and than 40 digits, after the square root of a distance; proofs may then need more.
BITS: Final = {"fast": 160, "reference": 320}
# Holds any number of an answer exactly.
_ANSWER_BITS: Final = max(BITS.values())


@cache
def enclosed(instance: Instance, judged: str = "fast") -> Any:
    """The limit of KIRWLS from uniform weights: proved to be the one that the iteration reaches."""
    found = certify.certify_limit(
        instance.X, REFERENCE.kernel(instance.kernel), REFERENCE.loss(instance.loss), bits=BITS[judged]
    )
    assert found.branch_proved, found.reason
    return found


def distances(instance: Instance, weights: object, judged: str = "fast") -> tuple[Any, Any]:
    """|f_w - f*| in tau, and the largest |w_i - w_i*|: balls."""
    entries: list[mpf] = numbers(weights)
    kernel = REFERENCE.kernel(instance.kernel)
    target = enclosed(instance, judged).weights
    return certify.enclose_distance(instance.X, kernel, entries, target, bits=BITS[judged])


def excess(instance: Instance, weights: object) -> Any:
    """J(f_w) - J(f*): a ball."""
    value = certify.enclose_objective(
        instance.X,
        REFERENCE.kernel(instance.kernel),
        REFERENCE.loss(instance.loss),
        numbers(weights),
        bits=BITS["fast"],
    )
    with certify.working_bits(_ANSWER_BITS):
        return value - enclosed(instance).objective


def ball(value: object) -> Any:
    """A number of an answer as a ball without radius."""
    (number,) = numbers(value)
    if number == float("inf"):
        return flint.arb.pos_inf()
    with certify.working_bits(_ANSWER_BITS):
        return flint.arb(number)


def assert_near(found: Any, distances: tuple[Any, Any]) -> None:
    """Assert that an answer is as near to a limit as it says, given its two distances from it."""
    assert distances[0] <= ball(found.error_bound)
    assert distances[1] <= ball(found.weights_error_bound)
