"""How much memory a computation may take: a limit given by the user, or a share of what is free."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Final

from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.fast._float64 import as_positive

# Without a limit from the user a computation plans with this share of what is free: the rest is for copies
# that the caller makes of data and results, and for others.
_DEFAULT_SHARE: Final = 1 / 2
# What is planned with on a system that tells nothing about its memory.
_UNKNOWN: Final = 2**31
_MEMINFO: Final = Path("/proc/meminfo")
_CGROUP_ROOT: Final = Path("/sys/fs/cgroup")
_OWN_CGROUPS: Final = Path("/proc/self/cgroup")
_KIB: Final = 2**10
_UNITS: Final = {
    "": 1,
    "b": 1,
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgt", start=1)},
    **{f"{prefix}ib": 1024**power for power, prefix in enumerate("kmgt", start=1)},
}
# Limit, use, and the statistic that says how much of the use is files kept in memory for as long as nobody
# needs it: of version 2 of the control groups and of version 1.
_GROUP_FILES: Final = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
# Version 1 has no word for "no limit": Linux shows its largest count of pages, just below 2^63 bytes.
_BEYOND_ANY_MACHINE: Final = 2**62
_AMOUNT: Final = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?)\s*([a-z]*)\s*", re.IGNORECASE)


def memory_budget(memory_limit: float | str | None) -> int:
    """Return the number of bytes that a computation may allocate.

    Examples
    --------
    >>> memory_budget("4GB"), memory_budget("1.5 MiB"), memory_budget(1e6)
    (4000000000, 1572864, 1000000)
    """
    if memory_limit is None:
        return max(1, int(available_memory() * _DEFAULT_SHARE))
    if isinstance(memory_limit, str):
        match = _AMOUNT.fullmatch(memory_limit)
        unit = None if match is None else _UNITS.get(match[2].lower())
        if match is None or unit is None or float(match[1]) * unit < 1:
            raise InvalidInput(
                "must be an amount of memory",
                where="memory_limit",
                value=memory_limit,
                remedy='pass a number of bytes, or text such as "4GB" or "512MiB"',
            )
        return int(float(match[1]) * unit)
    if isinstance(memory_limit, bool):
        raise InvalidType(
            "must be an amount of memory",
            where="memory_limit",
            value=memory_limit,
            remedy="pass a number of bytes",
        )
    return max(1, int(as_positive(memory_limit, where="memory_limit")))


def available_memory() -> int:
    """Return the bytes that this process can still allocate, as far as the system tells.

    Result: the least of what the machine has free and what the control groups of the process have left.
    """
    machine, groups = _machine_memory(), _group_memory()
    known = groups if machine is None else [machine, *groups]
    return max(0, min(known, default=_UNKNOWN))


def require(needed: int, limit: int, *, purpose: str, where: str, remedy: str) -> None:
    """Refuse, before anything is allocated, what does not fit.

    Examples
    --------
    >>> require(10, 20, purpose="the matrix", where="X", remedy="use fewer rows")
    """
    if needed > limit:
        raise MemoryLimit(
            f"{purpose} would take {shown(needed)}, but the limit is {shown(limit)}",
            where=where,
            remedy=remedy,
        )


def shown(n_bytes: float) -> str:
    """Return a number of bytes for people.

    Examples
    --------
    >>> shown(28.8e9), shown(12)
    ('28.8 GB', '12 bytes')
    """
    for power, prefix in reversed(list(enumerate("kMGT", start=1))):
        if n_bytes >= 1000**power:
            return f"{n_bytes / 1000**power:.3g} {prefix}B"
    return f"{n_bytes:.0f} bytes"


def _machine_memory() -> int | None:
    try:
        match = re.search(r"^MemAvailable:\s*(\d+) kB", _MEMINFO.read_text("ascii"), re.MULTILINE)
        if match is not None:
            return int(match[1]) * _KIB
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None


def _group_memory() -> list[int]:
    """Return what is left to each control group of the process, of either version, that has a limit."""
    try:
        folders = _folders_of(_CGROUP_ROOT, _OWN_CGROUPS.read_text("ascii"))
    except (OSError, ValueError):
        return []
    known = []
    for folder, (limit, used, cached) in product(folders, _GROUP_FILES):
        try:
            most = int((folder / limit).read_text("ascii"))
            left = most - int((folder / used).read_text("ascii"))
        except (OSError, ValueError):
            # No such group, or "max": no limit.
            continue
        if most > _BEYOND_ANY_MACHINE:
            continue
        with suppress(OSError, ValueError):
            statistics = (folder / "memory.stat").read_text("ascii")
            files = re.search(rf"^{cached} (\d+)$", statistics, re.MULTILINE)
            left += 0 if files is None else int(files[1])
        known.append(left)
    return known


@lru_cache(maxsize=1)
def _folders_of(root: Path, own_groups: str) -> tuple[Path, ...]:
    """Return the folders of the groups that a process is in; it stays in them, with rare exceptions."""
    folders = [root, root / "memory"]
    for line in own_groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "memory"):
            inner = (root / controllers / path.lstrip("/")).resolve()
            # A limit of a group binds all groups below it.
            folders += [part for part in (inner, *inner.parents) if part.is_relative_to(root)]
    return tuple(dict.fromkeys(folders))
