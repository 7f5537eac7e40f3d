"""Planted faults of the claims about float64."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults._fault import Made


def _half(right: Made) -> Made:
    return lambda *given: right(*given) / 2


def _single(right: Made) -> Made:
    def product(*given: Any) -> Any:
        return np.asarray(right(*given), dtype=np.float32).astype(np.float64)

    return product


def _exact(right: Made) -> Made:
    def enclosed(*given: Any) -> Any:
        found = right(*given)
        return replace(found, squared_radii=np.zeros_like(found.norms))

    return enclosed


FAULTS: Final = (
    Fault(
        name="a product has no underflow",
        claims=("roundings.model",),
        plant=restated("roundings", "_U * abs(product) + _ETA", "_U * abs(product)"),
        caught_by=("check_the_model_of_one_rounding",),
    ),
    Fault(
        name="gamma_k is half as large",
        claims=("roundings.factor",),
        plant=replaced("rkde.fast._float64.rounding.sum_factor", _half),
        caught_by=("check_the_computed_factor",),
    ),
    Fault(
        name="numbers added in pairs are rounded once",
        claims=("roundings.sum", "roundings.mean"),
        plant=restated("roundings", "lambda count: (count - 1).bit_length()", "lambda count: 0"),
        caught_by=("check_sums_in_several_orders", "check_means_in_several_orders"),
    ),
    Fault(
        name="products are rounded to float32",
        claims=("roundings.product",),
        plant=replaced("rkde.fast._float64.rounding.blocked_product", _single),
        caught_by=("check_products_in_blocks",),
    ),
    Fault(
        name="squared residuals are exact",
        claims=("roundings.residual",),
        plant=replaced("rkde.fast.solvers.curvature.enclose_residuals", _exact),
        caught_by=("check_squared_residuals",),
    ),
)
