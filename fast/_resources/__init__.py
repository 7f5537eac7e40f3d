"""What a computation may take, memory and threads, and how it reports progress and warnings."""

from rkde.fast._resources.compute import Engine, Resources, resources
from rkde.fast._resources.memory import available_memory, memory_budget, require, shown
from rkde.fast._resources.progress import Progress, Report, Stage, silent
from rkde.fast._resources.threads import pools, thread_limit
from rkde.fast._resources.warnings import warn

__all__ = [
    "Engine",
    "Progress",
    "Report",
    "Resources",
    "Stage",
    "available_memory",
    "memory_budget",
    "pools",
    "require",
    "resources",
    "shown",
    "silent",
    "thread_limit",
    "warn",
]
