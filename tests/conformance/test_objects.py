"""`rkde.conformance.check`: Python objects, modules and functions against the vectors."""

import statistics
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mpmath import MPContext, mp

from rkde.adapter import fast_implementation
from rkde.conformance import Outcome, VectorsError, check, load_vectors
from rkde.conformance.objects import _plain
from rkde.errors import InvalidInput
from tests.conformance.wrong.answering import asking_with
from tests.conformance.wrong.example import asking, fresh_copy
from tests.conformance.wrong.seeds import SEEDS


@pytest.fixture
def few(vectors_of: Callable[..., Path]) -> Path:
    """A folder with the vectors of two operations."""
    return vectors_of("bandwidth", "loss")


class Mine:
    """One operation right, one not there."""

    def loss(self, loss: dict[str, Any], t: list[float]) -> Mapping[str, object]:
        plain = fresh_copy()
        try:
            answer: Mapping[str, object] = plain.op_loss(loss, t)
        except plain.Refused as error:
            raise InvalidInput(error.args[1]) from error
        # Arrays and tuples are as good as lists.
        return {**answer, "rho": tuple(answer["rho"]) if loss["name"] != "huber" else np.array(answer["rho"])}


class Half:
    """Bare values, its own error classes, and an operation that it gives up."""

    class DegenerateBandwidth(ValueError):  # noqa: N818 -- the protocol's name
        """Named like the protocol's."""

    def bandwidth(self, X: object, rule: str) -> float:
        if rule not in ("median_nn", "median_nn_distinct", "scott", "silverman"):
            raise TypeError(rule)
        found = fresh_copy()
        try:
            return float(found.op_bandwidth(X, rule)["bandwidth"])
        except found.Refused as error:
            kind = self.DegenerateBandwidth if error.args[0] == "DegenerateBandwidth" else ValueError
            raise kind(error.args[1]) from error

    def loss(self, loss: object, t: object) -> object:
        raise NotImplementedError


def test_an_object_is_asked_for_what_it_has(few: Path) -> None:
    report = check(Mine(), vectors=few)
    assert report.passed, str(report)
    outcomes = {result.op: result.outcome for result in report.results}
    assert outcomes == {"loss": Outcome.PASSED, "bandwidth": Outcome.UNSUPPORTED}


def test_errors_go_by_the_names_of_their_classes(few: Path) -> None:
    report = check(Half(), vectors=few)
    assert not report.passed
    assert {result.op for result in report.failures} == {"bandwidth"}
    assert all("Internal" in result.message for result in report.failures)
    assert "bandwidth/unknown-rule" in {result.id for result in report.failures}
    assert not [result for result in report.failures if "DegenerateBandwidth was expected" in result.message]


def test_a_function_of_the_whole_request_will_do(few: Path) -> None:
    assert check(asking(fresh_copy()), vectors=few).passed
    assert check(fast_implementation(), vectors=few).passed


def test_the_text_tells_what_failed_and_why(few: Path) -> None:
    (seed,) = (seed for seed in SEEDS if seed.name == "sign-of-q")
    text = str(check(asking_with(seed), vectors=few))
    count = sum(case.op == "bandwidth" for case in load_vectors(few))
    assert f"bandwidth: {count} of {count} passed" in text
    assert "FAILED loss/" in text
    assert "diagnosis: q has the wrong sign" in text


def test_only_some_levels_may_count(few: Path) -> None:
    # Bad input ends with exceptions that have no name of the protocol.
    assert check(Half(), vectors=few, levels=["core", "edges"]).passed
    assert not check(Half(), vectors=few, levels=["core", "errors"]).passed
    with pytest.raises(ValueError, match="full"):
        check(Half(), vectors=few, levels=["full"])


def test_a_tolerance_may_be_wider(few: Path) -> None:
    def rough(request: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = asking(fresh_copy())(request)
        found = answer.get("bandwidth")
        return answer if found is None else {**answer, "bandwidth": float(f"{float(found):.5g}")}

    assert not check(rough, vectors=few).passed
    assert check(rough, vectors=few, tolerance=1e-4).passed


def test_nothing_compared_is_not_a_pass(few: Path) -> None:
    assert not check(object(), vectors=few).passed
    with pytest.raises(VectorsError):
        check(object(), vectors=few / "missing")


@pytest.mark.parametrize(
    "kind",
    [
        float,
        lambda value: np.float64(float(value)),
        lambda value: np.array(float(value)),
        lambda value: np.longdouble(float(value)),
        lambda value: value,
        lambda value: mp.mpf(value.numerator) / value.denominator,
        lambda value: {"bandwidth": value},
    ],
    ids=["float", "float64", "array", "longdouble", "fraction", "mpf", "mapping"],
)
def test_any_kind_of_number_is_read(kind: Callable[[Any], object], few: Path) -> None:
    class Exact:
        """Answers what has an exact answer: one column of numbers, rule median_nn."""

        def bandwidth(self, X: list[list[float]], rule: str) -> object:
            if rule != "median_nn" or {len(row) for row in X} != {1} or len(X) < 3:
                raise NotImplementedError
            rows = [Fraction(row[0]) for row in X]
            nearest = [min(abs(x - y) for j, y in enumerate(rows) if j != i) for i, x in enumerate(rows)]
            if not (found := Fraction(statistics.median(nearest))):
                raise Half.DegenerateBandwidth
            return kind(found)

    report = check(Exact(), vectors=few)
    assert report.passed, str(report)


def test_a_number_of_mpmath_keeps_its_digits() -> None:
    context = MPContext()
    context.dps = 40
    for value in (context.mpf(1) / 3, -(context.mpf(2) ** 300) / 7, context.mpf("1e-400"), context.mpf(0)):
        assert abs(context.mpf(str(_plain(value))) - value) <= abs(value) * context.eps
    assert _plain(context.inf) == "inf"


def test_a_bare_value_for_many_fields_is_told(few: Path) -> None:
    class Bare:
        def loss(self, **_: object) -> object:
            return 1.0

    assert "loss must return a mapping of its fields, rho, psi" in str(check(Bare(), vectors=few))
