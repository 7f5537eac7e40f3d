"""Identities in letters that do not commute: what vanishes, what does not, and what rules add."""

import pytest

sympy = pytest.importorskip("sympy", reason='needs sympy: pip install "rkde[verify]"')
numpy = pytest.importorskip("numpy")
free_algebra = pytest.importorskip("rkde.proofs_checks.free_algebra")

A, B, INVERSE = free_algebra.letters("A B R")


def test_letters_are_a_tuple_that_does_not_commute() -> None:
    (alone,) = free_algebra.letters("A")
    assert alone == A
    assert not free_algebra.vanishes(A * B - B * A)


def test_products_are_expanded() -> None:
    assert free_algebra.vanishes((A + B) * (A - B) - A * A + A * B - B * A + B * B)
    assert not free_algebra.vanishes((A + B) * (A - B) - A * A + B * B)


def test_rules_are_applied_until_none_applies() -> None:
    rules = [(INVERSE * A, sympy.Integer(1))]
    assert free_algebra.vanishes(INVERSE * INVERSE * A * A - 1, rules)
    assert not free_algebra.vanishes(A * INVERSE - 1, rules)


def test_a_word_inside_a_longer_one_is_replaced() -> None:
    one_t, w, alpha = free_algebra.letters("1t w alpha")
    assert free_algebra.vanishes(A * one_t * w * alpha - A * alpha, [(one_t * w, sympy.Integer(1))])


@pytest.mark.parametrize("size", [1, 2, 5])
def test_what_vanishes_vanishes_for_matrices(size: int) -> None:
    expression = sympy.expand((1 + A * B) * A - A * (1 + B * A))
    assert free_algebra.vanishes(expression)
    rng = numpy.random.default_rng(size)
    left, right = rng.integers(-3, 4, size=(2, size, size))
    unit = numpy.eye(size, dtype=int)
    assert not ((unit + left @ right) @ left - left @ (unit + right @ left)).any()
