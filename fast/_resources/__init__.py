"""What a computation may take, memory and threads, and how it reports progress and warnings."""

from rkde.fast._resources.compute import Compute, Engine, Limits, Resources, checked_resources
from rkde.fast._resources.memory import available_memory, memory_budget, require, shown
from rkde.fast._resources.progress import Progress, Report, Stage, silent
from rkde.fast._resources.threads import pools, thread_limit
from rkde.fast._resources.warnings import warn

__all__ = [
    "Compute",
    "Engine",
    "Limits",
    "Progress",
    "Report",
    "Resources",
    "Stage",
    "available_memory",
    "checked_resources",
    "memory_budget",
    "pools",
    "require",
    "shown",
    "silent",
    "thread_limit",
    "warn",
]
