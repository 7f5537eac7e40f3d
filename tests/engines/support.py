"""The engines under test, built directly so that no rule of choice stands between."""

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

from rkde.fast._float64 import distances
from rkde.fast.operators import (
    CellsOperator,
    DenseOperator,
    ForeignOperator,
    SparseOperator,
    TiledOperator,
    TriangleOperator,
    as_linear_operator,
)

Array = np.ndarray


def by_products(X: Any, kernel: Any) -> TriangleOperator:
    """Build an operator whose distances come from products of centred rows, however few there are."""
    with mock.patch.multiple(distances, _MANY_COLUMNS=1, _MANY_ROWS=1):
        return TriangleOperator(X, kernel)


BUILDERS: dict[str, Callable[[Any, Any], Any]] = {
    "dense": DenseOperator,
    "triangle": TriangleOperator,
    "products": by_products,
    "sparse": SparseOperator,
    "cells": CellsOperator,
    "tiled": TiledOperator,
    "foreign": lambda X, kernel: ForeignOperator(
        X, kernel, as_linear_operator(DenseOperator(X, kernel)), entry_error=2.0**-40
    ),
}
each_engine = pytest.mark.parametrize("engine", list(BUILDERS))
# What users can ask for by name.
each_name = pytest.mark.parametrize("engine", ["dense", "sparse", "cells", "tiled"])


def serves(engine: str, kernel_name: str, dim: int) -> bool:
    """Tell whether an engine takes this kernel and so many columns."""
    if engine == "cells":
        return kernel_name == "gaussian" and dim <= 3
    return engine != "sparse" or can_truncate(kernel_name)


def can_truncate(kernel_name: str) -> bool:
    """Tell whether the sparse engine takes this kernel."""
    return kernel_name != "student"


def contaminated(n: int, dim: int, seed: int = 20120901) -> Array:
    """Return normal rows, a tenth of them uniform over a box, with a tie, and one far outlier."""
    rng = np.random.default_rng(seed)
    rows = np.vstack([rng.standard_normal((n - n // 10, dim)), rng.uniform(-6, 6, (n // 10, dim))])
    rows[1] = rows[0]
    rows[2] = 1e6
    return rows
