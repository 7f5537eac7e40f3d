"""Mistakes that show in kernels, densities and bandwidths."""

from __future__ import annotations

import math
from typing import Final

from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import changed, log_peak
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Pattern, agrees
from rkde.conformance.diagnosis.values import mapped, member, numbers, parameter, table
from rkde.conformance.vectors import Case

_LOGS: Final = ("log_kernel", "log_density")
_DENSITIES: Final = frozenset({"kernel", "log_density", "vkde"})
# A difference of two log gammas has lost so much of each of them.
_LOST: Final = 4 * 2.0**-52
# How equal shifts must be that differ by rounding alone.
_SAME_SHIFT: Final = 1e-3
_BANDWIDTH: Final = frozenset({"bandwidth"})


def _columns(case: Case) -> int:
    rows = table(case, "X")
    point = case.request.get("x")
    return len(rows[0]) if rows else len(point) if isinstance(point, list) else 0


def _shifted(case: Case, answer: Answer, shift: float | None) -> bool:
    return shift is not None and agrees(case, answer, mapped(case, _LOGS, lambda value: value + shift))


def _printed_student(case: Case, answer: Answer) -> bool:
    dof = parameter(case, "kernel", "dof")
    return dof is not None and dof > 0 and _shifted(case, answer, _columns(case) / 2 * math.log(dof))


def _not_normalised(case: Case, answer: Answer) -> bool:
    peak = log_peak(case)
    return peak is not None and _shifted(case, answer, -peak)


def _one_column(case: Case, answer: Answer) -> bool:
    one, all_columns = log_peak(case, 1), log_peak(case)
    return one is not None and all_columns is not None and _shifted(case, answer, one - all_columns)


def _no_half(case: Case, answer: Answer) -> bool:
    peak = log_peak(case)
    if peak is None or member(case, "kernel") != "gaussian" or case.op != "kernel":
        return False
    # exp(-t) instead of exp(-t / 2), with or without the constant.
    doubled = mapped(case, _LOGS, lambda value: 2 * (value - peak) + peak)
    bare = mapped(case, _LOGS, lambda value: 2 * (value - peak))
    return agrees(case, answer, doubled) or agrees(case, answer, bare)


def _underflow(case: Case, answer: Answer) -> bool:
    return any(
        given == "-inf" and right != "-inf"
        for name in _LOGS
        for given, right in _pairs(answer.get(name), case.expected.get(name))
    )


def _pairs(given: object, right: object) -> list[tuple[object, object]]:
    return (
        list(zip(given, right, strict=False)) if isinstance(given, list) and isinstance(right, list) else []
    )


def _log_gammas(case: Case, answer: Answer) -> bool:
    """Tell a common shift by no more than some roundings of log Gamma(nu / 2)."""
    dof = parameter(case, "kernel", "dof")
    if dof is None or not 0 < dof < math.inf:
        return False
    lost = _LOST * abs(math.lgamma(dof / 2))
    shifts = [
        given - right
        for name in _LOGS
        for given, right in zip(numbers(answer.get(name)), numbers(case.expected.get(name)), strict=False)
    ]
    if len(shifts) < 2 or not 0 < abs(shifts[0]) <= lost:
        return False
    return all(abs(shift / shifts[0] - 1) <= _SAME_SHIFT for shift in shifts)


def _no_logarithm(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, _LOGS, math.exp))


def _base_ten(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, _LOGS, lambda value: value / math.log(10)))


def _other_mean(case: Case, answer: Answer) -> bool:
    other = "abramson" if case.request.get("rule") == "geometric" else "geometric"
    return agrees(case, answer, changed(case, rule=other))


_OTHER_RULE: Final = {
    "median_nn": "median_nn_distinct",
    "median_nn_distinct": "median_nn",
    "scott": "silverman",
    "silverman": "scott",
}


def _exchanged_rule(case: Case, answer: Answer) -> bool:
    other = _OTHER_RULE.get(str(case.request.get("rule")))
    if other is None:
        return False
    found = changed(case, rule=other)
    if not case.error:
        return agrees(case, answer, found)
    # A value where the asked rule has none: is it the other rule's?
    given = answer.get("bandwidth")
    return "bandwidth" in found and compare("bandwidth", given, found["bandwidth"]).error <= AGREEMENT


def _is_spread(case: Case) -> bool:
    return case.request.get("rule") in ("scott", "silverman")


def _population(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X"))
    factor = math.sqrt((n - 1) / n) if n else 0.0
    return _is_spread(case) and agrees(case, answer, mapped(case, ("bandwidth",), lambda h: h * factor))


def _summed(case: Case, answer: Answer) -> bool:
    factor = math.sqrt(_columns(case))
    return _is_spread(case) and agrees(case, answer, mapped(case, ("bandwidth",), lambda h: h * factor))


PATTERNS: Final = (
    Pattern(
        "printed-student-constant",
        "off by nu^(d/2): the Student constant as it is printed lacks the power -d/2 of nu",
        _DENSITIES,
        _printed_student,
    ),
    Pattern(
        "not-normalised",
        "off by k(x, x): is the kernel's normalising constant left out?",
        _DENSITIES,
        _not_normalised,
    ),
    Pattern(
        "constant-of-one-column",
        "the normalising constant is that of one-dimensional data",
        _DENSITIES,
        _one_column,
    ),
    Pattern(
        "exponent-without-half",
        "the Gaussian's exponent is doubled: exp(-x^2/h^2) instead of exp(-x^2/(2 h^2))?",
        frozenset({"kernel"}),
        _no_half,
    ),
    Pattern(
        "logarithm-of-underflow",
        "-inf where the density is only small: add logarithms (log-sum-exp), not densities",
        _DENSITIES,
        _underflow,
    ),
    Pattern(
        "difference-of-log-gammas",
        "digits lost for many degrees of freedom: log Gamma((nu + d)/2) - log Gamma(nu/2) cancels",
        _DENSITIES,
        _log_gammas,
    ),
    Pattern("no-logarithm", "a density where its logarithm was asked for", _DENSITIES, _no_logarithm),
    Pattern("base-ten", "logarithms to the base 10 instead of natural ones", _DENSITIES, _base_ten),
    Pattern(
        "other-pilot-mean",
        "the geometric and the arithmetic mean of the pilot density are exchanged",
        frozenset({"vkde"}),
        _other_mean,
    ),
    Pattern("exchanged-rule", "the answer of another bandwidth rule", _BANDWIDTH, _exchanged_rule),
    Pattern(
        "population-variance", "the variance is divided by n instead of n - 1", _BANDWIDTH, _population
    ),
    Pattern(
        "summed-variance", "the variances of the columns are added, not averaged", _BANDWIDTH, _summed
    ),
)  # fmt: skip
