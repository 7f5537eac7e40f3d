"""Mistakes that show in densities and their logarithms."""

import math
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import changed, log_peak
from rkde.conformance.diagnosis.kernels import LOGS, columns
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Kind, Pattern, agrees, is_mapped
from rkde.conformance.diagnosis.values import mapped, numbers, parameter
from rkde.conformance.vectors import Case

_DENSITIES: Final = frozenset({"kernel", "log_density", "vkde"})
# A difference of two log gammas has lost so much of each of them.
_LOST: Final = 4 * 2.0**-52
# The logarithm of the smallest normal float64: below, densities lose digits, and are 0 soon.
_SMALLEST: Final = -708.0
# How equal shifts must be that differ by rounding alone.
_SAME_SHIFT: Final = 1e-3


def _shifted(case: Case, answer: Answer, shift: float | None) -> bool:
    return shift is not None and agrees(case, answer, mapped(case, LOGS, lambda value: value + shift))


def _printed_student(case: Case, answer: Answer) -> bool:
    dof = parameter(case, "kernel", "dof")
    return dof is not None and _shifted(case, answer, columns(case) / 2 * math.log(dof))


def _not_normalised(case: Case, answer: Answer) -> bool:
    peak = log_peak(case)
    return peak is not None and _shifted(case, answer, -peak)


def _one_column(case: Case, answer: Answer) -> bool:
    one, all_columns = log_peak(case, 1), log_peak(case)
    return one is not None and all_columns is not None and _shifted(case, answer, one - all_columns)


def _underflow(case: Case, answer: Answer) -> bool:
    """Tell whether entries are -inf just where a density, or its share of k(x, x), is 0 in float64."""
    if "UNDERFLOW" not in case.flags:
        return False
    peak = log_peak(case)
    scale = 0.0 if peak is None else peak
    lost = 0
    for name in LOGS:
        for given, right in _pairs(answer.get(name), case.expected.get(name)):
            value = float(str(right))
            if given != "-inf":
                if compare(name, given, right).error > AGREEMENT:
                    return False
            elif min(value, value - scale) > _SMALLEST:
                return False
            else:
                lost += right != "-inf"
    return lost > 0


def _pairs(given: object, right: object) -> list[tuple[Json, Json]]:
    return (
        list(zip(given, right, strict=False)) if isinstance(given, list) and isinstance(right, list) else []
    )


def _zero_weight(case: Case, answer: Answer) -> bool:
    """Tell whether logarithms are nan, and a weight is 0."""
    return 0 in numbers(case.request["weights"]) and _holds_nan(case, answer)


def _holds_nan(case: Case, answer: Answer) -> bool:  # noqa: ARG001
    given = answer.get("log_density")
    return isinstance(given, list) and "nan" in given


def _log_gammas(case: Case, answer: Answer) -> bool:
    """Tell a common shift by no more than some roundings of log Gamma(nu / 2)."""
    dof = parameter(case, "kernel", "dof")
    if dof is None or not 0 < dof < math.inf:
        return False
    lost = _LOST * abs(math.lgamma(dof / 2))
    shifts = [
        given - right
        for name in LOGS
        for given, right in zip(numbers(answer.get(name)), numbers(case.expected.get(name)), strict=False)
    ]
    if len(shifts) < 2 or not 0 < abs(shifts[0]) <= lost:
        return False
    return all(abs(shift / shifts[0] - 1) <= _SAME_SHIFT for shift in shifts)


def _other_mean(case: Case, answer: Answer) -> bool:
    other = "abramson" if case.request.get("rule") == "geometric" else "geometric"
    return agrees(case, answer, changed(case, rule=other))


def _exponent_of_the_pilot(case: Case, answer: Answer) -> bool:
    """Tell whether bandwidths go with the reciprocal of the pilot density, not with its square root."""
    h = parameter(case, "kernel", "bandwidth") or 0.0
    # Squares that underflow tell of no exponent.
    if h * h == 0:
        return False
    return agrees(case, answer, mapped(case, ("bandwidths",), lambda value: value**2 / h))


_KERNELS: Final = "section 2; docs/protocol.md"
_LOGARITHMS: Final = "docs/numbers.md"
_PILOT: Final = "section 6.1.2; docs/errata.md, entry 25"
PATTERNS: Final = (
    Pattern(
        "printed-student-constant",
        "off by nu^(d/2): the Student constant as it is printed lacks the power -d/2 of nu",
        "section 2; docs/errata.md, entry 4",
        _DENSITIES,
        _printed_student,
    ),
    Pattern(
        "not-normalised",
        "off by k(x, x): is the kernel's normalising constant left out?",
        _KERNELS,
        _DENSITIES,
        _not_normalised,
        Kind.REPORTED,
    ),
    Pattern(
        "constant-of-one-column",
        "the normalising constant is that of one-dimensional data",
        _KERNELS,
        _DENSITIES,
        _one_column,
        Kind.REPORTED,
    ),
    Pattern(
        "other-pilot-mean",
        "the geometric and the arithmetic mean of the pilot density are exchanged",
        _PILOT,
        frozenset({"vkde"}),
        _other_mean,
    ),
    Pattern(
        "exponent-of-the-pilot",
        "the bandwidths are proportional to 1/f of the pilot, not to its root: h_i = h (eta/f(X_i))^(1/2)",
        _PILOT,
        frozenset({"vkde"}),
        _exponent_of_the_pilot,
    ),
    Pattern(
        "zero-weight",
        "not a number where a weight is 0: leave out rows of weight 0, or take their log weight as -inf "
        "and the largest of the finite terms as reference",
        "equation (7); docs/numbers.md",
        frozenset({"log_density"}),
        _zero_weight,
        most=True,
        concerns=_holds_nan,
    ),
    Pattern(
        "no-logarithm",
        "a density where its logarithm was asked for",
        _LOGARITHMS,
        _DENSITIES,
        is_mapped(LOGS, math.exp),
        Kind.REPORTED,
    ),
    Pattern(
        "base-ten",
        "logarithms to the base 10 instead of natural ones",
        _LOGARITHMS,
        _DENSITIES,
        is_mapped(LOGS, lambda value: value / math.log(10)),
        Kind.REPORTED,
    ),
    Pattern(
        "logarithm-of-underflow",
        "-inf where the density is only small: add logarithms (log-sum-exp), not densities",
        _LOGARITHMS,
        _DENSITIES,
        _underflow,
        Kind.SYMPTOM,
    ),
    Pattern(
        "difference-of-log-gammas",
        "digits lost for many degrees of freedom: log Gamma((nu + d)/2) - log Gamma(nu/2) cancels",
        _KERNELS,
        _DENSITIES,
        _log_gammas,
        Kind.SYMPTOM,
    ),
)
