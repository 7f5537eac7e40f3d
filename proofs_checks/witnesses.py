"""Small data sets on which statements fail, with everything decimal, so that proofs read them exactly."""

from __future__ import annotations

from typing import Final

from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Hampel

PAIRS: Final = [["-2.1"], ["-1.9"], ["1.9"], ["2.1"]]
"""Two pairs of rows: Hampel's J has a minimum on each pair, and a saddle between them."""
PAIRS_KERNEL: Final = Gaussian(1)
PAIRS_LOSS: Final = Hampel("0.3", "0.6", "1.2")
LEFT_PAIR: Final = ["0.5", "0.5", "0", "0"]
RIGHT_PAIR: Final = ["0", "0", "0.5", "0.5"]
NEARLY_EVEN: Final = ["0.250001", "0.250001", "0.249999", "0.249999"]
"""Weights a millionth to the left of the even ones."""

FOUR: Final = [["1.2"], ["-1.4"], ["-1.0"], ["1.3"]]
"""With bandwidth 2 the recipe's end depends on its start, and on the rule for percentiles."""
FOUR_BANDWIDTH: Final = 2
FIVE: Final = [["1.1"], ["-1.9"], ["0.6"], ["1.6"], ["-1.9"]]
"""With the paper's own bandwidth, 1/2, the recipe ends above another local minimum."""
