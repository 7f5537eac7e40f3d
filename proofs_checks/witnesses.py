"""Small data sets on which statements fail, with everything decimal, so that proofs read them exactly."""

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
SIX: Final = [["1.8"], ["3.1"], ["1.2"], ["2.9"], ["-0.9"], ["0.7"]]
"""With bandwidth 1/2, the paper's own, the recipe ends above another local minimum."""
ON_THE_SECOND: Final = [0, 1, 0, 0, 0, 0]
_SPREAD: Final = (
    "1.1,-1.6 1.4,-0.8 -1.9,-1.2 -1,0 -1,-1.5 -0.3,1.9 -0.7,0.5 0.1,2.7 -1.9,1.1 -1.3,-0.6 -0.1,3.2 -0.8,-1.9"
)
_CLOSE: Final = "3.5,-0.3 2.9,0 3,-0.1 3.1,0.1 3.3,-0.2 2.7,-0.4 3.2,0 3.2,0.2"
TWENTY: Final = [[str(cell) for cell in pair.split(",")] for pair in f"{_SPREAD} {_CLOSE}".split()]
"""Twelve spread rows in the plane and eight close ones: the recipe ends above another local minimum."""
ON_THE_CLOSE: Final = [0] * 12 + [1] * 8
"""Weights on the eight close rows, not yet divided by their sum."""
