"""The estimator in the style of scikit-learn (extra `sklearn`)."""

try:
    from sklearn.utils.validation import validate_data as _needs_scikit_learn_1_6  # noqa: F401
except ImportError as error:
    raise ImportError(
        'RobustKernelDensity needs scikit-learn 1.6 or newer; run: python -m pip install "rkde[sklearn]"'
    ) from error

from rkde.fast.sklearn.estimator import RobustKernelDensity

__all__ = ["RobustKernelDensity"]
