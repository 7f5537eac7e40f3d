"""What rkde uses of scikit-learn's checks of arguments."""

import numpy as np
from numpy.typing import NDArray

def check_is_fitted(estimator: object, attributes: str | None = None) -> None: ...
def check_array(
    array: object,
    *,
    dtype: str | None = "numeric",
    ensure_all_finite: bool = True,
    ensure_2d: bool = True,
    ensure_min_samples: int = 1,
    estimator: object = None,
    input_name: str = "",
) -> NDArray[np.generic]: ...
def validate_data(
    estimator: object,
    /,
    X: object,
    *,
    reset: bool = True,
    skip_check_array: bool = False,
) -> object: ...
