"""The reference's matrices are computed once a run: n^2/2 kernels at 40 digits cost more than the steps."""

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from rkde.reference import distance_matrix

REMEMBERED = 64  # matrices, of which the largest holds 272^2 numbers


@pytest.fixture(autouse=True, scope="package")
def _remember_matrices() -> Iterator[None]:
    """Put a cache in front of a pure function; the values are the reference's own."""

    @lru_cache(maxsize=REMEMBERED)
    def computed(ctx: Any, precision: int, rows: tuple[tuple[float, ...], ...], kernel: Any) -> Any:
        assert ctx.prec == precision
        return distance_matrix(ctx, rows, kernel)

    def remembered(ctx: Any, X: Any, kernel: Any) -> Any:
        return computed(ctx, ctx.prec, tuple(map(tuple, X)), kernel)

    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            # Others have such a name too, and warn where it is read.
            is_ours = name.startswith("rkde.reference")
            if is_ours and getattr(module, "distance_matrix", None) is distance_matrix:
                patch.setattr(module, "distance_matrix", remembered)
        yield
