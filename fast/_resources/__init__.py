"""What a computation may take, memory and threads, and how it reports progress and warnings."""

from rkde.fast._resources.compute import (
    Compute,
    Engine,
    Limits,
    Progress,
    Report,
    Resources,
    Stage,
    checked_resources,
    silent,
)
from rkde.fast._resources.memory import available_memory, memory_budget, require, shown
from rkde.fast._resources.summary import counted, summary_html, summary_text
from rkde.fast._resources.threads import in_parallel, thread_limit, worker_count
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
    "counted",
    "in_parallel",
    "memory_budget",
    "require",
    "shown",
    "silent",
    "summary_html",
    "summary_text",
    "thread_limit",
    "warn",
    "worker_count",
]
