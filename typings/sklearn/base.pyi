"""What rkde uses of scikit-learn's base classes."""

from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

class BaseEstimator:
    def get_params(self, deep: bool = True) -> dict[str, object]: ...
    def set_params(self, **params: object) -> Self: ...
    def __sklearn_tags__(self) -> Tags: ...

class DensityMixin: ...

class OutlierMixin:
    def fit_predict(self, X: object, y: object = None, **kwargs: object) -> NDArray[np.intp]: ...
