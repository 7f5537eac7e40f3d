"""Mistakes that are the right answer for another kernel: its bandwidth, its columns, its exponent."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import as_decimal
from rkde.conformance.diagnosis.asking import changed, log_peak
from rkde.conformance.diagnosis.model import Answer, Pattern, agrees
from rkde.conformance.diagnosis.values import mapped, member, numbers, parameter, table
from rkde.conformance.vectors import Case

LOGS: Final = ("log_kernel", "log_density")
# Numbers of these fields tell the kernel; certificates and the like do not.
_NUMBERS: Final = frozenset(
    {*LOGS, "bandwidth", "bandwidths", "residual_norms", "objective", "weights", "depth", "a", "b", "c"}
)
_WITH_ROWS: Final = frozenset(
    {
        *("kernel", "bandwidth", "residual_norms", "objective", "step", "median", "thresholds"),
        *("fixed_point", "log_density", "vkde", "depth", "rkde"),
    }
)
# In other operations each guess is slow, or the bandwidth shows elsewhere too.
_WITH_KERNEL: Final = frozenset(
    {"kernel", "residual_norms", "objective", "step", "median", "thresholds", "log_density", "depth"}
)
_NORMS: Final = _WITH_KERNEL - {"kernel", "log_density"}
_FEW_COLUMNS: Final = (1, 2)


def columns(case: Case) -> int:
    """Return the number of columns of a request's rows; 0 where there is none."""
    rows = table(case, "X")
    point = case.request.get("x")
    return len(rows[0]) if rows else len(point) if isinstance(point, list) else 0


def _with_bandwidth(change: Callable[[float], float], case: Case) -> Iterator[Answer]:
    """Yield the answer for another bandwidth: with its own normaliser, with the right one, and with none."""
    h, peak = parameter(case, "kernel", "bandwidth"), log_peak(case)
    # Where squares of distances overflow or vanish, any bandwidth answers the same.
    if h is None or not 0 < h * h < math.inf or change(h) == h or peak is None:
        return
    kernel = {**cast(dict[str, Json], case.request["kernel"]), "bandwidth": change(h)}
    found = _only_numbers(changed(case, kernel=kernel))
    to_right = columns(case) * math.log(change(h) / h)
    yield from (_shifted(found, shift) for shift in (0.0, to_right, to_right - peak))


def _other_bandwidth(
    change: Callable[[float], float], members: frozenset[str], case: Case, answer: Answer
) -> bool:
    if member(case, "kernel") not in members:
        return False
    return any(agrees(case, answer, found) for found in _with_bandwidth(change, case))


def _first_columns(case: Case, answer: Answer) -> bool:
    """Compare with the answer for the first columns alone, its logarithms with either normaliser."""
    for count in _FEW_COLUMNS:
        if columns(case) <= count:
            # Such a mistake does not show here.
            agrees(case, answer, {})
            continue
        cut: dict[str, Json] = {
            name: [cast(list[Json], row)[:count] for row in cast(list[Json], case.request[name])]
            for name in ("X", "Y", "queries")
            if name in case.request
        }
        if "x" in case.request:
            cut["x"] = cast(list[Json], case.request["x"])[:count]
        found = _only_numbers(changed(case, **cut))
        whole, part = log_peak(case), log_peak(case, count)
        shift = 0.0 if whole is None or part is None else whole - part
        if agrees(case, answer, found) or agrees(case, answer, _shifted(found, shift)):
            return True
    return False


def _by_columns(case: Case, answer: Answer) -> bool:
    """Compare with exp(-|x_1 - y_1|/h) ... exp(-|x_d - y_d|/h), with the normaliser of either kernel."""
    h, count, point = parameter(case, "kernel", "bandwidth"), columns(case), numbers(case.request.get("x"))
    peak = log_peak(case)
    if member(case, "kernel") != "laplacian" or not h or count < 2 or peak is None:
        return False
    rows = table(case, "Y")
    sums = [-sum(abs(x - y) / h for x, y in zip(point, row, strict=True)) for row in rows]
    product = -count * math.log(2 * h)
    return any(
        agrees(case, answer, {"log_kernel": [value + constant for value in sums]})
        for constant in (peak, product, 0.0)
    )


def _exponent_of_one_column(case: Case, answer: Answer) -> bool:
    nu, count, peak = parameter(case, "kernel", "dof"), columns(case), log_peak(case)
    if member(case, "kernel") != "student" or nu is None or count < 2 or peak is None:
        return False
    factor = (nu + 1) / (nu + count)
    return agrees(case, answer, mapped(case, LOGS, lambda value: peak + factor * (value - peak)))


def _only_numbers(answer: Answer) -> dict[str, Json]:
    return {name: value for name, value in answer.items() if name in _NUMBERS}


def _shifted(answer: Answer, shift: float) -> dict[str, Json]:
    """Add a constant to the logarithms of an answer."""
    return {
        name: [_plus(entry, shift) for entry in value] if name in LOGS and isinstance(value, list) else value
        for name, value in answer.items()
    }


def _plus(entry: Json, shift: float) -> Json:
    number = as_decimal(entry)
    return entry if number is None else float(number) + shift


_GAUSSIAN: Final = frozenset({"gaussian"})
_EVERY: Final = frozenset({"gaussian", "laplacian", "student"})
_KERNELS: Final = "section 2; docs/protocol.md"
PATTERNS: Final = (
    Pattern(
        "exponent-without-half",
        "the Gaussian's exponent is doubled: exp(-x^2/h^2) instead of exp(-x^2/(2 h^2))?",
        "equation (2); docs/protocol.md",
        _WITH_KERNEL,
        partial(_other_bandwidth, lambda h: h / math.sqrt(2), _GAUSSIAN),
    ),
    Pattern(
        "bandwidth-left-out",
        "the answer for a bandwidth of 1: are distances divided by h?",
        _KERNELS,
        _WITH_KERNEL,
        partial(_other_bandwidth, lambda _: 1.0, _EVERY),
    ),
    Pattern(
        "bandwidth-for-variance",
        "the bandwidth is taken for a variance: distances must be divided by h, not by h^(1/2)",
        "equation (2); docs/protocol.md",
        _WITH_KERNEL,
        partial(_other_bandwidth, math.sqrt, _EVERY),
    ),
    Pattern(
        "l2-gram",
        "the inner products are those of L2, with the bandwidth 2^(1/2) h: in the paper's space they are "
        "k(x, y) itself",
        "section 2; docs/idea.md",
        _NORMS,
        partial(_other_bandwidth, lambda h: h * math.sqrt(2), _GAUSSIAN),
    ),
    Pattern(
        "first-columns", "only the first columns of the data are used", _KERNELS, _WITH_ROWS, _first_columns
    ),
    Pattern(
        "laplacian-by-columns",
        "the Laplacian kernel has the sum of |x_j - y_j|, not the Euclidean distance",
        _KERNELS,
        frozenset({"kernel"}),
        _by_columns,
    ),
    Pattern(
        "exponent-of-one-column",
        "the Student kernel's exponent is (nu + 1)/2, that of one column: it must be (nu + d)/2",
        "section 2; docs/errata.md, entry 4",
        frozenset({"kernel"}),
        _exponent_of_one_column,
    ),
)
