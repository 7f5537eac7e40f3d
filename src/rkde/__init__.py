"""Robust kernel density estimation (Kim & Scott, 2012) that can be trusted.

`rkde.reference` is the paper, executable, at any precision; `rkde.fast` is the float64 implementation that
users run; `rkde.proofs_checks` holds the claims of the paper with their evidence. Importing this package
imports none of numpy, scipy or mpmath.
"""

from rkde import errors

__version__ = "0.1.0"

__all__ = ["__version__", "errors"]
