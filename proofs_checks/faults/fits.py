"""Planted faults for the numbers counted over all fits of the experiments."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

_A_RUN: Final = "reads what a run of an hour and a half counted; no code of either package runs in the check"
ONE_SIDED: Final[dict[str, str]] = {
    "fits.iterations": _A_RUN,
    "fits.infinite_divergences": _A_RUN,
    "fits.outlying_weights": _A_RUN,
    "fits.concentrated": _A_RUN,
}
FAULTS: Final = (
    Fault(
        name="19 of 20 fits take at most 10 iterations",
        claims=("fits.iterations",),
        plant=restated("fits", "_MOST_WITHIN: Final = 32", "_MOST_WITHIN: Final = 10"),
        caught_by=("check_iterations",),
    ),
    Fault(
        name="No divergence is infinite",
        claims=("fits.infinite_divergences",),
        plant=restated("fits", "_UNDERFLOWING: Final = 732", "_UNDERFLOWING: Final = 0"),
        caught_by=("check_divergences_that_underflow",),
    ),
    Fault(
        name="With the other class nominal as many rows have less than 1/n",
        claims=("fits.outlying_weights",),
        plant=restated(
            "fits", '_per_mille("below_uniform_swapped") == 518', '_per_mille("below_uniform_swapped") == 694'
        ),
        caught_by=("check_weights_of_contaminating_rows",),
    ),
    Fault(
        name="The ones have the weight of their share",
        claims=("fits.concentrated",),
        plant=restated(
            "fits",
            'round(10 * fact("concentrated_weight")) == 43',
            'round(10 * fact("concentrated_weight")) == 10',
        ),
        caught_by=("check_concentrated_contamination",),
    ),
)
