"""What a unit was computed with: versions, machine, and the revision of the checkout."""

import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rkde.machine import describe_machine, texts

_ROOT = Path(__file__).resolve().parents[2]


@cache
def made_with() -> dict[str, str]:
    """Return what decides a unit's digits beside its data; `revision` ends in "+" if files were changed."""
    found = describe_machine()
    return {
        "rkde": found.rkde,
        "revision": _revision(),
        "python": found.python,
        **{name: found.libraries[name] for name in ("numpy", "scipy")},
        **texts(found),
    }


def combined(recorded: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Join what units were made with; older versions recorded less; several values are named together."""
    every = list(recorded)
    names = dict.fromkeys(name for one in every for name in one)
    return {name: " and ".join(sorted({one.get(name, "not recorded") for one in every})) for name in names}


def _revision() -> str:
    command = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (fixed words)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()
