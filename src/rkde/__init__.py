"""Robust kernel density estimation (Kim & Scott, 2012) that can be trusted.

`rkde.fit(X)` fits a robust density to a table; `rkde.RobustKernelDensity` is its scikit-learn estimator
(extra `sklearn`). `rkde.check(module)` checks an implementation of your own against golden vectors. They
rest on `rkde.fast`, everything that users run in float64; `rkde.reference`, the paper as a program, at any
precision; and `rkde.proofs_checks`, the claims of the paper with their evidence. Importing this package
imports none of numpy, scipy, mpmath or scikit-learn: what it offers is loaded on first use.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rkde import errors

if TYPE_CHECKING:
    from rkde import datasets as datasets
    from rkde import fast as fast
    from rkde import reference as reference
    from rkde.conformance import check as check
    from rkde.fast import Absolute as Absolute
    from rkde.fast import Gaussian as Gaussian
    from rkde.fast import Hampel as Hampel
    from rkde.fast import Huber as Huber
    from rkde.fast import Laplacian as Laplacian
    from rkde.fast import Quadratic as Quadratic
    from rkde.fast import Student as Student
    from rkde.fast import explain as explain
    from rkde.fast import kde as kde
    from rkde.fast import load_model as load_model
    from rkde.fast import save_model as save_model
    from rkde.fast.estimates import fit as fit
    from rkde.fast.sklearn import RobustKernelDensity as RobustKernelDensity

__version__ = "0.1.0"

# Name -> the module that offers it, or None for a module of this package.
_OFFERED = {
    "Absolute": "rkde.fast",
    "Gaussian": "rkde.fast",
    "Hampel": "rkde.fast",
    "Huber": "rkde.fast",
    "Laplacian": "rkde.fast",
    "Quadratic": "rkde.fast",
    "RobustKernelDensity": "rkde.fast.sklearn",
    "Student": "rkde.fast",
    "check": "rkde.conformance",
    "datasets": None,
    "explain": "rkde.fast",
    "fast": None,
    "fit": "rkde.fast.estimates",
    "kde": "rkde.fast",
    "load_model": "rkde.fast",
    "reference": None,
    "save_model": "rkde.fast",
}

__all__ = [
    "Absolute",
    "Gaussian",
    "Hampel",
    "Huber",
    "Laplacian",
    "Quadratic",
    "RobustKernelDensity",
    "Student",
    "__version__",
    "check",
    "datasets",
    "errors",
    "explain",
    "fast",
    "fit",
    "kde",
    "load_model",
    "reference",
    "save_model",
]

# A star import works without scikit-learn, and then brings all but the estimator.
if find_spec("sklearn") is None:
    __all__.remove("RobustKernelDensity")


def __getattr__(name: str) -> object:
    """Load what is offered on first use."""
    if name not in _OFFERED:
        raise AttributeError(f"module 'rkde' has no attribute {name!r}")
    module = _OFFERED[name]
    found = import_module(f"rkde.{name}") if module is None else getattr(import_module(module), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
