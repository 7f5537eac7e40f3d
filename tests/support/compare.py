"""Exact comparison: one rule for what "agrees within a bound" means, so that no test writes its own."""

import mpmath

from tests.support.implementations import EXACT, exact, numbers


def assert_within(actual: object, expected: object, bound: object, label: str = "") -> None:
    """Assert |actual - expected| <= bound entry by entry; NaN never passes, an infinity only equals itself.

    Strings are exact decimals; a single bound is that of all entries.
    """
    got, want = numbers(actual), numbers(expected)
    assert len(got) == len(want), f"{label}: {len(got)} numbers against {len(want)}"
    bounds = numbers(bound)
    bounds = bounds * len(got) if len(bounds) == 1 else bounds
    assert len(bounds) == len(got), f"{label}: {len(bounds)} bounds for {len(got)} numbers"
    for index, (left, right, limit) in enumerate(zip(got, want, bounds, strict=True)):
        assert EXACT.isfinite(limit), f"{label}[{index}]: the bound {limit} cannot fail"
        if left == right:
            continue
        assert abs(left - right) <= limit, (
            f"{label}[{index}]: {EXACT.nstr(left, 20)} against {EXACT.nstr(right, 20)}, "
            f"off by {EXACT.nstr(abs(left - right), 3)}, bound {EXACT.nstr(limit, 3)}"
        )


def assert_relative(actual: object, expected: object, bound: object, label: str = "") -> None:
    """Assert |actual - expected| <= bound * |expected| entry by entry."""
    limit = exact(bound)
    assert_within(actual, expected, [limit * abs(value) for value in numbers(expected)] or [limit], label)


def assert_relative_to_largest(actual: object, expected: object, bound: object, label: str = "") -> None:
    """Assert max|actual - expected| <= bound * max|expected|: the measure for weights and residual norms."""
    assert_within(actual, expected, exact(bound) * largest(expected), label)


def largest(values: object) -> mpmath.mpf:
    """The largest magnitude of a vector."""
    return max(abs(value) for value in numbers(values))


def total(values: object) -> mpmath.mpf:
    """The exact sum of a vector."""
    return sum(numbers(values), exact(0))
