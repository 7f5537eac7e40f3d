"""Warnings that point at the user's own line, however deep in this package or in scikit-learn they arise."""

from __future__ import annotations

import inspect
import warnings
from typing import Final

from rkde.errors import RkdeWarning

# Between the user's line and the fit: this package, and what calls an estimator for its user.
_PASSED: Final = frozenset({"rkde", "sklearn", "joblib", "contextlib"})


def warn(message: str | RkdeWarning, category: type[RkdeWarning] | None = None) -> None:
    """Issue a warning at the innermost line that belongs to neither this package nor to scikit-learn.

    It is given as such, or as a message and its category.
    """
    level = 1
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _PASSED:
        frame = frame.f_back
        level += 1
    # In a worker process there may be no such line: the warning then stays where it arose.
    warnings.warn(message, category, stacklevel=level if frame is not None else 2)
