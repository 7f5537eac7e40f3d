"""Numbers that float64 cannot hold are refused, not rounded: integers beyond 2^53 and wide floats."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rkde.errors import InvalidInput
from tests.errors.expected import Refusal, assert_refused
from tests.support.implementations import FAST

ODD = 2**53 + 1
LARGEST_SIGNED = 2**63 - 1
LARGEST_UNSIGNED = 2**64 - 1
WIDE = np.longdouble(1) + np.finfo(np.longdouble).eps
HAS_WIDE = float(WIDE) != WIDE

LOST: dict[str, tuple[Callable[[], Any], Any]] = {
    "int64": (lambda: np.array([[0], [ODD], [ODD]]), ODD),
    "negative int64": (lambda: np.array([[0], [-ODD], [1]]), -ODD),
    "largest int64": (lambda: np.array([[0], [LARGEST_SIGNED]]), LARGEST_SIGNED),
    "uint64": (lambda: np.array([[0], [ODD]], dtype=np.uint64), ODD),
    "largest uint64": (lambda: np.array([[0], [LARGEST_UNSIGNED]], dtype=np.uint64), LARGEST_UNSIGNED),
    "other byte order": (lambda: np.array([[0], [ODD]], dtype=">i8"), ODD),
    "ints": (lambda: [[0], [ODD]], ODD),
    "an int among floats": (lambda: [[0.5], [ODD], [1.5]], ODD),
    "beyond 64 bits": (lambda: [[0], [2**80 + 1]], 2**80 + 1),
    "objects": (lambda: np.array([[0.5], [ODD]], dtype=object), ODD),
    "numpy integers as objects": (lambda: np.array([[0.5], [np.int64(ODD)]], dtype=object), ODD),
}
KEPT: dict[str, Callable[[], Any]] = {
    "int64": lambda: np.array([[0], [2**53], [-(2**60)], [-(2**63)]]),
    "uint64": lambda: np.array([[0], [2**63]], dtype=np.uint64),
    "ints": lambda: [[0], [2**53 + 2]],
    "an int among floats": lambda: [[0.5], [2**53 + 2], [1e300]],
    "beyond 64 bits": lambda: [[0], [2**80]],
    "longdouble": lambda: np.array([[0.1], [3.0]], dtype=np.longdouble),
    "int32": lambda: np.array([[-(2**31)], [2**31 - 1]], dtype=np.int32),
    "floats": lambda: np.array([[float(ODD)], [1e300]]),
}


@pytest.mark.parametrize(("make", "value"), LOST.values(), ids=LOST)
def test_a_table_that_would_lose_digits_is_refused(make: Callable[[], Any], value: Any) -> None:
    says = ("row 1, column 0", "X", "scale", "offset", "floats")
    assert_refused(
        FAST, Refusal("lost", lambda m: m.call("rkde", make(), bandwidth=1.0), InvalidInput, says, value)
    )


@pytest.mark.skipif(not HAS_WIDE, reason="longdouble is float64 on this machine")
@pytest.mark.parametrize("dtype", [np.longdouble, object])
def test_a_wide_float_that_would_lose_digits_is_refused(dtype: type) -> None:
    X = np.array([[np.longdouble(0)], [WIDE]], dtype=dtype)
    refusal = Refusal("wide", lambda m: m.call("median_nn", X), InvalidInput, ("row 1, column 0",), WIDE)
    assert_refused(FAST, refusal)


@pytest.mark.parametrize("make", KEPT.values(), ids=KEPT)
def test_what_float64_holds_is_kept(make: Callable[[], Any]) -> None:
    table = make()
    given = np.asarray(table, dtype=object).tolist()
    kept = FAST.call("kde", table, FAST.get("Gaussian")(1.0)).X
    assert kept.dtype == np.float64
    assert kept.tolist() == given
