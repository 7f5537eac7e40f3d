"""What a unit was computed with: versions, and the revision of the checkout."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import scipy

import rkde

_ROOT = Path(__file__).resolve().parents[2]


@cache
def made_with() -> dict[str, str]:
    """Return the versions that decide a unit's digits; `revision` ends in "+" where files were changed."""
    return {
        "rkde": rkde.__version__,
        "revision": _revision(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def _revision() -> str:
    command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (fixed words)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
