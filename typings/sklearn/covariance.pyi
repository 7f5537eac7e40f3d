"""What rkde uses of scikit-learn's covariances."""

from typing import Self

import numpy as np
from numpy.typing import NDArray

class MinCovDet:
    covariance_: NDArray[np.float64]
    def __init__(self, *, random_state: int | None = None) -> None: ...
    def fit(self, X: NDArray[np.float64]) -> Self: ...
