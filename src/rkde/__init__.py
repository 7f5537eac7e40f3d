"""Robust kernel density estimation (Kim & Scott, 2012) that can be trusted.

`rkde.reference` is the paper, executable, at any precision; `rkde.fast` is the float64 implementation that
users run, `rkde.RobustKernelDensity` its scikit-learn estimator (extra `sklearn`); `rkde.proofs_checks` holds
the claims of the paper with their evidence. Importing this package imports none of numpy, scipy, mpmath or
scikit-learn.
"""

from typing import TYPE_CHECKING

from rkde import errors

if TYPE_CHECKING:
    from rkde.fast.sklearn import RobustKernelDensity as RobustKernelDensity

__version__ = "0.1.0"

# The estimator is left out: `from rkde import *` works without scikit-learn, and stays light.
__all__ = ["__version__", "errors"]

_ESTIMATOR = "RobustKernelDensity"


def __getattr__(name: str) -> object:
    """Import the estimator when it is first asked for."""
    if name != _ESTIMATOR:
        raise AttributeError(f"module 'rkde' has no attribute {name!r}")
    from rkde.fast.sklearn import RobustKernelDensity

    globals()[name] = RobustKernelDensity
    return RobustKernelDensity


def __dir__() -> list[str]:
    return sorted({*globals(), _ESTIMATOR})
