"""The Pythons at hand: in the path, beside the running one, and those that are named."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from packaging.specifiers import SpecifierSet
from packaging.version import Version

NAME: Final = re.compile(r"python3\.\d+")
# A launcher of a version manager answers at once or never.
SECONDS: Final = 20


def pythons(allowed: SpecifierSet, named: Iterable[Path] = ()) -> dict[str, Path]:
    """Return the newest allowed Python of each minor version, oldest first; named ones and this one win."""
    chosen = {
        minor_of(version): (version, path)
        for path in [Path(sys.executable), *named]
        if (version := version_of(path)) is not None
    }
    found = dict(chosen)
    for path in candidates():
        version = version_of(path)
        if version is None or minor_of(version) in chosen:
            continue
        minor = minor_of(version)
        if minor not in found or version > found[minor][0]:
            found[minor] = (version, path)
    order = sorted(found.values())
    return {minor_of(version): path for version, path in order if version in allowed}


def minor_of(version: Version) -> str:
    """Return such as "3.11"."""
    return f"{version.major}.{version.minor}"


def candidates() -> Iterator[Path]:
    """Yield what is called python3.N in the path, and in installations beside the running one."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    # Version managers put installations side by side, each in a folder of its own.
    folders += sorted(Path(sys.base_prefix).resolve().parent.glob("*/bin"))
    for folder in folders:
        if folder.is_dir():
            yield from sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))


def version_of(path: Path) -> Version | None:
    """Ask an interpreter for its version; None where it is no CPython that answers."""
    question = "import platform; print(platform.python_implementation(), platform.python_version())"
    try:
        command = [path, "-I", "-c", question]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    implementation, _, version = done.stdout.strip().partition(" ")
    return Version(version) if implementation == "CPython" else None
